//! Items: what a program declares, with signatures resolved and bodies apart.

use std::sync::Arc;

use overdub_context::ops::{self, OpDef};
use overdub_context::{Span, Symbol};

use super::{DefId, Expr, PatId, TraitRef, Type};

/// What every item has.
#[derive(Clone, Debug)]
pub struct ItemHead {
    /// Its own id.
    pub id: DefId,
    /// The module, trait, impl, enum or function body it stands in; a crate's root is its own parent.
    pub parent: DefId,
    /// Its name, empty for an impl.
    pub name: Symbol,
    /// Its kind.
    pub kind: DefKind,
    /// Where its name is written.
    pub span: Span,
    /// `#[op("sin")]` in the prelude: the function is this operation.
    pub op: Option<Operation>,
    /// `#[lang("option")]` in the prelude: the compiler knows the item by this name.
    pub lang: Option<Symbol>,
    /// `#[moves]` in the prelude: what comes to it and goes from it is moved by hand, and nothing is dropped in it.
    pub moves: bool,
}

/// What an item of the prelude is declared to be by `#[op("…")]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// An operation of the IR.
    Is(&'static OpDef),
    /// `#[op("id")]`: its operand, unchanged.
    Identity,
}

impl Operation {
    /// The operation that an attribute names.
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

/// The generic parameters of an item, its own (its parent's, an impl's or a trait's, are the parent's).
#[derive(Clone, Default, Debug)]
pub struct Generics {
    /// The impl or trait around it whose parameters are in scope too.
    pub parent: Option<DefId>,
    /// Type and const parameters in order; `impl Trait` arguments are appended.
    pub params: Vec<GenericParam>,
    /// Bounds of parameters, where clauses, and a trait's supertraits (bounds on `Self`).
    pub bounds: Vec<WhereBound>,
}

/// A generic parameter.
#[derive(Clone, Debug)]
pub struct GenericParam {
    /// Its name; `impl Trait` arguments have the text of their bounds.
    pub name: Symbol,
    /// Type or const.
    pub kind: ParamKind,
    /// Made from `impl Trait` in argument position: a turbofish does not count it.
    pub synthetic: bool,
}

/// What a generic parameter stands for.
#[derive(Clone, Debug)]
pub enum ParamKind {
    /// A type, with its default.
    Type(Option<Type>),
    /// A constant of a type, with its default.
    Const(Type, Option<super::ConstArg>),
}

/// `ty: Bounds`
#[derive(Clone, Debug)]
pub struct WhereBound {
    /// What is bounded.
    pub ty: Type,
    /// By what; lifetimes and `?Sized` are gone.
    pub bounds: Vec<TraitRef>,
}

/// A function's signature.
#[derive(Clone, Debug)]
pub struct FnSig {
    /// Its generic parameters.
    pub generics: Generics,
    /// The types of its parameters; a receiver is the first, written out (`&mut Self`).
    pub params: Vec<Type>,
    /// The names to show for them.
    pub param_names: Vec<Symbol>,
    /// What it returns; `()` written out.
    pub ret: Type,
    /// Whether the first parameter is `self`.
    pub has_self: bool,
    /// Whether there is a body (a trait's required method has none, nor has a prelude operation).
    pub has_body: bool,
}

/// A struct, or a variant of an enum.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The struct's or the variant's own item.
    pub def: DefId,
    /// Its name.
    pub name: Symbol,
    /// How it is written.
    pub shape: StructKind,
    /// Its fields; those of a tuple are named `0`, `1`, …
    pub fields: Vec<(Symbol, Type)>,
    /// The value of the discriminant as `as` gives it, where it is a literal or counts on from one.
    pub discriminant: i128,
}

/// How a struct or a variant is written.
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
    /// Its item.
    pub def: DefId,
    /// Its parameters.
    pub generics: Generics,
    /// One for a struct.
    pub variants: Vec<Variant>,
    /// Whether it is an enum.
    pub is_enum: bool,
    /// Whether it is a union: its fields lie in one place.
    pub is_union: bool,
    /// The traits in its `derive`, as they are written last (`Clone`, `PartialOrd`, …), resolved.
    pub derives: Vec<DefId>,
    /// The variant with `#[default]`.
    pub default_variant: Option<usize>,
}

/// A trait.
#[derive(Clone, Debug)]
pub struct Trait {
    /// Its item.
    pub def: DefId,
    /// Its parameters (without `Self`); supertraits are bounds on [`super::TypeKind::SelfType`].
    pub generics: Generics,
    /// Its functions, types and constants, in order.
    pub items: Vec<DefId>,
}

/// An impl, inherent or of a trait.
#[derive(Clone, Debug)]
pub struct Impl {
    /// Its item.
    pub def: DefId,
    /// Its parameters.
    pub generics: Generics,
    /// The trait, if it is of one.
    pub of: Option<TraitRef>,
    /// The type it is for.
    pub self_ty: Type,
}

/// An associated type: a trait's (bounds, default) or an impl's (value).
#[derive(Clone, Debug)]
pub struct AssocType {
    /// Its parameters.
    pub generics: Generics,
    /// In a trait: what it must implement.
    pub bounds: Vec<TraitRef>,
    /// In an impl: what it is; in a trait: its default. For a type alias: what it stands for.
    pub value: Option<Type>,
}

/// A body: of a function, a constant, a static.
#[derive(Clone, Debug)]
pub struct Body {
    /// The item it belongs to.
    pub owner: DefId,
    /// The patterns of the parameters, `self` first.
    pub params: Vec<PatId>,
    /// What it evaluates to.
    pub value: super::ExprId,
    /// Its expressions.
    pub exprs: Vec<Expr>,
    /// Its patterns.
    pub pats: Vec<super::Pat>,
    /// Its variables.
    pub locals: Vec<super::Local>,
}

/// A shared body.
pub type BodyRef = Arc<Body>;
