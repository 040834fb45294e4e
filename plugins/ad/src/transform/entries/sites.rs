//! The reads whose tangents each scalar of a function has, and the array that it writes.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, TerminatorKind, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use super::decided::Decided;
use crate::Expr;
use crate::activity::{Activity, of_library};
use crate::cotangent::cotangent;
use crate::normalize_cfg::{incoming, target};
use crate::refusal::Cause;
use crate::rules::{Component, Library, Rule, rule};

/// The greatest number of reads that one scalar may depend on: each has a tangent of its own.
const MOST: usize = 64;

/// A read of an input: the instruction's result, or a parameter that is a float.
pub(super) type Site = Var;

/// What flows through a variable that varies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// A scalar with a tangent for each of these reads.
    Float(BTreeSet<Site>),
    /// An input, or a part of it: the parameter, and the indices at which the nested parts begin, to be added
    /// up.
    Input(Var, Vec<Operand>),
    /// The array that is written.
    Output,
}

/// What flows through each variable.
pub(super) struct Sites {
    flows: HashMap<Var, Flow>,
    /// The block, the parameter and the indices of each read.
    pub(super) reads: HashMap<Site, (Block, Var, Vec<Operand>)>,
    /// Elements of the output that are read in order to be added to: the array and the index.
    pub(super) before: HashMap<Var, (Var, Operand)>,
}

fn refuse<T>(reason: &'static str) -> Result<T, Cause> {
    Err(Cause::Entries(reason))
}

impl Sites {
    pub(super) fn of(func: &Func, wrt: &[bool]) -> Result<Sites, Cause> {
        let edges = incoming(func);
        let activity = Activity::of(func, wrt, &edges);
        let mut sites = Sites { flows: HashMap::new(), reads: HashMap::new(), before: HashMap::new() };
        for (param, _) in func.params().iter().zip(wrt).filter(|(_, wrt)| **wrt) {
            let ty = func.ty(*param);
            let flow = match ty {
                ty if ty == Ty::f64() => Flow::Float([*param].into()),
                ty if is_floats(ty) => Flow::Input(*param, Vec::new()),
                _ => return refuse("an argument is neither a float nor an array of floats of one axis"),
            };
            if ty == Ty::f64() {
                sites.reads.insert(*param, (Block::ENTRY, *param, Vec::new()));
            }
            sites.flows.insert(*param, flow);
        }
        let cfg = Cfg::new(func);
        loop {
            let mut changed = false;
            for &block in cfg.reverse_postorder() {
                if block != Block::ENTRY {
                    for (at, param) in func.block(block).params.iter().enumerate() {
                        if activity.is_active(*param) {
                            let args = edges[block.index()].iter().map(|edge| &target(func, *edge).args[at]);
                            changed |= sites.join(func, *param, args)?;
                        }
                    }
                }
                for inst in &func.block(block).insts {
                    activity.check(func, inst).map_err(|cause| cause.at(inst.span))?;
                    if activity.is_active(inst.result) {
                        let flow = sites.inst(func, block, inst).map_err(|cause| cause.at(inst.span))?;
                        changed |= sites.flows.insert(inst.result, flow.clone()) != Some(flow);
                    }
                }
            }
            if !changed {
                break;
            }
        }
        sites.check(func, &cfg, &activity)?;
        Ok(sites)
    }

    /// Whether a variable is a read, or an element of the output that is added to.
    pub(super) fn is_read(&self, var: Var) -> bool {
        self.reads.contains_key(&var) || self.before.contains_key(&var)
    }

    /// The values that an instruction writes to the output.
    pub(super) fn written<'i>(&self, inst: &'i Inst) -> &'i [Operand] {
        match &inst.kind {
            InstKind::Op { op, args } if self.flow(inst.result) == Some(&Flow::Output) => match *op {
                op if [&ops::TUPLE, &ops::WITH_ROOM].contains(&op) => &[],
                op if op == &ops::ARRAY => args,
                _ => &args[args.len() - 1..],
            },
            _ => &[],
        }
    }

    pub(super) fn flow(&self, var: Var) -> Option<&Flow> {
        self.flows.get(&var)
    }

    /// Whether the output is used for more than being written to.
    pub(super) fn reads_output(&self, func: &Func) -> bool {
        let is_output = |var: Var| self.flow(var) == Some(&Flow::Output);
        let insts = func.iter_blocks().flat_map(|(_, body)| &body.insts);
        let mut others = insts.filter(|inst| !is_output(inst.result));
        others.any(|inst| inst.kind.operands().filter_map(Operand::var).any(is_output))
    }

    /// Arrays that are created only to be written to: the output begins as one of them.
    pub(super) fn starts(&self, func: &Func) -> HashSet<Var> {
        let is_output = |var: &Var| self.flow(*var) == Some(&Flow::Output);
        let creating_ops = [&ops::REPEAT, &ops::ARRAY, &ops::WITH_ROOM];
        let insts = || func.iter_blocks().flat_map(|(_, body)| &body.insts);
        let creates_array = |inst: &&Inst| {
            let InstKind::Op { op, .. } = &inst.kind else { return false };
            creating_ops.contains(op) && is_floats(func.ty(inst.result)) && !is_output(&inst.result)
        };
        let mut starts: HashSet<Var> = insts().filter(creates_array).map(|inst| inst.result).collect();
        for inst in insts().filter(|inst| !is_output(&inst.result)) {
            inst.kind.operands().filter_map(Operand::var).for_each(|var| _ = starts.remove(&var));
        }
        for end in func.iter_blocks().filter_map(|(_, body)| body.terminator.as_ref()) {
            if let TerminatorKind::Ret(ret) = &end.kind {
                ret.var().into_iter().for_each(|var| _ = starts.remove(&var));
            }
            for target in end.kind.targets() {
                let passed = func.block(target.block).params.iter().zip(&target.args);
                let others = passed.filter(|(param, _)| !is_output(param));
                others.filter_map(|(_, arg)| arg.var()).for_each(|var| _ = starts.remove(&var));
            }
        }
        starts
    }

    /// Arrays without entries that become outputs: the first element is written to them, or a parameter of a
    /// block that is an output receives them.
    pub(super) fn without_entries(&self, func: &Func) -> HashSet<Var> {
        let is_output = |var: &Var| self.flow(*var) == Some(&Flow::Output);
        let mut found = HashSet::new();
        for (_, body) in func.iter_blocks() {
            for inst in body.insts.iter().filter(|inst| is_output(&inst.result)) {
                if let InstKind::Op { op, args } = &inst.kind
                    && *op != &ops::TUPLE
                    && *op != &ops::ARRAY
                {
                    found.extend(args.first().and_then(Operand::var));
                }
            }
            for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
                let passed = func.block(target.block).params.iter().zip(&target.args);
                found.extend(passed.filter(|(param, _)| is_output(param)).filter_map(|(_, arg)| arg.var()));
            }
        }
        found.retain(|var| !is_output(var));
        found
    }

    /// The reads with respect to which an operand has tangents.
    pub(super) fn floats(&self, operand: &Operand) -> BTreeSet<Site> {
        match operand.var().and_then(|var| self.flow(var)) {
            Some(Flow::Float(sites)) => sites.clone(),
            _ => BTreeSet::new(),
        }
    }

    fn join<'f>(
        &mut self,
        func: &Func,
        param: Var,
        mut args: impl Iterator<Item = &'f Operand>,
    ) -> Result<bool, Cause> {
        let flow = match func.ty(param) {
            ty if ty == Ty::f64() => Flow::Float(args.flat_map(|arg| self.floats(arg)).collect()),
            ty if is_floats(ty) => {
                let is_input =
                    |arg: &Operand| matches!(arg.var().and_then(|var| self.flow(var)), Some(Flow::Input(..)));
                if args.any(is_input) {
                    return refuse("which input is read depends on the way through the function");
                }
                Flow::Output
            }
            ty if matches!(ty.kind(), TyKind::Stack(_)) => {
                return refuse("a loop keeps what it computed for another one");
            }
            _ => return refuse("derivatives flow through structures that branches choose between"),
        };
        Ok(self.flows.insert(param, flow.clone()) != Some(flow))
    }

    fn inst(&mut self, func: &Func, block: Block, inst: &Inst) -> Result<Flow, Cause> {
        let InstKind::Op { op, args } = &inst.kind else {
            return match (&inst.kind, of_library(func, inst)) {
                (InstKind::Call { .. }, Some(_)) if func.ty(inst.result) == Ty::f64() => {
                    self.combined(func, inst)
                }
                _ => refuse("derivatives flow through a call"),
            };
        };
        let first = args.first().and_then(Operand::var);
        let input = first.and_then(|var| self.flow(var)).cloned();
        if *op == &ops::ARRAY && is_floats(func.ty(inst.result)) {
            return Ok(Flow::Output);
        }
        let get = [&ops::GET, &ops::GET_UNCHECKED].contains(op);
        match (input, func.ty(inst.result)) {
            (Some(Flow::Input(param, mut from)), ty) if get && ty == Ty::f64() => {
                from.push(args[1].clone());
                self.reads.insert(inst.result, (block, param, from));
                Ok(Flow::Float([inst.result].into()))
            }
            (Some(Flow::Input(param, mut from)), _) if *op == &ops::SLICE => {
                from.push(args[1].clone());
                Ok(Flow::Input(param, from))
            }
            (Some(Flow::Output), ty) if get && ty == Ty::f64() => {
                let array = first.ok_or(Cause::NoRule(op.name))?;
                self.before.insert(inst.result, (array, args[1].clone()));
                Ok(Flow::Float([inst.result].into()))
            }
            (None | Some(Flow::Output), ty)
                if is_floats(ty)
                    && [&ops::SET, &ops::SET_UNCHECKED, &ops::PUSH, &ops::WITH_ROOM].contains(op) =>
            {
                Ok(Flow::Output)
            }
            (_, ty) if ty == Ty::f64() => match rule(op) {
                Some(Rule::Partials(_)) => self.combined(func, inst),
                _ => refuse("derivatives flow through an operation on more than scalars"),
            },
            _ if *op == &ops::TUPLE => self.returned(func, inst.result, args),
            _ => refuse("derivatives flow through an operation on more than scalars"),
        }
    }

    /// A tuple with one array as the only part that holds floats, and which is returned.
    fn returned(&self, func: &Func, result: Var, args: &[Operand]) -> Result<Flow, Cause> {
        let mut arrays = 0;
        for arg in args {
            let ty = arg.var().map_or(Ty::unit(), |var| func.ty(var));
            let constant = arg.constant().is_some_and(|constant| constant.value().as_f64().is_some());
            arrays += usize::from(is_floats(ty));
            if constant || (cotangent(ty)? != Ty::unit() && !is_floats(ty)) {
                return refuse("it returns more than one array of floats");
            }
        }
        let is_returned = func.iter_blocks().any(|(_, body)| {
            let end = body.terminator.as_ref().map(|end| &end.kind);
            matches!(end, Some(TerminatorKind::Ret(ret)) if ret.var() == Some(result))
        });
        match arrays == 1 && is_returned {
            true => Ok(Flow::Output),
            false => refuse("derivatives flow through a tuple"),
        }
    }

    fn combined(&self, func: &Func, inst: &Inst) -> Result<Flow, Cause> {
        let all: BTreeSet<Site> = parts(func, inst).flat_map(|(arg, _)| self.floats(&arg)).collect();
        if all.len() > MOST { refuse("a number depends on many reads") } else { Ok(Flow::Float(all)) }
    }

    /// Checks LOCALENTRY1 and LOCALENTRY2.
    fn check(&self, func: &Func, cfg: &Cfg, activity: &Activity) -> Result<(), Cause> {
        let dominators = Dominators::new(cfg);
        let loops = LoopNest::new(cfg, &dominators);
        if !loops.irreducible().is_empty() {
            return Err(Cause::Irreducible);
        }
        for (_, natural) in loops.iter() {
            for param in &func.block(natural.header).params {
                let Some(Flow::Float(sites)) = self.flow(*param) else { continue };
                let inside = |site: &Site| {
                    self.block_of(*site).is_none_or(|block| dominators.dominates(natural.header, block))
                };
                if sites.iter().any(inside) {
                    return refuse("a loop carries what it read from one round to the next");
                }
            }
        }
        let decided = Decided::of(func, cfg);
        if self.reads.values().any(|(_, _, from)| from.iter().any(|index| decided.is_value(index))) {
            return refuse("floats decide which element is read");
        }
        for &block in cfg.reverse_postorder() {
            for inst in &func.block(block).insts {
                let Some(Flow::Output) = self.flow(inst.result).filter(|_| activity.is_active(inst.result))
                else {
                    continue;
                };
                let InstKind::Op { op, args } = &inst.kind else { continue };
                if [&ops::TUPLE, &ops::WITH_ROOM].contains(op) {
                    continue;
                }
                let index = if is_indexed(op) { Some(&args[1]) } else { None };
                if decided.is_block(block) || index.is_some_and(|index| decided.is_value(index)) {
                    return refuse("floats decide which element is written")
                        .map_err(|cause: Cause| cause.at(inst.span));
                }
                for site in self.written(inst).iter().flat_map(|value| self.floats(value)) {
                    match self.before.get(&site) {
                        Some((array, at)) => {
                            let same = args[0].var() == Some(*array) && index == Some(at);
                            if !same {
                                return refuse("an element that was written is read for another");
                            }
                        }
                        None if self
                            .block_of(site)
                            .is_some_and(|site_block| dominators.dominates(site_block, block)) => {}
                        None => return refuse("an input is read in a branch"),
                    }
                }
            }
        }
        match func.iter_blocks().any(|(_, body)| {
            let end = body.terminator.as_ref().map(|end| &end.kind);
            let Some(TerminatorKind::Ret(ret)) = end else { return false };
            !matches!(ret.var().and_then(|var| self.flow(var)), Some(Flow::Output))
        }) {
            true => refuse("it does not return an array of floats that it writes element by element"),
            false => Ok(()),
        }
    }

    fn block_of(&self, site: Site) -> Option<Block> {
        self.reads.get(&site).map(|(block, _, _)| *block)
    }
}

/// The operands that the result of an operation on scalars varies with, and the partial derivatives with
/// respect to them.
pub(super) fn parts<'i>(func: &Func, inst: &'i Inst) -> impl Iterator<Item = (Operand, Expr)> + use<'i> {
    let (partials, args) = match &inst.kind {
        InstKind::Op { op, args } => match rule(op) {
            Some(Rule::Partials(partials)) => (Some(partials), &args[..]),
            _ => (None, &args[..]),
        },
        InstKind::Call { args, .. } => {
            let whole = |library: Library| library.components().find(|component| component.field.is_none());
            (of_library(func, inst).and_then(whole).and_then(Component::partials), &args[..])
        }
        _ => (None, &[][..]),
    };
    let partials = partials.map_or(Vec::new(), |partials| partials.of(args.len()));
    args.iter().cloned().zip(partials).filter(|(_, partial)| partial.as_float() != Some(0.0))
}

/// Whether an operation writes the element at its second operand.
fn is_indexed(op: &'static OpDef) -> bool {
    [&ops::SET, &ops::SET_UNCHECKED].contains(&op)
}

/// Whether this is the type of arrays of `f64` with one axis.
pub(super) fn is_floats(ty: Ty) -> bool {
    ty.as_array().is_some_and(|array| array.rank == 1 && array.elem == Ty::f64())
}
