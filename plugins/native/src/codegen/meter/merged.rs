//! Fuel metering by the exit test of a loop: an iteration needs no instruction more than in code without
//! limits.
//!
//! - MERGE1 the induction variable is compared with a limit instead of the bound. The limit is the bound, or
//!   a value before it at which the fuel may be used up. If the test against the limit fails, fuel and bound
//!   are checked separately.
//! - MERGE2 in the loop the fuel is not counted but computed: a stack slot, less the steps of an iteration
//!   times the induction variable. The arithmetic is modulo 2^64, or 2^32 for a variable of 32 bits, which
//!   the fuel fits into.
//! - MERGE3 an iteration is paid for before it begins, or at the end of the header if that is where the test
//!   is. Each exit edge of the loop stores the fuel to its variable (FUEL2).

use cranelift_codegen::ir::condcodes::{CondCode as _, IntCC};
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, types};
use overdub_context::ir::{Block, Operand, Target};

use super::induction::{Approach, ExitTest, TestPosition};
use super::{FuncCx, Merged};

impl FuncCx<'_> {
    /// The merged loop that contains the current block.
    fn merged_around(&self) -> Option<Merged> {
        self.meter.as_ref()?.merged_around(self.control.at).cloned()
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

    /// The difference between slot and fuel (MERGE2).
    fn paid(&mut self, merged: &Merged, induction: ir::Value) -> ir::Value {
        self.b.ins().imul_imm_s(induction, merged.steps * merged.test.step)
    }

    /// The fuel that is left once the iteration with this induction variable is paid for.
    fn fuel_at(&mut self, merged: &Merged, induction: ir::Value) -> ir::Value {
        let ty = self.b.func.dfg.value_type(induction);
        let slot = self.b.ins().stack_load(types::I64, ty, merged.slot, 0);
        let paid = self.paid(merged, induction);
        let left = self.b.ins().isub(slot, paid);
        if ty == types::I64 { left } else { self.b.ins().sextend(types::I64, left) }
    }

    /// Sets the slot so that `left` is the fuel in that iteration.
    fn set_fuel_at(&mut self, merged: &Merged, induction: ir::Value, left: ir::Value) {
        let ty = self.b.func.dfg.value_type(induction);
        let paid = self.paid(merged, induction);
        let left = if ty == types::I64 { left } else { self.b.ins().ireduce(ty, left) };
        let slot = self.b.ins().iadd(left, paid);
        self.b.ins().stack_store(types::I64, slot, merged.slot, 0);
    }

    /// Pays, before the loop and with the parameters of its header defined, for what precedes the first test.
    pub(in crate::codegen) fn begin_merged(&mut self, header: Block) {
        let Some(merged) = self.meter.as_ref().and_then(|meter| meter.merged.get(&header)).cloned() else {
            return;
        };
        let test = &merged.test;
        let fuel = self
            .meter
            .as_ref()
            .and_then(|meter| meter.fuel)
            .expect("FUEL2: a function with a loop keeps the fuel in a variable");
        let before = self.b.use_var(fuel);
        let left = self.b.ins().iadd_imm_s(before, -merged.steps);
        let first = self.induction(test);
        let first_compared = self.b.ins().iadd_imm_s(first, test.ahead);
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
        self.set_fuel_at(&merged, first, left);
        self.set_limit(&merged, first_compared, to_spend);
    }

    /// Sets the limit (MERGE1) for `to_spend` steps of fuel, from the iteration whose test compares `compared`.
    fn set_limit(&mut self, merged: &Merged, compared: ir::Value, to_spend: ir::Value) {
        let test = &merged.test;
        let ty = self.b.func.dfg.value_type(compared);
        let bound = self.scalar(&test.bound);
        // A division by multiplication: the fuel has fewer than 32 bits, so the quotient is exact or one too small.
        let by_steps = self.b.ins().imul_imm_s(to_spend, (1 << 32) / merged.steps);
        let rounds = self.b.ins().ushr_imm_u(by_steps, 32);
        let rounds = if ty == types::I64 { rounds } else { self.b.ins().ireduce(ty, rounds) };
        let limit = match (test.approach, test.step) {
            (Approach::Rising, _) => {
                let last = self.b.ins().iadd(compared, rounds);
                match test.ty.is_signed() {
                    true => self.b.ins().smin(bound, last),
                    false => self.b.ins().umin(bound, last),
                }
            }
            (Approach::Falling, _) => {
                let all = self.b.ins().isub(compared, bound);
                let few = self.b.ins().umin(all, rounds);
                let last = self.b.ins().isub(compared, few);
                let greater = self.fast_cond(test);
                let is_above = self.b.ins().icmp(greater, compared, bound);
                self.b.ins().select(is_above, last, bound)
            }
            (Approach::Equality, 1) => {
                let all = self.b.ins().isub(bound, compared);
                let few = self.b.ins().umin(all, rounds);
                self.b.ins().iadd(compared, few)
            }
            (Approach::Equality, _) => {
                let all = self.b.ins().isub(compared, bound);
                let few = self.b.ins().umin(all, rounds);
                self.b.ins().isub(compared, few)
            }
        };
        self.b.def_var(merged.limit, limit);
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
        let Some(merged) = self.merged_around().filter(|merged| merged.test.at == self.control.at) else {
            return false;
        };
        let test = &merged.test;
        let leaves_first = self.leaves_merged(then.block);
        let (stay, leave) = if leaves_first { (otherwise, then) } else { (then, otherwise) };
        let (stay_block, stay_args) = self.side(stay);
        let [asking, left_over, leaving] = [(); 3].map(|()| self.b.create_block());
        // Otherwise these blocks would be laid out in the middle of the loop.
        self.b.set_cold_block(asking);
        self.b.set_cold_block(left_over);
        self.test_limit(&merged, asking, (stay_block, &stay_args));
        self.b.switch_to_block(asking);
        if test.tested == TestPosition::Header {
            let this = self.induction(test);
            self.pay(&merged, this);
        }
        let compared = self.scalar(&Operand::Var(test.compared));
        let bound = self.scalar(&test.bound);
        // The exit edge is named first: the loop is reached from `left_over` too, and is laid out before the
        // code after it (BRANCH1).
        let ends = self.b.ins().icmp(test.stays.complement(), compared, bound);
        self.b.ins().brif(ends, leaving, &[], left_over, &[]);
        self.b.switch_to_block(left_over);
        self.spend_more(&merged);
        self.b.ins().jump(stay_block, &stay_args);
        self.emit_split_edges([(stay, stay_block), (leave, leaving)]);
        true
    }

    /// Emits the test against the limit, which every iteration makes (MERGE1).
    fn test_limit(&mut self, merged: &Merged, asking: ir::Block, stay: (ir::Block, &[BlockArg])) {
        let test = &merged.test;
        let compared = self.scalar(&Operand::Var(test.compared));
        let limit = self.b.use_var(merged.limit);
        let fast = self.fast_cond(test);
        // In the order of BRANCH2.
        match test.tested {
            TestPosition::Latch => {
                let goes_on = self.b.ins().icmp(fast, compared, limit);
                self.b.ins().brif(goes_on, stay.0, stay.1, asking, &[]);
            }
            TestPosition::Header => {
                let asks = self.b.ins().icmp(fast.complement(), compared, limit);
                self.b.ins().brif(asks, asking, &[], stay.0, stay.1);
            }
        }
    }

    /// Emits the code that continues the loop before the bound: pays for the next iteration and sets a new
    /// limit.
    fn spend_more(&mut self, merged: &Merged) {
        let test = &merged.test;
        let mut paid = self.induction(test);
        if test.tested == TestPosition::Latch {
            paid = self.b.ins().iadd_imm_s(paid, test.step);
            self.pay(merged, paid);
        }
        let to_spend = self.fuel_at(merged, paid);
        let compared = self.scalar(&Operand::Var(test.compared));
        let next = self.b.ins().iadd_imm_s(compared, test.step);
        self.set_limit(merged, next, to_spend);
    }

    /// Asks for more fuel if there is not enough for the iteration with this induction variable.
    fn pay(&mut self, merged: &Merged, induction: ir::Value) {
        let left = self.fuel_at(merged, induction);
        let now = self.refuelled(left, merged.test.header);
        self.set_fuel_at(merged, induction, now);
    }

    /// Stores the fuel on an exit edge of a merged loop (MERGE3); does nothing on other edges.
    pub(in crate::codegen) fn leave_merged(&mut self, to: Block) {
        if self.leaves_merged(to)
            && let Some(left) = self.fuel_here()
        {
            self.set_fuel(left);
        }
    }

    /// The fuel at the current instruction.
    pub(super) fn fuel_here(&mut self) -> Option<ir::Value> {
        match self.merged_around() {
            Some(merged) => {
                let this = self.induction(&merged.test);
                Some(self.fuel_at(&merged, this))
            }
            None => {
                let fuel = self.meter.as_ref()?.fuel?;
                Some(self.b.use_var(fuel))
            }
        }
    }

    /// Sets the fuel at the current instruction, after other code has used some of it.
    pub(super) fn set_fuel_here(&mut self, left: ir::Value) {
        let Some(merged) = self.merged_around() else { return self.set_fuel(left) };
        let this = self.induction(&merged.test);
        self.set_fuel_at(&merged, this, left);
        // The next test fails against this limit, and then checks the fuel.
        let asks = self.b.ins().iadd_imm_s(this, merged.test.ahead);
        self.b.def_var(merged.limit, asks);
    }

    fn set_fuel(&mut self, left: ir::Value) {
        if let Some(fuel) = self.meter.as_ref().and_then(|meter| meter.fuel) {
            self.b.def_var(fuel, left);
        }
    }
}
