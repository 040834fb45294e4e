//! Manifests: the dependencies of a crate, the locations of their sources, and the enabled features.
//!
//! - MANIFEST1 nothing is run and nothing is downloaded: versions come from `Cargo.lock`, sources from
//!   cargo's own folders.
//! - MANIFEST2 a dependency that cannot be determined (its source is not on this machine) is omitted, and its
//!   name is not found where it is used.
//! - MANIFEST3 a package that the workspace patches is never read from where it was before: if what takes its
//!   place cannot be determined, that is an error.

use std::path::{Path, PathBuf};

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;

use super::build_output::BuildOutput;
use super::cfg::CfgOptions;
use super::package_sources::{Origin, PackageSources};
use super::toml_tree::{self, Table, Value};
use super::workspace::{Workspace, Workspaces};

/// Packages with their dependencies: the requested ones come first, in the order of the request.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) packages: Vec<Package>,
    /// What their build scripts wrote.
    pub(crate) output: BuildOutput,
}

/// A package whose dependencies are requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GraphRoot {
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    /// Its enabled features; the default features if `None`.
    pub(crate) features: Option<Vec<String>>,
    /// Whether the dependencies of its tests, examples and benchmarks are requested too.
    pub(crate) with_dev_dependencies: bool,
}

impl GraphRoot {
    /// The library of the package in a folder, with default features.
    pub(crate) fn library(folder: PathBuf) -> GraphRoot {
        GraphRoot { folder, features: None, with_dev_dependencies: false }
    }
}

/// A package.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) edition: u16,
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    /// The root file of its library.
    pub(crate) lib: PathBuf,
    /// The dependencies by their names in its source.
    pub(crate) deps: HashMap<Symbol, usize>,
    pub(crate) features: HashSet<String>,
    /// Whether it is a dependency with the features that are on, and not one that some other feature adds.
    pub(crate) is_enabled: bool,
    /// The dependencies by their keys in the manifest.
    by_key: HashMap<String, usize>,
    dependencies: Vec<Dependency>,
    table: Table,
}

#[derive(Clone, Debug)]
pub(super) struct Dependency {
    key: String,
    pub(super) package: String,
    pub(super) version: String,
    pub(super) origin: Origin,
    features: Vec<String>,
    default_features: bool,
    optional: bool,
}

/// The flags that build scripts of common crates set for a current compiler, where no build has left what they set.
const FLAGS: [&str; 11] = [
    "has_total_cmp",
    "has_float_to_int_unchecked",
    "has_to_int_unchecked",
    "has_reverse_bits",
    "has_leading_trailing_ones",
    "has_div_euclid",
    "has_copysign",
    "has_is_subnormal",
    "has_int_assignop_ref",
    "has_i128",
    "has_const_fn",
];

impl Package {
    /// The options that its `cfg`s may test.
    pub(crate) fn cfg(&self, output: &BuildOutput) -> CfgOptions {
        let set = if self.has_build_script() { output.cfgs(&self.name) } else { None };
        let flags = match set {
            // Tokens are text here, and not those of a compiler (`prelude/proc_macro`).
            Some(set) => set.into_iter().filter(|flag| flag != "wrap_proc_macro").collect(),
            None => FLAGS.iter().map(|flag| (*flag).to_owned()).collect(),
        };
        CfgOptions { features: self.features.clone(), flags, ..CfgOptions::default() }
    }

    /// What cargo says of the package in the variable `CARGO_PKG_NAME` and the like, without the prefix.
    pub(crate) fn about(&self, name: &str) -> Option<String> {
        let (numbers, pre) = self.version.split_once('-').unwrap_or((&self.version, ""));
        let number = |at: usize| numbers.split(['.', '+']).nth(at).unwrap_or_default().to_owned();
        let key = match name {
            "NAME" => return Some(self.name.clone()),
            "VERSION" => return Some(self.version.clone()),
            "VERSION_MAJOR" => return Some(number(0)),
            "VERSION_MINOR" => return Some(number(1)),
            "VERSION_PATCH" => return Some(number(2)),
            "VERSION_PRE" => return Some(pre.split('+').next().unwrap_or_default().to_owned()),
            "AUTHORS" | "DESCRIPTION" | "HOMEPAGE" | "REPOSITORY" | "LICENSE" | "LICENSE_FILE"
            | "RUST_VERSION" | "README" => name.to_lowercase().replace('_', "-"),
            _ => return None,
        };
        let value = self.table.get("package").and_then(|package| package.get(&key));
        let list = value.and_then(Value::as_array).map(|list| list.iter().filter_map(Value::as_str));
        let text = value.and_then(Value::as_str).map(str::to_owned);
        Some(text.or_else(|| Some(list?.collect::<Vec<_>>().join(":"))).unwrap_or_default())
    }

    fn has_build_script(&self) -> bool {
        match self.table.get("package").and_then(|package| package.get("build")) {
            Some(build) => build.as_bool() != Some(false),
            None => self.folder.join("build.rs").exists(),
        }
    }

    /// The same for a dependency: as for Miri, for which crates have code without assembly and vector units (CFG3).
    pub(crate) fn cfg_of_dependency(&self, output: &BuildOutput) -> CfgOptions {
        let mut cfg = self.cfg(output);
        cfg.flags.insert("miri".to_owned());
        cfg
    }

    /// The crate's own name for itself.
    pub(crate) fn ident(&self) -> Symbol {
        let lib = self.table.get("lib").and_then(|lib| lib.get("name")).and_then(Value::as_str);
        Symbol::new(&lib.unwrap_or(&self.name).replace('-', "_"))
    }

    /// Whether its library runs in the compiler, and not in programs.
    pub(crate) fn is_proc_macro(&self) -> bool {
        let is =
            |key| self.table.get("lib").and_then(|lib| lib.get(key)).and_then(Value::as_bool) == Some(true);
        is("proc-macro") || is("proc_macro")
    }

    fn read(dir: &Path, workspaces: &Workspaces) -> Result<Package, String> {
        let path = dir.join("Cargo.toml");
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("cannot read `{}`: {e}", path.display()))?;
        let table = toml_tree::parse(&text).map_err(|e| format!("cannot read `{}`: {e}", path.display()))?;
        let Some(package) = table.get("package").and_then(Value::as_table) else {
            return Err(format!("`{}` has no `[package]`", path.display()));
        };
        let workspace = || workspaces.of(dir).and_then(|workspace| workspace.table.get("package").cloned());
        let text_of = |key: &str, otherwise: &str| match package.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Table(_)) => workspace()
                .and_then(|w| w.get(key).and_then(Value::as_str).map(str::to_owned))
                .unwrap_or_else(|| otherwise.to_owned()),
            _ => otherwise.to_owned(),
        };
        let lib = table.get("lib").and_then(|lib| lib.get("path")).and_then(Value::as_str);
        let main = dir.join("src/main.rs");
        let lib = dir.join(lib.unwrap_or("src/lib.rs"));
        let lib = if !lib.exists() && main.exists() { main } else { lib };
        Ok(Package {
            name: text_of("name", ""),
            version: text_of("version", "0.0.0"),
            edition: text_of("edition", "2015").parse().unwrap_or(2015),
            folder: dir.to_owned(),
            lib,
            deps: HashMap::new(),
            by_key: HashMap::new(),
            features: HashSet::new(),
            is_enabled: false,
            dependencies: read_dependencies(dir, &table, workspaces),
            table,
        })
    }

    fn read_root(root: &GraphRoot, workspaces: &Workspaces) -> Result<Package, String> {
        let dir = root.folder.canonicalize().unwrap_or_else(|_| root.folder.clone());
        let mut package = Package::read(&dir, workspaces)?;
        if root.with_dev_dependencies {
            package.add_dependencies(&dir, "dev-dependencies", workspaces);
        }
        Ok(package)
    }

    /// Adds the dependencies under a manifest key other than `dependencies`.
    fn add_dependencies(&mut self, dir: &Path, kind: &str, workspaces: &Workspaces) {
        let more = self.table.get(kind).and_then(Value::as_table).into_iter().flatten();
        self.dependencies.extend(more.map(|(key, value)| dependency(dir, key, value, workspaces)));
    }

    /// Whether a dependency is not optional, or a feature turns it on.
    fn uses(&self, dependency: &Dependency) -> bool {
        let key = &dependency.key;
        !dependency.optional || self.features.contains(key) || self.features.contains(&format!("dep:{key}"))
    }

    /// What a feature turns on; none if the manifest has no such feature.
    pub(super) fn feature(&self, name: &str) -> Option<Vec<String>> {
        let list = self.table.get("features")?.get(name)?.as_array()?;
        Some(list.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect())
    }
}

impl Dependency {
    /// The name in sources: the package's own name, unless the manifest renames it.
    fn name(&self, package: &Package) -> Symbol {
        if self.key == self.package { package.ident() } else { Symbol::new(&self.key.replace('-', "_")) }
    }
}

fn read_dependencies(dir: &Path, table: &Table, workspaces: &Workspaces) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut read = |deps: Option<&Value>| {
        for (key, value) in deps.and_then(Value::as_table).into_iter().flatten() {
            found.push(dependency(dir, key, value, workspaces));
        }
    };
    read(table.get("dependencies"));
    let cfg = CfgOptions::default();
    for (target, inner) in table.get("target").and_then(Value::as_table).into_iter().flatten() {
        let holds = match target.strip_prefix("cfg(").and_then(|t| t.strip_suffix(')')) {
            Some(text) => cfg.holds(text, 0, text.len()),
            None => target == env!("OVERDUB_TARGET"),
        };
        if holds {
            read(inner.get("dependencies"));
        }
    }
    found
}

fn dependency(dir: &Path, key: &str, value: &Value, workspaces: &Workspaces) -> Dependency {
    let mut base = dir.to_owned();
    let mut spec = value.as_table().cloned().unwrap_or_default();
    if spec.get("workspace").and_then(Value::as_bool) == Some(true)
        && let Some(workspace) = workspaces.of(dir)
        && let Workspace { folder, table } = &*workspace
        && let Some(shared) = table.get("dependencies").and_then(|d| d.get(key))
    {
        base.clone_from(folder);
        match shared {
            Value::Table(shared) => {
                for (key, value) in shared {
                    spec.entry(key.clone()).or_insert_with(|| value.clone());
                }
            }
            other => {
                spec.insert("version".to_owned(), other.clone());
            }
        }
    }
    let text = |name: &str| spec.get(name).and_then(Value::as_str).map(str::to_owned);
    let truth = |name: &str| spec.get(name).and_then(Value::as_bool);
    let features = spec.get("features").and_then(Value::as_array).into_iter().flatten();
    Dependency {
        key: key.to_owned(),
        package: text("package").unwrap_or_else(|| key.to_owned()),
        version: value
            .as_str()
            .map(str::to_owned)
            .or_else(|| text("version"))
            .unwrap_or_else(|| "*".to_owned()),
        origin: Origin::of(&spec, &base),
        features: features.filter_map(|v| v.as_str().map(str::to_owned)).collect(),
        default_features: truth("default-features").or_else(|| truth("default_features")).unwrap_or(true),
        optional: truth("optional").unwrap_or(false),
    }
}

/// The crate names in a package's manifest: its own, and the keys of its dependencies. A library whose own
/// manifest gives it a different name is not included.
pub(crate) fn names(root: &GraphRoot) -> HashSet<Symbol> {
    let Ok(package) = Package::read_root(root, &Workspaces::default()) else { return HashSet::new() };
    let keys = package.dependencies.iter().map(|dependency| Symbol::new(&dependency.key.replace('-', "_")));
    keys.chain([package.ident()]).collect()
}

/// The name and the root file of the library of the package in a folder.
pub(crate) fn library(dir: &Path) -> Option<(Symbol, PathBuf)> {
    let package = Package::read(dir, &Workspaces::default()).ok()?;
    Some((package.ident(), package.lib)).filter(|(_, lib)| lib.exists())
}

/// The name, version and folder of the package in a folder.
pub(super) fn identity(dir: &Path) -> Option<(String, String, PathBuf)> {
    let package = Package::read(dir, &Workspaces::default()).ok()?;
    Some((package.name, package.version, dir.to_owned()))
}

/// The source folder of a crate that a package depends on, including for tests and examples, in the version
/// from `Cargo.lock` (MANIFEST1). The crate is given by the name in its own manifest or in the package's.
pub(crate) fn folder_of_dependency(dir: &Path, name: &str) -> Result<PathBuf, String> {
    let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let workspaces = Workspaces::default();
    let mut package = Package::read(&dir, &workspaces)?;
    package.add_dependencies(&dir, "dev-dependencies", &workspaces);
    package.add_dependencies(&dir, "build-dependencies", &workspaces);
    let is_it = |dependency: &&Dependency| dependency.package == name || dependency.key == name;
    let Some(dependency) = package.dependencies.iter().find(is_it) else {
        return Err(format!("the manifest in `{}` names no dependency `{name}`", dir.display()));
    };
    let missing = || format!("the source of `{name}` {} is not on this machine", dependency.version);
    PackageSources::of(&dir)?.find(dependency)?.ok_or_else(missing)
}

impl Graph {
    /// Reads packages and their dependencies.
    pub(crate) fn read(roots: &[GraphRoot]) -> Result<Graph, String> {
        let mut graph = Graph::default();
        let mut known = HashMap::new();
        let (mut sources, workspaces) = (None, Workspaces::default());
        for root in roots {
            let dir = root.folder.canonicalize().unwrap_or_else(|_| root.folder.clone());
            if sources.is_none() {
                sources = Some(PackageSources::of(&dir)?);
            }
            graph.packages.push(Package::read_root(root, &workspaces)?);
            known.insert(dir, graph.packages.len() - 1);
        }
        let Some(sources) = sources else { return Ok(graph) };
        let mut at = 0;
        // Every dependency is read, including optional ones: which of them are enabled is known only when all
        // features are.
        while at < graph.packages.len() {
            for dependency in graph.packages[at].dependencies.clone() {
                let Some(dir) = sources.find(&dependency)? else { continue };
                let index = match known.get(&dir) {
                    Some(index) => *index,
                    None => {
                        let Ok(package) = Package::read(&dir, &workspaces) else { continue };
                        graph.packages.push(package);
                        known.insert(dir, graph.packages.len() - 1);
                        graph.packages.len() - 1
                    }
                };
                let name = dependency.name(&graph.packages[index]);
                graph.packages[at].deps.insert(name, index);
                graph.packages[at].by_key.insert(dependency.key.clone(), index);
            }
            at += 1;
        }
        for (at, root) in roots.iter().enumerate() {
            match &root.features {
                Some(features) => features.iter().for_each(|feature| graph.enable(at, feature)),
                None => graph.enable(at, "default"),
            }
        }
        graph.close(roots.len());
        graph.output = sources.output;
        Ok(graph)
    }

    fn enable(&mut self, package: usize, feature: &str) {
        if !self.packages[package].features.insert(feature.to_owned()) {
            return;
        }
        for item in self.packages[package].feature(feature).unwrap_or_default() {
            if let Some(dep) = item.strip_prefix("dep:") {
                self.packages[package].features.insert(format!("dep:{dep}"));
            } else if let Some((dep, feature)) = item.split_once('/') {
                let weak = dep.ends_with('?');
                let dep = dep.trim_end_matches('?');
                // A weak feature is for a dependency that something else turns on.
                if weak {
                    continue;
                }
                self.packages[package].features.insert(format!("dep:{dep}"));
                if let Some(index) = self.packages[package].by_key.get(dep) {
                    self.enable(*index, feature);
                }
            } else {
                self.enable(package, &item);
            }
        }
    }

    /// Enables the features that dependents request from their dependencies, until these request no more.
    fn close(&mut self, roots: usize) {
        loop {
            let before = self.count_features();
            let mut order: Vec<usize> = (0..roots).collect();
            let mut seen: HashSet<usize> = order.iter().copied().collect();
            let mut at = 0;
            while let Some(&package) = order.get(at) {
                at += 1;
                self.packages[package].is_enabled = true;
                for dependency in self.packages[package].dependencies.clone() {
                    if let Some(index) = self.request(package, &dependency)
                        && seen.insert(index)
                    {
                        order.push(index);
                    }
                }
            }
            if self.count_features() == before {
                break;
            }
        }
        for at in 0..self.packages.len() {
            let package = &self.packages[at];
            let is_used =
                |key: &String| package.dependencies.iter().any(|it| it.key == *key && package.uses(it));
            let unused = package.dependencies.iter().filter(|dependency| !is_used(&dependency.key));
            let names = unused.filter_map(|dependency| {
                Some(dependency.name(&self.packages[*package.by_key.get(&dependency.key)?]))
            });
            for name in names.collect::<Vec<_>>() {
                self.packages[at].deps.remove(&name);
            }
        }
    }

    fn count_features(&self) -> usize {
        self.packages.iter().map(|package| package.features.len()).sum()
    }

    /// Enables the features that a package requests from a dependency that it uses, and returns that.
    fn request(&mut self, package: usize, dependency: &Dependency) -> Option<usize> {
        let dependent = &self.packages[package];
        let index = *dependent.by_key.get(&dependency.key).filter(|_| dependent.uses(dependency))?;
        let mut features = dependency.features.clone();
        features.extend(dependency.default_features.then(|| "default".to_owned()));
        let weak = format!("{}?/", dependency.key);
        let items = dependent.features.iter().filter_map(|feature| dependent.feature(feature)).flatten();
        features.extend(items.filter_map(|item| item.strip_prefix(&weak).map(str::to_owned)));
        features.iter().for_each(|feature| self.enable(index, feature));
        Some(index)
    }
}
