//! Names of functions generated for contexts, with ownership of those functions.

use std::fmt;
use std::sync::Arc;

use super::instance::Instance;
use crate::Symbol;

/// The name of a function that keeps alive what the function was generated for: while it is held, the
/// contexts are not freed.
///
/// A plain name is text, and the engine cannot observe when its last copy is dropped;
/// [`super::Engine::nested`] and [`super::Engine::overdubbed`] therefore keep what they name as long as the
/// engine lives. This one is released when dropped.
#[derive(Clone)]
pub struct FuncGuard {
    name: Symbol,
    /// `None` for a function of the program itself, which is held without allocating.
    instances: Option<Arc<[Arc<Instance>]>>,
}

impl FuncGuard {
    pub(super) fn new(name: Symbol, instances: Vec<Arc<Instance>>) -> FuncGuard {
        FuncGuard { name, instances: (!instances.is_empty()).then(|| instances.into()) }
    }

    /// The name of the function.
    pub fn name(&self) -> Symbol {
        self.name
    }

    /// Whether the function was generated for any context.
    pub(super) fn is_generated(&self) -> bool {
        self.instances.is_some()
    }
}

impl fmt::Debug for FuncGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FuncGuard").field("name", &self.name).finish_non_exhaustive()
    }
}
