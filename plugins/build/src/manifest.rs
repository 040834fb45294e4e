//! The manifest of a package, as far as it determines which source is read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// A program, a test or an example of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The name of its crate.
    pub name: String,
    /// Its root file.
    pub root: PathBuf,
}

/// How another manifest differs from that of a package.
pub(crate) struct Variant<'v> {
    /// The features that are on by default.
    pub(crate) features: &'v BTreeSet<String>,
    pub(crate) root: &'v Path,
    /// The name of the crate, if it is not that of the library.
    pub(crate) name: Option<&'v str>,
    /// The folder of the library, for a program, a test or an example, which may use it.
    pub(crate) library: Option<&'v Path>,
}

/// The manifest of a package.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// The folder that it is in, without links.
    pub(crate) folder: PathBuf,
    table: Table,
    /// The folder and the table `workspace` of the workspace that it inherits from.
    workspace: Option<(PathBuf, Table)>,
}

impl Manifest {
    /// Reads the manifest in a folder.
    pub(crate) fn read(folder: &Path) -> Result<Manifest, String> {
        let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
        let path = folder.join("Cargo.toml");
        let table = read_table(&path).map_err(|reason| format!("{}: {reason}", path.display()))?;
        if !table.get("package").is_some_and(Value::is_table) {
            return Err(format!("{}: there is no `[package]`", path.display()));
        }
        let workspace = folder.ancestors().find_map(|above| {
            let table = read_table(&above.join("Cargo.toml")).ok()?;
            Some((above.to_owned(), table.get("workspace")?.as_table()?.clone()))
        });
        Ok(Manifest { folder, table, workspace })
    }

    /// Whether it is a crate of procedural macros, which overdub does not see into.
    pub(crate) fn is_of_macros(&self) -> bool {
        self.table.get("lib").and_then(|lib| lib.get("proc-macro")).and_then(Value::as_bool) == Some(true)
    }

    /// The name of the package.
    pub(crate) fn name(&self) -> &str {
        self.table
            .get("package")
            .and_then(|package| package.get("name"))
            .and_then(Value::as_str)
            .unwrap_or("")
    }

    /// The root file of the library or, without one, of the program.
    pub(crate) fn root_file(&self) -> PathBuf {
        let given = self.table.get("lib").and_then(|lib| lib.get("path")).and_then(Value::as_str);
        let (lib, main) = (self.folder.join(given.unwrap_or("src/lib.rs")), self.folder.join("src/main.rs"));
        if !lib.exists() && main.exists() { main } else { lib }
    }

    /// The files that determine it: itself, the manifest of its workspace, and the versions of its dependencies.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files = vec![self.folder.join("Cargo.toml")];
        files.extend(self.workspace.iter().map(|(folder, _)| folder.join("Cargo.toml")));
        files.extend(self.lock_file());
        files
    }

    /// Adds what programs, tests and examples of a package may name: its library, and the dependencies for tests.
    fn add_dependencies_of_targets(&self, table: &mut Table, features: &BTreeSet<String>, library: &Path) {
        let for_tests = table.get("dev-dependencies").and_then(Value::as_table).cloned();
        let all = table.entry("dependencies").or_insert_with(|| Value::Table(Table::new()));
        let Some(all) = all.as_table_mut() else { return };
        for (key, dependency) in for_tests.into_iter().flatten() {
            all.entry(key).or_insert(dependency);
        }
        let features = features.iter().map(|feature| Value::String(feature.clone())).collect();
        let library = Table::from_iter([
            ("path".to_owned(), Value::String(library.display().to_string())),
            ("default-features".to_owned(), Value::Boolean(false)),
            ("features".to_owned(), Value::Array(features)),
        ]);
        all.insert(self.name().to_owned(), Value::Table(library));
    }

    fn lock_file(&self) -> Option<PathBuf> {
        self.folder.ancestors().map(|folder| folder.join("Cargo.lock")).find(|path| path.exists())
    }

    /// The folders of the dependencies that are not published packages.
    pub(crate) fn path_dependencies(&self) -> Vec<PathBuf> {
        let inherited = self
            .workspace
            .as_ref()
            .and_then(|(folder, workspace)| Some((folder, workspace.get("dependencies")?.as_table()?)));
        let mut found = Vec::new();
        for (key, dependency) in tables_of_dependencies(&self.table).flatten() {
            let path = |value: &Value, base: &Path| Some(base.join(value.get("path")?.as_str()?));
            let is_inherited = dependency.get("workspace").and_then(Value::as_bool) == Some(true);
            let of_workspace = || {
                let (folder, shared) = inherited.filter(|_| is_inherited)?;
                path(shared.get(key)?, folder)
            };
            found.extend(path(dependency, &self.folder).or_else(of_workspace));
        }
        found
    }

    /// The names of its features, and of the optional dependencies, which are features too unless `dep:` names them.
    pub(crate) fn features(&self) -> BTreeSet<String> {
        let features = self.table.get("features").and_then(Value::as_table);
        let declared = || features.into_iter().flatten();
        let lists = declared().filter_map(|(_, list)| list.as_array());
        let items: Vec<&str> = lists.flatten().filter_map(Value::as_str).collect();
        let optional = tables_of_dependencies(&self.table)
            .flatten()
            .filter(|(_, dependency)| dependency.get("optional").and_then(Value::as_bool) == Some(true))
            .filter(|(name, _)| !items.iter().any(|item| item.strip_prefix("dep:") == Some(name)));
        declared().chain(optional).map(|(name, _)| name.clone()).filter(|name| name != "default").collect()
    }

    /// The features that are on by default.
    pub(crate) fn default_features(&self) -> BTreeSet<String> {
        let names = self.features();
        let listed = |feature: &str| {
            let list = self.table.get("features").and_then(|features| features.get(feature));
            let items = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            // `other/feature` turns the optional dependency `other` on, `other?/feature` does not.
            let own = items.map(|item| item.split_once('/').map_or(item, |(dependency, _)| dependency));
            own.map(str::to_owned).collect::<Vec<String>>()
        };
        let (mut found, mut waiting) = (BTreeSet::new(), listed("default"));
        while let Some(feature) = waiting.pop() {
            if names.contains(&feature) && !found.contains(&feature) {
                waiting.extend(listed(&feature));
                found.insert(feature);
            }
        }
        found
    }

    /// Writes a manifest into another folder that is this one with exactly these features on by default, and with this
    /// root file. It can be read from there: its paths are absolute, and what it inherits from its workspace is in it.
    pub(crate) fn write_variant(&self, variant: &Variant<'_>, to: &Path) -> Result<(), String> {
        let features = variant.features;
        let mut table = self.table.clone();
        let list = features.iter().map(|feature| Value::String(feature.clone())).collect();
        let own = table.entry("features").or_insert_with(|| Value::Table(Table::new()));
        if let Some(own) = own.as_table_mut() {
            own.insert("default".to_owned(), Value::Array(list));
        }
        let lib = table.entry("lib").or_insert_with(|| Value::Table(Table::new()));
        if let Some(lib) = lib.as_table_mut() {
            lib.insert("path".to_owned(), Value::String(variant.root.display().to_string()));
            lib.extend(variant.name.map(|name| ("name".to_owned(), Value::String(name.to_owned()))));
        }
        if let Some(library) = variant.library {
            self.add_dependencies_of_targets(&mut table, features, library);
        }
        for_each_dependency(&mut table, &mut |dependency| make_absolute(dependency, &self.folder));
        let workspace = match &self.workspace {
            Some((folder, workspace)) => {
                let mut workspace = workspace.clone();
                for_each_dependency(&mut workspace, &mut |dependency| make_absolute(dependency, folder));
                workspace
            }
            None => Table::new(),
        };
        // Reading their manifests would take longer than all else.
        let shared = workspace.get("dependencies").and_then(Value::as_table);
        retain_dependencies(&mut table, &|name, dependency| {
            let inherited = shared.and_then(|shared| shared.get(name));
            let path = dependency.get("path").or_else(|| inherited?.get("path")).and_then(Value::as_str);
            !path.is_some_and(|path| Manifest::read(Path::new(path)).is_ok_and(|found| found.is_of_macros()))
        });
        table.insert("workspace".to_owned(), Value::Table(workspace));
        let failed = |error: std::io::Error| format!("{}: {error}", to.display());
        fs::create_dir_all(to).map_err(failed)?;
        fs::write(to.join("Cargo.toml"), table.to_string()).map_err(failed)?;
        if let Some(lock) = self.lock_file() {
            fs::copy(lock, to.join("Cargo.lock")).map_err(failed)?;
        }
        Ok(())
    }
}

fn read_table(path: &Path) -> Result<Table, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    text.parse().map_err(|error: toml::de::Error| error.to_string())
}

/// The tables of dependencies of a package, those for some targets included.
fn tables_of_dependencies(table: &Table) -> impl Iterator<Item = &Table> {
    let of_targets = table.get("target").and_then(Value::as_table).into_iter().flatten();
    let of_targets = of_targets.filter_map(|(_, target)| target.get("dependencies"));
    table.get("dependencies").into_iter().chain(of_targets).filter_map(Value::as_table)
}

fn for_each_dependency(table: &mut Table, change: &mut dyn FnMut(&mut Value)) {
    if let Some(dependencies) = table.get_mut("dependencies").and_then(Value::as_table_mut) {
        dependencies.iter_mut().for_each(|(_, dependency)| change(dependency));
    }
    let targets = table.get_mut("target").and_then(Value::as_table_mut).into_iter().flatten();
    for (_, target) in targets {
        if let Some(target) = target.as_table_mut() {
            for_each_dependency(target, change);
        }
    }
}

fn retain_dependencies(table: &mut Table, keep: &dyn Fn(&str, &Value) -> bool) {
    if let Some(dependencies) = table.get_mut("dependencies").and_then(Value::as_table_mut) {
        dependencies.retain(|name, dependency| keep(name, dependency));
    }
    let targets = table.get_mut("target").and_then(Value::as_table_mut).into_iter().flatten();
    for (_, target) in targets {
        if let Some(target) = target.as_table_mut() {
            retain_dependencies(target, keep);
        }
    }
}

/// Makes the path of a dependency one from the root.
fn make_absolute(dependency: &mut Value, base: &Path) {
    if let Some(Value::String(path)) = dependency.get_mut("path") {
        *path = base.join(&*path).display().to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"
        [package]
        name = "model"
        [features]
        default = ["fast", "other/std"]
        fast = ["wide", "maybe?/std"]
        wide = []
        slow = ["dep:hidden"]
        [dependencies]
        near = { path = "../near" }
        other = { version = "1", optional = true }
        maybe = { version = "1", optional = true }
        hidden = { version = "1", optional = true }
        [target.'cfg(unix)'.dependencies]
        shared.workspace = true
    "#;

    fn manifest() -> Manifest {
        let table = MANIFEST.parse().unwrap_or_else(|error| panic!("{error}"));
        let workspace: Table = r#"dependencies = { shared = { path = "shared" } }"#
            .parse()
            .unwrap_or_else(|error| panic!("{error}"));
        Manifest {
            folder: PathBuf::from("/all/model"),
            table,
            workspace: Some((PathBuf::from("/all"), workspace)),
        }
    }

    #[test]
    fn features_turn_others_and_optional_dependencies_on() {
        let names = |set: BTreeSet<String>| set.into_iter().collect::<Vec<String>>();
        assert_eq!(names(manifest().default_features()), ["fast", "other", "wide"]);
        assert_eq!(names(manifest().features()), ["fast", "maybe", "other", "slow", "wide"]);
    }

    #[test]
    fn dependencies_by_path_are_relative_to_the_manifest_that_names_them() {
        let expected = ["/all/model/../near", "/all/shared"].map(PathBuf::from);
        assert_eq!(manifest().path_dependencies(), expected);
    }
}
