//! Items: the declarations of a program, with resolved signatures; bodies are separate.

use std::sync::Arc;

use overdub_context::ops::{self, OpDef};
use overdub_context::{Span, Symbol};

use super::{DefId, Expr, PatId, Repr, TraitRef, Type};

/// The properties common to all items.
#[derive(Clone, Debug)]
pub struct ItemHead {
    /// The id of the item.
    pub id: DefId,
    /// The module, trait, impl, enum or function body that contains the item; a crate's root is its own
    /// parent.
    pub parent: DefId,
    /// The name, empty for an impl.
    pub name: Symbol,
    /// The kind.
    pub kind: DefKind,
    /// The source location of the name.
    pub span: Span,
    /// `#[op("sin")]` in the prelude: the function is this operation.
    pub op: Option<Operation>,
    /// `#[lang("option")]` in the prelude: the name by which the compiler knows the item.
    pub lang: Option<Symbol>,
    /// `#[moves]` in the prelude: the function moves its arguments and result explicitly, and nothing in it
    /// is dropped.
    pub moves: bool,
    /// How the values of a type are laid out in memory.
    pub repr: Repr,
}

/// The meaning of `#[op("…")]` on an item of the prelude.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// An operation of the IR.
    Is(&'static OpDef),
    /// `#[op("id")]`: its operand, unchanged.
    Identity,
}

impl Operation {
    /// The operation named by an attribute.
    pub fn named(name: &str) -> Option<Operation> {
        if name == "id" { Some(Operation::Identity) } else { ops::by_name(name).map(Operation::Is) }
    }
}

/// The kinds of items.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum DefKind {
    Mod,
    Fn,
    Struct,
    Enum,
    Variant,
    Trait,
    Impl,
    Const,
    Static,
    TypeAlias,
    AssocType,
    AssocConst,
    AssocFn,
    Macro,
}

/// The generic parameters of an item itself; those of its parent, an impl or a trait, belong to the parent.
#[derive(Clone, Default, Debug)]
pub struct Generics {
    /// The enclosing impl or trait, whose parameters are also in scope.
    pub parent: Option<DefId>,
    /// Type and const parameters in order; `impl Trait` arguments are appended.
    pub params: Vec<GenericParam>,
    /// Bounds of parameters, where clauses, and a trait's supertraits (bounds on `Self`).
    pub bounds: Vec<WhereBound>,
}

/// A generic parameter.
#[derive(Clone, Debug)]
pub struct GenericParam {
    /// The name; that of an `impl Trait` argument is the text of its bounds.
    pub name: Symbol,
    /// The kind: type or const.
    pub kind: ParamKind,
    /// Whether it represents `impl Trait` in argument position, which turbofish arguments skip.
    pub synthetic: bool,
}

/// The kind of a generic parameter.
#[derive(Clone, Debug)]
pub enum ParamKind {
    /// A type, with its default.
    Type(Option<Type>),
    /// A constant of a type, with its default.
    Const(Type, Option<super::ConstArg>),
}

/// A bound: `ty: Bounds`.
#[derive(Clone, Debug)]
pub struct WhereBound {
    /// The bounded type.
    pub ty: Type,
    /// The bounds; lifetimes and `?Sized` are omitted.
    pub bounds: Vec<TraitRef>,
}

/// A function's signature.
#[derive(Clone, Debug)]
pub struct FnSig {
    /// The generic parameters.
    pub generics: Generics,
    /// The types of the parameters; a receiver is the first, with its type explicit (`&mut Self`).
    pub params: Vec<Type>,
    /// The displayed names of the parameters.
    pub param_names: Vec<Symbol>,
    /// The return type; `()` is explicit.
    pub ret: Type,
    /// Whether the first parameter is `self`.
    pub has_self: bool,
    /// Whether there is a body (a trait's required method and a prelude operation have none).
    pub has_body: bool,
}

/// A struct, or a variant of an enum.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The item of the struct or the variant.
    pub def: DefId,
    /// The name.
    pub name: Symbol,
    /// The kind of its fields.
    pub shape: StructKind,
    /// The fields; those of a tuple are named `0`, `1`, …
    pub fields: Vec<(Symbol, Type)>,
    /// The discriminant.
    pub discriminant: Discriminant,
}

/// The number of a variant in an `as` cast: an explicit one, or how far it follows one.
#[derive(Clone, Debug)]
pub struct Discriminant {
    /// The explicit number; [`ConstArg::Infer`](super::ConstArg::Infer) if it cannot be resolved.
    pub base: super::ConstArg,
    /// The number of variants in between.
    pub after: i128,
}

/// The kinds of structs and variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StructKind {
    /// `A`
    Unit,
    /// `A(f64)`
    Tuple,
    /// `A { x: f64 }`
    Named,
}

/// A struct or an enum.
#[derive(Clone, Debug)]
pub struct Adt {
    /// The item.
    pub def: DefId,
    /// The generic parameters.
    pub generics: Generics,
    /// The variants; one for a struct.
    pub variants: Vec<Variant>,
    /// Whether the type is an enum.
    pub is_enum: bool,
    /// Whether the type is a union: its fields share their memory.
    pub is_union: bool,
    /// The traits in its `derive`, resolved by their last path segments (`Clone`, `PartialOrd`, …).
    pub derives: Vec<DefId>,
    /// The variant marked `#[default]`.
    pub default_variant: Option<usize>,
}

/// A trait.
#[derive(Clone, Debug)]
pub struct Trait {
    /// The item.
    pub def: DefId,
    /// The generic parameters (without `Self`); supertraits are bounds on [`super::TypeKind::SelfType`].
    pub generics: Generics,
    /// The functions, types and constants, in order.
    pub items: Vec<DefId>,
}

/// An impl, inherent or of a trait.
#[derive(Clone, Debug)]
pub struct Impl {
    /// The item.
    pub def: DefId,
    /// The generic parameters.
    pub generics: Generics,
    /// The trait, if it is a trait impl.
    pub of: Option<TraitRef>,
    /// The type that it is for.
    pub self_ty: Type,
}

/// An associated type: of a trait (bounds, default) or of an impl (value).
#[derive(Clone, Debug)]
pub struct AssocType {
    /// The generic parameters.
    pub generics: Generics,
    /// In a trait: the bounds that it has to satisfy.
    pub bounds: Vec<TraitRef>,
    /// In an impl: the type; in a trait: the default. For a type alias: the aliased type.
    pub value: Option<Type>,
}

/// A body: of a function, a constant, a static.
#[derive(Clone, Debug)]
pub struct HirBody {
    /// The item to which the body belongs.
    pub owner: DefId,
    /// The patterns of the parameters, `self` first.
    pub params: Vec<PatId>,
    /// The value of the body.
    pub value: super::ExprId,
    /// The expressions.
    pub exprs: Vec<Expr>,
    /// The patterns.
    pub pats: Vec<super::Pat>,
    /// The variables.
    pub locals: Vec<super::Local>,
}

/// A shared body.
pub type BodyRef = Arc<HirBody>;
