//! Calls whose derivative is not that of their body, as the source transformations see them.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{Ty, TyKind};

use super::table::{Partials, Site, WithPullback, library_rule, number_of, rule_for, site};
use crate::annotations::{CHECKPOINT, CHECKPOINT_SAVING, REPLACE_GRADIENT, STOP_GRADIENT, is_annotation};
use crate::nd::{ArrayRule, array_rule};
use crate::rules::Library;

/// The derivative of such a call.
#[derive(Clone)]
pub(crate) enum CustomRule {
    /// None: the result is a constant.
    Stopped,
    /// The cotangent goes through a closure, the second argument.
    Replaced,
    /// The derivative of a closure's code, which the reverse sweep runs again; the closure is the first
    /// argument. What is to be kept is the third one, if there is one.
    Checkpointed,
    /// Partial derivatives computed by a function.
    Partials(Partials),
    /// Partial derivatives given by a formula; the value is compared with a formula too.
    Formula(Library),
    /// The result and a pullback, returned by a function.
    Pullback(WithPullback, i64, &'static Site),
    /// The functions of the rule of an array operation, which is called by its name.
    Array(Arc<ArrayRule>),
    /// Host closures, at the site of this number.
    Host(i64, &'static Site),
}

/// A called function with its types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TypedCall {
    pub(crate) func: Symbol,
    pub(crate) params: Vec<Ty>,
    pub(crate) ret: Ty,
}

impl TypedCall {
    /// The derivative of the call, if it is not that of the function's body.
    pub(crate) fn custom_rule(&self) -> Option<CustomRule> {
        let TypedCall { func, params, ret } = self;
        if is_annotation(*func, STOP_GRADIENT) {
            return Some(CustomRule::Stopped);
        }
        if is_annotation(*func, REPLACE_GRADIENT) {
            return Some(CustomRule::Replaced);
        }
        if is_annotation(*func, CHECKPOINT) || is_annotation(*func, CHECKPOINT_SAVING) {
            let is_known = matches!(params.first()?.kind(), TyKind::Closure(_));
            return is_known.then_some(CustomRule::Checkpointed);
        }
        if let Some(rule) = array_rule(*func, params) {
            return Some(CustomRule::Array(rule));
        }
        let rule = rule_for(*func).or_else(|| library_rule(*func, params, *ret))?;
        if let Some(library) = rule.library {
            return Some(CustomRule::Formula(library));
        }
        let number = number_of(*func, params, *ret, &rule);
        let site = usize::try_from(number).ok().and_then(site)?;
        match &rule.partials {
            Some(partials) if partials.are_for(site) => return Some(CustomRule::Partials(partials.clone())),
            _ => {}
        }
        match &rule.pullback {
            Some(pullback) if pullback.is_for(params, *ret) => {
                Some(CustomRule::Pullback(pullback.clone(), number, site))
            }
            _ => Some(CustomRule::Host(number, site)),
        }
    }

    /// The number of the site that computes the value without differentiation, if the rule has a value
    /// closure.
    pub(crate) fn value(&self) -> Option<i64> {
        match self.custom_rule()? {
            CustomRule::Host(number, site) | CustomRule::Pullback(_, number, site)
                if site.rule.value.is_some() =>
            {
                Some(number)
            }
            _ => None,
        }
    }
}
