//! Cargo's configuration files (<https://doc.rust-lang.org/cargo/reference/config.html>).

use std::path::{Path, PathBuf};

use super::package_sources::cargo_home;
use super::toml_tree::{self, Table};

/// The files that hold for a package in a folder, the nearest first, each with the folder to which its paths are relative.
pub(super) fn configuration(dir: &Path) -> Result<Vec<(PathBuf, Table)>, String> {
    let mut files = Vec::new();
    for folder in dir.ancestors().map(|folder| folder.join(".cargo")).chain(cargo_home()) {
        for name in ["config.toml", "config"] {
            if let Some(file) = read(&folder.join(name))? {
                files.push((folder.parent().unwrap_or(&folder).to_owned(), file));
                break;
            }
        }
    }
    Ok(files)
}

/// A file with a table; `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<Table>, String> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(None) };
    toml_tree::parse(&text).map(Some).map_err(|e| format!("cannot read `{}`: {e}", path.display()))
}
