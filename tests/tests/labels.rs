//! The labels of invariants are unique in the workspace, so that searching for a cited label finds it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use overdub_tests::files;

/// The folders of all crates whose sources are read: tests define no labels that are cited elsewhere.
const FOLDERS: &[&str] = &["context", "passes", "plugins", "tests", "fuzz"];

#[test]
fn a_label_belongs_to_one_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let all =
        FOLDERS.iter().flat_map(|folder| files(&root.join(folder), "rs").expect("the folder can be read"));
    let sources = all.filter(|file| file.components().any(|part| part.as_os_str() == "src"));
    let mut owners: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in sources {
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for label in text.lines().filter_map(label) {
            owners.entry(label.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(owners.len() > 200, "labels are found: {}", owners.len());
    owners.retain(|_, files| files.len() > 1);
    assert!(owners.is_empty(), "{owners:#?}");
}

#[test]
fn labels_are_read_from_lists_in_documentation() {
    assert_eq!(label("//! - KEY1 a key and its name determine each other."), Some("KEY1"));
    assert_eq!(label("/// - MEMO1 a draft is seen by its thread alone."), Some("MEMO1"));
    for other in ["//! - Blocks are laid out in order.", "//! KEY1", "// - KEY1 a note", "- KEY1"] {
        assert_eq!(label(other), None, "{other}");
    }
}

/// The label that a line declares: capitals and a number at the start of an item of a list.
fn label(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let item = line.strip_prefix("//! - ").or_else(|| line.strip_prefix("/// - "))?;
    let word = item.split(' ').next()?;
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let is_label =
        digits.len() < word.len() && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    is_label.then_some(word)
}
