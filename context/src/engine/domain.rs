//! Domains: types of values that carry additional information, and their arithmetic.

use crate::Symbol;
use crate::ir::{BuildError, Func, FuncBuilder, Operand, Ty};
use crate::ops::OpDef;

use super::{Body, CallSite, Called, Context, Key, Method, NeedsHandle, Pass, PassError, ValueOnly};
use std::fmt;
use std::sync::Arc;

/// A domain: types that replace types of the program, and operations on them.
///
/// Under a domain every value of a type that [`Domain::map`] maps is one of the mapped type, wherever it is: in
/// structs, arrays, tuples, cells, enums, closures, parameters and results. Constants are lifted, and so is what an
/// operation makes of plain values (a float of an integer). Operations that only move values about
/// ([`OpDef::is_structural`]) need no word, comparisons ([`OpDef::compares`], and whatever gives a bool) see the plain
/// values that [`Domain::untag`] gives. Every other operation on values of the domain has to be [`Domain::lifted`],
/// also one whose result is plain, such as a cast or the bits of a float: else the domain refuses the function, and
/// the error names the operation and its line. Nothing is silently dropped; a domain that wants to drop what values
/// carry says [`Lifted::Untagged`].
pub trait Domain: Send + Sync + 'static {
    /// Its name in the names of the functions made for it.
    fn name(&self) -> String;

    /// What its decisions go by.
    fn key(&self) -> Key;

    /// The type that replaces a type, if the domain replaces it.
    fn map(&self, ty: Ty) -> Option<Ty>;

    /// What makes a value under the domain out of a plain one of type `of`: a function or operation. It has to be
    /// there for the types that the domain maps. For others that hold such (an array, an `Option`) it is asked
    /// where an operation on plain values makes one.
    fn lift(&self, of: Ty) -> Option<Lifted>;

    /// What takes the plain value of type `of` out of one under the domain, for this call; for which types, as for
    /// `lift`. It is asked for comparisons and for what is [`Lifted::Untagged`]. A call that it has nothing for is
    /// refused.
    fn untag(&self, of: Ty, call: &CallSite) -> Option<Lifted>;

    /// The body of a function that is mapped: as [`Context::pass`], before operations are lifted.
    ///
    /// # Errors
    /// Where there is none.
    fn pass(&self, _body: &Body<'_>) -> Result<Pass, PassError> {
        Ok(Pass::Keep)
    }

    /// A function that replaces another with the same plain signature wherever that is called under the domain. It
    /// has a different name.
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
    /// An operation, the domain's own or the engine's.
    Op(&'static OpDef),
    /// The instructions that this appends, given the operands under the domain; those that are constants are the
    /// plain ones.
    Emit(Emit),
    /// The operation itself on the plain values, and its result lifted: what the values carry is lost.
    Untagged,
    /// The operation has no meaning under the domain.
    Refused {
        /// Why.
        reason: String,
        /// What to do instead.
        help: Option<String>,
    },
}

/// Appends instructions, and gives what stands for the result.
pub type Emit = Arc<dyn Fn(&mut FuncBuilder, &[Operand]) -> Result<Operand, BuildError> + Send + Sync>;

impl Lifted {
    /// The instructions that `emit` appends.
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
        let is_own = body.root() == func.name;
        if let Some(replaced) = is_own.then(|| self.0.replaced(func.name, &body.args(), func.ret)).flatten() {
            return Ok(Pass::Rewrite(Arc::unwrap_or_clone(replaced)));
        }
        self.0.pass(body)
    }

    fn domain(&self) -> Option<Arc<dyn Domain>> {
        Some(self.0.clone())
    }
}
