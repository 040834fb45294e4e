//! Generates the specialisation of a function for a context in each mode.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::error::ContextError;
use super::func_key::Mode;
use super::instance::Instance;
use super::rewrite::{HookPolicy, Rewrite};
use super::runtime::BEGIN;
use super::specializer::{Specialization, Specializer};
use super::{Body, CallSite, Called, Method, NeedsHandle, Pass};
use super::{identity, names};
use crate::Symbol;
use crate::ir::{BuildError, Callee, Func, FuncBuilder, Inst, InstKind, Operand, TyKind, Var, typing};
use crate::verify::verify;

/// The specialisation of a function for an instance in a mode.
pub(super) fn specialize(
    specializer: &Specializer,
    name: Symbol,
    source: &Arc<Func>,
    instance: &Arc<Instance>,
    mode: Mode,
) -> Result<Specialization, ContextError> {
    if !instance.has_known_names.load(Ordering::Relaxed) {
        names::check(specializer, instance, source)?;
        instance.has_known_names.store(true, Ordering::Relaxed);
    }
    let cx = SpecializationCx { specializer, instance, func: source.name };
    match mode {
        Mode::Inside => cx.inside(name, source),
        Mode::Outside => {
            let func = cx.rewritten(name, source, CallPolicy::Fallback)?;
            Ok(Specialization { func: Arc::new(func), reads_others: false })
        }
        Mode::Recurse => {
            let func = cx.rewritten(name, source, CallPolicy::Recurse)?;
            Ok(Specialization { func: Arc::new(func), reads_others: false })
        }
        Mode::Value => cx.value(name, source),
        Mode::Run(number) => cx.run(name, source, number),
    }
}

/// The treatment of the calls in a body that is rewritten.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CallPolicy {
    /// The context is queried for each call.
    Dispatch,
    /// Each call is made under the context, without querying it.
    Recurse,
    /// Each call is made outside the context.
    Fallback,
    /// Only `overdub` calls are rewritten; the pass has decided everything else, including types.
    OverdubOnly,
}

/// A body rewritten for a context.
pub(super) enum SpecializedBody {
    /// The body that a pass returned, and whether the pass read other functions.
    ByPass(Func, bool),
    /// The original body with each call rewritten, and whether the pass that kept it read other functions.
    ByCalls(Func, bool),
}

/// Generates the specialisation of one function for one instance.
#[derive(Clone, Copy)]
pub(super) struct SpecializationCx<'e> {
    pub(super) specializer: &'e Specializer,
    pub(super) instance: &'e Arc<Instance>,
    func: Symbol,
}

impl SpecializationCx<'_> {
    /// The function under the context; the source itself if the context changes nothing.
    fn inside(&self, name: Symbol, source: &Arc<Func>) -> Result<Specialization, ContextError> {
        match self.body(name, source)? {
            SpecializedBody::ByPass(func, reads_others) => {
                Ok(Specialization { func: Arc::new(func), reads_others })
            }
            SpecializedBody::ByCalls(func, _) if identity::is_unchanged(self, source, &func) => {
                Ok(Specialization { func: source.clone(), reads_others: true })
            }
            SpecializedBody::ByCalls(func, reads_others) => {
                Ok(Specialization { func: Arc::new(func), reads_others })
            }
        }
    }

    /// The body under the context.
    pub(super) fn body(&self, name: Symbol, source: &Arc<Func>) -> Result<SpecializedBody, ContextError> {
        let root = self.specializer.root(source.name);
        if !self.instance.cx.filter(root, source.span) {
            return Ok(SpecializedBody::ByCalls(self.rewritten(name, source, CallPolicy::Recurse)?, false));
        }
        let context = self.instance.label;
        let body = Body::new(self.specializer, self.instance, source);
        let pass = self.instance.cx.pass(&body);
        let pass = pass.map_err(|error| ContextError::Pass { context, func: source.name, error })?;
        let reads_others = body.has_read_others();
        let checked = |func: Func| match verify(&func) {
            Ok(()) => Ok(Arc::new(func)),
            Err(error) => Err(ContextError::Invalid { context, func: source.name, error }),
        };
        let (source, policy) = match pass {
            Pass::Keep => {
                return Ok(SpecializedBody::ByCalls(
                    self.rewritten(name, source, CallPolicy::Dispatch)?,
                    reads_others,
                ));
            }
            Pass::Rewrite(func) => (checked(func)?, CallPolicy::Dispatch),
            Pass::Replace(func) => (checked(func)?, CallPolicy::OverdubOnly),
        };
        Ok(SpecializedBody::ByPass(self.rewritten(name, &source, policy)?, reads_others))
    }

    fn rewritten(&self, name: Symbol, source: &Arc<Func>, policy: CallPolicy) -> Result<Func, ContextError> {
        Rewrite::new(*self, source, name, policy, HookPolicy::Requested).all()
    }

    /// The context for specialising another function.
    pub(super) fn of(self, func: Symbol) -> Self {
        SpecializationCx { func, ..self }
    }

    /// The code of a function used as a value: the context's method for a call of it, or else the function
    /// under the context.
    fn value(&self, name: Symbol, source: &Arc<Func>) -> Result<Specialization, ContextError> {
        let built = |error| self.build_error(error);
        let mut build = FuncBuilder::new(source.name, source.ret);
        build.set_func_span(source.span);
        build.set_span(source.span);
        let params: Vec<Var> = source.param_tys().map(|ty| build.param("arg", ty)).collect();
        let result = build.call(source.name, params, source.ret).map_err(built)?;
        build.ret(result).map_err(built)?;
        let thunk = build.finish().map_err(built)?;
        let site = call_site(&thunk, &thunk.blocks[0].insts[0], self.specializer);
        let is_queried = self.instance.cx.filter(self.specializer.root(source.name), source.span);
        if is_queried
            && let Some(site) = site
            && !matches!(self.instance.cx.method(&site), Method::Recurse)
        {
            let rewrite = Rewrite::new(*self, &thunk, name, CallPolicy::Dispatch, HookPolicy::Suppressed);
            return Ok(Specialization { func: Arc::new(rewrite.all()?), reads_others: false });
        }
        self.inside(name, source)
    }

    /// A function that runs the context on another function with a separate handle, and returns the value.
    fn run(&self, name: Symbol, source: &Arc<Func>, number: usize) -> Result<Specialization, ContextError> {
        let built = |error| self.build_error(error);
        let map = |ty| self.instance.map(ty);
        let mut build = FuncBuilder::new(name, map(source.ret));
        build.set_func_span(source.span);
        build.set_span(source.span);
        let params: Vec<Var> = source.param_tys().map(|ty| build.param("arg", map(ty))).collect();
        let mut args: Vec<Operand> = params.into_iter().map(Operand::from).collect();
        if self.instance.needs_handle == NeedsHandle::Yes {
            let label = Operand::from(&*self.instance.run_label(number));
            let handle = build.op_as(&BEGIN, [label], Instance::handle_ty()).map_err(built)?;
            args.insert(0, handle.into());
        }
        let inside = self.instance.name(source.name, Mode::Inside);
        let result = build.call(inside, args, map(source.ret)).map_err(built)?;
        build.ret(result).map_err(built)?;
        Ok(Specialization { func: Arc::new(build.finish().map_err(built)?), reads_others: false })
    }

    pub(super) fn build_error(&self, error: BuildError) -> ContextError {
        ContextError::Build { context: self.instance.label, func: self.func, error }
    }
}

/// The call site of an instruction; `None` for a constant.
pub(super) fn call_site(source: &Func, inst: &Inst, specializer: &Specializer) -> Option<CallSite> {
    let (callee, args) = match &inst.kind {
        InstKind::Const(_) => return None,
        InstKind::Op { op, args } => (Called::Op(op), args),
        InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => {
            let called = match callee {
                Callee::Func(name) => Called::Func(*name),
                Callee::Value(value) => match typing::operand_ty(source, value).ok()?.kind() {
                    TyKind::Closure(closure) => Called::Closure(closure.code),
                    _ => Called::Value,
                },
            };
            (called, args)
        }
    };
    let name = match callee {
        Called::Func(name) | Called::Closure(name) => specializer.root(name),
        Called::Op(op) => Symbol::new(op.name),
        Called::Value => Symbol::new("fn"),
    };
    Some(CallSite {
        callee,
        name,
        args: typing::operand_tys(source, args).ok()?.into(),
        consts: args.iter().map(|arg| arg.constant().cloned()).collect(),
        ret: source.ty(inst.result),
        caller: specializer.root(inst.span.inlined().map_or(source.name, |inlined| inlined.func)),
        span: inst.span,
    })
}

/// Whether the context has a method for a call, which is then not inlined.
pub(super) fn has_method(specializer: &Specializer, instance: &Instance, func: &Func, inst: &Inst) -> bool {
    call_site(func, inst, specializer)
        .is_some_and(|site| !matches!(instance.cx.method(&site), Method::Recurse))
}
