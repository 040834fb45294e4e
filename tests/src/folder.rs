//! Folders of cases, with all failures in one report.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Case;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The files with this extension in a folder and its subfolders, in order.
///
/// # Errors
/// If a folder cannot be read.
pub fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in sorted(folder)? {
        if path.is_dir() {
            files.extend(self::files(&path, extension)?);
        } else if path.extension().is_some_and(|end| end == extension) {
            files.push(path);
        }
    }
    Ok(files)
}

/// The names of the folders that contain cases.
///
/// # Errors
/// If the folders cannot be read.
pub fn folders() -> io::Result<Vec<String>> {
    let folders = sorted(&root())?.into_iter().filter(|path| path.is_dir());
    Ok(folders.filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect())
}

/// Checks that the run claims of a folder's cases hold after each pass alone, and after the pipelines.
///
/// # Errors
/// The claims that do not hold, case by case.
pub fn check_passes(name: &str) -> Result<(), String> {
    let paths = sorted(&root().join(name)).map_err(|error| format!("cases/{name}: {error}"))?;
    let mut report = String::new();
    for path in &paths {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        for failure in Case::new(path, &text)?.failures_after_passes() {
            report.push_str(&format!("\n{}\n  {failure}\n", path.display()));
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

/// Checks every case of a folder; with `BLESS=1`, first writes the output of each below its `// ---`.
///
/// # Errors
/// The failures, case by case.
pub fn check_folder(name: &str) -> Result<(), String> {
    let bless = std::env::var_os("BLESS").is_some_and(|bless| bless == "1");
    let paths = sorted(&root().join(name)).map_err(|error| format!("cases/{name}: {error}"))?;
    let mut report = String::new();
    for path in &paths {
        let failures = check_file(path, bless).unwrap_or_else(|error| vec![error]);
        if !failures.is_empty() {
            report.push_str(&format!("\n{}\n", path.display()));
        }
        for failure in failures {
            report.push_str(&format!("  {}\n", failure.replace('\n', "\n  ")));
        }
    }
    if paths.is_empty() {
        report.push_str("it holds no case");
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

fn check_file(path: &Path, bless: bool) -> Result<Vec<String>, String> {
    let read = || fs::read_to_string(path).map_err(|error| error.to_string());
    let mut case = Case::new(path, &read()?)?;
    if bless {
        fs::write(&case.path, case.blessed()).map_err(|error| error.to_string())?;
        case = Case::new(path, &read()?)?;
    }
    Ok(case.failures())
}
