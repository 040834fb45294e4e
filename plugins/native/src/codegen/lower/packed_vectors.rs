//! Vectors of packed elements, read and written in place. If elements are not packed, or an index is out of
//! bounds, the evaluator runs the operation in a cold block.

use std::sync::Arc;

use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, condcodes::IntCC, types};
use overdub_context::ir::Ty;
use overdub_context::ops;
use smallvec::{SmallVec, smallvec};

use crate::abi::layout::{Component, Layout, LayoutKind};
use crate::abi::signature::component_ty;
use crate::checks::Access;
use crate::checks::fault_injection::{Fault, is_injected};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::instrument::Accessed;
use crate::codegen::lower::OpInst;
use crate::codegen::lower::scalar_vectors::{DATA, LEN, UNIQUE};
use crate::codegen::operands::Values;
use crate::runtime::trampolines::Trampoline;
use crate::values::packed_elements::HEAD;
use crate::values::packed_layout::PackedLayout;
use crate::values::vectors::GROWABLE;

/// The size of a word in bytes.
const WORD: i32 = 8;

/// A block where branches join, with a parameter for each component of their result.
pub(in crate::codegen) struct JoinPoint {
    block: ir::Block,
    components: Values,
}

impl FuncCx<'_> {
    /// A join point for these components.
    pub(in crate::codegen) fn join_point(&mut self, components: &[Component]) -> JoinPoint {
        let block = self.b.create_block();
        let components = components
            .iter()
            .map(|component| self.b.append_block_param(block, component_ty(*component)))
            .collect();
        JoinPoint { block, components }
    }

    pub(in crate::codegen) fn jump_to_join(&mut self, at: &JoinPoint, words: &[ir::Value]) {
        let args: SmallVec<[BlockArg; 8]> = words.iter().copied().map(BlockArg::Value).collect();
        self.b.ins().jump(at.block, &args);
    }

    pub(in crate::codegen) fn switch_to_join(&mut self, join: JoinPoint) -> Values {
        self.b.switch_to_block(join.block);
        join.components
    }

    /// Continues in a new block if `ok` holds; returns the cold block for the other case.
    fn fast_if(&mut self, ok: ir::Value) -> ir::Block {
        let (fast, slow) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        self.b.ins().brif(ok, fast, &[], slow, &[]);
        self.b.switch_to_block(fast);
        slow
    }

    /// `len`.
    pub(in crate::codegen) fn packed_len(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let words = self.read(inst.args.first()?);
        let slow = self.fast_if(words[DATA]);
        let join = self.join_point(&[Component::Int(64)]);
        self.jump_to_join(&join, &[words[LEN]]);
        self.b.switch_to_block(slow);
        let at = self.evaluate_borrowed(inst);
        let len = self.b.ins().load(types::I64, MemFlagsData::trusted(), at, 0);
        self.jump_to_join(&join, &[len]);
        Some(self.switch_to_join(join))
    }

    /// The address of a row.
    fn row_place(&mut self, record: &PackedLayout, data: ir::Value, at: ir::Value) -> ir::Value {
        let width = record.width() * WORD as usize;
        let offset = if width.is_power_of_two() {
            self.b.ins().ishl_imm_s(at, i64::from(width.trailing_zeros()))
        } else {
            self.b.ins().imul_imm_s(at, width as i64)
        };
        self.b.ins().iadd(data, offset)
    }

    /// The components of a row that keeps its counts: shared, or borrowed.
    fn borrowed_row(&mut self, inst: &OpInst<'_>, record: &PackedLayout, place: ir::Value) -> Values {
        let words = self.reload(place, &record.layout);
        if inst.is_borrowed {
            return self.borrowed_words(&record.layout, &words);
        }
        for (k, component) in record.layout.components.iter().enumerate() {
            if *component == Component::Unique {
                let no = self.null(Component::Unique);
                self.b.ins().store(MemFlagsData::trusted(), no, place, k as i32 * WORD);
            }
        }
        self.share(&record.layout, &words)
    }

    fn store_row(&mut self, place: ir::Value, words: &[ir::Value]) {
        for (k, word) in words.iter().enumerate() {
            // The upper bytes of a word that holds a narrow component are undefined (H1).
            self.b.ins().store(MemFlagsData::trusted(), *word, place, k as i32 * WORD);
        }
    }

    /// `get`, `get.unchecked`: the row is read in place, or from where the evaluator stored it.
    pub(in crate::codegen) fn get_packed(
        &mut self,
        inst: &OpInst<'_>,
        record: &Arc<PackedLayout>,
    ) -> Option<Values> {
        let [vector, at] = inst.args else { return None };
        let at = self.index(at)?;
        let words = self.read(vector);
        let in_bounds = if *inst.op == ops::GET_UNCHECKED {
            // If the elements are packed, the index was proven to be in bounds.
            words[DATA]
        } else {
            self.b.ins().icmp(IntCC::UnsignedLessThan, at, words[LEN])
        };
        let slow = self.fast_if(in_bounds);
        self.check_rows(record.width(), Accessed::one(&words, at), Access::Read);
        let place = self.row_place(record, words[DATA], at);
        if !inst.is_borrowed && !record.counted().is_empty() {
            // The evaluator returns counts of its own, or copies of boxes: they are kept (H6).
            let join = self.join_point(&record.layout.components);
            let row = self.borrowed_row(inst, record, place);
            self.jump_to_join(&join, &row);
            self.b.switch_to_block(slow);
            let result = self.evaluate_borrowed(inst);
            let row = self.reload(result, &record.layout);
            self.jump_to_join(&join, &row);
            return Some(self.switch_to_join(join));
        }
        let join = self.join_point(&[Component::Int(64)]);
        self.jump_to_join(&join, &[place]);
        self.b.switch_to_block(slow);
        let result = self.evaluate_borrowed(inst);
        // Borrowed elements are shared by counting, and the vector's values keep their counts.
        let row_words = self.reload(result, &record.layout);
        self.release(&record.layout, &row_words);
        self.lent_by_value(&record.layout, &row_words);
        self.jump_to_join(&join, &[result]);
        let place = self.switch_to_join(join)[0];
        Some(self.borrowed_row(inst, record, place))
    }

    /// `get.checked`.
    pub(in crate::codegen) fn get_checked_packed(
        &mut self,
        inst: &OpInst<'_>,
        record: &Arc<PackedLayout>,
    ) -> Option<Values> {
        let [vector, at] = inst.args else { return None };
        let option = Layout::of(inst.ret);
        let LayoutKind::Enum(_, variants) = &option.shape else { return None };
        let some = variants.get(1)?.first()?;
        let at = self.index(at)?;
        let words = self.read(vector);
        let join = self.join_point(&option.components);
        let none: Values = option.components.iter().map(|component| self.null(*component)).collect();
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, at, words[LEN]);
        let (present, out_of_bounds, slow) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        self.b.ins().brif(within, present, &[], out_of_bounds, &[]);
        self.b.switch_to_block(out_of_bounds);
        let args: SmallVec<[BlockArg; 8]> = none.iter().copied().map(BlockArg::Value).collect();
        self.b.ins().brif(words[DATA], join.block, &args, slow, &[]);
        self.b.switch_to_block(present);
        self.check_rows(record.width(), Accessed::one(&words, at), Access::Read);
        let place = self.row_place(record, words[DATA], at);
        let row = self.borrowed_row(inst, record, place);
        let mut found = none;
        found[0] = self.b.ins().iconst(types::I32, 1);
        for (to, word) in some.components.iter().zip(row) {
            found[*to] = word;
        }
        self.jump_to_join(&join, &found);
        self.b.switch_to_block(slow);
        let result = self.evaluate_borrowed(inst);
        let result_words = self.reload(result, &option);
        self.jump_to_join(&join, &result_words);
        Some(self.switch_to_join(join))
    }

    /// Packed elements with one owner: the given ones, or a copy. If there is no memory for a copy, `other`
    /// is released and the function returns.
    fn make_packed_unique(
        &mut self,
        inst: &OpInst<'_>,
        words: &[ir::Value],
        other: (&Layout, &[ir::Value]),
    ) -> Values {
        let vector = self.layout(&inst.args[0]);
        let join = self.join_point(&vector.components);
        let (shared, unique) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(shared);
        self.b.ins().brif(words[UNIQUE], unique, &[], shared, &[]);
        self.b.switch_to_block(shared);
        let at = self.spill(words, 4);
        self.preserving_call(Trampoline::MakePackedUnique, &[self.run, at]);
        let copied = self.reload(at, &vector);
        let (good, failed) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(failed);
        self.b.ins().brif(copied[0], good, &[], failed, &[]);
        self.b.switch_to_block(failed);
        self.release(other.0, other.1);
        let cleanup = self.failed(inst.span);
        self.b.ins().jump(cleanup, &[]);
        self.b.switch_to_block(good);
        self.jump_to_join(&join, &copied);
        self.b.switch_to_block(unique);
        self.jump_to_join(&join, words);
        self.switch_to_join(join)
    }

    /// `set`, `set.unchecked`.
    pub(in crate::codegen) fn set_packed(
        &mut self,
        inst: &OpInst<'_>,
        record: &Arc<PackedLayout>,
    ) -> Option<Values> {
        let [_, at, value] = inst.args else { return None };
        let index = self.index(at)?;
        let vector = self.layout(&inst.args[0]);
        let words = self.take(&inst.args[0], inst.last[0]);
        let new = self.take(value, inst.last[2]);
        // As for `get.unchecked`.
        let within = if *inst.op == ops::SET {
            self.b.ins().icmp(IntCC::UnsignedLessThan, index, words[LEN])
        } else {
            words[DATA]
        };
        let slow = self.fast_if(within);
        let join = self.join_point(&vector.components);
        let unique = self.make_packed_unique(inst, &words, (&record.layout, &new));
        self.check_rows(record.width(), Accessed::one(&unique, index), Access::Write);
        let place = self.row_place(record, unique[DATA], index);
        self.take_from_row(&record.layout, place);
        self.release_row(record, place);
        self.store_row(place, &new);
        self.put_in_row(&record.layout, place);
        self.jump_to_join(&join, &unique);
        self.b.switch_to_block(slow);
        let operands: Values = words.iter().chain([&index]).chain(&new).copied().collect();
        let result = self.evaluate_owned(inst, &operands);
        let result = self.reload(result, &vector);
        self.jump_to_join(&join, &result);
        Some(self.switch_to_join(join))
    }

    /// Releases the counts of a row; a hole owns nothing.
    fn release_row(&mut self, record: &PackedLayout, place: ir::Value) {
        if is_injected(Fault::LoseRow) {
            return;
        }
        for &(component, counted) in record.counted() {
            let word = self.b.ins().load(types::I64, MemFlagsData::trusted(), place, component as i32 * WORD);
            let (counted_block, after) = (self.b.create_block(), self.b.create_block());
            let is_not_hole = self.is_not_hole(word);
            self.b.ins().brif(is_not_hole, counted_block, &[], after, &[]);
            self.b.switch_to_block(counted_block);
            self.release_word(counted, word);
            self.b.ins().jump(after, &[]);
            self.b.switch_to_block(after);
        }
    }

    /// `take.elem`: the element, and the vector with a hole in its place if it leaves one (ABI3).
    pub(in crate::codegen) fn take_elem_packed(
        &mut self,
        inst: &OpInst<'_>,
        record: &Arc<PackedLayout>,
    ) -> Option<Values> {
        let [_, at] = inst.args else { return None };
        let index = self.index(at)?;
        let both = Layout::of(inst.ret);
        if both.components.len() != record.width() + 4 {
            return None;
        }
        let words = self.take(&inst.args[0], inst.last[0]);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, index, words[LEN]);
        let slow = self.fast_if(within);
        let join = self.join_point(&both.components);
        let leaves_hole = ops::leaves_hole(record.layout.ty);
        let rows = if leaves_hole {
            self.make_packed_unique(inst, &words, (&Layout::of(Ty::unit()), &[]))
        } else {
            words.clone()
        };
        let access = if leaves_hole { Access::Write } else { Access::Read };
        self.check_rows(record.width(), Accessed::one(&rows, index), access);
        let place = self.row_place(record, rows[DATA], index);
        let mut found = self.reload(place, &record.layout);
        if leaves_hole {
            self.take_from_row(&record.layout, place);
            let hole = self.hole(&record.layout);
            self.store_row(place, &hole);
        } else {
            found = self.share(&record.layout, &found);
        }
        found.extend(rows);
        self.jump_to_join(&join, &found);
        self.b.switch_to_block(slow);
        let operands: Values = words.iter().chain([&index]).copied().collect();
        let result = self.evaluate_owned(inst, &operands);
        let result = self.reload(result, &both);
        self.jump_to_join(&join, &result);
        Some(self.switch_to_join(join))
    }

    /// `push`.
    pub(in crate::codegen) fn push_packed(
        &mut self,
        inst: &OpInst<'_>,
        record: &Arc<PackedLayout>,
    ) -> Option<Values> {
        let [_, value] = inst.args else { return None };
        let vector = self.layout(&inst.args[0]);
        let words = self.take(&inst.args[0], inst.last[0]);
        let new = self.take(value, inst.last[1]);
        let (unique, slow) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        let is_growable = self.b.ins().icmp_imm_s(IntCC::Equal, words[UNIQUE], GROWABLE as i64);
        self.b.ins().brif(is_growable, unique, &[], slow, &[]);
        self.b.switch_to_block(unique);
        let capacity = self.b.ins().load(types::I64, MemFlagsData::trusted(), words[DATA], -WORD);
        let has_capacity = self.b.ins().icmp(IntCC::UnsignedLessThan, words[LEN], capacity);
        let fast = self.b.create_block();
        self.b.ins().brif(has_capacity, fast, &[], slow, &[]);
        self.b.switch_to_block(fast);
        let join = self.join_point(&vector.components);
        self.check_rows(record.width(), Accessed::one(&words, words[LEN]), Access::Append);
        let place = self.row_place(record, words[DATA], words[LEN]);
        self.store_row(place, &new);
        self.put_in_row(&record.layout, place);
        let len = self.b.ins().iadd_imm_s(words[LEN], 1);
        self.b.ins().store(MemFlagsData::trusted(), len, words[DATA], -(HEAD as i32) * WORD);
        let pushed: Values = smallvec![words[0], words[DATA], len, words[UNIQUE]];
        self.jump_to_join(&join, &pushed);
        self.b.switch_to_block(slow);
        let operands: Values = words.iter().chain(&new).copied().collect();
        let result = self.evaluate_owned(inst, &operands);
        let result = self.reload(result, &vector);
        self.jump_to_join(&join, &result);
        Some(self.switch_to_join(join))
    }

    /// `pop`: the last element, if there is one, and the vector without it.
    pub(in crate::codegen) fn pop_packed(
        &mut self,
        inst: &OpInst<'_>,
        record: &Arc<PackedLayout>,
    ) -> Option<Values> {
        let both = Layout::of(inst.ret);
        let LayoutKind::Aggregate(None, parts) = &both.shape else { return None };
        let [option, vector] = parts.as_slice() else { return None };
        let LayoutKind::Enum(_, variants) = &option.layout.shape else { return None };
        let some = variants.get(1)?.first()?;
        let words = self.take(&inst.args[0], inst.last[0]);
        let (unique, fast, slow) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        let is_growable = self.b.ins().icmp_imm_s(IntCC::Equal, words[UNIQUE], GROWABLE as i64);
        self.b.ins().brif(is_growable, unique, &[], slow, &[]);
        self.b.switch_to_block(unique);
        self.b.ins().brif(words[LEN], fast, &[], slow, &[]);
        self.b.switch_to_block(fast);
        let len = self.b.ins().iadd_imm_s(words[LEN], -1);
        self.b.ins().store(MemFlagsData::trusted(), len, words[DATA], -(HEAD as i32) * WORD);
        self.check_rows(record.width(), Accessed::one(&words, len), Access::Write);
        let place = self.row_place(record, words[DATA], len);
        let row = self.reload(place, &record.layout);
        self.take_from_row(&record.layout, place);
        let mut found: Values = both.components.iter().map(|component| self.null(*component)).collect();
        found[option.components[0]] = self.b.ins().iconst(types::I32, 1);
        for (to, word) in some.components.iter().zip(row) {
            found[option.components[*to]] = word;
        }
        for (to, word) in vector.components.iter().zip([words[0], words[DATA], len, words[UNIQUE]]) {
            found[*to] = word;
        }
        let join = self.join_point(&both.components);
        self.jump_to_join(&join, &found);
        self.b.switch_to_block(slow);
        let result = self.evaluate_owned(inst, &words);
        let result = self.reload(result, &both);
        self.jump_to_join(&join, &result);
        Some(self.switch_to_join(join))
    }

    /// `slice`.
    pub(in crate::codegen) fn slice_packed(
        &mut self,
        inst: &OpInst<'_>,
        record: &Arc<PackedLayout>,
    ) -> Option<Values> {
        let [_, from, to] = inst.args else { return None };
        let (from, to) = (self.index(from)?, self.index(to)?);
        let vector = self.layout(&inst.args[0]);
        let words = self.take(&inst.args[0], inst.last[0]);
        let ordered = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, from, to);
        let ends = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, to, words[LEN]);
        let are_rows = self.b.ins().icmp_imm_s(IntCC::NotEqual, words[DATA], 0);
        let within = self.b.ins().band(ordered, ends);
        let within = self.b.ins().band(within, are_rows);
        let slow = self.fast_if(within);
        let join = self.join_point(&vector.components);
        let data = self.row_place(record, words[DATA], from);
        let len = self.b.ins().isub(to, from);
        let no = self.b.ins().iconst(types::I8, 0);
        self.jump_to_join(&join, &[words[0], data, len, no]);
        self.b.switch_to_block(slow);
        let operands: Values = words.iter().copied().chain([from, to]).collect();
        let result = self.evaluate_owned(inst, &operands);
        let result = self.reload(result, &vector);
        self.jump_to_join(&join, &result);
        Some(self.switch_to_join(join))
    }
}
