//! Files that a crate may be read from. Too many are harmless: the program knows which of them it read.

use std::path::{Path, PathBuf};

/// The files in a folder and in those inside it.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                // Links to folders may lead back.
                Ok(kind) if kind.is_dir() => waiting.push(path),
                Ok(_) => found.push(path),
                Err(_) => {}
            }
        }
    }
    found
}

/// The files that a text names: as modules (`#[path = "…"]`, `include!("…")`), and as contents
/// (`include_str!("…")`, `include_bytes!("…")`).
pub(crate) fn mentioned(text: &str, file: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let folder = file.parent().unwrap_or(Path::new(""));
    let all = |word: &str, marks: &[char]| -> Vec<PathBuf> {
        let after = text.match_indices(word).map(|(at, _)| &text[at + word.len()..]);
        let names = after.filter_map(|rest| {
            let rest = rest.trim_start().strip_prefix(marks)?.trim_start();
            let (name, _) = rest.strip_prefix('"')?.split_once('"')?;
            Some(folder.join(name))
        });
        names.collect()
    };
    let open = &['(', '[', '{'];
    let mut modules = all("path", &['=']);
    modules.extend(all("include!", open));
    let mut contents = all("include_str!", open);
    contents.extend(all("include_bytes!", open));
    (modules, contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_macros_name_files() {
        let text = "#[path = \"../shared/f.rs\"]\nmod f;\ninclude!( \"g.in\" );\nconst T: &str = include_str!(\"t.txt\");";
        let (modules, contents) = mentioned(text, Path::new("src/lib.rs"));
        assert_eq!(modules, ["src/../shared/f.rs", "src/g.in"].map(PathBuf::from));
        assert_eq!(contents, ["src/t.txt"].map(PathBuf::from));
    }
}
