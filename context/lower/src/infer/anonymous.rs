//! Constants without a name, as the lengths of arrays are: their bodies are inferred as those of items are, and run by
//! the evaluator.

use std::sync::{Arc, PoisonError};
use std::thread::{self, ThreadId};

use hashbrown::{HashMap, HashSet};

use super::check;
use super::cx::Cx;
use super::error::{InferErrorKind, Result};
use super::scope::GenericScope;
use super::session::Constant;
use super::ty::{Arg, Instance};
use crate::hir::{BodyRef, ExprKind, Prim};

/// A constant and the arguments of the item it is written in. The body is known by its address, and held so that no other
/// has it.
type Key = (usize, Box<[Arg]>);

/// The constants without a name that were evaluated, and those that are being evaluated.
#[derive(Default)]
pub(super) struct AnonymousConstants {
    known: HashMap<Key, (BodyRef, Option<i128>)>,
    running: HashSet<(ThreadId, Key)>,
}

impl Cx<'_> {
    /// The value of a constant in the scope of the item that it is written in; none if it cannot be computed.
    pub(super) fn anonymous(
        &self,
        body: &BodyRef,
        scope: &GenericScope,
        ty: Option<Prim>,
    ) -> Result<Option<i128>> {
        let Some(item) = scope.layout.own_segment().map(|segment| segment.owner) else { return Ok(None) };
        // Closures are known by the item and their place in its body.
        if body.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Closure { .. })) {
            return Ok(None);
        }
        let args = self.table.resolve_args(&scope.args);
        if args.iter().any(|arg| self.is_open_arg(arg)) {
            return Ok(None);
        }
        let lock = || self.types.anonymous.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (Arc::as_ptr(body).addr(), args.clone());
        if let Some((_, known)) = lock().known.get(&key) {
            return Ok(*known);
        }
        let running = (thread::current().id(), key.clone());
        if !lock().running.insert(running.clone()) {
            return self.error(InferErrorKind::Const("it depends on itself".into()));
        }
        let typed = check::anonymous(self.types, Instance::new(item, args), body.clone(), ty);
        let value = typed.map(|typed| self.types.evaluate(Constant::Anonymous(Arc::new(typed))));
        let mut constants = lock();
        constants.running.remove(&running);
        if let Ok(value) = value {
            constants.known.insert(key, (body.clone(), value));
        }
        value
    }
}
