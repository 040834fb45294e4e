//! Semantic types: interned, with inference variables for unknown parts.
//!
//! - TY1 two types are the same exactly if their addresses are the same, those of their unmarked forms (TY4).
//! - TY2 a type in a [`Typed`](super::Typed) contains no variable and no [`TyKind::Opaque`].
//! - TY3 there are no type parameters: every type belongs to an instance, whose parameters are bound.
//! - TY4 while a body is inferred, the types that its parameters are bound to are marked, also inside of others. A marked
//!   type is the same as the unmarked one but for the choice of methods (METHOD1). A [`Typed`](super::Typed) has no marks.
//! - TY5 the mark of a generic associated type says of what it is one: as in rustc, `P::Out<X>` is the same as `P::Out<_>`
//!   only for `X`, though the type that it is bound to may not mention `X`.

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use overdub_context::Symbol;
use overdub_context::intern::interner;

use super::fold;
use super::parts::{Mark, Marks, Parts, Unmarked, unmarked};
use crate::hir::{DefId, ExprId, Prim};

/// A type. Copying and comparing it is free.
#[derive(Clone, Copy)]
pub struct Ty(&'static Node);

#[derive(PartialEq, Eq)]
struct Node {
    kind: TyKind,
    mark: Mark,
    /// The marks of its parts.
    marks: Marks,
    /// Without marks, if it has any.
    unmarked: Option<Ty>,
    open: bool,
    opaque: bool,
    closure: bool,
}

// What follows from the kind is not hashed: every use of a type looks it up.
impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        if self.unmarked.is_some() {
            self.mark.hash(state);
            self.marks.hash(state);
        }
    }
}

/// The kind of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TyKind {
    /// `bool`, `f64`, `str`, …
    Prim(Prim),
    /// `!`
    Never,
    /// `()`, `(A, B)`
    Tuple(Box<[Ty]>),
    /// A struct or an enum with its arguments.
    Adt(DefId, Box<[Arg]>),
    /// `&T`, and `*const T`
    Ref(Ty),
    /// `&mut T`, and `*mut T`
    RefMut(Ty),
    /// `[T]`
    Slice(Ty),
    /// `[T; N]`
    Array(Ty, Const),
    /// The type of one function: a function, an associated function, or the constructor of a tuple struct or
    /// variant (whose arguments are those of its struct or enum).
    FnDef(Instance),
    /// The type of one closure expression in one instance.
    Closure(ClosureId),
    /// `fn(A) -> B`
    FnPtr(Box<[Ty]>, Ty),
    /// `dyn A + B`; the first is the principal trait, markers are omitted.
    Dyn(Box<[DynBound]>),
    /// The `index`-th `impl Trait` (in source order) in the result of this function; only seen by inference.
    Opaque(Instance, u32),
    /// An inference variable of the current inference.
    Infer(InferVar),
}

/// An inference variable, by the types it can be bound to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InferVar {
    /// Any type.
    Any(u32),
    /// The type of an integer literal.
    Int(u32),
    /// The type of a float literal.
    Float(u32),
}

/// A constant in a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// The value, also of a `bool` or `char`.
    Value(i128),
    /// An inference variable.
    Infer(u32),
}

/// A generic argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arg {
    /// For a type parameter.
    Ty(Ty),
    /// For a const parameter.
    Const(Const),
}

/// A trait of a `dyn` type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DynBound {
    /// The trait.
    pub def: DefId,
    /// The arguments, without `Self`.
    pub args: Box<[Arg]>,
    /// The associated types, including those of supertraits, sorted by name.
    pub bindings: Box<[(Symbol, Ty)]>,
}

/// An item with all its generic parameters bound: a function, a constant, a static.
///
/// The arguments are the parent's first (an impl's parameters; for a trait's item `Self` and then the
/// trait's), then its own. Two instances are the same exactly if their addresses are the same, as for types (TY1).
#[derive(Clone, Copy)]
pub struct Instance(&'static InstanceNode);

#[derive(PartialEq, Eq, Hash)]
struct InstanceNode {
    def: DefId,
    args: Box<[Arg]>,
    marks: Marks,
    unmarked: Option<Instance>,
}

/// A closure expression of an instance: its identity as a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClosureId {
    /// The instance (of a function, a constant) whose body contains it.
    pub owner: Instance,
    /// The expression in that body.
    pub expr: ExprId,
}

interner!(static TYPES: Node);
interner!(static INSTANCES: InstanceNode);

impl Ty {
    /// The type of this kind.
    pub fn new(kind: TyKind) -> Ty {
        Ty::with_mark(kind, Mark::None)
    }

    fn with_mark(kind: TyKind, mark: Mark) -> Ty {
        let mut parts = Parts::default();
        parts.of_kind(&kind);
        let (open, opaque, closure) = (parts.open, parts.opaque, parts.closure);
        let marks = parts.marks();
        let unmarked =
            (mark != Mark::None || marks.is_some()).then(|| Ty::new(fold::parts(&kind, &mut Unmarked)));
        Ty(TYPES.intern(Node { kind, mark, marks, unmarked, open, opaque, closure }))
    }

    /// The type as an associated one of a parameter (TY4).
    pub(super) fn as_of_param(self) -> Ty {
        if self.is_param() { self } else { Ty::with_mark(self.kind().clone(), Mark::OfParam) }
    }

    /// The type as what a generic associated type of a parameter is (TY5).
    pub(super) fn as_projection(self, of: Instance) -> Ty {
        Ty::with_mark(self.kind().clone(), Mark::Projection(Origin(of)))
    }

    /// The generic associated type that the type is here (TY5): the trait's item, with the trait's arguments and its own.
    pub(super) fn projection(self) -> Option<Instance> {
        match self.0.mark {
            Mark::Projection(Origin(of)) => Some(of),
            Mark::None | Mark::Param(_) | Mark::OfParam => None,
        }
    }

    /// The type with the mark of another, but for those of its parts.
    pub(super) fn marked_like(self, other: Ty) -> Ty {
        if self.0.mark == other.0.mark { self } else { Ty::with_mark(self.kind().clone(), other.0.mark) }
    }

    pub(super) fn exact(self) -> ExactTy {
        ExactTy(self)
    }

    pub(super) fn mark(self) -> Mark {
        self.0.mark
    }

    /// Whether a parameter is bound to the type here (TY4).
    pub(super) fn is_param(self) -> bool {
        self.0.mark != Mark::None
    }

    /// The type without marks.
    pub(super) fn unmarked(self) -> Ty {
        self.0.unmarked.unwrap_or(self)
    }

    pub(super) fn marks_of_parts(self) -> Option<&'static [Mark]> {
        self.0.marks.as_deref()
    }

    /// Whether the type or a part of it is marked.
    pub(super) fn has_marks(self) -> bool {
        self.0.unmarked.is_some()
    }

    /// The kind of the type.
    pub fn kind(self) -> &'static TyKind {
        &self.0.kind
    }

    /// All primitive types.
    pub(crate) fn prims() -> impl Iterator<Item = Ty> {
        ALL_PRIMS.iter().map(|&prim| Ty::prim(prim))
    }

    /// A primitive type.
    pub fn prim(prim: Prim) -> Ty {
        static PRIMS: LazyLock<Vec<Ty>> =
            LazyLock::new(|| ALL_PRIMS.iter().map(|&prim| Ty::new(TyKind::Prim(prim))).collect());
        PRIMS[prim as usize]
    }

    /// `()`
    pub fn unit() -> Ty {
        static UNIT: LazyLock<Ty> = LazyLock::new(|| Ty::new(TyKind::Tuple(Box::default())));
        *UNIT
    }

    /// `!`
    pub fn never() -> Ty {
        static NEVER: LazyLock<Ty> = LazyLock::new(|| Ty::new(TyKind::Never));
        *NEVER
    }

    /// `bool`
    pub fn bool() -> Ty {
        Ty::prim(Prim::Bool)
    }

    /// `usize`
    pub fn usize() -> Ty {
        Ty::prim(Prim::Usize)
    }

    /// A tuple.
    pub fn tuple(elems: impl Into<Box<[Ty]>>) -> Ty {
        Ty::new(TyKind::Tuple(elems.into()))
    }

    /// A struct or an enum.
    pub fn adt(def: DefId, args: impl Into<Box<[Arg]>>) -> Ty {
        Ty::new(TyKind::Adt(def, args.into()))
    }

    /// `&T`
    pub fn shared(inner: Ty) -> Ty {
        Ty::new(TyKind::Ref(inner))
    }

    /// `&T` or `&mut T`.
    pub fn reference(mutability: Mutability, inner: Ty) -> Ty {
        match mutability {
            Mutability::Shared => Ty::new(TyKind::Ref(inner)),
            Mutability::Mut => Ty::new(TyKind::RefMut(inner)),
        }
    }

    /// `[T]`
    pub fn slice(elem: Ty) -> Ty {
        Ty::new(TyKind::Slice(elem))
    }

    /// Whether the type contains a variable.
    pub fn is_open(self) -> bool {
        self.0.open
    }

    /// Whether the type contains an [`TyKind::Opaque`].
    pub fn has_opaque(self) -> bool {
        self.0.opaque
    }

    /// Whether the type contains a closure.
    pub(super) fn has_closure(self) -> bool {
        self.0.closure
    }

    /// Whether the type is `()`.
    pub fn is_unit(self) -> bool {
        matches!(self.kind(), TyKind::Tuple(elems) if elems.is_empty())
    }

    /// Whether the type is `!`.
    pub fn is_never(self) -> bool {
        matches!(self.kind(), TyKind::Never)
    }

    /// The primitive type, if it is one.
    pub fn as_prim(self) -> Option<Prim> {
        match self.kind() {
            TyKind::Prim(prim) => Some(*prim),
            _ => None,
        }
    }

    /// The referent type of a reference, and its mutability.
    pub fn referent(self) -> Option<(Mutability, Ty)> {
        match self.kind() {
            TyKind::Ref(inner) => Some((Mutability::Shared, *inner)),
            TyKind::RefMut(inner) => Some((Mutability::Mut, *inner)),
            _ => None,
        }
    }

    /// The type without enclosing references.
    pub fn peel_refs(self) -> Ty {
        let mut ty = self;
        while let Some((_, inner)) = ty.referent() {
            ty = inner;
        }
        ty
    }
}

/// `&` or `&mut`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mutability {
    /// `&`
    Shared,
    /// `&mut`
    Mut,
}

impl Instance {
    /// The instance of an item with these arguments.
    pub fn new(def: DefId, args: impl Into<Box<[Arg]>>) -> Instance {
        let args: Box<[Arg]> = args.into();
        let mut parts = Parts::default();
        parts.of_args(&args);
        let marks = parts.marks();
        let without = marks.is_some().then(|| Instance::new(def, unmarked(&args)));
        Instance(INSTANCES.intern(InstanceNode { def, args, marks, unmarked: without }))
    }

    /// The instance without marks in its arguments.
    pub(super) fn unmarked(self) -> Instance {
        self.0.unmarked.unwrap_or(self)
    }

    /// The item.
    pub fn def(self) -> DefId {
        self.0.def
    }

    /// The arguments, the parent's first.
    pub fn args(self) -> &'static [Arg] {
        &self.0.args
    }
}

impl Arg {
    /// The type, if the argument is one.
    pub fn ty(self) -> Option<Ty> {
        match self {
            Arg::Ty(ty) => Some(ty),
            Arg::Const(_) => None,
        }
    }

    /// As what the parameter at a place of its item is bound to (TY4).
    pub(super) fn as_param(self, place: u32) -> Arg {
        match self {
            Arg::Ty(ty) => Arg::Ty(Ty::with_mark(ty.unmarked().kind().clone(), Mark::Param(place))),
            Arg::Const(_) => self,
        }
    }
}

const ALL_PRIMS: [Prim; 17] = [
    Prim::Bool,
    Prim::Char,
    Prim::Str,
    Prim::I8,
    Prim::I16,
    Prim::I32,
    Prim::I64,
    Prim::I128,
    Prim::Isize,
    Prim::U8,
    Prim::U16,
    Prim::U32,
    Prim::U64,
    Prim::U128,
    Prim::Usize,
    Prim::F32,
    Prim::F64,
];

impl PartialEq for Ty {
    fn eq(&self, other: &Ty) -> bool {
        std::ptr::eq(self.unmarked().0, other.unmarked().0)
    }
}

impl Eq for Ty {}

impl Hash for Ty {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.unmarked().0, state);
    }
}

impl std::fmt::Debug for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind().fmt(f)
    }
}

impl PartialEq for Instance {
    fn eq(&self, other: &Instance) -> bool {
        std::ptr::eq(self.unmarked().0, other.unmarked().0)
    }
}

impl Eq for Instance {}

impl Hash for Instance {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.unmarked().0, state);
    }
}

/// A type as it is: those that differ in their marks are different.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExactTy(Ty);

impl PartialEq for ExactTy {
    fn eq(&self, other: &ExactTy) -> bool {
        std::ptr::eq(self.0.0, other.0.0)
    }
}

impl Eq for ExactTy {}

impl Hash for ExactTy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0.0, state);
    }
}

/// An instance as a part of a mark: those that differ in their marks are different.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin(Instance);

impl PartialEq for Origin {
    fn eq(&self, other: &Origin) -> bool {
        std::ptr::eq(self.0.0, other.0.0)
    }
}

impl Eq for Origin {}

impl Hash for Origin {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0.0, state);
    }
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}{:?}", self.def(), self.args())
    }
}
