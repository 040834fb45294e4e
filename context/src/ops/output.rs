//! Writes to the output of a program.

use super::host_types::ill_typed;
use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::Ty;
use crate::value::Value;

ops! {
    /// Writes a text to the output.
    PRINT = "print", Exactly(1), print_ty, PRINTS, print;
    /// Writes a text to the error output.
    EPRINT = "eprint", Exactly(1), print_ty, PRINTS, eprint;
}

fn print_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [text] if *text == Ty::str() => Ok(Ty::unit()),
        _ => Err(TypeFault::takes("a text")),
    }
}

fn print<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [Value::Str(text)] = &*args else { return Err(ill_typed("print", args)) };
    cx.machine.print(text);
    Ok(Value::Unit)
}

fn eprint<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [Value::Str(text)] = &*args else { return Err(ill_typed("eprint", args)) };
    cx.machine.eprint(text);
    Ok(Value::Unit)
}
