//! The rules and hooks of contexts that are built from closures.

use std::sync::Arc;

use super::{CallSite, HostCall};
use crate::Symbol;
use crate::failure::Failure;
use crate::value::Value;

/// The calls that a rule is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Callee {
    /// Those of every function or operation that the name refers to, by the rules of [`crate::path`].
    Named(Symbol),
    /// Those of the function whose whole name it is.
    Exactly(Symbol),
}

impl Callee {
    pub(super) fn name(self) -> Symbol {
        match self {
            Callee::Named(name) | Callee::Exactly(name) => name,
        }
    }

    pub(super) fn is_of(self, call: &CallSite) -> bool {
        match self {
            Callee::Named(name) => call.calls(&name),
            Callee::Exactly(name) => call.name == name,
        }
    }
}

pub(super) type HostMethod<M> =
    dyn for<'a> Fn(&mut HostCall<'_, '_, 'a, M>) -> Result<Value<'a>, Failure> + Send + Sync;
pub(super) type Before<M> = dyn Fn(&mut M, &CallSite, &[Value<'_>]) -> Result<(), Failure> + Send + Sync;
pub(super) type After<M> =
    dyn Fn(&mut M, &CallSite, &Value<'_>, &[Value<'_>]) -> Result<(), Failure> + Send + Sync;

/// A condition on calls, with a number that distinguishes it from others.
#[derive(Clone)]
pub(super) struct Condition {
    pub(super) number: u64,
    pub(super) holds: Arc<dyn Fn(&CallSite) -> bool + Send + Sync>,
}

pub(super) struct Rule<M> {
    pub(super) callee: Callee,
    pub(super) when: Option<Condition>,
    pub(super) action: RuleAction<M>,
}

pub(super) enum RuleAction<M> {
    Inside(Symbol),
    Outside(Symbol),
    Fallback,
    Constant(Value<'static>),
    Host(Arc<HostMethod<M>>),
}

pub(super) struct Hook<M> {
    pub(super) when: Option<Condition>,
    pub(super) run: HookFn<M>,
}

pub(super) enum HookFn<M> {
    Before(Arc<Before<M>>),
    After(Arc<After<M>>),
}

pub(super) fn holds(when: &Option<Condition>, call: &CallSite) -> bool {
    when.as_ref().is_none_or(|condition| (condition.holds)(call))
}

pub(super) fn number(when: &Option<Condition>) -> Option<u64> {
    when.as_ref().map(|condition| condition.number)
}

impl<M> Clone for Rule<M> {
    fn clone(&self) -> Self {
        Rule { callee: self.callee, when: self.when.clone(), action: self.action.clone() }
    }
}

impl<M> Clone for RuleAction<M> {
    fn clone(&self) -> Self {
        match self {
            RuleAction::Inside(other) => RuleAction::Inside(*other),
            RuleAction::Outside(other) => RuleAction::Outside(*other),
            RuleAction::Fallback => RuleAction::Fallback,
            RuleAction::Constant(value) => RuleAction::Constant(value.clone()),
            RuleAction::Host(method) => RuleAction::Host(method.clone()),
        }
    }
}

impl<M> Clone for Hook<M> {
    fn clone(&self) -> Self {
        Hook { when: self.when.clone(), run: self.run.clone() }
    }
}

impl<M> Clone for HookFn<M> {
    fn clone(&self) -> Self {
        match self {
            HookFn::Before(run) => HookFn::Before(run.clone()),
            HookFn::After(run) => HookFn::After(run.clone()),
        }
    }
}
