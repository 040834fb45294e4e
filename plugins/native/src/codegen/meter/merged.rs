//! Loops whose exit test looks after the fuel as well: a round takes no instruction more than without limits.
//!
//! - M1 the induction variable is compared with a limit, which is the bound or comes before it: where no fuel may be left.
//!   Beyond the limit, fuel and bound are looked at one by one.
//! - M2 inside, the fuel is not counted but computed: it is what a slot of the stack has, less the steps of a round for each
//!   one of the induction variable. All of that is modulo 2^64, or 2^32 where the variable is so narrow: the fuel fits.
//! - M3 the steps of a round are there before it begins, or where its header ends that tests it; each way out of the loop
//!   leaves the fuel where it is outside of such loops.

use cranelift_codegen::ir::condcodes::{CondCode as _, IntCC};
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, types};
use overdub_context::ir::{Block, Operand, Target};

use super::induction::{ExitTest, Tested, Until};
use super::{FuncCx, Merged};

impl FuncCx<'_> {
    /// The merged loop around the block at hand.
    fn merged_around(&self) -> Option<Merged> {
        self.meter.as_ref()?.merged_around(self.control.at).cloned()
    }

    /// Whether a branch from the block at hand leaves a merged loop.
    pub(in crate::codegen) fn leaves_merged(&self, to: Block) -> bool {
        self.meter.as_ref().is_some_and(|meter| meter.leaves_merged(self.control.at, to))
    }

    /// The induction variable in the round at hand.
    fn induction(&mut self, test: &ExitTest) -> ir::Value {
        let var = self.func.block(test.header).params[test.param];
        self.scalar(&Operand::Var(var))
    }

    /// What the fuel and the slot differ by (M2).
    fn paid(&mut self, merged: &Merged, induction: ir::Value) -> ir::Value {
        self.b.ins().imul_imm_s(induction, merged.steps * merged.test.step)
    }

    /// The fuel that is left when the round is paid that has this induction variable.
    fn fuel_at(&mut self, merged: &Merged, induction: ir::Value) -> ir::Value {
        let ty = self.b.func.dfg.value_type(induction);
        let slot = self.b.ins().stack_load(types::I64, ty, merged.slot, 0);
        let paid = self.paid(merged, induction);
        let left = self.b.ins().isub(slot, paid);
        if ty == types::I64 { left } else { self.b.ins().sextend(types::I64, left) }
    }

    /// Sets the slot so that `left` is the fuel in that round.
    fn set_fuel_at(&mut self, merged: &Merged, induction: ir::Value, left: ir::Value) {
        let ty = self.b.func.dfg.value_type(induction);
        let paid = self.paid(merged, induction);
        let left = if ty == types::I64 { left } else { self.b.ins().ireduce(ty, left) };
        let slot = self.b.ins().iadd(left, paid);
        self.b.ins().stack_store(types::I64, slot, merged.slot, 0);
    }

    /// Before the loop begins, with the header's parameters defined: pays what comes before the first test.
    pub(in crate::codegen) fn begin_merged(&mut self, header: Block) {
        let Some(merged) = self.meter.as_ref().and_then(|meter| meter.merged.get(&header)).cloned() else {
            return;
        };
        let test = &merged.test;
        let fuel = self.meter.as_ref().and_then(|meter| meter.fuel).expect("F2: there is a loop");
        let before = self.b.use_var(fuel);
        let left = self.b.ins().iadd_imm_s(before, -merged.steps);
        let first = self.induction(test);
        let first_compared = self.b.ins().iadd_imm_s(first, test.ahead);
        let (left, to_spend) = match test.tested {
            // Lanes may have taken more than there was.
            Tested::AtHeader => {
                let none = self.b.ins().iconst(types::I64, 0);
                (left, self.b.ins().smax(before, none))
            }
            Tested::AtLatch => {
                let left = self.refuelled(left, header);
                (left, left)
            }
        };
        self.set_fuel_at(&merged, first, left);
        self.set_limit(&merged, first_compared, to_spend);
    }

    /// Sets the limit (M1), with fuel to spend on rounds from the one on whose test compares `compared`.
    fn set_limit(&mut self, merged: &Merged, compared: ir::Value, to_spend: ir::Value) {
        let test = &merged.test;
        let ty = self.b.func.dfg.value_type(compared);
        let bound = self.scalar(&test.bound);
        // One less than there are, at most: the fuel has fewer than 32 bits.
        let by_steps = self.b.ins().imul_imm_s(to_spend, (1 << 32) / merged.steps);
        let rounds = self.b.ins().ushr_imm_u(by_steps, 32);
        let rounds = if ty == types::I64 { rounds } else { self.b.ins().ireduce(ty, rounds) };
        let limit = match (test.until, test.step) {
            (Until::Above, _) => {
                let last = self.b.ins().iadd(compared, rounds);
                match test.ty.is_signed() {
                    true => self.b.ins().smin(bound, last),
                    false => self.b.ins().umin(bound, last),
                }
            }
            (Until::Below, _) => {
                let all = self.b.ins().isub(compared, bound);
                let few = self.b.ins().umin(all, rounds);
                let last = self.b.ins().isub(compared, few);
                let greater = self.fast_cond(test);
                let is_above = self.b.ins().icmp(greater, compared, bound);
                self.b.ins().select(is_above, last, bound)
            }
            (Until::Equal, 1) => {
                let all = self.b.ins().isub(bound, compared);
                let few = self.b.ins().umin(all, rounds);
                self.b.ins().iadd(compared, few)
            }
            (Until::Equal, _) => {
                let all = self.b.ins().isub(compared, bound);
                let few = self.b.ins().umin(all, rounds);
                self.b.ins().isub(compared, few)
            }
        };
        self.b.def_var(merged.limit, limit);
    }

    /// What holds of the compared variable and the limit while no question is to be asked.
    fn fast_cond(&self, test: &ExitTest) -> IntCC {
        let cond = match test.until {
            Until::Above => IntCC::SignedLessThan,
            Until::Below => IntCC::SignedGreaterThan,
            Until::Equal => return IntCC::NotEqual,
        };
        if test.ty.is_signed() { cond } else { cond.unsigned() }
    }

    /// Goes one of two ways, if the block at hand ends in the exit test of a merged loop; says whether it does.
    pub(in crate::codegen) fn branch_merged(&mut self, then: &Target, otherwise: &Target) -> bool {
        let Some(merged) = self.merged_around().filter(|merged| merged.test.at == self.control.at) else {
            return false;
        };
        let test = &merged.test;
        let leaves_first = self.leaves_merged(then.block);
        let (stay, leave) = if leaves_first { (otherwise, then) } else { (then, otherwise) };
        let (stay_block, stay_args) = self.side(stay);
        let [asking, left_over, leaving] = [(); 3].map(|()| self.b.create_block());
        // Else it would stand in the middle of a round.
        self.b.set_cold_block(asking);
        self.b.set_cold_block(left_over);
        self.test_limit(&merged, asking, (stay_block, &stay_args));
        self.b.switch_to_block(asking);
        if test.tested == Tested::AtHeader {
            let this = self.induction(test);
            self.pay(&merged, this);
        }
        let compared = self.scalar(&Operand::Var(test.compared));
        let bound = self.scalar(&test.bound);
        let goes_on = self.b.ins().icmp(test.stays, compared, bound);
        self.b.ins().brif(goes_on, left_over, &[], leaving, &[]);
        self.b.switch_to_block(left_over);
        self.spend_more(&merged);
        self.b.ins().jump(stay_block, &stay_args);
        self.emit_split_edges([(stay, stay_block), (leave, leaving)]);
        true
    }

    /// The test of every round (M1).
    fn test_limit(&mut self, merged: &Merged, asking: ir::Block, stay: (ir::Block, &[BlockArg])) {
        let test = &merged.test;
        let compared = self.scalar(&Operand::Var(test.compared));
        let limit = self.b.use_var(merged.limit);
        let fast = self.fast_cond(test);
        // N2
        match test.tested {
            Tested::AtLatch => {
                let goes_on = self.b.ins().icmp(fast, compared, limit);
                self.b.ins().brif(goes_on, stay.0, stay.1, asking, &[]);
            }
            Tested::AtHeader => {
                let asks = self.b.ins().icmp(fast.complement(), compared, limit);
                self.b.ins().brif(asks, asking, &[], stay.0, stay.1);
            }
        }
    }

    /// Goes on before the bound: the round to come is paid, and there is a new limit.
    fn spend_more(&mut self, merged: &Merged) {
        let test = &merged.test;
        let mut paid = self.induction(test);
        if test.tested == Tested::AtLatch {
            paid = self.b.ins().iadd_imm_s(paid, test.step);
            self.pay(merged, paid);
        }
        let to_spend = self.fuel_at(merged, paid);
        let compared = self.scalar(&Operand::Var(test.compared));
        let next = self.b.ins().iadd_imm_s(compared, test.step);
        self.set_limit(merged, next, to_spend);
    }

    /// Asks for more where there is not enough for the round that has this induction variable.
    fn pay(&mut self, merged: &Merged, induction: ir::Value) {
        let left = self.fuel_at(merged, induction);
        let now = self.refuelled(left, merged.test.header);
        self.set_fuel_at(merged, induction, now);
    }

    /// On a way out of a merged loop (M3); does nothing on others.
    pub(in crate::codegen) fn leave_merged(&mut self, to: Block) {
        if self.leaves_merged(to)
            && let Some(left) = self.fuel_here()
        {
            self.set_fuel(left);
        }
    }

    /// The fuel at this place.
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

    /// What else ran has left so much fuel.
    pub(super) fn set_fuel_here(&mut self, left: ir::Value) {
        let Some(merged) = self.merged_around() else { return self.set_fuel(left) };
        let this = self.induction(&merged.test);
        self.set_fuel_at(&merged, this, left);
        // The next test asks.
        let asks = self.b.ins().iadd_imm_s(this, merged.test.ahead);
        self.b.def_var(merged.limit, asks);
    }

    fn set_fuel(&mut self, left: ir::Value) {
        if let Some(fuel) = self.meter.as_ref().and_then(|meter| meter.fuel) {
            self.b.def_var(fuel, left);
        }
    }
}
