//! The instruction set that Cranelift compiles for, and the effort that it spends on a function.

use std::sync::LazyLock;

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use overdub_context::Failure;
use overdub_context::ir::{Func, Inst, InstKind, Ty, TyKind};
use overdub_context::ops::{self, OpDef};

use super::no_code;

/// A larger function is compiled without Cranelift's own optimisations, whose time is superlinear.
const LONG: usize = 6000;

/// Whether Cranelift's own optimisations would find nothing in a function, because its integers are only
/// counters: the passes have already simplified it and moved invariants out of loops.
fn needs_no_optimisation(func: &Func) -> bool {
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

/// The effort that Cranelift spends on a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// With its own optimisations.
    Full,
    /// Without its own optimisations, which would find nothing.
    NoOptimisation,
    /// Without its own optimisations, and with the single-pass register allocator, since the default one is
    /// superlinear.
    Least,
}

impl Effort {
    pub(super) fn of(func: &Func, size: usize) -> Effort {
        match size {
            _ if size > LONG => Effort::Least,
            _ if needs_no_optimisation(func) => Effort::NoOptimisation,
            _ => Effort::Full,
        }
    }

    /// The instruction set of this machine, with Cranelift's settings.
    pub(super) fn isa(self) -> Result<OwnedTargetIsa, Failure> {
        type LazyIsa = LazyLock<Result<OwnedTargetIsa, String>>;
        static FULL: LazyIsa = LazyLock::new(|| build_isa("speed", "backtracking"));
        static NO_OPTIMISATION: LazyIsa = LazyLock::new(|| build_isa("none", "backtracking"));
        static LEAST: LazyIsa = LazyLock::new(|| build_isa("none", "single_pass"));
        let isa = match self {
            Effort::Full => &FULL,
            Effort::NoOptimisation => &NO_OPTIMISATION,
            Effort::Least => &LEAST,
        };
        isa.as_ref().cloned().map_err(|message| no_code(message))
    }
}

fn build_isa(opt_level: &str, registers: &str) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verifies = if cfg!(debug_assertions) { "true" } else { "false" };
    let values = [
        ("opt_level", opt_level),
        ("regalloc_algorithm", registers),
        ("enable_verifier", verifies),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
    ];
    for (name, value) in values {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let builder = cranelift_native::builder().map_err(str::to_string)?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}
