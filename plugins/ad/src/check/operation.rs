//! Checks of a single operation: its rule against finite differences of its evaluator.

use overdub_context::engine::Engine;
use overdub_context::ir::{BuildError, Func, FuncBuilder, Module, Operand, Ty};
use overdub_context::ops::OpDef;
use overdub_context::value::Value;
use overdub_lower::api::Error;

use super::case::check_func;
use super::{Mismatch, TOLERANCE, Tally};
use crate::flatten::floats;

/// Checks the rule of an operation at one point, as [`check_at`](super::check_at) checks the derivatives of a
/// function. Operands that hold floats vary; all others, such as axes, are constants of the operation. `ret`
/// is the type of the result, which some operations take as a declared type.
///
/// ```
/// use overdub::ad::check_operation;
/// use overdub_context::{ir::Ty, ops, value::{Array, Value}};
///
/// let a = Array::from_vec(vec![0.3, 1.2, -0.7, 2.0]).reshape(&[2, 2]).expect("four elements");
/// let tally = check_operation(&ops::ND_CUMSUM, vec![Value::from(a), 1_i64.into()], Ty::array(Ty::f64(), 2))?;
/// assert_eq!((tally.agreed, tally.cross_checked), (4, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The mismatch that was found.
pub fn check_operation(op: &'static OpDef, args: Vec<Value<'static>>, ret: Ty) -> Result<Tally, Mismatch> {
    let func = func_of_op(op, &args, ret).map_err(|error| Mismatch::None(Error::new(error.to_string())))?;
    let name = func.name;
    let module = Module::new();
    module.define(func);
    let engine = Engine::builder(module).optimizer(overdub_passes::Optimising).build();
    check_func(&engine, name, args.into_iter().filter(holds_floats).collect(), TOLERANCE)
}

fn holds_floats(arg: &Value<'_>) -> bool {
    !floats(arg).is_empty()
}

/// A function that consists of this operation alone.
fn func_of_op(op: &'static OpDef, args: &[Value<'static>], ret: Ty) -> Result<Func, BuildError> {
    let mut build = FuncBuilder::new(op.name, ret);
    let mut operands = Vec::new();
    for arg in args {
        operands.push(match holds_floats(arg) {
            true => Operand::from(build.param("x", arg.ty())),
            false => build.constant(arg.clone(), arg.ty())?,
        });
    }
    let y = build.op_as(op, operands, ret)?;
    build.ret(y)?;
    build.finish()
}
