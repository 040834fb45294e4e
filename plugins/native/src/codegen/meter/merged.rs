//! Fuel metering by the exit test of a loop: an iteration needs no instruction more than in code without
//! limits.
//!
//! - MERGE1 the induction variable is compared with a limit instead of the bound. The limit is the bound, or a value before
//!   it at which the fuel may be used up. When the test against the limit fails, fuel and bound are checked one by one.
//! - MERGE2 the fuel is not counted but computed. In a loop that goes by 1 or -1 it is a stack slot, less the steps of an
//!   iteration times the induction variable. This is modulo 2^64, or 2^32 for a variable of 32 bits, which the fuel fits
//!   into.
//! - MERGE3 an iteration is paid before it begins, or at the end of the header if that is where the test is. Each exit
//!   edge of the loop stores the fuel to its variable (FUEL2).
//! - MERGE4 in a loop with another stride a second slot has the induction variable for which the first one has the fuel;
//!   the iterations since then are their difference divided by the stride. A stride that is not in 1..2^31, and a bound
//!   close to the greatest integer, set the limit where the next test fails, and the test that fails pays for such a stride.
//! - MERGE5 the code of a test that fails reads stride and bound from slots: what it computed from variables would be hoisted
//!   out of the loop, where it takes registers from the loop.

use cranelift_codegen::ir::condcodes::{CondCode as _, IntCC};
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, types};
use overdub_context::ir::{Block, Operand, Target};

use super::induction::{Approach, ExitTest, InductionStride, TestPosition};
use super::{FuncCx, Merged};

/// The offsets of the slots: the fuel (MERGE2), and of a loop with a stride the induction variable for which that is the
/// fuel (MERGE4), the stride and the bound (MERGE5).
const FUEL: i32 = 0;
const SINCE: i32 = 8;
const STRIDE: i32 = 16;
const BOUND: i32 = 24;
/// Of all slots.
pub(super) const SIZE: u32 = 32;

impl FuncCx<'_> {
    /// The merged loop that contains the current block.
    fn enclosing_merged(&self) -> Option<Merged> {
        self.meter.as_ref()?.enclosing_merged(self.control.at).cloned()
    }

    /// Whether a branch from the current block is an exit edge of a merged loop.
    pub(in crate::codegen) fn leaves_merged(&self, to: Block) -> bool {
        self.meter.as_ref().is_some_and(|meter| meter.leaves_merged(self.control.at, to))
    }

    /// The induction variable in the current iteration.
    fn induction(&mut self, test: &ExitTest) -> ir::Value {
        let var = self.func.block(test.header).params[test.param];
        self.scalar(&Operand::Var(var))
    }

    fn load_slot(&mut self, merged: &Merged, ty: ir::Type, offset: i32) -> ir::Value {
        self.b.ins().stack_load(types::I64, ty, merged.slots, offset)
    }

    fn store_slot(&mut self, merged: &Merged, value: ir::Value, offset: i32) {
        self.b.ins().stack_store(types::I64, value, merged.slots, offset);
    }

    /// The stride (MERGE5), and whether it is in 1..2^31 (MERGE4).
    fn stride(&mut self, merged: &Merged) -> (ir::Value, ir::Value) {
        const GREATEST_STRIDE: i64 = (1 << 31) - 1;
        let stride = self.load_slot(merged, types::I64, STRIDE);
        let less_one = self.b.ins().iadd_imm_s(stride, -1);
        let is_small = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, less_one, GREATEST_STRIDE);
        (stride, is_small)
    }

    /// The difference between slot and fuel (MERGE2, MERGE4).
    fn paid(&mut self, merged: &Merged, induction: ir::Value) -> ir::Value {
        if let InductionStride::Unit(step) = merged.test.step {
            return self.b.ins().imul_imm_s(induction, merged.steps * step);
        }
        let (stride, is_small) = self.stride(merged);
        let [zero, one] = [0, 1].map(|n| self.b.ins().iconst(types::I64, n));
        let since = self.load_slot(merged, types::I64, SINCE);
        let distance = self.b.ins().isub(induction, since);
        let distance = self.b.ins().select(is_small, distance, zero);
        let stride = self.b.ins().select(is_small, stride, one);
        let iterations = self.b.ins().udiv(distance, stride);
        self.b.ins().imul_imm_s(iterations, merged.steps)
    }

    /// The value of the induction variable an iteration later.
    fn advanced(&mut self, test: &ExitTest, value: ir::Value) -> ir::Value {
        match &test.step {
            InductionStride::Unit(step) => self.b.ins().iadd_imm_s(value, *step),
            InductionStride::Stride(stride) => {
                let stride = self.scalar(stride);
                self.b.ins().iadd(value, stride)
            }
        }
    }

    /// What the test compares in the iteration with this induction variable.
    fn compared_in(&mut self, test: &ExitTest, induction: ir::Value) -> ir::Value {
        if test.is_next { self.advanced(test, induction) } else { induction }
    }

    /// The fuel that is left once the iteration with this induction variable is paid for.
    fn fuel_at(&mut self, merged: &Merged, induction: ir::Value) -> ir::Value {
        let ty = self.b.func.dfg.value_type(induction);
        let slot = self.load_slot(merged, ty, FUEL);
        let paid = self.paid(merged, induction);
        let left = self.b.ins().isub(slot, paid);
        if ty == types::I64 { left } else { self.b.ins().sextend(types::I64, left) }
    }

    /// Makes `left` the fuel in that iteration.
    fn set_fuel_at(&mut self, merged: &Merged, induction: ir::Value, left: ir::Value) {
        let ty = self.b.func.dfg.value_type(induction);
        if let InductionStride::Stride(_) = merged.test.step {
            self.store_slot(merged, left, FUEL);
            self.store_slot(merged, induction, SINCE);
            return;
        }
        let paid = self.paid(merged, induction);
        let left = if ty == types::I64 { left } else { self.b.ins().ireduce(ty, left) };
        let difference = self.b.ins().iadd(left, paid);
        self.store_slot(merged, difference, FUEL);
    }

    /// Pays, before the loop and with the parameters of its header defined, for what precedes the first test.
    pub(in crate::codegen) fn begin_merged(&mut self, header: Block) {
        let Some(merged) = self.meter.as_ref().and_then(|meter| meter.merged.get(&header)).cloned() else {
            return;
        };
        let test = &merged.test;
        let before = self.counted_fuel();
        let left = self.b.ins().iadd_imm_s(before, -merged.steps);
        let first = self.induction(test);
        let first_compared = self.compared_in(test, first);
        let (left, to_spend) = match test.tested {
            // A SIMD loop may have used more fuel than there was (FUEL3).
            TestPosition::Header => {
                let none = self.b.ins().iconst(types::I64, 0);
                (left, self.b.ins().smax(before, none))
            }
            TestPosition::Latch => {
                let left = self.refuelled(left, header);
                (left, left)
            }
        };
        if let InductionStride::Stride(stride) = &test.step {
            let [stride, bound] = [stride, &test.bound].map(|operand| self.scalar(operand));
            self.store_slot(&merged, stride, STRIDE);
            self.store_slot(&merged, bound, BOUND);
        }
        self.set_fuel_at(&merged, first, left);
        self.set_limit(&merged, first_compared, to_spend);
    }

    /// Sets the limit (MERGE1) for `to_spend` steps of fuel, from the iteration whose test compares `compared`.
    fn set_limit(&mut self, merged: &Merged, compared: ir::Value, to_spend: ir::Value) {
        let test = &merged.test;
        let ty = self.b.func.dfg.value_type(compared);
        // A division by multiplication: the fuel has fewer than 32 bits, so the quotient is exact or one too small.
        let by_steps = self.b.ins().imul_imm_s(to_spend, (1 << 32) / merged.steps);
        let iterations = self.b.ins().ushr_imm_u(by_steps, 32);
        let iterations = if ty == types::I64 { iterations } else { self.b.ins().ireduce(ty, iterations) };
        if let InductionStride::Stride(_) = test.step {
            let limit = self.strided_limit(merged, compared, iterations);
            return self.b.def_var(merged.limit, limit);
        }
        let bound = self.scalar(&test.bound);
        let limit = match (test.approach, &test.step) {
            (Approach::Rising, _) => {
                let last = self.b.ins().iadd(compared, iterations);
                match test.ty.is_signed() {
                    true => self.b.ins().smin(bound, last),
                    false => self.b.ins().umin(bound, last),
                }
            }
            (Approach::Falling, _) => {
                let all = self.b.ins().isub(compared, bound);
                let few = self.b.ins().umin(all, iterations);
                let last = self.b.ins().isub(compared, few);
                let greater = self.fast_cond(test);
                let is_above = self.b.ins().icmp(greater, compared, bound);
                self.b.ins().select(is_above, last, bound)
            }
            (Approach::Equality, InductionStride::Unit(1)) => {
                let all = self.b.ins().isub(bound, compared);
                let few = self.b.ins().umin(all, iterations);
                self.b.ins().iadd(compared, few)
            }
            (Approach::Equality, _) => {
                let all = self.b.ins().isub(compared, bound);
                let few = self.b.ins().umin(all, iterations);
                self.b.ins().isub(compared, few)
            }
        };
        self.b.def_var(merged.limit, limit);
    }

    /// The limit of a loop with a stride, for a number of iterations less than 2^32 (MERGE4). It is no greater than the
    /// bound, and neither is so close to the greatest integer that a stride leads past both.
    fn strided_limit(&mut self, merged: &Merged, compared: ir::Value, iterations: ir::Value) -> ir::Value {
        let test = &merged.test;
        let (stride, is_small) = self.stride(merged);
        let bound = self.load_slot(merged, types::I64, BOUND);
        let zero = self.b.ins().iconst(types::I64, 0);
        let few = self.b.ins().imul(iterations, stride);
        let few = self.b.ins().select(is_small, few, zero);
        let greatest = self.b.ins().iconst(types::I64, i64::MAX >> 1);
        let last = match test.ty.is_signed() {
            true => self.b.ins().smin(bound, greatest),
            false => self.b.ins().umin(bound, greatest),
        };
        let is_before = self.fast_cond(test);
        let is_before = self.b.ins().icmp(is_before, compared, last);
        let all = self.b.ins().isub(last, compared);
        let all = self.b.ins().select(is_before, all, zero);
        let advance = self.b.ins().umin(all, few);
        self.b.ins().iadd(compared, advance)
    }

    /// The comparison with the limit that holds while neither fuel nor bound has to be checked.
    fn fast_cond(&self, test: &ExitTest) -> IntCC {
        let cond = match test.approach {
            Approach::Rising => IntCC::SignedLessThan,
            Approach::Falling => IntCC::SignedGreaterThan,
            Approach::Equality => return IntCC::NotEqual,
        };
        if test.ty.is_signed() { cond } else { cond.unsigned() }
    }

    /// Emits the branch of the current block, if it is the exit test of a merged loop; returns whether it is.
    pub(in crate::codegen) fn branch_merged(&mut self, then: &Target, otherwise: &Target) -> bool {
        let Some(merged) = self.enclosing_merged().filter(|merged| merged.test.at == self.control.at) else {
            return false;
        };
        let test = &merged.test;
        let leaves_first = self.leaves_merged(then.block);
        let (stay, exit_target) = if leaves_first { (otherwise, then) } else { (then, otherwise) };
        let (stay_block, stay_args) = self.side(stay);
        let [check_budget, left_over, leaving] = [(); 3].map(|()| self.b.create_block());
        // Otherwise these blocks would be laid out in the middle of the loop.
        self.b.set_cold_block(check_budget);
        self.b.set_cold_block(left_over);
        self.test_limit(&merged, check_budget, (stay_block, &stay_args));
        self.b.switch_to_block(check_budget);
        if test.tested == TestPosition::Header {
            let this = self.induction(test);
            self.pay(&merged, this);
        }
        let compared = self.scalar(&Operand::Var(test.compared));
        let bound = self.scalar(&test.bound);
        // The exit edge is named first: the loop is reached from `left_over` too, and is laid out before the
        // code after it (BRANCH1).
        let ends = self.b.ins().icmp(test.continues_if.complement(), compared, bound);
        self.b.ins().brif(ends, leaving, &[], left_over, &[]);
        self.b.switch_to_block(left_over);
        self.spend_more(&merged);
        self.b.ins().jump(stay_block, &stay_args);
        self.emit_split_edges([(stay, stay_block), (exit_target, leaving)]);
        true
    }

    /// Emits the test against the limit, which every iteration makes (MERGE1).
    fn test_limit(&mut self, merged: &Merged, check_budget: ir::Block, stay: (ir::Block, &[BlockArg])) {
        let test = &merged.test;
        let compared = self.scalar(&Operand::Var(test.compared));
        let limit = self.b.use_var(merged.limit);
        let fast = self.fast_cond(test);
        // In the order of BRANCH2.
        match test.tested {
            TestPosition::Latch => {
                let within_limit = self.b.ins().icmp(fast, compared, limit);
                self.b.ins().brif(within_limit, stay.0, stay.1, check_budget, &[]);
            }
            TestPosition::Header => {
                let reached_limit = self.b.ins().icmp(fast.complement(), compared, limit);
                self.b.ins().brif(reached_limit, check_budget, &[], stay.0, stay.1);
            }
        }
    }

    /// Emits the code that continues the loop before the bound: pays for the next iteration and sets a new
    /// limit.
    fn spend_more(&mut self, merged: &Merged) {
        let test = &merged.test;
        if let InductionStride::Stride(_) = test.step {
            self.pay_for_large_stride(merged);
        }
        let mut paid = self.induction(test);
        if test.tested == TestPosition::Latch {
            paid = self.advanced(test, paid);
            self.pay(merged, paid);
        }
        let to_spend = self.fuel_at(merged, paid);
        let compared = self.scalar(&Operand::Var(test.compared));
        let next = self.advanced(test, compared);
        self.set_limit(merged, next, to_spend);
    }

    /// Pays for an iteration if the stride is not small: it is not computed from the distance then (MERGE4).
    fn pay_for_large_stride(&mut self, merged: &Merged) {
        let (_, is_small) = self.stride(merged);
        let [none, steps] = [0, merged.steps].map(|steps| self.b.ins().iconst(types::I64, steps));
        let steps = self.b.ins().select(is_small, none, steps);
        let before = self.load_slot(merged, types::I64, FUEL);
        let left = self.b.ins().isub(before, steps);
        self.store_slot(merged, left, FUEL);
    }

    /// Asks for more fuel if there is not enough for the iteration with this induction variable.
    fn pay(&mut self, merged: &Merged, induction: ir::Value) {
        let left = self.fuel_at(merged, induction);
        let refuelled = self.refuelled(left, merged.test.header);
        self.set_fuel_at(merged, induction, refuelled);
    }

    /// Stores the fuel on an exit edge of a merged loop (MERGE3); does nothing on other edges.
    pub(in crate::codegen) fn store_fuel_on_exit(&mut self, to: Block) {
        if self.leaves_merged(to)
            && let Some(left) = self.current_fuel()
        {
            self.set_fuel(left);
        }
    }

    /// The fuel at the current instruction.
    pub(super) fn current_fuel(&mut self) -> Option<ir::Value> {
        match self.enclosing_merged() {
            Some(merged) => {
                let this = self.induction(&merged.test);
                Some(self.fuel_at(&merged, this))
            }
            None => {
                self.meter.as_ref()?.fuel?;
                Some(self.counted_fuel())
            }
        }
    }

    /// Sets the fuel at the current instruction, after other code has used some of it.
    pub(super) fn set_current_fuel(&mut self, left: ir::Value) {
        let Some(merged) = self.enclosing_merged() else { return self.set_fuel(left) };
        let this = self.induction(&merged.test);
        self.set_fuel_at(&merged, this, left);
        // The next test fails against this limit, and checks the fuel.
        let compared = self.compared_in(&merged.test, this);
        self.b.def_var(merged.limit, compared);
    }

    /// The fuel in its variable.
    fn counted_fuel(&mut self) -> ir::Value {
        let fuel = self.meter.as_ref().and_then(|meter| meter.fuel);
        self.b.use_var(fuel.expect("FUEL2: a function with a loop keeps the fuel in a variable"))
    }

    fn set_fuel(&mut self, left: ir::Value) {
        if let Some(fuel) = self.meter.as_ref().and_then(|meter| meter.fuel) {
            self.b.def_var(fuel, left);
        }
    }
}
