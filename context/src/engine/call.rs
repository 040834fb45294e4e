//! A call as seen by a context, and the methods by which a context can implement it.

use std::sync::Arc;

use crate::ir::{Const, Func, Ty};
use crate::ops::OpDef;
use crate::value::Value;
use crate::{Span, Symbol, path};

/// A call in a function's body: of a function, of an operation, of a closure or function value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CallSite {
    /// The callee.
    pub callee: Called,
    /// The callee's name before any context rewrote it; `fn` for a function value.
    pub name: Symbol,
    /// The types of the arguments.
    pub args: Box<[Ty]>,
    /// The arguments that are constants.
    pub consts: Box<[Option<Const>]>,
    /// The type of the result.
    pub ret: Ty,
    /// The function that contains the call, by its name before any context rewrote it.
    pub caller: Symbol,
    /// The source location of the call.
    pub span: Span,
}

/// The callee of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Called {
    /// A function of the module. Under an outer context it may be one that an inner context specialised:
    /// `f{Trace#0}`.
    Func(Symbol),
    /// An operation.
    Op(&'static OpDef),
    /// A closure whose code is known.
    Closure(Symbol),
    /// A function value whose code is known only at run time.
    Value,
}

impl CallSite {
    /// The name of the callee: the function, the operation, or the closure's code, before any context rewrote
    /// it.
    pub fn name(&self) -> &'static str {
        self.name.as_str()
    }

    /// Whether `name` refers to the callee: its whole path, or the last segments of it. Type arguments that
    /// `name` omits are ignored, and a method is found by its type and by its trait: `twice` calls
    /// `twice<f64>`, and `Disc::area`, `Area::area` and `area` all call `<Disc as Area>::area`. The rules are
    /// in [`crate::path`].
    pub fn calls(&self, name: &str) -> bool {
        path::is_called(self.name(), name)
    }

    /// Whether the callee has a body that a context can specialise: operations and host functions have none.
    pub fn can_recurse(&self) -> bool {
        match self.callee {
            Called::Func(_) | Called::Closure(_) | Called::Value => true,
            Called::Op(_) => false,
        }
    }
}

/// The implementation of a call under a context.
#[derive(Clone, Debug, Default)]
pub enum Method {
    /// The call is made under the context; an operation is evaluated.
    #[default]
    Recurse,
    /// The call is made outside the context.
    Fallback,
    /// The function or operation of this name is called instead, under the context.
    Inside(Symbol),
    /// The function or operation of this name is called instead, outside the context.
    Outside(Symbol),
    /// This operation is evaluated instead.
    Op(&'static OpDef),
    /// [`crate::engine::Context::call`] is run instead.
    Host,
    /// This value is the result; nothing is called.
    Constant(Value<'static>),
    /// This function is called instead, under the context.
    Ir(Arc<Func>),
}

/// The hooks that a context requests for a call. No code is generated for hooks that are not requested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hooks {
    /// The hook before the call.
    pub pre: Pre,
    /// The hook after the call.
    pub post: Post,
}

/// The hook before a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pre {
    /// Nothing.
    #[default]
    No,
    /// [`crate::engine::Context::prehook`].
    Yes,
}

/// The hook after a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Post {
    /// Nothing.
    #[default]
    No,
    /// [`crate::engine::Context::posthook`] with the result but without arguments, which may have been
    /// changed in place.
    Result,
    /// [`crate::engine::Context::posthook`] with the result and the arguments as they were before the call.
    WithArgs,
}

impl Hooks {
    /// No hook.
    pub const NONE: Hooks = Hooks { pre: Pre::No, post: Post::No };
    /// A prehook.
    pub const PRE: Hooks = Hooks { pre: Pre::Yes, post: Post::No };
    /// A posthook with the result and the arguments.
    pub const POST: Hooks = Hooks { pre: Pre::No, post: Post::WithArgs };
    /// A posthook with the result.
    pub const RESULT: Hooks = Hooks { pre: Pre::No, post: Post::Result };
    /// A prehook, and a posthook with the result and the arguments.
    pub const BOTH: Hooks = Hooks { pre: Pre::Yes, post: Post::WithArgs };

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self == Hooks::NONE
    }
}
