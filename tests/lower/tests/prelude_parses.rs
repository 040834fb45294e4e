//! The prelude is Rust that syn reads, file by file, and its modules are its files.

use std::fs;
use std::path::{Path, PathBuf};

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("the prelude is in the crate") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn prelude() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../context/lower/prelude"), &mut found);
    found.sort();
    found
}

#[test]
fn every_file_parses() {
    for path in prelude() {
        let text = fs::read_to_string(&path).expect("a readable file");
        if let Err(error) = syn::parse_file(&text) {
            let at = error.span().start();
            panic!("{}:{}:{}: {error}", path.display(), at.line, at.column + 1);
        }
    }
}

#[test]
fn every_file_is_a_module_of_its_folder_and_every_module_has_its_file() {
    for path in prelude() {
        let (dir, name) = (path.parent().expect("in a folder"), path.file_stem().expect("a file"));
        let text = fs::read_to_string(&path).expect("a readable file");
        let is_root = name == "mod" || name == "lib";
        for line in text.lines() {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            let Some(module) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) else {
                continue;
            };
            let dir = if is_root { dir.to_path_buf() } else { dir.join(name) };
            let file = dir.join(format!("{module}.rs"));
            assert!(
                file.exists() || dir.join(module).join("mod.rs").exists(),
                "`{line}` in {}",
                path.display()
            );
        }
        if !is_root {
            let parent =
                ["lib.rs", "mod.rs"].map(|root| dir.join(root)).into_iter().find(|root| root.exists());
            let parent = fs::read_to_string(parent.expect("a root beside it")).expect("a readable file");
            assert!(
                parent.contains(&format!("mod {};", name.to_string_lossy())),
                "{} is not named",
                path.display()
            );
        }
    }
}

#[test]
fn functions_without_bodies_are_operations_or_the_compilers() {
    for path in prelude() {
        let text = fs::read_to_string(&path).expect("a readable file");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let mut in_trait = false;
        for (i, line) in lines.iter().enumerate() {
            in_trait = if text.lines().nth(i).is_some_and(|l| l.contains("trait ") && l.ends_with('{')) {
                true
            } else {
                in_trait
                    && !text.lines().nth(i).is_some_and(|l| l.trim_start() == "}" && !l.starts_with("    "))
            };
            let is_fn =
                line.contains("fn ") && line.ends_with(';') && line.contains('(') && !line.contains("{ ");
            if is_fn && !in_trait && !line.starts_with("//") && !line.starts_with("let ") {
                let before = lines[i.saturating_sub(1)];
                let known = before.starts_with("#[op(") || before.starts_with("#[lang(");
                assert!(known, "{}:{}: `{line}` has no body", path.display(), i + 1);
            }
        }
    }
}

#[test]
fn every_attribute_op_names_an_operation() {
    let mut count = 0;
    for path in prelude() {
        let text = fs::read_to_string(&path).expect("a readable file");
        for (number, line) in text.lines().enumerate() {
            let Some(rest) = line.trim_start().strip_prefix("#[op(\"") else { continue };
            let name = rest.split('"').next().unwrap_or_default();
            let at = format!("{}:{}", path.display(), number + 1);
            assert!(name == "id" || overdub_context::ops::by_name(name).is_some(), "{at}: `{name}`");
            count += 1;
        }
    }
    assert!(count > 200, "{count} attributes");
}
