//! Float constants: in the table next to the code, in registers during loops, or as memory operands.

use cranelift_codegen::ir;
use cranelift_codegen::isa::OwnedTargetIsa;
use hashbrown::HashMap;
use overdub_context::analysis::{Dominators, LoopNest};
use overdub_context::ir::{Block, Func};

use crate::codegen::analysis::last_use::LoopFloats;
use crate::codegen::constant_pool::MemoryOperands;
use crate::side_tables::SideTables;

/// The locations of float constants.
pub(in crate::codegen) struct Constants {
    memory_operands: MemoryOperands,
    /// The positions of floats in the table, by their bits.
    positions: HashMap<u64, usize>,
    /// Floats in registers, by the loop during which they are held there, and by their bits.
    hoisted: HashMap<(u32, u64), ir::Value>,
    loop_floats: LoopFloats,
    /// The outermost loop around the current block.
    outermost_loop: Option<u32>,
}

impl Constants {
    pub(in crate::codegen) fn of(func: &Func, isa: &OwnedTargetIsa) -> Constants {
        Constants {
            memory_operands: MemoryOperands::of(func, isa),
            positions: HashMap::new(),
            hoisted: HashMap::new(),
            loop_floats: LoopFloats::default(),
            outermost_loop: None,
        }
    }

    /// Finds the constants of each loop.
    pub(in crate::codegen) fn find_loops(&mut self, func: &Func, dominators: &Dominators, nest: &LoopNest) {
        self.loop_floats = LoopFloats::of(func, self.memory_operands, dominators, nest);
    }

    pub(in crate::codegen) fn enter_block(&mut self, block: Block) {
        self.outermost_loop = self.loop_floats.outermost_loop(block);
    }

    /// Records that the current code is outside of loops.
    pub(in crate::codegen) fn exit_loops(&mut self) {
        self.outermost_loop = None;
    }

    /// The outermost loop around the current block.
    pub(in crate::codegen) fn outermost_loop(&self) -> Option<u32> {
        self.outermost_loop
    }

    /// Whether constants are memory operands in the current block.
    pub(in crate::codegen) fn are_in_memory(&self) -> bool {
        match self.memory_operands {
            MemoryOperands::Never => false,
            MemoryOperands::OutsideOfLoops => self.outermost_loop.is_none(),
            MemoryOperands::Always => true,
        }
    }

    /// The constants to load at the end of a block, by loop.
    pub(in crate::codegen) fn before_loops(&mut self, block: Block) -> Vec<(u32, Vec<f64>)> {
        self.loop_floats.before(block)
    }

    /// Records that a constant is in a register during a loop.
    pub(in crate::codegen) fn hoist(&mut self, id: u32, x: f64, value: ir::Value) {
        self.hoisted.insert((id, x.to_bits()), value);
    }

    /// The register of a constant during a loop.
    pub(in crate::codegen) fn hoisted(&self, id: u32, x: f64) -> Option<ir::Value> {
        self.hoisted.get(&(id, x.to_bits())).copied()
    }

    /// The address of a constant: the base of its part of the table, and the offset.
    pub(in crate::codegen) fn place(&mut self, tables: &mut SideTables, x: f64) -> (*const u8, i32) {
        let next = self.positions.len();
        let at = *self.positions.entry(x.to_bits()).or_insert(next);
        if at == next {
            if at.is_multiple_of(32) {
                tables.floats.push(Box::new([0; 32]));
            }
            tables.floats[at / 32][at % 32] = x.to_bits();
        }
        (tables.floats[at / 32].as_ptr().cast(), (at % 32 * 8) as i32)
    }
}
