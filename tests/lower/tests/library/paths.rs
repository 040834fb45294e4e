//! Paths, which are text here; condition variables, which nothing waits on.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::sync::{Condvar, Mutex};

const PATHS: [&str; 14] = [
    "",
    "/",
    "a",
    "a/",
    "/a",
    "a/b",
    "a//b/",
    "/a/./b",
    "./a",
    "../a/..",
    "a/b.tar.gz",
    ".hidden",
    "x/.hidden.txt",
    "a.",
];

pub fn parts() -> String {
    let part = |p: &Path| {
        let names: Vec<String> = p.components().map(|c| format!("{c:?}")).collect();
        format!(
            "{p:?} {} {:?} {:?} {:?} {:?} {} {names:?}",
            p.display(),
            p.parent(),
            p.file_name(),
            p.file_stem(),
            p.extension(),
            p.is_absolute()
        )
    };
    PATHS.iter().map(|p| part(Path::new(p))).collect::<Vec<_>>().join("\n")
}

pub fn joined() -> String {
    let mut all = Vec::new();
    for a in PATHS {
        for b in ["c", "/c", "", "c/d.x"] {
            let joined = Path::new(a).join(b);
            let changed = (joined.with_extension("y"), joined.with_file_name("n"));
            all.push(format!("{joined:?} {changed:?}"));
        }
    }
    all.join("\n")
}

pub fn compared() -> String {
    let mut map = BTreeMap::new();
    for (i, p) in PATHS.iter().enumerate() {
        map.insert(PathBuf::from(p), i);
    }
    let same = (
        Path::new("a//b") == Path::new("a/b/"),
        PathBuf::from("a") < PathBuf::from("a/b"),
        map.get(Path::new("a/b")),
    );
    let begins = (
        Path::new("/a/b").starts_with("/a"),
        Path::new("ab/c").starts_with("a"),
        Path::new("a/b/c").ends_with("b/c"),
    );
    let rest = (
        Path::new("/a/b/c").strip_prefix("/a").ok(),
        Path::new("/a").strip_prefix("b").map_err(|e| e.to_string()),
    );
    let ups: Vec<&Path> = Path::new("/a/b/c").ancestors().collect();
    format!("{same:?} {begins:?} {rest:?} {ups:?} {:?}", map.keys().collect::<Vec<_>>())
}

pub fn changed() -> String {
    let mut p = PathBuf::from("/tmp");
    p.push("x");
    p.push(String::from("y.txt"));
    let popped = (p.clone(), p.pop(), p.clone(), p.set_extension("z"));
    let text: OsString = p.clone().into_os_string();
    let of_parts: PathBuf = ["a", "b", "c"].iter().collect();
    let normal = of_parts.components().filter(|c| matches!(c, Component::Normal(_))).count();
    format!(
        "{popped:?} {text:?} {:?} {of_parts:?} {normal} {:?}",
        text.to_str(),
        OsStr::new("q").to_string_lossy()
    )
}

struct Latch {
    is_open: Mutex<bool>,
    opened: Condvar,
}

pub fn notified() -> String {
    let latch = Latch { is_open: Mutex::new(false), opened: Condvar::new() };
    *latch.is_open.lock().unwrap() = true;
    latch.opened.notify_all();
    let guard = latch.opened.wait_while(latch.is_open.lock().unwrap(), |open| !*open).unwrap();
    format!("{}", *guard)
}
