//! Small contexts as an outsider would write them: with the public API only.

pub mod domains;
pub mod hooks;
pub mod methods;
pub mod passes;

use std::hash::{DefaultHasher, Hash, Hasher};

use overdub_context::engine::{CallSite, Called};

/// Operations that build composites and arrays, split them and move their parts.
const STRUCTURAL: [&str; 16] = [
    "array",
    "closure",
    "captured",
    "field",
    "get",
    "part",
    "payload",
    "pop",
    "push",
    "set",
    "struct",
    "swap",
    "tag",
    "tuple",
    "variant",
    "with_field",
];

/// The calls that a context applies to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Calls {
    /// All.
    All,
    /// Operations.
    Operations,
    /// Operations that move values without computing any.
    Structural,
    /// Functions and closures.
    Functions,
    /// Half of all, chosen by a hash of the name.
    Half,
}

impl Calls {
    /// Whether a call is among them.
    pub fn hold(self, call: &CallSite) -> bool {
        match self {
            Calls::All => true,
            Calls::Operations => matches!(call.callee, Called::Op(_)),
            Calls::Structural => {
                let name = call.name().strip_prefix("take.").unwrap_or(call.name());
                matches!(call.callee, Called::Op(_)) && STRUCTURAL.contains(&name)
            }
            Calls::Functions => !matches!(call.callee, Called::Op(_)),
            Calls::Half => hash_of(call.name()).is_multiple_of(2),
        }
    }
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
