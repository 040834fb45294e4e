//! A builder of contexts from closures, for the common cases.
//!
//! ```
//! use overdub_context::engine::{Engine, ctx, ctx_with};
//! use overdub_context::{text, value::Value};
//! # let text = "fn @f(%x: f64) -> f64 {\n %s: f64 = sin %x\n %y: f64 = mul %s, %s\n ret %y\n}";
//! let engine = Engine::new(text::parse(text)?.module());
//!
//! // Replace `sin` by `cos`.
//! let y = engine.overdub(&ctx().replace("sin", "cos"), "f", vec![Value::F64(0.0)])?;
//! assert_eq!(y.as_f64(), Some(1.0));
//!
//! // Log calls.
//! let log = ctx_with::<Vec<String>>().before(|log, call, args| log.push(format!("{} {args:?}", call.name())));
//! let (_, lines) = engine.overdub(&log, "f", vec![Value::F64(0.0)])?;
//! assert_eq!(lines.len(), 2);
//!
//! // Count multiplications by type.
//! let count = ctx_with::<std::collections::BTreeMap<String, usize>>()
//!     .when(|call| call.calls("mul"))
//!     .before(|counts, call, _| *counts.entry(call.args[0].to_string()).or_default() += 1);
//! let (_, counts) = engine.overdub(&count, "f", vec![Value::F64(0.0)])?;
//! assert_eq!(counts["f64"], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::ctx_rules::{Callee, Condition, Hook, HookFn, Rule, RuleAction, holds, number};
use super::{
    CallSite, Called, Context, Hooks, HostCall, Key, Method, Named, NeedsHandle, Outcome, Post, Pre,
    ValueOnly, WithMetadata,
};
use crate::failure::Failure;
use crate::value::Value;
use crate::{Span, Symbol, path};

/// A context that does nothing yet and has no metadata.
pub fn ctx() -> Ctx<(), ValueOnly> {
    Ctx::new(|| ())
}

/// A context that does nothing yet, whose metadata a run returns along with the value. A run begins with the default.
pub fn ctx_with<M: Default + Send + 'static>() -> Ctx<M, WithMetadata> {
    Ctx::new(M::default)
}

/// [`ctx_with`] for metadata that has no default: each run begins with what `first` returns.
///
/// ```
/// use overdub_context::engine::{Engine, ctx_from};
/// use overdub_context::{text, value::Value};
///
/// let engine = Engine::new(text::parse("fn @f(%x: f64) -> f64 {\n %y: f64 = sin %x\n ret %y\n}")?.module());
/// let count_down = ctx_from(|| 10).before(|left, _, _| *left -= 1);
/// let (_, left) = engine.overdub(&count_down, "f", vec![Value::F64(0.0)])?;
/// assert_eq!(left, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ctx_from<M: Send + 'static>(first: impl Fn() -> M + Send + Sync + 'static) -> Ctx<M, WithMetadata> {
    Ctx::new(first)
}

/// A context composed of closures; see [`ctx`].
///
/// A context that is used often should be created once: each call of [`Ctx::when`] creates a context with a
/// key of its own.
pub struct Ctx<M, O> {
    spec: Arc<CtxSpec<M>>,
    when: Option<Condition>,
    shape: PhantomData<fn() -> O>,
}

/// The rules and hooks added to a context.
struct CtxSpec<M> {
    first: Arc<dyn Fn() -> M + Send + Sync>,
    rules: Vec<Rule<M>>,
    hooks: Vec<Hook<M>>,
    within: Vec<Symbol>,
}

/// The return type of a hook: nothing, or a failure that ends the run.
#[diagnostic::on_unimplemented(
    message = "a hook returns nothing or `Result<(), Failure>`, this one returns `{Self}`",
    note = "a hook that always panics returns `!`: end it with a semicolon, `|_, _, _| {{ todo!(); }}`"
)]
pub trait HookResult {
    /// Converts the return value of the hook.
    ///
    /// # Errors
    /// The failure.
    fn result(self) -> Result<(), Failure>;
}

impl HookResult for () {
    fn result(self) -> Result<(), Failure> {
        Ok(())
    }
}

impl HookResult for Result<(), Failure> {
    fn result(self) -> Result<(), Failure> {
        self
    }
}

impl<M: Send + 'static, O: 'static> Ctx<M, O> {
    fn new(first: impl Fn() -> M + Send + Sync + 'static) -> Ctx<M, O> {
        let spec =
            CtxSpec { first: Arc::new(first), rules: Vec::new(), hooks: Vec::new(), within: Vec::new() };
        Ctx { spec: Arc::new(spec), when: None, shape: PhantomData }
    }

    /// Restricts subsequent additions to calls for which this holds.
    #[must_use]
    pub fn when(mut self, holds: impl Fn(&CallSite) -> bool + Send + Sync + 'static) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        self.when = Some(Condition { number, holds: Arc::new(holds) });
        self
    }

    /// Applies subsequent additions to all calls again.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.when = None;
        self
    }

    /// Applies only to calls in the functions of this module, type or trait, or in the function of this name,
    /// including its closures; the name is a path or a part of one.
    #[must_use]
    pub fn within(mut self, path: &str) -> Self {
        Arc::make_mut(&mut self.spec).within.push(Symbol::new(path));
        self
    }

    /// Replaces calls of `name` by calls of `other` under the context; both are functions or operations, and
    /// `other` need not have run before. Where `other` calls `name`, that call is also replaced: see
    /// [`Ctx::wrap`].
    #[must_use]
    pub fn replace(self, name: &str, other: &str) -> Self {
        self.rule(name, RuleAction::Inside(Symbol::new(other)))
    }

    /// [`Ctx::replace`] for the functions with exactly these names.
    #[must_use]
    pub fn replace_func(self, func: Symbol, other: Symbol) -> Self {
        self.rule_for(Callee::Exactly(func), RuleAction::Inside(other))
    }

    /// Replaces calls of `name` by calls of `other` outside the context, so that `other` itself may call `name`.
    #[must_use]
    pub fn wrap(self, name: &str, other: &str) -> Self {
        self.rule(name, RuleAction::Outside(Symbol::new(other)))
    }

    /// [`Ctx::wrap`] for the functions with exactly these names.
    #[must_use]
    pub fn wrap_func(self, func: Symbol, other: Symbol) -> Self {
        self.rule_for(Callee::Exactly(func), RuleAction::Outside(other))
    }

    /// Makes calls of `name` outside the context.
    #[must_use]
    pub fn fallback(self, name: &str) -> Self {
        self.rule(name, RuleAction::Fallback)
    }

    /// Replaces the result of calls of `name` by this value.
    #[must_use]
    pub fn constant(self, name: &str, value: impl Into<Value<'static>>) -> Self {
        self.rule(name, RuleAction::Constant(value.into()))
    }

    /// [`Ctx::constant`] for the function with exactly this name.
    #[must_use]
    pub fn constant_func(self, func: Symbol, value: impl Into<Value<'static>>) -> Self {
        self.rule_for(Callee::Exactly(func), RuleAction::Constant(value.into()))
    }

    /// Implements calls of `name` by a function of the host.
    #[must_use]
    pub fn method<F>(self, name: &str, method: F) -> Self
    where
        F: for<'a> Fn(&mut HostCall<'_, '_, 'a, M>) -> Result<Value<'a>, Failure> + Send + Sync + 'static,
    {
        self.rule(name, RuleAction::Host(Arc::new(method)))
    }

    /// Runs a function of the host before calls.
    #[must_use]
    pub fn before<R: HookResult>(
        self,
        hook: impl Fn(&mut M, &CallSite, &[Value<'_>]) -> R + Send + Sync + 'static,
    ) -> Self {
        self.hook(HookFn::Before(Arc::new(move |metadata, call, args| hook(metadata, call, args).result())))
    }

    /// Runs a function of the host after calls, with the result and the arguments.
    #[must_use]
    pub fn after<R: HookResult>(
        self,
        hook: impl Fn(&mut M, &CallSite, &Value<'_>, &[Value<'_>]) -> R + Send + Sync + 'static,
    ) -> Self {
        self.hook(HookFn::After(Arc::new(move |metadata, call, result, args| {
            hook(metadata, call, result, args).result()
        })))
    }

    fn rule(self, name: &str, action: RuleAction<M>) -> Self {
        self.rule_for(Callee::Named(Symbol::new(name)), action)
    }

    fn rule_for(mut self, callee: Callee, action: RuleAction<M>) -> Self {
        let rule = Rule { callee, when: self.when.clone(), action };
        Arc::make_mut(&mut self.spec).rules.push(rule);
        self
    }

    fn hook(mut self, run: HookFn<M>) -> Self {
        let hook = Hook { when: self.when.clone(), run };
        Arc::make_mut(&mut self.spec).hooks.push(hook);
        self
    }

    /// The rule for a call: the one added last, if there are several.
    fn rule_of(&self, call: &CallSite) -> Option<&Rule<M>> {
        self.spec.rules.iter().rev().find(|rule| rule.callee.is_of(call) && holds(&rule.when, call))
    }
}

impl<M: Send + 'static, O: Outcome<M> + 'static> Context for Ctx<M, O> {
    type Metadata = M;
    type Outcome = O;

    fn metadata(&self) -> M {
        (self.spec.first)()
    }

    fn key(&self) -> Key {
        let mut key = Key::of::<Self>().with(&self.spec.within);
        for rule in self.spec.rules.iter() {
            key = key.with(&(rule.callee, number(&rule.when)));
            key = match &rule.action {
                RuleAction::Inside(other) => key.with(&(0, *other)),
                RuleAction::Outside(other) => key.with(&(4, *other)),
                RuleAction::Fallback => key.with(&1),
                RuleAction::Constant(value) => key.with(&(2, format!("{value:?}"))),
                RuleAction::Host(_) => key.with(&3),
            };
        }
        self.spec.hooks.iter().fold(key.with("hooks"), |key, hook| {
            key.with(&(matches!(hook.run, HookFn::Before(_)), number(&hook.when)))
        })
    }

    fn runs_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.spec, &other.spec)
    }

    fn names(&self) -> Vec<Named> {
        let rules = self.spec.rules.iter().flat_map(|rule| {
            let instead = match rule.action {
                RuleAction::Inside(other) | RuleAction::Outside(other) => Some(other),
                RuleAction::Fallback | RuleAction::Constant(_) | RuleAction::Host(_) => None,
            };
            [rule.callee.name()].into_iter().chain(instead).map(Named::Called)
        });
        rules.chain(self.spec.within.iter().copied().map(Named::Within)).collect()
    }

    fn needs_handle(&self) -> NeedsHandle {
        let hosted = self.spec.rules.iter().any(|rule| matches!(rule.action, RuleAction::Host(_)));
        if hosted || !self.spec.hooks.is_empty() { NeedsHandle::Yes } else { NeedsHandle::No }
    }

    fn is_empty(&self) -> bool {
        self.spec.rules.is_empty() && self.spec.hooks.is_empty()
    }

    fn filter(&self, func: Symbol, _: Span) -> bool {
        let scopes = &self.spec.within;
        scopes.is_empty() || scopes.iter().any(|scope| path::is_within(&func, scope))
    }

    fn method(&self, call: &CallSite) -> Method {
        match self.rule_of(call).map(|rule| &rule.action) {
            None => Method::Recurse,
            Some(RuleAction::Inside(other)) => Method::Inside(*other),
            Some(RuleAction::Outside(other)) => Method::Outside(*other),
            Some(RuleAction::Fallback) => Method::Fallback,
            Some(RuleAction::Constant(value)) => Method::Constant(value.clone()),
            Some(RuleAction::Host(_)) => Method::Host,
        }
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        let requests = |before: bool| {
            let mut hooks = self.spec.hooks.iter();
            // The callee of a function value is known only at run time, when the condition is tested.
            let holds = |hook: &Hook<M>| call.callee == Called::Value || holds(&hook.when, call);
            hooks.any(|hook| matches!(hook.run, HookFn::Before(_)) == before && holds(hook))
        };
        Hooks {
            pre: if requests(true) { Pre::Yes } else { Pre::No },
            post: if requests(false) { Post::WithArgs } else { Post::No },
        }
    }

    fn prehook(&self, metadata: &mut M, call: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        for hook in self.spec.hooks.iter() {
            if let HookFn::Before(run) = &hook.run
                && holds(&hook.when, call)
            {
                run(metadata, call, args)?;
            }
        }
        Ok(())
    }

    fn posthook(
        &self,
        metadata: &mut M,
        call: &CallSite,
        result: &Value<'_>,
        args: &[Value<'_>],
    ) -> Result<(), Failure> {
        for hook in self.spec.hooks.iter() {
            if let HookFn::After(run) = &hook.run
                && holds(&hook.when, call)
            {
                run(metadata, call, result, args)?;
            }
        }
        Ok(())
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, M>) -> Result<Value<'a>, Failure> {
        match self.rule_of(call.site()).map(|rule| &rule.action) {
            Some(RuleAction::Host(method)) => method(call),
            _ => {
                let args = call.take_args();
                call.recurse(args)
            }
        }
    }
}

impl<M, O> Clone for Ctx<M, O> {
    fn clone(&self) -> Self {
        Ctx { spec: self.spec.clone(), when: self.when.clone(), shape: self.shape }
    }
}

impl<M> Clone for CtxSpec<M> {
    fn clone(&self) -> Self {
        let CtxSpec { first, rules, hooks, within } = self;
        let (rules, hooks, within) = (rules.clone(), hooks.clone(), within.clone());
        CtxSpec { first: first.clone(), rules, hooks, within }
    }
}

impl<M, O> fmt::Debug for Ctx<M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules: Vec<Symbol> = self.spec.rules.iter().map(|rule| rule.callee.name()).collect();
        f.debug_struct("Ctx").field("rules", &rules).field("hooks", &self.spec.hooks.len()).finish()
    }
}
