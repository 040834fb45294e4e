//! Calls: of compiled functions through entries, and of function values by a libcall.

use std::mem::offset_of;
use std::sync::Arc;

use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, types};
use overdub_context::ir::{Callee, Operand, Ty, TyKind};
use overdub_context::{Span, Symbol};

use super::func_cx::FuncCx;
use super::operands::Values;
use super::symbols::SymbolName;
use crate::abi::layout::{Layout, LayoutKind};
use crate::abi::signature::{is_direct, signature};
use crate::runtime::libcalls::{self, libcall};
use crate::side_tables::{CallSite, Entry};

impl FuncCx<'_> {
    /// Emits a call; the last element of `last` is for the callee's value.
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        args: &[Operand],
        last: &[bool],
        ret: Ty,
        span: Span,
    ) -> Values {
        let layouts: Vec<Arc<Layout>> = args.iter().map(|arg| self.layout(arg)).collect();
        let mut words = Values::new();
        for (arg, last) in args.iter().zip(last) {
            words.extend(self.take(arg, *last));
        }
        let all_layouts = layouts.iter().cloned().chain([Layout::of(ret)]);
        self.tables.shows_arrays |= all_layouts.into_iter().any(|layout| layout.has_array());
        let value = match callee {
            Callee::Func(name) => return self.call_func(*name, layouts, &words, ret, span),
            Callee::Value(value) => value,
        };
        let is_last = last.get(args.len()).copied().unwrap_or(false);
        let closure = self.layout(value);
        let mut all = self.take(value, is_last);
        all.extend(words);
        if let (LayoutKind::Closure(code, _), TyKind::Closure(ty)) = (&closure.shape, closure.ty.kind()) {
            let captures = ty.captures.iter().map(|capture| Layout::of(*capture));
            return self.call_func(*code, captures.chain(layouts).collect(), &all, ret, span);
        }
        let layouts = std::iter::once(closure).chain(layouts).collect();
        self.call_value(layouts, &all, ret, span)
    }

    fn call_value(&mut self, args: Vec<Arc<Layout>>, words: &[ir::Value], ret: Ty, span: Span) -> Values {
        let ret = Layout::of(ret);
        let word_count = words.len().max(ret.components.len());
        self.tables.call_sites.push(Box::new(CallSite { args, ret: ret.clone(), words: word_count }));
        let site = &raw const **self.tables.call_sites.last().expect("it was pushed just now");
        let depth = self.deeper();
        self.store_depth(depth);
        let at = self.spill(words, word_count);
        let site = self.address(site.cast(), SymbolName::CallSite);
        self.store_fuel_for_callee();
        let status = self.libcall(libcall!(libcalls::call_value), &[self.run, site, at], Some(types::I32));
        self.return_if(status.expect("it gives a status"), span);
        self.reload_fuel();
        self.reload(at, &ret)
    }

    fn call_func(
        &mut self,
        name: Symbol,
        params: Vec<Arc<Layout>>,
        words: &[ir::Value],
        ret: Ty,
        span: Span,
    ) -> Values {
        let ret_layout = Layout::of(ret);
        let mut args = vec![self.run, self.deeper()];
        args.extend(words);
        let results = (!is_direct(&ret_layout)).then(|| self.spill(&[], ret_layout.components.len()));
        args.extend(results);
        let tys: Vec<Ty> = params.iter().map(|layout| layout.ty).collect();
        let is_itself =
            name == self.name() && ret == self.func.ret && self.func.param_tys().eq(tys.iter().copied());
        self.mark();
        let call = if is_itself {
            self.store_fuel_for_callee();
            self.b.ins().call(self.refs.direct, &args)
        } else {
            let code = self.resolved(name, tys, ret, &params, words, span);
            let sig = signature(&**self.isa, &params, &ret_layout);
            let sig = self.b.import_signature(sig);
            self.store_fuel_for_callee();
            self.b.ins().call_indirect(sig, code, &args)
        };
        let returned = self.b.inst_results(call).to_vec();
        self.return_if(returned[0], span);
        self.reload_fuel();
        match results {
            Some(at) => self.reload(at, &ret_layout),
            None => returned[1..].iter().copied().collect(),
        }
    }

    /// The address of a callee, which is compiled at its first call.
    fn resolved(
        &mut self,
        name: Symbol,
        tys: Vec<Ty>,
        ret: Ty,
        params: &[Arc<Layout>],
        words: &[ir::Value],
        span: Span,
    ) -> ir::Value {
        let entry = self.address(self.program.entries.of(name, tys, ret).cast(), SymbolName::Entry(name));
        let at = i32::try_from(offset_of!(Entry, code)).expect("an entry is small");
        let known = self.b.ins().load(types::I64, MemFlagsData::trusted(), entry, at);
        let (resolved, unknown, lost) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(unknown);
        self.b.set_cold_block(lost);
        let code = self.b.append_block_param(resolved, types::I64);
        self.b.ins().brif(known, resolved, &[BlockArg::Value(known)], unknown, &[]);
        self.b.switch_to_block(unknown);
        let address = self.libcall(libcall!(libcalls::resolve), &[self.run, entry], Some(types::I64));
        let address = address.expect("it gives an address");
        self.b.ins().brif(address, resolved, &[BlockArg::Value(address)], lost, &[]);
        self.b.switch_to_block(lost);
        // The callee did not take over the arguments.
        let mut next = 0;
        for layout in params {
            self.release(layout, &words[next..next + layout.components.len()]);
            next += layout.components.len();
        }
        let failed = self.failed(span);
        self.b.ins().jump(failed, &[]);
        self.b.switch_to_block(resolved);
        code
    }
}
