//! A context that records all calls that a function makes, directly or indirectly.
//!
//! ```
//! use overdub_context::engine::Engine;
//! use overdub_context::{text, value::Value};
//! use overdub_trace::Trace;
//!
//! let program = text::parse(
//!     "fn @square(%x: f64) -> f64 {\n %p: f64 = mul %x, %x\n ret %p\n}
//!      fn @f(%x: f64) -> f64 {\n %s: f64 = call @square(%x)\n %y: f64 = add %s, 1.0\n ret %y\n}",
//! )?;
//! let engine = Engine::new(program.module());
//! let (value, tree) = engine.overdub(&Trace::new(), "f", vec![Value::F64(3.0)])?;
//! assert_eq!(value.as_f64(), Some(10.0));
//! assert_eq!(
//!     tree.to_string(),
//!     "square(3.0) = 9.0\n\
//!      └─ mul(3.0, 3.0) = 9.0\n\
//!      add(9.0, 1.0) = 10.0\n",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Tree::to_json`] writes it as JSON, `Tree::flame_graph` as a picture of where the time was spent.
//!
//! - T1 a call is opened by its prehook and closed by its posthook; the calls recorded in between were made
//!   by it. A call that never ends, because the program fails in it, has no result.
//! - T2 arguments are stored as text, as they were before the call, up to a length: no value of the program
//!   is kept alive.

#[cfg(feature = "flame")]
mod flame;
mod json;
mod shown;
mod tree;

use overdub_context::engine::{CallSite, Context, Hooks, Key, Post, Pre, WithMetadata};
use overdub_context::value::Value;
use overdub_context::{Failure, Span, Symbol};

#[cfg(feature = "flame")]
pub use flame::{FlameError, flame_graph};
pub use shown::ShownValue;
pub use tree::{TracedCall, Tree};

/// Records the calls that a function makes.
#[derive(Clone, Debug)]
pub struct Trace {
    operations: bool,
    outside_of: Option<Symbol>,
    limits: Limits,
}

/// The limits of a recording.
#[derive(Clone, Copy, Debug)]
struct Limits {
    depth: usize,
    calls: usize,
    chars: usize,
}

impl Trace {
    /// Records every call.
    pub fn new() -> Trace {
        let limits = Limits { depth: usize::MAX, calls: 1 << 20, chars: 120 };
        Trace { operations: true, outside_of: None, limits }
    }

    /// Records only calls of functions, not operations.
    #[must_use]
    pub fn functions(self) -> Trace {
        Trace { operations: false, ..self }
    }

    /// Omits calls made by functions of files whose names begin with this: those run at full speed.
    #[must_use]
    pub fn outside_of(self, file: &str) -> Trace {
        Trace { outside_of: Some(Symbol::new(file)), ..self }
    }

    /// Records calls up to this depth.
    #[must_use]
    pub fn depth(mut self, depth: usize) -> Trace {
        self.limits.depth = depth;
        self
    }

    /// Records this number of calls; further ones are only counted.
    #[must_use]
    pub fn at_most(mut self, calls: usize) -> Trace {
        self.limits.calls = calls;
        self
    }

    /// Cuts arguments and results to this number of characters.
    #[must_use]
    pub fn chars(mut self, chars: usize) -> Trace {
        self.limits.chars = chars;
        self
    }
}

impl Default for Trace {
    fn default() -> Trace {
        Trace::new()
    }
}

impl Context for Trace {
    type Metadata = Tree;
    type Outcome = WithMetadata;

    fn key(&self) -> Key {
        // The limits are not in the key: no code depends on them.
        Key::of::<Trace>().with(&self.operations).with(&self.outside_of)
    }

    fn metadata(&self) -> Tree {
        Tree::new(self.limits.depth, self.limits.calls, self.limits.chars)
    }

    fn filter(&self, _: Symbol, span: Span) -> bool {
        self.outside_of.is_none_or(|prefix| !span.file.starts_with(prefix.as_str()))
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        if self.operations || call.can_recurse() {
            // The arguments are stored before the call, so none has to outlive it.
            Hooks { pre: Pre::Yes, post: Post::Result }
        } else {
            Hooks::NONE
        }
    }

    fn prehook(&self, tree: &mut Tree, call: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        tree.open(call, args);
        Ok(())
    }

    fn posthook(
        &self,
        tree: &mut Tree,
        _: &CallSite,
        result: &Value<'_>,
        _: &[Value<'_>],
    ) -> Result<(), Failure> {
        tree.close(result);
        Ok(())
    }
}
