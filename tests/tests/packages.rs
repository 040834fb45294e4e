//! Each crate that can be published describes itself, and contains the licences.

use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

#[test]
fn what_is_published_describes_itself_and_contains_the_licences() {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let listed = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo runs");
    let metadata: Json = serde_json::from_slice(&listed.stdout).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let mut published = 0;
    for package in packages.iter().filter(|package| package["publish"].is_null()) {
        let name = package["name"].as_str().expect("a package has a name");
        for key in ["description", "license", "readme", "rust_version"] {
            assert!(package[key].is_string(), "{name} has no `{key}`");
        }
        for key in ["categories", "keywords"] {
            assert!(package[key].as_array().is_some_and(|list| !list.is_empty()), "{name} has no `{key}`");
        }
        let manifest = Path::new(package["manifest_path"].as_str().expect("it is there"));
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(manifest.with_file_name(licence).exists(), "{name} has no {licence}");
        }
        published += 1;
    }
    assert!(published > 20, "{published}");
}
