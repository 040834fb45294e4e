//! The layers of the crate: a module uses its own layer and those below, never one above.

use std::fs;
use std::path::{Path, PathBuf};

/// The top-level modules, the lowest first.
const LAYERS: [&str; 4] = ["support", "pass", "pipeline", "executor"];

/// The Rust files in a folder and in its folders.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of sources can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The layer of a file, by its path in `src`.
fn layer(path: &Path) -> Option<usize> {
    let first = path.components().next()?.as_os_str().to_str()?;
    LAYERS.iter().position(|layer| *layer == first.trim_end_matches(".rs"))
}

#[test]
fn no_module_uses_a_layer_above_its_own() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for file in files(&src) {
        let path = file.strip_prefix(&src).expect("it lies in the folder of sources");
        if path == Path::new("lib.rs") {
            continue;
        }
        let own = layer(path).unwrap_or_else(|| panic!("{} belongs to no layer", path.display()));
        let text = fs::read_to_string(&file).expect("a source can be read");
        for (number, line) in (1..).zip(text.lines()) {
            for used in line.split("crate::").skip(1) {
                let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                // A name of the root that is no module is above all layers.
                let is_above = LAYERS.iter().position(|layer| *layer == used).is_none_or(|used| used > own);
                if is_above && !line.trim_start().starts_with("//") {
                    wrong.push(format!("src/{}:{number}: {line}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these use a layer above their own:\n{}", wrong.join("\n"));
}
