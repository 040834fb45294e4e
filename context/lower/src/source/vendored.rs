//! Packages in folders that cargo's configuration puts in the place of registries and repositories, as `cargo vendor` writes
//! them (<https://doc.rust-lang.org/cargo/reference/source-replacement.html>).

use std::path::{Path, PathBuf};

use hashbrown::HashMap;

use super::cargo::identity;
use super::package_sources::{canonical, subfolders};
use super::requirement::{Requirement, version};
use super::toml_tree::{Table, Value};

/// The folders, by the names of registries and the addresses of indices and repositories that they replace.
#[derive(Default)]
pub(super) struct VendoredPackages {
    folders: HashMap<String, VendoredFolder>,
}

/// A folder with packages in folders of any names.
#[derive(Clone)]
pub(super) struct VendoredFolder(PathBuf);

impl VendoredPackages {
    /// What the tables `[source.NAME]` of configuration files say, the nearest file first.
    pub(super) fn of(configuration: &[(PathBuf, Table)]) -> VendoredPackages {
        let mut sources: HashMap<&str, (&Path, &Table)> = HashMap::new();
        for (base, file) in configuration {
            let tables = file.get("source").and_then(Value::as_table).into_iter().flatten();
            for (name, table) in tables.filter_map(|(name, table)| Some((name, table.as_table()?))) {
                sources.entry(name).or_insert((base, table));
            }
        }
        let text = |name: &str, key: &str| sources.get(name)?.1.get(key)?.as_str();
        let mut folders = HashMap::new();
        for &name in sources.keys() {
            // A chain of replacements that is longer than the tables is a circle.
            let mut replacements = std::iter::successors(Some(name), |at| text(at, "replace-with"));
            let last = replacements.by_ref().take(sources.len()).last().unwrap_or(name);
            let Some(folder) = text(last, "directory") else { continue };
            let folder = VendoredFolder(sources[last].0.join(folder));
            let addresses = ["registry", "git"].into_iter().filter_map(|key| text(name, key));
            let addresses = addresses.map(canonical).chain([canonical(name)]);
            folders.extend(addresses.map(|address| (address, folder.clone())));
        }
        VendoredPackages { folders }
    }

    /// The folder that replaces a registry or repository.
    pub(super) fn folder(&self, source: &str) -> Option<&VendoredFolder> {
        self.folders.get(&canonical(source))
    }
}

impl VendoredFolder {
    /// The folder of a package in a version, or without one in the newest that a requirement admits.
    pub(super) fn package(
        &self,
        package: &str,
        locked: Option<&str>,
        requirement: &Requirement,
    ) -> Option<PathBuf> {
        let is_candidate = |folder: &PathBuf| {
            let name = folder.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(package))
        };
        let found = subfolders(&self.0).into_iter().filter(is_candidate).filter_map(|folder| {
            let (name, found, folder) = identity(&folder)?;
            let is_chosen = match locked {
                Some(locked) => locked == found,
                None => requirement.admits(version(&found)),
            };
            (name == package && is_chosen).then(|| (version(&found), folder))
        });
        found.max().map(|(_, folder)| folder)
    }
}
