//! Nesting of contexts with modes of other crates, such as differentiation, that are not a [`Context`].
//!
//! Users write nested pairs, the outermost first: `(a, (b, mode))`, `(mode, (a, b))`. [`Nest`] splits them
//! into the outer contexts and the core, under which the API runs a function:
//!
//! | written | around | core |
//! |---|---|---|
//! | `a` | `()` | `a` |
//! | `(a, b)` | `(a, ())` | `b` |
//! | `mode` | `()` | `mode` |
//! | `(a, (b, mode))` | `(a, (b, ()))` | `mode` |
//! | `(mode, (a, b))` | `()` | the core that the mode derives from `(a, b)`, by its [`Outermost`] |

use super::{Context, Layers};

/// Nested contexts and modes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a context nor contexts in each other",
    note = "several are nested as pairs, the outermost first: `(outer, inner)`, `(outer, (next, inner))`"
)]
pub trait Nest {
    /// The contexts around the core.
    type Enclosing: Layers;
    /// The innermost context, or a mode with everything inside of it.
    type Core;

    /// Splits the layers.
    fn split(self) -> (Self::Enclosing, Self::Core);
}

/// A layer that can enclose other contexts: a context, or a mode that runs its inner layers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` runs no function under `{Inner}`",
    note = "several contexts are nested as pairs, the outermost first: `(outer, inner)`, `(outer, (next, inner))`"
)]
pub trait Outermost<Inner> {
    /// The contexts around the core.
    type Enclosing: Layers;
    /// The core.
    type Core;

    /// Splits the layer and its inner layers.
    fn split_with(self, inner: Inner) -> (Self::Enclosing, Self::Core);
}

impl<C: Context> Nest for C {
    type Enclosing = ();
    type Core = C;

    fn split(self) -> ((), C) {
        ((), self)
    }
}

impl<A: Outermost<B>, B> Nest for (A, B) {
    type Enclosing = A::Enclosing;
    type Core = A::Core;

    fn split(self) -> (A::Enclosing, A::Core) {
        self.0.split_with(self.1)
    }
}

impl<C: Context, B: Nest> Outermost<B> for C {
    type Enclosing = (C, B::Enclosing);
    type Core = B::Core;

    fn split_with(self, inner: B) -> ((C, B::Enclosing), B::Core) {
        let (enclosing, core) = inner.split();
        ((self, enclosing), core)
    }
}
