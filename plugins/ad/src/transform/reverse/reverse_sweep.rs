//! The reverse sweep: the function from a cotangent of the result to those of the arguments.
//!
//! - SWEEP1 the reverse block of a block is entered with the cotangents that are live at the block's end, and
//!   branches to that of a predecessor with those that are live there: zero if this path does not use a
//!   variable.
//! - SWEEP3 the sweep is built twice: once to collect the values of the primal that it needs, once with a plan for
//!   them.

use std::collections::{BTreeMap, BinaryHeap};

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, Case, Func, FuncBuilder, Operand, TerminatorKind, Ty, Var};
use overdub_context::ops;
use overdub_context::ssa::{SsaBuilder, Variable};

use super::accumulators::{of_directions, signature};
use super::checkpoint_plan::{CheckpointPlan, Demands};
use super::primal::Primal;
use super::reverse_cfg::{FirstIf, LoopCounter, ReverseExit};
use crate::cotangent::cotangent;
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
    /// The number of cotangents of the result that it pulls back (SWEEP4).
    pub(super) directions: usize,
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
    /// For each direction, the variables that hold cotangents.
    pub(super) cotangents: Vec<HashMap<Var, Variable>>,
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
    /// The direction whose cotangents are computed.
    pub(super) direction: usize,
    /// For each direction, the cotangents that the current block has changed.
    pub(super) state: Vec<HashMap<Var, Cot>>,
    /// On an edge: for each direction, the cotangents that are unchanged at the target.
    pub(super) flows: Vec<HashSet<Var>>,
    pub(super) known: HashMap<(Var, Block), Operand>,
    /// The record popped for the current block.
    pub(super) record: Option<Operand>,
}

/// Collects the values of the primal that the reverse sweep needs (SWEEP3).
pub(super) fn demands(primal: &Primal, helpers: &mut Helpers) -> Result<Demands, Cause> {
    let name = Symbol::new("reverse sweep");
    let mut builder = ReverseSweepBuilder::new((primal, 1), None, helpers, name)?;
    builder.all()?;
    Ok(builder.demands)
}

/// Builds the reverse sweep by a plan, for this number of directions.
pub(super) fn backward(
    of: (&Primal, usize),
    plan: &CheckpointPlan,
    helpers: &mut Helpers,
    name: Symbol,
) -> Result<ReverseSweep, Cause> {
    let mut builder = ReverseSweepBuilder::new(of, Some(plan), helpers, name)?;
    builder.all()?;
    builder.finish()
}

impl<'m> ReverseSweepBuilder<'m> {
    fn new(
        (primal, directions): (&'m Primal, usize),
        plan: Option<&'m CheckpointPlan>,
        helpers: &'m mut Helpers,
        name: Symbol,
    ) -> Result<Self, Cause> {
        let func = primal.func();
        let params: Vec<Ty> = func.param_tys().collect();
        let (_, ret) = signature(&params, &primal.wrt, func.ret, primal.accumulators)?;
        let ret = of_directions(directions, ret);
        let mut build = SsaBuilder::new(FuncBuilder::new(name, ret));
        build.set_func_span(func.span);
        Ok(ReverseSweepBuilder {
            primal,
            plan,
            helpers,
            build,
            demands: Demands::default(),
            captures: Vec::new(),
            cotangents: vec![HashMap::new(); directions],
            counters: HashMap::new(),
            stacks: BTreeMap::new(),
            before: HashMap::new(),
            blocks: vec![None; func.blocks.len()],
            pending: BinaryHeap::new(),
            awaited: awaited(primal),
            at: primal.shape.exit,
            entered: true,
            direction: 0,
            state: vec![HashMap::new(); directions],
            flows: vec![HashSet::new(); directions],
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
        self.in_each_direction(|sweep| {
            for var in sweep.primal.accumulated() {
                let name = format!("d{}", sweep.primal.func().var_label(var));
                let dty = sweep.primal.dty(var)?;
                let param = sweep.build.param(&name, dty);
                sweep.write(var, param.into())?;
            }
            Ok(())
        })?;
        let dty = cotangent(self.primal.func().ret)?;
        let seeds: Vec<Var> = self.state.iter().map(|_| self.build.param("dy", dty)).collect();
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
            for (direction, seed) in seeds.into_iter().enumerate() {
                self.direction = direction;
                self.add(result, seed.into())?;
            }
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
        self.state.iter_mut().for_each(HashMap::clear);
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
                let reversed = self.in_each_direction(|sweep| sweep.reverse_inst(inst));
                reversed.map_err(|cause| cause.at(inst.span))?;
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
        let params: &[Var] = if slot.is_some() { &primal.func().block(block).params } else { &[] };
        let args: &[Operand] = slot.map_or(&[], |slot| &primal.shape.target(slot).args);
        let passed = || params.iter().zip(args).filter(|(param, _)| primal.is_active(**param));
        let mut from_params = Vec::new();
        self.in_each_direction(|sweep| {
            let cots = passed().map(|(param, arg)| Ok((arg, sweep.cot(*param)?)));
            from_params.push(cots.collect::<Result<Vec<_>, Cause>>()?);
            Ok(())
        })?;
        self.in_each_direction(|sweep| {
            sweep.leave(block, to);
            Ok(())
        })?;
        (self.at, self.entered) = (to, false);
        let mut from_params = from_params.into_iter();
        self.in_each_direction(|sweep| sweep.pass(from_params.next().unwrap_or_default(), to))?;
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
        let mut of_directions = Vec::new();
        self.in_each_direction(|sweep| {
            of_directions.push(sweep.gradients()?);
            Ok(())
        })?;
        let result = match <[Operand; 1]>::try_from(of_directions) {
            Ok([only]) => only,
            Err(several) => self.build.op(&ops::TUPLE, several)?.into(),
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
        let (func, directions) = (reordered(self.build, &order)?, self.state.len());
        let captures = self.captures.iter().map(|(capture, _)| *capture).collect();
        Ok(ReverseSweep { func, captures, directions })
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
