//! Lists the files of the prelude, so that a new one needs no mention elsewhere.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn files(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, found)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=prelude");
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let root = package.join("prelude");
    let mut found = Vec::new();
    files(&root, &mut found)?;
    let name = |path: &Path| path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    found.sort_by_key(|path| (name(path) != "lib.rs", name(path)));
    let rows: String =
        found.iter().map(|path| format!("({:?}, include_str!({:?})),\n", name(path), path)).collect();
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("prelude.rs"), format!("&[{rows}]"))
}
