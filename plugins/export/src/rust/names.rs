//! Names in Rust.

pub(super) use crate::names::{Names, function_name};

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "self", "Self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
    "abstract", "become", "box", "do", "final", "gen", "macro", "override", "priv", "try", "typeof",
    "unsized", "virtual", "yield",
];

/// A scope in which the names of the prelude that is written are taken.
pub(super) fn prelude() -> Names {
    Names::new(
        KEYWORDS,
        &["Vec", "String", "Option", "Some", "None", "Result", "Ok", "Err", "Box", "Rc", "Cow"],
    )
}

/// A name as an identifier.
pub(super) fn identifier(name: &str) -> String {
    crate::names::identifier(name, KEYWORDS)
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
