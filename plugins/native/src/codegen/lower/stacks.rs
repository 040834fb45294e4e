//! Stacks of scalar records, pushed and popped in place.

use std::sync::Arc;

use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, condcodes::IntCC, types};
use smallvec::smallvec;

use crate::abi::layout::{Layout, LayoutKind};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::lower::OpInst;
use crate::codegen::operands::Values;
use crate::codegen::symbols::SymbolName;
use crate::runtime::libcalls::{self, libcall};
use crate::runtime::trampolines::Trampoline;
use crate::values::tape::{BASE, COUNT, END, TOP, TapeSite};

/// The size of a word in bytes.
const WORD: i64 = 8;

impl FuncCx<'_> {
    /// The layout of the records of the first operand, if it is a tape.
    fn record_of(&self, inst: &OpInst<'_>) -> Option<Arc<Layout>> {
        match &self.layout(inst.args.first()?).shape {
            LayoutKind::Tape(record) => Some(record.clone()),
            _ => None,
        }
    }

    /// `stack.peek`.
    pub(in crate::codegen) fn stack_peek(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let record = self.record_of(inst)?;
        let tape = self.tape(inst);
        let top = self.top_of_some(inst, tape);
        Some(self.record_below(&record, top))
    }

    /// `stack.len`.
    pub(in crate::codegen) fn stack_len(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let record = self.record_of(inst)?;
        let tape = self.tape(inst);
        let (base, top) = (self.tape_field(tape, BASE), self.tape_field(tape, TOP));
        let bytes = self.b.ins().isub(top, base);
        let width = self.b.ins().iconst(types::I64, width(&record));
        Some(smallvec![self.b.ins().udiv(bytes, width)])
    }

    /// `stack.new`.
    pub(in crate::codegen) fn stack_new(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = Layout::of(inst.ret);
        let LayoutKind::Tape(record) = &layout.shape else { return None };
        self.tables.tape_sites.push(Box::new(TapeSite { record: record.clone() }));
        let site = &raw const **self.tables.tape_sites.last().expect("it was pushed just now");
        let site = self.address(site.cast(), SymbolName::TapeSite);
        let tape = self.libcall(libcall!(libcalls::new_tape), &[self.run, site], Some(types::I64));
        Some(smallvec![tape.expect("it gives a word")])
    }

    /// The first operand, a tape; fails if it is a hole.
    fn tape(&mut self, inst: &OpInst<'_>) -> ir::Value {
        let tape = self.scalar(&inst.args[0]);
        if !self.is_unique(inst) {
            let is_not_hole = self.is_not_hole(tape);
            self.check(is_not_hole, inst);
        }
        self.check_tape(tape, false);
        tape
    }

    /// Whether the first operand is known to be uniquely owned (UNIQ1).
    fn is_unique(&self, inst: &OpInst<'_>) -> bool {
        inst.args[0].var().is_some_and(|var| self.ownership.unique_stacks.contains(&var))
    }

    fn tape_field(&mut self, tape: ir::Value, field: usize) -> ir::Value {
        let offset = i32::try_from(field).expect("a tape is small");
        self.b.ins().load(types::I64, MemFlagsData::trusted(), tape, offset)
    }

    /// The top of a tape; fails if it is empty.
    fn top_of_some(&mut self, inst: &OpInst<'_>, tape: ir::Value) -> ir::Value {
        let (base, top) = (self.tape_field(tape, BASE), self.tape_field(tape, TOP));
        let empty = self.b.ins().icmp(IntCC::Equal, base, top);
        self.check_not(empty, inst);
        top
    }

    /// Loads the record that ends at an address.
    fn record_below(&mut self, record: &Layout, top: ir::Value) -> Values {
        let at = self.b.ins().iadd_imm_s(top, -width(record));
        self.reload(at, record)
    }

    /// `stack.push`.
    pub(in crate::codegen) fn stack_push(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let record = self.record_of(inst)?;
        let [_, value] = inst.args else { return None };
        self.tape(inst);
        let words = self.read(value);
        let tape = self.take(&inst.args[0], inst.last[0])[0];
        if self.is_unique(inst) {
            self.check_tape(tape, true);
        }
        let (top, end) = (self.tape_field(tape, TOP), self.tape_field(tape, END));
        let left = self.b.ins().isub(end, top);
        let has_capacity = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, left, width(&record));
        let (tape, top) = match self.is_unique(inst) {
            // The tape stays at its address; only its records move.
            true => (tape, self.with_capacity(inst, has_capacity, tape, top)),
            false => {
                let is_unique = self.is_unique_tape(tape);
                let ready = self.b.ins().band(has_capacity, is_unique);
                self.prepared_tape(inst, ready, tape, top)
            }
        };
        for (k, word) in words.iter().enumerate() {
            let offset = i32::try_from(k as i64 * WORD).expect("a record has few leaves");
            // The upper bytes of a word that holds a narrow component are undefined (H1).
            self.b.ins().store(MemFlagsData::trusted(), *word, top, offset);
        }
        let above = self.b.ins().iadd_imm_s(top, width(&record));
        self.set_top(tape, above);
        Some(smallvec![tape])
    }

    /// `stack.pop`.
    pub(in crate::codegen) fn stack_pop(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let record = self.record_of(inst)?;
        let tape = self.tape(inst);
        let top = self.top_of_some(inst, tape);
        let tape = self.take(&inst.args[0], inst.last[0])[0];
        if self.is_unique(inst) {
            self.check_tape(tape, true);
        }
        let (tape, top) = match self.is_unique(inst) {
            true => (tape, top),
            false => {
                let is_unique = self.is_unique_tape(tape);
                self.prepared_tape(inst, is_unique, tape, top)
            }
        };
        let mut words = self.record_below(&record, top);
        let below = self.b.ins().iadd_imm_s(top, -width(&record));
        self.set_top(tape, below);
        words.push(tape);
        Some(words)
    }

    /// Whether a tape has one owner.
    fn is_unique_tape(&mut self, tape: ir::Value) -> ir::Value {
        let count = self.tape_field(tape, COUNT);
        self.b.ins().icmp_imm_s(IntCC::Equal, count, 1)
    }

    fn set_top(&mut self, tape: ir::Value, top: ir::Value) {
        let offset = i32::try_from(TOP).expect("a tape is small");
        self.b.ins().store(MemFlagsData::trusted(), top, tape, offset);
    }

    /// The tape and its top: unchanged if it is `ready`, else with one owner and room for one more record.
    fn prepared_tape(
        &mut self,
        inst: &OpInst<'_>,
        ready: ir::Value,
        tape: ir::Value,
        top: ir::Value,
    ) -> (ir::Value, ir::Value) {
        let (slow, ready_block) = (self.b.create_block(), self.b.create_block());
        let unique_tape = self.b.append_block_param(ready_block, types::I64);
        let unique_top = self.b.append_block_param(ready_block, types::I64);
        let same = [BlockArg::Value(tape), BlockArg::Value(top)];
        self.b.ins().brif(ready, ready_block, &same, slow, &[]);
        let (prepared, top) = self.prepare_slow(inst, slow, tape);
        self.b.ins().jump(ready_block, &[BlockArg::Value(prepared), BlockArg::Value(top)]);
        self.b.switch_to_block(ready_block);
        (unique_tape, unique_top)
    }

    /// The top of a tape with one owner: unchanged if it has room for one more record.
    fn with_capacity(
        &mut self,
        inst: &OpInst<'_>,
        has_capacity: ir::Value,
        tape: ir::Value,
        top: ir::Value,
    ) -> ir::Value {
        let (slow, ready) = (self.b.create_block(), self.b.create_block());
        let unique_top = self.b.append_block_param(ready, types::I64);
        self.b.ins().brif(has_capacity, ready, &[BlockArg::Value(top)], slow, &[]);
        let (_, top) = self.prepare_slow(inst, slow, tape);
        self.b.ins().jump(ready, &[BlockArg::Value(top)]);
        self.b.switch_to_block(ready);
        unique_top
    }

    /// Prepares a tape in a cold block; returns it and its top.
    fn prepare_slow(
        &mut self,
        inst: &OpInst<'_>,
        slow: ir::Block,
        tape: ir::Value,
    ) -> (ir::Value, ir::Value) {
        let ok_block = self.b.create_block();
        self.b.set_cold_block(slow);
        self.b.set_cold_block(ok_block);
        self.b.switch_to_block(slow);
        let at = self.spill(&[tape], 1);
        self.preserving_call(Trampoline::PrepareTape, &[self.run, at]);
        let tape = self.b.ins().load(types::I64, MemFlagsData::trusted(), at, 0);
        let failed = self.failed(inst.span);
        self.b.ins().brif(tape, ok_block, &[], failed, &[]);
        self.b.switch_to_block(ok_block);
        (tape, self.tape_field(tape, TOP))
    }
}

/// The size of a record in bytes.
fn width(record: &Layout) -> i64 {
    record.components.len() as i64 * WORD
}
