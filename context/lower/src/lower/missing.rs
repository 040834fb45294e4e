//! Everything that keeps a function and what it calls from being lowered, for one error that names it all.

use hashbrown::HashSet;
use overdub_context::Symbol;

use super::error::LowerError;
use super::session::{Code, Lowering};
use crate::infer::{Callee, Typed};

/// How many functions are looked at: what is missing is for a person to read.
const FUNCTIONS: usize = 4096;

impl Lowering {
    /// Why functions among `name` and what it calls cannot be lowered, in the order of first mention: of each function
    /// the first reason. What a body that cannot be lowered calls is followed as far as its types are known.
    pub fn missing_from(&self, name: Symbol) -> Vec<LowerError> {
        let mut seen: HashSet<Symbol> = HashSet::from_iter([name]);
        let mut queue = vec![name];
        let mut found: Vec<LowerError> = Vec::new();
        let mut at = 0;
        while let Some(&name) = queue.get(at).filter(|_| at < FUNCTIONS) {
            at += 1;
            let Some(code) = self.code(name) else { continue };
            let mentioned = match self.make(name, code) {
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

    /// What a body calls by its types.
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
