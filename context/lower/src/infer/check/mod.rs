//! The inference of one body: top-down from expected types, bottom-up from inferred types.
//!
//! - CHECK1 every expression that is reached gets its type exactly once.
//! - CHECK2 closures among arguments are checked after the other arguments, which may determine their
//!   parameter types.

mod block;
mod call;
mod capture;
mod closure;
mod coerce;
mod copy;
mod expr;
mod finish;
mod operator;
mod pat;
mod place;

use std::sync::Arc;

use hashbrown::HashMap;

use super::cx::{Cx, Goal, OpenClosure, TraitPredicate};
use super::error::{InferError, InferErrorKind, Result};
use super::lower_ty::collect_impl_traits;
use super::scope::{GenericScope, Hidden};
use super::session::Types;
use super::ty::*;
use super::typed::*;
use crate::hir::{BinOp, BodyRef, DefId, DefKind, Expr, ExprId, HirBody, LocalId, PatId, Prim, Type, UnOp};

/// The expectation of an expression's type from its surroundings.
#[derive(Clone, Copy, Debug)]
enum Expect {
    /// Nothing.
    Nothing,
    /// It will be coerced to this type.
    Type(Ty),
    /// It is likely this type, or behind a reference to it.
    Hint(Ty),
}

/// An adjustment whose types may contain variables.
#[derive(Clone, Debug)]
struct OpenAdjustment {
    kind: OpenAdjust,
    ty: Ty,
}

#[derive(Clone, Debug)]
enum OpenAdjust {
    NeverToAny,
    Deref,
    Overloaded(Mutability),
    Borrow(Mutability),
    UnsizeArray,
    UnsizeDyn,
    FnToPointer,
    ClosureToPointer,
    MutToShared,
    RefToPointer,
    PointerToPointer,
}

/// The target of a call or path, with types that may contain variables.
#[derive(Clone, Debug)]
enum Target {
    /// An item.
    Item(Instance),
    /// A value.
    Value,
    /// A const parameter.
    ConstParam(i128),
    /// `a + b`, for which the method of a trait may be used.
    Binary { op: BinOp, lhs: Ty, rhs: Ty },
    /// `a += b`
    Assign { op: BinOp, lhs: Ty, rhs: Ty },
    /// `-a`
    Unary { op: UnOp, operand: Ty },
    /// `*a`
    Deref { operand: Ty, mutability: Mutability },
    /// `a[i]`
    Index { base: Ty, index: Ty, mutability: Mutability },
}

/// A loop or labelled block that can be left.
struct Exit {
    join: coerce::Join,
    left: bool,
}

/// A `?` whose types may contain variables.
struct OpenTry {
    kind: TryKind,
    error: Ty,
    ret: Ty,
}

/// The state of inferring a body.
struct Check<'t> {
    cx: Cx<'t>,
    instance: Instance,
    body: BodyRef,
    scope: GenericScope,
    /// The return types of the enclosing function and closures, the innermost last.
    rets: Vec<Ty>,
    exits: HashMap<ExprId, Exit>,
    /// Whether the following code is unreachable.
    diverges: bool,
    exprs: Vec<Option<Ty>>,
    pats: Vec<Option<Ty>>,
    locals: Vec<Option<Ty>>,
    adjustments: HashMap<ExprId, Vec<OpenAdjustment>>,
    targets: HashMap<ExprId, Target>,
    fields: HashMap<ExprId, u32>,
    tries: HashMap<ExprId, OpenTry>,
    lengths: HashMap<ExprId, Const>,
    pat_derefs: HashMap<PatId, u32>,
    bindings: HashMap<PatId, BindMode>,
    pat_paths: HashMap<PatId, OpenPatPath>,
    closures: Vec<ExprId>,
    casts: Vec<(ExprId, Ty, Ty)>,
}

/// The item that a path in a pattern names.
enum OpenPatPath {
    Ctor(crate::hir::DefId),
    Const(Instance),
}

/// Infers the types of an instance's body.
pub(super) fn body(types: &Types, instance: Instance) -> Result<Typed> {
    types.program().with_stack_for(instance.def(), || infer_body(types, instance))
}

fn infer_body(types: &Types, instance: Instance) -> Result<Typed> {
    let Some(body) = types.program().body(instance.def())? else {
        let kind = InferErrorKind::NoBody(types.name(instance));
        return Err(InferError::new(types.item_span(instance.def()), kind));
    };
    let mut check = begin(types, instance, body)?;
    let (params, ret, hidden) = check.header()?;
    check.check_coerce(check.body.value, ret)?;
    check.finish(params, ret, hidden)
}

/// The types of a constant without a name, which is written in an item and has this type if it is known.
pub(super) fn anonymous(types: &Types, item: Instance, body: BodyRef, ty: Option<Prim>) -> Result<Typed> {
    let mut check = begin(types, item, body)?;
    let ret = ty.map_or_else(|| check.cx.fresh(), Ty::prim);
    check.rets.push(ret);
    check.check_coerce(check.body.value, ret)?;
    check.finish(vec![], ret, vec![])
}

/// The check of a body that belongs to an item.
fn begin(types: &Types, instance: Instance, body: BodyRef) -> Result<Check<'_>> {
    let (instance, def) = (instance.unmarked(), instance.def());
    let mut cx = Cx::new(types);
    let span = types.item_span(def);
    cx.span = span;
    // TY4
    let args: Box<[Arg]> = instance.args().iter().zip(0..).map(|(arg, place)| arg.as_param(place)).collect();
    let scope = types.scope(def, &args)?;
    cx.assume_where_clauses(def, &args)?;
    cx.home = Some(def);
    cx.trait_in_scope = trait_of_container(types, &scope)?;
    Ok(Check {
        cx,
        instance,
        scope,
        rets: vec![],
        exits: HashMap::new(),
        diverges: false,
        exprs: vec![None; body.exprs.len()],
        pats: vec![None; body.pats.len()],
        locals: vec![None; body.locals.len()],
        adjustments: HashMap::new(),
        targets: HashMap::new(),
        fields: HashMap::new(),
        tries: HashMap::new(),
        lengths: HashMap::new(),
        pat_derefs: HashMap::new(),
        bindings: HashMap::new(),
        pat_paths: HashMap::new(),
        closures: vec![],
        casts: vec![],
        body,
    })
}

/// The trait that the enclosing impl implements, or the enclosing trait.
fn trait_of_container(types: &Types, scope: &GenericScope) -> Result<Option<crate::hir::DefId>> {
    let Some(container) = scope.layout.container else { return Ok(None) };
    if types.kind(container) != DefKind::Impl {
        return Ok(Some(container));
    }
    Ok(types.program().impl_(container)?.of.as_ref().map(|of| of.def))
}

/// Runs a recursion over nested source on a stack that grows.
fn deep<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 << 10, 2 << 20, run)
}

impl Cx<'_> {
    /// Adds the where clauses of an item to the environment.
    fn assume_where_clauses(&mut self, def: DefId, args: &[Arg]) -> Result<()> {
        let mut goals = self.item_goals(def, args)?;
        goals.extend(self.goals_of_default_body(def, args)?);
        for goal in goals {
            match goal {
                Goal::Trait(predicate) => {
                    let all: Vec<TraitPredicate> = self.elaborate(predicate)?;
                    let is_marker = |predicate: &TraitPredicate| self.types.lang.is_marker(predicate.trait_);
                    self.env.extend(all.into_iter().filter(|predicate| !is_marker(predicate)));
                }
                Goal::Project { predicate, name, out, .. } => self.bound_assocs.push((predicate, name, out)),
                _ => {}
            }
        }
        self.memo.clear();
        self.assume_implied_assocs()?;
        // The projections of where clauses hold trivially, because all types are known.
        self.pending.clear();
        self.memo.forget_open(0);
        Ok(())
    }
}

impl Check<'_> {
    /// Reads the signature, assigns the types of parameters, and returns the return type.
    fn header(&mut self) -> Result<(Vec<Ty>, Ty, Vec<Ty>)> {
        let def = self.instance.def();
        let program = self.cx.types.program().clone();
        if !matches!(self.cx.types.kind(def), DefKind::Fn | DefKind::AssocFn) {
            let written = program.const_type(def)?;
            let ret = self.cx.read_ty(&written, &self.scope)?;
            self.rets.push(ret);
            return Ok((vec![], ret, vec![]));
        }
        let sig = program.fn_sig(def)?;
        let mut params = vec![];
        for written in &sig.params {
            params.push(self.cx.read_ty(written, &self.scope)?);
        }
        let mut bounds = vec![];
        collect_impl_traits(&sig.ret, &mut bounds);
        let hidden: Vec<Ty> = bounds.iter().map(|_| self.cx.fresh()).collect();
        let mut scope = self.scope.clone();
        scope.hidden = Hidden::Types(Arc::from(&hidden[..]));
        for (&ty, list) in hidden.iter().zip(&bounds) {
            let mut goals = vec![];
            for bound in *list {
                self.hidden_goals(ty, bound, &scope, &mut goals)?;
            }
            self.cx.require_all(goals);
        }
        let ret = self.cx.read_ret(&sig.ret, &scope, &mut 0)?;
        self.rets.push(ret);
        let body = self.body.clone();
        for (&pat, &ty) in body.params.iter().zip(&params) {
            self.check_pat(pat, ty)?;
        }
        Ok((params, ret, hidden))
    }

    /// The obligations on a function's hidden result type; `impl Fn() -> impl Fn()` nests.
    fn hidden_goals(
        &mut self,
        ty: Ty,
        bound: &crate::hir::TraitRef,
        scope: &GenericScope,
        goals: &mut Vec<Goal>,
    ) -> Result<()> {
        self.cx.bound_goals(ty, bound, scope, goals)
    }

    fn expr(&self, id: ExprId) -> &Expr {
        &self.body.exprs[id.index()]
    }

    /// Sets the location of errors to an expression; returns the previous one.
    fn enter(&mut self, id: ExprId) -> overdub_context::Span {
        let span = self.expr(id).span;
        std::mem::replace(&mut self.cx.span, span)
    }

    /// Infers the type of an expression.
    fn check(&mut self, id: ExprId, expect: Expect) -> Result<Ty> {
        let body: Arc<HirBody> = self.body.clone();
        let expr = &body.exprs[id.index()];
        let outer = std::mem::replace(&mut self.cx.span, expr.span);
        let diverges = std::mem::replace(&mut self.diverges, false);
        let ty = deep(|| self.check_kind(id, &expr.kind, expect))?;
        self.exprs[id.index()] = Some(ty);
        self.diverges |= diverges || self.cx.shallow(ty).is_never();
        self.cx.span = outer;
        Ok(ty)
    }

    /// Infers the type of an expression and coerces it.
    fn check_coerce(&mut self, id: ExprId, to: Ty) -> Result<()> {
        let ty = self.check(id, Expect::Type(to))?;
        let outer = self.enter(id);
        self.coerce(id, ty, to)?;
        self.cx.span = outer;
        Ok(())
    }

    /// The type as far as it can be determined now, even with some effort.
    fn known(&mut self, ty: Ty) -> Result<Ty> {
        let known = self.known_without_bounds(ty)?;
        if let TyKind::Infer(_) = known.kind() {
            self.cx.select_guided()?;
            return Ok(self.cx.shallow(known));
        }
        Ok(known)
    }

    /// The type as far as it can be determined now without following where clauses.
    fn known_without_bounds(&mut self, ty: Ty) -> Result<Ty> {
        let shallow = self.cx.shallow(ty);
        if let TyKind::Infer(_) = shallow.kind() {
            self.cx.select()?;
            return Ok(self.cx.shallow(shallow));
        }
        Ok(shallow)
    }

    fn local(&mut self, local: LocalId) -> Ty {
        match self.locals[local.index()] {
            Some(ty) => ty,
            None => {
                let ty = self.cx.fresh();
                self.locals[local.index()] = Some(ty);
                ty
            }
        }
    }
}

impl Expect {
    /// The expected or likely type.
    fn any(self) -> Option<Ty> {
        match self {
            Expect::Nothing => None,
            Expect::Type(ty) | Expect::Hint(ty) => Some(ty),
        }
    }

    /// The type to which the expression will be coerced.
    fn target(self) -> Option<Ty> {
        match self {
            Expect::Type(ty) => Some(ty),
            Expect::Nothing | Expect::Hint(_) => None,
        }
    }
}
