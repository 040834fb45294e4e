//! The inputs of a pass besides the function: its callees, the calls to preserve, and the limits of inlining.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{Func, Inst, Module};

/// The inputs of a pass besides the function: its callees, the calls to preserve, and the limits of inlining.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    callee: &'s dyn Fn(Symbol) -> Option<Arc<Func>>,
    keep: &'s dyn Fn(&Func, &Inst) -> bool,
    limits: Limits,
}

/// How much a function may grow by inlining.
///
/// A callee of few instructions, such as an iterator's method, takes little more space than its call. It is
/// inlined even beyond `total`, until the function has four times its original number of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest callee that is inlined, in instructions.
    pub callee: usize,
    /// The size of the caller, in instructions, beyond which only small callees are inlined.
    pub total: usize,
}

/// The largest callee, in instructions, that takes little more space than its call.
const SMALL_CALLEE: usize = 40;

/// The factor by which small callees may make a function grow.
const MAX_GROWTH: usize = 4;

impl Limits {
    /// The largest size that a function whose original size is `before` may reach by inlining a callee of
    /// this size.
    pub(crate) fn max_size(self, before: usize, callee: usize) -> usize {
        if callee <= SMALL_CALLEE { self.max_size_by_small(before) } else { self.total }
    }

    /// The absolute maximum size of a function whose original size is `before`.
    pub(crate) fn max_size_by_small(self, before: usize) -> usize {
        self.total.max(before.saturating_mul(MAX_GROWTH))
    }
}

impl Default for Limits {
    /// Callees of up to 120 instructions, functions of up to 4000.
    fn default() -> Limits {
        Limits { callee: 120, total: 4000 }
    }
}

impl<'s> Scope<'s> {
    /// A scope without callees.
    pub fn none() -> Scope<'static> {
        Scope::new(&|_| None)
    }

    /// A scope that looks up callees by `callee`.
    pub fn new(callee: &'s dyn Fn(Symbol) -> Option<Arc<Func>>) -> Scope<'s> {
        Scope { callee, keep: &|_, _| false, limits: Limits::default() }
    }

    /// Preserves the calls for which `keep` holds.
    #[must_use]
    pub fn keeping(self, keep: &'s dyn Fn(&Func, &Inst) -> bool) -> Scope<'s> {
        Scope { keep, ..self }
    }

    /// Uses these limits of inlining.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Scope<'s> {
        Scope { limits, ..self }
    }

    /// The limits of inlining.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The function of this name, if it is available.
    pub fn callee(&self, name: Symbol) -> Option<Arc<Func>> {
        (self.callee)(name)
    }

    /// Whether this call in `func` is to be preserved.
    pub fn keeps(&self, func: &Func, call: &Inst) -> bool {
        (self.keep)(func, call)
    }
}

/// The size of a function: its instructions and terminators.
pub(crate) fn size_of(func: &Func) -> usize {
    func.blocks.iter().map(|body| body.insts.len() + 1).sum()
}

/// A lookup in a module, which loads functions from the module's sources on demand. A function that fails to load is
/// not inlined: the call itself reports the error.
pub fn callees(module: &Module) -> impl Fn(Symbol) -> Option<Arc<Func>> {
    |name| module.func(name).ok().flatten()
}

impl std::fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scope").field("limits", &self.limits).finish_non_exhaustive()
    }
}
