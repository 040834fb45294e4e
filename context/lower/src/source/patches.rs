//! What takes the place of packages: `[patch]` and `[replace]` of a workspace, and `[patch]` of cargo's configuration.

use std::path::{Path, PathBuf};

use super::cargo::identity;
use super::configuration::read;
use super::package_sources::{Locked, Origin, canonical};
use super::requirement::{Requirement, version};
use super::toml_tree::{Table, Value};

/// The patches of a workspace.
#[derive(Default)]
pub(super) struct Patches {
    patches: Vec<Patch>,
    replacements: Vec<Patch>,
}

/// A package that takes the place of others of its name.
struct Patch {
    package: String,
    /// The registry or repository of those it takes the place of; of `[replace]` their version.
    of: String,
    /// Its version and folder, or why they are not known.
    found: Result<(String, PathBuf), String>,
}

impl Patches {
    /// The patches that hold for a package in a folder, for which configuration files hold.
    pub(super) fn of(
        dir: &Path,
        configuration: &[(PathBuf, Table)],
        locked: &Locked,
    ) -> Result<Patches, String> {
        let mut found = Patches::default();
        if let Some((folder, manifest)) = root_manifest(dir)? {
            found.add_patches(&folder, &manifest, locked);
            found.add_replacements(&folder, &manifest, locked);
        }
        configuration.iter().for_each(|(base, file)| found.add_patches(base, file, locked));
        Ok(found)
    }

    fn add_patches(&mut self, base: &Path, manifest: &Table, locked: &Locked) {
        for (of, entries) in tables(manifest.get("patch")) {
            for (key, entry) in entries {
                let of = if of.contains("://") { canonical(of) } else { of.clone() };
                let patch = Patch::new(key, of, entry, base, locked);
                let is_unused = |(version, _): &(String, PathBuf)| locked.is_unused(&patch.package, version);
                if !patch.found.as_ref().is_ok_and(is_unused) {
                    self.patches.push(patch);
                }
            }
        }
    }

    fn add_replacements(&mut self, base: &Path, manifest: &Table, locked: &Locked) {
        let entries = manifest.get("replace").and_then(Value::as_table).into_iter().flatten();
        for (id, entry) in entries {
            // `NAME:VERSION` or `NAME@VERSION`, after an address and `#` if need be.
            let id = id.rsplit('#').next().unwrap_or(id);
            if let Some((name, version)) = id.rsplit_once([':', '@']) {
                self.replacements.push(Patch::new(name, version.to_owned(), entry, base, locked));
            }
        }
    }

    /// The folder of what takes the place of a package from a registry or repository.
    pub(super) fn folder(
        &self,
        package: &str,
        source: &str,
        requirement: &Requirement,
    ) -> Result<Option<PathBuf>, String> {
        let mut best = None;
        for patch in self.patches.iter().filter(|patch| patch.package == package && patch.of == source) {
            let (text, folder) = patch.found.as_ref().map_err(Clone::clone)?;
            let known = version(text);
            if requirement.admits(known) {
                best = best.max(Some((known, folder)));
            }
        }
        Ok(best.map(|(_, folder)| folder.clone()))
    }

    /// The folder of what takes the place of a version of a package.
    pub(super) fn replacement(&self, package: &str, version: &str) -> Option<Result<PathBuf, String>> {
        let replaced = self.replacements.iter().find(|by| by.package == package && by.of == version)?;
        Some(replaced.found.clone().map(|(_, folder)| folder))
    }
}

impl Patch {
    fn new(key: &str, of: String, entry: &Value, base: &Path, locked: &Locked) -> Patch {
        let entry = entry.as_table().cloned().unwrap_or_default();
        let package = entry.get("package").and_then(Value::as_str).unwrap_or(key).to_owned();
        let folder = match Origin::of(&entry, base) {
            Origin::Folder(folder) => Ok(folder),
            Origin::Git(address) => locked.checkout(&package, &address).ok_or_else(|| {
                format!("`{package}` is patched by `{address}`, whose commit in `Cargo.lock` is not on this machine")
            }),
            Origin::Registry(name) => {
                Err(format!(
                    "`{package}` is patched by a version in `{name}`: patches are followed to folders (`path`) and commits (`git`)"
                ))
            }
        };
        let found = folder.and_then(|folder| match folder.canonicalize().ok().and_then(|f| identity(&f)) {
            Some((name, version, folder)) if name == package => Ok((version, folder)),
            _ => Err(format!("`{package}` is patched by `{}`, which is no such package", folder.display())),
        });
        Patch { package, of, found }
    }
}

/// The tables in a table.
fn tables(value: Option<&Value>) -> impl Iterator<Item = (&String, &Table)> {
    let entries = value.and_then(Value::as_table).into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key, value.as_table()?)))
}

/// The manifest whose patches hold for a package in a folder: that of its workspace, if it has one.
fn root_manifest(dir: &Path) -> Result<Option<(PathBuf, Table)>, String> {
    let own = read(&dir.join("Cargo.toml"))?;
    let named = own.as_ref().and_then(|own| own.get("package")?.get("workspace")?.as_str());
    if let Some(folder) = named.map(|folder| dir.join(folder)) {
        return Ok(read(&folder.join("Cargo.toml"))?.map(|manifest| (folder, manifest)));
    }
    for folder in dir.ancestors() {
        let Some(manifest) = read(&folder.join("Cargo.toml"))? else { continue };
        if let Some(workspace) = manifest.get("workspace") {
            let excluded = workspace.get("exclude").and_then(Value::as_array).into_iter().flatten();
            let mut excluded = excluded.filter_map(Value::as_str).map(|inner| folder.join(inner));
            if folder == dir || !excluded.any(|inner| dir.starts_with(inner)) {
                return Ok(Some((folder.to_owned(), manifest)));
            }
        }
    }
    Ok(own.map(|own| (dir.to_owned(), own)))
}
