//! The results of functions, by their arguments.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{DefaultHashBuilder, HashTable};
use overdub_context::Symbol;
use overdub_context::value::Value;

/// The results of functions, by their arguments.
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: HashTable<Entry>,
    hasher: DefaultHashBuilder,
    found: usize,
}

#[derive(Clone, Debug)]
struct Entry {
    function: Symbol,
    args: Box<[Value<'static>]>,
    result: Value<'static>,
}

impl Table {
    /// The number of computed calls: one for each function and list of arguments.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no call was computed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of calls that were answered from the table.
    pub fn found(&self) -> usize {
        self.found
    }

    /// The remembered result of a function for these arguments.
    pub(crate) fn get(&mut self, function: Symbol, args: &[Value<'_>]) -> Option<Value<'static>> {
        let hash = hash(&self.hasher, function, args);
        let entry = self.entries.find(hash, |entry| entry.is(function, args))?;
        self.found += 1;
        Some(entry.result.clone())
    }

    pub(crate) fn insert(&mut self, function: Symbol, args: Vec<Value<'_>>, result: Value<'_>) {
        let args: Box<[Value<'static>]> = args.into_iter().map(Value::into_owned).collect();
        let at = hash(&self.hasher, function, &args);
        let entry = Entry { function, args, result: result.into_owned() };
        let hasher = &self.hasher;
        self.entries.insert_unique(at, entry, |entry| hash(hasher, entry.function, &entry.args));
    }
}

impl Entry {
    fn is(&self, function: Symbol, args: &[Value<'_>]) -> bool {
        self.function == function
            && self.args.len() == args.len()
            && self.args.iter().zip(args).all(|(known, arg)| known.same(arg))
    }
}

fn hash(hasher: &DefaultHashBuilder, function: Symbol, args: &[Value<'_>]) -> u64 {
    let mut state = hasher.build_hasher();
    function.hash(&mut state);
    args.iter().for_each(|arg| arg.hash_bits(&mut state));
    state.finish()
}
