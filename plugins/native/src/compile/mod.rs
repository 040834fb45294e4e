//! Typed IR to machine code, one function at a time.
//!
//! - G1 a function takes the run, how many calls are open (D1), and the leaves of its parameters, and answers a status and, if they fit in registers,
//!   the leaves of its result; else it takes a pointer to where they go.
//! - G2 it owns its counted parameters, and gives up what it owns on every way out (H3).

mod alone;
mod becoming;
mod body;
mod borrow;
mod branch;
mod call;
mod cast;
mod checked;
mod counters;
mod entry;
mod fail;
mod float;
mod inst;
mod lanes;
mod meter;
mod own;
mod parts;
mod plan;
mod pooled;
mod rows;
mod scalar;
mod switch;
mod tape;
mod vector;

use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::{Arc, LazyLock};

use cranelift_codegen::Context;
use cranelift_codegen::ir::{self, AbiParam, Signature, types};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _};
use overdub_context::ir::{Func, Inst, InstKind, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::{Failure, FailureKind};

use crate::border::Border;
use crate::code::{Compiled, Kept};
use crate::layout::{Layout, Leaf};
use crate::program::Program;

/// A longer function is compiled without Cranelift's own optimisations, whose time grows faster than the function.
const LONG: usize = 6000;

/// Whether Cranelift's own optimisations would find nothing in a function: all it computes with are floats, and integers
/// that only count. Passes have shared and folded what there is, and moved it out of loops.
fn is_plain(func: &Func) -> bool {
    const COUNTING: &[&OpDef] = &[&ops::ADD, &ops::ADD_WRAPPING, &ops::SUB, &ops::SUB_WRAPPING];
    let is_float = |ty: Ty| matches!(ty.kind(), TyKind::Float(_));
    let counts = |inst: &Inst| match &inst.kind {
        InstKind::Op { op, .. } => {
            !matches!(func.ty(inst.result).kind(), TyKind::Int(_)) || COUNTING.contains(op)
        }
        InstKind::Const(_) | InstKind::Call { .. } | InstKind::Overdub { .. } => true,
    };
    let is_scalar = |ty: Ty| is_float(ty) || matches!(ty.kind(), TyKind::Bool | TyKind::Int(_));
    func.vars.iter().all(|var| is_scalar(var.ty))
        && func.blocks.iter().flat_map(|body| &body.insts).all(counts)
}

/// The Cranelift type of a leaf.
pub(crate) fn leaf_ty(leaf: Leaf) -> ir::Type {
    match leaf {
        Leaf::Int(8) | Leaf::Own => types::I8,
        Leaf::Int(16) => types::I16,
        Leaf::Int(32) => types::I32,
        Leaf::Int(_) | Leaf::Counted(_) => types::I64,
        Leaf::F32 => types::F32,
        Leaf::F64 => types::F64,
    }
}

/// Whether a result comes back in registers beside the status: as many as every calling convention has.
pub(crate) fn is_direct(ret: &Layout) -> bool {
    let floats = ret.leaves.iter().filter(|leaf| matches!(leaf, Leaf::F32 | Leaf::F64)).count();
    floats <= 2 && ret.leaves.len() - floats <= 1
}

/// The signature of a function with these parameters and this result (G1).
pub(crate) fn signature(isa: &dyn TargetIsa, params: &[Arc<Layout>], ret: &Layout) -> Signature {
    let mut sig = Signature::new(isa.default_call_conv());
    sig.params.extend([AbiParam::new(types::I64); 2]);
    let leaves = params.iter().flat_map(|layout| &layout.leaves);
    sig.params.extend(leaves.map(|leaf| AbiParam::new(leaf_ty(*leaf))));
    sig.returns.push(AbiParam::new(types::I32));
    if is_direct(ret) {
        sig.returns.extend(ret.leaves.iter().map(|leaf| AbiParam::new(leaf_ty(*leaf))));
    } else {
        sig.params.push(AbiParam::new(types::I64));
    }
    sig
}

/// How much Cranelift does for a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effort {
    /// Its own optimisations too.
    Full,
    /// None of its own optimisations: passes have left nothing to find.
    Plain,
    /// Nor does it look for the best registers, whose search grows faster than the function.
    Least,
}

impl Effort {
    fn of(func: &Func, size: usize) -> Effort {
        match size {
            _ if size > LONG => Effort::Least,
            _ if is_plain(func) => Effort::Plain,
            _ => Effort::Full,
        }
    }

    /// The instruction set of this machine, as Cranelift makes code for it.
    fn isa(self) -> Result<OwnedTargetIsa, Failure> {
        type Made = LazyLock<Result<OwnedTargetIsa, String>>;
        static FULL: Made = LazyLock::new(|| make_isa("speed", "backtracking"));
        static PLAIN: Made = LazyLock::new(|| make_isa("none", "backtracking"));
        static LEAST: Made = LazyLock::new(|| make_isa("none", "single_pass"));
        let isa = match self {
            Effort::Full => &FULL,
            Effort::Plain => &PLAIN,
            Effort::Least => &LEAST,
        };
        isa.as_ref().cloned().map_err(|message| no_code(message))
    }
}

fn make_isa(opt_level: &str, registers: &str) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verifies = if cfg!(debug_assertions) { "true" } else { "false" };
    let wanted = [
        ("opt_level", opt_level),
        ("regalloc_algorithm", registers),
        ("enable_verifier", verifies),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
    ];
    for (name, value) in wanted {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let builder = cranelift_native::builder().map_err(str::to_string)?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}

/// The failure of a function that Cranelift makes no code of.
fn no_code(message: &str) -> Failure {
    Failure::new(FailureKind::Host, format!("no machine code can be made: {message}"))
        .with_help(Some("run it by the interpreter".to_string()))
}

/// Compiles `optimised`, which is `func` after passes.
pub(crate) fn compile(program: &Program, func: Arc<Func>, optimised: &Func) -> Result<Compiled, Failure> {
    let size: usize = optimised.blocks.iter().map(|body| body.insts.len() + 1).sum();
    let isa = Effort::of(optimised, size).isa()?;
    let builder = JITBuilder::with_isa(isa.clone(), cranelift_module::default_libcall_names());
    let (params, ret): (Vec<_>, _) =
        (optimised.param_tys().map(Layout::of).collect(), Layout::of(optimised.ret));
    let border = Border::of(&isa, &params, &ret).map_err(|error| no_code(&format!("{error:?}")))?;
    let mut unit = Unit { isa, module: Some(JITModule::new(builder)), params, ret, border };
    let mut kept = Kept::default();
    let direct = unit.define(program, optimised, &mut kept)?;
    let mut module = unit.module.take().expect("only `drop` takes it before");
    if let Err(error) = module.finalize_definitions() {
        // SAFETY: nothing refers to its code.
        unsafe { module.free_memory() };
        return Err(no_code(&error.to_string()));
    }
    let direct = module.get_finalized_function(direct);
    let (params, ret, border) = (std::mem::take(&mut unit.params), unit.ret.clone(), unit.border.clone());
    let module = ManuallyDrop::new(module);
    Ok(Compiled { func, params, ret, direct, border, size, kept, module })
}

/// A longer function leaves nothing for the next one: what it took is given back.
const MOST_KEPT: usize = 4000;

thread_local! {
    /// What the last function of this thread was compiled in: the next one need not allocate it again.
    static SCRATCH: Cell<Option<(Box<Context>, Box<FunctionBuilderContext>)>> = const { Cell::new(None) };
}

/// A function on its way to machine code.
struct Unit {
    isa: OwnedTargetIsa,
    module: Option<JITModule>,
    params: Vec<Arc<Layout>>,
    ret: Arc<Layout>,
    border: Arc<Border>,
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
    fn define(&mut self, program: &Program, func: &Func, kept: &mut Kept) -> Result<FuncId, Failure> {
        let module = self.module.as_mut().expect("it is taken when everything is defined");
        let error = |error: cranelift_module::ModuleError| no_code(&format!("{error:?}"));
        let sig = signature(&*self.isa, &self.params, &self.ret);
        let direct = module.declare_anonymous_function(&sig).map_err(error)?;
        let left = SCRATCH.try_with(Cell::take).ok().flatten();
        let (mut cx, mut builder_cx) =
            left.unwrap_or_else(|| (Box::new(module.make_context()), Box::default()));
        module.clear_context(&mut cx);
        cx.func.signature = sig;
        let refs = body::Refs {
            direct: module.declare_func_in_func(direct, &mut cx.func),
            border: self.border.enter as *const u8,
        };
        let builder = FunctionBuilder::new(&mut cx.func, &mut builder_cx);
        body::Body::new(&self.isa, program, func, kept, builder, refs)?.build()?;
        module.define_function(direct, &mut cx).map_err(error)?;
        if func.vars.len() < MOST_KEPT {
            // A thread that ends keeps nothing.
            let _ = SCRATCH.try_with(|scratch| scratch.set(Some((cx, builder_cx))));
        }
        Ok(direct)
    }
}
