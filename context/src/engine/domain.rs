//! Domains: values that carry something along.

use crate::Symbol;
use crate::ir::Ty;
use crate::ops::OpDef;

use super::{CallSite, Carries, Context, Key, ValueOnly};
use std::fmt;
use std::sync::Arc;

/// A domain: a type in the place of another, and the arithmetic of it.
///
/// Under a domain every value of type [`Domain::of`] is one of type [`Domain::ty`], wherever it is: in structs,
/// arrays, tuples, cells, enums, closures, parameters and results. Constants are lifted; what only moves values
/// about needs no word; an operation whose result is not of the domain (a comparison, a cast to an integer) goes by
/// what [`Domain::untag`] leaves of its operands. Any other operation has to be [`Domain::lifted`], else the
/// function cannot be had under the domain: nothing is silently dropped.
pub trait Domain: Send + Sync + 'static {
    /// Its name in the names of the functions made for it.
    fn name(&self) -> String;

    /// What its decisions go by.
    fn key(&self) -> Key;

    /// The type that is replaced.
    fn of(&self) -> Ty {
        Ty::f64()
    }

    /// The type that replaces it.
    fn ty(&self) -> Ty;

    /// What makes a value of the domain out of a plain one: a function or operation from `of` to `ty`.
    fn lift(&self) -> Lifted;

    /// What takes the plain value out of one of the domain: a function or operation from `ty` to `of`.
    fn untag(&self) -> Lifted;

    /// What does the work of an operation on values of the domain. The call's types are those of the plain program.
    fn lifted(&self, call: &CallSite) -> Option<Lifted>;
}

/// What does the work of an operation on values of a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifted {
    /// A function of the module.
    Func(Symbol),
    /// An operation, the domain's own or the engine's.
    Op(&'static OpDef),
    /// The operation itself on the plain values, and its result lifted: what the values carry is lost.
    Untagged,
}

/// The context that maps a program into a domain. Arguments and result are of the mapped types.
#[derive(Clone)]
pub struct Lift(Arc<dyn Domain>);

impl Lift {
    /// The context of this domain.
    pub fn new(domain: impl Domain) -> Lift {
        Lift(Arc::new(domain))
    }
}

impl fmt::Debug for Lift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lift").field(&self.0.name()).finish()
    }
}

impl Context for Lift {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn name(&self) -> String {
        self.0.name()
    }

    fn key(&self) -> Key {
        Key::of::<Lift>().with(&self.0.key())
    }

    fn carries(&self) -> Carries {
        Carries::Nothing
    }

    fn domain(&self) -> Option<Arc<dyn Domain>> {
        Some(self.0.clone())
    }
}
