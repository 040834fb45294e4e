//! The program that a function belongs to, which is read once for all attributes of a crate.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use overdub_build::{Package, Reading, Target};
use overdub_lower::Loaded;
use overdub_lower::hir::{DefId, DefKind};
use syn::ItemFn;

use crate::features::{Enabled, manifest_folder};
use crate::refuse::{Refusal, is_same_file};

/// Where a function is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The file, as rustc reads it.
    pub(crate) file: PathBuf,
    line: usize,
    /// From 1.
    column: usize,
}

impl Place {
    /// The place of the name of a function; none if it is not from a file.
    pub(crate) fn of(function: &ItemFn) -> Option<Place> {
        let span = function.sig.ident.span();
        let file = span.local_file()?;
        let start = span.start();
        let here = std::env::current_dir().unwrap_or_default();
        Some(Place { file: here.join(file), line: start.line, column: start.column + 1 })
    }
}

/// A function of a program.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) package: Rc<Package>,
    /// Its path from the root.
    pub(crate) path: String,
    /// The module that contains it: names from the root.
    pub(crate) module: String,
}

/// A package as it was read, with the times at which its files had changed last.
struct Cached {
    key: (PathBuf, Enabled, Option<Target>),
    package: Rc<Package>,
    files: Vec<(PathBuf, Option<SystemTime>)>,
}

thread_local! {
    static PACKAGES: RefCell<Vec<Cached>> = RefCell::default();
}

/// The function at a place. `proc_macro2`'s tokens are its own meanwhile.
pub(crate) fn find(place: &Place, enabled: &Enabled) -> Result<Found, Refusal> {
    let folder = manifest_folder().map_err(|error| Refusal::new(error.to_string()))?;
    let package = package(&folder, enabled, target())?;
    let program = package.loaded().program();
    let def = function_at(&package, place).ok_or_else(|| {
        let faults = program.faults();
        let fault = faults.first().map(|fault| format!("\n{} ({})", fault, fault.span));
        Refusal::new(format!(
            "the function is not found in the source of its crate: is it in another function, or made by a macro?{}",
            fault.unwrap_or_default()
        ))
    })?;
    let path = program.path(def);
    let module = path.rsplit_once("::").map_or("", |(module, _)| module).to_owned();
    Ok(Found { package: package.clone(), path: ["crate", &path].join("::"), module })
}

fn function_at(package: &Package, place: &Place) -> Option<DefId> {
    let program = package.loaded().program();
    let at = (place.line as u32, place.column as u32);
    let is_there = |def: &DefId| {
        let head = program.head(*def);
        head.kind == DefKind::Fn
            && (head.span.line, head.span.column) == at
            && is_same_file(Path::new(head.span.file.as_str()), &place.file)
    };
    program.functions().into_iter().find(is_there)
}

fn package(folder: &Path, enabled: &Enabled, target: Option<Target>) -> Result<Rc<Package>, Refusal> {
    let key = (folder.to_owned(), enabled.clone(), target);
    let known = PACKAGES.with_borrow(|known| {
        let found = known.iter().find(|cached| cached.key == key);
        let found = found.filter(|cached| cached.files.iter().all(|(file, time)| changed(file) == *time));
        found.map(|cached| cached.package.clone())
    });
    if let Some(package) = known {
        return Ok(package);
    }
    let reading = Reading { is_enabled: &|name| enabled.contains(name), target: key.2.as_ref() };
    let package = Package::read_by(folder, &reading, &scratch());
    let package = Rc::new(package?);
    let files = package.files().into_iter().map(|file| {
        let time = changed(&file);
        (file, time)
    });
    let cached = Cached { package: package.clone(), files: files.collect(), key };
    PACKAGES.with_borrow_mut(|known| {
        known.retain(|other| other.key != cached.key);
        known.push(cached);
    });
    Ok(package)
}

fn changed(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file).and_then(|data| data.modified()).ok()
}

/// The words of rustc's command line.
fn words() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

fn word_after(words: &[String], option: &str) -> Option<String> {
    words.iter().position(|word| word == option).and_then(|at| words.get(at + 1)).cloned()
}

/// What rustc compiles, according to its command line; none if that is not rustc's, or names no file.
fn target() -> Option<Target> {
    let words = words();
    let name = word_after(&words, "--crate-name")?;
    let root = words.iter().find(|word| word.ends_with(".rs") && !word.starts_with('-'))?;
    let root = std::env::current_dir().ok()?.join(root).canonicalize().ok()?;
    Some(Target { name, root })
}

/// A folder for what is read instead of the package: in the folder of what is built, which cargo locks meanwhile, one for
/// each of the crates there.
fn scratch() -> PathBuf {
    let words = words();
    let extra = words.iter().find_map(|word| word.strip_prefix("extra-filename=")).unwrap_or_default();
    let name = word_after(&words, "--crate-name").unwrap_or_default();
    match word_after(&words, "--out-dir") {
        Some(out) => Path::new(&out).join("overdub").join(format!("{name}{extra}")),
        None => std::env::temp_dir().join(format!("overdub-attributes-{}", std::process::id())),
    }
}

/// The program of a package.
pub(crate) fn loaded(found: &Found) -> &Loaded {
    found.package.loaded()
}
