//! Calls whose derivative is not that of what is inside, as the source transformations see them.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{Ty, TyKind};

use super::table::{Partials, Site, WithPullback, library_rule, number_of, rule_for, site};
use crate::annotations::{CHECKPOINT, REPLACE_GRADIENT, STOP_GRADIENT, is_annotation};
use crate::nd::{ArrayRule, array_rule};
use crate::rules::Library;

/// What the derivative of such a call is.
#[derive(Clone)]
pub(crate) enum CustomRule {
    /// None: the result counts as constant.
    Stopped,
    /// What comes back goes through a closure, the second argument.
    Replaced,
    /// That of a closure's code, run again on the way back; the closure is the first argument.
    Checkpointed,
    /// A function gives the partial derivatives.
    Partials(Partials),
    /// A formula does, and the value is held against one too.
    Formula(Library),
    /// A function gives the result and a pullback.
    Pullback(WithPullback, i64, &'static Site),
    /// Functions of the rule of an operation on whole arrays, which is called by its name.
    Array(Arc<ArrayRule>),
    /// The host's closures: the site of this number.
    Host(i64, &'static Site),
}

/// A function that is called, with its types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Call {
    pub(crate) func: Symbol,
    pub(crate) params: Vec<Ty>,
    pub(crate) ret: Ty,
}

impl Call {
    /// What the derivative of the call is, if it is not that of the function's body.
    pub(crate) fn custom_rule(&self) -> Option<CustomRule> {
        let Call { func, params, ret } = self;
        if is_annotation(*func, STOP_GRADIENT) {
            return Some(CustomRule::Stopped);
        }
        if is_annotation(*func, REPLACE_GRADIENT) {
            return Some(CustomRule::Replaced);
        }
        if is_annotation(*func, CHECKPOINT) {
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

    /// What the call is where nothing is differentiated: by the rule's own word, if it says what the value is.
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
