//! Sorting: a constant permutation, and elements gathered by it.

use overdub_context::ir::{Func, Inst, InstKind, Operand, Ty, Var, VarDef};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, OperandTys};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

/// Scatters the elements of a vector by a permutation: the inverse of `gather`.
pub(crate) static SCATTER: OpDef = OpDef {
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
    for n in 0..func.blocks.len() {
        let is_sort = |inst: &Inst| matches!(&inst.kind, InstKind::Op { op, .. } if *op == &ops::SORT_BY);
        if !func.blocks[n].insts.iter().any(is_sort) {
            continue;
        }
        let insts = std::mem::take(&mut func.blocks[n].insts);
        let mut out = Vec::with_capacity(insts.len() + 1);
        for mut inst in insts {
            if is_sort(&inst)
                && let InstKind::Op { args, .. } = &mut inst.kind
            {
                let order = Var(func.vars.len() as u32);
                func.vars.push(VarDef { ty: Ty::array(Ty::usize(), 1), name: None });
                let by = std::mem::replace(args, vec![args[0].clone(), Operand::from(order)]);
                let kind = InstKind::Op { op: &ops::SORT_ORDER, args: by };
                out.push(Inst { result: order, kind, span: inst.span });
                inst.kind = InstKind::Op { op: &ops::GATHER, args: args.clone() };
            }
            out.push(inst);
        }
        func.blocks[n].insts = out;
    }
    func
}
