//! Control flow: the Cranelift blocks of a function's blocks, entries of loops, and cleanup blocks.

use cranelift_codegen::ir;
use cranelift_frontend::FunctionBuilder;
use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, LoopNest};
use overdub_context::ir::{Block, Func};

use crate::codegen::branches::BranchLayouts;
use crate::codegen::cleanup::Cleanups;
use crate::codegen::simd::SimdLoops;

/// The control flow of a function.
pub(in crate::codegen) struct Control {
    /// The Cranelift block of each block.
    pub(in crate::codegen) blocks: Vec<ir::Block>,
    /// The current block.
    pub(in crate::codegen) at: Block,
    /// The layout of branches in loops.
    pub(in crate::codegen) order: BranchLayouts,
    /// Loops with a SIMD version.
    pub(in crate::codegen) simd: SimdLoops,
    /// Preheaders that have been emitted for loops, by header.
    pub(in crate::codegen) loop_entries: HashMap<Block, ir::Block>,
    pub(in crate::codegen) cleanups: Cleanups,
}

impl Control {
    pub(in crate::codegen) fn of(func: &Func, b: &mut FunctionBuilder<'_>) -> Control {
        Control {
            blocks: func.blocks.iter().map(|_| b.create_block()).collect(),
            at: Block::ENTRY,
            order: BranchLayouts::default(),
            simd: SimdLoops::default(),
            loop_entries: HashMap::new(),
            cleanups: Cleanups::default(),
        }
    }

    /// Finds the layout of loops, and those with a SIMD version.
    pub(in crate::codegen) fn find_loops(&mut self, func: &Func, cfg: &Cfg, nest: &LoopNest) {
        self.simd = SimdLoops::of(func, cfg, nest);
        self.order = BranchLayouts::of(func, cfg, nest);
    }
}
