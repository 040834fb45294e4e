//! Stack slots, through which words are passed to libcalls and back.

use cranelift_codegen::ir::{
    self, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, types,
};
use cranelift_frontend::FunctionBuilder;
use hashbrown::HashMap;

use super::func_cx::FuncCx;
use super::operands::Values;
use crate::abi::layout::Layout;
use crate::abi::signature::component_ty;

/// The stack slots of a function.
pub(super) struct Frame {
    /// One slot for all operands and results: no two are live at the same time.
    scratch: StackSlot,
    scratch_words: usize,
    /// Slots for the words that instrumentation checks, by size.
    checked: HashMap<u32, StackSlot>,
}

impl Frame {
    pub(super) fn of(b: &mut FunctionBuilder<'_>) -> Frame {
        Frame { scratch: words_slot(b, 8), scratch_words: 0, checked: HashMap::new() }
    }

    /// The scratch slot, with room for this many words.
    fn scratch_for(&mut self, words: usize) -> StackSlot {
        self.scratch_words = self.scratch_words.max(words);
        self.scratch
    }

    /// A slot of this size other than the scratch slot.
    pub(super) fn checked_slot(&mut self, b: &mut FunctionBuilder<'_>, bytes: u32) -> StackSlot {
        *self.checked.entry(bytes).or_insert_with(|| words_slot(b, bytes))
    }

    /// Sets the size of the scratch slot, once the whole function has been emitted.
    pub(super) fn finish(&self, b: &mut FunctionBuilder<'_>) {
        b.func.sized_stack_slots[self.scratch].size = (self.scratch_words.max(1) * 8) as u32;
    }
}

/// A slot that is aligned for words.
fn words_slot(b: &mut FunctionBuilder<'_>, bytes: u32) -> StackSlot {
    b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3))
}

impl FuncCx<'_> {
    /// Stores words to a stack slot with room for at least `min_words` words; returns the address.
    pub(super) fn spill(&mut self, words: &[ir::Value], min_words: usize) -> ir::Value {
        let slot = self.frame.scratch_for(words.len().max(min_words));
        let at = self.b.ins().stack_addr(types::I64, slot, 0);
        for (k, word) in words.iter().enumerate() {
            let offset = i32::try_from(k * 8).expect("fewer words than 2^28");
            // The upper bytes of a word that holds a narrow component are undefined (H1).
            self.b.ins().store(MemFlagsData::trusted(), *word, at, offset);
        }
        at
    }

    /// Loads the components of a value from an address.
    pub(super) fn reload(&mut self, at: ir::Value, layout: &Layout) -> Values {
        let components = layout.components.iter().enumerate();
        components
            .map(|(k, component)| {
                let offset = i32::try_from(k * 8).expect("fewer words than 2^28");
                self.b.ins().load(component_ty(*component), MemFlagsData::trusted(), at, offset)
            })
            .collect()
    }
}
