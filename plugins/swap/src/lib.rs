//! A context that replaces called functions by others, by name.
//!
//! ```
//! use overdub_context::engine::Engine;
//! use overdub_context::{text, value::Value};
//! use overdub_swap::Swap;
//!
//! let program = text::parse("fn @f(%x: f64) -> f64 {\n %y: f64 = sin %x\n ret %y\n}")?;
//! let engine = Engine::new(program.module());
//! let value = engine.overdub(&Swap::new().put("cos", "sin"), "f", vec![Value::F64(0.0)])?;
//! assert_eq!(value.as_f64(), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A name is a whole path or the end of one: `sin`, `geometry::area`. The replacement is a function or an
//! operation with the same parameter and result types; it need not have run before. A name that does not
//! occur in the program, and a replacement that does not fit, are errors before anything runs.

use overdub_context::Symbol;
use overdub_context::engine::{CallSite, Context, Key, Method, Named, NeedsHandle, ValueOnly};

/// Replaces called functions by others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Swap {
    pairs: Vec<Pair>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pair {
    called: Symbol,
    instead: Symbol,
    inside: bool,
}

impl Swap {
    /// Replaces nothing.
    pub fn new() -> Swap {
        Swap::default()
    }

    /// Also calls `instead` in place of `called`, including in what `instead` calls.
    #[must_use]
    pub fn put(self, instead: &str, called: &str) -> Swap {
        self.with(instead, called, true)
    }

    /// Also calls `instead` in place of `called`, except in what `instead` calls, so that it may call
    /// `called`.
    #[must_use]
    pub fn wrap(self, instead: &str, called: &str) -> Swap {
        self.with(instead, called, false)
    }

    fn with(mut self, instead: &str, called: &str, inside: bool) -> Swap {
        let (called, instead) = (Symbol::new(called), Symbol::new(instead));
        self.pairs.push(Pair { called, instead, inside });
        self
    }
}

impl Context for Swap {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Swap>().with(&self.pairs)
    }

    fn names(&self) -> Vec<Named> {
        self.pairs.iter().flat_map(|pair| [pair.called, pair.instead]).map(Named::Called).collect()
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    fn method(&self, call: &CallSite) -> Method {
        // A later replacement overrides an earlier one.
        match self.pairs.iter().rev().find(|pair| call.calls(&pair.called)) {
            Some(pair) if pair.inside => Method::Inside(pair.instead),
            Some(pair) => Method::Outside(pair.instead),
            None => Method::Recurse,
        }
    }
}
