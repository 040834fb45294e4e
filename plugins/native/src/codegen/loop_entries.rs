//! How loops are entered: by a block between what comes before and the header, where a loop needs one.

use cranelift_codegen::ir::{self, BlockArg, InstBuilder};
use overdub_context::ir::Block;

use super::func_cx::FuncCx;
use super::meter::Meter;

impl FuncCx<'_> {
    /// Where a branch from the block at hand to this one goes.
    pub(super) fn way_to(&mut self, to: Block) -> ir::Block {
        let enters_merged = |meter: &Meter| meter.enters_merged(self.control.at, to);
        if !self.control.lanes.enters(self.control.at, to) && !self.meter.as_ref().is_some_and(enters_merged)
        {
            return self.control.blocks[to.index()];
        }
        let b = &mut self.b;
        *self.control.loop_entries.entry(to).or_insert_with(|| b.create_block())
    }

    /// What comes before the first round of a loop, where branches from outside come in.
    pub(super) fn enter_loop(&mut self, header: Block) {
        let Some(entry) = self.control.loop_entries.remove(&header) else { return };
        let to = self.control.blocks[header.index()];
        let words = self.params_like(to, entry);
        self.b.switch_to_block(entry);
        if !self.meter.as_ref().is_some_and(|meter| meter.is_merged(header)) {
            return self.by_lanes(header, &words, to);
        }
        let first = self.b.create_block();
        self.by_lanes(header, &words, first);
        let words = self.params_like(to, first);
        self.b.switch_to_block(first);
        self.define_params(header, &words);
        self.begin_merged(header);
        let args: Vec<BlockArg> = words.into_iter().map(BlockArg::Value).collect();
        self.b.ins().jump(to, &args);
    }

    /// Gives a block the parameters that another one has.
    fn params_like(&mut self, other: ir::Block, block: ir::Block) -> Vec<ir::Value> {
        let params = self.b.block_params(other).to_vec();
        let tys: Vec<ir::Type> = params.iter().map(|param| self.b.func.dfg.value_type(*param)).collect();
        tys.into_iter().map(|ty| self.b.append_block_param(block, ty)).collect()
    }
}
