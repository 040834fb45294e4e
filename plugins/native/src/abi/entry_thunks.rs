//! Entry thunks: code that host code calls to enter a compiled function. A thunk loads the arguments from memory into
//! registers, calls the function, and stores its result.
//!
//! - THUNK1 functions with the same components share a thunk; the caller passes the address of the function to enter.
//! - THUNK2 a thunk lives at least as long as any function that is entered through it; unused ones are kept up to a
//!   limit.

use std::fmt;
use std::mem::{ManuallyDrop, offset_of};
use std::sync::{Arc, Mutex, PoisonError};

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, ModuleError};
use hashbrown::HashMap;

use crate::abi::layout::{Component, Layout};
use crate::abi::run_state::RunState;
use crate::abi::signature::{component_ty, is_direct, signature};

/// An entry thunk takes the run, the words of the arguments, the address for the words of the result, and the
/// function.
pub(crate) type EnterFn = unsafe extern "C" fn(*mut RunState, *const u64, *mut u64, *const u8) -> u32;

/// Generated code that host code calls, and its memory.
pub(crate) struct Thunk {
    code: *const u8,
    module: ManuallyDrop<JITModule>,
}

// SAFETY: finished code is only read; the module is used again only to free it, by the last owner.
unsafe impl Send for Thunk {}
// SAFETY: as above.
unsafe impl Sync for Thunk {}

/// The code that enters functions whose parameters and results have the same components.
pub(crate) struct EntryThunk {
    pub(crate) enter: EnterFn,
    _thunk: Thunk,
}

/// The components of the parameters, and those of the result.
type Key = (Box<[Component]>, Box<[Component]>);

/// Unused thunks are dropped once the cache holds this many (THUNK2).
const MAX_CACHED: usize = 64;

impl EntryThunk {
    /// The thunk for functions with these parameters and this result.
    pub(crate) fn of(
        isa: &OwnedTargetIsa,
        params: &[Arc<Layout>],
        ret: &Layout,
    ) -> Result<Arc<EntryThunk>, Box<ModuleError>> {
        // One cache for the process: if each executor compiled its own, a new executor would take 40 % longer
        // (in a debug build) for the first call of a small function.
        static CACHE: Mutex<Option<HashMap<Key, Arc<EntryThunk>>>> = Mutex::new(None);
        let components = params.iter().flat_map(|layout| &layout.components).copied();
        let key: Key = (components.collect(), ret.components.as_slice().into());
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        let cache = cache.get_or_insert_default();
        if let Some(known) = cache.get(&key) {
            return Ok(known.clone());
        }
        if cache.len() >= MAX_CACHED {
            cache.retain(|_, thunk| Arc::strong_count(thunk) > 1);
        }
        let thunk = Arc::new(EntryThunk::compile(isa, params, ret)?);
        cache.insert(key, thunk.clone());
        Ok(thunk)
    }

    fn compile(
        isa: &OwnedTargetIsa,
        params: &[Arc<Layout>],
        ret: &Layout,
    ) -> Result<EntryThunk, Box<ModuleError>> {
        let signature = signature(&**isa, params, ret);
        let thunk = Thunk::compile(isa, 4, |b| build(b, signature, params, ret))?;
        // SAFETY: the code was defined with the signature of `EnterFn`.
        let enter = unsafe { std::mem::transmute::<*const u8, EnterFn>(thunk.code()) };
        Ok(EntryThunk { enter, _thunk: thunk })
    }
}

impl Thunk {
    /// Compiles the body that `build` emits, of a function of this many words that returns a status.
    pub(crate) fn compile(
        isa: &OwnedTargetIsa,
        params: usize,
        build: impl FnOnce(&mut FunctionBuilder<'_>),
    ) -> Result<Thunk, Box<ModuleError>> {
        let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
        let mut module = ManuallyDrop::new(JITModule::new(builder));
        let finished = define(&mut module, params, build).and_then(|id| {
            module.finalize_definitions()?;
            Ok(module.get_finalized_function(id))
        });
        match finished {
            Ok(code) => Ok(Thunk { code, module }),
            Err(error) => {
                // SAFETY: nothing refers to its code, and the module is not used after this.
                unsafe { ManuallyDrop::take(&mut module).free_memory() };
                Err(error)
            }
        }
    }

    /// The address of the code.
    pub(crate) fn code(&self) -> *const u8 {
        self.code
    }
}

fn define(
    module: &mut JITModule,
    params: usize,
    build: impl FnOnce(&mut FunctionBuilder<'_>),
) -> Result<FuncId, Box<ModuleError>> {
    let mut sig = Signature::new(module.isa().default_call_conv());
    sig.params.extend(vec![AbiParam::new(types::I64); params]);
    sig.returns.push(AbiParam::new(types::I32));
    let id = module.declare_anonymous_function(&sig)?;
    let mut cx = module.make_context();
    let mut builder_cx = FunctionBuilderContext::new();
    cx.func.signature = sig;
    let mut b = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    build(&mut b);
    b.seal_all_blocks();
    b.finalize(module.isa().frontend_config());
    module.define_function(id, &mut cx)?;
    Ok(id)
}

/// Emits the thunk: it loads the arguments, calls the function and stores the result.
fn build(b: &mut FunctionBuilder<'_>, of_function: Signature, params: &[Arc<Layout>], ret: &Layout) {
    let trusted = MemFlagsData::trusted();
    let block = b.current_block().expect("a thunk begins in its first block");
    let [run, args, results, code] = *b.block_params(block) else {
        unreachable!("an entry thunk takes four words")
    };
    let depth = load_depth(b, run);
    let mut values = vec![run, depth];
    for (at, component) in params.iter().flat_map(|layout| &layout.components).enumerate() {
        let offset = i32::try_from(at * 8).expect("fewer parameters than 2^28");
        values.push(b.ins().load(component_ty(*component), trusted, args, offset));
    }
    if !is_direct(ret) {
        values.push(results);
    }
    let of_function = b.import_signature(of_function);
    let call = b.ins().call_indirect(of_function, code, &values);
    let answers = b.inst_results(call).to_vec();
    for (at, result) in answers[1..].iter().enumerate() {
        let offset = i32::try_from(at * 8).expect("a direct result has three components at most");
        // The upper bytes of a result word that holds a narrow component are zero.
        if b.func.dfg.value_type(*result).bits() < 64 {
            let zero = b.ins().iconst(types::I64, 0);
            b.ins().store(trusted, zero, results, offset);
        }
        b.ins().store(trusted, *result, results, offset);
    }
    b.ins().return_(&answers[..1]);
}

/// Emits the load of the number of open calls.
pub(crate) fn load_depth(b: &mut FunctionBuilder<'_>, run: Value) -> Value {
    let depth = i32::try_from(offset_of!(RunState, depth)).expect("a run is small");
    b.ins().load(types::I64, MemFlagsData::trusted(), run, depth)
}

impl Drop for Thunk {
    fn drop(&mut self) {
        // SAFETY: no caller enters through the thunk any more, and the module is not used after this.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() }
    }
}

impl fmt::Debug for EntryThunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntryThunk").finish_non_exhaustive()
    }
}
