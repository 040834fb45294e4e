//! How compiled code is entered from outside: code that reads arguments from words and writes the result to words.
//!
//! - B1 it is one for all functions with the same leaves, and is told which of them it enters.
//! - B2 it stays as long as a function that is entered by it, and for the next one as long as there is room.

use std::fmt;
use std::mem::{ManuallyDrop, offset_of};
use std::sync::{Arc, Mutex, PoisonError};

use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, ModuleError};
use hashbrown::HashMap;

use crate::abi::layout::{Component, Layout};
use crate::abi::signature::{component_ty, is_direct, signature};
use crate::runtime::run::Run;

/// What enters a function: it takes the run, the words of its arguments, where those of its result go, and its code.
pub(crate) type EnterFn = unsafe extern "C" fn(*mut Run, *const u64, *mut u64, *const u8) -> u32;

/// Code that enters functions whose parameters and results have certain leaves.
pub(crate) struct EntryThunk {
    pub(crate) enter: EnterFn,
    module: ManuallyDrop<JITModule>,
}

// SAFETY: finished code is only read; the module is touched again only to be freed, by the last owner.
unsafe impl Send for EntryThunk {}
// SAFETY: as above.
unsafe impl Sync for EntryThunk {}

/// The leaves of parameters and of a result.
type Key = (Box<[Component]>, Box<[Component]>);

/// So many are kept beside those in use (B2).
const MOST_KEPT: usize = 64;

impl EntryThunk {
    /// The one for functions with these parameters and this result.
    pub(crate) fn of(
        isa: &OwnedTargetIsa,
        params: &[Arc<Layout>],
        ret: &Layout,
    ) -> Result<Arc<EntryThunk>, Box<ModuleError>> {
        static MADE: Mutex<Option<HashMap<Key, Arc<EntryThunk>>>> = Mutex::new(None);
        let components = params.iter().flat_map(|layout| &layout.components).copied();
        let key: Key = (components.collect(), ret.components.as_slice().into());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let made = made.get_or_insert_default();
        if let Some(known) = made.get(&key) {
            return Ok(known.clone());
        }
        if made.len() >= MOST_KEPT {
            made.retain(|_, thunk| Arc::strong_count(thunk) > 1);
        }
        let thunk = Arc::new(EntryThunk::make(isa, params, ret)?);
        made.insert(key, thunk.clone());
        Ok(thunk)
    }

    fn make(
        isa: &OwnedTargetIsa,
        params: &[Arc<Layout>],
        ret: &Layout,
    ) -> Result<EntryThunk, Box<ModuleError>> {
        let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
        let mut module = ManuallyDrop::new(JITModule::new(builder));
        let finished = define(&mut module, params, ret).and_then(|id| {
            module.finalize_definitions()?;
            Ok(module.get_finalized_function(id))
        });
        match finished {
            Ok(code) => {
                // SAFETY: it was defined with the signature that `EnterFn` is.
                let enter = unsafe { std::mem::transmute::<*const u8, EnterFn>(code) };
                Ok(EntryThunk { enter, module })
            }
            Err(error) => {
                // SAFETY: nothing refers to its code, and the module is not used after this.
                unsafe { ManuallyDrop::take(&mut module).free_memory() };
                Err(error)
            }
        }
    }
}

fn define(module: &mut JITModule, params: &[Arc<Layout>], ret: &Layout) -> Result<FuncId, Box<ModuleError>> {
    let mut sig = Signature::new(module.isa().default_call_conv());
    sig.params.extend([AbiParam::new(types::I64); 4]);
    sig.returns.push(AbiParam::new(types::I32));
    let id = module.declare_anonymous_function(&sig)?;
    let mut cx = module.make_context();
    let mut builder_cx = FunctionBuilderContext::new();
    cx.func.signature = sig;
    let mut b = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
    build(&mut b, signature(module.isa(), params, ret), params, ret);
    b.seal_all_blocks();
    b.finalize(module.isa().frontend_config());
    module.define_function(id, &mut cx)?;
    Ok(id)
}

/// Reads the arguments, calls the function, writes the result.
fn build(b: &mut FunctionBuilder<'_>, of_function: Signature, params: &[Arc<Layout>], ret: &Layout) {
    let trusted = MemFlagsData::trusted();
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    let [run, args, results, code] = *b.block_params(block) else {
        unreachable!("a border takes four arguments")
    };
    let depth = i32::try_from(offset_of!(Run, depth)).expect("a run is small");
    let depth = b.ins().load(types::I64, trusted, run, depth);
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
    for (at, answer) in answers[1..].iter().enumerate() {
        let offset = i32::try_from(at * 8).expect("a direct result has three leaves at most");
        // A word has no garbage beside a narrow leaf.
        if b.func.dfg.value_type(*answer).bits() < 64 {
            let zero = b.ins().iconst(types::I64, 0);
            b.ins().store(trusted, zero, results, offset);
        }
        b.ins().store(trusted, *answer, results, offset);
    }
    b.ins().return_(&answers[..1]);
}

impl Drop for EntryThunk {
    fn drop(&mut self) {
        // SAFETY: nobody is entered by it any more, and the module is not used after this.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() }
    }
}

impl fmt::Debug for EntryThunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Border").finish_non_exhaustive()
    }
}
