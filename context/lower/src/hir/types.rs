//! Types as written, resolved, with unbound generic parameters.

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
    /// The function, type, trait or impl that declares the parameter.
    pub owner: DefId,
    /// The index among the type and const parameters of the owner.
    pub index: u32,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// The kind of the type.
    pub kind: TypeKind,
    /// The source location.
    pub span: Span,
}

/// The kind of a written type.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `_`, or omitted.
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
        /// The referent type.
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
    /// `Self`: that of the innermost enclosing trait or impl (this item).
    SelfType(DefId),
    /// `T::Item`, `<T as Trait<A>>::Item`, `Self::Output`: resolved once `base` is known.
    Assoc {
        /// The type before `::`.
        base: Box<Type>,
        /// The trait, if it is explicit.
        of: Option<Box<TraitRef>>,
        /// The associated type.
        name: Symbol,
        /// The arguments of the associated type itself.
        args: Vec<GenericArg>,
    },
    /// `fn(A) -> B`
    FnPtr(Vec<Type>, Box<Type>),
    /// `impl A + B` as a return type.
    ImplTrait(Vec<TraitRef>),
    /// `dyn A + B`
    Dyn(Vec<TraitRef>),
    /// A construct that can never be lowered: this message is reported as an error if the type is needed.
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
    /// Any other expression: a separate body, whose value is the constant.
    Body(std::sync::Arc<super::HirBody>, ExprId),
}

/// A bound on an associated type by equality: `Item = f64`, `Buffer<T> = Vec<T>`.
#[derive(Clone, Debug)]
pub struct AssocBinding {
    /// The name.
    pub name: Symbol,
    /// The arguments of the associated type itself.
    pub args: Vec<GenericArg>,
    /// The type.
    pub ty: Type,
}

/// A bound on an associated type by traits: `Item: Copy`, `Buffer<T>: Copy`.
#[derive(Clone, Debug)]
pub struct AssocBounds {
    /// The name.
    pub name: Symbol,
    /// The arguments of the associated type itself.
    pub args: Vec<GenericArg>,
    /// The traits.
    pub bounds: Vec<TraitRef>,
}

/// A trait with its arguments, as a bound or before `::`: `Iterator<Item = f64>`, `Fn(A) -> B`.
///
/// `Fn(A, B) -> C` has one argument `(A, B)` and the binding `Output = C`.
#[derive(Clone, Debug)]
pub struct TraitRef {
    /// The trait.
    pub def: DefId,
    /// The arguments, without `Self`; omitted ones have their defaults.
    pub args: Vec<GenericArg>,
    /// `Item = f64`
    pub bindings: Vec<AssocBinding>,
    /// `Item: Bound`
    pub binding_bounds: Vec<AssocBounds>,
    /// The source location.
    pub span: Span,
}
