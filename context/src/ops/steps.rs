//! Steps counted by the program itself, so that an executor learns how many steps an interpreter would have
//! taken.

use super::host_types::ill_typed;
use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::limits;
use crate::types::Ty;
use crate::value::Value;

ops! {
    /// Counts this number of steps, if the count of the run was requested.
    STEPS_ADD = "steps.add", Exactly(1), steps_ty, PRINTS, steps_add;
}

fn steps_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [count] if *count == Ty::u64() => Ok(Ty::unit()),
        _ => Err(TypeFault::takes("a `u64`")),
    }
}

fn steps_add<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [count] = &*args else { return Err(ill_typed("steps.add", args)) };
    let Some(count) = count.as_int().and_then(|(_, count)| u64::try_from(count).ok()) else {
        return Err(ill_typed("steps.add", args));
    };
    limits::count_steps(count);
    Ok(Value::Unit)
}
