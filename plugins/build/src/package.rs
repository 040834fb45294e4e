//! The crate whose functions are differentiated: how it is read, and which files that reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use overdub_context::Symbol;
use overdub_lower::Loaded;

use crate::error::{Cause, Error};
use crate::files::{files_below, mentioned};
use crate::manifest::{Manifest, Target, Variant};

/// A crate as it was read.
///
/// ```
/// use overdub_build::Package;
///
/// let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
/// let package = Package::open(&folder.join("rosenbrock.rs"))?;
/// assert!(package.loaded().function("rosenbrock").is_ok());
/// assert!(package.files().iter().any(|file| file.ends_with("rosenbrock.rs")));
/// # Ok::<(), overdub_build::Error>(())
/// ```
#[derive(Debug)]
pub struct Package {
    loaded: Loaded,
    /// Its own manifest, and those of the packages that it depends on by path; none for a lone file.
    manifests: Vec<Manifest>,
    root_file: PathBuf,
}

/// How a crate is read.
pub struct Reading<'r> {
    /// Whether a feature is on.
    pub is_enabled: &'r dyn Fn(&str) -> bool,
    /// A program, a test or an example of the package instead of its library.
    pub target: Option<&'r Target>,
}

impl std::fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Package {
    /// Reads the crate in a folder with its default features, or a `.rs` file.
    ///
    /// # Errors
    /// If it cannot be read or is not Rust.
    pub fn open(source: &Path) -> Result<Package, Error> {
        if source.is_dir() {
            let manifests = manifests(source)?;
            let root_file = manifests.first().map(Manifest::root_file).unwrap_or_default();
            return Package::read(source, manifests, root_file);
        }
        let loaded = Loaded::open(source).map_err(|error| Error::new(Cause::Source(error)).in_file())?;
        Ok(Package { loaded, manifests: Vec::new(), root_file: source.to_owned() })
    }

    /// Reads the crate in a folder with exactly these of its features on. If they are not the default ones, a manifest
    /// that says so is written into the folder `scratch`, where it has to stay.
    ///
    /// # Errors
    /// As for [`Package::open`], and if that manifest cannot be written.
    pub fn with_features(
        source: &Path,
        is_enabled: impl Fn(&str) -> bool,
        scratch: &Path,
    ) -> Result<Package, Error> {
        let reading = Reading { is_enabled: &is_enabled, target: None };
        Package::read_by(source, &reading, scratch)
    }

    /// Reads the crate in a folder in another way. What that needs is written into the folder `scratch`, where it has to
    /// stay.
    ///
    /// # Errors
    /// As for [`Package::open`], and if that cannot be written.
    pub fn read_by(source: &Path, reading: &Reading<'_>, scratch: &Path) -> Result<Package, Error> {
        let manifests = manifests(source)?;
        let Some(own) = manifests.first() else { return Package::open(source) };
        let is_enabled = |name: &String| (reading.is_enabled)(name);
        let enabled: BTreeSet<String> = own.features().into_iter().filter(is_enabled).collect();
        let root_file = own.root_file();
        let target = reading.target.filter(|target| target.root != root_file);
        if enabled == own.default_features() && target.is_none() {
            return Package::read(source, manifests, root_file);
        }
        let scratch = &std::path::absolute(scratch).unwrap_or_else(|_| scratch.to_owned());
        let written = |reason: String| Error::new(Cause::Manifest(reason));
        let library = Variant { features: &enabled, root: &root_file, name: None, library: None };
        own.write_variant(&library, scratch).map_err(written)?;
        let Some(target) = target else { return Package::read(scratch, manifests, root_file) };
        let (root, name) = (&target.root, Some(target.name.as_str()));
        let of_target = Variant { features: &enabled, root, name, library: Some(scratch) };
        let folder = scratch.join(".target");
        own.write_variant(&of_target, &folder).map_err(written)?;
        Package::read(&folder, manifests, root.clone())
    }

    /// The names of the features of the package in a folder, except for `default`.
    ///
    /// # Errors
    /// If its manifest cannot be read.
    pub fn features(folder: &Path) -> Result<BTreeSet<String>, Error> {
        let manifest = Manifest::read(folder).map_err(|reason| Error::new(Cause::Manifest(reason)))?;
        Ok(manifest.features())
    }

    fn read(folder: &Path, manifests: Vec<Manifest>, root_file: PathBuf) -> Result<Package, Error> {
        let loaded = Loaded::open(folder).map_err(|error| Error::new(Cause::Source(error)).in_file())?;
        Ok(Package { loaded, manifests, root_file })
    }

    /// The program.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The files that were read so far: sources and manifests of the crate and of those that it depends on by path.
    /// Published packages do not change, and are left out.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: BTreeSet<PathBuf> = self.manifests.iter().flat_map(Manifest::files).collect();
        let roots = self.manifests.iter().map(Manifest::root_file).chain([self.root_file.clone()]);
        let is_read = |path: &Path| self.loaded.program().source(Symbol::new(&path.to_string_lossy()));
        let mut waiting: Vec<PathBuf> = Vec::new();
        for root in roots {
            waiting.extend(files_below(root.parent().unwrap_or(Path::new(""))));
            waiting.push(root);
        }
        // What functions were read from, wherever it is.
        let heads = self.loaded.program().functions().into_iter();
        let places = heads.map(|def| self.loaded.program().head(def).span);
        waiting.extend(places.filter(|span| span.is_known()).map(|span| PathBuf::from(span.file.as_str())));
        while let Some(path) = waiting.pop() {
            if files.contains(&path) {
                continue;
            }
            if let Some(text) = is_read(&path) {
                let (modules, contents) = mentioned(&text, &path);
                waiting.extend(modules);
                files.extend(contents.into_iter().filter(|path| path.is_file()));
                files.insert(path);
            }
        }
        files.into_iter().collect()
    }

    /// The name of a file in messages: relative to the package, or after the name of another package.
    pub fn file_name(&self, file: Symbol) -> String {
        let path = Path::new(file.as_str());
        for (at, manifest) in self.manifests.iter().enumerate() {
            if let Ok(inside) = path.strip_prefix(&manifest.folder) {
                let inside =
                    if at == 0 { inside.to_owned() } else { Path::new(manifest.name()).join(inside) };
                return inside.display().to_string();
            }
        }
        let published =
            file.as_str().split_once("/registry/src/").and_then(|(_, inside)| inside.split_once('/'));
        published.map_or_else(|| file.to_string(), |(_, inside)| inside.to_owned())
    }
}

/// The manifest in a folder, and those of the packages that it depends on by path.
fn manifests(folder: &Path) -> Result<Vec<Manifest>, Error> {
    let mut found: Vec<Manifest> = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let manifest = match Manifest::read(&folder) {
            Ok(manifest) => manifest,
            Err(reason) if found.is_empty() => return Err(Error::new(Cause::Manifest(reason))),
            // It is not read as a dependency either.
            Err(_) => continue,
        };
        if manifest.is_of_macros() && !found.is_empty() {
            continue;
        }
        if found.iter().all(|known| known.folder != manifest.folder) {
            waiting.extend(manifest.path_dependencies());
            found.push(manifest);
        }
    }
    Ok(found)
}
