//! Layers: one context, or several nested contexts.

use std::sync::Arc;

use super::instance::Instance;
use super::rewrite::holds_function;
use super::runtime::{ContextRun, Handle, entered};
use super::{Context, Ended, Engine, NeedsHandle, Outcome};
use crate::Symbol;
use crate::failure::Failure;
use crate::ir::{Ty, TyKind};
use crate::value::{Array, Composite, Value};

/// The layers under which a function can be run: a context, or nested contexts as pairs,
/// `(outer, (next, inner))`; `()` is none.
pub trait Layers: Clone {
    /// The result of a run, where the function alone returns an `R`.
    type Of<R>;
    /// The metadata; for nested contexts, those of all.
    type Metadata;
    /// The result of the lookup of a function, shared by many runs.
    type Specialized;
    /// The state of a run in progress.
    type Open;

    /// The name of a function under the contexts.
    fn specialize(&self, engine: &Engine, func: Symbol) -> (Symbol, Self::Specialized);

    /// Begins a run; returns the arguments as the function under the contexts takes them.
    fn open<'a>(&self, specialized: &Self::Specialized, args: Vec<Value<'a>>)
    -> (Vec<Value<'a>>, Self::Open);

    /// Ends a run, whether or not it failed; returns the final metadata.
    fn finish(&self, open: Self::Open) -> Self::Metadata;

    /// Ends a run; returns its result.
    ///
    /// # Errors
    /// If the value is not what it should be.
    fn close<'a, R>(
        &self,
        open: Self::Open,
        engine: &Engine,
        value: Value<'a>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<Self::Of<R>, Failure>;

    /// The name of the domain, if one of the contexts has one: arguments are then values of that domain.
    fn domain_name(&self) -> Option<String> {
        None
    }
}

/// The result of a run under `L` of a function that returns an `R`.
pub type Output<L, R> = <L as Layers>::Of<R>;

/// The instance for which a function was looked up; none for an empty context.
#[derive(Clone, Debug)]
pub struct SpecializedFor(Option<Arc<Instance>>);

impl<C: Context> Layers for C {
    type Of<R> = <C::Outcome as Outcome<C::Metadata>>::Of<R>;
    type Metadata = C::Metadata;
    type Specialized = SpecializedFor;
    type Open = OpenRun<C>;

    fn specialize(&self, engine: &Engine, func: Symbol) -> (Symbol, SpecializedFor) {
        if self.is_empty() {
            return (func, SpecializedFor(None));
        }
        let instance = engine.instance(self);
        (instance.inside(func), SpecializedFor(Some(instance)))
    }

    fn open<'a>(
        &self,
        specialized: &SpecializedFor,
        mut args: Vec<Value<'a>>,
    ) -> (Vec<Value<'a>>, OpenRun<C>) {
        let Some(instance) = &specialized.0 else { return (args, OpenRun(None)) };
        let run = (instance.needs_handle == NeedsHandle::Yes).then(|| Arc::new(ContextRun::new(self)));
        let handle = run.clone().map(|run| Handle::new(run, instance.clone()).value());
        for arg in &mut args {
            if holds_function(arg) {
                *arg = entered_deep(arg.take(), instance, handle.as_ref());
            }
        }
        if let Some(handle) = handle {
            args.insert(0, handle);
        }
        (args, OpenRun(run))
    }

    fn finish(&self, open: OpenRun<C>) -> C::Metadata {
        open.0.map_or_else(|| self.metadata(), |run| run.take_metadata())
    }

    fn close<'a, R>(
        &self,
        open: OpenRun<C>,
        engine: &Engine,
        value: Value<'a>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<Self::Of<R>, Failure> {
        let metadata = self.finish(open);
        C::Outcome::finish(Ended { value, metadata, engine: engine.clone() }, read)
    }

    fn domain_name(&self) -> Option<String> {
        self.domain().map(|domain| domain.name())
    }
}

/// A run in progress under a context.
pub struct OpenRun<C: Context>(Option<Arc<ContextRun<C>>>);

impl<C: Context> std::fmt::Debug for OpenRun<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OpenRun")
    }
}

impl<A: Layers, B: Layers> Layers for (A, B) {
    type Of<R> = A::Of<B::Of<R>>;
    type Metadata = (A::Metadata, B::Metadata);
    type Specialized = (A::Specialized, B::Specialized);
    type Open = (A::Open, B::Open);

    fn specialize(&self, engine: &Engine, func: Symbol) -> (Symbol, Self::Specialized) {
        let (func, inner) = self.1.specialize(engine, func);
        let (func, outer) = self.0.specialize(engine, func);
        (func, (outer, inner))
    }

    fn open<'a>(
        &self,
        specialized: &Self::Specialized,
        args: Vec<Value<'a>>,
    ) -> (Vec<Value<'a>>, Self::Open) {
        let (args, inner) = self.1.open(&specialized.1, args);
        let (args, outer) = self.0.open(&specialized.0, args);
        (args, (outer, inner))
    }

    fn finish(&self, (outer, inner): Self::Open) -> Self::Metadata {
        (self.0.finish(outer), self.1.finish(inner))
    }

    fn close<'a, R>(
        &self,
        open: Self::Open,
        engine: &Engine,
        value: Value<'a>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<Self::Of<R>, Failure> {
        let (outer, inner) = open;
        self.0.close(outer, engine, value, |value| self.1.close(inner, engine, value, read))
    }

    fn domain_name(&self) -> Option<String> {
        self.0.domain_name().or_else(|| self.1.domain_name())
    }
}

/// No context: the function itself.
impl Layers for () {
    type Of<R> = R;
    type Metadata = ();
    type Specialized = ();
    type Open = ();

    fn specialize(&self, _: &Engine, func: Symbol) -> (Symbol, ()) {
        (func, ())
    }

    fn open<'a>(&self, (): &(), args: Vec<Value<'a>>) -> (Vec<Value<'a>>, ()) {
        (args, ())
    }

    fn finish(&self, (): ()) {}

    fn close<'a, R>(
        &self,
        (): (),
        _: &Engine,
        value: Value<'a>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        read(value)
    }
}

/// A value in which all functions are entered into the context of the instance.
fn entered_deep<'a>(value: Value<'a>, instance: &Instance, handle: Option<&Value<'a>>) -> Value<'a> {
    let deep = |part: &Value<'a>| entered_deep(part.clone(), instance, handle);
    match &value {
        Value::Closure(_) => entered(value, instance.label, handle),
        Value::Composite(composite) => Value::Composite(Arc::new(Composite {
            ty: composite.ty.map(|ty| instance.map(ty)),
            tag: composite.tag,
            parts: composite.parts.iter().map(deep).collect(),
        })),
        Value::Stack(elems) => Value::Stack(Arc::new(elems.iter().map(deep).collect())),
        Value::Array(array) if array.as_values().is_some() => {
            let elem: Ty = instance.map(array.elem_ty());
            let is_fn = matches!(array.elem_ty().kind(), TyKind::Fn(_));
            let elems = array.iter().map(|elem| entered_deep(elem, instance, handle));
            let flat = Array::from_values(if is_fn { array.elem_ty() } else { elem }, elems);
            let shaped = flat.and_then(|flat| flat.reshape(array.shape()));
            shaped.map_or_else(|| value.clone(), Value::from)
        }
        _ => value,
    }
}
