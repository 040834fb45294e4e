//! A context without its hooks.

use std::sync::Arc;

use super::{
    Body, CallSite, Context, Domain, Hooks, HostCall, Key, Method, Named, NeedsHandle, Pass, PassError,
};
use crate::failure::Failure;
use crate::value::Value;
use crate::{Span, Symbol};

/// A context without its hooks: [`Context::disable_hooks`].
#[derive(Clone, Debug)]
pub struct WithoutHooks<C>(pub(super) C);

impl<C: Context> Context for WithoutHooks<C> {
    type Metadata = C::Metadata;
    type Outcome = C::Outcome;

    fn name(&self) -> String {
        self.0.name()
    }

    fn key(&self) -> Key {
        Key::of::<Self>().with(&self.0.key())
    }

    fn runs_as(&self, other: &Self) -> bool {
        self.0.runs_as(&other.0)
    }

    fn names(&self) -> Vec<Named> {
        self.0.names()
    }

    fn metadata(&self) -> C::Metadata {
        self.0.metadata()
    }

    fn needs_handle(&self) -> NeedsHandle {
        self.0.needs_handle()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn filter(&self, func: Symbol, span: Span) -> bool {
        self.0.filter(func, span)
    }

    fn method(&self, call: &CallSite) -> Method {
        self.0.method(call)
    }

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::NONE
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, C::Metadata>) -> Result<Value<'a>, Failure> {
        self.0.call(call)
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        self.0.pass(body)
    }

    fn domain(&self) -> Option<Arc<dyn Domain>> {
        self.0.domain()
    }
}
