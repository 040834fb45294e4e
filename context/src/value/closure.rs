//! Closures, host functions and host values.

use std::any::Any;
use std::fmt;

use dyn_clone::DynClone;

use super::machine::OpCx;
use super::{Parts, Value};
use crate::Symbol;
use crate::failure::Failure;
use crate::types::Ty;

/// A closure or function value.
#[derive(Clone, Debug)]
pub struct Closure<'a> {
    /// The code.
    pub code: Code,
    /// The captured values, passed to the code before the arguments.
    pub captures: Parts<'a>,
}

/// The code of a closure.
#[derive(Clone)]
pub enum Code {
    /// A function of the module.
    Func(Symbol),
    /// A function of the host.
    Host(Box<dyn HostFn>),
}

/// A function of the host that programs can call.
pub trait HostFn: DynClone + Send + Sync {
    /// The name, for errors and traces.
    fn name(&self) -> Symbol;

    /// The types of the parameters.
    fn params(&self) -> Vec<Ty>;

    /// The type of the result.
    fn ret(&self) -> Ty;

    /// The type of the function as a value.
    fn ty(&self) -> Ty {
        Ty::func(self.params(), self.ret())
    }

    /// Calls the function with the captured values and the arguments; `cx` calls back into the program.
    ///
    /// # Errors
    /// If the function fails; the machine adds the location and the call stack.
    fn call<'a>(&self, cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure>;
}

dyn_clone::clone_trait_object!(HostFn);

/// A value of the host that is opaque to programs.
pub trait HostValue: DynClone + Any + Send + Sync + fmt::Debug {}

dyn_clone::clone_trait_object!(HostValue);

impl<T: Clone + Any + Send + Sync + fmt::Debug> HostValue for T {}

/// A host value with the name of its type.
#[derive(Clone, Debug)]
pub struct Opaque {
    /// The name in [`crate::types::TyKind::Opaque`].
    pub name: Symbol,
    /// The value.
    pub value: Box<dyn HostValue>,
}

impl Opaque {
    /// The host value, if it is a `T`.
    pub fn get<T: Any>(&self) -> Option<&T> {
        let value: &dyn Any = &*self.value;
        value.downcast_ref()
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Func(name) => write!(f, "@{name}"),
            Code::Host(host) => write!(f, "host {}", host.name()),
        }
    }
}
