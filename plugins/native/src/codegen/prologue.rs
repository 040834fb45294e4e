//! The prologue of a function: its checks, and the jump to its first block.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, types};
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, InstKind};

use super::func_cx::FuncCx;
use super::symbols::SymbolName;
use crate::abi::layout::Layout;
use crate::abi::run_state::RunState;
use crate::runtime::libcalls::{self, libcall};

/// A function with at most this many variables fits into the stack space that is always left.
const FEW_VARS: usize = 200;

/// From this many block parameters on, regalloc2 spends more time on them than on three more blocks.
const MANY_PARAMS: usize = 40;

impl FuncCx<'_> {
    /// Returns if too many calls are open (CALLDEPTH1); continues on a new stack segment if the stack is nearly used
    /// up.
    pub(super) fn open(&mut self) {
        let trusted = MemFlagsData::trusted();
        let at = |field: usize| i32::try_from(field).expect("a run is small");
        let most = self.b.ins().load(types::I64, trusted, self.run, at(offset_of!(RunState, max_depth)));
        let too_deep = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, self.depth, most);
        let (deep, shallow) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(deep);
        self.b.ins().brif(too_deep, deep, &[], shallow, &[]);
        self.b.switch_to_block(deep);
        self.release_params();
        let status = self.libcall(libcall!(libcalls::too_deep), &[self.run], Some(types::I32));
        self.return_failed(status.expect("it gives a status"));
        self.b.switch_to_block(shallow);
        if self.fits_reserved_stack() {
            self.tables.fits_reserved_stack = true;
            return;
        }
        let stack = self.b.ins().get_stack_pointer(types::I64);
        let limit = self.b.ins().load(types::I64, trusted, self.run, at(offset_of!(RunState, stack_limit)));
        let used_up = self.b.ins().icmp(IntCC::UnsignedLessThan, stack, limit);
        let (new_stack, same_stack) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(new_stack);
        self.b.ins().brif(used_up, new_stack, &[], same_stack, &[]);
        self.b.switch_to_block(new_stack);
        self.continue_on_new_stack();
        self.b.switch_to_block(same_stack);
    }

    /// Whether the function fits into the stack space that is always left: it calls no function, and has few
    /// variables.
    fn fits_reserved_stack(&self) -> bool {
        let calls = |kind: &InstKind| matches!(kind, InstKind::Call { .. } | InstKind::Overdub { .. });
        let mut insts = self.func.blocks.iter().flat_map(|body| &body.insts);
        self.func.vars.len() <= FEW_VARS && !insts.any(|inst| calls(&inst.kind))
    }

    /// The components of the function's parameters.
    pub(super) fn param_words(&self) -> Vec<ir::Value> {
        let entry = self.b.func.layout.entry_block().expect("it was made first");
        let count: usize = self.func.param_tys().map(|ty| Layout::of(ty).components.len()).sum();
        self.b.block_params(entry)[2..count + 2].to_vec()
    }

    /// Releases the parameters (GEN2).
    pub(super) fn release_params(&mut self) {
        let words = self.param_words();
        let mut next = 0;
        for ty in self.func.param_tys().collect::<Vec<_>>() {
            let layout = Layout::of(ty);
            self.release(&layout, &words[next..next + layout.components.len()]);
            next += layout.components.len();
        }
    }

    /// Calls the function again on a new stack segment.
    fn continue_on_new_stack(&mut self) {
        let words = self.param_words();
        let ret = self.ret.clone();
        self.store_depth(self.depth);
        let at = self.spill(&words, ret.components.len());
        let thunk = self.address(self.refs.thunk, SymbolName::EntryThunk);
        let itself = self.b.ins().func_addr(types::I64, self.refs.direct);
        let results = self.results.unwrap_or(at);
        let args = [self.run, thunk, at, results, itself];
        let status = self.libcall(libcall!(libcalls::on_new_stack), &args, Some(types::I32));
        let status = status.expect("it gives a status");
        self.insert_gap(status);
        let mut returned = vec![status];
        if self.results.is_none() {
            returned.extend(self.reload(at, &ret));
        }
        self.b.ins().return_(&returned);
    }

    /// Branches on a status in a cold block, so that the next block in the layout does not use the status, but the
    /// one after does. For each value that is live at block entries, regalloc2 0.15 scans the parameters of all
    /// blocks, starting after the last value before it whose live range has such a gap; and it visits the values of
    /// the last blocks in the layout first.
    fn insert_gap(&mut self, status: ir::Value) {
        if self.func.blocks.iter().map(|body| body.params.len()).sum::<usize>() < MANY_PARAMS {
            return;
        }
        let [after, failed, fine] = [(); 3].map(|()| self.b.create_block());
        [after, failed, fine].into_iter().for_each(|block| self.b.set_cold_block(block));
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
        self.b.ins().brif(status, failed, &[], fine, &[]);
        self.b.switch_to_block(failed);
        self.return_failed(status);
        self.b.switch_to_block(fine);
    }

    /// Jumps from the parameters to the first block, which is merged with the prologue if it has no predecessors.
    pub(super) fn enter(&mut self, cfg: &Cfg) {
        if cfg.preds(Block::ENTRY).is_empty() {
            self.control.blocks[0] = self.b.current_block().expect("its checks end in a block");
            return;
        }
        let args: Vec<BlockArg> = self.param_words().into_iter().map(BlockArg::Value).collect();
        self.b.ins().jump(self.control.blocks[0], &args);
    }

    /// Whether the current Cranelift block is that of this block.
    pub(super) fn is_current(&self, block: Block) -> bool {
        self.b.current_block() == Some(self.control.blocks[block.index()])
    }
}
