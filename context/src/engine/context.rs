//! The trait that gives calls their meaning.

use std::sync::Arc;

use super::{Body, CallSite, Domain, Hooks, HostCall, Key, Method, Named, WithoutHooks};
use crate::failure::{Failure, FailureKind};
use crate::ir::Func;
use crate::value::Value;
use crate::{Span, Symbol};

/// Gives every call in a function, and in all functions that it calls, its meaning.
///
/// What a call means is asked once, when code is made for a (context, function); see [`Key`]. Hooks and host
/// methods run with the program and may change the context's metadata, which the run hands out at its end as
/// [`Context::Outcome`] says. The default methods do nothing.
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
    /// What the context keeps while a program runs.
    type Metadata: Send + 'static;
    /// What a run gives: [`ValueOnly`], [`WithMetadata`], or a shape of one's own.
    type Outcome: Outcome<Self::Metadata>;

    /// Its name in the names of the functions made for it: `f{Name#0}`.
    fn name(&self) -> String {
        short_name(std::any::type_name::<Self>()).to_owned()
    }

    /// What its decisions go by. A context without fields decides by its type; one with fields has to say.
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

    /// Whether a run of it is a run of `other`, a context with an equal key: the same hooks, host methods and first
    /// metadata. [`Engine::nested`](super::Engine::nested) gives such contexts one name, and others a name each.
    fn runs_as(&self, _other: &Self) -> bool {
        size_of::<Self>() == 0
    }

    /// The names that its decisions go by. If nothing in the program is called so, a run under the context is an error,
    /// with the names that are spelled much like it; a name that is known but not called is fine.
    fn names(&self) -> Vec<Named> {
        Vec::new()
    }

    /// The metadata that a run begins with.
    fn metadata(&self) -> Self::Metadata;

    /// Whether functions made for it pass on the running context, which hooks and host methods need.
    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::Yes
    }

    /// Whether it never changes anything, so that every function under it is the function itself.
    fn is_empty(&self) -> bool {
        false
    }

    /// Whether the calls in the body of this function are the context's business. In those that are not, calls are
    /// as they were, and lead back to functions that are.
    fn filter(&self, _func: Symbol, _span: Span) -> bool {
        true
    }

    /// What a call means.
    fn method(&self, _call: &CallSite) -> Method {
        Method::Recurse
    }

    /// The hooks that a call gets.
    fn hooks(&self, _call: &CallSite) -> Hooks {
        Hooks::NONE
    }

    /// Runs before a call that [`Context::hooks`] wants it for.
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

    /// Runs after a call that [`Context::hooks`] wants it for; without arguments where it wants only the result.
    ///
    /// Arguments that a hook is to see afterwards are kept until then, so an operation that would change an array in place
    /// copies it first: a loop that sets n elements one by one takes n² steps under [`Hooks::POST`], and n under the others.
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

    /// Makes a call that is [`Method::Host`].
    ///
    /// # Errors
    /// As the call may fail.
    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, Self::Metadata>) -> Result<Value<'a>, Failure> {
        let message = format!("the context has no host method for `{}`", call.site().name());
        Err(Failure::new(FailureKind::Host, message))
    }

    /// Another body for a function.
    ///
    /// # Errors
    /// Where the body is not one that the pass can rewrite: the error has the message and place to be shown.
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

/// Whether functions made for a context pass on the running context as their first parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NeedsHandle {
    /// The context has neither hooks nor host methods, so it needs no handle.
    No,
    /// Hooks or host methods need the running context.
    Yes,
}

/// What a pass makes of a body.
#[derive(Clone, Debug)]
pub enum Pass {
    /// It stays as it is.
    Keep,
    /// This body instead, whose calls get their meaning as those of any body.
    Rewrite(Func),
    /// This body instead, of which only `overdub` calls get their meaning from the context: the pass has decided
    /// about everything else, the types included.
    Replace(Func),
}

/// Why a pass has no body to give.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct PassError {
    /// What stands in the way.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to do about it.
    pub help: Option<String>,
}

impl From<crate::ir::BuildError> for PassError {
    fn from(error: crate::ir::BuildError) -> PassError {
        PassError { message: error.to_string(), span: error.span, help: None }
    }
}

impl From<crate::ir::LoadError> for PassError {
    fn from(error: crate::ir::LoadError) -> PassError {
        PassError { message: error.message, span: error.span, help: error.help }
    }
}

/// A run that has ended.
#[derive(Debug)]
pub struct Ended<'a, M> {
    /// What the function under the context returned.
    pub value: Value<'a>,
    /// The metadata as the run left it.
    pub metadata: M,
    /// The engine, to call function values that the run returned.
    pub engine: super::Engine,
}

/// What a run under a context gives, where the function by itself gives an `R`.
///
/// `read` makes an `R` of the function's own result, so that shapes compose when contexts do.
pub trait Outcome<M> {
    /// What is given.
    type Of<R>;

    /// Makes it of a run that has ended.
    ///
    /// # Errors
    /// Where the value is not what it should be.
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

/// `Trace` of `my_crate::Trace<i32>`
fn short_name(path: &'static str) -> &'static str {
    let head = path.split('<').next().unwrap_or(path);
    head.rsplit("::").next().unwrap_or(head)
}
