//! Names of functions made for contexts, with what keeps those functions.

use std::fmt;
use std::sync::Arc;

use super::instance::Instance;
use crate::Symbol;

/// The name of a function, and what it is made for: as long as this is held, the contexts are not freed.
///
/// A name by itself is text, and nothing tells when the last copy of it is forgotten; [`super::Engine::nested`] and
/// [`super::Engine::overdubbed`] therefore keep what they name as long as the engine lives. This ends earlier.
#[derive(Clone)]
pub struct Held {
    name: Symbol,
    /// `None` for a function that is made for none, which is held without allocating.
    instances: Option<Arc<[Arc<Instance>]>>,
}

impl Held {
    pub(super) fn new(name: Symbol, instances: Vec<Arc<Instance>>) -> Held {
        Held { name, instances: (!instances.is_empty()).then(|| instances.into()) }
    }

    /// The name of the function.
    pub fn name(&self) -> Symbol {
        self.name
    }

    /// Whether the function is made for any context.
    pub(super) fn is_made(&self) -> bool {
        self.instances.is_some()
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held").field("name", &self.name).finish_non_exhaustive()
    }
}
