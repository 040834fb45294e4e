//! Runs of programs with the values that custom rules give.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::{
    Body, CallSite, Called, Context, Key, Method, NeedsHandle, Pass, PassError, ValueOnly,
};
use overdub_context::ir::{Func, Ty};

use super::apply::{Mode, replaced};
use super::scoped::ActiveRules;
use super::table::{any_value, keyed, rule_for};

/// The context under which a function returns the [value](super::RuleBuilder::value) of its rule, if the rule
/// has one; other functions are unchanged. Functions with a value thus give the same result with and without
/// derivatives.
///
/// ```
/// use overdub::ad::{ByRules, rule};
/// use overdub::prelude::*;
///
/// #[dub]
/// fn measured(_x: f64) -> f64 { unimplemented!("outside of the program") }
/// #[dub]
/// fn f(x: f64) -> f64 { 2.0 * measured(x) }
///
/// rule(measured).value(|(x,): (f64,)| x + 0.5).reverse(|(_,): (f64,), _: f64, dy: f64| (dy,)).register()?;
/// assert!(run(f, (3.0,)).is_err());
/// assert_eq!(overdub(ByRules::new(), f, (3.0,))?, 7.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByRules {
    rules: ActiveRules,
}

impl ByRules {
    /// By registered rules, and by those of the sets in whose scope this is called.
    pub fn new() -> ByRules {
        ByRules { rules: ActiveRules::current() }
    }

    /// The replacement of a function whose rule has a value.
    fn replacement(&self, func: Symbol, params: &[Ty], ret: Ty) -> Option<Arc<Func>> {
        self.rules.during(|| {
            rule_for(func).filter(|rule| rule.value.is_some())?;
            replaced(func, params, ret, Mode::Backward)
        })
    }
}

impl Default for ByRules {
    fn default() -> ByRules {
        ByRules::new()
    }
}

impl Context for ByRules {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        keyed(Key::of::<ByRules>(), &self.rules)
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn is_empty(&self) -> bool {
        !self.rules.during(any_value)
    }

    fn method(&self, call: &CallSite) -> Method {
        match call.callee {
            Called::Func(func) => {
                self.replacement(func, &call.args, call.ret).map_or(Method::Recurse, Method::Ir)
            }
            Called::Closure(_) | Called::Op(_) | Called::Value => Method::Recurse,
        }
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let ruled = self.replacement(body.root(), &body.args(), body.func().ret);
        Ok(ruled.map_or(Pass::Keep, |func| Pass::Replace(Arc::unwrap_or_clone(func))))
    }
}
