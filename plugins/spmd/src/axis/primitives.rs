//! Collectives of an axis: ordinary functions, which mean one element until the axis is bound.

use overdub_context::codes;
use overdub_context::ir::{BuildError, FuncBuilder, LoadError, Operand};
use overdub_context::ops::OpDef;
use overdub_lower::{BodyRequest, GeneratedBody};

use super::numbers::{Mean, Numbers, Ordered};
use super::ops;

/// The number of this rank on the axis, from 0. It varies.
pub fn axis_index(axis: &str) -> usize {
    let _ = axis;
    0
}

/// The number of ranks on the axis. It is replicated.
pub fn axis_size(axis: &str) -> usize {
    let _ = axis;
    1
}

/// The sum over the ranks of an axis, number by number: what varies becomes replicated.
///
/// Its derivative needs no communication: each rank's value gets the cotangent of the sum. That of what is replicated and
/// used where values vary is summed over the ranks: see [`OnAxis`](crate::OnAxis).
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Communicator, OnAxis, axis_index, axis_size, bind, psum, ranks};
///
/// /// The mean over the data of all ranks.
/// #[dub]
/// fn loss(own: &[f64], slope: f64) -> f64 {
///     let errors: f64 = own.iter().map(|x| (slope * x - 1.0).powi(2)).sum();
///     psum(errors, "ranks") / psum(own.len(), "ranks") as f64
/// }
///
/// // An ordinary function: there is one element.
/// assert_eq!(loss(&[1.0, 2.0], 1.0), 0.5);
/// // Two ranks, each with half of the data. The slope is the same on both, and so is its derivative.
/// let slopes = ranks(2, |rank| {
///     let own = [1.0, 2.0, 0.5, 1.5];
///     let own = &own[2 * rank.index()..][..2];
///     let on_axis = OnAxis::new("ranks").replicated(["slope"]);
///     bind("ranks", &rank, || gradient(under(on_axis, loss), (own, 1.0))).map(|(_, dslope)| dslope)
/// })?;
/// assert_eq!(slopes, [1.25, 1.25]);
/// # Ok::<(), overdub::spmd::RanksError<overdub::Error>>(())
/// ```
pub fn psum<T: Numbers>(x: T, axis: &str) -> T {
    let _ = axis;
    x
}

/// The mean over the ranks of an axis, number by number; see [`psum`].
pub fn pmean<T: Mean>(x: T, axis: &str) -> T {
    psum(x, axis).divided(axis_size(axis) as f64)
}

/// The greatest number of the ranks of an axis; as for [`f64::max`], `NaN` is less than all. Its derivative goes to the
/// first rank that has it.
pub fn pmax<T: Ordered>(x: T, axis: &str) -> T {
    let _ = axis;
    x
}

/// The least number of the ranks of an axis; as for [`f64::min`], `NaN` is greater than all. Its derivative goes to the
/// first rank that has it.
pub fn pmin<T: Ordered>(x: T, axis: &str) -> T {
    let _ = axis;
    x
}

/// The values of all ranks of an axis in order: what varies becomes replicated.
pub fn all_gather<T: Numbers>(x: T, axis: &str) -> Vec<T> {
    let _ = axis;
    vec![x]
}

/// The value of rank `root`: what varies becomes replicated.
///
/// # Panics
/// If there is no such rank: without a bound axis, there is only rank 0.
pub fn broadcast<T: Numbers>(x: T, root: usize, axis: &str) -> T {
    assert!(root == 0, "`broadcast`: there is no rank {root}, the axis `{axis}` has 1");
    x
}

/// The value of the rank that sends to this one, by `moves` from rank to rank, which are the same on all ranks; zeros if none
/// does. No rank sends twice or is sent to twice.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Communicator, OnAxis, axis_size, bind, ppermute, ranks};
///
/// /// The own value minus that of the left neighbour on a ring.
/// #[dub]
/// fn step(x: f64) -> f64 {
///     let n = axis_size("ring");
///     let right: Vec<(usize, usize)> = (0..n).map(|at| (at, (at + 1) % n)).collect();
///     x - ppermute(x, &right, "ring")
/// }
///
/// let steps = ranks(3, |rank| {
///     let x = [1.0, 4.0, 9.0][rank.index()];
///     bind("ring", &rank, || overdub(OnAxis::new("ring"), step, (x,)))
/// })?;
/// assert_eq!(steps, [-8.0, 3.0, 5.0]);
/// # Ok::<(), overdub::spmd::RanksError<overdub::Error>>(())
/// ```
pub fn ppermute<T: Numbers>(x: T, moves: &[(usize, usize)], axis: &str) -> T {
    let _ = axis;
    if moves.contains(&(0, 0)) { x } else { x.zeroed() }
}

/// From an element for each rank to one from each rank.
///
/// # Panics
/// If there are not as many elements as ranks: one, without a bound axis.
pub fn all_to_all<T: Numbers>(xs: Vec<T>, axis: &str) -> Vec<T> {
    let found = xs.len();
    assert!(found == 1, "`all_to_all` takes one value for each of 1 ranks of the axis `{axis}`, got {found}");
    xs
}

overdub_lower::provide_crate!("overdub_axis_inside", include_str!("../../provided/overdub_axis_inside.rs"));
overdub_lower::provide_crate!("overdub", "pub mod spmd { pub use overdub_axis_inside::*; }");
overdub_lower::provide_items!("overdub_spmd", "pub use overdub_axis_inside::*;");
overdub_lower::provide_items!("overdub_spmd::axis", "pub use overdub_axis_inside::*;");

macro_rules! bodies {
    ($($name:literal => $op:ident,)*) => {$(
        overdub_lower::provide_body!(concat!("overdub_axis_inside::", $name), |request| body(request, &ops::$op));
    )*};
}

bodies! {
    "axis_index" => INDEX,
    "axis_size" => SIZE,
    "psum" => PSUM,
    "argmax" => ARGMAX,
    "argmin" => ARGMIN,
    "all_gather" => ALL_GATHER,
    "broadcast" => BROADCAST,
    "ppermute" => PPERMUTE,
    "all_to_all" => ALL_TO_ALL,
}

/// A body that applies an operation to the parameters, not typed yet (AXIS3).
fn body(request: &BodyRequest<'_>, op: &'static OpDef) -> Result<GeneratedBody, LoadError> {
    let func = request.func;
    let built = || {
        let mut build = FuncBuilder::new(func.name, func.ret);
        build.set_func_span(func.span);
        build.set_span(func.span);
        let mut operands: Vec<Operand> =
            func.param_tys().collect::<Vec<_>>().into_iter().map(|ty| build.param("x", ty).into()).collect();
        operands.push(false.into());
        let result = build.op_as(op, operands, func.ret)?;
        build.ret(result)?;
        build.finish()
    };
    let fault = |error: BuildError| LoadError {
        code: codes::TYPE,
        message: error.to_string(),
        span: func.span,
        help: None,
    };
    Ok(GeneratedBody { func: built().map_err(fault)?, callees: Vec::new() })
}
