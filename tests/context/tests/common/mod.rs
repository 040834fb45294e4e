//! Running one operation on values, with no interpreter around it.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod rust;

use overdub_context::Failure;
use overdub_context::ir::{Const, Ty};
use overdub_context::ops::{self, Machine, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::{Array, Code, Scalar, Value};

/// A machine that calls host functions and allows 16 MiB.
pub(crate) struct Bench {
    pub(crate) left: usize,
    pub(crate) calls: usize,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench { left: 16 << 20, calls: 0 }
    }
}

impl<'a> Machine<'a> for Bench {
    fn call(&mut self, callee: &Value<'a>, mut args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        self.calls += 1;
        let Value::Closure(closure) = callee else {
            return Err(Failure::new(overdub_context::FailureKind::Type, "no function"));
        };
        match &closure.code {
            Code::Host(host) => host.clone().call(&mut OpCx { ret: Ty::never(), machine: self }, &mut args),
            Code::Func(name) => Err(Failure::new(overdub_context::FailureKind::Load, name.to_string())),
        }
    }

    fn print(&mut self, _: &str) {}

    fn reserve(&mut self, bytes: usize) -> Result<(), Failure> {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => {
                return Err(Failure::new(overdub_context::FailureKind::MemoryLimit, "out of memory"));
            }
        }
        Ok(())
    }
}

/// The type that the operation says its result has: operands that are data count as constants.
pub(crate) fn ty_of(op: &OpDef, declared: Option<Ty>, args: &[Value<'_>]) -> Result<Ty, TypeFault> {
    let tys: Vec<Ty> = args.iter().map(Value::ty).collect();
    let consts: Vec<Option<Const>> = args.iter().map(|arg| Const::new(arg.clone().into_owned())).collect();
    let consts: Vec<Option<&Const>> = consts.iter().map(Option::as_ref).collect();
    (op.ty)(&OperandTys { args: &tys, consts: &consts, declared })
}

/// Runs the operation of this name, whose type rule must accept the operands.
pub(crate) fn eval<'a, const N: usize>(op: &str, args: [Value<'a>; N]) -> Result<Value<'a>, Failure> {
    run(None, op, args.into())
}

/// The same, with a declared type of the result.
pub(crate) fn eval_to<'a, const N: usize>(
    ty: Ty,
    op: &str,
    args: [Value<'a>; N],
) -> Result<Value<'a>, Failure> {
    run(Some(ty), op, args.into())
}

fn run<'a>(declared: Option<Ty>, op: &str, mut args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
    let op = ops::by_name(op).unwrap_or_else(|| panic!("there is no operation `{op}`"));
    let ret = ty_of(op, declared, &args).unwrap_or_else(|fault| panic!("`{op:?}` takes {}", fault.takes));
    let value = (op.eval)(&mut OpCx { ret, machine: &mut Bench::default() }, &mut args)?;
    assert!(value.is_a(ret), "`{op:?}` should return {ret:?}, returns {value:?}");
    Ok(value)
}

/// A vector of scalars.
pub(crate) fn vector<'a, T: Scalar>(elems: &[T]) -> Value<'a> {
    Value::from(Array::from_vec(elems.to_vec()))
}

/// The elements of a vector of `i32`s.
pub(crate) fn ints(value: &Value<'_>) -> Vec<i32> {
    value.as_array().and_then(Array::as_slice).expect("a vector of `i32`s").to_vec()
}
