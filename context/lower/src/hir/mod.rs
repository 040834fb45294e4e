//! HIR: the result of name resolution and macro expansion, and the input of type inference.
//!
//! - HIR1 every path is resolved as far as possible by names alone; paths that depend on a type (`T::zero`,
//!   `x.len()`) are marked as such.
//! - HIR2 macros are expanded, `for`, `while`, `while let` are `loop` and `match`, ranges are struct literals.
//! - HIR3 ids are dense indices into the table that owns them: [`DefId`] into a program, the others into one [`HirBody`].
//! - HIR4 lifetimes are erased, `impl Trait` in argument position is a type parameter.

mod body;
mod item;
mod repr;
mod types;

pub use body::*;
pub use item::*;
pub use repr::*;
pub use types::*;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $sigil:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The index in the table that owns the id.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($sigil, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// An item of a program: a module, function, type, trait, impl, variant, associated item.
    DefId "def";
    /// An expression of a body.
    ExprId "e";
    /// A pattern of a body.
    PatId "p";
    /// A variable of a body: a parameter, a `let`, a binding of a pattern.
    LocalId "x";
}
