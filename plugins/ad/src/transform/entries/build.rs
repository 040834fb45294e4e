//! Builds the function that computes the entries: the primal, and the tangents of each scalar.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{
    Block, Func, FuncBuilder, Inst, InstKind, IntTy, Operand, Target, TerminatorKind, Ty, Var,
};
use overdub_context::ops;
use smallvec::SmallVec;

use super::Writing;
use super::context::Order;
use super::elimination::Elimination;
use super::sites::{Flow, Site, Sites, parts};
use crate::Expr;
use crate::expr::is_finite_nonzero;
use crate::refusal::Cause;

/// The entries up to some point: rows and columns; or values and the position, and with few operations the
/// sum of zeros.
pub(super) type State = SmallVec<[Operand; 3]>;

/// The tangents of a scalar that may be other than zero.
pub(super) type Tangents = BTreeMap<Site, Operand>;

/// Whether the function reports that an entry may not be finite.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// It reports by a sum of zeros.
    Summed,
    /// It need not: in no product can a zero meet an infinity.
    Needless,
}

pub(super) struct Builder<'i> {
    func: &'i Func,
    wrt: &'i [bool],
    pub(super) sites: &'i Sites,
    elimination: &'i Elimination,
    pub(super) writing: Writing,
    order: Order,
    check: Check,
    /// Whether a product may have multiplied a zero by an infinity.
    loses_zeros: bool,
    pub(super) build: FuncBuilder,
    vars: Vec<Option<Operand>>,
    tangents: HashMap<Var, Tangents>,
    /// The tangents of numbers that are eliminated backwards.
    deferred: HashMap<Var, (Block, Tangents)>,
    pub(super) states: HashMap<Var, State>,
    /// The states of arrays without entries. They are created once, where the array is: a use may be in a
    /// loop.
    pub(super) initial_states: HashMap<Var, State>,
    pub(super) without_entries: HashSet<Var>,
    blocks: Vec<Block>,
    /// The number of the first column of each parameter.
    pub(super) columns: HashMap<Var, Operand>,
    /// The slots of all entries, and the number of slots.
    pub(super) slots: Option<[Operand; 2]>,
    /// Whether the array that the function writes is built, too. It is not returned, but its elements may be
    /// read.
    builds_output: bool,
    /// The arrays that the output may begin as.
    starts: HashSet<Var>,
}

impl<'i> Builder<'i> {
    fn new(
        func: &'i Func,
        wrt: &'i [bool],
        (sites, elimination): (&'i Sites, &'i Elimination),
        (writing, order): (Writing, Order),
    ) -> Builder<'i> {
        let values = Ty::array(Ty::f64(), 1);
        let ret = match (writing, order) {
            (Writing::Places, _) => Ty::tuple([places(), places()]),
            (Writing::Set | Writing::Add, Order::Forwards) => values,
            (Writing::Set | Writing::Add, Order::Cheapest) => Ty::tuple([values, Ty::f64()]),
        };
        Builder {
            func,
            wrt,
            sites,
            elimination,
            writing,
            order,
            check: if order == Order::Cheapest { Check::Summed } else { Check::Needless },
            loses_zeros: false,
            build: FuncBuilder::new(func.name, ret),
            vars: vec![None; func.vars.len()],
            tangents: HashMap::new(),
            deferred: HashMap::new(),
            states: HashMap::new(),
            initial_states: HashMap::new(),
            without_entries: sites.without_entries(func),
            blocks: vec![Block::ENTRY; func.blocks.len()],
            columns: HashMap::new(),
            slots: None,
            builds_output: writing == Writing::Places || sites.reads_output(func),
            starts: sites.starts(func),
        }
    }

    /// Builds the function; without a check if there is nothing to check.
    pub(super) fn all(
        func: &'i Func,
        wrt: &'i [bool],
        of: (&'i Sites, &'i Elimination),
        how: (Writing, Order),
        name: Symbol,
    ) -> Result<Func, Cause> {
        let (built, loses_zeros) = Builder::new(func, wrt, of, how).built(name)?;
        if loses_zeros {
            return Ok(built);
        }
        let unchecked = Builder { check: Check::Needless, ..Builder::new(func, wrt, of, how) };
        Ok(unchecked.built(name)?.0)
    }

    fn built(mut self, name: Symbol) -> Result<(Func, bool), Cause> {
        let func = self.func;
        self.build.set_name(name);
        self.build.set_func_span(func.span);
        for param in func.params() {
            let new = self.build.param(&func.var_label(*param).to_string(), func.ty(*param));
            self.vars[param.index()] = Some(new.into());
        }
        if self.writing != Writing::Places {
            let slots = self.build.param("slots", Ty::array(Ty::int(IntTy::U32), 1));
            let count = self.build.param("count", Ty::usize());
            self.slots = Some([slots.into(), count.into()]);
        }
        let cfg = Cfg::new(func);
        for &block in cfg.reverse_postorder().iter().filter(|block| **block != Block::ENTRY) {
            self.declare(block);
        }
        self.number_columns()?;
        for &block in cfg.reverse_postorder() {
            self.block(block)?;
        }
        Ok((self.build.finish()?, self.loses_zeros))
    }

    /// Numbers the columns of the parameters, one parameter after another; parameters that are floats count
    /// as reads.
    fn number_columns(&mut self) -> Result<(), Cause> {
        let mut column = Operand::from(0_usize);
        for (param, _) in self.func.params().iter().zip(self.wrt).filter(|(_, wrt)| **wrt) {
            self.columns.insert(*param, column.clone());
            let count = match self.func.ty(*param) {
                ty if ty == Ty::f64() => {
                    self.tangents.insert(*param, [(*param, Operand::from(1.0))].into());
                    Operand::from(1_usize)
                }
                _ if self.writing != Writing::Places => continue,
                _ => self.build.op(&ops::LEN, [self.mapped(&(*param).into())])?.into(),
            };
            if self.writing == Writing::Places {
                column = self.build.op(&ops::ADD, [column, count])?.into();
            }
        }
        Ok(())
    }

    fn declare(&mut self, block: Block) {
        let new = self.build.new_block();
        self.blocks[block.index()] = new;
        for param in &self.func.block(block).params {
            self.vars[param.index()] = Some(match self.is_built(*param) {
                true => self.build.block_param(new, self.func.ty(*param)).into(),
                false => Operand::unit(),
            });
        }
        for param in &self.func.block(block).params {
            match self.sites.flow(*param) {
                Some(Flow::Float(_)) => {
                    let mut lane = |site: &Site| (*site, self.build.block_param(new, Ty::f64()).into());
                    let tangents = self.elimination.lanes(*param).iter().map(&mut lane).collect();
                    self.store_tangents(block, *param, tangents);
                }
                Some(Flow::Output) => {
                    let tys = self.state_tys().into_iter();
                    let state = tys.map(|ty| self.build.block_param(new, ty).into()).collect();
                    self.states.insert(*param, state);
                }
                _ => {}
            }
        }
    }

    /// Whether the function reports that an entry may not be finite.
    pub(super) fn checks(&self) -> bool {
        self.check == Check::Summed && self.writing != Writing::Places
    }

    /// Keeps the tangents of a number of this block. A number eliminated backwards has the tangent 1 with
    /// respect to itself.
    fn store_tangents(&mut self, block: Block, var: Var, tangents: Tangents) {
        let tangents_now = match self.elimination.deferred(var) {
            Some(_) => {
                self.deferred.insert(var, (block, tangents));
                [(var, Operand::from(1.0))].into()
            }
            None => tangents,
        };
        self.tangents.insert(var, tangents_now);
    }

    fn block(&mut self, block: Block) -> Result<(), Cause> {
        let func = self.func;
        if block != Block::ENTRY {
            self.build.switch_to(self.blocks[block.index()])?;
        }
        for param in &func.block(block).params {
            self.create_initial_state(*param)?;
        }
        for inst in &func.block(block).insts {
            self.build.set_span(inst.span);
            self.inst(block, inst).map_err(|cause| cause.at(inst.span))?;
        }
        let end = func.block(block).terminator.as_ref().expect("V3: a verified block ends in a terminator");
        self.build.set_span(end.span);
        if let TerminatorKind::Ret(result) = &end.kind {
            let mut state = self.state_of(result)?;
            if self.writing != Writing::Places {
                state.remove(1);
                if self.order == Order::Cheapest && self.check == Check::Needless {
                    state.push(0.0.into());
                }
            }
            let all = match &state[..] {
                [values] => values.clone(),
                all => self.build.op(&ops::TUPLE, all.to_vec())?.into(),
            };
            return Ok(self.build.ret(all)?);
        }
        let mut kind = end.kind.clone();
        if let Some(operand) = kind.operand_mut() {
            *operand = self.mapped(operand);
        }
        for target in kind.targets_mut() {
            *target = self.target(target)?;
        }
        Ok(self.build.terminate(kind)?)
    }

    fn target(&mut self, target: &Target) -> Result<Target, Cause> {
        let params = &self.func.block(target.block).params;
        let passed = target.args.iter().zip(params).filter(|(_, param)| self.is_built(**param));
        let mut args: Vec<Operand> = passed.map(|(arg, _)| self.mapped(arg)).collect();
        for (param, arg) in self.func.block(target.block).params.iter().zip(&target.args) {
            match self.sites.flow(*param) {
                Some(Flow::Float(_)) => {
                    let tangents = self.resolved(arg, Some(target.block))?;
                    let lane = |site| tangents.get(site).cloned().unwrap_or(Operand::from(0.0));
                    args.extend(self.elimination.lanes(*param).iter().map(lane));
                }
                Some(Flow::Output) => args.extend(self.state_of(arg)?),
                _ => {}
            }
        }
        Ok(Target { block: self.blocks[target.block.index()], args })
    }

    fn inst(&mut self, block: Block, inst: &Inst) -> Result<(), Cause> {
        let result = match self.is_built(inst.result) {
            true => {
                let mut kind = inst.kind.clone();
                kind.operands_mut().for_each(|operand| *operand = self.mapped(operand));
                Operand::from(self.build.inst(kind, self.func.ty(inst.result))?)
            }
            false => Operand::unit(),
        };
        self.vars[inst.result.index()] = Some(result.clone());
        match self.sites.flow(inst.result) {
            Some(Flow::Float(_)) if self.sites.is_read(inst.result) => {
                self.tangents.insert(inst.result, [(inst.result, Operand::from(1.0))].into());
            }
            Some(Flow::Float(_)) => {
                let tangents = self.combined(inst, &result)?;
                self.store_tangents(block, inst.result, tangents);
            }
            Some(Flow::Output) => {
                let state = self.write(inst)?;
                self.states.insert(inst.result, state);
            }
            _ => {}
        }
        self.create_initial_state(inst.result)
    }

    /// The sums of tangents times partial derivatives.
    fn combined(&mut self, inst: &Inst, y: &Operand) -> Result<Tangents, Cause> {
        let (InstKind::Op { args, .. } | InstKind::Call { args, .. }) = &inst.kind else {
            return Err(Cause::Call);
        };
        let numbers: Vec<Operand> = args.iter().map(|arg| self.mapped(arg)).collect();
        let mut sums = Tangents::new();
        for (arg, partial) in parts(self.func, inst) {
            let tangents = self.tangents_of(&arg);
            if !tangents.is_empty() {
                let factor = self.factor(&partial, &numbers, y)?;
                self.add(&mut sums, tangents, &factor)?;
            }
        }
        Ok(sums)
    }

    fn add(&mut self, sums: &mut Tangents, tangents: Tangents, factor: &Operand) -> Result<(), Cause> {
        for (site, dx) in tangents {
            let part = self.product(dx, factor)?;
            let sum = match sums.remove(&site) {
                Some(sum) => self.build.op(&ops::ADD, [sum, part])?.into(),
                None => part,
            };
            sums.insert(site, sum);
        }
        Ok(())
    }

    /// The tangents of an operand, with the numbers resolved that are eliminated before control enters `next`
    /// or, if it is `None`, before the operand is written (ELIMINATE1).
    pub(super) fn resolved(&mut self, operand: &Operand, next: Option<Block>) -> Result<Tangents, Cause> {
        let mut all = self.tangents_of(operand);
        loop {
            let ends = |var: &Var| {
                let (block, _) = self.deferred.get(var)?;
                let ends = next.is_none_or(|next| self.elimination.ends_before(*block, next));
                ends.then(|| self.elimination.deferred(*var)).flatten()
            };
            let last = all.keys().filter_map(|var| Some((ends(var)?, *var))).max();
            let Some((_, last)) = last else { return Ok(all) };
            let (_, tangents) = self.deferred[&last].clone();
            let factor = all.remove(&last).expect("it is one of them");
            self.add(&mut all, tangents, &factor)?;
        }
    }

    fn factor(&mut self, partial: &Expr, numbers: &[Operand], y: &Operand) -> Result<Operand, Cause> {
        match partial.as_float() {
            Some(known) => Ok(known.into()),
            None => Ok(partial.emit(&mut self.build, numbers, y, Ty::f64())?),
        }
    }

    fn product(&mut self, dx: Operand, factor: &Operand) -> Result<Operand, Cause> {
        Ok(match (float(&dx), float(factor)) {
            (Some(dx), Some(factor)) if factor.is_finite() => (dx * factor).into(),
            (Some(1.0), _) => factor.clone(),
            (_, Some(1.0)) => dx,
            (Some(-1.0), _) => self.build.op(&ops::NEG, [factor.clone()])?.into(),
            (_, Some(-1.0)) => self.build.op(&ops::NEG, [dx])?.into(),
            _ if is_finite_nonzero(factor) || is_finite_nonzero(&dx) => {
                self.build.op(&ops::MUL, [dx, factor.clone()])?.into()
            }
            _ if self.checks() => {
                self.loses_zeros = true;
                self.build.op(&ops::MUL, [dx, factor.clone()])?.into()
            }
            _ => self.build.op(&ops::MUL_ZERO, [dx, factor.clone()])?.into(),
        })
    }

    /// Whether a variable exists in the generated function.
    fn is_built(&self, var: Var) -> bool {
        self.builds_output || !(self.sites.flow(var) == Some(&Flow::Output) || self.starts.contains(&var))
    }

    fn tangents_of(&self, operand: &Operand) -> Tangents {
        operand.var().and_then(|var| self.tangents.get(&var)).cloned().unwrap_or_default()
    }

    pub(super) fn mapped(&self, operand: &Operand) -> Operand {
        match operand.var() {
            Some(var) => self.vars[var.index()].clone().expect("V1: a definition dominates its uses"),
            None => operand.clone(),
        }
    }
}

pub(super) fn places() -> Ty {
    Ty::array(Ty::usize(), 1)
}

pub(super) fn float(operand: &Operand) -> Option<f64> {
    operand.constant().and_then(|constant| constant.value().as_f64())
}
