//! Domains: types of values that carry additional information, and their arithmetic.

use crate::Symbol;
use crate::ir::{BuildError, Func, FuncBuilder, Operand, Ty};
use crate::ops::OpDef;

use super::{Body, CallSite, Called, Context, Key, Method, NeedsHandle, Pass, PassError, ValueOnly};
use std::fmt;
use std::sync::Arc;

/// A domain: types that replace types of the program, and operations on them.
///
/// Under a domain every value of a type that [`Domain::map`] maps is one of the mapped type, wherever it
/// occurs: in structs, arrays, tuples, cells, enums, closures, parameters and results. Constants are lifted,
/// and so are results that an operation computes from plain values (a float from an integer). Operations that
/// only move values ([`OpDef::is_structural`]) need no rule; comparisons ([`OpDef::compares`], and all
/// operations that return a bool) see the plain values that [`Domain::untag`] returns. Every other operation
/// on values of the domain has to be [`Domain::lifted`], including one whose result is plain, such as a cast
/// or the bits of a float: otherwise the domain refuses the function, and the error names the operation and
/// its line. Nothing is dropped silently; a domain that intends to drop the additional information returns
/// [`Lifted::Untagged`].
pub trait Domain: Send + Sync + 'static {
    /// The name of the domain in the names of the functions specialised for it.
    fn name(&self) -> String;

    /// The key that determines the domain's decisions.
    fn key(&self) -> Key;

    /// The type that replaces a type, if the domain maps it.
    fn map(&self, ty: Ty) -> Option<Ty>;

    /// The function or operation that converts a plain value of type `of` to a value under the domain. It is
    /// required for the types that the domain maps. For other types that contain such types (an array, an
    /// `Option`) it is queried where an operation on plain values constructs one.
    fn lift(&self, of: Ty) -> Option<Lifted>;

    /// The function or operation that extracts the plain value of type `of` from a value under the domain,
    /// for this call; the types are as for `lift`. It is queried for comparisons and for operations that are
    /// [`Lifted::Untagged`]. A call for which there is none is refused.
    fn untag(&self, of: Ty, call: &CallSite) -> Option<Lifted>;

    /// Replaces the body of a mapped function, as [`Context::pass`] does, before operations are lifted.
    ///
    /// # Errors
    /// If there is none.
    fn pass(&self, _body: &Body<'_>) -> Result<Pass, PassError> {
        Ok(Pass::Keep)
    }

    /// A function that replaces another one with the same plain signature wherever that is called under the
    /// domain. It must have a different name.
    fn replaced(&self, _func: Symbol, _params: &[Ty], _ret: Ty) -> Option<Arc<Func>> {
        None
    }

    /// The implementation of an operation on values of the domain. The types of the call are those of the plain
    /// program.
    fn lifted(&self, call: &CallSite) -> Option<Lifted>;
}

/// The implementation of an operation on values of a domain.
#[derive(Clone)]
pub enum Lifted {
    /// A function of the module.
    Func(Symbol),
    /// An operation of the domain or of the engine.
    Op(&'static OpDef),
    /// The instructions that this appends, given the operands under the domain; constant operands are plain.
    Emit(Emit),
    /// The operation itself on the plain values, with its result lifted: the additional information is lost.
    Untagged,
    /// The operation has no meaning under the domain.
    Refused {
        /// The reason.
        reason: String,
        /// Advice.
        help: Option<String>,
    },
}

/// Appends instructions, and returns the operand that replaces the result.
pub type Emit = Arc<dyn Fn(&mut FuncBuilder, &[Operand]) -> Result<Operand, BuildError> + Send + Sync>;

impl Lifted {
    /// Appends the instructions of `emit`.
    pub fn emit(
        emit: impl Fn(&mut FuncBuilder, &[Operand]) -> Result<Operand, BuildError> + Send + Sync + 'static,
    ) -> Lifted {
        Lifted::Emit(Arc::new(emit))
    }
}

impl fmt::Debug for Lifted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lifted::Func(name) => f.debug_tuple("Func").field(name).finish(),
            Lifted::Op(op) => f.debug_tuple("Op").field(op).finish(),
            Lifted::Emit(_) => f.write_str("Emit(..)"),
            Lifted::Untagged => f.write_str("Untagged"),
            Lifted::Refused { reason, .. } => f.debug_tuple("Refused").field(reason).finish(),
        }
    }
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

    fn metadata(&self) {}

    fn name(&self) -> String {
        self.0.name()
    }

    fn key(&self) -> Key {
        Key::of::<Lift>().with(&self.0.key())
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn method(&self, call: &CallSite) -> Method {
        match call.callee {
            // A function specialised for an inner context is not replaced.
            Called::Func(name) | Called::Closure(name) if name == call.name => {
                let replaced = self.0.replaced(name, &call.args, call.ret);
                replaced.map_or(Method::Recurse, Method::Ir)
            }
            Called::Func(_) | Called::Closure(_) | Called::Op(_) | Called::Value => Method::Recurse,
        }
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let func = body.func();
        let is_original = body.root() == func.name;
        if let Some(replaced) =
            is_original.then(|| self.0.replaced(func.name, &body.args(), func.ret)).flatten()
        {
            return Ok(Pass::Rewrite(Arc::unwrap_or_clone(replaced)));
        }
        self.0.pass(body)
    }

    fn domain(&self) -> Option<Arc<dyn Domain>> {
        Some(self.0.clone())
    }
}
