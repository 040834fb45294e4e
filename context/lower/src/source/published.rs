//! The packages of registries in cargo's own folder.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::package_sources::{cargo_home, subfolders};
use super::requirement::{Requirement, version};

/// The packages of all registries.
pub(super) struct PublishedPackages {
    registries: Vec<Registry>,
}

/// The packages of one registry, each in a folder `NAME-VERSION`.
struct Registry {
    folder: PathBuf,
    /// The names in it, sorted. There may be thousands, and many packages that are optional are not there.
    names: OnceLock<Vec<String>>,
}

impl PublishedPackages {
    /// All that are on this machine, those of a given registry first.
    pub(super) fn of(first: Option<&Path>) -> PublishedPackages {
        let first = first.map(Path::to_owned).into_iter();
        let of_cargo = cargo_home().map(|home| subfolders(&home.join("registry/src"))).unwrap_or_default();
        let registries = first.chain(of_cargo).map(|folder| Registry { folder, names: OnceLock::new() });
        PublishedPackages { registries: registries.collect() }
    }

    /// The folder of a package in a version, or if that is not there in the newest that a requirement admits.
    pub(super) fn package(
        &self,
        package: &str,
        locked: Option<&str>,
        requirement: &Requirement,
    ) -> Option<PathBuf> {
        let in_version = |version: &str| {
            let name = format!("{package}-{version}");
            self.registries.iter().map(|registry| registry.folder.join(&name)).find(|folder| folder.exists())
        };
        let newest = || self.registries.iter().find_map(|registry| registry.newest(package, requirement));
        locked.and_then(in_version).or_else(newest)
    }
}

impl Registry {
    /// The folder of the newest version that a requirement admits.
    fn newest(&self, package: &str, requirement: &Requirement) -> Option<PathBuf> {
        let prefix = format!("{package}-");
        let names = self.names.get_or_init(|| {
            let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
            let mut names: Vec<String> =
                entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
            names.sort_unstable();
            names
        });
        let first = names.partition_point(|name| *name < prefix);
        let fits = names[first..].iter().map_while(|name| name.strip_prefix(&prefix)).filter_map(|found| {
            let known = found.starts_with(|c: char| c.is_ascii_digit()).then(|| version(found))?;
            requirement.admits(known).then_some((known, found))
        });
        fits.max().map(|(_, version)| self.folder.join(format!("{prefix}{version}")))
    }
}
