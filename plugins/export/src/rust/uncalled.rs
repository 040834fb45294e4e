//! Functions that nothing calls in the text: their calls were written as expressions.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;

use super::words::words_of_code;

/// A function that was written.
pub(super) struct Written {
    pub(super) symbol: Symbol,
    pub(super) name: String,
    /// Whether it is there for others to call.
    pub(super) is_root: bool,
    /// Its part of the text.
    pub(super) text: Range<usize>,
}

/// The functions that no function names that is called.
pub(super) fn unused(written: &[Written], text: &str) -> HashSet<Symbol> {
    let by_name: HashMap<&str, usize> = written.iter().map(|one| one.name.as_str()).zip(0..).collect();
    let mut reached: HashSet<usize> = (0..written.len()).filter(|&at| written[at].is_root).collect();
    let mut open: Vec<usize> = reached.iter().copied().collect();
    while let Some(at) = open.pop() {
        let named = words_of_code(&text[written[at].text.clone()]).into_iter();
        let called = named.filter_map(|word| by_name.get(word).copied());
        open.extend(called.filter(|&called| reached.insert(called)));
    }
    let left = written.iter().enumerate().filter(|(at, _)| !reached.contains(at));
    left.map(|(_, one)| one.symbol).collect()
}
