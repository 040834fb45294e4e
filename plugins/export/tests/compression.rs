//! The data of sparse matrices have to fit each other, and the function.

use overdub_context::value::Value;
use overdub_export::{Compression, CompressionError, Derivative, Export, ExportError, Products};
use overdub_lower::Loaded;

#[test]
fn a_pattern_has_to_fit_itself_and_the_function() {
    let products = || vec![Products::with_columns(1, vec![0, 0], vec![0, 1])];
    let made = |starts: &[usize], columns: &[usize], products| {
        let example = vec![Value::floats(vec![0.0; 2])];
        Compression::new((2, 2), starts.to_vec(), columns.to_vec(), example, products)
    };
    let diagonal = || made(&[0, 1, 2], &[0, 1], products()).unwrap_or_else(|error| panic!("{error}"));
    let wrong = |starts: &[usize], columns: &[usize], products| made(starts, columns, products).err();
    let starts = Some(CompressionError::RowStarts { rows: 2, entries: 2 });
    assert_eq!(wrong(&[0, 2], &[0, 1], products()), starts);
    assert_eq!(wrong(&[0, 2, 1], &[0, 1], products()), starts);
    assert_eq!(wrong(&[0, 1, 2], &[0, 2], products()), Some(CompressionError::Column { column: 2, cols: 2 }));
    let short = vec![Products::with_rows(1, vec![0], vec![0, 1])];
    let colors = Some(CompressionError::Colors { found: 1, expected: 2 });
    assert_eq!(wrong(&[0, 1, 2], &[0, 1], short), colors);
    let beyond = vec![Products::with_columns(1, vec![0, 0], vec![0, 2])];
    let sources = Some(CompressionError::Sources { values: 2, entries: 2 });
    assert_eq!(wrong(&[0, 1, 2], &[0, 1], beyond), sources);
    assert_eq!(wrong(&[0, 1, 2], &[0, 1], Vec::new()), Some(CompressionError::Products));
    let slot = CompressionError::Slot { slot: 2, entries: 2 };
    assert_eq!(diagonal().written(vec![0, 2], false).err(), Some(slot));

    let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.to_vec() } pub fn g(x: f64, y: f64) -> f64 { x * y }";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let symbol = |name| loaded.function(name).unwrap_or_else(|error| panic!("{error}")).symbol;
    let refused = |of, derivative, wrt: &[bool]| {
        Export::new(&engine).sparse((of, derivative), wrt, diagonal(), "exported", "").err()
    };
    let (f, g) = (symbol("f"), symbol("g"));
    assert_eq!(refused(f, Derivative::Gradient, &[true]), Some(ExportError::NotSparse(f)));
    assert_eq!(
        refused(g, Derivative::SparseJacobian, &[true, true]),
        Some(ExportError::Arguments { func: g, found: 1, expected: 2 })
    );
    assert_eq!(
        refused(f, Derivative::SparseJacobian, &[false]),
        Some(ExportError::Columns { func: f, found: 2, expected: 0 })
    );
    let without = Export::new(&engine).derivative(f, Derivative::SparseJacobian, &[true], "exported", "");
    match without.err() {
        Some(ExportError::NoPattern { func, span }) => assert!(func == f && span.is_known()),
        other => panic!("{other:?}"),
    }
}
