//! Functions whose derivatives are sparse.

/// The right-hand side of the Brusselator with diffusion, on a periodic grid of `side` by `side` cells: two species, one
/// grid after the other.
pub fn brusselator(u: &[f64], side: usize) -> Vec<f64> {
    let cells = side * side;
    let alpha = 10.0 * ((side - 1) * (side - 1)) as f64;
    let mut du = vec![0.0; 2 * cells];
    for i in 0..side {
        let up = if i == 0 { side - 1 } else { i - 1 };
        let down = if i + 1 == side { 0 } else { i + 1 };
        for j in 0..side {
            let left = if j == 0 { side - 1 } else { j - 1 };
            let right = if j + 1 == side { 0 } else { j + 1 };
            let at = i * side + j;
            let (a, b) = (u[at], u[cells + at]);
            let around = u[up * side + j] + u[down * side + j] + u[i * side + left] + u[i * side + right];
            du[at] = a * a * b - 4.4 * a + alpha * (around - 4.0 * a) + 1.0;
            let around = u[cells + up * side + j]
                + u[cells + down * side + j]
                + u[cells + i * side + left]
                + u[cells + i * side + right];
            du[cells + at] = 3.4 * a - a * a * b + alpha * (around - 4.0 * b);
        }
    }
    du
}

/// A sum of squares, then for each further element a function of it and the first one: the Jacobian has a first row, a
/// first column and a diagonal.
pub fn arrow_head(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    y[0] = x[0] * x[0];
    for i in 1..x.len() {
        y[0] += x[i] * x[i];
        y[i] = x[0] * x[i] + x[i].sin();
    }
    y
}

/// Upwind fluxes through the faces between cells: each face's flux is carried to the next cell.
pub fn fluxes(u: &[f64]) -> Vec<f64> {
    let n = u.len();
    let mut du = vec![0.0; n];
    let mut before = 0.0;
    for i in 0..n - 1 {
        let slope = u[i + 1] - u[i];
        let flux = 0.5 * (u[i] * u[i] + u[i + 1] * u[i + 1]) - slope.tanh();
        du[i] = before - flux;
        before = flux;
    }
    du[n - 1] = before;
    du
}
