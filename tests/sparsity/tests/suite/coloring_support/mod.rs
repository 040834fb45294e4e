//! Helpers of the tests of colorings.

pub(crate) mod matrices;
pub(crate) mod oracle;

use overdub_sparsity::SparsityPattern;
use overdub_sparsity::coloring::{Coloring, Decompression, compress};

/// Compresses a matrix of whole numbers, symmetric for a symmetric kind, and decompresses it.
pub(crate) fn round_trip(pattern: &SparsityPattern, coloring: &Coloring) {
    let value = |(row, col): (usize, usize)| {
        let (row, col) =
            if coloring.kind().is_symmetric() { (row.min(col), row.max(col)) } else { (row, col) };
        ((row * 37 + col * 101 + row * col) % 211) as f64 - 105.0
    };
    let values: Vec<f64> = pattern.entries().map(value).collect();
    let compressed = compress(pattern, coloring, &values).expect("the lengths are right");
    let plan = Decompression::prepare(pattern, coloring).expect("the coloring is valid");
    let mut recovered = vec![f64::NAN; values.len()];
    plan.decompress(&compressed, &mut recovered).expect("the lengths are right");
    assert_eq!(recovered, values, "{} coloring of {pattern}", coloring.kind());
}
