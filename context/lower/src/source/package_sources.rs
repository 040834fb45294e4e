//! Where the sources of packages are: beside their dependents, and in cargo's folders of registries and of git.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hashbrown::HashMap;
use toml::{Table, Value};

use super::build_output::BuildOutput;
use super::cargo::Dependency;
use super::patches::Patches;
use super::requirement::{Requirement, version};

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
    registries: Vec<Registry>,
    locked: Locked,
    patches: Patches,
    pub(super) output: BuildOutput,
}

impl PackageSources {
    /// The locations for the package in a folder and all that it depends on.
    pub(super) fn of(dir: &Path) -> Result<PackageSources, String> {
        let registry =
            dir.parent().filter(|p| p.to_string_lossy().replace('\\', "/").contains("registry/src"));
        let own = registry.map(Path::to_owned).into_iter();
        let of_cargo = cargo_home().map(|home| subfolders(&home.join("registry/src"))).unwrap_or_default();
        let registries = own.chain(of_cargo).map(Registry::at).collect();
        // A package that was published follows the lock and the patches of those who depend on it.
        let locked = if registry.is_some() { Locked::default() } else { Locked::of(dir) };
        let patches = if registry.is_some() { Patches::default() } else { Patches::of(dir, &locked)? };
        let output = BuildOutput::of(dir, &locked);
        Ok(PackageSources { registries, locked, patches, output })
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
            Origin::Git(address) => self.locked.checkout(package, address),
            Origin::Registry(_) => {
                let locked = self.locked.newest(package, &requirement);
                let known = locked.and_then(|version| self.published(package, version));
                match locked.and_then(|version| self.patches.replacement(package, version)) {
                    Some(replacement) => Some(replacement?),
                    None => known.or_else(|| self.newest_published(package, &requirement)),
                }
            }
        })
    }

    /// The folder of a version of a published package.
    fn published(&self, package: &str, version: &str) -> Option<PathBuf> {
        let folder = format!("{package}-{version}");
        self.registries.iter().map(|registry| registry.folder.join(&folder)).find(|folder| folder.exists())
    }

    /// The folder of the newest version that a requirement admits.
    fn newest_published(&self, package: &str, requirement: &Requirement) -> Option<PathBuf> {
        let prefix = format!("{package}-");
        self.registries.iter().find_map(|registry| {
            let fits = registry.names_from(&prefix).filter_map(|name| {
                let found = name.strip_prefix(&prefix)?;
                let known = found.starts_with(|c: char| c.is_ascii_digit()).then(|| version(found))?;
                requirement.admits(known).then_some((known, name))
            });
            fits.max().map(|(_, name)| registry.folder.join(name))
        })
    }
}

/// A folder with the packages of a registry.
struct Registry {
    folder: PathBuf,
    /// The names in it, sorted. There may be thousands, and many packages that are optional are not there.
    names: OnceLock<Vec<String>>,
}

impl Registry {
    fn at(folder: PathBuf) -> Registry {
        Registry { folder, names: OnceLock::new() }
    }

    /// The names that begin with a prefix.
    fn names_from<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        let names = self.names.get_or_init(|| {
            let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
            let mut names: Vec<String> =
                entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
            names.sort_unstable();
            names
        });
        let first = names.partition_point(|name| name.as_str() < prefix);
        names[first..].iter().map(String::as_str).take_while(move |name| name.starts_with(prefix))
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
        let table = text.and_then(|text| text.parse::<Table>().ok()).unwrap_or_default();
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
    let manifest = text.parse::<Table>().unwrap_or_default();
    if manifest.get("package").and_then(|p| p.get("name")).and_then(Value::as_str) == Some(package) {
        return Some(folder.to_owned());
    }
    let is_searched =
        |folder: &PathBuf| !folder.is_symlink() && !folder.ends_with("target") && !folder.ends_with(".git");
    subfolders(folder).into_iter().filter(is_searched).find_map(|inner| package_within(&inner, package))
}
