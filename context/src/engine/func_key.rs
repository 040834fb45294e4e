//! The identity of a function specialised by the engine: its source, the context, and its role.
//!
//! - KEY1 a key and its name determine each other. [`FuncKey::name`] records the key of each name, so that a
//!   name created by the engine is looked up and never parsed.
//! - KEY2 a name is parsed only where it is given as text: `f{out Trace#0}` written by a user or in the text
//!   of a program.
//!
//! A key has no types: functions of the IR are monomorphic, and the name of the source distinguishes the
//! instances of a generic function.

use std::fmt;
use std::sync::{LazyLock, PoisonError, RwLock};

use hashbrown::HashMap;

use crate::Symbol;

/// The key of a function that the engine generates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FuncKey {
    /// The function from which it is generated.
    pub source: Symbol,
    /// The label of the context: `Trace#0`.
    pub context: Symbol,
    pub(super) role: Role,
}

/// The role of a function generated for a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Role {
    /// The source, rewritten in this mode.
    Rewritten(Mode),
    /// The operation of the call of this number in the source: `f{op 3 0 Trace#0}`. The bits of `changed`
    /// mark the constant operands that are parameters.
    Operation { call: usize, changed: u64 },
    /// A function that the context returned as a method; the number distinguishes those of the same name:
    /// `f{ir0 Trace#0}`.
    ByMethod(usize),
    /// A function that a pass derived from the source in addition to its body: `f{back Trace#0}`.
    Companion(Symbol),
}

/// The mode in which the body of a function is rewritten for a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mode {
    /// The body under the context: `f{Trace#0}`.
    Inside,
    /// The body outside the context, for arguments that contain closures from inside: `f{out Trace#0}`.
    Outside,
    /// The body under the context, without querying it for any call: `f{mute Trace#0}`.
    Recurse,
    /// The implementation of a call of the function as a value: `f{as Trace#0}`.
    Value,
    /// A run of the context on the function, with separate metadata: `f{run Trace#0}`. Contexts with equal
    /// keys make the same decisions but may run differently, and the number identifies the one that runs:
    /// `f{run/1 Trace#0}`.
    Run(usize),
}

/// Keys by name and names by key (KEY1).
#[derive(Default)]
struct KeyTable {
    names: HashMap<FuncKey, Symbol>,
    keys: HashMap<Symbol, FuncKey>,
}

static KEYS: LazyLock<RwLock<KeyTable>> = LazyLock::new(RwLock::default);

impl FuncKey {
    /// The key of a name, if it names a function generated for a context.
    ///
    /// ```
    /// use overdub_context::{Symbol, engine::FuncKey};
    /// let key = FuncKey::of(Symbol::new("f{out Trace#0}")).expect("it is such a name");
    /// assert_eq!((key.source.as_str(), key.context.as_str()), ("f", "Trace#0"));
    /// assert_eq!(key.to_string(), "f{out Trace#0}");
    /// assert_eq!(FuncKey::of(Symbol::new("f::{closure#0}")), None);
    /// ```
    pub fn of(name: Symbol) -> Option<FuncKey> {
        if !name.ends_with('}') {
            return None;
        }
        let known = KEYS.read().unwrap_or_else(PoisonError::into_inner).keys.get(&name).copied();
        known.or_else(|| FuncKey::parse(&name))
    }

    /// The name of the function.
    pub(super) fn name(self) -> Symbol {
        if let Some(name) = KEYS.read().unwrap_or_else(PoisonError::into_inner).names.get(&self) {
            return *name;
        }
        let name = Symbol::new(&self.to_string());
        let mut table = KEYS.write().unwrap_or_else(PoisonError::into_inner);
        table.names.insert(self, name);
        table.keys.insert(name, self);
        name
    }

    /// The key of a function rewritten in a mode.
    pub(super) fn rewritten(source: Symbol, context: Symbol, mode: Mode) -> FuncKey {
        FuncKey { source, context, role: Role::Rewritten(mode) }
    }

    /// Parses a name given as text (KEY2).
    fn parse(text: &str) -> Option<FuncKey> {
        let (source, key) = text.strip_suffix('}')?.rsplit_once('{')?;
        if source.ends_with("::") || !key.contains('#') {
            return None;
        }
        let (role, context) = Role::parse(key);
        Some(FuncKey { source: Symbol::new(source), context: Symbol::new(context), role })
    }
}

impl Role {
    /// The role and the label in `out Trace#0`; a label may contain spaces.
    fn parse(key: &str) -> (Role, &str) {
        let inside = (Role::Rewritten(Mode::Inside), key);
        let Some((word, label)) = key.split_once(' ') else { return inside };
        let mode = match word {
            "out" => Mode::Outside,
            "mute" => Mode::Recurse,
            "as" => Mode::Value,
            "run" => Mode::Run(0),
            "op" => return Role::parse_operation(label).unwrap_or(inside),
            _ => {
                if let Some(number) = word.strip_prefix("ir").and_then(|number| number.parse().ok()) {
                    return (Role::ByMethod(number), label);
                }
                let Some(number) = word.strip_prefix("run/").and_then(|number| number.parse().ok()) else {
                    return inside;
                };
                Mode::Run(number)
            }
        };
        (Role::Rewritten(mode), label)
    }

    fn parse_operation(text: &str) -> Option<(Role, &str)> {
        let (call, rest) = text.split_once(' ')?;
        let (changed, label) = rest.split_once(' ')?;
        Some((Role::Operation { call: call.parse().ok()?, changed: changed.parse().ok()? }, label))
    }
}

impl fmt::Display for FuncKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FuncKey { source, context, role } = self;
        match role {
            Role::Rewritten(Mode::Inside) => write!(f, "{source}{{{context}}}"),
            Role::Rewritten(Mode::Outside) => write!(f, "{source}{{out {context}}}"),
            Role::Rewritten(Mode::Recurse) => write!(f, "{source}{{mute {context}}}"),
            Role::Rewritten(Mode::Value) => write!(f, "{source}{{as {context}}}"),
            Role::Rewritten(Mode::Run(0)) => write!(f, "{source}{{run {context}}}"),
            Role::Rewritten(Mode::Run(number)) => write!(f, "{source}{{run/{number} {context}}}"),
            Role::Operation { call, changed } => write!(f, "{source}{{op {call} {changed} {context}}}"),
            Role::ByMethod(number) => write!(f, "{source}{{ir{number} {context}}}"),
            Role::Companion(what) => write!(f, "{source}{{{what} {context}}}"),
        }
    }
}

/// The function from which contexts generated this one: `f` for `f{as Log#0}{as Count#0}`, but
/// `f::{closure#0}` itself.
pub fn before_contexts(name: Symbol) -> Symbol {
    let mut source = name;
    while let Some(key) = FuncKey::of(source) {
        source = key.source;
    }
    source
}

#[cfg(test)]
mod tests {
    use super::{FuncKey, Mode, Role, before_contexts};
    use crate::Symbol;

    fn of(role: Role) -> FuncKey {
        FuncKey { source: Symbol::new("m::f<f64>"), context: Symbol::new("Trace#0"), role }
    }

    #[test]
    fn a_name_read_as_text_is_the_key_that_printed_it() {
        let modes = [Mode::Inside, Mode::Outside, Mode::Recurse, Mode::Value, Mode::Run(0), Mode::Run(12)];
        let others = [Role::Operation { call: 3, changed: u64::MAX }, Role::ByMethod(7)];
        for role in modes.map(Role::Rewritten).into_iter().chain(others) {
            let key = of(role);
            assert_eq!(FuncKey::parse(&key.to_string()), Some(key), "{key}");
        }
    }

    #[test]
    fn a_name_that_the_engine_made_is_looked_up() {
        // Parsed as text, it would be a function inside a context with the label `back Trace#0`.
        let key = of(Role::Companion(Symbol::new("back")));
        assert_eq!(FuncKey::of(key.name()), Some(key));
        assert_eq!(key.name().as_str(), "m::f<f64>{back Trace#0}");
    }

    #[test]
    fn closures_and_plain_functions_have_no_key() {
        for name in ["f", "m::f<f64>", "f::{closure#0}", "f{Trace#0}::{closure#1}", "f{}", "{"] {
            assert_eq!(FuncKey::of(Symbol::new(name)), None, "{name}");
        }
    }

    #[test]
    fn sources_are_found_through_several_contexts() {
        let inner = FuncKey::rewritten(Symbol::new("f::{closure#0}"), Symbol::new("Log#0"), Mode::Value);
        let outer = FuncKey::rewritten(inner.name(), Symbol::new("My context#1"), Mode::Outside);
        assert_eq!(outer.to_string(), "f::{closure#0}{as Log#0}{out My context#1}");
        assert_eq!(before_contexts(Symbol::new(&outer.to_string())).as_str(), "f::{closure#0}");
    }
}
