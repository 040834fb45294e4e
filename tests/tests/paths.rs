//! The pages of the repository name files and folders that exist.

use std::fs;
use std::path::{Path, PathBuf};

use overdub_tests::files;

/// Folders whose pages are read, below the root; pages of the root itself are read as well.
const FOLDERS: &[&str] = &["docs", "guide", "benches", "examples", "context", "passes", "plugins", "tests"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All pages: the files `*.md` of the root and below [`FOLDERS`].
fn pages() -> Vec<PathBuf> {
    let of_root = fs::read_dir(root())
        .expect("the root can be read")
        .map(|entry| entry.expect("it can be read").path());
    let of_root = of_root.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let below =
        FOLDERS.iter().flat_map(|folder| files(&root().join(folder), "md").expect("the folder can be read"));
    let mut pages: Vec<PathBuf> = of_root.chain(below).collect();
    pages.sort();
    pages
}

/// The text of a page outside of code blocks.
fn prose(page: &str) -> String {
    let mut in_code = false;
    let lines = page.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The targets of links to files, relative to the page. Links to items are checked by rustdoc.
fn links(prose: &str) -> Vec<&str> {
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets
        .filter(|target| !target.contains("::") && !target.contains("://") && !target.starts_with('#'));
    files.map(|target| target.split('#').next().unwrap_or(target)).collect()
}

/// Code spans that read like a path from the root.
fn spans(prose: &str) -> Vec<&str> {
    let codes = prose.split('`').skip(1).step_by(2);
    let is_path = |code: &&str| {
        let plain = code.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
        let first = code.split('/').next().unwrap_or_default();
        plain && code.contains('/') && (FOLDERS.contains(&first) || first == ".ci")
    };
    codes.filter(is_path).collect()
}

#[test]
fn pages_name_files_that_exist() {
    let mut missing = Vec::new();
    let pages = pages();
    let mut named = 0;
    for page in &pages {
        let text = prose(&fs::read_to_string(page).expect("a page is text"));
        let folder = page.parent().expect("a page is in a folder");
        let linked = links(&text).into_iter().map(|target| (target, folder.join(target)));
        let spanned = spans(&text).into_iter().map(|path| (path, root().join(path)));
        for (path, file) in linked.chain(spanned) {
            named += 1;
            if !file.exists() {
                missing.push(format!("{}: `{path}`", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "files that do not exist are named:\n{}", missing.join("\n"));
    assert!(pages.len() > 10 && named > 50, "{} pages name {named} files", pages.len());
}

#[test]
fn links_and_paths_are_found_in_prose_alone() {
    let page =
        "see [the guide](guide/a.md#part) and `docs/x.md`\n```\n`docs/no.md`\n```\n[web](https://a.b) `a/b`";
    let text = prose(page);
    assert_eq!(links(&text), ["guide/a.md"]);
    assert_eq!(spans(&text), ["docs/x.md"]);
}
