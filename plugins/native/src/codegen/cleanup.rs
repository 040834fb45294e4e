//! Cleanup blocks: cold blocks that release what a function owns, record the location of a failure, and return.

use std::mem::offset_of;

use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, types};
use hashbrown::HashMap;
use overdub_context::Span;
use overdub_context::ir::Var;

use super::func_cx::FuncCx;
use super::operands::VarComponent;
use super::symbols::SymbolName;
use crate::abi::layout::{Component, Counted};
use crate::abi::run_state::RunState;
use crate::abi::signature::is_direct;
use crate::runtime::libcalls::{self, libcall};
use crate::runtime::trampolines::Trampoline;
use crate::side_tables::FailSite;

/// The counted words that a function owns at a position.
type OwnedWords = Vec<(Counted, ir::Value)>;

/// The cleanup blocks of a function.
#[derive(Default)]
pub(super) struct Cleanups {
    /// By the words that they release and the location of the failure.
    known: HashMap<(OwnedWords, Span), ir::Block>,
    /// Blocks that have not been emitted yet.
    pending: Vec<(ir::Block, OwnedWords, Span)>,
}

impl FuncCx<'_> {
    /// Continues if `status` is 0, else returns with the failure.
    pub(super) fn return_if(&mut self, status: ir::Value, span: Span) {
        let (ok, failed) = (self.b.create_block(), self.failed(span));
        self.b.ins().brif(status, failed, &[], ok, &[]);
        self.b.switch_to_block(ok);
    }

    /// Returns if the last register-preserving libcall failed.
    pub(super) fn return_if_failed(&mut self, span: Span) {
        let at = i32::try_from(offset_of!(RunState, status)).expect("a run is small");
        let status = self.b.ins().load(types::I32, MemFlagsData::trusted(), self.run, at);
        self.return_if(status, span);
    }

    /// The cleanup block for the current position, where the variables in `owned` are owned.
    pub(super) fn failed(&mut self, span: Span) -> ir::Block {
        let owned = self.owned_words();
        let key = (owned, span);
        if let Some(block) = self.control.cleanups.known.get(&key) {
            return *block;
        }
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        self.control.cleanups.known.insert(key.clone(), block);
        self.control.cleanups.pending.push((block, key.0, span));
        block
    }

    fn owned_words(&self) -> OwnedWords {
        let of_var = |var: &Var| {
            let components =
                self.layouts[var.index()].components.iter().zip(&self.ownership.vals[var.index()]);
            components.filter_map(|(component, word)| match (component, word) {
                (Component::Counted(counted), VarComponent::Value(value))
                    if !self.ownership.is_null(*value) =>
                {
                    Some((*counted, *value))
                }
                _ => None,
            })
        };
        self.ownership.owned.iter().flat_map(of_var).collect()
    }

    /// Emits the cleanup blocks.
    pub(super) fn emit_cleanups(&mut self) {
        self.begin_cleanups();
        let mut releasing: HashMap<OwnedWords, ir::Block> = HashMap::new();
        let mut exit = None;
        for (block, owned, span) in std::mem::take(&mut self.control.cleanups.pending) {
            self.b.switch_to_block(block);
            self.tables.fail_sites.push(Box::new(FailSite { func: self.func.name, span }));
            let site = &raw const **self.tables.fail_sites.last().expect("it was pushed just now");
            let site = BlockArg::Value(self.address(site.cast(), SymbolName::FailSite(span)));
            let exit = *exit.get_or_insert_with(|| self.b.create_block());
            if owned.is_empty() {
                self.b.ins().jump(exit, &[site]);
                continue;
            }
            if let Some(known) = releasing.get(&owned) {
                self.b.ins().jump(*known, &[site]);
                continue;
            }
            let release = self.b.create_block();
            self.b.set_cold_block(release);
            let site_param = self.b.append_block_param(release, types::I64);
            self.b.ins().jump(release, &[site]);
            self.b.switch_to_block(release);
            for (counted, word) in &owned {
                let kind = self.b.ins().iconst(types::I32, *counted as i64);
                self.preserving_call(Trampoline::Release, &[kind, *word]);
            }
            self.b.ins().jump(exit, &[BlockArg::Value(site_param)]);
            releasing.insert(owned, release);
        }
        if let Some(exit) = exit {
            self.exit(exit);
        }
    }

    fn exit(&mut self, exit: ir::Block) {
        self.b.set_cold_block(exit);
        let site = self.b.append_block_param(exit, types::I64);
        self.b.switch_to_block(exit);
        self.return_from(site);
    }

    /// Returns with a parked failure from a position where nothing is owned.
    pub(super) fn return_at(&mut self, span: Span) {
        self.tables.fail_sites.push(Box::new(FailSite { func: self.func.name, span }));
        let site = &raw const **self.tables.fail_sites.last().expect("it was pushed just now");
        let site = self.address(site.cast(), SymbolName::FailSite(span));
        self.return_from(site);
    }

    fn return_from(&mut self, site: ir::Value) {
        self.libcall(libcall!(libcalls::leave), &[self.run, site], None);
        self.fail_frame();
        let failed = self.b.ins().iconst(types::I32, 1);
        self.return_failed(failed);
    }

    /// Returns a status without a result.
    pub(super) fn return_failed(&mut self, status: ir::Value) {
        let mut results = vec![status];
        if is_direct(&self.ret) {
            let components = self.ret.components.clone();
            results.extend(components.into_iter().map(|component| self.null(component)));
        }
        self.b.ins().return_(&results);
    }
}
