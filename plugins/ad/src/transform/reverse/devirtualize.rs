//! Devirtualisation: calls of closures whose type names their code become direct calls.

use std::convert::Infallible;

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{Callee, ClosureTy, Const, Func, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::annotations::{CHECKPOINT_SAVING, is_annotation};
use crate::custom::{CustomRule, TypedCall};

/// A function with direct calls.
#[derive(Clone)]
pub(crate) struct Devirtualized {
    pub(crate) func: Func,
    /// The results of checkpointed calls, with what is to be kept of each.
    pub(crate) checkpointed: HashMap<Var, Kept>,
}

/// What a checkpoint keeps for its second run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    /// Its arguments alone.
    Args,
    /// The values with these names, too; sorted, each once.
    Named(Vec<String>),
    /// The values with names that the code does not tell.
    Unknown,
}

/// The function with `call @code(captures of %f, x)` for each `call %f(x)` in which the type of `%f` names
/// its code; `checkpoint(%f, x)` and `checkpoint_saving(%f, x, names)` become such calls too.
pub(crate) fn devirtualize(func: &Func) -> Devirtualized {
    let (captures, constants) = (captures(func), constants(func));
    let mut devirtualizer = Devirtualizer { checkpointed: HashMap::new(), captures, constants };
    let mut func = func.clone();
    let Ok(()) = func.rewrite_insts(|func, inst, out| {
        devirtualizer.inst(func, inst, out);
        Ok::<(), Infallible>(())
    });
    Devirtualized { func, checkpointed: devirtualizer.checkpointed }
}

struct Devirtualizer {
    checkpointed: HashMap<Var, Kept>,
    /// The captures of the closures that the function creates.
    captures: HashMap<Var, Vec<Operand>>,
    constants: HashMap<Var, Const>,
}

/// The variables that are constants.
pub(super) fn constants(func: &Func) -> HashMap<Var, Const> {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    let constants = insts.filter_map(|inst| match &inst.kind {
        InstKind::Const(constant) => Some((inst.result, constant.clone())),
        _ => None,
    });
    constants.collect()
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
                let mut args = args;
                if let Callee::Func(name) = callee {
                    let mut kept = Kept::Args;
                    if is_annotation(*name, CHECKPOINT_SAVING)
                        && let Some((names, rest)) = args.split_last()
                    {
                        (kept, args) = (self.kept(names), rest);
                    }
                    self.checkpointed.insert(inst.result, kept);
                }
                let mut all = self.captured(func, value, closure, &inst, out);
                all.extend_from_slice(args);
                inst.kind = InstKind::Call { callee: Callee::Func(closure.code), args: all };
            }
        }
        out.push(inst);
    }

    /// What is kept by these names.
    fn kept(&self, names: &Operand) -> Kept {
        let constant = match names {
            Operand::Const(constant) => Some(constant),
            Operand::Var(var) => self.constants.get(var),
        };
        let Some(Value::Array(names)) = constant.map(Const::value) else { return Kept::Unknown };
        let names = names.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
        let Some(mut names) = names else { return Kept::Unknown };
        names.sort_unstable();
        names.dedup();
        if names.is_empty() { Kept::Args } else { Kept::Named(names) }
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

/// The closure and the further arguments of a `checkpoint` or `checkpoint_saving`.
fn checkpointed<'i>(
    caller: &Func,
    func: Symbol,
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
