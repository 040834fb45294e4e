//! Custom rules: derivatives that users give for functions, in place of those of the bodies.
//!
//! - RULE1 a rule holds as soon as it is registered, and a rule of a set in the set's scope: the keys of contexts that apply
//!   rules contain a version and the sets.
//! - RULE2 a rule given as a function that overdub sees is differentiated again; one given as a host closure is not.

mod apply;
mod callback;
mod custom_rule;
mod host_ops;
mod named;
mod scoped;
mod table;
mod typed;
mod values;

pub(crate) use apply::{BACKWARD, FORWARD, Mode, RULE, has_rule, misfit, refused, replaced, site_of};
pub use apply::{CustomDerivative, custom_derivative};
pub(crate) use callback::{CHECKPOINTED, REPLACED, is_reverse_op, lifted};
pub(crate) use custom_rule::{CustomRule, TypedCall};
pub(crate) use host_ops::{PULLED, PUSHED, VALUED, is_read};
pub use named::RuleFor;
pub use scoped::{ActiveRules, Rules};
pub(crate) use table::{Partials, Site, formula_for, keyed};
#[cfg(feature = "check")]
pub(crate) use table::{any_value, rule_for};
pub use typed::{RuleBuilder, RuleError, rule};
pub use values::ByRules;
