//! Names in an exported file: each is used once, none is a keyword of its language.

use hashbrown::{HashMap, HashSet};

/// The names taken in a scope.
#[derive(Clone)]
pub(crate) struct Names {
    keywords: &'static [&'static str],
    taken: HashSet<String>,
    /// For names that were taken when they were asked for, the first number that may be free.
    numbers: HashMap<String, u32>,
}

impl Names {
    /// A scope of a language with these keywords, in which some names are taken.
    pub(crate) fn new(keywords: &'static [&'static str], taken: &[&str]) -> Names {
        let taken = taken.iter().map(|&name| name.to_owned()).collect();
        Names { keywords, taken, numbers: HashMap::new() }
    }

    /// The name, or the first one with a number that is free.
    pub(crate) fn unique(&mut self, name: &str) -> String {
        let name = identifier(name, self.keywords);
        if self.taken.insert(name.clone()) {
            return name;
        }
        let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let plain = if plain.is_empty() || plain.ends_with('_') { &name } else { plain };
        let separator = if plain.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        // Names are never given back, so that smaller numbers stay taken.
        let number = self.numbers.entry(format!("{plain}{separator}")).or_insert(2);
        loop {
            let name = format!("{plain}{separator}{number}");
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A name as an identifier.
pub(crate) fn identifier(name: &str, keywords: &[&str]) -> String {
    if keywords.contains(&name) {
        return format!("{name}_");
    }
    let mut text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) || text.is_empty() {
        text.insert(0, '_');
    }
    text
}

/// The name of a function: its own, and what contexts made of it.
pub(crate) fn function_name(symbol: &str) -> String {
    let plain = symbol.split(['{', '<']).next().unwrap_or(symbol);
    let last = plain.rsplit("::").next().filter(|last| !last.is_empty()).unwrap_or(plain);
    let mut text = String::new();
    for c in last.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() && !text.ends_with('_') {
            text.push('_');
        }
        text.push(if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    }
    let text = text.trim_matches('_');
    if text.is_empty() { "function".to_owned() } else { text.to_owned() }
}
