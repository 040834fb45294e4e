//! Calls that are checkpointed: what runs in the forward sweep in their place, and what runs again in the reverse sweep.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_passes::{Limits, Scope};

use super::accumulators::Accumulators;
use super::named_values::{NamedValues, named_values};
use super::naming_calls::names_value;
use super::output::ReverseOutput;
use super::primal::{AugmentedCall, CallPullback, CallReplacement};
use super::transformer::{INLINED, Worklist};
use crate::custom::TypedCall;
use crate::refusal::Cause;

impl Worklist<'_> {
    /// The replacement of a checkpointed call, which is run again in the reverse sweep.
    pub(super) fn checkpointed(&mut self, call: &TypedCall, wrt: &[bool]) -> CallReplacement {
        let rerun = self.name(call.func, &ReverseOutput::Accumulate.label(wrt));
        self.request((call.func, wrt.to_vec(), ReverseOutput::Accumulate));
        CallReplacement {
            pullback: CallPullback::Rerun(rerun, None),
            accumulators: Accumulators::All,
            wrt: None,
        }
    }

    /// The same, with values kept for the second run.
    pub(super) fn checkpointed_with(
        &mut self,
        names: &[String],
        call: &TypedCall,
        wrt: &[bool],
    ) -> Result<CallReplacement, Cause> {
        let what = label(names);
        let keeping = self.name(call.func, &format!("Keeping{what}"));
        let reading = self.name(call.func, &format!("Reading{what}"));
        let kept = match self.reading.get(&reading) {
            Some((_, kept)) => *kept,
            None => {
                let Some(forms) = self.named_values(names, call.func, (keeping, reading))? else {
                    return Ok(self.checkpointed(call, wrt));
                };
                self.add_func(forms.keeping);
                self.reading.insert(reading, (Arc::new(forms.reading), forms.kept));
                forms.kept
            }
        };
        let wrt: Vec<bool> = wrt.iter().copied().chain([false]).collect();
        let rerun = self.name(reading, &ReverseOutput::Accumulate.label(&wrt));
        self.request((reading, wrt, ReverseOutput::Accumulate));
        let keeping = AugmentedCall { func: keeping, pullback: kept };
        let pullback = CallPullback::Rerun(rerun, Some(keeping));
        Ok(CallReplacement { pullback, accumulators: Accumulators::All, wrt: None })
    }

    /// The forms of a checkpoint's code, in which the calls that name values are found (POLICY2).
    fn named_values(
        &self,
        names: &[String],
        code: Symbol,
        forms: (Symbol, Symbol),
    ) -> Result<Option<NamedValues>, Cause> {
        let lookup = self.transformer.names.lookup;
        let func = lookup(code).ok_or(Cause::Missing(code))?;
        let callee = |name: Symbol| if names_value(name) { None } else { lookup(name) };
        let with = |limits| {
            named_values(
                &overdub_passes::optimise(&func, &Scope::new(&callee).with_limits(limits)),
                names,
                forms,
            )
        };
        match with(INLINED) {
            // A function that is too long to be inlined elsewhere may name the value.
            Err(Cause::NoSuchName { .. }) => with(Limits { callee: usize::MAX, total: usize::MAX }),
            found => found,
        }
    }
}

/// Names as a part of a function's name: different for different names.
fn label(names: &[String]) -> String {
    let escaped =
        |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("_{:x}_", u32::from(c)) };
    let names: Vec<String> = names.iter().map(|name| name.chars().map(escaped).collect()).collect();
    names.join("__")
}
