//! The names of the features in a manifest, found without a parser of TOML.
//!
//! - Names that are no features cost nothing: rustc says that they are not enabled.

use std::collections::BTreeSet;
use std::path::Path;

/// Those of the package that is compiled.
pub(crate) fn of_package() -> BTreeSet<String> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    of(&std::fs::read_to_string(Path::new(&folder).join("Cargo.toml")).unwrap_or_default())
}

/// The keys of `[features]`, and of dependencies, which may be optional.
pub(crate) fn of(manifest: &str) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    let (mut is_at_root, mut is_in_table) = (true, false);
    let mut start = 0;
    for line in manifest.split_inclusive('\n') {
        let rest = &manifest[start..];
        start += line.len();
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            is_at_root = false;
            let header = header.rsplit_once(']').map_or(header, |(header, _)| header).trim();
            let is_target = header.starts_with("target.") && header.ends_with(".dependencies");
            is_in_table = is_target || matches!(header, "features" | "dependencies");
            features.extend(header.strip_prefix("dependencies.").and_then(name_of));
        } else if let Some((key, _)) = line.split_once('=').filter(|_| is_in_table) {
            features.extend(name_of(key.split('.').next().unwrap_or(key)));
        } else if is_at_root && let Some(rest) = after_key(rest.trim_start()) {
            features.extend(written_at_root(rest));
        }
    }
    features
}

/// What follows the key of one of the tables.
fn after_key(text: &str) -> Option<&str> {
    ["features", "dependencies"].iter().find_map(|key| text.strip_prefix(key)).map(str::trim_start)
}

/// The keys of `features = { fast = [] }`, or the one of `features.fast = []`, from the end of `features`.
fn written_at_root(rest: &str) -> Vec<String> {
    if let Some(path) = rest.strip_prefix('.') {
        return path.split(['.', '=']).next().and_then(name_of).into_iter().collect();
    }
    let value = rest.strip_prefix('=').map_or("", str::trim_start);
    value.strip_prefix('{').map(keys_of_inline_table).unwrap_or_default()
}

/// The keys of an inline table, from its first key.
fn keys_of_inline_table(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut key = String::new();
    // The open brackets inside the table.
    let mut depth = 0;
    let (mut is_key, mut quote, mut is_comment) = (true, None, false);
    for c in text.chars() {
        match (quote, c) {
            _ if is_comment => is_comment = c != '\n',
            (Some(mark), c) if c == mark => quote = None,
            (Some(_), c) if is_key => key.push(c),
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => is_comment = true,
            (None, '{' | '[') => depth += 1,
            (None, '}') if depth == 0 => break,
            (None, '}' | ']') => depth -= 1,
            (None, ',') if depth == 0 => (is_key, key) = (true, String::new()),
            (None, '=' | '.') if is_key => {
                keys.extend(name_of(&key));
                is_key = false;
            }
            (None, c) if is_key => key.push(c),
            (None, _) => {}
        }
    }
    keys
}

/// The name that a key of a manifest is.
fn name_of(key: &str) -> Option<String> {
    let name = key.trim().trim_matches(['"', '\'']);
    let is_name = |c: char| c.is_alphanumeric() || "_-+".contains(c);
    (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    fn found(manifest: &str) -> Vec<String> {
        super::of(manifest).into_iter().collect()
    }

    #[test]
    fn the_features_of_a_manifest_are_its_keys_and_those_of_dependencies() {
        let manifest = "[package]\nname = \"it\"\n[features]\n# \"none\" = 1\ndefault = [\n  \"fast\",\n]\n\
                        fast-math = []\n[dependencies]\nglam.workspace = true\n\"rand\" = { optional = true }\n\
                        [dependencies.serde]\nversion = \"1\"\n[dev-dependencies]\nproptest = \"1\"\n\
                        [target.'cfg(unix)'.dependencies]\nlibc = { version = \"0.2\", optional = true }\n";
        assert_eq!(found(manifest), ["default", "fast-math", "glam", "libc", "rand", "serde"]);
    }

    #[test]
    fn tables_are_also_read_where_they_are_inline() {
        let manifest = "features = { default = [\"fast\", \"}\"], \"fast\" = [], \"a-b\".c = 1 }\n\
                        dependencies = { glam = { version = \"0.33\", features = [\"f64\"] } }\n\
                        [package]\nname = \"it\"\nfeatures = { none = [] }\n";
        assert_eq!(found(manifest), ["a-b", "default", "fast", "glam"]);
        let over_lines = "features = {\n  fast = [ # , no = 1\n    \"glam\",\n  ],\n  slow = [],\n}\n";
        assert_eq!(found(over_lines), ["fast", "slow"]);
        assert_eq!(found("features.fast = []\ndependencies.glam.version = \"0.33\"\n"), ["fast", "glam"]);
    }
}
