//! Comparing an operation with what Rust itself does.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use overdub_context::ir::Ty;
use overdub_context::ops::{self, OpCx};
use overdub_context::value::{IntoValue, Value};

use super::{Bench, ty_of};

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What Rust makes of it: a result, or the message of a panic, which is not printed.
pub(crate) fn outcome<R>(act: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(act));
    QUIET.set(false);
    result.map_err(|panic| match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => panic.downcast_ref::<&str>().expect("a panic has a text").to_string(),
    })
}

/// The same to the bit, but for what a `NaN` carries.
fn alike(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::F64(x), Value::F64(y)) if x.is_nan() => y.is_nan(),
        (Value::F32(x), Value::F32(y)) if x.is_nan() => y.is_nan(),
        (Value::Composite(x), Value::Composite(y)) if x.ty.is_none() => {
            x.parts.len() == y.parts.len() && x.parts.iter().zip(y.parts.iter()).all(|(x, y)| alike(x, y))
        }
        _ => a.same(b),
    }
}

/// Runs the operation on the operands and holds its result, or what its failure says, against Rust's.
pub(crate) fn agrees<R: IntoValue<'static>>(op: &str, args: Vec<Value<'static>>, rust: impl FnOnce() -> R) {
    agrees_to(op, None, args, rust);
}

/// The same, with a declared type of the result.
pub(crate) fn agrees_to<R: IntoValue<'static>>(
    op: &str,
    declared: Option<Ty>,
    args: Vec<Value<'static>>,
    rust: impl FnOnce() -> R,
) {
    let mut rust = Some(rust);
    let mut once = || rust.take().expect("it is called once")().into_value();
    compare(op, declared, args, R::ty(), &mut once);
}

/// Not generic: a thousand operations with operands of their own types are compared.
fn compare(
    op: &str,
    declared: Option<Ty>,
    mut args: Vec<Value<'static>>,
    of_rust: Ty,
    rust: &mut dyn FnMut() -> Value<'static>,
) {
    let def = ops::by_name(op).unwrap_or_else(|| panic!("there is no operation `{op}`"));
    let call = format!("{op} {args:?}");
    let ret = ty_of(def, declared, &args).unwrap_or_else(|fault| panic!("`{call}`: takes {}", fault.takes));
    assert_eq!(ret, of_rust, "the type of `{call}`");
    let is = (def.eval)(&mut OpCx { ret, machine: &mut Bench::default() }, &mut args);
    match (is, outcome(rust)) {
        (Ok(is), Ok(rust)) => {
            assert!(is.is_a(ret), "`{call}` gives {is:?}, no {ret}");
            assert!(alike(&is, &rust), "`{call}` gives {is:?}, Rust {rust:?}");
        }
        (Err(is), Err(rust)) => assert_eq!(is.report().message, rust, "`{call}`"),
        (is, rust) => panic!("`{call}` gives {is:?}, Rust {rust:?}"),
    }
}
