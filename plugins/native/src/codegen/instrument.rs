//! Instrumentation for the checking mode: code that records its location and its counts, and checks its
//! accesses.

use std::mem::offset_of;
use std::sync::Arc;

use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, types};
use overdub_context::Span;

use super::func_cx::FuncCx;
use super::symbols::SymbolName;
use crate::abi::layout::{Elem, Layout};
use crate::abi::run_state::RunState;
use crate::checks::{self, Access, Site};
use crate::runtime::check_libcalls;
use crate::runtime::libcalls::{Libcall, libcall};
use crate::side_tables::FrameSite;

/// An access to the elements of a vector.
#[derive(Clone, Copy)]
pub(super) struct Accessed {
    pub(super) handle: ir::Value,
    pub(super) data: ir::Value,
    pub(super) len: ir::Value,
    /// The first element, and the number of elements.
    pub(super) from: ir::Value,
    pub(super) count: Option<ir::Value>,
}

impl Accessed {
    /// One element of the vector with these words.
    pub(super) fn one(words: &[ir::Value], from: ir::Value) -> Accessed {
        Accessed { handle: words[0], data: words[1], len: words[2], from, count: None }
    }
}

/// The operation that is being lowered.
#[derive(Clone, Copy)]
pub(super) struct CurrentOp {
    what: &'static str,
    span: Span,
    /// The Cranelift block in which its location was stored last.
    marked: Option<ir::Block>,
    /// Whether the current code is a cleanup block, whose location is that of the failure.
    is_cleanup: bool,
}

impl CurrentOp {
    pub(super) fn beginning() -> CurrentOp {
        CurrentOp { what: "the beginning", span: Span::unknown(), marked: None, is_cleanup: false }
    }
}

impl FuncCx<'_> {
    /// Whether instrumentation is emitted: in the checking mode, but not in listings.
    pub(super) fn is_instrumented(&self) -> bool {
        checks::ON && self.symbols.is_none()
    }

    /// Begins the code of an operation.
    pub(super) fn begin_op(&mut self, what: &'static str, span: Span) {
        if self.is_instrumented() {
            self.current_op = CurrentOp { what, span, marked: None, is_cleanup: false };
        }
    }

    /// Begins the cleanup blocks.
    pub(super) fn begin_cleanups(&mut self) {
        self.current_op.is_cleanup = true;
    }

    /// Stores the current source location for the next callee, once in each Cranelift block.
    pub(super) fn mark(&mut self) {
        let current = self.b.current_block();
        if !self.is_instrumented() || self.current_op.is_cleanup || self.current_op.marked == current {
            return;
        }
        self.current_op.marked = current;
        let CurrentOp { what, span, .. } = self.current_op;
        let site = Site { func: self.func.name, block: self.control.at, what, span };
        if !self.tables.sites.last().is_some_and(|last| **last == site) {
            self.tables.sites.push(Box::new(site));
        }
        let site = &raw const **self.tables.sites.last().expect("it was pushed just now");
        let site = self.address(site.cast(), SymbolName::CheckSite);
        let trusted = MemFlagsData::trusted();
        let at = i32::try_from(offset_of!(RunState, at)).expect("a run is small");
        let at = self.b.ins().load(types::I64, trusted, self.run, at);
        self.b.ins().store(trusted, site, at, 0);
    }

    /// Calls a check with words of these layouts.
    fn check_words(&mut self, check: Libcall, layouts: Vec<Arc<Layout>>, words: &[ir::Value]) {
        let at = self.spill_separately(words);
        let site = self.frame_site(layouts);
        self.libcall(check, &[site, at], None);
    }

    fn frame_site(&mut self, layouts: Vec<Arc<Layout>>) -> ir::Value {
        let words = layouts.iter().map(|layout| layout.components.len()).sum();
        self.tables.frame_sites.push(Box::new(FrameSite { layouts, words }));
        let site = &raw const **self.tables.frame_sites.last().expect("it was pushed just now");
        self.address(site.cast(), SymbolName::CheckSite)
    }

    /// Stores words to a stack slot other than that of [`FuncCx::spill`]; returns the address.
    fn spill_separately(&mut self, words: &[ir::Value]) -> ir::Value {
        let bytes = u32::try_from(words.len().max(1) * 8).expect("fewer words than 2^28");
        let slot = self.frame.checked_slot(&mut self.b, bytes);
        let at = self.b.ins().stack_addr(types::I64, slot, 0);
        for (k, word) in words.iter().enumerate() {
            let offset = i32::try_from(k * 8).expect("fewer words than 2^28");
            self.b.ins().store(MemFlagsData::trusted(), *word, at, offset);
        }
        at
    }

    /// Records that the function begins and takes over its parameters (CHECKMODE2).
    pub(super) fn begin_frame(&mut self) {
        if self.is_instrumented() {
            let layouts = self.func.param_tys().map(Layout::of).collect();
            let words = self.param_words();
            self.check_words(libcall!(check_libcalls::enter_frame), layouts, &words);
        }
    }

    /// Records that the function ends and hands over its result (CHECKMODE2).
    pub(super) fn end_frame(&mut self, words: &[ir::Value]) {
        if self.is_instrumented() {
            let ret = self.ret.clone();
            self.check_words(libcall!(check_libcalls::leave_frame), vec![ret], words);
        }
    }

    /// Records that the function ends without a result.
    pub(super) fn fail_frame(&mut self) {
        if self.is_instrumented() {
            self.check_words(libcall!(check_libcalls::leave_frame), Vec::new(), &[]);
        }
    }

    /// Records that a value which remains live holds these words (CHECKMODE3).
    pub(super) fn lent_by_value(&mut self, layout: &Arc<Layout>, words: &[ir::Value]) {
        if self.is_instrumented() && layout.is_counted() {
            self.check_words(libcall!(check_libcalls::lend_words), vec![layout.clone()], words);
        }
    }

    /// Records that a row holds the words that were stored to it.
    pub(super) fn put_in_row(&mut self, layout: &Arc<Layout>, place: ir::Value) {
        if self.is_instrumented() && layout.is_counted() {
            let site = self.frame_site(vec![layout.clone()]);
            self.libcall(libcall!(check_libcalls::row_put), &[site, place], None);
        }
    }

    /// Records that a row no longer holds its words.
    pub(super) fn take_from_row(&mut self, layout: &Arc<Layout>, place: ir::Value) {
        if self.is_instrumented() && layout.is_counted() {
            let site = self.frame_site(vec![layout.clone()]);
            self.libcall(libcall!(check_libcalls::row_moved_out), &[site, place], None);
        }
    }

    /// Checks an access to scalars.
    pub(super) fn check_vector(&mut self, elem: Elem, accessed: Accessed, access: Access) {
        if self.is_instrumented() {
            let elem = self.b.ins().iconst(types::I32, elem as i64);
            self.check_access(libcall!(check_libcalls::check_vector), elem, accessed, access);
        }
    }

    /// Checks an access to rows of `width` words.
    pub(super) fn check_rows(&mut self, width: usize, accessed: Accessed, access: Access) {
        if self.is_instrumented() {
            let bytes = self.b.ins().iconst(types::I32, width as i64 * 8);
            self.check_access(libcall!(check_libcalls::check_rows), bytes, accessed, access);
        }
    }

    /// All arguments are passed in registers; the number of elements and the kind of access share one.
    fn check_access(&mut self, check: Libcall, elem: ir::Value, accessed: Accessed, access: Access) {
        let Accessed { handle, data, len, from, count } = accessed;
        let encoded = match count {
            None => self.b.ins().iconst(types::I64, check_libcalls::encode_access(access, 1)),
            Some(count) => {
                let shifted = self.b.ins().ishl_imm_s(count, i64::from(check_libcalls::ACCESS_BITS));
                self.b.ins().bor_imm_s(shifted, access as i64)
            }
        };
        self.libcall(check, &[elem, handle, data, len, from, encoded], None);
    }

    /// Checks a tape, and if `is_unique`, that it has one owner.
    pub(super) fn check_tape(&mut self, tape: ir::Value, is_unique: bool) {
        if self.is_instrumented() {
            let is_unique = self.b.ins().iconst(types::I32, i64::from(is_unique));
            self.libcall(libcall!(check_libcalls::check_tape), &[tape, is_unique], None);
        }
    }

    /// Records that a vector was taken from the pool.
    pub(super) fn record_taken_from_pool(&mut self, handle: ir::Value) {
        if self.is_instrumented() {
            self.libcall(libcall!(check_libcalls::unpool_vector), &[handle], None);
        }
    }
}
