//! Calls of the run-time support: libcalls, and trampolines to them.

use std::mem::offset_of;

use cranelift_codegen::ir::{self, AbiParam, InstBuilder, MemFlagsData, Signature};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use hashbrown::HashMap;

use super::func_cx::FuncCx;
use super::no_code;
use super::symbols::SymbolName;
use crate::abi::run_state::RunState;
use crate::runtime::libcalls::Libcall;
use crate::runtime::trampolines::Trampoline;

/// The signatures that were imported into a function, by the types of arguments and result.
#[derive(Default)]
pub(super) struct Signatures {
    platform: HashMap<(Vec<ir::Type>, Option<ir::Type>), ir::SigRef>,
    preserving: HashMap<Vec<ir::Type>, ir::SigRef>,
}

impl Signatures {
    fn platform(
        &mut self,
        b: &mut FunctionBuilder<'_>,
        call_conv: CallConv,
        params: Vec<ir::Type>,
        result: Option<ir::Type>,
    ) -> ir::SigRef {
        *self.platform.entry((params, result)).or_insert_with_key(|(params, result)| {
            let mut sig = Signature::new(call_conv);
            sig.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
            sig.returns.extend(result.map(AbiParam::new));
            b.import_signature(sig)
        })
    }

    fn preserving(&mut self, b: &mut FunctionBuilder<'_>, params: Vec<ir::Type>) -> ir::SigRef {
        *self.preserving.entry(params).or_insert_with_key(|params| {
            let mut sig = Signature::new(CallConv::PreserveAll);
            sig.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
            b.import_signature(sig)
        })
    }
}

impl FuncCx<'_> {
    /// The number of calls that are open within this one (CALLDEPTH1).
    pub(super) fn deeper(&mut self) -> ir::Value {
        self.b.ins().iadd_imm_s(self.depth, 1)
    }

    /// Stores the number of open calls in the run, for host code that calls back (H24).
    pub(super) fn store_depth(&mut self, depth: ir::Value) {
        let at = i32::try_from(offset_of!(RunState, depth)).expect("a run is small");
        self.b.ins().store(MemFlagsData::trusted(), depth, self.run, at);
    }

    /// Calls a function that preserves every register, by its trampoline.
    pub(super) fn preserving_call(&mut self, to: Trampoline, args: &[ir::Value]) {
        let tys: Vec<ir::Type> = args.iter().map(|arg| self.b.func.dfg.value_type(*arg)).collect();
        let sig = self.signatures.preserving(&mut self.b, tys);
        let at = to.address(self.isa).unwrap_or_else(|message| {
            self.missing = Some(no_code(&message));
            std::ptr::null()
        });
        self.mark();
        let address = self.address(at, SymbolName::Trampoline(to));
        self.b.ins().call_indirect(sig, address, args);
    }

    /// Calls a libcall by the convention of the platform.
    pub(super) fn libcall(
        &mut self,
        to: Libcall,
        args: &[ir::Value],
        result: Option<ir::Type>,
    ) -> Option<ir::Value> {
        let tys: Vec<ir::Type> = args.iter().map(|arg| self.b.func.dfg.value_type(*arg)).collect();
        let sig = self.signatures.platform(&mut self.b, self.isa.default_call_conv(), tys, result);
        self.mark();
        let address = self.address(to.address, SymbolName::Libcall(to.name));
        let call = self.b.ins().call_indirect(sig, address, args);
        self.b.inst_results(call).first().copied()
    }
}
