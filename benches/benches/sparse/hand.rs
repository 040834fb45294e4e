//! Hand-written sparse Jacobians in compressed sparse rows.

/// The positions of the entries of the Brusselator's Jacobian: for each row those of the cell itself, its
/// four neighbours and the other species among the row's six sorted columns.
pub(crate) fn brusselator_places(side: usize) -> Vec<[u32; 6]> {
    let id = |species: usize, i: usize, j: usize| species * side * side + (i % side) * side + j % side;
    let mut places = Vec::new();
    for species in 0..2 {
        for i in 0..side {
            for j in 0..side {
                let diagonal = [
                    id(species, i, j),
                    id(species, i + 1, j),
                    id(species, i + side - 1, j),
                    id(species, i, j + 1),
                    id(species, i, j + side - 1),
                    id(1 - species, i, j),
                ];
                places.push(
                    diagonal.map(|column| diagonal.iter().filter(|other| **other < column).count() as u32),
                );
            }
        }
    }
    places
}

/// The Jacobian of the Brusselator, six entries in each row.
pub(crate) fn brusselator(u: &[f64], side: usize, places: &[[u32; 6]], values: &mut [f64]) {
    let cells = side * side;
    let alpha = 10.0 * ((side - 1) * (side - 1)) as f64;
    let (a, b) = u.split_at(cells);
    for (row, (row_places, out)) in places.iter().zip(values.as_chunks_mut::<6>().0).enumerate() {
        let (itself, other) = if row < cells {
            (2.0 * a[row] * b[row] - 4.4 - 4.0 * alpha, a[row] * a[row])
        } else {
            let cell = row - cells;
            (-a[cell] * a[cell] - 4.0 * alpha, 3.4 - 2.0 * a[cell] * b[cell])
        };
        for neighbour in 1..5 {
            out[row_places[neighbour] as usize % 6] = alpha;
        }
        out[row_places[0] as usize % 6] = itself;
        out[row_places[5] as usize % 6] = other;
    }
}

/// The Jacobian of the arrowhead: its first row, then two entries in each row.
pub(crate) fn arrow_head(x: &[f64], values: &mut [f64]) {
    let n = x.len();
    let (first, others) = values.split_at_mut(n);
    first[0] = 2.0 * x[0];
    for i in 1..n {
        first[i] = 2.0 * x[i];
        others[2 * i - 2] = x[i];
        others[2 * i - 1] = x[0] + x[i].cos();
    }
}

/// The Jacobian of the fluxes, three entries in each row except the first and the last.
pub(crate) fn fluxes(u: &[f64], values: &mut [f64]) {
    let n = u.len();
    values.fill(0.0);
    let mut at = 0;
    for i in 0..n - 1 {
        let curved = 1.0 - (u[i + 1] - u[i]).tanh().powi(2);
        let (current, next) = (u[i] + curved, u[i + 1] - curved);
        // The row of cell `i` ends with this face, that of the next cell begins with it.
        let diagonal = if i == 0 { 0 } else { at + 1 };
        values[diagonal] -= current;
        values[diagonal + 1] -= next;
        at = diagonal + 2;
        values[at] += current;
        values[at + 1] += next;
    }
}

/// The Hessian of Rosenbrock's function, its three diagonals row by row.
pub(crate) fn rosenbrock_hessian(x: &[f64], values: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let start = if i == 0 { 0 } else { 3 * i - 1 };
        let itself = usize::from(i > 0);
        if i > 0 {
            values[start] = -400.0 * x[i - 1];
        }
        let mut diagonal = if i > 0 { 200.0 } else { 0.0 };
        if i + 1 < n {
            diagonal += 1200.0 * x[i] * x[i] - 400.0 * x[i + 1] + 2.0;
            values[start + itself + 1] = -400.0 * x[i];
        }
        values[start + itself] = diagonal;
    }
}
