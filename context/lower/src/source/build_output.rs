//! What build scripts wrote and set: files, which `include!(concat!(env!("OUT_DIR"), "/file.rs"))` includes, variables and
//! options for `cfg`.
//!
//! - OUTDIR1 no build script is run: its files are those that cargo's builds left in the target folder.
//! - OUTDIR2 if builds left different files, the newest one counts, unless several versions of the package are
//!   locked: which of them wrote a file is not known.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hashbrown::HashMap;

use super::configuration::configuration;
use super::package_sources::{Locked, subfolders};

/// The target folder of a workspace, and the number of locked versions of each package.
#[derive(Debug, Default)]
pub(crate) struct BuildOutput {
    target: PathBuf,
    versions: HashMap<String, usize>,
}

impl BuildOutput {
    /// The build output of the workspace to which the package in a folder belongs.
    pub(super) fn of(dir: &Path, locked: &Locked) -> BuildOutput {
        let workspace = dir.ancestors().find(|dir| dir.join("Cargo.lock").exists()).unwrap_or(dir);
        BuildOutput { target: target_folder(workspace), versions: locked.versions() }
    }

    /// The file that the build script of a package wrote.
    ///
    /// # Errors
    /// If there is none, or it is not known which one it is (OUTDIR2).
    pub(crate) fn file(&self, package: &str, file: &str) -> Result<PathBuf, String> {
        self.newest(package, &Path::new("out").join(file))
    }

    /// The value of a variable that the build script of a package set for `env!`.
    pub(crate) fn variable(&self, package: &str, name: &str) -> Option<String> {
        self.set(package, "rustc-env=")?.into_iter().find_map(|set| {
            let (known, value) = set.split_once('=')?;
            (known == name).then(|| value.to_owned())
        })
    }

    /// The options that the build script of a package set for `cfg`: `name` or `name="value"`. None is known if it did not
    /// run.
    pub(super) fn cfgs(&self, package: &str) -> Option<Vec<String>> {
        self.set(package, "rustc-cfg=")
    }

    /// What follows an instruction in each line that the build script of a package wrote to cargo.
    fn set(&self, package: &str, instruction: &str) -> Option<Vec<String>> {
        let output = std::fs::read_to_string(self.newest(package, Path::new("output")).ok()?).ok()?;
        let set = output.lines().filter_map(|line| {
            let line = line.strip_prefix("cargo:")?.trim_start_matches(':');
            line.strip_prefix(instruction).map(str::to_owned)
        });
        Some(set.collect())
    }

    /// The newest of the files at a path in the folders of a package's builds.
    fn newest(&self, package: &str, path: &Path) -> Result<PathBuf, String> {
        // `target/PROFILE/build/NAME-HASH/out`, or `target/TRIPLE/PROFILE/…` for another target.
        let first = subfolders(&self.target);
        let second = first.iter().flat_map(|folder| subfolders(folder)).collect::<Vec<_>>();
        let builds = first.iter().chain(&second).flat_map(|folder| subfolders(&folder.join("build")));
        let is_of_package = |folder: &PathBuf| {
            let name = folder.file_name().and_then(|name| name.to_str());
            name.and_then(|name| name.rsplit_once('-')).is_some_and(|(name, _)| name == package)
        };
        let files = builds.filter(is_of_package).map(|folder| folder.join(path));
        let written = |path: &Path| path.metadata().and_then(|of| of.modified()).ok();
        let mut found: Vec<(SystemTime, PathBuf)> =
            files.filter_map(|path| Some((written(&path)?, path))).collect();
        found.sort();
        let Some((_, newest)) = found.pop() else {
            return Err(format!("the build script of `{package}` has not run here: `cargo build` runs it"));
        };
        if self.versions.get(package).is_some_and(|count| *count > 1) {
            let content = std::fs::read(&newest).ok();
            if found.iter().any(|(_, other)| std::fs::read(other).ok() != content) {
                return Err(format!(
                    "several versions of `{package}` are locked, and their build scripts wrote different files"
                ));
            }
        }
        Ok(newest)
    }
}

/// Where cargo puts what it builds.
fn target_folder(workspace: &Path) -> PathBuf {
    if let Some(folder) = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty()) {
        return workspace.join(folder);
    }
    let files = configuration(workspace).unwrap_or_default();
    let configured = files
        .iter()
        .find_map(|(folder, file)| Some(folder.join(file.get("build")?.get("target-dir")?.as_str()?)));
    configured.unwrap_or_else(|| workspace.join("target"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(target: &Path, versions: usize) -> BuildOutput {
        BuildOutput {
            target: target.to_owned(),
            versions: HashMap::from_iter([("tables".to_owned(), versions)]),
        }
    }

    #[test]
    fn outdir2_different_files_of_several_versions_are_refused() {
        let target = std::env::temp_dir().join(format!("overdub-build-output-{}", std::process::id()));
        let write = |build: &str, text: &str| {
            let out = target.join(build).join("out");
            std::fs::create_dir_all(&out).expect("a folder");
            std::fs::write(out.join("table.rs"), text).expect("a file");
        };
        assert!(output(&target, 1).file("tables", "table.rs").is_err());
        write("debug/build/tables-0123", "1");
        write("debug/build/tables-more-0123", "2");
        let first = output(&target, 2).file("tables", "table.rs").expect("the only one");
        assert!(first.ends_with("debug/build/tables-0123/out/table.rs"), "{first:?}");
        write("x86_64-unknown-linux-gnu/release/build/tables-4567", "3");
        let message = output(&target, 2).file("tables", "table.rs").unwrap_err();
        assert!(message.contains("several versions"), "{message}");
        assert!(output(&target, 1).file("tables", "table.rs").is_ok());
        let set = "cargo:rustc-env=A=b=c\ncargo::rustc-env=D=e\n";
        std::fs::write(target.join("debug/build/tables-0123/output"), set).expect("a file");
        let variable = |name| output(&target, 2).variable("tables", name);
        assert_eq!(
            [variable("A"), variable("D"), variable("E")],
            [Some("b=c".into()), Some("e".into()), None]
        );
        assert_eq!(output(&target, 2).cfgs("tables"), Some(vec![]));
        std::fs::remove_dir_all(&target).expect("it can be removed");
    }
}
