//! Steps that a program counts itself: a number in the run state, which the run reports when it ends.

use std::mem::offset_of;

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, types};

use super::OpInst;
use crate::abi::run_state::RunState;
use crate::codegen::func_cx::FuncCx;
use crate::codegen::operands::Values;

impl FuncCx<'_> {
    /// `steps.add` of a constant.
    pub(in crate::codegen) fn steps_add(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [count] = inst.args else { return None };
        let (_, count) = count.constant()?.value().as_int()?;
        let count = i64::try_from(count).ok()?;
        let at = i32::try_from(offset_of!(RunState, counted)).expect("a run is small");
        let before = self.b.ins().load(types::I64, MemFlagsData::trusted(), self.run, at);
        let after = self.b.ins().iadd_imm_s(before, count);
        self.b.ins().store(MemFlagsData::trusted(), after, self.run, at);
        Some(Values::new())
    }
}
