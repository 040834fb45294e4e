//! Types as they are written, resolved, with generic parameters not yet bound.

use overdub_context::{Span, Symbol};

use super::{DefId, ExprId};

/// A primitive type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Prim {
    Bool,
    Char,
    Str,
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
    F32,
    F64,
}

/// A generic parameter: the `index`-th of the item that declares it (its own list, without its parent's).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ParamRef {
    /// The function, type, trait or impl that declares it.
    pub owner: DefId,
    /// Its position among the type and const parameters there.
    pub index: u32,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it is written.
    pub span: Span,
}

/// What a written type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `_`, or left out.
    Infer,
    /// `!`
    Never,
    /// `f64`, `str`, …
    Prim(Prim),
    /// `()`, `(A, B)`
    Tuple(Vec<Type>),
    /// `&T`, `&mut T`.
    Ref {
        /// `&mut`
        mutable: bool,
        /// What it points to.
        inner: Box<Type>,
    },
    /// `[T]`
    Slice(Box<Type>),
    /// `[T; N]`
    Array(Box<Type>, Box<ConstArg>),
    /// A struct, enum or type alias with its arguments.
    Def(DefId, Vec<GenericArg>),
    /// A type parameter.
    Param(ParamRef),
    /// `Self`: of the innermost trait or impl around it (this item).
    SelfType(DefId),
    /// `T::Item`, `<T as Trait<A>>::Item`, `Self::Output`: found once `base` is known.
    Assoc {
        /// The type before `::`.
        base: Box<Type>,
        /// The trait, where it is written.
        of: Option<Box<TraitRef>>,
        /// The associated type.
        name: Symbol,
        /// Its own arguments.
        args: Vec<GenericArg>,
    },
    /// `fn(A) -> B`
    FnPtr(Vec<Type>, Box<Type>),
    /// `impl A + B` where a function returns it.
    ImplTrait(Vec<TraitRef>),
    /// `dyn A + B`
    Dyn(Vec<TraitRef>),
    /// A construct that can never be lowered: an error with this message if the type is ever needed.
    Unsupported(Symbol),
}

/// A generic argument.
#[derive(Clone, Debug)]
pub enum GenericArg {
    /// A type.
    Type(Type),
    /// A constant.
    Const(ConstArg),
}

/// A constant in a type: an array's length, a const argument.
#[derive(Clone, Debug)]
pub enum ConstArg {
    /// `_`
    Infer,
    /// A literal.
    Value(i128),
    /// A const parameter. (A bare path in argument position that names a parameter or a constant is resolved here.)
    Param(ParamRef),
    /// Any other expression: a body of its own, whose value is the constant.
    Body(std::sync::Arc<super::Body>, ExprId),
}

/// An associated type of a bound with what it is: `Item = f64`, `Buffer<T> = Vec<T>`.
#[derive(Clone, Debug)]
pub struct AssocBinding {
    /// Its name.
    pub name: Symbol,
    /// Its own arguments.
    pub args: Vec<GenericArg>,
    /// What it is.
    pub ty: Type,
}

/// A trait with its arguments, as a bound or before `::`: `Iterator<Item = f64>`, `Fn(A) -> B`.
///
/// `Fn(A, B) -> C` has the one argument `(A, B)` and the binding `Output = C`.
#[derive(Clone, Debug)]
pub struct TraitRef {
    /// The trait.
    pub def: DefId,
    /// Its arguments, without `Self`; missing ones have their defaults.
    pub args: Vec<GenericArg>,
    /// `Item = f64`
    pub bindings: Vec<AssocBinding>,
    /// `Item: Bound`
    pub binding_bounds: Vec<(Symbol, Vec<TraitRef>)>,
    /// Where it is written.
    pub span: Span,
}
