//! Rewrites the body of a function for a context.
//!
//! - REWRITE1 if a context needs a handle, functions made for it take it as their first parameter, and closures
//!   capture it first.
//! - REWRITE2 the order at a call is prehook, call, posthook.

mod constant;
mod lifting;

use super::error::ContextError;
use super::func_key::Mode;
use super::instance::Instance;
use super::replacement::{Replacement, constant_fits, func_fits, op_fits};
use super::runtime::{CALL, ENTER, POST, PRE, WITHIN};
use super::specialize::{CallPolicy, SpecializationCx, call_site};
use super::{CallSite, Called, Hooks, Method, NeedsHandle, Post, Pre};
use crate::Symbol;
use crate::ir::{
    BuildError, Callee, Const, Func, Inst, InstKind, Operand, Rewriter, Ty, TyKind, Var, typing,
};
use crate::ops::{self, OpDef};
use crate::verify::verify;

pub(super) use constant::holds_function;

/// A rewrite in progress.
pub(super) struct Rewrite<'e> {
    cx: SpecializationCx<'e>,
    source: &'e Func,
    rw: Rewriter<'e>,
    handle: Option<Var>,
    policy: CallPolicy,
    hook_policy: HookPolicy,
}

/// Whether calls have the hooks of the context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HookPolicy {
    /// The hooks that the context requests.
    Requested,
    /// No hooks: the hooks of a call of a function value run where the value is called.
    Suppressed,
}

impl<'e> Rewrite<'e> {
    pub(super) fn new(
        cx: SpecializationCx<'e>,
        source: &'e Func,
        name: Symbol,
        policy: CallPolicy,
        hook_policy: HookPolicy,
    ) -> Rewrite<'e> {
        let instance = cx.instance;
        let mut rw = Rewriter::new(source);
        rw.keep_debug_info();
        rw.set_name(name);
        if policy != CallPolicy::OverdubOnly {
            rw.set_ret(instance.map(source.ret));
            for var in (0..).map(Var).take(source.vars.len()) {
                rw.retype(var, instance.map(source.ty(var)));
            }
        }
        let handle =
            (instance.needs_handle == NeedsHandle::Yes).then(|| rw.first_param("cx", Instance::handle_ty()));
        Rewrite { cx, source, rw, handle, policy, hook_policy }
    }

    pub(super) fn all(mut self) -> Result<Func, ContextError> {
        let source = self.source;
        for (block, body) in source.iter_blocks() {
            self.rw.begin(block).map_err(|error| self.cx.build_error(error))?;
            for (at, inst) in body.insts.iter().enumerate() {
                self.rw.keep_points(block, at);
                self.rw.set_span(inst.span);
                self.inst(inst)?;
            }
            self.rw.keep_points(block, body.insts.len());
            let Some(end) = &body.terminator else { continue };
            self.rw.set_span(end.span);
            let mut kind = end.kind.clone();
            if let Some(operand) = kind.operand_mut() {
                self.lift_constant(operand)?;
            }
            for operand in kind.targets_mut().flat_map(|target| &mut target.args) {
                self.lift_constant(operand)?;
            }
            self.rw.terminate(kind).map_err(|error| self.cx.build_error(error))?;
        }
        let cx = self.cx;
        let func = self.rw.finish().map_err(|error| cx.build_error(error))?;
        if cfg!(debug_assertions)
            && let Err(error) = verify(&func)
        {
            return Err(ContextError::Invalid { context: cx.instance.label, func: source.name, error });
        }
        Ok(func)
    }

    fn built<T>(&self, result: Result<T, BuildError>) -> Result<T, ContextError> {
        result.map_err(|error| self.cx.build_error(error))
    }

    fn map(&self, ty: Ty) -> Ty {
        self.cx.instance.map(ty)
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), ContextError> {
        if self.policy == CallPolicy::OverdubOnly && !matches!(inst.kind, InstKind::Overdub { .. }) {
            let kept = self.rw.keep(inst);
            return self.built(kept);
        }
        if let InstKind::Const(constant) = &inst.kind {
            return self.constant(inst, constant);
        }
        let mut inst = inst.clone();
        let site = call_site(self.source, &inst, self.cx.specializer);
        // Lifting an operation may require its constant operands unchanged.
        if !matches!(inst.kind, InstKind::Op { .. }) || site.is_none() {
            for operand in inst.kind.operands_mut() {
                self.lift_constant(operand)?;
            }
        }
        match (site, self.policy) {
            (Some(site), CallPolicy::Dispatch | CallPolicy::OverdubOnly) => self.queried_call(inst, site),
            (Some(site), CallPolicy::Recurse) => {
                self.emit_call(inst.result, inst.kind, &site, Method::Recurse)
            }
            (Some(site), CallPolicy::Fallback) => {
                self.emit_call(inst.result, inst.kind, &site, Method::Fallback)
            }
            (None, _) => {
                let kept = self.rw.keep(&inst);
                self.built(kept)
            }
        }
    }

    /// A call for which the context is queried.
    fn queried_call(&mut self, inst: Inst, site: CallSite) -> Result<(), ContextError> {
        let instance = self.cx.instance;
        let hooks = match self.hook_policy {
            HookPolicy::Requested => instance.cx.hooks(&site),
            HookPolicy::Suppressed => Hooks::NONE,
        };
        let method = instance.cx.method(&site);
        if self.handle.is_none() && (!hooks.is_none() || matches!(method, Method::Host)) {
            let (context, callee) = (instance.label, site.name());
            return Err(ContextError::NoHandle { context, callee, span: site.span });
        }
        if hooks.is_none() {
            return self.emit_call(inst.result, inst.kind, &site, method);
        }
        let mut operands: Vec<Operand> = inst.kind.operands().cloned().collect();
        self.lift_constants(&mut operands)?;
        let number = self.number(&site);
        if hooks.pre == Pre::Yes {
            self.hook(&PRE, number, operands.clone())?;
        }
        self.emit_call(inst.result, inst.kind, &site, method)?;
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
        i64::try_from(self.cx.instance.number(site.clone())).expect("fewer than 2^63 calls")
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

    /// Emits the call according to its method.
    fn emit_call(
        &mut self,
        result: Var,
        kind: InstKind,
        site: &CallSite,
        method: Method,
    ) -> Result<(), ContextError> {
        let specializer = self.cx.specializer;
        match method {
            Method::Recurse => self.emit_original(result, kind, site, Mode::Inside),
            Method::Fallback => self.emit_original(result, kind, site, Mode::Outside),
            Method::Inside(target) => self.replaced(result, target, call_args(kind), site, Mode::Inside),
            Method::Outside(target) => self.replaced(result, target, call_args(kind), site, Mode::Outside),
            Method::Op(op) => self.replaced_by_op(result, op, call_args(kind), site),
            Method::Host => {
                let number = self.number(site);
                let handle = self.handle.into_iter().map(Operand::from);
                let mut operands: Vec<Operand> = kind.operands().cloned().collect();
                self.lift_constants(&mut operands)?;
                let args = handle.chain([Operand::from(number)]).chain(operands).collect();
                self.define(result, InstKind::Op { op: &CALL, args })
            }
            Method::Constant(value) => {
                constant_fits(value.ty(), site, self.cx.instance)?;
                let operand = self.build(&value, site.ret)?;
                let replaced = self.rw.replace(result, operand);
                self.built(replaced)
            }
            Method::Ir(func) => {
                func_fits(&func, func.name, site, self.cx.instance)?;
                let name = specializer.add_given_func(&func, self.cx.instance);
                self.call_func(result, name, call_args(kind), site, Mode::Inside)
            }
        }
    }

    /// Emits the call of a replacement.
    fn replaced(
        &mut self,
        result: Var,
        target: Symbol,
        args: Vec<Operand>,
        site: &CallSite,
        mode: Mode,
    ) -> Result<(), ContextError> {
        let SpecializationCx { specializer, instance, .. } = self.cx;
        match specializer.replacement(target, site, instance)? {
            Replacement::Func(func) => {
                specializer.fits(func, site, instance)?;
                if mode == Mode::Inside && specializer.root(func) == site.caller {
                    specializer.replaces_in_itself(site.name, site.caller);
                }
                self.call_func(result, func, args, site, mode)
            }
            Replacement::Op(op) => self.replaced_by_op(result, op, args, site),
        }
    }

    fn replaced_by_op(
        &mut self,
        result: Var,
        op: &'static OpDef,
        args: Vec<Operand>,
        site: &CallSite,
    ) -> Result<(), ContextError> {
        op_fits(self.source, op, &args, site, self.cx.instance)?;
        self.op(result, op, args, site)
    }

    fn define(&mut self, result: Var, kind: InstKind) -> Result<(), ContextError> {
        let defined = self.rw.define(result, kind);
        self.built(defined)
    }

    /// Emits a call of the original callee, inside or outside of the context.
    fn emit_original(
        &mut self,
        result: Var,
        kind: InstKind,
        site: &CallSite,
        mode: Mode,
    ) -> Result<(), ContextError> {
        match kind {
            InstKind::Op { op, mut args } if *op == CALL && mode == Mode::Inside => {
                // A host method of an inner context continues inside this context.
                let label = Operand::from(self.cx.instance.label.as_str());
                let handle = self.handle.map(Operand::from);
                let operands = [args[0].clone(), label].into_iter().chain(handle);
                let within = self.rw.op_as(&WITHIN, operands, Instance::handle_ty());
                args[0] = self.built(within)?.into();
                self.op(result, op, args, site)
            }
            InstKind::Op { op, args } => self.op(result, op, args, site),
            InstKind::Call { callee: Callee::Func(name), args }
            | InstKind::Overdub { callee: Callee::Func(name), args } => {
                self.call_func(result, name, args, site, mode)
            }
            InstKind::Overdub { callee: Callee::Value(value), args }
                if self.policy == CallPolicy::OverdubOnly =>
            {
                self.call_unmapped(result, value, args, mode)
            }
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => {
                self.define(result, InstKind::Call { callee, args })
            }
            InstKind::Const(_) => Ok(()),
        }
    }

    /// An `overdub` call of a closure or function value in a body whose types are not mapped.
    fn call_unmapped(
        &mut self,
        result: Var,
        callee: Operand,
        args: Vec<Operand>,
        mode: Mode,
    ) -> Result<(), ContextError> {
        let instance = self.cx.instance;
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
        mut args: Vec<Operand>,
        site: &CallSite,
        mode: Mode,
    ) -> Result<(), ContextError> {
        self.lift_constants(&mut args)?;
        let instance = self.cx.instance;
        let is_unchanged =
            mode == Mode::Outside && (self.policy == CallPolicy::OverdubOnly || instance.is_unmapped(site));
        let (name, handle) =
            if is_unchanged { (name, None) } else { (instance.name(name, mode), self.handle) };
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
        if *op == ops::CAPTURED && self.cx.instance.needs_handle == NeedsHandle::Yes {
            // The captures follow the handle.
            let number = args[1].constant().and_then(|number| number.value().as_index());
            args[1] = (number.expect("V2: the number of a capture is a constant") + 1).into();
        }
        if self.cx.instance.domain.is_some() {
            return lifting::op(self, result, op, args, site);
        }
        self.define(result, InstKind::Op { op, args })
    }
}

/// The arguments of a call, without the called closure.
fn call_args(kind: InstKind) -> Vec<Operand> {
    match kind {
        InstKind::Op { args, .. } | InstKind::Call { args, .. } | InstKind::Overdub { args, .. } => args,
        InstKind::Const(_) => Vec::new(),
    }
}
