//! The primal: the function to be reversed, with the analyses that reversing it needs.
//!
//! - PRIMAL1 a *view* is an array read out of a whole (an element, a slice, a field). It has no cotangent of
//!   its own: it is accumulated at its place in the cotangent of the whole, so reading `a[i][k]` costs one
//!   addition.
//! - PRIMAL2 the predecessor of a block is recorded only if derivatives depend on it; a loop counts its
//!   iterations.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{Block, Callee, Func, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops;

use super::accumulators::Accumulators;
use super::computed::Computed;
use super::devirtualize::{Devirtualized, Kept};
use super::equal_lengths::equal_lengths;
use super::restored::Restored;
use super::reverse_cfg::ReverseExit;
use crate::activity::{Activity, of_library};
use crate::cotangent::{cotangent, holds_array};
use crate::custom::{self, TypedCall};
use crate::expr::float_constant;
use crate::float_pair::is_float;
use crate::nd::called;
use crate::normalize_cfg::NormalizedCfg;
use crate::refusal::Cause;
use crate::rules::{PathStep, Rule, rule};

/// An active call, and how it is reversed.
#[derive(Clone, Debug)]
pub(super) struct SplitCall {
    /// How it is reversed; a value that it returns is in this variable.
    pub(super) pullback: CallPullback<Var>,
    pub(super) accumulators: Accumulators,
    pub(super) args: Vec<Operand>,
    wrt: Vec<bool>,
}

impl SplitCall {
    /// The arguments for which the reverse sweep returns cotangents.
    pub(super) fn active_args(&self) -> impl Iterator<Item = &Operand> {
        self.numbered_active_args().map(|(_, arg)| arg)
    }

    /// The same, with their numbers.
    pub(super) fn numbered_active_args(&self) -> impl Iterator<Item = (usize, &Operand)> {
        let active = self.args.iter().zip(&self.wrt).enumerate().filter(|(_, (_, wrt))| **wrt);
        active.map(|(at, (arg, _))| (at, arg))
    }
}

/// How a call is reversed, with what is known of the value that it returns for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CallPullback<P> {
    /// It returns a function value from the cotangent of the result to those of the arguments.
    Function(P),
    /// It returns the derivative of the result, a float, with respect to the one active argument, also a float.
    Slope(P),
    /// This function runs it again, from the arguments, what the call returns to be kept, the accumulators and the cotangent of
    /// the result to the cotangents of the arguments.
    Rerun(Symbol, Option<P>),
}

/// A function that is called in place of another one, and the type of what it returns along with the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct AugmentedCall {
    pub(super) func: Symbol,
    pub(super) pullback: Ty,
}

/// The replacement of an active call.
pub(super) struct CallReplacement {
    pub(super) pullback: CallPullback<AugmentedCall>,
    pub(super) accumulators: Accumulators,
    /// The arguments for which its reverse sweep returns cotangents, if they are not those that vary.
    pub(super) wrt: Option<Vec<bool>>,
}

/// A call that derivatives flow through.
pub(super) struct ActiveCall {
    pub(super) call: TypedCall,
    /// Which arguments are active.
    pub(super) wrt: Vec<bool>,
    /// If the call is checkpointed, so that it runs again in the reverse sweep, what is kept for that.
    pub(super) checkpoint: Option<Kept>,
}

/// Decides the replacement of a call.
pub(super) type Callees<'c> = dyn FnMut(&ActiveCall) -> Result<CallReplacement, Cause> + 'c;

/// The function to be reversed, and its analyses.
pub(super) struct Primal {
    pub(super) shape: NormalizedCfg,
    pub(super) wrt: Vec<bool>,
    /// Which cotangents of the parameters the reverse sweep takes as accumulators.
    pub(super) accumulators: Accumulators,
    /// The results of checkpointed calls.
    checkpointed: HashMap<Var, Kept>,
    pub(super) restored: Restored,
    activity: Activity,
    pub(super) reverse_exits: Vec<Option<ReverseExit>>,
    /// The block that defines each variable, and the position in it; parameters come before instruction 0.
    pub(super) defs: Vec<Option<(Block, usize)>>,
    /// The variable that holds the length of each active vector.
    lens: Vec<Option<Var>>,
    pub(super) computed: Computed,
    calls: HashMap<Var, SplitCall>,
    /// The active variables whose cotangents are live at the start of each block.
    pub(super) live_in: Vec<BTreeSet<Var>>,
    /// The active variables whose cotangents are defined when the reverse sweep enters each block.
    pub(super) defined_on_entry: Vec<BTreeSet<Var>>,
}

impl Primal {
    pub(super) fn of(
        devirtualize: Devirtualized,
        wrt: &[bool],
        accumulators: Accumulators,
        callees: &mut Callees<'_>,
    ) -> Result<Primal, Cause> {
        let shape = NormalizedCfg::of(&devirtualize.func)?;
        let activity = Activity::of(&shape.func, wrt, &shape.incoming);
        let reverse_exits = vec![None; shape.func.blocks.len()];
        let mut primal = Primal {
            shape,
            wrt: wrt.to_vec(),
            accumulators,
            checkpointed: devirtualize.checkpointed,
            restored: Restored::default(),
            activity,
            reverse_exits,
            defs: Vec::new(),
            lens: Vec::new(),
            computed: Computed::default(),
            calls: HashMap::new(),
            live_in: Vec::new(),
            defined_on_entry: Vec::new(),
        };
        primal.define();
        primal.restored = Restored::of(primal.func());
        primal.check()?;
        primal.split_calls(callees)?;
        primal.define();
        primal.find_reverse_exits();
        primal.find_lengths();
        primal.define();
        primal.computed = Computed::by(primal.func());
        primal.find_live_cotangents();
        Ok(primal)
    }

    pub(super) fn func(&self) -> &Func {
        &self.shape.func
    }

    /// Whether derivatives flow through a variable.
    pub(super) fn is_active(&self, var: Var) -> bool {
        self.activity.is_active(var)
    }

    /// The type of an active variable's cotangent.
    pub(super) fn dty(&self, var: Var) -> Result<Ty, Cause> {
        cotangent(self.func().ty(var))
    }

    /// The type of an operand.
    pub(super) fn ty(&self, operand: &Operand) -> Ty {
        ty_of(self.func(), operand)
    }

    /// The variable that is the length of a vector.
    pub(super) fn len(&self, var: Var) -> Option<Var> {
        self.lens.get(var.index()).copied().flatten()
    }

    /// The active call that a variable is the result of, if it is one.
    pub(super) fn split(&self, var: Var) -> Option<&SplitCall> {
        self.calls.get(&var)
    }

    /// What the reverse sweep of a checkpointed loop keeps, if the variable is one: four numbers and the initial state. That of
    /// a loop in no other loop has been counted already, where it asked for what is left of the memory.
    pub(super) fn kept_for_loop(&self, pullback: Var) -> Option<Vec<Operand>> {
        let split = self.calls.values().find(|split| split.pullback == CallPullback::Function(pullback))?;
        let Accumulators::Before(first) = split.accumulators else { return None };
        if split.args[1].var().is_none() {
            return Some(Vec::new());
        }
        let state = split.args[first..].iter().cloned();
        Some([0_usize; 4].into_iter().map(Operand::from).chain(state).collect())
    }

    /// Whether a variable has one use, not counting reads of its length.
    pub(super) fn is_read_once(&self, operand: &Operand) -> bool {
        operand.var().is_some_and(|var| self.uses(var) == 1)
    }

    /// The field that was moved out of a variable, if the variable is a remainder.
    pub(super) fn hole(&self, var: Var) -> Option<i64> {
        let index = |operand: &Operand| operand.constant()?.value().as_index();
        let InstKind::Op { op, args } = &self.inst(var)?.kind else { return None };
        let InstKind::Op { op: moved_by, args: place } = &self.inst(args.first()?.var()?)?.kind else {
            return None;
        };
        let is_rest = *op == &ops::FIELD && *moved_by == &ops::TAKE_FIELD && index(&args[1]) == Some(1);
        index(place.get(1)?).filter(|_| is_rest).map(|k| k as i64)
    }

    fn uses(&self, var: Var) -> usize {
        let is_use = |inst: &&Inst| !matches!(&inst.kind, InstKind::Op { op, .. } if *op == &ops::LEN);
        let insts = self.func().blocks.iter().flat_map(|body| &body.insts).filter(is_use);
        let insts = insts.flat_map(|inst| inst.kind.operands());
        let ends =
            self.func().blocks.iter().flat_map(|body| &body.terminator).flat_map(|end| end.kind.operands());
        insts.chain(ends).filter(|operand| operand.var() == Some(var)).count()
    }

    /// The instruction that defines a variable.
    pub(super) fn inst(&self, var: Var) -> Option<&Inst> {
        let (block, at) = self.defs[var.index()]?;
        self.func().block(block).insts.get(at.checked_sub(1)?)
    }

    pub(super) fn block_of(&self, var: Var) -> Block {
        self.defs[var.index()].map_or(Block::ENTRY, |(block, _)| block)
    }

    /// The place of a definition in an order in which each comes after those of its operands.
    pub(super) fn position(&self, var: Var) -> (Option<u32>, usize, Var) {
        let (block, at) = self.defs[var.index()].unwrap_or((Block::ENTRY, 0));
        (self.shape.cfg.position(block), at, var)
    }

    /// The parameters whose cotangents the reverse sweep takes as accumulators.
    pub(super) fn accumulated(&self) -> Vec<Var> {
        let func = self.func();
        let wrt = func.params().iter().zip(&self.wrt).enumerate().filter(|(_, (_, wrt))| **wrt);
        let holds = |at: usize, param: Var| self.dty(param).is_ok_and(|dty| self.accumulators.over(at, dty));
        wrt.map(|(at, (param, _))| (at, *param))
            .filter(|(at, param)| holds(*at, *param))
            .map(|(_, param)| param)
            .collect()
    }

    /// The whole that a view is read from, and the step to it.
    pub(super) fn view(&self, var: Var) -> Option<(Var, PathStep)> {
        let InstKind::Op { op, args } = &self.inst(var)?.kind else { return None };
        let Some(Rule::Moves(moves)) = rule(op) else { return None };
        let (step, composite) = (moves.step()?, args.first()?.var()?);
        if !cotangent(self.func().ty(var)).is_ok_and(holds_array) {
            return None;
        }
        match step(args)? {
            PathStep::Field(_) if self.is_bundle(self.holder(composite)) => None,
            // A part along an axis has a cotangent of its own.
            PathStep::Axis(..) | PathStep::At(_) => None,
            step => Some((composite, step)),
        }
    }

    /// Whether a variable is a tuple of several results of one instruction.
    fn is_bundle(&self, var: Var) -> bool {
        match self.inst(var).map(|inst| &inst.kind) {
            Some(InstKind::Op { op, .. }) => {
                matches!(rule(op), Some(Rule::Moves(moves)) if moves.has_several_results())
            }
            Some(InstKind::Call { .. } | InstKind::Overdub { .. }) => true,
            Some(InstKind::Const(_)) | None => false,
        }
    }

    /// The active variable that holds an operand's cotangent: the operand itself, or the whole that it is a
    /// view of.
    pub(super) fn real(&self, operand: &Operand) -> Option<Var> {
        let mut var = self.holder(operand.var().filter(|var| self.is_active(*var))?);
        while let Some((composite, _)) = self.view(var) {
            var = self.holder(composite);
        }
        Some(var)
    }

    /// Whether an instruction has to be reversed.
    pub(super) fn counts(&self, inst: &Inst) -> bool {
        self.is_active(inst.result) && self.view(inst.result).is_none() && !self.is_held(inst.result)
    }

    fn define(&mut self) {
        let func = &self.shape.func;
        self.defs = vec![None; func.vars.len()];
        self.lens.resize(func.vars.len(), None);
        for (block, body) in func.iter_blocks() {
            for param in &body.params {
                self.defs[param.index()] = Some((block, 0));
            }
            for (at, inst) in body.insts.iter().enumerate() {
                self.defs[inst.result.index()] = Some((block, at + 1));
            }
        }
    }

    fn check(&self) -> Result<(), Cause> {
        let func = self.func();
        for (block, body) in func.iter_blocks() {
            if !self.shape.returns[block.index()] {
                continue;
            }
            for param in body.params.iter().filter(|param| self.is_active(**param)) {
                self.dty(*param).map_err(|cause| cause.at(func.span))?;
            }
            for inst in &body.insts {
                self.activity.check(func, inst).map_err(|cause| cause.at(inst.span))?;
                if self.is_active(inst.result) {
                    self.dty(inst.result).map_err(|cause| cause.at(inst.span))?;
                }
            }
        }
        Ok(())
    }

    /// Makes each active call return its reverse sweep along with its result.
    fn split_calls(&mut self, callees: &mut Callees<'_>) -> Result<(), Cause> {
        for n in 0..self.func().blocks.len() {
            let insts = std::mem::take(&mut self.shape.func.blocks[n].insts);
            let mut split = Vec::with_capacity(insts.len());
            for mut inst in insts {
                let call = match &inst.kind {
                    InstKind::Call { callee, args }
                        if self.is_active(inst.result) && of_library(self.func(), &inst).is_none() =>
                    {
                        Some((callee.clone(), args.clone()))
                    }
                    // The rule of an operation is found by the operation's name.
                    InstKind::Op { op, args } if self.is_active(inst.result) => {
                        let called = called(op, &tys_of(self.func(), args));
                        called.map(|name| (Callee::Func(name), args.clone()))
                    }
                    InstKind::Call { callee: Callee::Func(name), args } => {
                        if let Some(kind) = valued(self.func(), *name, args, inst.result) {
                            inst.kind = kind;
                        }
                        None
                    }
                    _ => None,
                };
                match call {
                    Some((callee, args)) => {
                        let span = inst.span;
                        self.split_call(inst, &callee, args, callees, &mut split).map_err(|c| c.at(span))?;
                    }
                    None => split.push(inst),
                }
            }
            self.shape.func.blocks[n].insts = split;
        }
        Ok(())
    }

    fn split_call(
        &mut self,
        inst: Inst,
        callee: &Callee,
        args: Vec<Operand>,
        callees: &mut Callees<'_>,
        insts: &mut Vec<Inst>,
    ) -> Result<(), Cause> {
        let Callee::Func(name) = callee else { return Err(Cause::Call) };
        let wrt: Vec<bool> = args.iter().map(|arg| self.activity.varies(arg)).collect();
        let call = call_of(self.func(), *name, &args, inst.result);
        let checkpoint = self.checkpointed.get(&inst.result).cloned();
        let flows = ActiveCall { call, wrt, checkpoint };
        let CallReplacement { pullback, accumulators, wrt } = callees(&flows)?;
        let wrt = wrt.unwrap_or(flows.wrt);
        let result = inst.result;
        let pullback = match pullback {
            CallPullback::Function(augmented) => {
                CallPullback::Function(self.augment(&inst, augmented, args.clone(), insts))
            }
            CallPullback::Slope(augmented) => {
                let one = float_constant(1.0, augmented.pullback);
                let args = args.iter().cloned().chain([one]).collect();
                CallPullback::Slope(self.augment(&inst, augmented, args, insts))
            }
            CallPullback::Rerun(func, Some(keeping)) => {
                CallPullback::Rerun(func, Some(self.augment(&inst, keeping, args.clone(), insts)))
            }
            CallPullback::Rerun(func, None) => {
                insts.push(inst);
                CallPullback::Rerun(func, None)
            }
        };
        self.calls.insert(result, SplitCall { pullback, accumulators, args, wrt });
        Ok(())
    }

    /// Replaces a call by one that also returns a value for its reversal; returns the variable of that value.
    fn augment(
        &mut self,
        inst: &Inst,
        AugmentedCall { func: name, pullback: ty }: AugmentedCall,
        args: Vec<Operand>,
        insts: &mut Vec<Inst>,
    ) -> Var {
        let span = inst.span;
        let func = &mut self.shape.func;
        let (both, pullback) = (func.new_var(Ty::tuple([func.ty(inst.result), ty])), func.new_var(ty));
        let field = |k: i64| InstKind::Op { op: &ops::FIELD, args: vec![both.into(), k.into()] };
        insts.push(Inst { result: both, kind: InstKind::Call { callee: Callee::Func(name), args }, span });
        insts.push(Inst { result: pullback, kind: field(1), span });
        insts.push(Inst { result: inst.result, kind: field(0), span });
        pullback
    }

    /// Gives each active vector a variable with its length, which is read at the definition of the vector's
    /// representative of equal length.
    fn find_lengths(&mut self) {
        let found = equal_lengths(self.func(), &self.shape.incoming);
        let count = self.func().vars.len();
        let same = |var: Var| found.get(var.index()).copied().flatten().unwrap_or(var);
        let measured: Vec<Var> =
            (0..count).map(|at| Var(at as u32)).filter(|var| self.has_length(*var)).collect();
        let wrt: BTreeSet<Var> = measured.iter().map(|var| same(*var)).collect();
        for n in 0..self.func().blocks.len() {
            let body = &self.func().blocks[n];
            let (params, insts, span) = (body.params.clone(), body.insts.clone(), self.func().span);
            let mut out = Vec::with_capacity(insts.len());
            for param in params.into_iter().filter(|param| wrt.contains(param)) {
                self.find_length(param, span, &mut out);
            }
            for inst in insts {
                let (result, span) = (inst.result, inst.span);
                out.push(inst);
                if wrt.contains(&result) {
                    self.find_length(result, span, &mut out);
                }
            }
            self.shape.func.blocks[n].insts = out;
        }
        for var in measured {
            self.lens[var.index()] = self.len(same(var));
        }
    }

    /// Whether the reverse sweep needs a variable's length.
    fn has_length(&self, var: Var) -> bool {
        let counts = match self.func().ty(var).kind() {
            TyKind::Array(array) => is_float(array.elem),
            TyKind::Stack(_) => true,
            _ => false,
        };
        counts && self.is_active(var) && self.view(var).is_none() && !self.is_held(var)
    }

    fn find_length(&mut self, var: Var, span: overdub_context::Span, insts: &mut Vec<Inst>) {
        let (op, ty) = match self.func().ty(var).kind() {
            TyKind::Stack(_) => (&ops::STACK_LEN, Ty::usize()),
            TyKind::Array(array) if array.rank > 1 => (&ops::ND_SHAPE, Ty::array(Ty::usize(), 1)),
            _ => (&ops::LEN, Ty::usize()),
        };
        let len = self.shape.func.new_var(ty);
        let kind = InstKind::Op { op, args: vec![var.into()] };
        insts.push(Inst { result: len, kind, span });
        self.lens[var.index()] = Some(len);
    }
}

/// A call in the form in which custom rules are looked up.
pub(crate) fn call_of(func: &Func, name: Symbol, args: &[Operand], result: Var) -> TypedCall {
    TypedCall { func: name, params: tys_of(func, args), ret: func.ty(result) }
}

/// The types of operands.
pub(crate) fn tys_of(func: &Func, args: &[Operand]) -> Vec<Ty> {
    args.iter().map(|arg| ty_of(func, arg)).collect()
}

/// The type of an operand; unit for a constant that is not a scalar.
pub(crate) fn ty_of(func: &Func, operand: &Operand) -> Ty {
    match operand {
        Operand::Var(var) => func.ty(*var),
        Operand::Const(constant) => constant.scalar_ty().unwrap_or(Ty::unit()),
    }
}

/// The replacement of an inactive call whose custom rule defines the value.
pub(crate) fn valued(func: &Func, name: Symbol, args: &[Operand], result: Var) -> Option<InstKind> {
    let number = call_of(func, name, args, result).value()?;
    let args = [Operand::from(number)].into_iter().chain(args.iter().cloned()).collect();
    Some(InstKind::Op { op: &custom::RULE, args })
}
