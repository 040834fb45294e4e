//! The types of one instance's body: the output of inference, and the input of lowering.
//!
//! - TYPED1 every type is final: no variables, no `impl Trait` (see TY2).
//! - TYPED2 every called instance is final: a trait's method is resolved to the impl's, or to the trait's default
//!   body with `Self` bound; the one exception is a method of a `dyn` object.
//! - TYPED3 the type of an expression is that before its adjustments; the last adjustment has the type that
//!   its user sees.
//! - TYPED4 the type of a pattern is that of the value it matches after looking through [`Typed::pat_derefs`]
//!   references.

use hashbrown::HashMap;
use overdub_context::Symbol;

use super::ty::{ClosureId, Instance, Mutability, Ty};
use crate::hir::{BodyRef, DefId, ExprId, LocalId, PatId};

/// A body with its types.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The instance to which the body belongs.
    pub instance: Instance,
    /// The body.
    pub body: BodyRef,
    /// The types of the parameters.
    pub params: Vec<Ty>,
    /// The return type; for a constant, its type.
    pub ret: Ty,
    /// The hidden type of each `impl Trait` in the result, in source order.
    pub hidden: Vec<Ty>,
    /// The type of each expression. Unreachable expressions have type `()`.
    pub exprs: Vec<Ty>,
    /// The type of each pattern (TYPED4).
    pub pats: Vec<Ty>,
    /// The type of each variable, with the reference that its binding mode adds.
    pub locals: Vec<Ty>,
    /// The adjustments applied to an expression's value before its use, in order.
    pub adjustments: HashMap<ExprId, Vec<Adjustment>>,
    /// The target of an expression that calls or names something: calls, method calls, operators, indexing,
    /// paths, struct literals.
    ///
    /// - A `Path`: the item that it names ([`Callee::Fn`], [`Callee::Ctor`], [`Callee::Const`]…); none for a
    ///   variable.
    /// - A `Call`: the callee. For [`Callee::Fn`] and [`Callee::Ctor`] the callee expression is a path and
    ///   need not be evaluated; for [`Callee::Value`] its value is called, after its adjustments.
    /// - A `MethodCall`: the method; the receiver's adjustments yield the first argument. A field is never
    ///   called this way.
    /// - `Unary`, `Binary`, `AssignOp`: [`Callee::Builtin`], or the operator's method; for the difference of two
    ///   pointers cast to `usize` the function of the pointers. By-reference operands are
    ///   not adjusted: comparison takes both, `op=` its left operand by reference.
    /// - `Index`: [`Callee::Builtin`] on an array, slice or `str` (after adjustments) by an index or a range;
    ///   otherwise `index` or `index_mut` on the base, which is not borrowed yet; it returns a reference that
    ///   has to be dereferenced.
    /// - `Unary(Deref)`: [`Callee::Builtin`] on references and `Box`, otherwise `deref` or `deref_mut`,
    ///   likewise.
    /// - `Struct`: [`Callee::Ctor`].
    pub callees: HashMap<ExprId, Callee>,
    /// For `x.f`: the position of the field in the struct or tuple (after the adjustments of `x`).
    pub fields: HashMap<ExprId, u32>,
    /// The conversion of each `?`.
    pub tries: HashMap<ExprId, Try>,
    /// For each `format_args!`, the callee that writes each [`FormatPiece::Arg`](crate::hir::FormatPiece) (in
    /// order): the `fmt` method of its trait, for the argument's type without references.
    pub formats: HashMap<ExprId, Vec<Callee>>,
    /// The closures.
    pub closures: HashMap<ExprId, Closure>,
    /// The lengths of `[x; n]`.
    pub lengths: HashMap<ExprId, u64>,
    /// The number of references that a pattern looks through before it matches (default binding modes).
    pub pat_derefs: HashMap<PatId, u32>,
    /// The binding mode of each [`PatKind::Bind`](crate::hir::PatKind).
    pub bindings: HashMap<PatId, BindMode>,
    /// The item named by each path, tuple struct or struct pattern.
    pub pat_paths: HashMap<PatId, PatPath>,
}

/// A conversion applied to a value or place before its use.
#[derive(Clone, PartialEq, Debug)]
pub struct Adjustment {
    /// The kind.
    pub kind: Adjust,
    /// The type that results.
    pub ty: Ty,
}

/// The kinds of adjustments.
#[derive(Clone, PartialEq, Debug)]
pub enum Adjust {
    /// The expression diverges, so it can have any type.
    NeverToAny,
    /// Dereferences a reference or a `Box` to its referent.
    Deref,
    /// Dereferences a place by `Deref::deref` or `DerefMut::deref_mut` (this instance). In the prelude the
    /// method may be an operation without effect (`Vec<T>` to `[T]`).
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

/// The methods with which a concrete type implements a `dyn` type.
#[derive(Clone, PartialEq, Debug)]
pub struct Vtable {
    /// The concrete type.
    pub object: Ty,
    /// The `dyn` type.
    pub target: Ty,
    /// The methods of the trait and its supertraits that have a receiver and no type parameters, in the order
    /// of [`Callee::Dyn`]'s index. Empty for `Fn` traits: the object is called as the value that it contains.
    pub methods: Vec<(DefId, Callee)>,
}

/// The target of a call or path.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// An operator on primitive types, or on references to them; indexing of arrays and slices.
    Builtin,
    /// A function with a body, or an operation of the prelude.
    Fn(Instance),
    /// The constructor of a struct or variant (its item); the constructed type is that of the expression.
    Ctor(DefId),
    /// The value of the callee expression: a closure, a function pointer, a `dyn Fn` object, after adjustments.
    Value,
    /// A method of a `dyn` object: the trait's item and its position in the [`Vtable`].
    Dyn(DefId, usize),
    /// A built-in `clone` of a closure, function, array or tuple.
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

/// A `?` expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Try {
    /// The operand's type constructor.
    pub kind: TryKind,
    /// For a `Result`: `From::from` for the error.
    pub convert: Option<Instance>,
    /// The type of the early return: that of the function or closure.
    pub ret: Ty,
}

/// The type constructor of the operand of `?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TryKind {
    /// `Option<T>`
    Option,
    /// `Result<T, E>`
    Result,
    /// `ControlFlow<B, C>`
    ControlFlow,
}

/// The binding mode of a pattern variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BindMode {
    /// By value: moved or copied.
    Value,
    /// By reference.
    Ref(Mutability),
}

/// The meaning of a path in a pattern.
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
    /// The type.
    pub ty: Ty,
    /// The most general trait that it implements.
    pub kind: ClosureKind,
    /// The types of the parameters.
    pub params: Vec<Ty>,
    /// The return type.
    pub ret: Ty,
    /// The captures, in the order of first use.
    pub captures: Vec<Capture>,
}

/// The traits of closures, from the most general.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClosureKind {
    /// `Fn`: it only reads its captures.
    Fn,
    /// `FnMut`: it mutates its captures.
    FnMut,
    /// `FnOnce`: it moves its captures out.
    FnOnce,
}

/// A variable, or a field of one, that a closure captures.
#[derive(Clone, PartialEq, Debug)]
pub struct Capture {
    /// The variable of the body.
    pub local: LocalId,
    /// The fields from the variable to the captured place; empty for the whole variable.
    pub fields: Vec<u32>,
    /// The mode.
    pub mode: CaptureMode,
    /// The type of the captured place (without the reference of a capture by reference).
    pub ty: Ty,
}

/// The mode of a capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CaptureMode {
    /// By shared reference, for reading only.
    Ref,
    /// By mutable reference.
    RefMut,
    /// By value, for reading only.
    Move,
    /// By value, and mutated by the closure.
    MoveMut,
}

/// The fields of a struct or variant with their types.
pub type Fields = Vec<(Symbol, Ty)>;

impl Typed {
    /// The type of an expression as seen by its user: after its adjustments.
    pub fn adjusted(&self, expr: ExprId) -> Ty {
        match self.adjustments.get(&expr).and_then(|list| list.last()) {
            Some(last) => last.ty,
            None => self.exprs[expr.index()],
        }
    }
}
