//! The reverse sweep: the function from a cotangent of the result to those of the arguments.
//!
//! - SWEEP1 the reverse block of a block is entered with the cotangents that are live at the block's end, and
//!   branches to that of a predecessor with those that are live there: zero if this path does not use a
//!   variable.
//! - SWEEP2 a cotangent that a block does not change is not passed again. Blocks are built in execution
//!   order, and sealed when all their predecessors are built, so that only cotangents that differ between
//!   predecessors get a block parameter.
//! - SWEEP3 the sweep is built twice: once to collect the values of the primal that it needs, once with a plan for
//!   them.

use std::collections::{BTreeMap, BinaryHeap};

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, Case, Func, FuncBuilder, Operand, TerminatorKind, Ty, Var};
use overdub_context::ops;
use overdub_context::ssa::{SsaBuilder, Variable};

use super::checkpoint_plan::{CheckpointPlan, Demands};
use super::primal::Primal;
use super::reverse_cfg::{FirstIf, LoopCounter, ReverseExit};
use crate::cotangent::{cotangent, holds_array};
use crate::cotangent_sums::Helpers;
use crate::normalize_cfg::Edge;
use crate::refusal::Cause;
use crate::rules::Cot;

/// A capture of the reverse sweep from the forward sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Capture {
    /// A variable's last value.
    Last(Var),
    /// A variable's last value, or any value if its block did not run.
    LastIfRun(Var),
    /// The stack of records of a block.
    Records(Block),
}

/// The reverse sweep and its captures.
pub(super) struct ReverseSweep {
    /// The function; its parameters are the captures, the accumulators, and the cotangent of the result.
    pub(super) func: Func,
    pub(super) captures: Vec<Capture>,
}

/// How the reverse sweep determines the predecessor from which a block was entered.
enum EntryTest {
    /// By a condition, between two predecessors.
    First(Operand, FirstIf),
    /// By the number of the predecessor.
    Number(Operand),
}

/// Builds the reverse sweep.
pub(super) struct ReverseSweepBuilder<'m> {
    pub(super) primal: &'m Primal,
    pub(super) plan: Option<&'m CheckpointPlan>,
    pub(super) helpers: &'m mut Helpers,
    pub(super) build: SsaBuilder,
    pub(super) demands: Demands,
    pub(super) captures: Vec<(Capture, Var)>,
    cotangents: HashMap<Var, Variable>,
    pub(super) counters: HashMap<Block, Variable>,
    pub(super) stacks: BTreeMap<Block, Variable>,
    pub(super) before: HashMap<(Var, LoopId), Variable>,
    blocks: Vec<Option<Block>>,
    /// The blocks whose reverse block is not built yet, by their position in the program: the last one runs first.
    pending: BinaryHeap<(Option<u32>, Block)>,
    /// For each block the branches to its reverse block that are not built yet.
    awaited: Vec<u32>,
    /// The block being reversed, or whose reverse block the current edge leads to.
    pub(super) at: Block,
    pub(super) entered: bool,
    state: HashMap<Var, Cot>,
    /// On an edge: the cotangents that are unchanged at the target.
    flows: HashSet<Var>,
    pub(super) known: HashMap<(Var, Block), Operand>,
    /// The record popped for the current block.
    pub(super) record: Option<Operand>,
}

/// Collects the values of the primal that the reverse sweep needs (SWEEP3).
pub(super) fn demands(primal: &Primal, helpers: &mut Helpers) -> Result<Demands, Cause> {
    let mut builder = ReverseSweepBuilder::new(primal, None, helpers, Symbol::new("reverse sweep"))?;
    builder.all()?;
    Ok(builder.demands)
}

/// Builds the reverse sweep by a plan.
pub(super) fn backward(
    primal: &Primal,
    plan: &CheckpointPlan,
    helpers: &mut Helpers,
    name: Symbol,
) -> Result<ReverseSweep, Cause> {
    let mut builder = ReverseSweepBuilder::new(primal, Some(plan), helpers, name)?;
    builder.all()?;
    builder.finish()
}

/// Which cotangents of its arguments a reverse sweep takes as accumulators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Accumulators {
    /// Those that hold arrays, which are updated in place.
    Arrays,
    /// All: the additions happen in the order they would have if the function were inlined, so sums are equal
    /// to the bit.
    All,
    /// As [`Accumulators::All`], but only for the arguments before the one of this number: the others are defined for the call
    /// alone.
    Before(usize),
}

impl Accumulators {
    /// Whether the cotangent of the argument of this number, of type `dty`, is one of them.
    pub(super) fn over(self, at: usize, dty: Ty) -> bool {
        match self {
            Accumulators::Arrays => holds_array(dty),
            Accumulators::All => dty != Ty::unit(),
            Accumulators::Before(end) => at < end && dty != Ty::unit(),
        }
    }
}

/// The types of the accumulators and the seed that a reverse sweep takes after its captures, and its return
/// type.
pub(super) fn signature(
    params: &[Ty],
    wrt: &[bool],
    ret: Ty,
    accumulators: Accumulators,
) -> Result<(Vec<Ty>, Ty), Cause> {
    let active = params.iter().zip(wrt).enumerate().filter(|(_, (_, wrt))| **wrt);
    let gradients = active.map(|(at, (ty, _))| Ok((at, cotangent(*ty)?)));
    let gradients = gradients.collect::<Result<Vec<_>, Cause>>()?;
    let accumulated = gradients.iter().filter(|(at, dty)| accumulators.over(*at, *dty));
    let mut takes: Vec<Ty> = accumulated.map(|(_, dty)| *dty).collect();
    takes.push(cotangent(ret)?);
    Ok((takes, Ty::tuple(gradients.into_iter().map(|(_, dty)| dty))))
}

impl<'m> ReverseSweepBuilder<'m> {
    fn new(
        primal: &'m Primal,
        plan: Option<&'m CheckpointPlan>,
        helpers: &'m mut Helpers,
        name: Symbol,
    ) -> Result<Self, Cause> {
        let func = primal.func();
        let params: Vec<Ty> = func.param_tys().collect();
        let (_, ret) = signature(&params, &primal.wrt, func.ret, primal.accumulators)?;
        let mut build = SsaBuilder::new(FuncBuilder::new(name, ret));
        build.set_func_span(func.span);
        Ok(ReverseSweepBuilder {
            primal,
            plan,
            helpers,
            build,
            demands: Demands::default(),
            captures: Vec::new(),
            cotangents: HashMap::new(),
            counters: HashMap::new(),
            stacks: BTreeMap::new(),
            before: HashMap::new(),
            blocks: vec![None; func.blocks.len()],
            pending: BinaryHeap::new(),
            awaited: awaited(primal),
            at: primal.shape.exit,
            entered: true,
            state: HashMap::new(),
            flows: HashSet::new(),
            known: HashMap::new(),
            record: None,
        })
    }

    fn all(&mut self) -> Result<(), Cause> {
        self.begin()?;
        while let Some((_, block)) = self.pending.pop() {
            self.enter(block)?;
            self.insts(block)?;
        }
        Ok(())
    }

    /// Builds the entry block: the accumulators become the cotangents at the exit of the primal.
    fn begin(&mut self) -> Result<(), Cause> {
        let exit = self.primal.shape.exit;
        for var in self.primal.accumulated() {
            let name = format!("d{}", self.primal.func().var_label(var));
            let dty = self.primal.dty(var)?;
            let param = self.build.param(&name, dty);
            self.write(var, param.into())?;
        }
        let dty = cotangent(self.primal.func().ret)?;
        let seed = self.build.param("dy", dty);
        if let Some(plan) = self.plan {
            for place in plan.records.keys() {
                let ty = Ty::stack(plan.record_ty(self.primal, *place));
                let stack = self.build.declare_variable(ty, Some("tape"));
                let param = self.capture(Capture::Records(*place), ty);
                self.build.write_variable(stack, param)?;
                self.stacks.insert(*place, stack);
            }
        }
        let reversed = self.reversed(exit);
        self.build.br(reversed, [] as [Operand; 0])?;
        self.build.seal_block(reversed);
        self.enter(exit)?;
        if let Some(TerminatorKind::Ret(result)) =
            self.primal.func().block(exit).terminator.as_ref().map(|t| &t.kind)
        {
            self.add(&result.clone(), seed.into())?;
        }
        self.insts(exit)
    }

    fn reversed(&mut self, block: Block) -> Block {
        if let Some(reversed) = self.blocks[block.index()] {
            return reversed;
        }
        let reversed = self.build.new_block();
        self.blocks[block.index()] = Some(reversed);
        if block != self.primal.shape.exit {
            self.pending.push((self.primal.shape.cfg.position(block), block));
        }
        reversed
    }

    fn enter(&mut self, block: Block) -> Result<(), Cause> {
        let reversed = self.reversed(block);
        self.build.switch_to(reversed)?;
        (self.at, self.entered) = (block, true);
        self.state.clear();
        self.known.clear();
        self.record = None;
        if let Some(plan) = self.plan
            && plan.records.contains_key(&block)
        {
            let stack = self.build.read_variable(self.stacks[&block])?;
            let popped = self.build.op(&ops::STACK_POP, [stack])?;
            self.record = Some(self.build.op(&ops::FIELD, [Operand::from(popped), 0_i64.into()])?.into());
            let rest = self.build.op(&ops::FIELD, [Operand::from(popped), 1_i64.into()])?;
            self.build.write_variable(self.stacks[&block], rest)?;
        }
        Ok(())
    }

    fn insts(&mut self, block: Block) -> Result<(), Cause> {
        let primal = self.primal;
        for inst in primal.func().block(block).insts.iter().rev() {
            if primal.counts(inst) {
                self.build.set_span(inst.span);
                self.reverse_inst(inst).map_err(|cause| cause.at(inst.span))?;
            }
        }
        self.branch_to_preds(block)
    }

    /// Branches to the reverse blocks of the predecessors.
    fn branch_to_preds(&mut self, block: Block) -> Result<(), Cause> {
        let reverse_exits =
            self.primal.reverse_exits[block.index()].clone().expect("a block that can return has a way up");
        match reverse_exits {
            ReverseExit::Entry => self.end(),
            ReverseExit::Jump(to) => self.edge(block, None, to),
            ReverseExit::One(slot) => self.edge(block, Some(slot), slot.from),
            ReverseExit::Loop(counter) => self.branch_from_header(block, &counter),
            ReverseExit::ByPredecessor(pred_number, decided) => {
                let slots = self.primal.shape.incoming[block.index()].clone();
                self.demands.pred_numbers.insert(block);
                let choice = match (self.plan, decided) {
                    (None, _) => EntryTest::Number(0_u8.into()),
                    (Some(plan), Some(decided)) if plan.by_condition.contains(&block) => {
                        EntryTest::First(self.primal_at(&decided.cond, block)?, decided.first_if)
                    }
                    (Some(_), _) => EntryTest::Number(self.primal_at(&pred_number.into(), block)?),
                };
                self.choose(block, &slots, choice)
            }
        }
    }

    fn branch_from_header(&mut self, block: Block, counter: &LoopCounter) -> Result<(), Cause> {
        let current = self.primal_at(&counter.param.into(), block)?;
        let init = self.primal_at(&counter.init, block)?;
        let first = self.build.op(&ops::EQ, [current, init])?;
        self.choose(block, &[counter.entry, counter.latch], EntryTest::First(first.into(), FirstIf::True))
    }

    /// Ends the block with a branch to a new block for each predecessor, in which building continues.
    fn choose(&mut self, block: Block, slots: &[Edge], choice: EntryTest) -> Result<(), Cause> {
        let targets: Vec<Block> = slots.iter().map(|_| self.build.new_block()).collect();
        match (choice, targets.as_slice()) {
            (EntryTest::First(cond, FirstIf::True), [first, other]) => {
                self.build.br_if(cond, (*first).into(), (*other).into())?;
            }
            (EntryTest::First(cond, FirstIf::False), [first, other]) => {
                self.build.br_if(cond, (*other).into(), (*first).into())?;
            }
            (EntryTest::Number(pred_number), [cases @ .., last]) => {
                let cases = (0..).zip(cases).map(|(value, block)| Case { value, target: (*block).into() });
                self.build.switch(pred_number, cases.collect(), Some((*last).into()))?;
            }
            _ => unreachable!("a condition decides between two ways"),
        }
        let (state, known) = (self.state.clone(), self.known.clone());
        for (slot, target) in slots.iter().zip(targets) {
            self.build.switch_to(target)?;
            self.build.seal_block(target);
            (self.state, self.known) = (state.clone(), known.clone());
            (self.at, self.entered) = (block, true);
            self.edge(block, Some(*slot), slot.from)?;
        }
        Ok(())
    }

    /// Branches to the reverse block of `to`, along this edge into `block` (SWEEP1).
    fn edge(&mut self, block: Block, slot: Option<Edge>, to: Block) -> Result<(), Cause> {
        let primal = self.primal;
        self.count(block, slot, to)?;
        self.read_before(block, to)?;
        let live = &primal.live_in[block.index()];
        let params: &[Var] = if slot.is_some() { &primal.func().block(block).params } else { &[] };
        let args: &[Operand] = slot.map_or(&[], |slot| &primal.shape.target(slot).args);
        let from_params: Vec<(Operand, Cot)> = params
            .iter()
            .zip(args)
            .filter(|(param, _)| primal.is_active(**param))
            .map(|(param, arg)| Ok((arg.clone(), self.cot(*param)?)))
            .collect::<Result<_, Cause>>()?;
        let defined = &primal.defined_on_entry[to.index()];
        // SWEEP2
        let flows = defined.iter().filter(|var| live.contains(var) && !self.state.contains_key(*var));
        self.flows =
            flows.copied().filter(|var| primal.defined_on_entry[block.index()].contains(var)).collect();
        self.state.retain(|var, _| live.contains(var) && defined.contains(var));
        (self.at, self.entered) = (to, false);
        for (arg, cot) in from_params {
            if let (Some(var), false) = (arg.var(), matches!(cot, Cot::Zero)) {
                let value = self.value_of(var, cot)?;
                self.add(&arg, value)?;
            }
        }
        for &var in defined {
            let cot = match self.state.remove(&var) {
                Some(cot) => cot,
                None if self.flows.contains(&var) => continue,
                None => Cot::Zero,
            };
            let value = self.value_of(var, cot)?;
            self.write(var, value)?;
        }
        let reversed = self.reversed(to);
        self.build.br(reversed, [] as [Operand; 0])?;
        self.awaited[to.index()] -= 1;
        if self.awaited[to.index()] == 0 {
            self.build.seal_block(reversed);
        }
        Ok(())
    }

    /// Ends the sweep at the entry of the primal: returns the cotangents of the arguments.
    fn end(&mut self) -> Result<(), Cause> {
        let primal = self.primal;
        let mut gradients = Vec::new();
        for (at, (param, wrt)) in primal.func().params().iter().zip(&primal.wrt).enumerate() {
            if *wrt {
                let dty = primal.dty(*param)?;
                let has = primal.accumulators.over(at, dty) || primal.is_active(*param);
                let cot = if has { self.cot(*param)? } else { Cot::Zero };
                gradients.push(self.value_of(*param, cot)?);
            }
        }
        let result = if gradients.is_empty() {
            Operand::unit()
        } else {
            self.build.op(&ops::TUPLE, gradients)?.into()
        };
        Ok(self.build.ret(result)?)
    }

    fn finish(self) -> Result<ReverseSweep, Cause> {
        let captured: Vec<Var> = self.captures.iter().map(|(_, param)| *param).collect();
        let passed: Vec<Var> = {
            let params = self.build.func().params();
            params.iter().copied().filter(|param| !captured.contains(param)).collect()
        };
        let order: Vec<Var> = captured.into_iter().chain(passed).collect();
        let func = reordered(self.build, &order)?;
        Ok(ReverseSweep { func, captures: self.captures.iter().map(|(capture, _)| *capture).collect() })
    }

    /// The cotangent accumulated for a variable.
    pub(super) fn cot(&mut self, var: Var) -> Result<Cot, Cause> {
        if let Some(cot) = self.state.get(&var) {
            return Ok(cot.clone());
        }
        let is_defined = match self.entered {
            true => self.primal.defined_on_entry[self.at.index()].contains(&var),
            false => self.flows.contains(&var),
        };
        if !is_defined {
            return Ok(Cot::Zero);
        }
        let variable = self.cotangent_of(var)?;
        Ok(Cot::Value(self.build.read_variable(variable)?))
    }

    pub(super) fn set(&mut self, var: Var, cot: Cot) {
        self.state.insert(var, cot);
    }

    fn cotangent_of(&mut self, var: Var) -> Result<Variable, Cause> {
        if let Some(variable) = self.cotangents.get(&var) {
            return Ok(*variable);
        }
        let name = format!("d{}", self.primal.func().var_label(var));
        let variable = self.build.declare_variable(self.primal.dty(var)?, Some(&name));
        self.cotangents.insert(var, variable);
        Ok(variable)
    }

    fn write(&mut self, var: Var, value: Operand) -> Result<(), Cause> {
        let variable = self.cotangent_of(var)?;
        Ok(self.build.write_variable(variable, value)?)
    }
}

/// For each block the number of branches to its reverse block.
fn awaited(primal: &Primal) -> Vec<u32> {
    let mut awaited = vec![0; primal.func().blocks.len()];
    let mut pending = vec![primal.shape.exit];
    while let Some(block) = pending.pop() {
        let to: Vec<Block> = match &primal.reverse_exits[block.index()] {
            None | Some(ReverseExit::Entry) => Vec::new(),
            Some(ReverseExit::Jump(to)) => vec![*to],
            Some(ReverseExit::One(slot)) => vec![slot.from],
            Some(ReverseExit::Loop(counter)) => vec![counter.entry.from, counter.latch.from],
            Some(ReverseExit::ByPredecessor(..)) => {
                primal.shape.incoming[block.index()].iter().map(|slot| slot.from).collect()
            }
        };
        for to in to {
            if awaited[to.index()] == 0 {
                pending.push(to);
            }
            awaited[to.index()] += 1;
        }
    }
    awaited
}

/// The function with its parameters reordered.
fn reordered(build: SsaBuilder, order: &[Var]) -> Result<Func, Cause> {
    let places: Vec<usize> = {
        let params = build.func().params();
        order.iter().map(|var| params.iter().position(|param| param == var).unwrap_or(0)).collect()
    };
    let mut func = build.finish()?;
    let params = func.blocks[0].params.clone();
    func.blocks[0].params = places.into_iter().map(|place| params[place]).collect();
    Ok(func)
}
