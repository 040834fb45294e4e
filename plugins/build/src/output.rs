//! The file that is written.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::{Cause, Error};

/// Writes a file that is either complete or as it was. One that holds the text already is left alone, so that nothing is
/// compiled again because of it.
pub(crate) fn write_if_changed(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|known| known == text.as_bytes()) {
        return Ok(());
    }
    replace(path, text).map_err(|error| {
        Error::new(Cause::Write { path: path.display().to_string(), reason: error.to_string() })
    })
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut partial = path.as_os_str().to_owned();
    // Two builds may share a folder.
    partial.push(format!(".{}.partial", std::process::id()));
    let written = fs::write(&partial, text).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // What is left of it is of no use; that it cannot be removed is no further error.
        drop(fs::remove_file(&partial));
    }
    written
}
