//! Modules whose whole sources are registered by `source!`: their crates are collected as rustc compiled
//! them.
//!
//! - SOURCES1 the collected text is the compiled text: embedded files, or files that did not change since the
//!   running program was built.
//! - SOURCES2 a binary may have the name of its package's library, and rustc's names for types do not
//!   distinguish the two: an item found in both is rejected.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::SystemTime;

use hashbrown::HashSet;
use overdub_context::Symbol;

use super::collect::{CollectScope, Files};
use super::crates::Entry;
use super::registered::RegisteredCfgs;
use crate::error::Cause;
use crate::hir::DefId;
use crate::program::Program;
use crate::registration::{RegisteredDependency, RegisteredSource, SourceFiles};
use crate::source::cargo::{GraphRoot, library};
use crate::source::hygiene::unmarked_name;

/// The crate of a registered source.
#[derive(Debug)]
pub(crate) struct SourceCrate {
    pub(crate) krate: u32,
    pub(crate) name: Symbol,
    /// The path of its root file as rustc reports it, if the whole crate is registered rather than single
    /// modules.
    file: Option<&'static str>,
    /// The paths of its files as rustc reports them.
    pub(crate) files: HashSet<String>,
    manifest: Option<&'static str>,
    /// The library of its package, if that is another crate of the same name.
    namesake: OnceLock<Option<PathBuf>>,
}

impl SourceCrate {
    /// Whether the whole crate is registered.
    pub(crate) fn is_complete(&self) -> bool {
        self.file.is_some()
    }
}

/// The packages that sources were registered from.
pub(crate) fn roots_of(sources: &[&'static RegisteredSource]) -> Vec<GraphRoot> {
    let mut roots: Vec<GraphRoot> = Vec::new();
    let mut add = |manifest: &str, on: Vec<String>| {
        let folder = PathBuf::from(manifest);
        match roots.iter_mut().find(|root| root.folder == folder) {
            Some(root) => root.features.get_or_insert_default().extend(on),
            None => roots.push(GraphRoot { folder, features: Some(on), with_dev_dependencies: true }),
        }
    };
    for source in sources {
        if let Some(manifest) = source.manifest {
            add(manifest, source.features());
        }
    }
    for dependency in inventory::iter::<RegisteredDependency> {
        add(dependency.manifest, vec!["default".to_owned()]);
    }
    roots
}

impl Files {
    /// The files of a registered source.
    fn of(source: &'static RegisteredSource) -> Files {
        match source.files {
            SourceFiles::Embedded(_) => Files::Embedded(source),
            SourceFiles::OnDisk(_) => Files::Built,
        }
    }
}

impl RegisteredSource {
    /// The path of its own file, in the form that [`Files`] reads.
    fn path(&self) -> PathBuf {
        match self.files {
            SourceFiles::Embedded(files) => files.first().map(|(path, _)| PathBuf::from(path)),
            SourceFiles::OnDisk(path) => Some(PathBuf::from(path)),
        }
        .unwrap_or_default()
    }

    /// The path of one of its files as rustc reports it.
    pub(crate) fn shown(&self, path: &Path) -> PathBuf {
        Path::new(self.file).parent().unwrap_or(Path::new("")).join(path)
    }

    /// The contents of one of its files at compile time.
    pub(crate) fn content(&self, path: &Path) -> Option<&'static [u8]> {
        let SourceFiles::Embedded(files) = self.files else { return None };
        files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, content)| *content)
    }

    /// The enabled features of its package, as far as they are known.
    fn features(&self) -> Vec<String> {
        let set = self.cfgs.iter().filter(|cfg| cfg.name == "feature" && cfg.is_set);
        set.filter_map(|cfg| cfg.value).map(str::to_owned).collect()
    }
}

/// Why a file that changed after the running program was built is not read (SOURCES1).
pub(crate) const CHANGED: &str = "it changed after this program was built";

/// Whether a file changed after the running program was built.
pub(crate) fn is_newer_than_program(path: &Path) -> bool {
    static BUILT: OnceLock<Option<SystemTime>> = OnceLock::new();
    let changed = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    let built = BUILT.get_or_init(|| changed(&std::env::current_exe().ok()?));
    built.zip(changed(path)).is_some_and(|(built, changed)| changed > built)
}

impl Program {
    /// Collects the crates of registered sources.
    pub(crate) fn add_sources(&self, cfgs: RegisteredCfgs<'_>) -> Vec<SourceCrate> {
        let (crates, modules): (Vec<_>, Vec<_>) =
            cfgs.sources.iter().partition(|source| !source.module.contains("::"));
        let mut known: Vec<SourceCrate> = Vec::new();
        for source in crates {
            known.push(self.add_complete(source, cfgs));
        }
        for source in modules {
            self.add_source_module(source, cfgs, &mut known);
        }
        for of in &mut known {
            of.files = self.source_files(of.krate);
        }
        known
    }

    fn source_crate(&self, source: &'static RegisteredSource, krate: u32, is_complete: bool) -> SourceCrate {
        SourceCrate {
            krate,
            name: self.krate(krate).name,
            file: is_complete.then_some(source.file),
            files: HashSet::new(),
            manifest: source.manifest,
            namesake: OnceLock::new(),
        }
    }

    fn package_of(&self, source: &RegisteredSource) -> Option<usize> {
        let folder = Path::new(source.manifest?);
        self.graph_roots().iter().position(|root| root.folder == folder)
    }

    fn add_complete(&self, source: &'static RegisteredSource, cfgs: RegisteredCfgs<'_>) -> SourceCrate {
        let files = Files::of(source);
        let (path, name) = (source.path(), unmarked_name(source.module));
        let (text, fault) = match files.read(&path) {
            Ok(text) => (text, None),
            Err(reason) => (Arc::from(""), Some(reason)),
        };
        let krate = self.add_crate(Entry {
            name,
            file: path.clone(),
            text,
            files,
            edition: source.edition,
            cfg: cfgs.of_crate(name, source.cfgs),
            package: self.package_of(source),
            shown: source.file,
        });
        if let Some(reason) = fault {
            self.add_unread(krate, source.file, &reason);
        }
        self.source_crate(source, krate, true)
    }

    fn add_source_module(
        &self,
        source: &'static RegisteredSource,
        cfgs: RegisteredCfgs<'_>,
        known: &mut Vec<SourceCrate>,
    ) {
        let mut segments = source.module.split("::");
        let name = unmarked_name(segments.next().unwrap_or_default());
        let of = known.iter().find(|of| of.name == name && of.manifest == source.manifest);
        let krate = match of {
            Some(of) => of.krate,
            None => {
                let krate = self.empty_crate_of(
                    name,
                    source.edition,
                    cfgs.of_crate(name, source.cfgs),
                    self.package_of(source),
                );
                known.push(self.source_crate(source, krate, false));
                krate
            }
        };
        let mut module = self.crate_root(krate);
        for segment in segments {
            let name = unmarked_name(segment);
            let inner = self.direct_module(module, name);
            module = inner.unwrap_or_else(|| self.add_module(krate, module, name));
        }
        if self.source_files(krate).contains(source.file) {
            return;
        }
        let files = Files::of(source);
        let path = source.path();
        match files.read(&path) {
            Ok(text) => {
                let id = self.sources.add_of_edition(source.file, text, source.edition);
                let len = self.sources.get(id).text.len();
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                let children = folder.join(source.children);
                let mut collector = self.collector(krate);
                collector.files = files;
                collector.text(
                    &CollectScope { source: id, module, folder, children, depth: 0, has_statements: false },
                    0,
                    len,
                );
                self.finish(krate, collector);
            }
            Err(reason) => self.add_unread(krate, source.file, &reason),
        }
    }

    /// The paths of a crate's files as rustc reports them.
    fn source_files(&self, krate: u32) -> HashSet<String> {
        let nodes = self.all_items().map(|def| self.node(def)).filter(|node| node.krate == krate);
        let ids: HashSet<_> = nodes.map(|node| node.source).collect();
        ids.into_iter().map(|id| self.sources.get(id).name.to_string()).collect()
    }

    /// The library of a crate's package, if that is another crate of the same name.
    pub(crate) fn namesake(&self, of: &SourceCrate) -> Option<DefId> {
        let path = of.namesake.get_or_init(|| {
            let (name, lib) = library(Path::new(of.manifest?))?;
            (name == of.name && !lib.ends_with(of.file?)).then_some(lib)
        });
        path.as_ref()?;
        let package = self.krate(of.krate).package?;
        self.package_root(self.graph()?, package)
    }

    /// The registered source that embeds the file that rustc calls `file`, and the path of that file in it.
    pub(crate) fn embedded(&self, file: &str) -> Option<(&'static RegisteredSource, PathBuf)> {
        let mut sources = self.items()?.registered_sources().iter();
        sources.find_map(|source| {
            let SourceFiles::Embedded(files) = source.files else { return None };
            let mut paths = files.iter().map(|(path, _)| Path::new(path));
            let path = paths.find(|path| source.shown(path) == Path::new(file))?;
            Some((*source, path.to_owned()))
        })
    }

    /// The files that were skipped because they changed after the running program was built.
    pub(crate) fn changed_files(&self) -> Vec<String> {
        let mut changed = Vec::new();
        for krate in self.all_crates() {
            for fault in krate.faults.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                match &fault.cause {
                    Cause::Read { path, reason } if reason == CHANGED => changed.push(format!("`{path}`")),
                    _ => {}
                }
            }
        }
        changed
    }
}
