//! Elementwise operations as loops.

use overdub_context::Symbol;
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

/// Computes an element from those of the operands at one place.
type Element<'e> = dyn FnMut(&mut FuncBuilder, Vec<Operand>) -> Result<Var, BuildError> + 'e;

/// The loop of an operation that calls a closure for each element, for operands of these types; `None` for
/// other operations, or if the function's type does not name its code.
pub(super) fn calling(op: &'static OpDef, args: &[Ty], ret: Ty) -> Result<Option<Func>, BuildError> {
    if ![&ops::ND_MAP, &ops::ND_ZIP_MAP].contains(&op) {
        return Ok(None);
    }
    let Some((closure, arrays)) = args.split_last() else { return Ok(None) };
    if !matches!(closure.kind(), TyKind::Closure(_)) {
        return Ok(None);
    }
    let mut build = FuncBuilder::new(named(op, args), ret);
    let arrays: Vec<Operand> = arrays.iter().map(|ty| build.param("a", *ty).into()).collect();
    let f = build.param("f", *closure);
    same_shape(&mut build, &arrays)?;
    let shape = build.op(&ops::ND_SHAPE, [arrays[0].clone()])?;
    let elem = ret.as_array().map_or(ret, |array| array.elem);
    let mapped =
        each(&mut build, &arrays, (shape.into(), ret), &mut |build, xs| build.call_value(f, xs, elem))?;
    build.ret(mapped)?;
    build.finish().map(Some)
}

/// The loop of a scalar operation applied to each element: arrays are broadcast to their common shape.
pub(super) fn of_each(op: &'static OpDef, args: &[Ty], ret: Ty) -> Result<Func, BuildError> {
    let mut build = FuncBuilder::new(named(op, args), ret);
    let mut operands: Vec<Operand> = args.iter().map(|ty| build.param("a", *ty).into()).collect();
    let (rank, elem) = ret.as_array().map_or((0, ret), |array| (array.rank, array.elem));
    let is_array = |ty: &Ty| ty.as_array().is_some();
    let arrays: Vec<usize> = (0..args.len()).filter(|k| is_array(&args[*k])).collect();
    let shape = common_shape(&mut build, arrays.iter().map(|k| &operands[*k]), rank)?;
    if arrays.len() > 1 {
        for k in arrays {
            let ty = args[k].as_array().map_or(args[k], |array| Ty::array(array.elem, rank));
            operands[k] = build.op_as(&ops::ND_BROADCAST, [operands[k].clone(), shape.clone()], ty)?.into();
        }
    }
    let mapped = each(&mut build, &operands, (shape, ret), &mut |build, xs| build.op_as(op, xs, elem))?;
    build.ret(mapped)?;
    build.finish()
}

fn named(op: &OpDef, args: &[Ty]) -> Symbol {
    let tys = args.iter().map(Ty::to_string).collect::<Vec<_>>().join(", ");
    Symbol::new(&format!("{} of each<{tys}>", op.name))
}

/// Fails if an array has a shape other than the first one's.
fn same_shape(build: &mut FuncBuilder, arrays: &[Operand]) -> Result<(), BuildError> {
    let Some((first, rest)) = arrays.split_first() else { return Ok(()) };
    let rank = rank_of(build, first)?;
    for other in rest {
        let shape = build.op(&ops::ND_SHAPE, [first.clone()])?;
        let its = build.op(&ops::ND_SHAPE, [other.clone()])?;
        for axis in 0..i64::from(rank) {
            let own_len = build.op(&ops::GET, [Operand::from(shape), axis.into()])?;
            let its_len = build.op(&ops::GET, [Operand::from(its), axis.into()])?;
            let same = build.op(&ops::EQ, [own_len, its_len])?;
            let (next, differ) = (build.new_block(), build.new_block());
            build.br_if(same, next.into(), differ.into())?;
            build.switch_to(differ)?;
            build.fail("incompatible shapes")?;
            build.switch_to(next)?;
        }
    }
    Ok(())
}

fn rank_of(build: &FuncBuilder, array: &Operand) -> Result<u32, BuildError> {
    Ok(build.ty(array)?.as_array().map_or(0, |array| array.rank))
}

/// The common shape of arrays aligned at their last axes; an axis of length 1 is extended to the other
/// length.
fn common_shape<'o>(
    build: &mut FuncBuilder,
    arrays: impl Iterator<Item = &'o Operand>,
    rank: u32,
) -> Result<Operand, BuildError> {
    let mut lens: Vec<Option<Operand>> = vec![None; rank as usize];
    let mut shape = Operand::unit();
    for array in arrays {
        shape = build.op(&ops::ND_SHAPE, [array.clone()])?.into();
        let leading = rank - rank_of(build, array)?;
        for axis in leading..rank {
            let len = build.op(&ops::GET, [shape.clone(), i64::from(axis - leading).into()])?;
            let known = lens[axis as usize].take();
            lens[axis as usize] = Some(match known {
                None => len.into(),
                Some(known) => {
                    let is_one = build.op(&ops::EQ, [known.clone(), 1_usize.into()])?;
                    build.op(&ops::SELECT, [is_one.into(), len.into(), known])?.into()
                }
            });
        }
    }
    // Without a length for each axis, the shape is that of the last array.
    match lens.into_iter().collect::<Option<Vec<Operand>>>() {
        Some(lens) => Ok(build.op_as(&ops::ARRAY, lens, Ty::array(Ty::usize(), 1))?.into()),
        None => Ok(shape),
    }
}

/// An array of this shape, whose elements `element` computes from those of arrays of that shape, and from
/// scalars.
fn each(
    build: &mut FuncBuilder,
    operands: &[Operand],
    (shape, ret): (Operand, Ty),
    element: &mut Element<'_>,
) -> Result<Var, BuildError> {
    let vector = Ty::array(ret.as_array().map_or(ret, |array| array.elem), 1);
    let mut vectors = Vec::new();
    let mut count = None;
    for operand in operands {
        let is_array = build.ty(operand)?.as_array().is_some();
        let elems = if is_array { Some(build.op(&ops::ND_ELEMS, [operand.clone()])?) } else { None };
        if let (Some(elems), None) = (elems, count) {
            count = Some(build.op(&ops::LEN, [elems])?);
        }
        vectors.push(elems);
    }
    let count = count.map_or(Operand::from(0_usize), Operand::from);
    let empty = build.op_as(&ops::ARRAY, [] as [Operand; 0], vector)?;
    let (head, body, done) = (build.new_block(), build.new_block(), build.new_block());
    build.br(head, [Operand::from(0_usize), empty.into()])?;
    let (at, found) = (build.block_param(head, Ty::usize()), build.block_param(head, vector));
    build.switch_to(head)?;
    let continues = build.op(&ops::LT, [at.into(), count])?;
    build.br_if(continues, body.into(), done.into())?;
    build.switch_to(body)?;
    let mut xs = Vec::new();
    for (operand, elems) in operands.iter().zip(vectors) {
        xs.push(match elems {
            Some(elems) => build.op(&ops::GET_UNCHECKED, [elems, at])?.into(),
            None => operand.clone(),
        });
    }
    let y = element(build, xs)?;
    let longer = build.op(&ops::PUSH, [found, y])?;
    let next = build.op(&ops::ADD_WRAPPING, [Operand::from(at), 1_usize.into()])?;
    build.br(head, [next, longer])?;
    build.switch_to(done)?;
    build.op_as(&ops::ND_RESHAPE, [Operand::from(found), shape], ret)
}
