//! What passes know besides the function that they change.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{Func, Inst, Module};

/// What passes know besides the function that they change: its callees, and which calls have to stay.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    callee: &'s dyn Fn(Symbol) -> Option<Arc<Func>>,
    keep: &'s dyn Fn(&Func, &Inst) -> bool,
    limits: Limits,
}

/// How much a function may grow by inlining.
///
/// A callee of a few instructions, as those of iterators are, takes hardly more room than its call: it is inlined beyond
/// `total`, until the function has four times the instructions that it began with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// A callee with so many instructions is always inlined.
    pub callee: usize,
    /// Beyond so many instructions nothing else is inlined any more.
    pub total: usize,
}

/// A callee of so many instructions takes hardly more room than its call.
const SMALL: usize = 40;

/// How many times its size a function may take by small callees.
const GROWTH: usize = 4;

impl Limits {
    /// Up to how many instructions a function that had so many `before` may grow by a callee of this size.
    pub(crate) fn most(self, before: usize, callee: usize) -> usize {
        if callee <= SMALL { self.most_by_small(before) } else { self.total }
    }

    /// Up to how many instructions it may grow at all.
    pub(crate) fn most_by_small(self, before: usize) -> usize {
        self.total.max(before.saturating_mul(GROWTH))
    }
}

impl Default for Limits {
    /// Callees of up to 120 instructions, functions of up to 4000.
    fn default() -> Limits {
        Limits { callee: 120, total: 4000 }
    }
}

impl<'s> Scope<'s> {
    /// Nothing is known of any callee.
    pub fn none() -> Scope<'static> {
        Scope::new(&|_| None)
    }

    /// Callees are looked up by `callee`.
    pub fn new(callee: &'s dyn Fn(Symbol) -> Option<Arc<Func>>) -> Scope<'s> {
        Scope { callee, keep: &|_, _| false, limits: Limits::default() }
    }

    /// The same, but calls for which `keep` holds stay.
    #[must_use]
    pub fn keeping(self, keep: &'s dyn Fn(&Func, &Inst) -> bool) -> Scope<'s> {
        Scope { keep, ..self }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Scope<'s> {
        Scope { limits, ..self }
    }

    /// The limits of inlining.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The function of this name, if it is known.
    pub fn callee(&self, name: Symbol) -> Option<Arc<Func>> {
        (self.callee)(name)
    }

    /// Whether a call of `func` has to stay.
    pub fn keeps(&self, func: &Func, call: &Inst) -> bool {
        (self.keep)(func, call)
    }
}

/// How many instructions and terminators a function has.
pub(crate) fn size_of(func: &Func) -> usize {
    func.blocks.iter().map(|body| body.insts.len() + 1).sum()
}

/// A lookup in a module, which asks the module's sources for what is not defined yet; what cannot be had is not
/// inlined, and fails where it is called.
pub fn callees(module: &Module) -> impl Fn(Symbol) -> Option<Arc<Func>> {
    |name| module.func(name).ok().flatten()
}

impl std::fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scope").field("limits", &self.limits).finish_non_exhaustive()
    }
}
