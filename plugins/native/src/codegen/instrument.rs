//! What code of the checking mode does besides: it says where it is, and has what it holds and accesses checked.

use std::mem::offset_of;
use std::sync::Arc;

use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, types};
use overdub_context::Span;

use super::func_cx::FuncCx;
use crate::abi::layout::{Elem, Layout};
use crate::checks::{self, Access, Site, hooks};
use crate::compiled::FrameSite;
use crate::runtime::run::Run;

/// Where a vector or rows are accessed.
#[derive(Clone, Copy)]
pub(super) struct Accessed {
    pub(super) handle: ir::Value,
    pub(super) data: ir::Value,
    pub(super) len: ir::Value,
    /// The first element, and how many.
    pub(super) from: ir::Value,
    pub(super) count: Option<ir::Value>,
}

impl Accessed {
    /// One element of the vector of these words.
    pub(super) fn one(words: &[ir::Value], from: ir::Value) -> Accessed {
        Accessed { handle: words[0], data: words[1], len: words[2], from, count: None }
    }
}

/// The operation whose code is being made.
#[derive(Clone, Copy)]
pub(super) struct OpAtHand {
    what: &'static str,
    span: Span,
    /// The block of code in which it was said last.
    marked: Option<ir::Block>,
    /// Whether the code is that of ways out of failures, where it is known what failed.
    is_left: bool,
}

impl OpAtHand {
    pub(super) fn beginning() -> OpAtHand {
        OpAtHand { what: "the beginning", span: Span::unknown(), marked: None, is_left: false }
    }
}

impl FuncCx<'_> {
    /// From here on the code is that of this operation.
    pub(super) fn begin_op(&mut self, what: &'static str, span: Span) {
        if checks::ON {
            self.op_at_hand = OpAtHand { what, span, marked: None, is_left: false };
        }
    }

    /// From here on the code is that of ways out of failures.
    pub(super) fn begin_ways_out(&mut self) {
        self.op_at_hand.is_left = true;
    }

    /// Stores the current source place for the next callee, unless this block of code stored it already.
    pub(super) fn mark(&mut self) {
        let here = self.b.current_block();
        if !checks::ON || self.op_at_hand.is_left || self.op_at_hand.marked == here {
            return;
        }
        self.op_at_hand.marked = here;
        let OpAtHand { what, span, .. } = self.op_at_hand;
        let site = Site { func: self.func.name, block: self.at, what, span };
        if !self.tables.sites.last().is_some_and(|last| **last == site) {
            self.tables.sites.push(Box::new(site));
        }
        let site = &raw const **self.tables.sites.last().expect("it was pushed just now");
        let site = self.address(site.cast());
        let trusted = MemFlagsData::trusted();
        let at = i32::try_from(offset_of!(Run, at)).expect("a run is small");
        let at = self.b.ins().load(types::I64, trusted, self.run, at);
        self.b.ins().store(trusted, site, at, 0);
    }

    /// Calls a check with words of these layouts on the stack.
    fn check_words(&mut self, check: *const u8, layouts: Vec<Arc<Layout>>, words: &[ir::Value]) {
        let at = self.spill_beside(words);
        let site = self.frame_site(layouts);
        self.libcall(check, &[site, at], None);
    }

    fn frame_site(&mut self, layouts: Vec<Arc<Layout>>) -> ir::Value {
        let words = layouts.iter().map(|layout| layout.components.len()).sum();
        self.tables.frame_sites.push(Box::new(FrameSite { layouts, words }));
        let site = &raw const **self.tables.frame_sites.last().expect("it was pushed just now");
        self.address(site.cast())
    }

    /// Writes words to the stack, beside what [`FuncCx::spill`] wrote there; gives the address.
    fn spill_beside(&mut self, words: &[ir::Value]) -> ir::Value {
        let bytes = u32::try_from(words.len().max(1) * 8).expect("fewer words than 2^28");
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let known = self.beside.get(&bytes).copied();
        let slot = known.unwrap_or_else(|| self.b.create_sized_stack_slot(slot));
        self.beside.insert(bytes, slot);
        let at = self.b.ins().stack_addr(types::I64, slot, 0);
        for (k, word) in words.iter().enumerate() {
            let offset = i32::try_from(k * 8).expect("fewer words than 2^28");
            self.b.ins().store(MemFlagsData::trusted(), *word, at, offset);
        }
        at
    }

    /// Begins a frame, which takes over what the parameters hold.
    pub(super) fn begin_frame(&mut self) {
        if checks::ON {
            let layouts = self.func.param_tys().map(Layout::of).collect();
            let words = self.param_words();
            self.check_words(hooks::enter_frame as *const u8, layouts, &words);
        }
    }

    /// Ends it, and hands over what the result holds.
    pub(super) fn end_frame(&mut self, words: &[ir::Value]) {
        if checks::ON {
            let ret = self.ret.clone();
            self.check_words(hooks::leave_frame as *const u8, vec![ret], words);
        }
    }

    /// Ends it without a result.
    pub(super) fn fail_frame(&mut self) {
        if checks::ON {
            self.check_words(hooks::leave_frame as *const u8, Vec::new(), &[]);
        }
    }

    /// Says that a value goes on holding what words of it are.
    pub(super) fn lent_by_value(&mut self, layout: &Arc<Layout>, words: &[ir::Value]) {
        if checks::ON && layout.is_counted() {
            self.check_words(hooks::lend_words as *const u8, vec![layout.clone()], words);
        }
    }

    /// Says that a row holds what was written to it.
    pub(super) fn put_in_row(&mut self, layout: &Arc<Layout>, place: ir::Value) {
        if checks::ON && layout.is_counted() {
            let site = self.frame_site(vec![layout.clone()]);
            self.libcall(hooks::row_put as *const u8, &[site, place], None);
        }
    }

    /// Says that a row does not hold any more what it held.
    pub(super) fn take_from_row(&mut self, layout: &Arc<Layout>, place: ir::Value) {
        if checks::ON && layout.is_counted() {
            let site = self.frame_site(vec![layout.clone()]);
            self.libcall(hooks::row_taken as *const u8, &[site, place], None);
        }
    }

    /// Has an access to scalars checked.
    pub(super) fn check_vector(&mut self, elem: Elem, accessed: Accessed, access: Access) {
        if checks::ON {
            let elem = self.b.ins().iconst(types::I32, elem as i64);
            self.check_access(hooks::check_vector as *const u8, elem, accessed, access);
        }
    }

    /// Emits the check of an access to rows of `width` words.
    pub(super) fn check_rows(&mut self, width: usize, accessed: Accessed, access: Access) {
        if checks::ON {
            let bytes = self.b.ins().iconst(types::I32, width as i64 * 8);
            self.check_access(hooks::check_rows as *const u8, bytes, accessed, access);
        }
    }

    /// Everything goes in registers but how many there are, which says what is done to them, too.
    fn check_access(&mut self, check: *const u8, elem: ir::Value, accessed: Accessed, access: Access) {
        let Accessed { handle, data, len, from, count } = accessed;
        let does = match count {
            None => self.b.ins().iconst(types::I64, hooks::does(access, 1)),
            Some(count) => {
                let shifted = self.b.ins().ishl_imm_s(count, i64::from(hooks::ACCESS_BITS));
                self.b.ins().bor_imm_s(shifted, access as i64)
            }
        };
        self.libcall(check, &[elem, handle, data, len, from, does], None);
    }

    /// Has a tape checked, which is thought to have no other owner if that is said.
    pub(super) fn check_tape(&mut self, tape: ir::Value, is_unique: bool) {
        if checks::ON {
            let is_unique = self.b.ins().iconst(types::I32, i64::from(is_unique));
            self.libcall(hooks::check_tape as *const u8, &[tape, is_unique], None);
        }
    }

    /// Says that a vector was taken from the pool.
    pub(super) fn took_from_pool(&mut self, handle: ir::Value) {
        if checks::ON {
            self.libcall(hooks::unpool_vector as *const u8, &[handle], None);
        }
    }
}
