//! Compiled libraries on disk.
//!
//! - CACHE1 a library is found by all that it was made of, letter by letter, not by a hash alone.
//! - CACHE2 a library is written under another name, and renamed when it is whole; one whose bytes are not those that were
//!   written is compiled again.
//! - CACHE3 a folder into which others may write is not used: who writes libraries there runs code here.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use std::{fs, io};

use crate::compiler::CompileError;

/// The bytes that the libraries in a folder may have together.
const MOST_BYTES: u64 = 256 << 20;

/// After this time a folder of an unfinished compilation is left over from a process that ended.
const LEFT_OVER: Duration = Duration::from_secs(3600);

/// Where compiled libraries are kept from one process to the next. At most 256 MiB are: those that were not used for the
/// longest time are removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The user's folder for such files: `$XDG_CACHE_HOME/overdub`, or `~/.cache/overdub`, or what the system has in its
    /// place. None is kept if there is no such folder, or others may write into it.
    pub fn of_user() -> Cache {
        let variable = |name| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        let in_home = |folder: &str| std::env::home_dir().map(|home| home.join(folder));
        let folder = if cfg!(windows) {
            variable("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            in_home("Library/Caches")
        } else {
            variable("XDG_CACHE_HOME").or_else(|| in_home(".cache"))
        };
        Cache { folder: folder.filter(|folder| folder.is_absolute()).map(|folder| folder.join("overdub")) }
    }

    /// This folder, which is made if it does not exist.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: Some(folder.into()) }
    }

    /// Nothing is kept.
    pub fn none() -> Cache {
        Cache { folder: None }
    }

    /// The path of the library that was made of this, or what `compile` makes of it, given the paths of a file with the text
    /// and of the library. `load` loads it.
    pub(crate) fn library<R>(
        &self,
        identity: &str,
        text: &str,
        compile: impl FnOnce(&Path, &Path) -> Result<(), CompileError>,
        load: impl Fn(&Path) -> Result<R, CompileError>,
    ) -> Result<R, CompileError> {
        let folder = self.folder.as_deref().filter(|folder| is_private(folder).is_ok());
        let key = format!("{identity}{text}");
        let name = format!("{:016x}", hash(key.as_bytes()));
        if let Some(found) = folder.and_then(|folder| Kept::at(folder, &name).found(&key)) {
            // A library that cannot be loaded here is compiled again.
            if let Ok(loaded) = load(&found) {
                return Ok(loaded);
            }
        }
        let made = match folder {
            Some(folder) => tempfile::Builder::new().prefix("making-").tempdir_in(folder),
            None => tempfile::tempdir(),
        };
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |cause| CompileError::File { path, cause: Arc::new(cause) }
        };
        let made = made.map_err(failed(folder.unwrap_or(Path::new("the temporary folder"))))?;
        let (source, library) = (made.path().join("text.rs"), made.path().join("library"));
        fs::write(&source, text).map_err(failed(&source))?;
        compile(&source, &library)?;
        let Some(folder) = folder else { return load(&library) };
        // That it cannot be kept costs the next process a second.
        match Kept::at(folder, &name).put(&library, &key) {
            Ok(kept) => {
                tidy(folder);
                load(&kept)
            }
            Err(_) => load(&library),
        }
    }
}

/// The files of a kept library.
struct Kept {
    library: PathBuf,
    /// All that it was made of, after a line with the hash of the library.
    made_of: PathBuf,
}

impl Kept {
    fn at(folder: &Path, name: &str) -> Kept {
        Kept { library: folder.join(format!("{name}.library")), made_of: folder.join(format!("{name}.rs")) }
    }

    fn found(self, key: &str) -> Option<PathBuf> {
        let made_of = fs::read_to_string(&self.made_of).ok()?;
        let (hash_of_library, of) = made_of.split_once('\n')?;
        if of != key || hash_of_library != format!("// {:016x}", hash(&fs::read(&self.library).ok()?)) {
            return None;
        }
        // So that it is not the next to be removed.
        let opened = fs::File::options().append(true).open(&self.library);
        let _ = opened.and_then(|file| file.set_modified(SystemTime::now()));
        Some(self.library)
    }

    fn put(self, library: &Path, key: &str) -> io::Result<PathBuf> {
        let made_of = library.with_extension("rs");
        fs::write(&made_of, format!("// {:016x}\n{key}", hash(&fs::read(library)?)))?;
        fs::rename(library, &self.library)?;
        fs::rename(&made_of, &self.made_of)?;
        Ok(self.library)
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Makes a folder, and checks that only its owner may write into it.
fn is_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        builder.mode(0o700).create(folder)?;
        if fs::metadata(folder)?.permissions().mode() & 0o022 != 0 {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(())
    }
    #[cfg(not(unix))]
    builder.create(folder)
}

/// Removes the libraries that were not used for the longest time, and what processes that ended left.
fn tidy(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut kept = Vec::new();
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        let Ok(modified) = metadata.modified() else { continue };
        let path = entry.path();
        if metadata.is_dir() {
            if modified.elapsed().is_ok_and(|age| age > LEFT_OVER) {
                let _ = fs::remove_dir_all(path);
            }
        } else if path.extension().is_some_and(|extension| extension == "library") {
            kept.push((modified, metadata.len(), path));
        }
    }
    kept.sort();
    let mut bytes: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, len, path) in kept {
        if bytes <= MOST_BYTES {
            break;
        }
        bytes -= len;
        let _ = fs::remove_file(path.with_extension("rs"));
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a cache returns for a text, and whether it was compiled.
    fn ask(cache: &Cache, text: &str) -> (Vec<u8>, bool) {
        let mut compiled = false;
        let compile = |source: &Path, library: &Path| {
            compiled = true;
            let text = fs::read_to_string(source).expect("it was written");
            fs::write(library, format!("compiled {text}")).expect("the folder is there");
            Ok(())
        };
        let found =
            cache.library("rustc\n", text, compile, |library| Ok(fs::read(library).expect("it is there")));
        (found.expect("it is made"), compiled)
    }

    #[test]
    fn a_library_is_compiled_once_and_again_if_its_bytes_changed() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let cache = Cache::in_folder(folder.path().join("kept"));
        assert_eq!(ask(&cache, "a"), (b"compiled a".to_vec(), true));
        assert_eq!(ask(&cache, "a"), (b"compiled a".to_vec(), false));
        assert_eq!(ask(&cache, "b"), (b"compiled b".to_vec(), true));
        for entry in fs::read_dir(folder.path().join("kept")).expect("it is a folder").flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "library") {
                fs::write(entry.path(), "something else").expect("it may be written");
            }
        }
        assert_eq!(ask(&cache, "a"), (b"compiled a".to_vec(), true));
        assert_eq!(ask(&cache, "a"), (b"compiled a".to_vec(), false));
        assert_eq!(ask(&Cache::none(), "a"), (b"compiled a".to_vec(), true));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_may_write_into_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("it is ours");
        let cache = Cache::in_folder(folder.path());
        assert!(ask(&cache, "a").1);
        assert!(ask(&cache, "a").1);
    }
}
