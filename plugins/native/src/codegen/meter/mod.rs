//! Fuel metering: code with interrupt checks counts its steps, and asks the run for more fuel when none is left.
//!
//! - FUEL1 a call takes as many steps as the function has instructions outside of loops, and an iteration as many as
//!   the loop has outside of inner loops, whichever branches are taken. Both are paid at once: an iteration at its beginning,
//!   a call at the beginning too or, in a small function without loops, where it first does more than operate on scalars.
//!   A call that does not is part of its caller's step.
//!   A cycle with several entries, which is no natural loop, takes as many as the function has.
//! - FUEL2 a function with loops keeps the fuel in a register, and stores it to the run before code runs that takes
//!   fuel, and when the function returns.
//! - FUEL3 the iterations of a SIMD loop are paid before the first: there are at most as many as elements.
//! - FUEL4 innermost loops over a range check the fuel by their exit test, see [`merged`]. An iteration takes what FUEL1
//!   says.

mod induction;
mod leaf;
mod merged;

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, StackSlot, types};
use cranelift_codegen::ir::{StackSlotData, StackSlotKind};
use cranelift_frontend::{FunctionBuilder, Variable};
use hashbrown::{HashMap, HashSet};
use overdub_context::Span;
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, BlockBody, Func};

use self::induction::ExitTest;
use super::func_cx::FuncCx;
use crate::abi::run_state::RunState;
use crate::runtime::libcalls::{self, libcall};
use crate::runtime::trampolines::Trampoline;

/// The metering of a function.
pub(super) struct Meter {
    /// The fuel, in a function with loops.
    fuel: Option<Variable>,
    /// The steps of a call.
    call: i64,
    /// The blocks that pay for a call, unless its prologue does.
    payers: Option<HashSet<Block>>,
    /// The steps of an iteration, by the loop's header.
    iteration_steps: HashMap<Block, i64>,
    /// The loops that count by their induction variable, by header (FUEL4).
    merged: HashMap<Block, Merged>,
    /// The headers of those loops, by block.
    inside: HashMap<Block, Block>,
}

/// A loop whose exit test checks the fuel too.
#[derive(Clone)]
struct Merged {
    test: ExitTest,
    /// The steps of an iteration.
    steps: i64,
    /// The limit that the induction variable is compared with.
    limit: Variable,
    /// The slots from which the fuel is computed (MERGE2). These loops do not nest, so they are the same for all.
    slots: StackSlot,
}

impl Meter {
    pub(super) fn of(
        func: &Func,
        (cfg, dominators, nest): (&Cfg, &Dominators, &LoopNest),
        b: &mut FunctionBuilder<'_>,
    ) -> Meter {
        let (mut call, mut iteration_steps) = (0, HashMap::new());
        for (block, body) in func.iter_blocks() {
            let steps = body.insts.len() as i64 + 1;
            match nest.innermost(block) {
                Some(id) => *iteration_steps.entry(nest.get(id).header).or_insert(0) += steps,
                None => call += steps,
            }
        }
        let all: i64 = func.iter_blocks().map(|(_, body)| body.insts.len() as i64 + 1).sum();
        for (_, entered) in nest.irreducible() {
            iteration_steps.insert(*entered, all);
        }
        let payers = if iteration_steps.is_empty() { leaf::payers(func, cfg, dominators) } else { None };
        let fuel = (!iteration_steps.is_empty()).then(|| b.declare_var(types::I64));
        let tests = induction::find(func, cfg, nest);
        let merged = match tests.is_empty() {
            true => HashMap::new(),
            false => {
                let slots = StackSlotData::new(StackSlotKind::ExplicitSlot, merged::SIZE, 3);
                let slots = b.create_sized_stack_slot(slots);
                let mut merged = |test: ExitTest| {
                    let (steps, limit) = (iteration_steps[&test.header], b.declare_var(test.register()));
                    (test.header, Merged { test, steps, limit, slots })
                };
                tests.into_iter().map(&mut merged).collect()
            }
        };
        let header_of = |block: Block| nest.innermost(block).map(|id| nest.get(id).header);
        let inside = func.iter_blocks().filter_map(|(block, _)| Some((block, header_of(block)?)));
        let inside = inside.filter(|(_, header)| merged.contains_key(header)).collect();
        Meter { fuel, call, payers, iteration_steps, merged, inside }
    }

    /// The loop around a block, if it counts by its induction variable.
    fn enclosing_merged(&self, block: Block) -> Option<&Merged> {
        self.merged.get(self.inside.get(&block)?)
    }

    /// Whether the loop with this header counts by its induction variable.
    pub(super) fn is_merged(&self, header: Block) -> bool {
        self.merged.contains_key(&header)
    }

    /// Whether a branch leaves a loop that counts by its induction variable.
    fn leaves_merged(&self, from: Block, to: Block) -> bool {
        self.inside.get(&from).is_some_and(|header| self.inside.get(&to) != Some(header))
    }

    /// Whether a branch enters a loop that counts by its induction variable.
    pub(super) fn enters_merged(&self, from: Block, to: Block) -> bool {
        self.merged.contains_key(&to) && self.inside.get(&from) != Some(&to)
    }
}

/// The location of a failure at the beginning of a block.
fn first_span(body: &BlockBody) -> Span {
    let known = |span: &Span| span.is_known();
    let insts = body.insts.iter().map(|inst| inst.span);
    let end = body.terminator.as_ref().map(|end| end.span);
    insts.chain(end).find(known).unwrap_or(Span::unknown())
}

impl FuncCx<'_> {
    /// Pays for a call, in the prologue, unless a block does.
    pub(super) fn meter_call(&mut self) {
        let Some(&Meter { fuel, call, payers: None, .. }) = self.meter.as_ref() else { return };
        let before = self.load_fuel();
        let left = self.b.ins().iadd_imm_s(before, -call);
        match fuel {
            Some(fuel) => self.b.def_var(fuel, left),
            None => self.store_fuel(left),
        }
        let (empty, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(empty);
        let is_empty = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.b.ins().brif(is_empty, empty, &[], on, &[]);
        self.b.switch_to_block(empty);
        if fuel.is_some() {
            self.store_fuel(left);
        }
        let status = self.libcall(libcall!(libcalls::refuel), &[self.run], Some(types::I32));
        let (stopped, refuelled) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(stopped);
        self.b.set_cold_block(refuelled);
        self.b.ins().brif(status.expect("it gives a status"), stopped, &[], refuelled, &[]);
        self.b.switch_to_block(stopped);
        self.release_params();
        let span = self.func.blocks.first().map_or(Span::unknown(), first_span);
        self.return_at(span);
        self.b.switch_to_block(refuelled);
        if let Some(fuel) = fuel {
            let more = self.load_fuel();
            self.b.def_var(fuel, more);
        }
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(on);
    }

    /// Pays for a call in the block that has to (FUEL1), at its beginning.
    fn meter_call_in(&mut self, block: Block) {
        let Some(Meter { call, payers: Some(payers), .. }) = self.meter.as_ref() else { return };
        if !payers.contains(&block) {
            return;
        }
        let call = *call;
        let before = self.load_fuel();
        let left = self.b.ins().iadd_imm_s(before, -call);
        self.store_fuel(left);
        self.refuelled(left, block);
    }

    /// Pays for what a block begins, an iteration or a call.
    pub(super) fn meter_block(&mut self, block: Block) {
        self.meter_call_in(block);
        self.meter_iteration(block);
    }

    /// Pays for an iteration, at its beginning.
    fn meter_iteration(&mut self, block: Block) {
        let Some((fuel, steps)) = self.fuel_of_iteration(block) else { return };
        if self.meter.as_ref().is_some_and(|meter| meter.is_merged(block)) {
            return;
        }
        let before = self.b.use_var(fuel);
        let left = self.b.ins().iadd_imm_s(before, -steps);
        let left = self.refuelled(left, block);
        self.b.def_var(fuel, left);
    }

    /// Pays for the iterations of a SIMD loop (FUEL3).
    pub(super) fn meter_simd(&mut self, header: Block, iterations: ir::Value) {
        let Some((fuel, steps)) = self.fuel_of_iteration(header) else { return };
        let before = self.b.use_var(fuel);
        let steps = self.b.ins().imul_imm_s(iterations, steps);
        let left = self.b.ins().isub(before, steps);
        self.b.def_var(fuel, left);
    }

    /// Stores the fuel before other code uses it (FUEL2).
    pub(super) fn store_fuel_for_callee(&mut self) {
        if let Some(left) = self.current_fuel() {
            self.store_fuel(left);
        }
    }

    /// Reloads the fuel after other code has used it.
    pub(super) fn reload_fuel(&mut self) {
        if self.meter.as_ref().is_some_and(|meter| meter.fuel.is_some()) {
            let left = self.load_fuel();
            self.set_current_fuel(left);
        }
    }

    /// Asks for more fuel if it is used up; returns what is left then.
    fn refuelled(&mut self, left: ir::Value, header: Block) -> ir::Value {
        let (empty, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(empty);
        if self.b.current_block().is_some_and(|current| self.b.func.layout.is_cold(current)) {
            self.b.set_cold_block(on);
        }
        let after = self.b.append_block_param(on, types::I64);
        let is_empty = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.b.ins().brif(is_empty, empty, &[], on, &[BlockArg::Value(left)]);
        self.b.switch_to_block(empty);
        self.store_fuel(left);
        self.preserving_call(Trampoline::Refuel, &[self.run]);
        self.return_if_failed(first_span(self.func.block(header)));
        let refuelled = self.b.current_block().expect("leaving goes on in a block");
        self.b.set_cold_block(refuelled);
        let more = self.load_fuel();
        self.b.ins().jump(on, &[BlockArg::Value(more)]);
        self.b.switch_to_block(on);
        after
    }

    fn fuel_of_iteration(&self, header: Block) -> Option<(Variable, i64)> {
        let meter = self.meter.as_ref()?;
        Some((meter.fuel?, *meter.iteration_steps.get(&header)?))
    }

    fn load_fuel(&mut self) -> ir::Value {
        self.b.ins().load(types::I64, MemFlagsData::trusted(), self.run, fuel_at())
    }

    fn store_fuel(&mut self, left: ir::Value) {
        self.b.ins().store(MemFlagsData::trusted(), left, self.run, fuel_at());
    }
}

fn fuel_at() -> i32 {
    i32::try_from(offset_of!(RunState, fuel)).expect("a run is small")
}
