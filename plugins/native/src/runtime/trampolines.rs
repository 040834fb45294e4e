//! Trampolines: libcalls with the `PreserveAll` calling convention, which preserves every register.
//!
//! A call with the platform's convention clobbers all float registers, so one call in a cold block makes the
//! register allocator spill a loop's floats in every iteration. A trampoline saves what the libcall that it
//! calls may clobber; it returns no result. Each is compiled when code first calls it: a process that makes
//! one short call needs none.

use std::sync::{Mutex, PoisonError};

use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Type, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, ModuleError};

use crate::runtime::{libcalls, zero_fill};

/// A function that preserves every register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trampoline {
    /// To [`libcalls::release`].
    Release,
    /// To [`libcalls::fail_op`].
    FailOp,
    /// To [`libcalls::prepare_tape`].
    PrepareTape,
    /// To [`libcalls::release_tape`].
    ReleaseTape,
    /// To [`libcalls::make_unique`].
    MakeUnique,
    /// To [`libcalls::push`].
    Push,
    /// To [`libcalls::make_packed_unique`].
    MakePackedUnique,
    /// To [`libcalls::evaluate`].
    Evaluate,
    /// To [`libcalls::repeat`].
    Repeat,
    /// To [`libcalls::refuel_at_iteration`].
    Refuel,
    /// The code of [`zero_fill`].
    ZeroFill,
}

/// The number of trampolines.
const COUNT: usize = Trampoline::ZeroFill as usize + 1;

/// Their addresses; 0 for those that have not been compiled. They belong to the process: code of all
/// executors refers to them, and there are at most [`COUNT`].
static ADDRESSES: Mutex<[usize; COUNT]> = Mutex::new([0; COUNT]);

impl Trampoline {
    /// The address of its code.
    pub(crate) fn address(self, isa: &OwnedTargetIsa) -> Result<*const u8, String> {
        let mut addresses = ADDRESSES.lock().unwrap_or_else(PoisonError::into_inner);
        let at = &mut addresses[self as usize];
        if *at == 0 {
            *at = self.compile(isa).map_err(|error| format!("{error:?}"))?.expose_provenance();
        }
        Ok(std::ptr::with_exposed_provenance(*at))
    }

    fn compile(self, isa: &OwnedTargetIsa) -> Result<*const u8, Box<ModuleError>> {
        let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
        // The code is never freed: dropping a module does not free its code.
        let mut module = JITModule::new(builder);
        let id = match self.helper() {
            Some((to, params)) => define(&mut module, to, params)?,
            None => zero_fill::define(&mut module)?,
        };
        module.finalize_definitions()?;
        Ok(module.get_finalized_function(id))
    }

    /// The libcall that it calls, and the types of its arguments; `None` for [`zero_fill`].
    fn helper(self) -> Option<(*const u8, &'static [Type])> {
        use types::{I32, I64};
        Some(match self {
            Trampoline::Release => (libcalls::release as *const u8, &[I32, I64]),
            Trampoline::FailOp => (libcalls::fail_op as *const u8, &[I64; 3]),
            Trampoline::PrepareTape => (libcalls::prepare_tape as *const u8, &[I64; 2]),
            Trampoline::ReleaseTape => (libcalls::release_tape as *const u8, &[I64; 2]),
            Trampoline::MakeUnique => (libcalls::make_unique as *const u8, &[I64, I32, I64]),
            Trampoline::Push => (libcalls::push as *const u8, &[I64, I32, I64, I64]),
            Trampoline::MakePackedUnique => (libcalls::make_packed_unique as *const u8, &[I64; 2]),
            Trampoline::Evaluate => (libcalls::evaluate as *const u8, &[I64; 3]),
            Trampoline::Repeat => (libcalls::repeat as *const u8, &[I64, I32, I64, I64, I64, I32]),
            Trampoline::Refuel => (libcalls::refuel_at_iteration as *const u8, &[I64]),
            Trampoline::ZeroFill => return None,
        })
    }
}

fn define(module: &mut JITModule, to: *const u8, params: &[Type]) -> Result<FuncId, Box<ModuleError>> {
    let mut signature = Signature::new(module.isa().default_call_conv());
    signature.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
    let keeping = Signature { call_conv: CallConv::PreserveAll, ..signature.clone() };
    let id = module.declare_anonymous_function(&keeping)?;
    let mut cx = module.make_context();
    let mut builder_cx = FunctionBuilderContext::new();
    cx.func.signature = keeping;
    let mut b = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    let args = b.block_params(block).to_vec();
    let signature = b.import_signature(signature);
    let address = b.ins().iconst(types::I64, to as usize as i64);
    b.ins().call_indirect(signature, address, &args);
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(module.isa().frontend_config());
    module.define_function(id, &mut cx)?;
    Ok(id)
}
