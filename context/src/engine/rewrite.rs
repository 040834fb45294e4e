//! From a function to what it is under a context.
//!
//! - E5 a function of a context that carries a handle takes it as its first parameter, and so does the code of each
//!   closure, which has captured it.
//! - E6 the order at a call is prehook, call, posthook.

mod lifting;

use std::sync::Arc;

use super::instance::{Instance, Mode};
use super::live::{BEGIN, CALL, ENTER, POST, PRE};
use super::specialiser::{Making, Replacement, Specialiser};
use super::{Body, CallSite, Called, Carries, Hooks, Method, Pass, PassError, Post, Pre};
use crate::ir::{
    BuildError, Callee, Const, Func, FuncBuilder, Inst, InstKind, LoadError, Operand, Rewriter, Ty, TyKind,
    Var, typing,
};
use crate::ops::{self, OpDef};
use crate::value::{Code, Value};
use crate::verify::{VerifyError, verify};
use crate::{Span, Symbol};

/// Why a function cannot be had under a context.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ContextError {
    /// The pass has no body to give.
    #[error("the context `{context}` cannot rewrite `@{func}`: {error}")]
    Pass {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// What stands in the way.
        error: PassError,
    },
    /// The body that the pass gave is not valid.
    #[error("the pass of the context `{context}` made an invalid body for `@{func}`: {error}")]
    Invalid {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// What is wrong with it.
        error: VerifyError,
    },
    /// The rewritten function cannot be built: what the context answered does not fit the call.
    #[error("under the context `{context}`, `@{func}` cannot be built: {error}")]
    Build {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// What does not fit.
        error: BuildError,
    },
    /// The domain says nothing about an operation.
    #[error("the domain of the context `{context}` has no meaning for `{op}`")]
    NoMeaning {
        /// The context.
        context: Symbol,
        /// The operation.
        op: &'static str,
        /// Where.
        span: Span,
    },
    /// A context that carries nothing asked for what needs a handle.
    #[error("the context `{context}` carries nothing, so it has no hook or host method at `{callee}`")]
    NoHandle {
        /// The context.
        context: Symbol,
        /// What is called.
        callee: &'static str,
        /// Where.
        span: Span,
    },
}

impl ContextError {
    pub(super) fn into_load(self) -> LoadError {
        let (span, help) = match &self {
            ContextError::Pass { error, .. } => (error.span, error.help.clone()),
            ContextError::Invalid { error, .. } => {
                (error.faults.first().map_or(Span::unknown(), |fault| fault.span), None)
            }
            ContextError::Build { error, .. } => (error.span, None),
            ContextError::NoMeaning { span, .. } => {
                (*span, Some("let the domain's `lifted` answer for this operation".to_owned()))
            }
            ContextError::NoHandle { span, .. } => {
                (*span, Some("let the context's `carries` be `Carries::Handle`".to_owned()))
            }
        };
        LoadError { message: self.to_string(), span, help }
    }
}

/// What a function is for an instance, in a mode.
pub(super) fn make(
    specialiser: &Specialiser,
    name: Symbol,
    source: &Arc<Func>,
    instance: &Arc<Instance>,
    mode: Mode,
) -> Result<Making, ContextError> {
    let maker = Maker { specialiser, instance, func: source.name };
    match mode {
        Mode::Inside => maker.inside(name, source),
        Mode::Outside => maker.rewritten(name, source, Asking::Nothing, false),
        Mode::Value => maker.value(name, source),
        Mode::Run => maker.run(name, source),
    }
}

/// About which calls the context is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asking {
    /// All of them.
    All,
    /// None: calls lead into the context, but mean what they meant.
    Muted,
    /// None, and calls stay outside.
    Nothing,
    /// `overdub` calls; all else is as the pass wants it, types too.
    Marked,
}

#[derive(Clone, Copy)]
struct Maker<'e> {
    specialiser: &'e Specialiser,
    instance: &'e Arc<Instance>,
    func: Symbol,
}

impl Maker<'_> {
    fn inside(&self, name: Symbol, source: &Arc<Func>) -> Result<Making, ContextError> {
        let root = self.specialiser.root(source.name);
        if !self.instance.cx.filter(root, source.span) {
            return self.rewritten(name, source, Asking::Muted, false);
        }
        let context = self.instance.label;
        let body = Body::new(self.specialiser, self.instance, source);
        let pass = self.instance.cx.pass(&body);
        let pass = pass.map_err(|error| ContextError::Pass { context, func: source.name, error })?;
        let looked = body.looked();
        let checked = |func: Func| match verify(&func) {
            Ok(()) => Ok(Arc::new(func)),
            Err(error) => Err(ContextError::Invalid { context, func: source.name, error }),
        };
        match pass {
            Pass::Keep => self.rewritten(name, source, Asking::All, looked),
            Pass::Rewrite(func) => self.rewritten(name, &checked(func)?, Asking::All, looked),
            Pass::Replace(func) => self.rewritten(name, &checked(func)?, Asking::Marked, looked),
        }
    }

    fn rewritten(
        &self,
        name: Symbol,
        source: &Arc<Func>,
        asking: Asking,
        looked: bool,
    ) -> Result<Making, ContextError> {
        let func = Rewrite::new(*self, source, name, asking).all()?;
        Ok(Making { func: Arc::new(func), looked })
    }

    /// A function as a value: the method that a call of it has, or else itself under the context.
    fn value(&self, name: Symbol, source: &Arc<Func>) -> Result<Making, ContextError> {
        let built = |error| self.build_error(error);
        let mut build = FuncBuilder::new(source.name, source.ret);
        build.set_func_span(source.span);
        build.set_span(source.span);
        let params: Vec<Var> = source.param_tys().map(|ty| build.param("arg", ty)).collect();
        let result = build.call(source.name, params, source.ret).map_err(built)?;
        build.ret(result).map_err(built)?;
        let thunk = build.finish().map_err(built)?;
        let site = call_site(&thunk, &thunk.blocks[0].insts[0], self.specialiser);
        let asks = self.instance.cx.filter(self.specialiser.root(source.name), source.span);
        if asks
            && let Some(site) = site
            && !matches!(self.instance.cx.method(&site), Method::Recurse)
        {
            let mut rewrite = Rewrite::new(*self, &thunk, name, Asking::All);
            rewrite.hooked = false;
            return Ok(Making { func: Arc::new(rewrite.all()?), looked: false });
        }
        self.inside(name, source)
    }

    /// A function of the program that runs the context on another: a handle of its own, the function, the value.
    fn run(&self, name: Symbol, source: &Arc<Func>) -> Result<Making, ContextError> {
        let built = |error| self.build_error(error);
        let map = |ty| self.instance.map(ty);
        let mut build = FuncBuilder::new(name, map(source.ret));
        build.set_func_span(source.span);
        build.set_span(source.span);
        let params: Vec<Var> = source.param_tys().map(|ty| build.param("arg", map(ty))).collect();
        let mut args: Vec<Operand> = params.into_iter().map(Operand::from).collect();
        if self.instance.carries == Carries::Handle {
            let label = Operand::from(self.instance.label.as_str());
            let handle = build.op_as(&BEGIN, [label], Instance::handle_ty()).map_err(built)?;
            args.insert(0, handle.into());
        }
        let inside = self.instance.name(source.name, Mode::Inside);
        let result = build.call(inside, args, map(source.ret)).map_err(built)?;
        build.ret(result).map_err(built)?;
        Ok(Making { func: Arc::new(build.finish().map_err(built)?), looked: false })
    }

    fn build_error(&self, error: BuildError) -> ContextError {
        ContextError::Build { context: self.instance.label, func: self.func, error }
    }
}

/// The call that an instruction is; nothing where it is a constant.
fn call_site(source: &Func, inst: &Inst, specialiser: &Specialiser) -> Option<CallSite> {
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
        Called::Func(name) | Called::Closure(name) => specialiser.root(name),
        Called::Op(op) => Symbol::new(op.name),
        Called::Value => Symbol::new("fn"),
    };
    Some(CallSite {
        callee,
        name,
        args: typing::operand_tys(source, args).ok()?.into(),
        consts: args.iter().map(|arg| arg.constant().cloned()).collect(),
        ret: source.ty(inst.result),
        caller: specialiser.root(source.name),
        span: inst.span,
    })
}

/// The functions whose calls the context has a method for: those are not to be inlined.
pub(super) fn has_method(specialiser: &Specialiser, instance: &Instance, func: &Func, inst: &Inst) -> bool {
    call_site(func, inst, specialiser)
        .is_some_and(|site| !matches!(instance.cx.method(&site), Method::Recurse))
}

struct Rewrite<'e> {
    maker: Maker<'e>,
    source: &'e Func,
    rw: Rewriter<'e>,
    handle: Option<Var>,
    asking: Asking,
    hooked: bool,
}

impl<'e> Rewrite<'e> {
    fn new(maker: Maker<'e>, source: &'e Func, name: Symbol, asking: Asking) -> Rewrite<'e> {
        let instance = maker.instance;
        let mut rw = Rewriter::new(source);
        rw.set_name(name);
        if asking != Asking::Marked {
            rw.set_ret(instance.map(source.ret));
            for var in (0..).map(Var).take(source.vars.len()) {
                rw.retype(var, instance.map(source.ty(var)));
            }
        }
        let handle =
            (instance.carries == Carries::Handle).then(|| rw.first_param("cx", Instance::handle_ty()));
        Rewrite { maker, source, rw, handle, asking, hooked: true }
    }

    fn all(mut self) -> Result<Func, ContextError> {
        let source = self.source;
        for (block, body) in source.iter_blocks() {
            self.rw.begin(block).map_err(|error| self.maker.build_error(error))?;
            for inst in &body.insts {
                self.rw.set_span(inst.span);
                self.inst(inst)?;
            }
            let Some(end) = &body.terminator else { continue };
            self.rw.set_span(end.span);
            let mut kind = end.kind.clone();
            if let Some(operand) = kind.operand_mut() {
                self.lift_constant(operand)?;
            }
            for operand in kind.targets_mut().flat_map(|target| &mut target.args) {
                self.lift_constant(operand)?;
            }
            self.rw.terminate(kind).map_err(|error| self.maker.build_error(error))?;
        }
        let maker = self.maker;
        let func = self.rw.finish().map_err(|error| maker.build_error(error))?;
        if cfg!(debug_assertions)
            && let Err(error) = verify(&func)
        {
            return Err(ContextError::Invalid { context: maker.instance.label, func: source.name, error });
        }
        Ok(func)
    }

    fn built<T>(&self, result: Result<T, BuildError>) -> Result<T, ContextError> {
        result.map_err(|error| self.maker.build_error(error))
    }

    fn map(&self, ty: Ty) -> Ty {
        self.maker.instance.map(ty)
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), ContextError> {
        if self.asking == Asking::Marked && !matches!(inst.kind, InstKind::Overdub { .. }) {
            let kept = self.rw.keep(inst);
            return self.built(kept);
        }
        if let InstKind::Const(constant) = &inst.kind {
            return self.constant(inst, constant);
        }
        let mut inst = inst.clone();
        let site = call_site(self.source, &inst, self.maker.specialiser);
        for operand in inst.kind.operands_mut() {
            self.lift_constant(operand)?;
        }
        match (site, self.asking) {
            (Some(site), Asking::All | Asking::Marked) => self.asked(inst, site),
            (Some(site), Asking::Muted) => self.go(inst.result, inst.kind, &site, Method::Recurse),
            (Some(site), Asking::Nothing) => self.go(inst.result, inst.kind, &site, Method::Fallback),
            (None, _) => {
                let kept = self.rw.keep(&inst);
                self.built(kept)
            }
        }
    }

    /// A call that the context is asked about.
    fn asked(&mut self, inst: Inst, site: CallSite) -> Result<(), ContextError> {
        let instance = self.maker.instance;
        let hooks = if self.hooked { instance.cx.hooks(&site) } else { Hooks::NONE };
        let method = instance.cx.method(&site);
        if self.handle.is_none() && (!hooks.is_none() || matches!(method, Method::Host)) {
            let (context, callee) = (instance.label, site.name());
            return Err(ContextError::NoHandle { context, callee, span: site.span });
        }
        if hooks.is_none() {
            return self.go(inst.result, inst.kind, &site, method);
        }
        let operands: Vec<Operand> = inst.kind.operands().cloned().collect();
        let number = self.number(&site);
        if hooks.pre == Pre::Yes {
            self.hook(&PRE, number, operands.clone())?;
        }
        self.go(inst.result, inst.kind, &site, method)?;
        if hooks.post == Post::No || site.ret == Ty::never() {
            return Ok(());
        }
        let callees = usize::from(matches!(site.callee, Called::Closure(_) | Called::Value));
        let (callee, args) = operands.split_at(callees.min(operands.len()));
        let args = if hooks.post == Post::WithArgs { args } else { &[] };
        let result = Operand::Var(inst.result);
        self.hook(&POST, number, callee.iter().cloned().chain([result]).chain(args.iter().cloned()))
    }

    fn number(&self, site: &CallSite) -> i64 {
        i64::try_from(self.maker.instance.number(site.clone())).expect("fewer than 2^63 calls")
    }

    fn hook(
        &mut self,
        op: &'static OpDef,
        number: i64,
        operands: impl IntoIterator<Item = Operand>,
    ) -> Result<(), ContextError> {
        let handle = self.handle.into_iter().map(Operand::from);
        let args: Vec<Operand> = handle.chain([Operand::from(number)]).chain(operands).collect();
        let hook = self.rw.op_as(op, args, Ty::unit());
        self.built(hook).map(drop)
    }

    /// The call itself, as its method wants it.
    fn go(
        &mut self,
        result: Var,
        kind: InstKind,
        site: &CallSite,
        method: Method,
    ) -> Result<(), ContextError> {
        let specialiser = self.maker.specialiser;
        match method {
            Method::Recurse => self.plain(result, kind, site, Mode::Inside),
            Method::Fallback => self.plain(result, kind, site, Mode::Outside),
            Method::Inside(target) => {
                let args = call_args(kind);
                match specialiser.replacement(target, site) {
                    Replacement::Func(func) => self.call_func(result, func, args, site, Mode::Inside),
                    Replacement::Op(op) => self.op(result, op, args, site),
                }
            }
            Method::Outside(target) => {
                let args = call_args(kind);
                match specialiser.replacement(target, site) {
                    Replacement::Func(func) => self.call_func(result, func, args, site, Mode::Outside),
                    Replacement::Op(op) => self.op(result, op, args, site),
                }
            }
            Method::Op(op) => self.op(result, op, call_args(kind), site),
            Method::Host => {
                let number = self.number(site);
                let handle = self.handle.into_iter().map(Operand::from);
                let operands = kind.operands().cloned();
                let args = handle.chain([Operand::from(number)]).chain(operands).collect();
                self.define(result, InstKind::Op { op: &CALL, args })
            }
            Method::Constant(value) => {
                let operand = self.build(&value, site.ret)?;
                let replaced = self.rw.replace(result, operand);
                self.built(replaced)
            }
            Method::Ir(func) => {
                let name = specialiser.give(&func, self.maker.instance);
                self.call_func(result, name, call_args(kind), site, Mode::Inside)
            }
        }
    }

    fn define(&mut self, result: Var, kind: InstKind) -> Result<(), ContextError> {
        let defined = self.rw.define(result, kind);
        self.built(defined)
    }

    /// The call of what it calls, inside or outside of the context.
    fn plain(
        &mut self,
        result: Var,
        kind: InstKind,
        site: &CallSite,
        mode: Mode,
    ) -> Result<(), ContextError> {
        match kind {
            InstKind::Op { op, args } => self.op(result, op, args, site),
            InstKind::Call { callee: Callee::Func(name), args }
            | InstKind::Overdub { callee: Callee::Func(name), args } => {
                self.call_func(result, name, args, site, mode)
            }
            InstKind::Overdub { callee: Callee::Value(value), args } if self.asking == Asking::Marked => {
                self.call_unmapped(result, value, args, mode)
            }
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => {
                self.define(result, InstKind::Call { callee, args })
            }
            InstKind::Const(_) => Ok(()),
        }
    }

    /// An `overdub` call of a closure or function value in a body where they are not the context's own.
    fn call_unmapped(
        &mut self,
        result: Var,
        callee: Operand,
        args: Vec<Operand>,
        mode: Mode,
    ) -> Result<(), ContextError> {
        let instance = self.maker.instance;
        let ty = self.rw.ty(&callee);
        let ty = self.built(ty)?;
        let handle = self.handle.map(Operand::from);
        match ty.kind() {
            _ if mode == Mode::Outside => {
                self.define(result, InstKind::Call { callee: Callee::Value(callee), args })
            }
            TyKind::Closure(closure) => {
                let mut all: Vec<Operand> = handle.into_iter().collect();
                for k in (0_i64..).take(closure.captures.len()) {
                    let capture = self.rw.op(&ops::CAPTURED, [callee.clone(), k.into()]);
                    all.push(self.built(capture)?.into());
                }
                all.extend(args);
                let code = Callee::Func(instance.name(closure.code, Mode::Inside));
                self.define(result, InstKind::Call { callee: code, args: all })
            }
            _ => {
                let label = Operand::from(instance.label.as_str());
                let operands: Vec<Operand> = [label, callee].into_iter().chain(handle).collect();
                let entered = self.rw.op_as(&ENTER, operands, ty);
                let callee = Callee::Value(self.built(entered)?.into());
                self.define(result, InstKind::Call { callee, args })
            }
        }
    }

    fn call_func(
        &mut self,
        result: Var,
        name: Symbol,
        args: Vec<Operand>,
        site: &CallSite,
        mode: Mode,
    ) -> Result<(), ContextError> {
        let instance = self.maker.instance;
        let changed = || site.args.iter().chain([&site.ret]).any(|ty| instance.map(*ty) != *ty);
        let stays = mode == Mode::Outside && (self.asking == Asking::Marked || !changed());
        let (name, handle) = if stays { (name, None) } else { (instance.name(name, mode), self.handle) };
        let args = handle.into_iter().map(Operand::from).chain(args).collect();
        self.define(result, InstKind::Call { callee: Callee::Func(name), args })
    }

    fn op(
        &mut self,
        result: Var,
        op: &'static OpDef,
        mut args: Vec<Operand>,
        site: &CallSite,
    ) -> Result<(), ContextError> {
        if *op == ops::CLOSURE
            && let Some(handle) = self.handle
        {
            args.insert(0, handle.into());
        }
        if self.maker.instance.domain.is_some() {
            return lifting::op(self, result, op, args, site);
        }
        self.define(result, InstKind::Op { op, args })
    }

    fn constant(&mut self, inst: &Inst, constant: &Const) -> Result<(), ContextError> {
        let ty = self.source.ty(inst.result);
        if !self.is_other(constant.value(), ty) {
            let kept = self.rw.keep(inst);
            return self.built(kept);
        }
        let operand = self.build(constant.value(), ty)?;
        let replaced = self.rw.replace(inst.result, operand);
        self.built(replaced)
    }

    /// Whether a constant is another one under the context.
    fn is_other(&self, value: &Value<'static>, ty: Ty) -> bool {
        self.map(ty) != ty || holds_function(value)
    }

    /// Appends what makes the value that a constant is under the context.
    fn build(&mut self, value: &Value<'static>, ty: Ty) -> Result<Operand, ContextError> {
        if self.asking == Asking::Marked || !self.is_other(value, ty) {
            let constant = self.rw.constant(value.clone(), ty);
            return self.built(constant);
        }
        let mapped = self.map(ty);
        if let Some(domain) = self.maker.instance.domain.clone()
            && domain.of() == ty
        {
            let plain = self.rw.constant(value.clone(), ty);
            let plain = self.built(plain)?;
            return lifting::lift(self, plain);
        }
        match (value, ty.kind()) {
            (Value::Closure(closure), _) => {
                let Code::Func(code) = closure.code else { return Ok(Operand::unit()) };
                let closure_ty = self.map(Ty::closure(code, []));
                let handle: Vec<Operand> = self.handle.into_iter().map(Operand::from).collect();
                let made = self.made(&ops::CLOSURE, handle, closure_ty)?;
                if closure_ty == mapped { Ok(made) } else { self.made(&ops::ERASE, vec![made], mapped) }
            }
            (Value::Composite(composite), TyKind::Tuple(tys)) => {
                let parts = self.parts(&composite.parts, tys.iter().copied())?;
                self.made(&ops::TUPLE, parts, mapped)
            }
            (Value::Composite(composite), TyKind::Struct(nominal)) => {
                let tys = nominal.fields().unwrap_or_default().iter().map(|field| field.ty);
                let parts = self.parts(&composite.parts, tys)?;
                self.made(&ops::STRUCT, parts, mapped)
            }
            (Value::Composite(composite), TyKind::Enum(nominal)) => {
                let variant = nominal.variants().and_then(|all| all.get(composite.tag as usize));
                let tys = variant.map(|variant| &*variant.fields).unwrap_or_default();
                let mut parts = self.parts(&composite.parts, tys.iter().map(|field| field.ty))?;
                parts.insert(0, Operand::from(i64::from(composite.tag)));
                self.made(&ops::VARIANT, parts, mapped)
            }
            (Value::Array(array), TyKind::Array(of)) => {
                let elems: Vec<Value<'static>> = array.iter().collect();
                let elems = self.parts(&elems, std::iter::repeat(of.elem))?;
                let flat = self.made(&ops::ARRAY, elems, Ty::array(self.map(of.elem), 1))?;
                if of.rank == 1 {
                    return Ok(flat);
                }
                let shape = crate::value::Array::from_vec(array.shape().to_vec());
                let shape = self.rw.constant(Value::from(shape), Ty::array(Ty::usize(), 1));
                let shape = self.built(shape)?;
                self.made(&ops::ND_FROM_ELEMS, vec![flat, shape], mapped)
            }
            (Value::Stack(elems), TyKind::Stack(elem)) => {
                let parts = self.parts(elems, std::iter::repeat(*elem))?;
                let empty = self.made(&ops::STACK_NEW, Vec::new(), mapped)?;
                parts
                    .into_iter()
                    .try_fold(empty, |stack, part| self.made(&ops::STACK_PUSH, vec![stack, part], mapped))
            }
            _ => {
                let constant = self.rw.constant(value.clone(), ty);
                self.built(constant)
            }
        }
    }

    fn parts(
        &mut self,
        values: &[Value<'static>],
        tys: impl Iterator<Item = Ty>,
    ) -> Result<Vec<Operand>, ContextError> {
        values.iter().zip(tys).map(|(value, ty)| self.build(value, ty)).collect()
    }

    fn made(&mut self, op: &'static OpDef, args: Vec<Operand>, ty: Ty) -> Result<Operand, ContextError> {
        let made = self.rw.op_as(op, args, ty);
        self.built(made).map(Operand::from)
    }

    fn lift_constant(&mut self, operand: &mut Operand) -> Result<(), ContextError> {
        if self.asking != Asking::Marked
            && let Some(constant) = operand.constant()
            && let Some(ty) = constant.scalar_ty()
            && self.map(ty) != ty
        {
            let value = constant.value().clone();
            *operand = self.build(&value, ty)?;
        }
        Ok(())
    }
}

/// The arguments of a call, without the closure that is called.
fn call_args(kind: InstKind) -> Vec<Operand> {
    match kind {
        InstKind::Op { args, .. } | InstKind::Call { args, .. } | InstKind::Overdub { args, .. } => args,
        InstKind::Const(_) => Vec::new(),
    }
}

/// Whether a value holds a function of the program.
pub(super) fn holds_function(value: &Value<'_>) -> bool {
    match value {
        Value::Closure(closure) => {
            matches!(closure.code, Code::Func(_)) || closure.captures.iter().any(holds_function)
        }
        Value::Composite(composite) => composite.parts.iter().any(holds_function),
        Value::Array(array) => array.as_values().is_some_and(|elems| elems.iter().any(holds_function)),
        Value::Stack(elems) => elems.iter().any(holds_function),
        Value::Unit
        | Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::I128(_)
        | Value::U128(_)
        | Value::F32(_)
        | Value::F64(_)
        | Value::Str(_)
        | Value::Ref(_)
        | Value::Opaque(_) => false,
    }
}
