//! The run-time side of contexts: the metadata of a run, and the operations by which a program reaches its contexts.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::func_key::{FuncKey, Mode, Role, before_contexts};
use super::host::{self, PendingCall};
use super::instance::{DispatchedCall, HANDLE, Instance};
use super::{CallSite, Called, Context, HostCall};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::ir::{Ty, TyKind};
use crate::ops::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use crate::value::{Closure, Code, HostFn, Opaque, Parts, Value};

/// The operations by which a program accesses the contexts that it runs under.
pub static OPS: &[&OpDef] = &[&PRE, &POST, &CALL, &ENTER, &BEGIN, &WITHIN];

/// Runs the prehook of the context for a call.
pub static PRE: OpDef = OpDef {
    name: "cx.pre",
    arity: Arity::AtLeast(2),
    ty: hook_ty,
    effects: Effects::CALLS,
    eval: pre,
    doc: "Runs the prehook of the context for a call.",
};

/// Runs the posthook of the context for a call.
pub static POST: OpDef = OpDef {
    name: "cx.post",
    arity: Arity::AtLeast(3),
    ty: hook_ty,
    effects: Effects::CALLS,
    eval: post,
    doc: "Runs the posthook of the context for a call.",
};

/// Makes a call by the context's host method.
pub static CALL: OpDef = OpDef {
    name: "cx.call",
    arity: Arity::AtLeast(2),
    ty: |tys| match tys.declared {
        Some(ty) if is_placed(tys) => Ok(ty),
        _ => Err(takes()),
    },
    effects: Effects::CALLS,
    eval: host::call,
    doc: "Calls the context's host method for a call.",
};

/// A function value as seen by the context of this label, with the context's handle if it has one.
pub static ENTER: OpDef = OpDef {
    name: "cx.enter",
    arity: Arity::AtLeast(2),
    ty: |tys| match tys.args {
        [label, func, rest @ ..]
            if *label == Ty::str() && matches!(func.kind(), TyKind::Fn(_)) && rest.len() <= 1 =>
        {
            Ok(*func)
        }
        _ => Err(TypeFault::takes("the label of a context, a function value, and the context's handle")),
    },
    effects: Effects::PURE,
    eval: enter,
    doc: "A function value as seen by the context with this label.",
};

/// The handle of the context of this label, with new metadata.
pub static BEGIN: OpDef = OpDef {
    name: "cx.begin",
    arity: Arity::Exactly(1),
    ty: |tys| match tys.args {
        [label] if *label == Ty::str() => Ok(Instance::handle_ty()),
        _ => Err(TypeFault::takes("the label of a context")),
    },
    effects: Effects::ALLOCATES,
    eval: begin,
    doc: "The handle of the context with this label, with separate metadata.",
};

/// The handle of a context for a call inside the context of this label, with the handle of the latter if it
/// has one.
pub static WITHIN: OpDef = OpDef {
    name: "cx.within",
    arity: Arity::AtLeast(2),
    ty: |tys| match tys.args {
        [handle, label, outer @ ..]
            if *label == Ty::str()
                && outer.len() <= 1
                && outer.iter().chain([handle]).all(|ty| *ty == Instance::handle_ty()) =>
        {
            Ok(Instance::handle_ty())
        }
        _ => Err(TypeFault::takes("the handle of a context, the label of another, and that one's handle")),
    },
    effects: Effects::PURE,
    eval: within,
    doc: "The handle of a context for a call inside the context with this label.",
};

fn is_placed(tys: &OperandTys<'_>) -> bool {
    matches!(tys.args, [handle, number, ..] if *handle == Instance::handle_ty() && *number == Ty::i64())
}

fn takes() -> TypeFault {
    TypeFault::takes("the handle of a context, the number of a call, and the operands of the call")
}

fn hook_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    if is_placed(tys) { Ok(Ty::unit()) } else { Err(takes()) }
}

/// A run under a context, with the type of the context erased.
pub(super) trait ErasedRun: Send + Sync {
    fn pre(&self, site: &CallSite, args: &[Value<'_>]) -> Result<(), Failure>;
    fn post(&self, site: &CallSite, result: &Value<'_>, args: &[Value<'_>]) -> Result<(), Failure>;
    fn call<'a>(&self, call: PendingCall<'_, '_, 'a>) -> Result<Value<'a>, Failure>;
}

/// A run under a context.
pub(super) struct ContextRun<C: Context> {
    cx: C,
    metadata: Mutex<C::Metadata>,
}

impl<C: Context> ContextRun<C> {
    pub(super) fn new(cx: &C) -> ContextRun<C> {
        ContextRun { cx: cx.clone(), metadata: Mutex::new(cx.metadata()) }
    }

    /// Takes the final metadata of the run.
    pub(super) fn take_metadata(&self) -> C::Metadata {
        std::mem::replace(&mut *self.lock(), self.cx.metadata())
    }

    fn lock(&self) -> MutexGuard<'_, C::Metadata> {
        self.metadata.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Context> ErasedRun for ContextRun<C> {
    fn pre(&self, site: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        self.cx.prehook(&mut self.lock(), site, args)
    }

    fn post(&self, site: &CallSite, result: &Value<'_>, args: &[Value<'_>]) -> Result<(), Failure> {
        self.cx.posthook(&mut self.lock(), site, result, args)
    }

    fn call<'a>(&self, placed: PendingCall<'_, '_, 'a>) -> Result<Value<'a>, Failure> {
        self.cx.call(&mut HostCall::new(placed, &self.metadata))
    }
}

/// The value that functions specialised for a context pass on to their callees: the run, and the enclosing
/// contexts.
#[derive(Clone)]
pub(super) struct Handle {
    run: Arc<dyn ErasedRun>,
    pub(super) instance: Arc<Instance>,
    /// The outer contexts, innermost first, of a call by a host method of this context: their labels, and
    /// their handles if they need one.
    pub(super) outer: Vec<(Symbol, Option<Handle>)>,
}

impl Handle {
    pub(super) fn new(run: Arc<dyn ErasedRun>, instance: Arc<Instance>) -> Handle {
        Handle { run, instance, outer: Vec::new() }
    }

    pub(super) fn value<'a>(self) -> Value<'a> {
        Value::Opaque(Box::new(Opaque { name: *HANDLE, value: Box::new(self) }))
    }

    /// The handle without outer contexts, for functions of this context, whose names contain the outer contexts.
    pub(super) fn without_outer(&self) -> Handle {
        Handle::new(self.run.clone(), self.instance.clone())
    }

    /// The name of a function as seen by the outer contexts when it is called.
    pub(super) fn seen_from_outside(&self, code: Symbol) -> Symbol {
        let outer = self.outer.iter();
        outer.fold(code, |code, (label, _)| FuncKey::rewritten(code, *label, Mode::Value).name())
    }

    /// The running context.
    pub(super) fn run(&self) -> Arc<dyn ErasedRun> {
        self.run.clone()
    }

    /// The name of a function of this context, specialised for the outer contexts.
    pub(super) fn reached_from_outside(&self, code: Symbol) -> Symbol {
        let outer = self.outer.iter();
        outer.fold(code, |code, (label, _)| FuncKey::rewritten(code, *label, Mode::Inside).name())
    }

    pub(super) fn of<'v>(value: Option<&'v Value<'_>>) -> Option<&'v Handle> {
        match value? {
            Value::Opaque(opaque) => opaque.get(),
            _ => None,
        }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "context {}", self.instance.label)
    }
}

/// The operands of a hook: the call, the callee as known at run time, and the arguments.
struct Operands<'v, 'a> {
    handle: &'v Handle,
    dispatched: Arc<DispatchedCall>,
    /// The call site, if the callee is known more precisely at run time.
    site: Option<CallSite>,
    rest: &'v [Value<'a>],
}

impl<'v, 'a> Operands<'v, 'a> {
    fn of(args: &'v [Value<'a>]) -> Option<Operands<'v, 'a>> {
        let handle = Handle::of(args.first())?;
        let dispatched = handle.instance.dispatched_call(args.get(1)?.as_index()?)?;
        let callees = usize::from(dispatched.has_callee_value());
        let rest = args.get(2 + callees..)?;
        let site = match (dispatched.site.callee, args.get(2)) {
            (Called::Value, Some(Value::Closure(closure))) => {
                let (code, name) = match &closure.code {
                    Code::Func(code) => {
                        let code = root(*code, handle.instance.label);
                        (code, before_contexts(code))
                    }
                    Code::Host(host) => (host.name(), host.name()),
                };
                Some(CallSite { callee: Called::Func(code), name, ..dispatched.site.clone() })
            }
            _ => None,
        };
        Some(Operands { handle, dispatched, site, rest })
    }

    fn site(&self) -> &CallSite {
        self.site.as_ref().unwrap_or(&self.dispatched.site)
    }
}

impl DispatchedCall {
    /// Whether the first operand is the closure or function value that is called.
    pub(super) fn has_callee_value(&self) -> bool {
        matches!(self.site.callee, Called::Closure(_) | Called::Value)
    }
}

/// The source of a function that was rewritten for the context of this label; any other function itself.
fn root(code: Symbol, label: Symbol) -> Symbol {
    match FuncKey::of(code) {
        Some(FuncKey { source, context, role: Role::Rewritten(_) }) if context == label => source,
        _ => code,
    }
}

#[cold]
pub(super) fn misplaced() -> Failure {
    Failure::new(FailureKind::Type, "a hook or host method was reached without its context")
}

fn pre<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let operands = Operands::of(args).ok_or_else(misplaced)?;
    operands.handle.run.pre(operands.site(), operands.rest)?;
    Ok(Value::Unit)
}

fn post<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let operands = Operands::of(args).ok_or_else(misplaced)?;
    let [result, rest @ ..] = operands.rest else { return Err(misplaced()) };
    operands.handle.run.post(operands.site(), result, rest)?;
    Ok(Value::Unit)
}

fn begin<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let label = args.first().and_then(Value::as_str).map(Symbol::new).ok_or_else(misplaced)?;
    let host = cx.machine.host(label).ok_or_else(misplaced)?;
    host.call(cx, &mut [])
}

/// Begins a run of an instance inside a running program.
#[derive(Clone)]
pub(super) struct BeginRun {
    pub(super) instance: Arc<Instance>,
    /// The number of the context among those with this key.
    pub(super) number: usize,
}

impl HostFn for BeginRun {
    fn name(&self) -> Symbol {
        self.instance.label
    }

    fn params(&self) -> Vec<Ty> {
        Vec::new()
    }

    fn ret(&self) -> Ty {
        Instance::handle_ty()
    }

    fn call<'a>(&self, _: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
        let run = self.instance.cx.begin(self.number).ok_or_else(misplaced)?;
        Ok(Handle::new(run, self.instance.clone()).value())
    }
}

fn within<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let mut handle = Handle::of(args.first()).ok_or_else(misplaced)?.clone();
    let label = args.get(1).and_then(Value::as_str).map(Symbol::new).ok_or_else(misplaced)?;
    handle.outer.push((label, Handle::of(args.get(2)).cloned()));
    Ok(handle.value())
}

fn enter<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let (label, handle) = match &*args {
        [Value::Str(label), _] => (Symbol::new(label), None),
        [Value::Str(label), _, handle @ Value::Opaque(_)] => (Symbol::new(label), Some(handle.clone())),
        _ => return Err(misplaced()),
    };
    Ok(entered(args[1].take(), label, handle.as_ref()))
}

/// A function value as seen by the instance of this label. A value that was already entered gets the new
/// handle.
pub(super) fn entered<'a>(func: Value<'a>, label: Symbol, handle: Option<&Value<'a>>) -> Value<'a> {
    let Value::Closure(closure) = &func else { return func };
    let Code::Func(code) = closure.code else { return func };
    let captures = closure.captures.iter().cloned();
    let (code, captures): (Symbol, Parts<'a>) = if root(code, label) == code {
        let code = FuncKey::rewritten(code, label, Mode::Value).name();
        (code, handle.cloned().into_iter().chain(captures).collect())
    } else {
        let skipped = usize::from(handle.is_some());
        (code, handle.cloned().into_iter().chain(captures.skip(skipped)).collect())
    };
    Value::Closure(Arc::new(Closure { code: Code::Func(code), captures }))
}
