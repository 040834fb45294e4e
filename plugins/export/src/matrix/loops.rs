//! Loops over numbers from zero that make a list, tables, and failures.

use overdub_context::ir::{Block, BuildError, FuncBuilder, Operand, Target, Ty, Var};
use overdub_context::ops;
use overdub_context::value::{Array, Scalar, Value};

/// The loop over the floats of values: it goes on with the next number and a longer list.
pub(super) struct Loop {
    head: Block,
    done: Block,
    pub(super) number: Var,
    pub(super) list: Var,
}

/// An array without elements.
pub(super) fn empty(build: &mut FuncBuilder, ty: Ty) -> Result<Var, BuildError> {
    build.op_as(&ops::ARRAY, Vec::<Operand>::new(), ty)
}

/// A constant list.
pub(super) fn table<T: Scalar>(build: &mut FuncBuilder, elems: Vec<T>) -> Result<Operand, BuildError> {
    let elems = Value::from(Array::from_vec(elems));
    let ty = elems.ty();
    build.constant(elems, ty)
}

/// Fails with a message if two numbers, or other scalars, differ; what follows is open.
pub(super) fn fail_unless_equal(
    build: &mut FuncBuilder,
    found: Operand,
    expected: Operand,
    message: &str,
) -> Result<(), BuildError> {
    let [fails, holds] = [(); 2].map(|()| build.new_block());
    let differs = build.op(&ops::NE, [found, expected])?;
    build.br_if(differs, Target::from(fails), Target::from(holds))?;
    build.switch_to(fails)?;
    build.fail(message)?;
    build.switch_to(holds)
}

pub(super) fn list_of_rows() -> Ty {
    Ty::array(Ty::array(Ty::f64(), 1), 1)
}

/// Opens a loop over numbers from zero, with a list that grows; its head is open.
pub(super) fn begin_with(build: &mut FuncBuilder, list: Operand) -> Result<Loop, BuildError> {
    let [head, done] = [(); 2].map(|()| build.new_block());
    let ty = build.ty(&list)?;
    let (number, longer) = (build.block_param(head, Ty::usize()), build.block_param(head, ty));
    build.br(head, [0_usize.into(), list])?;
    build.switch_to(head)?;
    Ok(Loop { head, done, number, list: longer })
}

pub(super) fn begin(build: &mut FuncBuilder) -> Result<Loop, BuildError> {
    let none = empty(build, list_of_rows())?;
    begin_with(build, none.into())
}

/// Leaves a loop at a count, otherwise enters its body, which is open.
pub(super) fn step(build: &mut FuncBuilder, of: &Loop, count: &Operand) -> Result<(), BuildError> {
    let body = build.new_block();
    let more = build.op(&ops::LT, [of.number.into(), count.clone()])?;
    build.br_if(more, Target::from(body), Target::from(of.done))?;
    build.switch_to(body)
}

/// A loop up to a count.
pub(super) fn counted(build: &mut FuncBuilder, count: Operand, list: Operand) -> Result<Loop, BuildError> {
    let opened = begin_with(build, list)?;
    step(build, &opened, &count)?;
    Ok(opened)
}

/// A loop over the elements of an array.
pub(super) fn over(build: &mut FuncBuilder, array: &Operand, list: Operand) -> Result<Loop, BuildError> {
    let len = build.op(&ops::LEN, [array.clone()])?;
    counted(build, len.into(), list)
}

/// Goes on with the next number; what follows the loop is open.
pub(super) fn continued(build: &mut FuncBuilder, of: &Loop, list: Operand) -> Result<(), BuildError> {
    let following = build.op(&ops::ADD_WRAPPING, [Operand::from(of.number), 1_usize.into()])?;
    build.br(of.head, [following.into(), list])?;
    build.switch_to(of.done)
}

/// As [`continued`], with a row appended.
pub(super) fn next(build: &mut FuncBuilder, of: &Loop, row: Operand) -> Result<(), BuildError> {
    let longer = build.op(&ops::PUSH, [of.list.into(), row])?;
    continued(build, of, longer.into())
}
