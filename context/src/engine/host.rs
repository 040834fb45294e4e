//! Calls implemented by a host method of a context: what the method sees and how it continues.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::func_key::Mode;
use super::instance::DispatchedCall;
use super::operation;
use super::runtime::{CALL, Handle, misplaced};
use super::{CallSite, Called};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::ir::{Ty, TyKind};
use crate::ops::{self, OpCx, OpDef};
use crate::value::{Closure, Code, Value};

/// A call passed to a host method.
pub(super) struct PendingCall<'c, 'm, 'a> {
    pub(super) handle: Handle,
    /// The number of the call in its instance.
    pub(super) number: usize,
    pub(super) dispatched: &'c DispatchedCall,
    /// The closure or function value that is called.
    pub(super) callee: Option<Value<'a>>,
    pub(super) args: Vec<Value<'a>>,
    pub(super) cx: &'c mut OpCx<'m, 'a>,
}

/// A call passed to a host method: the arguments, the metadata, and the methods that continue the call.
pub struct HostCall<'c, 'm, 'a, M> {
    pending: PendingCall<'c, 'm, 'a>,
    metadata: &'c Mutex<M>,
}

impl<'c, 'm, 'a, M> HostCall<'c, 'm, 'a, M> {
    pub(super) fn new(pending: PendingCall<'c, 'm, 'a>, metadata: &'c Mutex<M>) -> Self {
        HostCall { pending, metadata }
    }

    /// The call.
    pub fn site(&self) -> &CallSite {
        &self.pending.dispatched.site
    }

    /// The arguments.
    pub fn args(&self) -> &[Value<'a>] {
        &self.pending.args
    }

    /// Takes the arguments, so that the callee owns them alone and can change them in place.
    pub fn take_args(&mut self) -> Vec<Value<'a>> {
        std::mem::take(&mut self.pending.args)
    }

    /// The closure or function value that is called, if the callee is one.
    pub fn callee(&self) -> Option<&Value<'a>> {
        self.pending.callee.as_ref()
    }

    /// The metadata. The guard has to be dropped before the call continues.
    pub fn metadata(&self) -> MutexGuard<'_, M> {
        self.metadata.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the call under the context, into the body of the callee, without the host method for this one call.
    ///
    /// # Errors
    /// The failure of the call.
    pub fn recurse(&mut self, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        let handle = self.pending.handle.without_outer();
        let inside = self.pending.dispatched.inside;
        self.pending.invoke(args, Some(handle), inside, Mode::Recurse)
    }

    /// Makes the call outside the context.
    ///
    /// # Errors
    /// The failure of the call.
    pub fn fallback(&mut self, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        let dispatched = self.pending.dispatched;
        let is_unmapped = matches!(dispatched.site.callee, Called::Func(name) if name == dispatched.outside);
        let handle = (!is_unmapped).then(|| self.pending.handle.without_outer());
        self.pending.invoke(args, handle, dispatched.outside, Mode::Outside)
    }

    /// Makes the call under the same context with other metadata; returns the result, and that metadata after
    /// the call.
    ///
    /// # Errors
    /// The failure of the call.
    pub fn similar_context(&mut self, metadata: M, args: Vec<Value<'a>>) -> Result<(Value<'a>, M), Failure> {
        let outer = std::mem::replace(&mut *self.metadata(), metadata);
        let result = self.recurse(args);
        let inner = std::mem::replace(&mut *self.metadata(), outer);
        Ok((result?, inner))
    }

    /// The required type of the result: under a domain, the mapped type.
    pub fn ret(&self) -> Ty {
        self.pending.cx.ret
    }

    /// Evaluates an operation on values as they are, outside of every context; its result is declared to be a
    /// `ret`. A host method that has unwrapped the values of a domain computes with this.
    ///
    /// # Errors
    /// The failure of the operation, also if it does not take operands of these types.
    pub fn evaluate(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        mut args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        if !op.takes(args.len()) {
            let message = format!("`{}` does not take {} operands", op.name, args.len());
            return Err(Failure::new(FailureKind::Type, message));
        }
        let mut cx = OpCx { ret, machine: &mut *self.pending.cx.machine };
        (op.eval)(&mut cx, &mut args)
    }

    /// Calls a closure or function value of the program.
    ///
    /// # Errors
    /// The failure of the call.
    pub fn call_value(&mut self, callee: &Value<'a>, args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        self.pending.cx.machine.call(callee, args)
    }

    /// Writes to the program's output.
    pub fn print(&mut self, text: &str) {
        self.pending.cx.machine.print(text);
    }
}

impl<M> fmt::Debug for HostCall<'_, '_, '_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostCall").field("site", self.site()).field("args", &self.args()).finish()
    }
}

impl<'a> PendingCall<'_, '_, 'a> {
    /// Makes the call with these arguments: `code` is the name of the function or closure to call, `mode` the
    /// mode in which an operation is evaluated.
    fn invoke(
        &mut self,
        args: Vec<Value<'a>>,
        handle: Option<Handle>,
        code: Symbol,
        mode: Mode,
    ) -> Result<Value<'a>, Failure> {
        self.check_count(args.len())?;
        match (self.dispatched.site.callee, &self.callee) {
            (Called::Op(op), _) => self.evaluate_op(op, args, mode),
            (Called::Func(_), _) => {
                let callee = self.handle.seen_from_outside(code);
                self.call_with_handles(callee, handle, args)
            }
            (Called::Closure(_), Some(Value::Closure(closure))) => {
                let code = Code::Func(self.handle.seen_from_outside(code));
                let callee = Closure { code, captures: closure.captures.clone() };
                self.cx.machine.call(&Value::Closure(Arc::new(callee)), args)
            }
            (Called::Value, Some(callee)) => self.cx.machine.call(callee, args),
            (Called::Closure(_) | Called::Value, _) => Err(misplaced()),
        }
    }

    /// Checks that the callee takes this number of arguments, not counting the handles of contexts.
    fn check_count(&self, got: usize) -> Result<(), Failure> {
        let site = &self.dispatched.site;
        let (name, takes) = (site.name(), site.args.len());
        if got == takes {
            return Ok(());
        }
        let message = format!("the call of `{name}` goes on with {takes} arguments, got {got}");
        let help = "hand over what `take_args` gave, or as many others";
        Err(Failure::new(FailureKind::Type, message).with_help(Some(help.to_owned())))
    }

    fn handles(&self, inner: Option<Handle>) -> impl Iterator<Item = Value<'a>> + use<'_, 'a> {
        let outer = self.handle.outer.iter().rev().filter_map(|(_, handle)| handle.clone());
        outer.chain(inner).map(Handle::value)
    }

    fn call_with_handles(
        &mut self,
        code: Symbol,
        inner: Option<Handle>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        let captures = self.handles(inner).collect();
        let callee = Closure { code: Code::Func(code), captures };
        self.cx.machine.call(&Value::Closure(Arc::new(callee)), args)
    }

    /// Evaluates an operation as this context and the outer contexts see it.
    fn evaluate_op(
        &mut self,
        op: &'static OpDef,
        mut args: Vec<Value<'a>>,
        mode: Mode,
    ) -> Result<Value<'a>, Failure> {
        let instance = &self.handle.instance;
        if self.handle.outer.is_empty() && instance.domain.is_none() && *op != CALL {
            self.forward_handle(op, &mut args)?;
            let mut cx = OpCx { ret: self.cx.ret, machine: &mut *self.cx.machine };
            return (op.eval)(&mut cx, &mut args);
        }
        // The outer contexts rewrite functions, so the operation is wrapped in a function.
        let site = &self.dispatched.site;
        let changed = operation::changed(site, &args);
        let args = operation::wrapper_args(site, changed, args);
        let code = operation::name(site, self.number, changed, instance.label);
        let code = self.handle.reached_from_outside(instance.name(code, mode));
        self.call_with_handles(code, Some(self.handle.without_outer()), args)
    }

    /// The first capture of a closure is the handle, which the arguments of a host method do not include
    /// (REWRITE1).
    fn forward_handle(&self, op: &OpDef, args: &mut Vec<Value<'a>>) -> Result<(), Failure> {
        if *op == ops::CLOSURE {
            args.insert(0, self.handle.without_outer().value());
        }
        if *op == ops::CAPTURED {
            let number = args.get(1).and_then(Value::as_index).and_then(|number| i64::try_from(number).ok());
            args[1] = Value::from(number.ok_or_else(misplaced)? + 1);
        }
        Ok(())
    }
}

/// Whether the result of a host method may be used as a `ty`. In a tuple, a part that was moved out is a
/// unit.
fn fits(value: &Value<'_>, ty: Ty) -> bool {
    match (value, ty.kind()) {
        (Value::Composite(composite), TyKind::Tuple(parts)) if composite.ty.is_none() => {
            let is_hole = |part: &Value<'_>, ty: Ty| matches!(part, Value::Unit) && !is_scalar(ty);
            composite.parts.len() == parts.len()
                && composite.parts.iter().zip(parts).all(|(part, ty)| is_hole(part, *ty) || fits(part, *ty))
        }
        _ => value.is_a(ty),
    }
}

fn is_scalar(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_))
}

/// Runs the host method of a context for a call and checks its result; shared by all executors.
pub(super) fn call<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let handle = Handle::of(args.first()).ok_or_else(misplaced)?.clone();
    let number = args.get(1).and_then(Value::as_index).ok_or_else(misplaced)?;
    let dispatched = handle.instance.dispatched_call(number).ok_or_else(misplaced)?;
    let mut rest: Vec<Value<'a>> = args.iter_mut().skip(2).map(Value::take).collect();
    let callee = (dispatched.has_callee_value() && !rest.is_empty()).then(|| rest.remove(0));
    let (run, ret) = (handle.run(), cx.ret);
    let value = run.call(PendingCall { handle, number, dispatched: &dispatched, callee, args: rest, cx })?;
    if fits(&value, ret) {
        return Ok(value);
    }
    let (name, found) = (dispatched.site.name(), value.ty());
    let message = format!("the host method for `{name}` gives a value of type {found:?}, not {ret:?}");
    Err(Failure::new(FailureKind::Type, message))
}
