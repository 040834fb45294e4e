//! Jacobians: in forward mode several columns in each run, or in reverse mode row by row.

use ndarray::Array2;
use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};

use super::sweeps::value_and_tangents;
use super::{PullbackRequest, Selected, TangentSweep, gradients, pullback};
use crate::TapeBound;
use crate::dual::batched::columns;
use crate::flatten::{count_floats, floats};
use crate::strategy::Strategy;
use crate::value_pullback::ValuePullback;

/// The number of directions of one run of forward mode.
const DIRECTIONS: usize = 8;

/// From how many columns for each row on reverse mode is used: a reverse sweep computes one row, and reads what the forward sweep
/// recorded, while columns share a run.
const COLUMNS_PER_ROW: usize = 4;

/// A Jacobian, and what the function returned.
pub(crate) struct DenseJacobian {
    pub(crate) value: Value<'static>,
    /// A row for each float of the function's own result, a column for each float of the arguments that is active.
    pub(crate) matrix: Array2<f64>,
    pub(crate) strategy: Strategy,
}

/// The Jacobian of a function with respect to the floats of its arguments that are `active`; `rows` is the number of floats
/// of its own result. It is computed in forward mode, [`DIRECTIONS`] columns in each run, unless rows are much fewer than columns: then in
/// reverse mode, all rows in one sweep, if the type of the result tells that they are few, or by one run and a pullback for each row.
pub(crate) fn jacobian(
    engine: &Engine,
    func: Symbol,
    args: Vec<Value<'static>>,
    active: &dyn Fn(usize) -> bool,
    rows: &dyn Fn(&Value<'static>) -> usize,
    bound: TapeBound,
) -> Result<DenseJacobian, Failure> {
    let selected = Selected::of(&args, active);
    let width = selected.numbers.len();
    if width == 0 {
        let value = engine.run(func, args)?;
        let matrix = Array2::zeros((rows(&value), 0));
        return Ok(DenseJacobian { value, matrix, strategy: Strategy::Duals });
    }
    let of = PullbackRequest { func, wrt: &|at| selected.args.get(at).copied().unwrap_or(false), bound };
    if width > DIRECTIONS
        && let Some((value, gradients)) = gradients::in_one_sweep(engine, &of, &args)?
    {
        let height = rows(&value);
        if height <= width {
            let each = gradients.iter().take(height).flat_map(|row| {
                let row: Vec<f64> = row.iter().flat_map(floats).collect();
                selected.numbers.iter().map(|number| row[*number]).collect::<Vec<_>>()
            });
            let matrix = Array2::from_shape_vec((height, width), each.collect());
            let matrix = matrix.map_err(|error| Failure::new(FailureKind::Type, error.to_string()))?;
            return Ok(DenseJacobian { value, matrix, strategy: Strategy::Transformation });
        }
    }
    // The value with the first columns: some functions have rules, and no run of their own.
    let is_active = |at: usize| selected.args.get(at).copied().unwrap_or(false);
    let (first, others) = selected.numbers.split_at(width.min(DIRECTIONS));
    let seeds = Seeds::of(&args, &selected.args);
    let directions = seeds.directions(first, first.len());
    let transformed = value_and_tangents((engine, func), &args, &is_active, (&directions, first.len()));
    let is_transformed = transformed.is_some();
    let by_duals = |batch: &[usize]| columns(engine, func, args.clone(), batch);
    let (value, found) = transformed.unwrap_or_else(|| by_duals(first))?;
    let height = rows(&value);
    if width > DIRECTIONS && height.saturating_mul(COLUMNS_PER_ROW) <= width {
        let (value, pulled) = pullback(engine, &(), &of, args, |value, pullback| Ok((value, pullback)))?;
        return in_reverse(value, &pulled, &selected.numbers, height);
    }
    let mut matrix = Array2::zeros((height, width));
    put_columns(&mut matrix, 0, found.iter().map(|column| &column[..]));
    let strategy = if is_transformed { Strategy::Transformation } else { Strategy::Duals };
    if height == 0 || others.is_empty() {
        return Ok(DenseJacobian { value, matrix, strategy });
    }
    if !is_transformed {
        for (batch, from) in others.chunks(DIRECTIONS).zip((first.len()..).step_by(DIRECTIONS)) {
            let (_, found) = by_duals(batch)?;
            put_columns(&mut matrix, from, found.iter().map(|column| &column[..]));
        }
        return Ok(DenseJacobian { value, matrix, strategy });
    }
    let sweep = TangentSweep::new(engine, func, &is_active, others.len());
    let outputs = count_floats(&value);
    let mut tangents = vec![0.0; outputs * sweep.width()];
    for (batch, from) in others.chunks(sweep.width()).zip((first.len()..).step_by(sweep.width())) {
        sweep.along(&args, &seeds.directions(batch, sweep.width()), &mut tangents)?;
        put_columns(&mut matrix, from, tangents.chunks(outputs).take(batch.len()));
    }
    Ok(DenseJacobian { value, matrix, strategy })
}

/// Where the directions of columns lie.
struct Seeds {
    /// For each float of all arguments, its place among those of the active arguments.
    places: Vec<usize>,
    /// The number of floats of the active arguments.
    inputs: usize,
}

impl Seeds {
    fn of(args: &[Value<'static>], is_active: &[bool]) -> Seeds {
        let mut seeds = Seeds { places: Vec::new(), inputs: 0 };
        for (arg, is_active) in args.iter().zip(is_active) {
            for _ in 0..count_floats(arg) {
                seeds.places.push(seeds.inputs);
                seeds.inputs += usize::from(*is_active);
            }
        }
        seeds
    }

    /// The directions of the floats of these numbers, and zeros for more directions up to `width` (MANY1).
    fn directions(&self, numbers: &[usize], width: usize) -> Vec<f64> {
        let mut all = vec![0.0; self.inputs * width];
        for (direction, number) in numbers.iter().enumerate() {
            all[direction * self.inputs + self.places[*number]] = 1.0;
        }
        all
    }
}

/// Copies columns into the matrix; the rows are those of the function's own result, which comes first in each column (DERIV2).
fn put_columns<'c>(matrix: &mut Array2<f64>, from: usize, columns: impl Iterator<Item = &'c [f64]>) {
    for (column, found) in (from..).zip(columns) {
        matrix.column_mut(column).iter_mut().zip(found).for_each(|(place, dy)| *place = *dy);
    }
}

fn in_reverse(
    value: Value<'static>,
    pullback: &ValuePullback,
    numbers: &[usize],
    height: usize,
) -> Result<DenseJacobian, Failure> {
    let mut matrix = Array2::zeros((height, numbers.len()));
    for (row, mut places) in matrix.rows_mut().into_iter().enumerate() {
        let mut seeds = vec![0.0; height];
        seeds[row] = 1.0;
        let found = pullback.pull_floats(&seeds)?;
        places.iter_mut().zip(numbers).for_each(|(place, number)| *place = found[*number]);
    }
    Ok(DenseJacobian { value, matrix, strategy: pullback.strategy().clone() })
}
