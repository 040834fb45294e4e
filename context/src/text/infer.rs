//! Inference of the types written as `_`: forward, from operands to results, until nothing changes.

use super::build::{FuncBuilder, VarState};
use super::error::ParseErrorKind;
use crate::ir::typing::{TyList, TypeError};
use crate::ir::{BlockBody, Callee, Inst, InstKind, Operand, Ty, TyKind};
use crate::ops::{OpDef, OperandTys};

/// The inferred type of an instruction's result.
enum Follows {
    Ty(Ty),
    /// The type depends on an operand whose type is not known yet.
    NotYetKnown,
    Fault(ParseErrorKind),
}

/// Infers omitted types; reports those that cannot be inferred.
pub(super) fn infer(builder: &mut FuncBuilder<'_, '_>, blocks: &[BlockBody]) {
    let insts = blocks.iter().flat_map(|block| &block.insts);
    let mut pending: Vec<&Inst> = insts.filter(|inst| builder.result(inst).ty.is_none()).collect();
    pending.retain(|inst| builder.result(inst).follows);
    loop {
        let before = pending.len();
        pending.retain(|inst| match builder.follows(inst) {
            Follows::Ty(ty) => {
                builder.vars[inst.result.index()].ty = Some(ty);
                false
            }
            Follows::NotYetKnown => true,
            Follows::Fault(kind) => {
                let at = builder.faults.source.place(inst.span);
                builder.faults.push(at, kind);
                builder.vars[inst.result.index()].follows = false;
                false
            }
        });
        if pending.len() == before {
            break;
        }
    }
    if builder.faults.is_empty() {
        for inst in pending {
            let name = builder.result(inst).name.to_string();
            let at = builder.faults.source.place(inst.span);
            let reason = "it waits for a value whose type waits for it".to_owned();
            builder.faults.push(at, ParseErrorKind::TypeUnknown { name, reason });
        }
    }
}

impl FuncBuilder<'_, '_> {
    fn result(&self, inst: &Inst) -> &VarState {
        &self.vars[inst.result.index()]
    }

    fn follows(&self, inst: &Inst) -> Follows {
        match &inst.kind {
            InstKind::Const(_) => Follows::NotYetKnown,
            InstKind::Op { op, args } => self.op_result(op, args),
            InstKind::Call { callee, .. } | InstKind::Overdub { callee, .. } => {
                self.call_result(inst, callee)
            }
        }
    }

    /// The type of an operand, if it is known.
    fn operand_ty(&self, operand: &Operand) -> Option<Ty> {
        match operand {
            Operand::Var(var) => self.vars[var.index()].ty,
            Operand::Const(constant) => Some(constant.value().ty()),
        }
    }

    fn op_result(&self, op: &OpDef, args: &[Operand]) -> Follows {
        if !op.takes(args.len()) {
            let fault = TypeError::Arity { op: op.name, takes: op.arity, got: args.len() };
            return Follows::Fault(fault.into());
        }
        let tys: Option<Vec<Ty>> = args.iter().map(|arg| self.operand_ty(arg)).collect();
        let Some(tys) = tys else { return Follows::NotYetKnown };
        let consts: Vec<_> = args.iter().map(Operand::constant).collect();
        match (op.ty)(&OperandTys { args: &tys, consts: &consts, declared: None }) {
            Ok(ty) => Follows::Ty(ty),
            Err(fault) => {
                let got = TyList(tys);
                Follows::Fault(TypeError::Operands { op: op.name, takes: fault.takes, got }.into())
            }
        }
    }

    fn call_result(&self, inst: &Inst, callee: &Callee) -> Follows {
        let code = match callee {
            Callee::Func(name) => *name,
            Callee::Value(value) => match self.operand_ty(value).map(Ty::kind) {
                None => return Follows::NotYetKnown,
                Some(TyKind::Fn(func)) => return Follows::Ty(func.ret),
                Some(TyKind::Closure(closure)) => closure.code,
                Some(_) => return self.unknown(inst, "what is called is no function".to_owned()),
            },
        };
        match self.scope.returns.get(&code) {
            Some(&ret) => Follows::Ty(ret),
            None => self.unknown(inst, format!("`@{code}` is not in this text")),
        }
    }

    fn unknown(&self, inst: &Inst, reason: String) -> Follows {
        Follows::Fault(ParseErrorKind::TypeUnknown { name: self.result(inst).name.to_string(), reason })
    }
}
