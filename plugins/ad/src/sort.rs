//! Sorting: a constant permutation, and elements gathered by it.

use std::convert::Infallible;

use overdub_context::ir::{Func, InstKind, Ty};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, OperandTys};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

/// Scatters the elements of a vector by a permutation: the inverse of `gather`.
pub static SCATTER: OpDef = OpDef {
    name: "ad.scatter",
    arity: Arity::Exactly(2),
    ty: |tys: &OperandTys<'_>| (ops::GATHER.ty)(tys),
    effects: Effects::FAILS,
    eval: scatter,
    doc: "The elements of a vector at the positions given by an order: the inverse of `gather`.",
};

fn scatter<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let no_order = || Failure::new(FailureKind::Type, "an order is each index of a vector once");
    let [Value::Array(elems), Value::Array(order)] = &*args else { return Err(no_order()) };
    if elems.len() != order.len() {
        return Err(no_order());
    }
    let mut places = vec![usize::MAX; order.len()];
    for (at, place) in order.iter().enumerate() {
        let place = place.as_index().and_then(|place| places.get_mut(place)).ok_or_else(no_order)?;
        if std::mem::replace(place, at) != usize::MAX {
            return Err(no_order());
        }
    }
    Ok(Value::from(elems.gather(places)))
}

/// Rewrites `sort_by xs, f` to `gather xs, (sort_order xs, f)`.
pub(crate) fn ordered(func: &Func) -> Func {
    let mut func = func.clone();
    let Ok(()) = func.rewrite_insts(|func, mut inst, out| {
        if let InstKind::Op { op, args } = &mut inst.kind
            && *op == &ops::SORT_BY
        {
            let ty = Ty::array(Ty::usize(), 1);
            let order = func.push_op(out, &ops::SORT_ORDER, args.clone(), ty, inst.span);
            (*op, *args) = (&ops::GATHER, vec![args[0].clone(), order.into()]);
        }
        out.push(inst);
        Ok::<(), Infallible>(())
    });
    func
}
