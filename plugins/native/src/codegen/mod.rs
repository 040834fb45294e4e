//! Code generation: typed IR to Cranelift IR to machine code, one function at a time.
//!
//! - GEN1 a function takes the run, the number of open calls (CALLDEPTH1) and the components of its parameters. It
//!   returns a status and the components of its result, or takes a pointer to memory for them if they do not fit in
//!   registers.
//! - GEN2 (H3) a function owns its counted parameters, and releases what it owns on every exit.

mod analysis;
mod branches;
mod calls;
mod cleanup;
mod constant_pool;
mod frame;
mod func_cx;
mod instrument;
mod isa;
mod loop_entries;
mod lower;
mod meter;
mod operands;
mod prologue;
mod simd;
mod state;
mod support_calls;
mod switches;
mod terminators;

use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use cranelift_codegen::Context;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _};
use overdub_context::ir::Func;
use overdub_context::{Failure, FailureKind};

use crate::abi::entry_thunks::EntryThunk;
use crate::abi::layout::Layout;
use crate::abi::signature::signature;
use crate::codegen::isa::Effort;
use crate::compiled::{Compiled, SideTables};
use crate::program::Program;

/// The failure of a function that Cranelift does not compile.
fn no_code(message: &str) -> Failure {
    Failure::new(FailureKind::Host, format!("no machine code can be made: {message}"))
        .with_help(Some("run it by the interpreter".to_string()))
}

/// Compiles `optimised`, which is `func` after the passes.
pub(crate) fn compile(program: &Program, func: Arc<Func>, optimised: &Func) -> Result<Compiled, Failure> {
    let size: usize = optimised.blocks.iter().map(|body| body.insts.len() + 1).sum();
    let isa = Effort::of(optimised, size).isa()?;
    let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
    let (params, ret): (Vec<_>, _) =
        (optimised.param_tys().map(Layout::of).collect(), Layout::of(optimised.ret));
    let thunk = EntryThunk::of(&isa, &params, &ret).map_err(|error| no_code(&format!("{error:?}")))?;
    let mut unit = Unit { isa, module: Some(JITModule::new(builder)), params, ret, thunk };
    let mut tables = SideTables::default();
    let direct = unit.define(program, optimised, &mut tables)?;
    let mut module = unit.module.take().expect("only `drop` takes it before");
    if let Err(error) = module.finalize_definitions() {
        // SAFETY: nothing refers to its code.
        unsafe { module.free_memory() };
        return Err(no_code(&error.to_string()));
    }
    let direct = module.get_finalized_function(direct);
    let (params, ret, thunk) = (std::mem::take(&mut unit.params), unit.ret.clone(), unit.thunk.clone());
    let module = ManuallyDrop::new(module);
    Ok(Compiled { func, params, ret, direct, thunk, size, tables, module })
}

/// The context of a function with more variables is not reused, so that its memory is freed.
const MOST_KEPT: usize = 4000;

thread_local! {
    /// The context of the thread's last function, which the next one reuses.
    static SCRATCH: Cell<Option<(Box<Context>, Box<FunctionBuilderContext>)>> = const { Cell::new(None) };
}

/// A function during compilation.
struct Unit {
    isa: OwnedTargetIsa,
    module: Option<JITModule>,
    params: Vec<Arc<Layout>>,
    ret: Arc<Layout>,
    thunk: Arc<EntryThunk>,
}

impl Drop for Unit {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the function was not finished: nothing refers to its code.
            unsafe { module.free_memory() }
        }
    }
}

impl Unit {
    fn define(&mut self, program: &Program, func: &Func, tables: &mut SideTables) -> Result<FuncId, Failure> {
        let module = self.module.as_mut().expect("it is taken when everything is defined");
        let error = |error: cranelift_module::ModuleError| no_code(&format!("{error:?}"));
        let sig = signature(&*self.isa, &self.params, &self.ret);
        let direct = module.declare_anonymous_function(&sig).map_err(error)?;
        let left = SCRATCH.try_with(Cell::take).ok().flatten();
        let (mut cx, mut builder_cx) =
            left.unwrap_or_else(|| (Box::new(module.make_context()), Box::default()));
        module.clear_context(&mut cx);
        cx.func.signature = sig;
        let refs = func_cx::SelfRefs {
            direct: module.declare_func_in_func(direct, &mut cx.func),
            thunk: self.thunk.enter as *const u8,
        };
        let builder = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
        func_cx::FuncCx::new(&self.isa, program, func, tables, builder, refs)?.build()?;
        module.define_function(direct, &mut cx).map_err(error)?;
        if func.vars.len() < MOST_KEPT {
            // While a thread ends there is no scratch space.
            let _ = SCRATCH.try_with(|scratch| scratch.set(Some((cx, builder_cx))));
        }
        Ok(direct)
    }
}
