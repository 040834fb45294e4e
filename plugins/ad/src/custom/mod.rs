//! Rules that users give for functions: what the derivative of a call is, in the place of what is inside.
//!
//! - U1 a rule holds from when it is registered on: contexts that go by rules have a key that says which.
//! - U2 a rule by a function that overdub sees is differentiated again; one by a closure of the host is not.

mod apply;
mod callback;
mod custom_rule;
mod host_ops;
mod table;
mod typed;
mod values;

pub(crate) use apply::{BACKWARD, FORWARD, Mode, RULE, has_rule, misfit, refused, replaced, site_of};
pub(crate) use callback::{CHECKPOINTED, REPLACED, is_back, lifted};
pub(crate) use custom_rule::{Call, CustomRule};
pub(crate) use host_ops::{PULLED, PUSHED, VALUED, is_read};
#[cfg(feature = "check")]
pub(crate) use table::rule_for;
pub(crate) use table::{Partials, Site, formula_for, keyed};
pub use typed::{RuleBuilder, RuleError, rule};
pub use values::ByRules;
