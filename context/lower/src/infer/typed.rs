//! The types of one instance's body: what inference leaves, and what lowering reads.
//!
//! - TYPED1 every type is final: no variables, no `impl Trait` (see TY2).
//! - TYPED2 every called instance is final: a trait's method is resolved to the impl's, or to the trait's default
//!   body with `Self` bound; the one exception is a method of a `dyn` object.
//! - TYPED3 the type of an expression is that before its adjustments; the last adjustment has the type its user sees.
//! - TYPED4 the type of a pattern is that of the value it matches after [`Typed::pat_derefs`] references are looked
//!   through.

use hashbrown::HashMap;
use overdub_context::Symbol;

use super::ty::{ClosureId, Instance, Mutability, Ty};
use crate::hir::{BodyRef, DefId, ExprId, LocalId, PatId};

/// A body with its types.
#[derive(Clone, Debug)]
pub struct Typed {
    /// Whose body it is.
    pub instance: Instance,
    /// The body.
    pub body: BodyRef,
    /// The types of the parameters.
    pub params: Vec<Ty>,
    /// What it returns; for a constant, its type.
    pub ret: Ty,
    /// What each `impl Trait` in the result is, in the order they are written.
    pub hidden: Vec<Ty>,
    /// The type of each expression. Expressions that nothing reaches in the body have `()`.
    pub exprs: Vec<Ty>,
    /// The type of each pattern (TYPED4).
    pub pats: Vec<Ty>,
    /// The type of each variable, with the reference that its binding mode adds.
    pub locals: Vec<Ty>,
    /// What happens to an expression's value before its user sees it, in order.
    pub adjustments: HashMap<ExprId, Vec<Adjustment>>,
    /// What an expression calls or names: calls, method calls, operators, indexing, paths, struct literals.
    ///
    /// - A `Path`: what it names ([`Callee::Fn`], [`Callee::Ctor`], [`Callee::Const`]…); none for a variable.
    /// - A `Call`: what is called. For [`Callee::Fn`] and [`Callee::Ctor`] the callee expression is a path and need not
    ///   be evaluated; for [`Callee::Value`] its value is called, after its adjustments.
    /// - A `MethodCall`: the method; the receiver's adjustments make the first argument. A field is never called so.
    /// - `Unary`, `Binary`, `AssignOp`: [`Callee::Builtin`], or the operator's method. By-reference operands are
    ///   not adjusted: comparison takes both, `op=` its left operand by reference.
    /// - `Index`: [`Callee::Builtin`] on an array, slice or `str` (after adjustments) by an index or a range; else
    ///   `index` or `index_mut` on the base, which is not yet borrowed, returning a reference that is to be
    ///   dereferenced.
    /// - `Unary(Deref)`: [`Callee::Builtin`] on references and `Box`, else `deref` or `deref_mut` likewise.
    /// - `Struct`: [`Callee::Ctor`].
    pub callees: HashMap<ExprId, Callee>,
    /// For `x.f`: the position of the field in the struct or tuple (after the adjustments of `x`).
    pub fields: HashMap<ExprId, u32>,
    /// The conversion of each `?`.
    pub tries: HashMap<ExprId, Try>,
    /// For each `format_args!`, what writes each [`FormatPiece::Arg`](crate::hir::FormatPiece) (in order): the `fmt`
    /// method of its trait, for the argument's type without references.
    pub formats: HashMap<ExprId, Vec<Callee>>,
    /// The closures.
    pub closures: HashMap<ExprId, Closure>,
    /// The lengths of `[x; n]`.
    pub lengths: HashMap<ExprId, u64>,
    /// How many references a pattern looks through before it matches (default binding modes).
    pub pat_derefs: HashMap<PatId, u32>,
    /// How a [`PatKind::Bind`](crate::hir::PatKind) takes what it matches.
    pub bindings: HashMap<PatId, BindMode>,
    /// What a path, tuple struct or struct pattern names.
    pub pat_paths: HashMap<PatId, PatPath>,
}

/// Something done to a value or place before it is used.
#[derive(Clone, PartialEq, Debug)]
pub struct Adjustment {
    /// What.
    pub kind: Adjust,
    /// The type that results.
    pub ty: Ty,
}

/// The kinds of adjustments.
#[derive(Clone, PartialEq, Debug)]
pub enum Adjust {
    /// The expression diverges; a value of any type follows from it.
    NeverToAny,
    /// To the place that a reference or a `Box` points to.
    Deref,
    /// To the place that `Deref::deref` or `DerefMut::deref_mut` (this instance) of the place gives. In the prelude
    /// the method may be an operation that does nothing (`Vec<T>` to `[T]`).
    OverloadedDeref(Instance),
    /// `&place` or `&mut place`.
    Borrow(Mutability),
    /// `&[T; N]` to `&[T]`, also behind `Box`, `Rc`.
    UnsizeArray,
    /// `Box<T>` to `Box<dyn Trait>`, `&T` to `&dyn Trait` …
    UnsizeDyn(Vtable),
    /// A function to `fn(A) -> B`.
    FnToPointer(Callee),
    /// A closure without captures to `fn(A) -> B`.
    ClosureToPointer(ClosureId),
    /// `&mut T` to `&T`.
    MutToShared,
    /// `&T` to `*const T`, `&mut T` to `*mut T` or `*const T`.
    RefToPointer,
    /// One raw pointer to another: `*mut T` to `*const T`, or a cast to another pointee.
    PointerToPointer,
}

/// How an object of a concrete type answers the methods of a `dyn` type.
#[derive(Clone, PartialEq, Debug)]
pub struct Vtable {
    /// The concrete type.
    pub object: Ty,
    /// The `dyn` type.
    pub target: Ty,
    /// The methods of the trait and its supertraits that have a receiver and no type parameters, in the order of
    /// [`Callee::Dyn`]'s index. Empty for `Fn` traits: the object is called as the value that it is.
    pub methods: Vec<(DefId, Callee)>,
}

/// What is called or named.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// The operator of primitive types, references to them included; indexing of arrays and slices.
    Builtin,
    /// A function with a body, or an operation of the prelude.
    Fn(Instance),
    /// The constructor of a struct or variant (its item); what it makes is in the type of the expression.
    Ctor(DefId),
    /// The value of the callee expression: a closure, a function pointer, a `dyn Fn` object, after adjustments.
    Value,
    /// A method of a `dyn` object: the trait's item and its position in the [`Vtable`].
    Dyn(DefId, usize),
    /// The method of a closure, a function or a tuple that the compiler knows by itself: `clone` of a closure, an array
    /// or a tuple.
    Clone(Ty),
    /// `call`, `call_mut` or `call_once` on a closure, function pointer or function named through its trait.
    CallValue(Ty),
    /// A constant.
    Const(Instance),
    /// A static.
    Static(DefId),
    /// A const parameter's value.
    ConstParam(i128),
}

/// A `?`.
#[derive(Clone, PartialEq, Debug)]
pub struct Try {
    /// What it is applied to.
    pub kind: TryKind,
    /// For a `Result`: `From::from` for the error.
    pub convert: Option<Instance>,
    /// The type of the early return: the function's or closure's.
    pub ret: Ty,
}

/// What a `?` is applied to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TryKind {
    /// `Option<T>`
    Option,
    /// `Result<T, E>`
    Result,
}

/// How a binding takes what it matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BindMode {
    /// By value: moved or copied.
    Value,
    /// By reference.
    Ref(Mutability),
}

/// What a path in a pattern names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatPath {
    /// A struct or variant.
    Ctor(DefId),
    /// A constant to compare with.
    Const(Instance),
}

/// A closure expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Closure {
    /// Its type.
    pub ty: Ty,
    /// The most general trait that it implements.
    pub kind: ClosureKind,
    /// The types of its parameters.
    pub params: Vec<Ty>,
    /// What it returns.
    pub ret: Ty,
    /// What it captures, in the order of first use.
    pub captures: Vec<Capture>,
}

/// The traits of closures, from the most general.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClosureKind {
    /// `Fn`: it reads what it captured.
    Fn,
    /// `FnMut`: it changes what it captured.
    FnMut,
    /// `FnOnce`: it gives away what it captured.
    FnOnce,
}

/// A variable, or a field of one, that a closure captures.
#[derive(Clone, PartialEq, Debug)]
pub struct Capture {
    /// The variable of the body.
    pub local: LocalId,
    /// The fields from the variable to what is captured; empty for the whole variable.
    pub fields: Vec<u32>,
    /// How.
    pub mode: CaptureMode,
    /// The type of the place that is captured (without the reference that a capture by reference makes).
    pub ty: Ty,
}

/// How a closure captures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CaptureMode {
    /// By shared reference: it is only read.
    Ref,
    /// By mutable reference.
    RefMut,
    /// By value, and only read.
    Move,
    /// By value, and changed by the closure.
    MoveMut,
}

/// The fields of a struct or variant with their types.
pub type Fields = Vec<(Symbol, Ty)>;

impl Typed {
    /// The type of an expression as its user sees it: after its adjustments.
    pub fn adjusted(&self, expr: ExprId) -> Ty {
        match self.adjustments.get(&expr).and_then(|list| list.last()) {
            Some(last) => last.ty,
            None => self.exprs[expr.index()],
        }
    }
}
