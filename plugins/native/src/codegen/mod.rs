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
mod constant_branches;
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
mod symbols;
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
use crate::codegen::func_cx::{FuncCx, SelfRefs};
use crate::codegen::isa::Effort;
use crate::compiled::Compiled;
use crate::side_tables::{Entries, SideTables};

/// What the functions of one program share during code generation.
#[derive(Clone, Copy)]
pub(crate) struct CodegenCx<'p> {
    /// The callees of the functions.
    pub(crate) entries: &'p Entries,
    /// Whether the functions check for interrupts.
    pub(crate) stops: bool,
}

/// The instruction set of this machine, for code that enters compiled functions.
pub(crate) fn host_isa() -> Result<OwnedTargetIsa, Failure> {
    Effort::Full.isa()
}

/// The failure of a function that Cranelift cannot compile.
fn no_code(message: &str) -> Failure {
    Failure::new(FailureKind::Host, format!("no machine code can be made: {message}"))
        .with_help(Some("run it by the interpreter".to_string()))
}

/// The Cranelift IR of `optimised`, block by block.
pub(crate) fn listing(program: CodegenCx<'_>, optimised: &Func) -> Result<String, Failure> {
    let mut unit = Unit::of(optimised)?;
    let mut cx = unit.module().make_context();
    let mut builder_cx = FunctionBuilderContext::new();
    let direct = unit.declare(&mut cx)?;
    let mut tables = SideTables::default();
    let refs = unit.refs(direct, &mut cx);
    let builder = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
    let lowering = FuncCx::new(&unit.isa, program, optimised, &mut tables, builder, refs)?;
    let symbols = lowering.build_for_listing()?;
    Ok(symbols::listing(&cx.func, &symbols))
}

/// Compiles `optimised`, which is `func` after the passes.
pub(crate) fn compile(
    program: CodegenCx<'_>,
    func: Arc<Func>,
    optimised: &Func,
) -> Result<Compiled, Failure> {
    let mut unit = Unit::of(optimised)?;
    let size = size_of(optimised);
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
const MAX_KEPT: usize = 4000;

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

/// The number of instructions and terminators.
fn size_of(func: &Func) -> usize {
    func.blocks.iter().map(|body| body.insts.len() + 1).sum()
}

impl Unit {
    fn of(func: &Func) -> Result<Unit, Failure> {
        let isa = Effort::of(func, size_of(func)).isa()?;
        let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
        let (params, ret): (Vec<_>, _) = (func.param_tys().map(Layout::of).collect(), Layout::of(func.ret));
        let thunk = EntryThunk::of(&isa, &params, &ret).map_err(|error| no_code(&format!("{error:?}")))?;
        Ok(Unit { isa, module: Some(JITModule::new(builder)), params, ret, thunk })
    }

    fn module(&mut self) -> &mut JITModule {
        self.module.as_mut().expect("it is taken when everything is defined")
    }

    /// Declares the function, whose signature is set in the context.
    fn declare(&mut self, cx: &mut Context) -> Result<FuncId, Failure> {
        let sig = signature(&*self.isa, &self.params, &self.ret);
        let direct = self.module().declare_anonymous_function(&sig);
        cx.func.signature = sig;
        direct.map_err(|error| no_code(&format!("{error:?}")))
    }

    fn refs(&mut self, direct: FuncId, cx: &mut Context) -> SelfRefs {
        let thunk = self.thunk.enter as *const u8;
        SelfRefs { direct: self.module().declare_func_in_func(direct, &mut cx.func), thunk }
    }

    fn define(
        &mut self,
        program: CodegenCx<'_>,
        func: &Func,
        tables: &mut SideTables,
    ) -> Result<FuncId, Failure> {
        let left = SCRATCH.try_with(Cell::take).ok().flatten();
        let (mut cx, mut builder_cx) =
            left.unwrap_or_else(|| (Box::new(self.module().make_context()), Box::default()));
        self.module().clear_context(&mut cx);
        let direct = self.declare(&mut cx)?;
        let refs = self.refs(direct, &mut cx);
        let builder = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
        FuncCx::new(&self.isa, program, func, tables, builder, refs)?.build()?;
        let folded = constant_branches::fold(&mut cx, &*self.isa);
        folded.map_err(|error| no_code(&format!("{error:?}")))?;
        let defined = self.module().define_function(direct, &mut cx);
        defined.map_err(|error| no_code(&format!("{error:?}")))?;
        if func.vars.len() < MAX_KEPT {
            // While a thread ends, there is no scratch space.
            let _ = SCRATCH.try_with(|scratch| scratch.set(Some((cx, builder_cx))));
        }
        Ok(direct)
    }
}
