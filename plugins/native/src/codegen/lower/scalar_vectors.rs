//! Vectors of scalars, read and written in place.

use std::sync::Arc;

use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, condcodes::IntCC, types};
use overdub_context::ir::{IntTy, Operand, Ty, TyKind};
use overdub_context::ops;
use smallvec::smallvec;

use crate::abi::layout::{Component, Elem, Layout, LayoutKind};
use crate::abi::signature::component_ty;
use crate::buffer_pool::BufferKind;
use crate::checks::Access;
use crate::checks::fault_injection::{Fault, is_injected};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::instrument::Accessed;
use crate::codegen::lower::OpInst;
use crate::codegen::operands::Values;
use crate::runtime::trampolines::Trampoline;
use crate::runtime::zero_fill;
use crate::values::packed_layout::PackedLayout;
use crate::values::vectors::GROWABLE;

/// The components of a vector, by position.
pub(in crate::codegen) const DATA: usize = 1;
pub(in crate::codegen) const LEN: usize = 2;
pub(in crate::codegen) const UNIQUE: usize = 3;

/// The elements of a vector that compiled code reads and writes itself.
enum Elements {
    Scalar(Elem),
    Packed(Arc<PackedLayout>),
}

impl FuncCx<'_> {
    /// The kind of elements of the first operand.
    fn elements(&self, inst: &OpInst<'_>) -> Option<Elements> {
        match &self.layout(inst.args.first()?).shape {
            LayoutKind::Vector(elem) => Some(Elements::Scalar(*elem)),
            LayoutKind::Packed(elem) => PackedLayout::of(*elem).map(Elements::Packed),
            _ => None,
        }
    }

    /// Lowers an operation on a vector by the function for its kind of elements.
    pub(in crate::codegen) fn on_elements(
        &mut self,
        inst: &OpInst<'_>,
        scalar: impl FnOnce(&mut Self, &OpInst<'_>, Elem) -> Option<Values>,
        packed: impl FnOnce(&mut Self, &OpInst<'_>, &Arc<PackedLayout>) -> Option<Values>,
    ) -> Option<Values> {
        match self.elements(inst)? {
            Elements::Scalar(elem) => scalar(self, inst, elem),
            Elements::Packed(layout) => packed(self, inst, &layout),
        }
    }

    /// Lowers an operation on a vector of scalars.
    pub(in crate::codegen) fn on_scalars(
        &mut self,
        inst: &OpInst<'_>,
        scalar: impl FnOnce(&mut Self, &OpInst<'_>, Elem) -> Option<Values>,
    ) -> Option<Values> {
        self.on_elements(inst, scalar, |_, _, _| None)
    }

    /// `len`.
    pub(in crate::codegen) fn len(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let words = self.read(inst.args.first()?);
        // A hole has no length.
        let is_not_hole = self.is_not_hole(words[0]);
        self.check(is_not_hole, inst);
        Some(smallvec![words[LEN]])
    }

    /// `get.unchecked`: the index was proven to be in bounds; unproven accesses were replaced by `get` before
    /// the passes.
    pub(in crate::codegen) fn get_unchecked(&mut self, inst: &OpInst<'_>, elem: Elem) -> Option<Values> {
        let [vector, at] = inst.args else { return None };
        let at = self.index(at)?;
        let words = self.read(vector);
        self.check_vector(elem, Accessed::one(&words, at), Access::Read);
        Some(smallvec![self.load(elem, words[DATA], at)])
    }

    /// `repeat`: a new vector, with one owner.
    pub(in crate::codegen) fn repeat(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = Layout::of(inst.ret);
        let (LayoutKind::Vector(elem), [value, len]) = (&layout.shape, inst.args) else { return None };
        let (value, len) = (self.scalar(value), self.index(len)?);
        // The evaluator refuses a negative length, or one that exceeds the address space.
        let most = self.b.ins().iconst(types::I64, (isize::MAX >> elem.log2_size()) as i64);
        let is_length = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, len, most);
        self.check(is_length, inst);
        let bits = self.as_bits(value);
        let at = self.spill(&[], 4);
        let kind =
            self.b.ins().iconst(types::I32, i64::from(BufferKind::new(*elem, inst.result_component).0));
        let args = [self.run, kind, at, bits, len];
        let done = self.join_point(&layout.components[..LEN]);
        if 1 << elem.log2_size() == zero_fill::ELEM_BYTES {
            let allocate = self.b.create_block();
            self.b.set_cold_block(allocate);
            let [handle, data] = if inst.is_overwritten {
                // NOFILL1: its elements may be any.
                zero_fill::take(&mut self.b, [self.run, kind, len], allocate)
            } else {
                self.preserving_call(Trampoline::ZeroFill, &args);
                let handle = self.b.ins().load(types::I64, MemFlagsData::trusted(), at, 0);
                let reused = self.b.create_block();
                self.b.ins().brif(handle, reused, &[], allocate, &[]);
                self.b.switch_to_block(reused);
                [handle, self.b.ins().load(types::I64, MemFlagsData::trusted(), at, 8)]
            };
            self.record_taken_from_pool(handle);
            self.jump_to_join(&done, &[handle, data]);
            self.b.switch_to_block(allocate);
        }
        let elem = self.b.ins().iconst(types::I32, *elem as i64);
        self.preserving_call(Trampoline::Repeat, &[&args[..], &[elem]].concat());
        self.return_if_failed(inst.span);
        let words = self.reload(at, &layout);
        self.jump_to_join(&done, &words[..LEN]);
        let mut words = self.switch_to_join(done);
        words.extend([len, self.yes]);
        Some(words)
    }

    /// An index as 64 bits; a negative one exceeds every length.
    pub(in crate::codegen) fn index(&mut self, at: &Operand) -> Option<ir::Value> {
        match self.layout(at).ty.kind() {
            TyKind::Int(IntTy::Usize | IntTy::I64) => Some(self.scalar(at)),
            _ => None,
        }
    }

    fn place(&mut self, elem: Elem, data: ir::Value, at: ir::Value) -> ir::Value {
        let offset = match elem.log2_size() {
            0 => at,
            shift => self.b.ins().ishl_imm_s(at, i64::from(shift)),
        };
        self.b.ins().iadd(data, offset)
    }

    fn load(&mut self, elem: Elem, data: ir::Value, at: ir::Value) -> ir::Value {
        let place = self.place(elem, data, at);
        self.b.ins().load(component_ty(elem.component()), MemFlagsData::trusted(), place, 0)
    }

    /// `get`.
    pub(in crate::codegen) fn get(&mut self, inst: &OpInst<'_>, elem: Elem) -> Option<Values> {
        let [vector, at] = inst.args else { return None };
        if is_injected(Fault::ReleaseEarly) && inst.last[0] {
            let (layout, words) = (self.layout(vector), self.read(vector));
            self.release(&layout, &words);
        }
        let at = self.index(at)?;
        let words = self.read(vector);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, at, words[LEN]);
        self.check(within, inst);
        self.check_vector(elem, Accessed::one(&words, at), Access::Read);
        Some(smallvec![self.load(elem, words[DATA], at)])
    }

    /// `get.checked`.
    pub(in crate::codegen) fn get_checked(&mut self, inst: &OpInst<'_>, elem: Elem) -> Option<Values> {
        let [vector, at] = inst.args else { return None };
        if !Layout::of(inst.ret).is_enum() {
            return None;
        }
        let at = self.index(at)?;
        let words = self.read(vector);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, at, words[LEN]);
        let (present, after) = (self.b.create_block(), self.b.create_block());
        let value = self.b.append_block_param(after, component_ty(elem.component()));
        let none = self.null(elem.component());
        self.b.ins().brif(within, present, &[], after, &[BlockArg::Value(none)]);
        self.b.switch_to_block(present);
        self.check_vector(elem, Accessed::one(&words, at), Access::Read);
        let loaded = self.load(elem, words[DATA], at);
        self.b.ins().jump(after, &[BlockArg::Value(loaded)]);
        self.b.switch_to_block(after);
        Some(smallvec![self.b.ins().uextend(types::I32, within), value])
    }

    /// `set`, `set.unchecked`.
    pub(in crate::codegen) fn set(&mut self, inst: &OpInst<'_>, elem: Elem) -> Option<Values> {
        let [_, at, _] = inst.args else { return None };
        let at = self.index(at)?;
        // As for `get.unchecked`.
        if *inst.op == ops::SET {
            let len = self.read(&inst.args[0])[LEN];
            let within = self.b.ins().icmp(IntCC::UnsignedLessThan, at, len);
            self.check(within, inst);
        }
        let value = self.scalar(&inst.args[2]);
        let words = self.take(&inst.args[0], inst.last[0]);
        let words = self.unique_vector(inst, elem, &words);
        self.check_vector(elem, Accessed::one(&words, at), Access::Write);
        let place = self.place(elem, words[DATA], at);
        self.b.ins().store(MemFlagsData::trusted(), value, place, 0);
        Some(words)
    }

    /// A vector that may be written: the given one, or a copy if it has other owners.
    fn unique_vector(&mut self, inst: &OpInst<'_>, elem: Elem, words: &[ir::Value]) -> Values {
        if is_injected(Fault::WriteShared) {
            return words.into();
        }
        let (shared, unique) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(shared);
        let handle = self.b.append_block_param(unique, types::I64);
        let data = self.b.append_block_param(unique, types::I64);
        // If the function does not push, the flag is 1 after the write.
        let flag =
            if self.ownership.pushes { self.b.append_block_param(unique, types::I8) } else { self.yes };
        let known = usize::from(self.ownership.pushes);
        let same = [words[0], words[DATA], words[UNIQUE]].map(BlockArg::Value);
        let same = &same[..2 + known];
        self.b.ins().brif(words[UNIQUE], unique, same, shared, &[]);
        self.b.switch_to_block(shared);
        let at = self.spill(words, 4);
        let kind = self.b.ins().iconst(types::I32, elem as i64);
        self.preserving_call(Trampoline::MakeUnique, &[self.run, kind, at]);
        let copied = self.reload_checked(at, &Layout::of(inst_vector(inst, self)), inst);
        let copied = [copied[0], copied[DATA], copied[UNIQUE]].map(BlockArg::Value);
        self.b.ins().jump(unique, &copied[..2 + known]);
        self.b.switch_to_block(unique);
        smallvec![handle, data, words[LEN], flag]
    }

    /// `push`: in place if the buffer has room (VEC2).
    pub(in crate::codegen) fn push(&mut self, inst: &OpInst<'_>, elem: Elem) -> Option<Values> {
        let [_, value] = inst.args else { return None };
        let value = self.scalar(value);
        let words = self.take(&inst.args[0], inst.last[0]);
        let vector = Layout::of(inst.ret);
        let (unique, fast, slow) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        let is_growable = self.b.ins().icmp_imm_s(IntCC::Equal, words[UNIQUE], GROWABLE as i64);
        self.b.ins().brif(is_growable, unique, &[], slow, &[]);
        self.b.switch_to_block(unique);
        let below = self.b.ins().iadd_imm_s(words[LEN], -1);
        let is_no_power = self.b.ins().band(words[LEN], below);
        self.b.ins().brif(is_no_power, fast, &[], slow, &[]);
        self.b.switch_to_block(fast);
        self.check_vector(elem, Accessed::one(&words, words[LEN]), Access::Append);
        let place = self.place(elem, words[DATA], words[LEN]);
        self.b.ins().store(MemFlagsData::trusted(), value, place, 0);
        let len = self.b.ins().iadd_imm_s(words[LEN], 1);
        let join = self.join_point(&vector.components);
        self.jump_to_join(&join, &[words[0], words[DATA], len, words[UNIQUE]]);
        self.b.switch_to_block(slow);
        let bits = self.as_bits(value);
        let at = self.spill(&words, 4);
        let kind = self.b.ins().iconst(types::I32, elem as i64);
        self.preserving_call(Trampoline::Push, &[self.run, kind, at, bits]);
        self.return_if_failed(inst.span);
        let result = self.reload(at, &vector);
        self.jump_to_join(&join, &result);
        Some(self.switch_to_join(join))
    }

    /// `pop`: the last element, if there is one, and the vector without it, which its array still sees (VEC1).
    pub(in crate::codegen) fn pop(&mut self, inst: &OpInst<'_>, elem: Elem) -> Option<Values> {
        if Layout::of(inst.ret).components.len() != 6 {
            return None;
        }
        let words = self.take_not_hole(inst);
        let (some, after) = (self.b.create_block(), self.b.create_block());
        let last = self.b.append_block_param(after, component_ty(elem.component()));
        let left = self.b.append_block_param(after, types::I64);
        let none = self.null(elem.component());
        self.b.ins().brif(words[LEN], some, &[], after, &[none.into(), words[LEN].into()]);
        self.b.switch_to_block(some);
        let len = self.b.ins().iadd_imm_s(words[LEN], -1);
        self.check_vector(elem, Accessed::one(&words, len), Access::Read);
        let loaded = self.load(elem, words[DATA], len);
        self.b.ins().jump(after, &[loaded.into(), len.into()]);
        self.b.switch_to_block(after);
        let is_some = self.b.ins().icmp_imm_s(IntCC::NotEqual, words[LEN], 0);
        let tag = self.b.ins().uextend(types::I32, is_some);
        Some(smallvec![tag, last, words[0], words[DATA], left, words[UNIQUE]])
    }

    /// `truncate`: the array still sees the remaining elements (VEC1).
    pub(in crate::codegen) fn truncate(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [_, to] = inst.args else { return None };
        // The evaluator refuses a negative length.
        let TyKind::Int(IntTy::Usize) = self.layout(to).ty.kind() else { return None };
        let to = self.scalar(to);
        let words = self.take_not_hole(inst);
        let len = self.b.ins().umin(words[LEN], to);
        Some(smallvec![words[0], words[DATA], len, words[UNIQUE]])
    }

    /// Takes the first operand, a vector; fails if it is a hole.
    fn take_not_hole(&mut self, inst: &OpInst<'_>) -> Values {
        let handle = self.read(&inst.args[0])[0];
        let is_not_hole = self.is_not_hole(handle);
        self.check(is_not_hole, inst);
        self.take(&inst.args[0], inst.last[0])
    }

    /// `slice`: the same buffer, which neither vector may write in place (VEC1).
    pub(in crate::codegen) fn slice(&mut self, inst: &OpInst<'_>, elem: Elem) -> Option<Values> {
        let [_, from, to] = inst.args else { return None };
        let (from, to) = (self.index(from)?, self.index(to)?);
        let words = self.read(&inst.args[0]);
        let len = words[LEN];
        // A hole has no slices (H15).
        let is_not_hole = self.is_not_hole(words[0]);
        let ordered = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, from, to);
        let ends = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, to, len);
        let within = self.b.ins().band(ordered, ends);
        let within = self.b.ins().band(within, is_not_hole);
        self.check(within, inst);
        let layout = Layout::of(inst.ret);
        if inst.is_dead {
            return Some(layout.components.iter().map(|component| self.null(*component)).collect());
        }
        let words = if inst.is_borrowed { words } else { self.take(&inst.args[0], inst.last[0]) };
        let data = self.place(elem, words[DATA], from);
        let len = self.b.ins().isub(to, from);
        Some(smallvec![words[0], data, len, self.null(Component::Unique)])
    }

    /// Loads the vector that a libcall stored; returns from the function if it is null, because the libcall
    /// failed.
    fn reload_checked(&mut self, at: ir::Value, layout: &Layout, inst: &OpInst<'_>) -> Values {
        let words = self.reload(at, layout);
        let (good, failed) = (self.b.create_block(), self.failed(inst.span));
        self.b.ins().brif(words[0], good, &[], failed, &[]);
        self.b.switch_to_block(good);
        words
    }

    /// A scalar as 64 bits.
    fn as_bits(&mut self, value: ir::Value) -> ir::Value {
        let ty = self.b.func.dfg.value_type(value);
        match ty {
            types::F64 => self.b.ins().bitcast(types::I64, MemFlagsData::new(), value),
            types::F32 => {
                let bits = self.b.ins().bitcast(types::I32, MemFlagsData::new(), value);
                self.b.ins().uextend(types::I64, bits)
            }
            types::I64 => value,
            _ => self.b.ins().uextend(types::I64, value),
        }
    }

    /// `take.elem`: a scalar leaves no hole (H12).
    pub(in crate::codegen) fn take_elem(&mut self, inst: &OpInst<'_>, elem: Elem) -> Option<Values> {
        let [_, at] = inst.args else { return None };
        let at = self.index(at)?;
        let words = self.read(&inst.args[0]);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, at, words[LEN]);
        self.check(within, inst);
        self.check_vector(elem, Accessed::one(&words, at), Access::Read);
        let mut result: Values = smallvec![self.load(elem, words[DATA], at)];
        result.extend(self.take(&inst.args[0], inst.last[0]));
        Some(result)
    }
}

/// The type of the vector that is the first operand.
fn inst_vector(inst: &OpInst<'_>, body: &FuncCx<'_>) -> Ty {
    body.layout(&inst.args[0]).ty
}
