//! A call as a context sees it, and what a context may make of it.

use std::sync::Arc;

use crate::ir::{Const, Func, Ty};
use crate::ops::OpDef;
use crate::value::Value;
use crate::{Span, Symbol, path};

/// A call in a function's body: of a function, of an operation, of a closure or function value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CallSite {
    /// What is called.
    pub callee: Called,
    /// Its name before any context rewrote it; `fn` of a function value.
    pub name: Symbol,
    /// The types of the arguments.
    pub args: Box<[Ty]>,
    /// The arguments that are constants.
    pub consts: Box<[Option<Const>]>,
    /// The type of the result.
    pub ret: Ty,
    /// The function that the call is written in, as it was before any context rewrote it.
    pub caller: Symbol,
    /// Where the call stands.
    pub span: Span,
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Called {
    /// A function of the module. Under an outer context it may be one that an inner context made: `f{Trace#0}`.
    Func(Symbol),
    /// An operation.
    Op(&'static OpDef),
    /// A closure whose code is known.
    Closure(Symbol),
    /// A function value whose code is known only when the program runs.
    Value,
}

impl CallSite {
    /// The name of what is called: the function, the operation, the closure's code, before any context rewrote it.
    pub fn name(&self) -> &'static str {
        self.name.as_str()
    }

    /// Whether `name` refers to what is called: the whole path, or the end of one. Type arguments that the name does
    /// not write are ignored, and a method is found by its type and by its trait: `twice` calls `twice<f64>`, and
    /// `Disc::area`, `Area::area` and `area` all call `<Disc as Area>::area`. The rules are in [`crate::path`].
    pub fn calls(&self, name: &str) -> bool {
        path::is_called(self.name(), name)
    }

    /// Whether the call has a body that a context can go into: operations and host functions have none.
    pub fn can_recurse(&self) -> bool {
        match self.callee {
            Called::Func(_) | Called::Closure(_) | Called::Value => true,
            Called::Op(_) => false,
        }
    }
}

/// What a context makes of a call.
#[derive(Clone, Debug, Default)]
pub enum Method {
    /// It is made under the context; an operation is carried out.
    #[default]
    Recurse,
    /// It is made outside the context.
    Fallback,
    /// This function, or the operation of this name, is called instead, under the context.
    Inside(Symbol),
    /// This function, or the operation of this name, is called instead, outside the context.
    Outside(Symbol),
    /// This operation is carried out instead.
    Op(&'static OpDef),
    /// The context's own [`crate::engine::Context::call`] is run instead.
    Host,
    /// This value is the result; nothing is called.
    Constant(Value<'static>),
    /// This function is called instead, under the context.
    Ir(Arc<Func>),
}

/// Which hooks a context wants at a call. What is not asked for leaves no trace in the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hooks {
    /// What runs before the call.
    pub pre: Pre,
    /// What runs after the call.
    pub post: Post,
}

/// What runs before a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pre {
    /// Nothing.
    #[default]
    No,
    /// [`crate::engine::Context::prehook`].
    Yes,
}

/// What runs after a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Post {
    /// Nothing.
    #[default]
    No,
    /// [`crate::engine::Context::posthook`], which sees the result but no arguments: those may be changed in place.
    Result,
    /// [`crate::engine::Context::posthook`], which sees the result and the arguments as they were before the call.
    WithArgs,
}

impl Hooks {
    /// No hook.
    pub const NONE: Hooks = Hooks { pre: Pre::No, post: Post::No };
    /// A prehook.
    pub const PRE: Hooks = Hooks { pre: Pre::Yes, post: Post::No };
    /// A posthook that sees the result and the arguments.
    pub const POST: Hooks = Hooks { pre: Pre::No, post: Post::WithArgs };
    /// A posthook that sees the result.
    pub const RESULT: Hooks = Hooks { pre: Pre::No, post: Post::Result };
    /// Both, the posthook with the arguments.
    pub const BOTH: Hooks = Hooks { pre: Pre::Yes, post: Post::WithArgs };

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self == Hooks::NONE
    }
}
