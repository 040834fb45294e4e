//! How is a stiff problem of reaction and diffusion solved? By implicit steps: Newton's method with the sparse Jacobian, whose
//! entries are written in one run of the function, and `faer`'s sparse LU.
//!
//! `cargo run --release --example brusselator --features faer,png` solves the Brusselator on a periodic grid
//! of 64 by 64 cells, two species each, and writes `pattern.png`, the Jacobian with its colors, and
//! `brusselator.png`, the final amounts. The first argument is another number of cells.

mod picture;

use overdub::prelude::*;
use overdub::sparsity::faer::Col;
use overdub::sparsity::faer::linalg::solvers::Solve;
use overdub::sparsity::faer::sparse::SparseRowMat;
use overdub::sparsity::faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use overdub::sparsity::{Sparse, picture as patterns};

const STEPS: usize = 20;
const STEP: f64 = 0.05;

/// The rates at which the amounts of both species change, one grid after the other.
#[dub]
fn rates(u: &[f64], side: usize) -> Vec<f64> {
    let cells = side * side;
    let alpha = 0.1 * ((side - 1) * (side - 1)) as f64;
    let mut du = vec![0.0; 2 * cells];
    for i in 0..side {
        for j in 0..side {
            let at = i * side + j;
            let up = (i + side - 1) % side * side + j;
            let down = (i + 1) % side * side + j;
            let left = i * side + (j + side - 1) % side;
            let right = i * side + (j + 1) % side;
            let (a, b) = (u[at], u[cells + at]);
            let spread_a = u[up] + u[down] + u[left] + u[right] - 4.0 * a;
            let spread_b = u[cells + up] + u[cells + down] + u[cells + left] + u[cells + right] - 4.0 * b;
            du[at] = 1.0 + a * a * b - 4.4 * a + alpha * spread_a;
            du[cells + at] = 3.4 * a - a * a * b + alpha * spread_b;
        }
    }
    du
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let side: usize = std::env::args().nth(1).map_or(Ok(64), |side| side.parse())?;
    let cells = side * side;
    // The first species starts in the middle of each row, the second in the middle of each column.
    let bump = |k: usize| (k as f64 * (side - k) as f64 / cells as f64).powf(1.5);
    let place = |at: usize| (at / side, at % side);
    let mut u: Vec<f64> = (0..cells).map(|at| 22.0 * bump(place(at).1)).collect();
    u.extend((0..cells).map(|at| 27.0 * bump(place(at).0)));

    let jacobian = Sparse::jacobian(rates, (&u[..], side))?;
    let derivative = jacobian.derivative();
    let pattern = derivative.pattern();
    println!("{} by {}, {} entries: {}", pattern.rows(), pattern.cols(), pattern.len(), derivative.explain());
    std::fs::write("pattern.png", patterns::png(pattern, Some(derivative.coloring()))?)?;

    // The places of the entries, and the order of the elimination, are the same for all steps.
    let places = pattern.to_faer();
    let mut order: Option<SymbolicLu<usize>> = None;
    let mut iterations = 0;
    for _ in 0..STEPS {
        let before = u.clone();
        loop {
            let du = rates(&u, side);
            let wrong: Vec<f64> = (0..u.len()).map(|i| u[i] - before[i] - STEP * du[i]).collect();
            let size = wrong.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            if size < 1e-9 {
                break;
            }
            // The derivative of the residual: the identity minus the step times the derivative of the rates.
            let at = jacobian.evaluate((&u[..], side))?;
            let entries = pattern.entries().zip(at.values());
            let values = entries.map(|((row, col), x)| f64::from(u8::from(row == col)) - STEP * x).collect();
            let matrix =
                SparseRowMat::new(places.clone(), values).to_col_major().map_err(|_| "out of memory")?;
            if order.is_none() {
                order = SymbolicLu::try_new(matrix.symbolic()).ok();
            }
            let lu = Lu::try_new_with_symbolic(order.clone().ok_or("it has no order")?, matrix.as_ref());
            let change =
                lu.map_err(|_| "the matrix is singular")?.solve(&Col::from_fn(u.len(), |i| wrong[i]));
            u.iter_mut().enumerate().for_each(|(i, u)| *u -= change[i]);
            iterations += 1;
        }
    }
    println!("{STEPS} steps in {iterations} rounds of Newton's method");
    let mean = |part: &[f64]| part.iter().sum::<f64>() / cells as f64;
    println!("means at the end: {:.4} and {:.4}", mean(&u[..cells]), mean(&u[cells..]));
    picture::draw("brusselator.png".as_ref(), &u[..cells], side)?;
    println!("wrote pattern.png and brusselator.png");
    Ok(())
}
