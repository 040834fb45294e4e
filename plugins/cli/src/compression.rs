//! The patterns of sparse derivatives, and the products from which their values are read, as exported functions take them.

use overdub_ad::flatten::count_floats;
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_export::{Compression, Derivative, Products};
use overdub_lower::{Function, Loaded};
use overdub_sparsity::coloring::{Coloring, ColoringKind, Decompression, color};
use overdub_sparsity::{DetectError, Detector, EntrySlots, Matrix, SparseError, SparsityPattern};

use crate::load;
use crate::report::{Diagnostic, Failed};
use crate::waiting;
use crate::wrt::Selection;

/// The sparse derivative of a function with the symbol `of` that holds for arguments of the shape of an example.
pub(crate) fn found(
    (loaded, engine): (&Loaded, &Engine),
    (function, of): (&Function, Symbol),
    derivative: Derivative,
    wrt: &Selection,
    example: Vec<Value<'static>>,
) -> Result<Compression, Failed> {
    let find = || compression(engine, (function, of), derivative, wrt, example);
    waiting::shown("finding and coloring the pattern", find).map_err(|error| match error {
        SparseError::Program(failure) | SparseError::Detect(DetectError::Program(failure)) => {
            load::failure(loaded, engine, &failure)
        }
        other => Failed::program(Diagnostic::new(other.to_string()).at(other.span())),
    })
}

fn compression(
    engine: &Engine,
    (function, of): (&Function, Symbol),
    derivative: Derivative,
    wrt: &Selection,
    example: Vec<Value<'static>>,
) -> Result<Compression, SparseError> {
    // Floats that are held fixed may have other values in another call, so they are inputs here.
    let detector = Detector::new(engine);
    let is_hessian = derivative == Derivative::SparseHessian;
    let all = match is_hessian {
        true => detector.hessian(of, example.clone(), function.ir_ret)?,
        false => detector.jacobian(of, example.clone())?,
    };
    let pattern = chosen(&all, &columns(wrt, &example), is_hessian)?;
    let products = match is_hessian {
        true => vec![products(&pattern, &color(&pattern, ColoringKind::Star)?)?],
        false => {
            let columns = color(&pattern, ColoringKind::Column)?;
            let rows = color(&pattern, ColoringKind::Row)?;
            let prefers_columns = columns.len() <= 2 * rows.len();
            let mut both = vec![products(&pattern, &columns)?, products(&pattern, &rows)?];
            if !prefers_columns {
                both.reverse();
            }
            both
        }
    };
    let entries = pattern.columns().iter().map(|column| *column as usize).collect();
    let size = (pattern.rows(), pattern.cols());
    let slots = slots(engine, of, (is_hessian, wrt), &example, &pattern);
    let fits = "a pattern has compressed rows, and each entry is in a product, and written at its slot";
    let made = Compression::new(size, pattern.offsets().to_vec(), entries, example, products).expect(fits);
    Ok(match slots {
        Some(slots) => made.written(slots.indices().to_vec(), slots.are_sums()).expect(fits),
        None => made,
    })
}

/// Where the function writes the entries, if it does.
fn slots(
    engine: &Engine,
    of: Symbol,
    (is_hessian, wrt): (bool, &Selection),
    example: &[Value<'static>],
    pattern: &SparsityPattern,
) -> Option<EntrySlots> {
    let is_plain = |value: &Value<'_>| match value {
        Value::F64(_) => true,
        Value::Array(array) => {
            array.as_f64s().is_some() && array.shape().len() == 1 || count_floats(value) == 0
        }
        _ => count_floats(value) == 0,
    };
    if !example.iter().all(is_plain) {
        return None;
    }
    let matrix = if is_hessian { Matrix::Hessian } else { Matrix::Jacobian };
    let chosen = example.iter().enumerate().map(|(at, value)| wrt.contains(at) && count_floats(value) > 0);
    EntrySlots::new(engine, (of, matrix), &chosen.collect::<Vec<_>>(), example, pattern).ok()
}

/// For each float of the arguments, the number of its column if its argument was chosen.
fn columns(wrt: &Selection, arguments: &[Value<'static>]) -> Vec<Option<usize>> {
    let chosen = arguments
        .iter()
        .enumerate()
        .flat_map(|(at, value)| std::iter::repeat_n(wrt.contains(at), count_floats(value)));
    let mut next = 0;
    let numbered = chosen.map(|is_chosen| {
        next += usize::from(is_chosen);
        is_chosen.then_some(next - 1)
    });
    numbered.collect()
}

/// The entries in these columns, and in these rows if the matrix is symmetric.
fn chosen(
    all: &SparsityPattern,
    columns: &[Option<usize>],
    is_symmetric: bool,
) -> Result<SparsityPattern, SparseError> {
    let cols = columns.iter().flatten().count();
    let rows = if is_symmetric { cols } else { all.rows() };
    let entries = all.entries().filter_map(|(row, col)| {
        let row = if is_symmetric { columns[row]? } else { row };
        Some((row, columns[col]?))
    });
    SparsityPattern::new(rows, cols, entries).map_err(|error| SparseError::Detect(error.into()))
}

/// The products that a coloring stands for.
fn products(pattern: &SparsityPattern, coloring: &Coloring) -> Result<Products, SparseError> {
    let plan = Decompression::prepare(pattern, coloring)?;
    let sources = plan.sources().expect("no entry of such a coloring is corrected").to_vec();
    // The neutral color is in no product.
    let numbered = |colors: &[u32]| colors.iter().map(|color| (*color as usize).wrapping_sub(1)).collect();
    Ok(match coloring.kind() {
        ColoringKind::Row => {
            Products::with_rows(coloring.row_count(), numbered(coloring.row_colors()), sources)
        }
        _ => Products::with_columns(coloring.column_count(), numbered(coloring.column_colors()), sources),
    })
}
