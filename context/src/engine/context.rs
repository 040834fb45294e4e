//! The trait by which contexts give calls their meaning.

use std::sync::Arc;

use super::{Body, CallSite, Domain, Hooks, HostCall, Key, Method, Named, WithoutHooks};
use crate::failure::{Failure, FailureKind};
use crate::ir::Func;
use crate::value::Value;
use crate::{Code, Span, Symbol, codes};

/// Gives every call in a function, and in all functions that it calls, its meaning.
///
/// The meaning of a call is queried once, when code is generated for a pair of context and function; see
/// [`Key`]. Hooks and host methods run with the program and may change the context's metadata, which the run
/// returns at its end as [`Context::Outcome`] specifies. The default methods do nothing.
///
/// ```
/// use overdub_context::engine::{CallSite, Context, Engine, Hooks, WithMetadata};
/// use overdub_context::{Failure, text, value::Value};
///
/// /// Counts calls.
/// #[derive(Clone)]
/// struct Count;
///
/// impl Context for Count {
///     type Metadata = usize;
///     type Outcome = WithMetadata;
///
///     fn metadata(&self) -> usize {
///         0
///     }
///
///     fn hooks(&self, _: &CallSite) -> Hooks {
///         Hooks::PRE
///     }
///
///     fn prehook(&self, calls: &mut usize, _: &CallSite, _: &[Value<'_>]) -> Result<(), Failure> {
///         *calls += 1;
///         Ok(())
///     }
/// }
///
/// let module = text::parse("fn @f(%x: f64) -> f64 {\n %y: f64 = mul %x, %x\n %z: f64 = add %y, 1.0\n ret %z\n}")?;
/// let engine = Engine::new(module.module());
/// let (value, calls) = engine.overdub(&Count, "f", vec![Value::F64(3.0)])?;
/// assert_eq!((value.as_f64(), calls), (Some(10.0), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Context: Clone + Send + Sync + 'static {
    /// The state of the context while a program runs.
    type Metadata: Send + 'static;
    /// The shape of a run's result: [`ValueOnly`], [`WithMetadata`], or a custom one.
    type Outcome: Outcome<Self::Metadata>;

    /// The name of the context in the names of the functions specialised for it: `f{Name#0}`.
    fn name(&self) -> String {
        short_name(std::any::type_name::<Self>()).to_owned()
    }

    /// The key that determines the context's decisions. A context without fields is identified by its type;
    /// one with fields has to implement this, or it does not compile. `cargo check` does not see that, since the error comes with
    /// the code of a run:
    ///
    /// ```compile_fail,E0080
    /// use overdub_context::engine::{Context, Engine, ValueOnly};
    ///
    /// #[derive(Clone)]
    /// struct Scale(f64);
    ///
    /// impl Context for Scale {
    ///     type Metadata = ();
    ///     type Outcome = ValueOnly;
    ///
    ///     fn metadata(&self) {}
    /// }
    ///
    /// let engine = Engine::new(overdub_context::text::parse("fn @f() -> f64 {\n ret 1.0\n}").unwrap().module());
    /// let _ = engine.overdub(&Scale(2.0), "f", Vec::new());
    /// ```
    fn key(&self) -> Key {
        const {
            assert!(
                size_of::<Self>() == 0,
                "a context that has fields says what its decisions go by: implement `fn key(&self) -> Key` for it, \
             `Key::of::<Self>().with(&self.field)` for what its `method`, `hooks`, `filter` and `pass` use"
            )
        }
        Key::of::<Self>()
    }

    /// Whether a run of this context is equivalent to a run of `other`, a context with an equal key: the same
    /// hooks, host methods and initial metadata. [`Engine::nested`](super::Engine::nested) gives equivalent
    /// contexts one name, and others a name each.
    fn runs_as(&self, _other: &Self) -> bool {
        size_of::<Self>() == 0
    }

    /// The names that the context's decisions refer to. If nothing in the program has such a name, a run
    /// under the context is an error, which suggests similar names; a name that is known but not called is
    /// accepted.
    fn names(&self) -> Vec<Named> {
        Vec::new()
    }

    /// The initial metadata of a run.
    fn metadata(&self) -> Self::Metadata;

    /// Whether functions specialised for the context pass on the running context, which hooks and host
    /// methods need.
    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::Yes
    }

    /// Whether the context never changes anything, so that every function under it is the function itself.
    fn is_empty(&self) -> bool {
        false
    }

    /// Whether the context applies to the calls in the body of this function. In other functions, calls are
    /// unchanged, and lead back to functions to which it applies.
    fn filter(&self, _func: Symbol, _span: Span) -> bool {
        true
    }

    /// The implementation of a call.
    fn method(&self, _call: &CallSite) -> Method {
        Method::Recurse
    }

    /// The hooks of a call.
    fn hooks(&self, _call: &CallSite) -> Hooks {
        Hooks::NONE
    }

    /// Runs before each call for which [`Context::hooks`] requests it.
    ///
    /// # Errors
    /// A failure ends the run, with the call stack at that call.
    fn prehook(
        &self,
        _metadata: &mut Self::Metadata,
        _call: &CallSite,
        _args: &[Value<'_>],
    ) -> Result<(), Failure> {
        Ok(())
    }

    /// Runs after each call for which [`Context::hooks`] requests it; without arguments where it requests
    /// only the result.
    ///
    /// Arguments that a posthook sees are kept until then, so an operation that would update an array in
    /// place copies it first: a loop that sets n elements one by one takes n² steps under [`Hooks::POST`],
    /// and n under the others.
    ///
    /// # Errors
    /// A failure ends the run, with the call stack at that call.
    fn posthook(
        &self,
        _metadata: &mut Self::Metadata,
        _call: &CallSite,
        _result: &Value<'_>,
        _args: &[Value<'_>],
    ) -> Result<(), Failure> {
        Ok(())
    }

    /// Implements a call whose method is [`Method::Host`].
    ///
    /// # Errors
    /// If the call fails.
    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, Self::Metadata>) -> Result<Value<'a>, Failure> {
        let message = format!("the context has no host method for `{}`", call.site().name());
        Err(Failure::new(FailureKind::Host, message))
    }

    /// Replaces the body of a function.
    ///
    /// # Errors
    /// If the body is not one that the pass can rewrite: the error has the message and place to be shown.
    fn pass(&self, _body: &Body<'_>) -> Result<Pass, PassError> {
        Ok(Pass::Keep)
    }

    /// The domain that values are mapped to, if there is one.
    fn domain(&self) -> Option<Arc<dyn Domain>> {
        None
    }

    /// The context without its hooks.
    fn disable_hooks(&self) -> WithoutHooks<Self> {
        WithoutHooks(self.clone())
    }
}

/// Whether functions specialised for a context pass on the running context as their first parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NeedsHandle {
    /// The context has neither hooks nor host methods, so it needs no handle.
    No,
    /// Hooks or host methods need the running context.
    Yes,
}

/// The result of a pass on a body.
#[derive(Clone, Debug)]
pub enum Pass {
    /// The body is unchanged.
    Keep,
    /// The body is replaced by this one, whose calls are implemented like those of any body.
    Rewrite(Func),
    /// The body is replaced by this one, of which only `overdub` calls are implemented by the context: the
    /// pass has decided everything else, including the types.
    Replace(Func),
}

/// The reason why a pass cannot rewrite a body.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct PassError {
    /// The code, by which documentation refers to it.
    pub code: Code,
    /// The obstacle.
    pub message: String,
    /// The location of the obstacle.
    pub span: Span,
    /// Advice.
    pub help: Option<String>,
}

impl From<crate::ir::BuildError> for PassError {
    fn from(error: crate::ir::BuildError) -> PassError {
        PassError { code: codes::CONTEXT, message: error.to_string(), span: error.span, help: None }
    }
}

impl From<crate::ir::LoadError> for PassError {
    fn from(error: crate::ir::LoadError) -> PassError {
        PassError { code: error.code, message: error.message, span: error.span, help: error.help }
    }
}

/// The end of a run.
#[derive(Debug)]
pub struct Ended<'a, M> {
    /// The value returned by the function under the context.
    pub value: Value<'a>,
    /// The final metadata of the run.
    pub metadata: M,
    /// The engine, to call function values that the run returned.
    pub engine: super::Engine,
}

/// The shape of the result of a run under a context, where the function alone returns an `R`.
///
/// `read` converts the function's own result to an `R`, so that shapes compose when contexts do.
pub trait Outcome<M> {
    /// The type of the result.
    type Of<R>;

    /// Constructs the result at the end of a run.
    ///
    /// # Errors
    /// If the value is not what it should be.
    fn finish<'a, R>(
        ended: Ended<'a, M>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<Self::Of<R>, Failure>;
}

/// The value, without the metadata.
#[derive(Clone, Copy, Debug)]
pub struct ValueOnly;

/// The value and the metadata.
#[derive(Clone, Copy, Debug)]
pub struct WithMetadata;

impl<M> Outcome<M> for ValueOnly {
    type Of<R> = R;

    fn finish<'a, R>(
        ended: Ended<'a, M>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        read(ended.value)
    }
}

impl<M> Outcome<M> for WithMetadata {
    type Of<R> = (R, M);

    fn finish<'a, R>(
        ended: Ended<'a, M>,
        read: impl FnOnce(Value<'a>) -> Result<R, Failure>,
    ) -> Result<(R, M), Failure> {
        Ok((read(ended.value)?, ended.metadata))
    }
}

/// The context that changes nothing.
#[derive(Clone, Copy, Debug)]
pub struct Empty;

impl Context for Empty {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn is_empty(&self) -> bool {
        true
    }
}

/// The short name of a type: `Trace` for `my_crate::Trace<i32>`.
fn short_name(path: &'static str) -> &'static str {
    let head = path.split('<').next().unwrap_or(path);
    head.rsplit("::").next().unwrap_or(head)
}
