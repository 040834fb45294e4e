//! The graph of packages against that of cargo, for the packages of this workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cargo::{Graph, GraphRoot};
use super::toml_tree::Value;
use super::workspace::Workspaces;

/// The packages that a library is built with, with their features.
type Packages = BTreeMap<String, BTreeSet<String>>;

/// As cargo resolves it for a package in a folder.
fn by_cargo(folder: &Path, package: &str) -> Packages {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = |options: &[&str]| {
        Command::new(&cargo)
            .args(["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--no-dedupe"])
            .args(["--format", "{p}|{f}"])
            .args(options)
            .current_dir(folder)
            .output()
            .expect("cargo can be run")
    };
    // Without the network first: what is built with is there already, unless only this package was.
    let offline = tree(&["--offline"]);
    let output = if offline.status.success() { offline } else { tree(&[]) };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut packages = Packages::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((package, features)) = line.split_once('|') else { continue };
        let mut words = package.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let known = packages.entry(format!("{name} {}", version.trim_start_matches('v'))).or_default();
        // A macro and the program may use a package with different features; here it is read once, with all.
        known.extend(features.split(',').filter(|feature| !feature.is_empty()).map(str::to_owned));
    }
    packages
}

/// As it is read here.
fn by_own_reading(graph: &Graph) -> Packages {
    let enabled = graph.packages.iter().filter(|package| package.is_enabled);
    let named = enabled.map(|package| {
        // A `default` that the manifest does not have is no feature.
        let is_feature = |name: &&String| {
            !name.starts_with("dep:") && (*name != "default" || package.feature(name).is_some())
        };
        let features = package.features.iter().filter(is_feature).cloned().collect();
        (format!("{} {}", package.name, package.version), features)
    });
    named.collect()
}

/// The folders of this package, and of the others of its workspace if it is in one.
fn folders() -> Vec<PathBuf> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let workspace = Workspaces::default().of(&own);
    let members = workspace.iter().flat_map(|workspace| {
        let members = workspace.table.get("members").and_then(Value::as_array).into_iter().flatten();
        members.filter_map(Value::as_str).map(|member| workspace.folder.join(member))
    });
    members.chain([own.clone()]).collect()
}

#[test]
fn the_packages_and_features_are_those_of_cargo() {
    for folder in folders() {
        let graph = Graph::read(&[GraphRoot::library(folder.clone())]).expect("the packages can be read");
        let by_cargo = by_cargo(&folder, &graph.packages[0].name);
        assert_eq!(by_own_reading(&graph), by_cargo, "{}", folder.display());
    }
}
