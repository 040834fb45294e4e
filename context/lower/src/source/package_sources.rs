//! Where the sources of packages are: beside their dependents, and in cargo's folders of registries and of git.

use std::path::{Path, PathBuf};

use hashbrown::HashMap;

use super::build_output::BuildOutput;
use super::cargo::Dependency;
use super::configuration::configuration;
use super::patches::Patches;
use super::published::PublishedPackages;
use super::requirement::{Requirement, version};
use super::toml_tree::{self, Table, Value};
use super::vendored::VendoredPackages;

/// Where a manifest says that a package comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// A folder.
    Folder(PathBuf),
    /// A git repository, by its address.
    Git(String),
    /// A registry, by its name or the address of its index.
    Registry(String),
}

impl Origin {
    /// The origin in an entry for a package, in a manifest in a folder.
    pub(super) fn of(entry: &Table, base: &Path) -> Origin {
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        if let Some(path) = text("path") {
            return Origin::Folder(base.join(path));
        }
        if let Some(address) = text("git") {
            return Origin::Git(canonical(address));
        }
        Origin::Registry(
            text("registry").or_else(|| text("registry-index")).unwrap_or("crates-io").to_owned(),
        )
    }

    /// The name of the table `[patch.NAME]` with what takes the place of packages from here.
    pub(super) fn patched_by(&self) -> Option<&str> {
        match self {
            Origin::Folder(_) => None,
            Origin::Git(name) | Origin::Registry(name) => Some(name),
        }
    }
}

/// An address as cargo compares it.
pub(super) fn canonical(address: &str) -> String {
    let address = address.trim_end_matches('/');
    let address = address.strip_suffix(".git").unwrap_or(address);
    if address.contains("://github.com/") { address.to_ascii_lowercase() } else { address.to_owned() }
}

/// Cargo's own folder.
pub(super) fn cargo_home() -> Option<PathBuf> {
    let home = || std::env::home_dir().map(|home| home.join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home)
}

/// The folders in a folder, sorted.
pub(super) fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

/// The locations of package sources.
pub(super) struct PackageSources {
    published: PublishedPackages,
    vendored: VendoredPackages,
    locked: Locked,
    patches: Patches,
    pub(super) output: BuildOutput,
}

impl PackageSources {
    /// The locations for the package in a folder and all that it depends on.
    pub(super) fn of(dir: &Path) -> Result<PackageSources, String> {
        let registry =
            dir.parent().filter(|p| p.to_string_lossy().replace('\\', "/").contains("registry/src"));
        let published = PublishedPackages::of(registry);
        let output = |locked: &Locked| BuildOutput::of(dir, locked);
        // A package that was published follows the lock and the configuration of those who depend on it.
        if registry.is_some() {
            let (locked, vendored) = (Locked::default(), VendoredPackages::default());
            let output = output(&locked);
            return Ok(PackageSources { published, vendored, locked, patches: Patches::default(), output });
        }
        let (locked, configuration) = (Locked::of(dir), configuration(dir)?);
        let patches = Patches::of(dir, &configuration, &locked)?;
        let vendored = VendoredPackages::of(&configuration);
        let output = output(&locked);
        Ok(PackageSources { published, vendored, locked, patches, output })
    }

    /// The folder of a dependency; `None` if it is not on this machine.
    pub(super) fn find(&self, dependency: &Dependency) -> Result<Option<PathBuf>, String> {
        let package = &*dependency.package;
        let requirement = Requirement::parse(&dependency.version);
        if let Some(source) = dependency.origin.patched_by()
            && let Some(folder) = self.patches.folder(package, source, &requirement)?
        {
            return Ok(Some(folder));
        }
        Ok(match &dependency.origin {
            Origin::Folder(path) => path.canonicalize().ok().filter(|path| path.join("Cargo.toml").exists()),
            Origin::Git(address) => match self.vendored.folder(address) {
                Some(folder) => {
                    folder.package(package, self.locked.newest(package, &requirement), &requirement)
                }
                None => self.locked.checkout(package, address),
            },
            Origin::Registry(registry) => {
                let locked = self.locked.newest(package, &requirement);
                match locked.and_then(|version| self.patches.replacement(package, version)) {
                    Some(replacement) => Some(replacement?),
                    None => match self.vendored.folder(registry) {
                        Some(folder) => folder.package(package, locked, &requirement),
                        None => self.published.package(package, locked, &requirement),
                    },
                }
            }
        })
    }
}

/// What `Cargo.lock` chose.
#[derive(Default)]
pub(super) struct Locked {
    /// The versions of packages, and where they come from unless that is a folder.
    packages: HashMap<String, Vec<(String, Option<String>)>>,
    /// The packages whose patches fit no dependency, with their versions.
    unused_patches: Vec<(String, String)>,
}

impl Locked {
    fn of(dir: &Path) -> Locked {
        let text = dir.ancestors().find_map(|dir| std::fs::read_to_string(dir.join("Cargo.lock")).ok());
        let table = text.and_then(|text| toml_tree::parse(&text).ok()).unwrap_or_default();
        let mut locked = Locked::default();
        for (name, version, source) in entries(table.get("package")) {
            locked.packages.entry(name).or_default().push((version, source));
        }
        let unused = table.get("patch").and_then(|patch| patch.get("unused"));
        locked.unused_patches = entries(unused).map(|(name, version, _)| (name, version)).collect();
        locked
    }

    /// The number of versions of each package.
    pub(super) fn versions(&self) -> HashMap<String, usize> {
        self.packages.iter().map(|(name, versions)| (name.clone(), versions.len())).collect()
    }

    /// Whether the patch that is a version of a package was found to fit no dependency.
    pub(super) fn is_unused(&self, package: &str, version: &str) -> bool {
        self.unused_patches.iter().any(|(name, known)| name == package && known == version)
    }

    /// The newest version of a package that a requirement admits.
    fn newest(&self, package: &str, requirement: &Requirement) -> Option<&str> {
        let versions = self.packages.get(package)?.iter().map(|(version, _)| &**version);
        versions.filter(|v| requirement.admits(version(v))).max_by_key(|v| version(v))
    }

    /// The folder of a package from a git repository, in the commit that was chosen.
    pub(super) fn checkout(&self, package: &str, address: &str) -> Option<PathBuf> {
        let repository = address.rsplit(['/', ':']).next()?;
        let commit = self.packages.get(package)?.iter().find_map(|(_, source)| {
            let (source, commit) = source.as_ref()?.strip_prefix("git+")?.split_once('#')?;
            let source = source.split('?').next().unwrap_or(source);
            (canonical(source) == address).then_some(commit)
        })?;
        // Cargo names the folder of a repository `NAME-HASH`, and that of a commit by its first digits.
        let is_checkout = |folder: &PathBuf| {
            folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
                name.rsplit_once('-').is_some_and(|(name, _)| name.eq_ignore_ascii_case(repository))
            })
        };
        let repositories = subfolders(&cargo_home()?.join("git/checkouts")).into_iter().filter(is_checkout);
        let commits = repositories.flat_map(|repository| subfolders(&repository));
        let mut chosen = commits.filter(|folder| {
            folder.file_name().and_then(|name| name.to_str()).is_some_and(|short| commit.starts_with(short))
        });
        chosen.find_map(|folder| package_within(&folder, package))
    }
}

/// The names, versions and sources of entries of `Cargo.lock`.
fn entries(list: Option<&Value>) -> impl Iterator<Item = (String, String, Option<String>)> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(|entry| {
        let text = |key| entry.get(key).and_then(Value::as_str).map(str::to_owned);
        Some((text("name")?, text("version")?, text("source")))
    })
}

/// The folder of a package in a repository.
fn package_within(folder: &Path, package: &str) -> Option<PathBuf> {
    let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let manifest = toml_tree::parse(&text).unwrap_or_default();
    if manifest.get("package").and_then(|p| p.get("name")).and_then(Value::as_str) == Some(package) {
        return Some(folder.to_owned());
    }
    let is_searched =
        |folder: &PathBuf| !folder.is_symlink() && !folder.ends_with("target") && !folder.ends_with(".git");
    subfolders(folder).into_iter().filter(is_searched).find_map(|inner| package_within(&inner, package))
}
