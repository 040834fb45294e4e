//! Everything that prevents a function and its callees from being lowered, for one error that lists it all.

use hashbrown::HashSet;
use overdub_context::Symbol;

use super::error::LowerError;
use super::session::{Code, Lowering};
use crate::infer::{Callee, Typed};

/// The maximal number of functions examined: the list is meant to be read by a person.
const FUNCTIONS: usize = 4096;

impl Lowering {
    /// Why `name` and the functions it calls cannot be lowered, in order of first mention, with the first
    /// reason of each function. The callees of a body that cannot be lowered are followed as far as its types
    /// are known.
    pub fn missing_from(&self, name: Symbol) -> Vec<LowerError> {
        let mut seen: HashSet<Symbol> = HashSet::from_iter([name]);
        let mut queue = vec![name];
        let mut found: Vec<LowerError> = Vec::new();
        let mut at = 0;
        while let Some(&name) = queue.get(at).filter(|_| at < FUNCTIONS) {
            at += 1;
            let Some(code) = self.code(name) else { continue };
            let mentioned = match self.lower(name, code) {
                Ok(func) => func.mentioned().collect(),
                Err(error) => {
                    if !found.contains(&error) {
                        found.push(error);
                    }
                    self.callees_of(code)
                }
            };
            queue.extend(mentioned.into_iter().filter(|name| seen.insert(*name)));
        }
        found
    }

    /// The callees of a body according to its types.
    fn callees_of(&self, code: Code) -> Vec<Symbol> {
        let (Code::Item(instance) | Code::Entry(instance)) = code else { return Vec::new() };
        let Ok(typed) = self.types().infer(instance) else { return Vec::new() };
        let Typed { callees, .. } = &*typed;
        let mut named: Vec<_> = callees.iter().collect();
        named.sort_by_key(|(expr, _)| expr.index());
        let instances = named.into_iter().filter_map(|(_, callee)| match callee {
            Callee::Fn(instance) => Some(self.symbol(*instance)),
            _ => None,
        });
        instances.collect()
    }
}
