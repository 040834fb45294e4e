//! Terminators of blocks.

use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, types};
use overdub_context::ir::{Terminator, TerminatorKind};

use super::analysis::last_use::BlockUses;
use super::func_cx::FuncCx;
use crate::runtime::libcalls::{self, libcall};

impl FuncCx<'_> {
    /// Lowers a terminator.
    pub(super) fn terminator(&mut self, end: &Terminator, uses: &BlockUses) {
        self.begin_op("the end of the block", end.span);
        match &end.kind {
            TerminatorKind::Br(target) => {
                let args = self.edge(target);
                let to = self.target_block(target.block);
                self.b.ins().jump(to, &args);
            }
            TerminatorKind::BrIf { then, otherwise, .. } if self.branch_merged(then, otherwise) => {}
            TerminatorKind::BrIf { cond, then, otherwise } => {
                let cond = self.scalar(cond);
                self.branch(cond, then, otherwise);
            }
            TerminatorKind::Switch { on, cases, otherwise } => {
                let cases = cases.iter().map(|case| (case.value, &case.target));
                self.switch(on, cases.collect(), otherwise.as_ref(), uses.ends, end.span);
            }
            TerminatorKind::Ret(value) => {
                let words = self.take(value, uses.ends);
                self.release_owned();
                self.ret(&words);
            }
            TerminatorKind::Fail(message) => {
                let message = self.scalar(message);
                self.libcall(libcall!(libcalls::fail), &[self.run, message], Some(types::I32));
                let failed = self.failed(end.span);
                self.b.ins().jump(failed, &[]);
            }
        }
    }

    /// Releases all owned variables.
    fn release_owned(&mut self) {
        for var in self.ownership.owned.clone() {
            self.release_var(var);
        }
    }

    /// Returns the words of the result.
    fn ret(&mut self, words: &[ir::Value]) {
        self.end_frame(words);
        self.store_fuel_for_callee();
        let mut returned = vec![self.b.ins().iconst(types::I32, 0)];
        match self.results {
            None => returned.extend(words),
            Some(results) => {
                for (k, word) in words.iter().enumerate() {
                    let offset = i32::try_from(k * 8).expect("fewer words than 2^28");
                    self.b.ins().store(MemFlagsData::trusted(), *word, results, offset);
                }
            }
        }
        self.b.ins().return_(&returned);
    }
}
