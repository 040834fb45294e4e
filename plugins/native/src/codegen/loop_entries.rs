//! Entries of loops: the block before a header, if the loop needs one for its SIMD version or its metering.

use cranelift_codegen::ir::{self, BlockArg, InstBuilder};
use overdub_context::ir::Block;

use super::func_cx::FuncCx;
use super::meter::Meter;

impl FuncCx<'_> {
    /// The Cranelift block to which a branch from the current block to this one jumps.
    pub(super) fn target_block(&mut self, to: Block) -> ir::Block {
        let enters_merged = |meter: &Meter| meter.enters_merged(self.control.at, to);
        if !self.control.simd.enters(self.control.at, to) && !self.meter.as_ref().is_some_and(enters_merged) {
            return self.control.blocks[to.index()];
        }
        let b = &mut self.b;
        *self.control.loop_entries.entry(to).or_insert_with(|| b.create_block())
    }

    /// Emits the code before a loop.
    pub(super) fn enter_loop(&mut self, header: Block) {
        let Some(entry) = self.control.loop_entries.remove(&header) else { return };
        let to = self.control.blocks[header.index()];
        let words = self.append_params_like(to, entry);
        self.b.switch_to_block(entry);
        if !self.meter.as_ref().is_some_and(|meter| meter.is_merged(header)) {
            return self.simd_loop(header, &words, to);
        }
        let first = self.b.create_block();
        self.simd_loop(header, &words, first);
        let words = self.append_params_like(to, first);
        self.b.switch_to_block(first);
        self.define_params(header, &words);
        self.begin_merged(header);
        let args: Vec<BlockArg> = words.into_iter().map(BlockArg::Value).collect();
        self.b.ins().jump(to, &args);
    }

    /// Appends parameters like those of another block.
    fn append_params_like(&mut self, other: ir::Block, block: ir::Block) -> Vec<ir::Value> {
        let params = self.b.block_params(other).to_vec();
        let tys: Vec<ir::Type> = params.iter().map(|param| self.b.func.dfg.value_type(*param)).collect();
        tys.into_iter().map(|ty| self.b.append_block_param(block, ty)).collect()
    }
}
