//! Devirtualisation: calls of closures whose type names their code become direct calls.

use std::convert::Infallible;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Callee, ClosureTy, Func, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops;

use crate::custom::{CustomRule, TypedCall};

/// A function with direct calls.
#[derive(Clone)]
pub(crate) struct Devirtualized {
    pub(crate) func: Func,
    /// The results of checkpointed calls.
    pub(crate) checkpointed: HashSet<Var>,
}

/// The function with `call @code(captures of %f, x)` for each `call %f(x)` in which the type of `%f` names
/// its code; `checkpoint(%f, x)` becomes such a call too.
pub(crate) fn devirtualize(func: &Func) -> Devirtualized {
    let mut devirtualizer = Devirtualizer { checkpointed: HashSet::new(), captures: captures(func) };
    let mut func = func.clone();
    let Ok(()) = func.rewrite_insts(|func, inst, out| {
        devirtualizer.inst(func, inst, out);
        Ok::<(), Infallible>(())
    });
    Devirtualized { func, checkpointed: devirtualizer.checkpointed }
}

struct Devirtualizer {
    checkpointed: HashSet<Var>,
    /// The captures of the closures that the function creates.
    captures: HashMap<Var, Vec<Operand>>,
}

fn captures(func: &Func) -> HashMap<Var, Vec<Operand>> {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    let closures = insts.filter_map(|inst| match &inst.kind {
        InstKind::Op { op, args } if *op == &ops::CLOSURE => Some((inst.result, args.clone())),
        _ => None,
    });
    closures.collect()
}

impl Devirtualizer {
    fn inst(&mut self, func: &mut Func, mut inst: Inst, out: &mut Vec<Inst>) {
        if let InstKind::Call { callee, args } = &inst.kind {
            let called = match callee {
                Callee::Value(Operand::Var(value)) => Some((*value, args.as_slice())),
                Callee::Value(_) => None,
                Callee::Func(name) => checkpointed(func, *name, args, func.ty(inst.result)),
            };
            if let Some((value, args)) = called
                && let TyKind::Closure(closure) = func.ty(value).kind()
            {
                if matches!(callee, Callee::Func(_)) {
                    self.checkpointed.insert(inst.result);
                }
                let mut all = self.captured(func, value, closure, &inst, out);
                all.extend_from_slice(args);
                inst.kind = InstKind::Call { callee: Callee::Func(closure.code), args: all };
            }
        }
        out.push(inst);
    }

    fn captured(
        &self,
        func: &mut Func,
        value: Var,
        closure: &ClosureTy,
        inst: &Inst,
        out: &mut Vec<Inst>,
    ) -> Vec<Operand> {
        if let Some(captures) = self.captures.get(&value) {
            return captures.clone();
        }
        let mut all = Vec::new();
        for (k, ty) in (0_i64..).zip(&closure.captures) {
            let args = vec![value.into(), k.into()];
            all.push(func.push_op(out, &ops::CAPTURED, args, *ty, inst.span).into());
        }
        all
    }
}

/// The closure and the argument of a `checkpoint`.
fn checkpointed<'i>(
    caller: &Func,
    func: overdub_context::Symbol,
    args: &'i [Operand],
    ret: Ty,
) -> Option<(Var, &'i [Operand])> {
    let (Operand::Var(closure), rest) = args.split_first()? else { return None };
    let params = [caller.ty(*closure)].into_iter().chain(rest.iter().map(|arg| match arg {
        Operand::Var(var) => caller.ty(*var),
        Operand::Const(constant) => constant.scalar_ty().unwrap_or(Ty::unit()),
    }));
    let call = TypedCall { func, params: params.collect(), ret };
    matches!(call.custom_rule(), Some(CustomRule::Checkpointed)).then_some((*closure, rest))
}
