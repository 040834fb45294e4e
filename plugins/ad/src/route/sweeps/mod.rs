//! Products with several directions in one sweep, written into the caller's memory.
//!
//! - MANY1 directions and products are laid out consecutively; each consists of the floats of the active
//!   arguments, or of the result, in order.
//! - MANY2 they are not converted to a [`Value`] if each argument and each part of a result is a scalar or an
//!   array of scalars with one axis, and the executor has prepared calls.

mod cotangents;
mod curvature;
mod in_place;
mod tangents;

use overdub_context::ir::{Func, LoadError, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::cotangent::cotangent;
use crate::flatten::count_floats;
use crate::transform::reverse::refused;
pub use cotangents::CotangentSweep;
pub use curvature::CurvatureSweep;
pub use tangents::TangentSweep;
pub(super) use tangents::value_and_tangents;

/// Which arguments are active: those in `wrt` that hold floats.
fn active(func: &Func, wrt: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let holds = |ty: Ty| cotangent(ty).map_or(true, |dty| dty != Ty::unit());
    func.param_tys().enumerate().map(|(at, ty)| wrt(at) && holds(ty)).collect()
}

/// The types of the tangents of the active parameters.
fn tangents(func: &Func, wrt: &[bool]) -> Result<Vec<Ty>, LoadError> {
    let active_params = func.param_tys().zip(wrt).filter(|(_, wrt)| **wrt);
    active_params.map(|(ty, _)| cotangent(ty).map_err(|cause| refused(func, cause.to_string()))).collect()
}

/// The number of floats of the active arguments.
fn inputs(args: &[Value<'static>], wrt: &[bool]) -> usize {
    args.iter().zip(wrt).filter(|(_, wrt)| **wrt).map(|(arg, _)| count_floats(arg)).sum()
}

fn put(found: &[f64], place: &mut [f64]) -> Result<(), Failure> {
    fits(found.len() == place.len())?;
    place.copy_from_slice(found);
    Ok(())
}

fn fits(holds: bool) -> Result<(), Failure> {
    match holds {
        true => Ok(()),
        false => Err(Failure::new(
            FailureKind::Type,
            "directions and products are not as many floats as the arguments and the result have",
        )),
    }
}
