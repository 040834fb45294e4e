//! Helpers as code that keeps every register.
//!
//! A call by the platform's convention may change all float registers, so that one call in a cold block makes
//! Cranelift keep a loop's floats on the stack in every round. These trampolines, made once for the process, save what
//! the helper behind them may change; they give no result.

use std::sync::LazyLock;

use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Type, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, ModuleError};

use crate::{helpers, refill};

/// Where the trampolines are.
#[derive(Clone, Copy)]
pub(crate) struct Trampolines {
    /// To [`helpers::release`].
    pub(crate) release: *const u8,
    /// To [`helpers::fail_op`].
    pub(crate) fail_op: *const u8,
    /// To [`helpers::ready_tape`].
    pub(crate) ready_tape: *const u8,
    /// To [`helpers::release_tape`].
    pub(crate) release_tape: *const u8,
    /// To [`helpers::own_vector`].
    pub(crate) own_vector: *const u8,
    /// To [`helpers::push`].
    pub(crate) push: *const u8,
    /// To [`helpers::own_rows`].
    pub(crate) own_rows: *const u8,
    /// To [`helpers::evaluate`].
    pub(crate) evaluate: *const u8,
    /// To [`helpers::repeat`].
    pub(crate) repeat: *const u8,
    /// The code of [`refill`].
    pub(crate) refill: *const u8,
}

// SAFETY: finished code that is never freed.
unsafe impl Send for Trampolines {}
// SAFETY: as above.
unsafe impl Sync for Trampolines {}

impl Trampolines {
    /// The process's.
    pub(crate) fn get(isa: &OwnedTargetIsa) -> Result<Trampolines, String> {
        static MADE: LazyLock<std::sync::Mutex<Option<Trampolines>>> = LazyLock::new(Default::default);
        let mut made = MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = *made {
            return Ok(known);
        }
        let new = make(isa).map_err(|error| format!("{error:?}"))?;
        *made = Some(new);
        Ok(new)
    }
}

fn make(isa: &OwnedTargetIsa) -> Result<Trampolines, Box<ModuleError>> {
    let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
    // Dropping a module does not free its code: it stays for the process.
    let mut module = JITModule::new(builder);
    let release = define(&mut module, helpers::release as *const u8, &[types::I32, types::I64])?;
    let fail_op = define(&mut module, helpers::fail_op as *const u8, &[types::I64; 3])?;
    let ready_tape = define(&mut module, helpers::ready_tape as *const u8, &[types::I64; 2])?;
    let release_tape = define(&mut module, helpers::release_tape as *const u8, &[types::I64; 2])?;
    let own_vector =
        define(&mut module, helpers::own_vector as *const u8, &[types::I64, types::I32, types::I64])?;
    let of_push = [types::I64, types::I32, types::I64, types::I64];
    let push = define(&mut module, helpers::push as *const u8, &of_push)?;
    let own_rows = define(&mut module, helpers::own_rows as *const u8, &[types::I64; 2])?;
    let evaluate = define(&mut module, helpers::evaluate as *const u8, &[types::I64; 3])?;
    let of_repeat = [types::I64, types::I32, types::I64, types::I64, types::I64];
    let repeat = define(&mut module, helpers::repeat as *const u8, &of_repeat)?;
    let refill = refill::define(&mut module)?;
    module.finalize_definitions()?;
    let at = |id| module.get_finalized_function(id);
    Ok(Trampolines {
        release: at(release),
        fail_op: at(fail_op),
        ready_tape: at(ready_tape),
        release_tape: at(release_tape),
        own_vector: at(own_vector),
        push: at(push),
        own_rows: at(own_rows),
        evaluate: at(evaluate),
        repeat: at(repeat),
        refill: at(refill),
    })
}

fn define(module: &mut JITModule, to: *const u8, params: &[Type]) -> Result<FuncId, Box<ModuleError>> {
    let mut plain = Signature::new(module.isa().default_call_conv());
    plain.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
    let keeping = Signature { call_conv: CallConv::PreserveAll, ..plain.clone() };
    let id = module.declare_anonymous_function(&keeping)?;
    let mut cx = module.make_context();
    let mut builder_cx = FunctionBuilderContext::new();
    cx.func.signature = keeping;
    let mut b = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    let args = b.block_params(block).to_vec();
    let plain = b.import_signature(plain);
    let address = b.ins().iconst(types::I64, to as usize as i64);
    b.ins().call_indirect(plain, address, &args);
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(module.isa().frontend_config());
    module.define_function(id, &mut cx)?;
    Ok(id)
}
