//! Names in Rust: each is used once, none is a keyword.

use hashbrown::HashSet;

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "self", "Self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
    "abstract", "become", "box", "do", "final", "gen", "macro", "override", "priv", "try", "typeof",
    "unsized", "virtual", "yield",
];

/// The names taken in a scope.
#[derive(Clone)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// A scope in which the names of the prelude that is written are taken.
    pub(super) fn new() -> Names {
        Names(
            ["Vec", "String", "Option", "Some", "None", "Result", "Ok", "Err", "Box", "Rc"]
                .map(str::to_owned)
                .into(),
        )
    }

    /// The name, or the first one with a number that is free.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let name = identifier(name);
        if self.0.insert(name.clone()) {
            return name;
        }
        let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let plain = if plain.is_empty() || plain.ends_with('_') { &name } else { plain };
        let separator = if plain.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        (2..)
            .map(|n| format!("{plain}{separator}{n}"))
            .find(|name| self.0.insert(name.clone()))
            .expect("numbers do not end")
    }
}

/// A name as an identifier.
pub(super) fn identifier(name: &str) -> String {
    if KEYWORDS.contains(&name) {
        return format!("{name}_");
    }
    let mut text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) || text.is_empty() {
        text.insert(0, '_');
    }
    text
}

/// The name of a field or a variant, as the source declares it.
pub(super) fn member(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    if KEYWORDS.contains(&name) {
        return format!("r#{name}");
    }
    let is_identifier = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_identifier { name.to_owned() } else { identifier(name) }
}

/// The name of a function: its own, and what contexts made of it.
pub(super) fn function_name(symbol: &str) -> String {
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
