//! Activity analysis: a variable is active if it varies with an active argument and the result depends on it.

use overdub_context::ir::{Block, Callee, Func, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops;

use crate::annotations::{STOP, STOP_GRADIENT, is_annotation};
use crate::cotangent::{cotangent, hides};
use crate::custom::formula_for;
use crate::normalize_cfg::Edge;
use crate::refusal::Cause;
use crate::rules::{Library, Rule, rule};
use crate::text_provenance::PARSED;

/// Which variables are varied, and which are useful.
pub(crate) struct Activity {
    varied: Vec<bool>,
    useful: Vec<bool>,
}

impl Activity {
    /// The activity of a function's variables with respect to the parameters selected by `wrt`.
    pub(crate) fn of(func: &Func, wrt: &[bool], incoming: &[Vec<Edge>]) -> Activity {
        let mut activity =
            Activity { varied: vec![false; func.vars.len()], useful: vec![false; func.vars.len()] };
        for (param, wrt) in func.params().iter().zip(wrt) {
            activity.varied[param.index()] = *wrt;
        }
        while activity.spread(func, incoming) {}
        activity.gather(func);
        activity
    }

    /// Whether derivatives flow through a variable.
    pub(crate) fn is_active(&self, var: Var) -> bool {
        let of = |all: &[bool]| all.get(var.index()).copied().unwrap_or(false);
        of(&self.varied) && of(&self.useful)
    }

    /// Only the variables that the result of a function depends on: no variable is marked as varied.
    pub(crate) fn returned(func: &Func) -> Activity {
        let mut activity =
            Activity { varied: vec![false; func.vars.len()], useful: vec![false; func.vars.len()] };
        activity.gather(func);
        activity
    }

    /// Whether the result depends on a variable through operations that have derivatives.
    pub(crate) fn is_useful(&self, var: Var) -> bool {
        self.useful.get(var.index()).copied().unwrap_or(false)
    }

    /// Whether an operand varies.
    pub(crate) fn varies(&self, operand: &Operand) -> bool {
        let varied = |var: Var| self.varied.get(var.index()).copied().unwrap_or(false);
        operand.var().is_some_and(varied)
    }

    /// One forward pass that propagates `varied`. Returns whether anything changed.
    fn spread(&mut self, func: &Func, incoming: &[Vec<Edge>]) -> bool {
        let mut found = false;
        for (block, body) in func.iter_blocks() {
            if block != Block::ENTRY {
                for (k, param) in body.params.iter().enumerate() {
                    let varies = carries(func.ty(*param))
                        && incoming[block.index()]
                            .iter()
                            .any(|slot| self.varies(&crate::normalize_cfg::target(func, *slot).args[k]));
                    found |= varies && !std::mem::replace(&mut self.varied[param.index()], true);
                }
            }
            for inst in &body.insts {
                let varies = carries(func.ty(inst.result))
                    && !is_constant(func, inst)
                    && inst.kind.operands().any(|operand| self.varies(operand));
                found |= varies && !std::mem::replace(&mut self.varied[inst.result.index()], true);
            }
        }
        found
    }

    /// Propagates `useful` backwards from the returned values.
    fn gather(&mut self, func: &Func) {
        let mut uses: Vec<Vec<Var>> = vec![Vec::new(); func.vars.len()];
        let mut pending = Vec::new();
        for (_, body) in func.iter_blocks() {
            for inst in body.insts.iter().filter(|inst| !is_constant(func, inst)) {
                uses[inst.result.index()].extend(inst.kind.operands().filter_map(Operand::var));
            }
            let Some(end) = &body.terminator else { continue };
            for target in end.kind.targets() {
                for (param, arg) in func.block(target.block).params.iter().zip(&target.args) {
                    uses[param.index()].extend(arg.var());
                }
            }
            if let overdub_context::ir::TerminatorKind::Ret(result) = &end.kind {
                pending.extend(result.var());
            }
        }
        while let Some(var) = pending.pop() {
            if carries(func.ty(var)) && !std::mem::replace(&mut self.useful[var.index()], true) {
                pending.extend(&uses[var.index()]);
            }
        }
    }

    /// Refuses an instruction through which a varied value flows to where derivatives cannot follow.
    pub(crate) fn check(&self, func: &Func, inst: &Inst) -> Result<(), Cause> {
        // The bits may be those of a varied float, wherever they come from.
        if matches!(&inst.kind, InstKind::Op { op, .. } if *op == &ops::FROM_BITS) {
            return Err(Cause::Hidden(ops::FROM_BITS.name));
        }
        // The same holds for the digits of a text.
        if let InstKind::Op { op, args } = &inst.kind
            && [&ops::STR_PARSE_FLOAT, &PARSED].contains(op)
            && args[0].var().is_some()
            && self.is_useful(inst.result)
        {
            return Err(Cause::Hidden(ops::STR_PARSE_FLOAT.name));
        }
        let stops = match &inst.kind {
            InstKind::Op { op, .. } => *op == &STOP,
            kind => matches!(kind, InstKind::Call { .. }),
        };
        let is_stopped = stops && is_constant(func, inst);
        if is_stopped || !inst.kind.operands().any(|operand| self.varies(operand)) {
            return Ok(());
        }
        match &inst.kind {
            InstKind::Op { op, .. } if *op == &ops::TO_BITS => Err(Cause::Hidden(op.name)),
            // Which cell a reference names, and which code a function value runs, is known only at run time. Keeping a
            // cotangent beside each cell would be a tape; the tape takes these functions.
            InstKind::Op { op, .. } if [&ops::CELL, &ops::REF_SET, &ops::ERASE].contains(op) => {
                Err(Cause::Hidden(op.name))
            }
            InstKind::Op { op, .. } => match rule(op) {
                Some(Rule::Refuse(reason)) => Err(Cause::Refused(op.name, reason)),
                Some(_) => Ok(()),
                None if carries(func.ty(inst.result)) => Err(Cause::NoRule(op.name)),
                None => Ok(()),
            },
            InstKind::Call { .. } | InstKind::Overdub { .. } => {
                let ret = func.ty(inst.result);
                let bits = !carries(ret) && ret != Ty::unit() && ret != Ty::bool();
                let seen = |operand: &Operand| operand.var().is_none_or(|var| !hides(func.ty(var)));
                if !bits && inst.kind.operands().all(seen) { Ok(()) } else { Err(Cause::Hidden("call")) }
            }
            InstKind::Const(_) => Ok(()),
        }
    }
}

/// Whether values of a type can carry derivatives, even if the type of their cotangents is unknown.
fn carries(ty: Ty) -> bool {
    cotangent(ty).map_or(true, |dty| dty != Ty::unit())
}

/// Whether the result of an instruction is a constant for derivatives.
fn is_constant(func: &Func, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Const(_) => true,
        InstKind::Op { op, .. } => *op == &STOP || matches!(rule(op), Some(Rule::Zero)),
        InstKind::Call { callee: Callee::Func(name), .. } if is_annotation(*name, STOP_GRADIENT) => true,
        InstKind::Call { .. } => of_library(func, inst).is_some_and(Library::is_constant),
        InstKind::Overdub { .. } => false,
    }
}

/// The library function that an instruction calls, if its value is not compared with a reference.
pub(crate) fn of_library(func: &Func, inst: &Inst) -> Option<Library> {
    let InstKind::Call { callee: Callee::Func(name), args } = &inst.kind else { return None };
    let ret = func.ty(inst.result);
    let ty = |arg: &Operand| match arg {
        Operand::Var(var) => func.ty(*var),
        Operand::Const(constant) => constant.scalar_ty().unwrap_or(Ty::unit()),
    };
    let found = formula_for(*name, &args.iter().map(ty).collect::<Vec<_>>(), ret)?;
    Some(found).filter(|library| !library.is_compared)
}
