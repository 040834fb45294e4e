//! Contexts that only watch.

use overdub_context::engine::{CallSite, Context, Hooks, Key, WithMetadata};
use overdub_context::value::Value;
use overdub_context::{Failure, Span, Symbol};

use super::{Calls, hash_of};
use crate::digest::Observed;

/// Has hooks at calls, and records what they see.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// The calls with hooks.
    pub calls: Calls,
    /// The hooks.
    pub hooks: Hooks,
    /// Whether it applies to only half of all functions.
    pub filtered: Filtered,
}

/// The functions that a context applies to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Filtered {
    /// All.
    No,
    /// Half of all, chosen by a hash of the name.
    Yes,
}

impl Watch {
    /// A context with these hooks at these calls.
    pub fn new(calls: Calls, hooks: Hooks) -> Watch {
        Watch { calls, hooks, filtered: Filtered::No }
    }

    /// Applies to half of all functions only.
    #[must_use]
    pub fn filtered(self) -> Watch {
        Watch { filtered: Filtered::Yes, ..self }
    }
}

impl Context for Watch {
    type Metadata = Observed;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Observed {
        Observed::default()
    }

    fn key(&self) -> Key {
        Key::of::<Watch>().with(&self.calls).with(&self.hooks).with(&self.filtered)
    }

    fn filter(&self, func: Symbol, _: Span) -> bool {
        self.filtered == Filtered::No || hash_of(func.as_str()).is_multiple_of(2)
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        if self.calls.hold(call) { self.hooks } else { Hooks::NONE }
    }

    fn prehook(&self, seen: &mut Observed, call: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        seen.note(call, args);
        Ok(())
    }

    fn posthook(
        &self,
        seen: &mut Observed,
        call: &CallSite,
        result: &Value<'_>,
        args: &[Value<'_>],
    ) -> Result<(), Failure> {
        seen.note(call, args.iter().chain([result]));
        Ok(())
    }
}
