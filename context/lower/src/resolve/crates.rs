//! Crates: the user's, the prelude, and those named by programs.
//!
//! - A crate is loaded when a path first begins with its name; each crate is loaded once, by one thread.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;

use hashbrown::HashMap;
use overdub_context::{Span, Symbol};

use super::collect::{CollectScope, Collector, Files};
use crate::error::{Cause, ResolveError};
use crate::hir::*;
use crate::program::{LONE_EDITION, Program};
use crate::provided::provided;
use crate::source::PRELUDE;
use crate::source::cargo::Graph;
use crate::source::cfg::CfgOptions;

/// A crate.
#[derive(Debug)]
pub(crate) struct Krate {
    pub(crate) name: Symbol,
    pub(crate) root: DefId,
    pub(crate) edition: u16,
    pub(crate) cfg: Arc<CfgOptions>,
    /// Its package in the graph; for a single file, the package that contains it.
    pub(crate) package: Option<usize>,
    pub(crate) complete: AtomicBool,
    /// The crates of `#[macro_use] extern crate`.
    pub(crate) used: Mutex<Vec<Symbol>>,
    pub(crate) faults: Mutex<Vec<ResolveError>>,
}

/// The state of loading a package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loading {
    By(ThreadId),
    Done(Option<u32>),
}

/// Crates replaced by implementations in the prelude, and the root files of those: the originals are built on
/// arrays of pointers, on addresses, on bytes of floats or on what they ask the machine, or are rustc plugins.
pub(super) const REPLACED_CRATES: [(&str, &str); 19] = [
    ("anyhow", "anyhow/lib.rs"),
    ("arrayvec", "arrayvec/lib.rs"),
    ("dyn_stack", "dyn_stack/lib.rs"),
    ("equator", "equator/lib.rs"),
    ("gemm", "gemm/lib.rs"),
    ("hashbrown", "hashbrown/lib.rs"),
    ("hexf", "hexf/lib.rs"),
    ("matrixmultiply", "matrixmultiply/lib.rs"),
    ("memchr", "memchr/lib.rs"),
    ("ndarray", "ndarray/lib.rs"),
    ("num_cpus", "num_cpus/lib.rs"),
    ("once_cell", "once_cell/lib.rs"),
    ("paste", "paste/lib.rs"),
    ("pastey", "paste/lib.rs"),
    ("proc_macro", "proc_macro/lib.rs"),
    ("rayon", "rayon/lib.rs"),
    ("smallvec", "smallvec/lib.rs"),
    ("trait_set", "trait_set/lib.rs"),
    ("zerocopy", "zerocopy/lib.rs"),
];

/// Crates whose types external callers pass as others, and the files of the prelude in which these implement `Entry`, unless
/// the crate itself is one of the prelude.
const CRATES_WITH_ENTRIES: [(&str, Option<&str>); 2] = [("faer", Some("faer/lib.rs")), ("ndarray", None)];

/// Whether a crate of this name is replaced by one in the prelude.
pub(crate) fn is_replaced(name: Symbol) -> bool {
    REPLACED_CRATES.iter().any(|(known, _)| *known == &*name)
}

impl Loading {
    /// The number of a replaced crate, which no package has.
    fn of_replaced(at: usize) -> usize {
        usize::MAX - at
    }

    /// The number of the crate with the entries of a crate.
    fn entries_of(krate: u32) -> usize {
        usize::MAX / 2 + krate as usize
    }

    /// The number of a crate that the host provides.
    fn provided(number: usize) -> usize {
        usize::MAX - REPLACED_CRATES.len() - number
    }
}

/// The text of a crate, and how to read it.
pub(crate) struct Entry<'a> {
    pub(crate) name: Symbol,
    pub(crate) file: PathBuf,
    pub(crate) text: Arc<str>,
    pub(crate) files: Files,
    pub(crate) edition: u16,
    pub(crate) cfg: CfgOptions,
    pub(crate) package: Option<usize>,
    pub(crate) shown: &'a str,
}

impl Program {
    /// Collects a crate.
    pub(crate) fn add_crate(&self, entry: Entry<'_>) -> u32 {
        let cfg = Arc::new(entry.cfg);
        let source = self.sources.add_of_edition(entry.shown, entry.text, entry.edition);
        let len = self.sources.get(source).text.len();
        let (krate, root) = self.new_crate(
            |root| Krate {
                name: entry.name,
                root,
                edition: entry.edition,
                cfg: cfg.clone(),
                package: entry.package,
                complete: AtomicBool::new(false),
                used: Mutex::default(),
                faults: Mutex::default(),
            },
            source,
            len as u32,
        );
        let folder = entry.file.parent().unwrap_or(Path::new("")).to_owned();
        let scope = CollectScope {
            source,
            module: root,
            children: folder.clone(),
            folder,
            depth: 0,
            has_statements: false,
        };
        let mut collector = Collector {
            program: self,
            krate,
            root,
            files: entry.files,
            cfg,
            macros: None,
            faults: Vec::new(),
            pending_macros: Vec::new(),
        };
        collector.text(&scope, 0, len);
        collector.expand_pending_macros();
        let known = self.krate(krate);
        known.faults.lock().unwrap_or_else(PoisonError::into_inner).extend(collector.faults);
        known.complete.store(true, Ordering::Release);
        self.forget_names();
        krate
    }

    /// The root of the crate that `name` refers to within a crate.
    pub(crate) fn extern_crate(&self, krate: u32, name: Symbol) -> Option<DefId> {
        if matches!(&*name, "std" | "core" | "alloc") {
            return self.std_root();
        }
        if let Some(items) = self.items() {
            if krate == items.names {
                return self.crate_of_names(items, name);
            }
            let of = self.krate(krate);
            match items.source(krate).filter(|source| source.name == name) {
                // A binary refers to the library of its package, never to itself.
                Some(source) => return self.namesake(source).or(Some(of.root)),
                None => {
                    if let Some(root) = self.registered_crate(name) {
                        return Some(root);
                    }
                }
            }
        }
        let package = self.krate(krate).package;
        let graph = package.and_then(|_| self.graph());
        let Some((graph, package)) = graph.zip(package) else { return self.replacement_crate(name) };
        let of = graph.packages.get(package)?;
        let index = match of.deps.get(&name) {
            Some(index) => *index,
            None if of.ident() == name && (self.is_lone_file() || self.items().is_some()) => package,
            // The entries of the package's types.
            None if of.ident() == name && self.cfg(krate).has_prelude_attrs => package,
            None if self.is_lone_file() || self.cfg(krate).has_prelude_attrs => {
                return self.replacement_crate(name);
            }
            None if self.names_itself(krate, name) => return Some(self.crate_root(krate)),
            // The compiler's own crate is no dependency. Its types are converted by impls that a crate has which is not named.
            None if &*name == "proc_macro" => {
                let root = self.replacement_crate(name);
                let converts = graph.packages.iter().position(|package| package.name == "proc-macro2");
                converts.map(|index| self.package_root(graph, index));
                return root;
            }
            None => return None,
        };
        self.package_root(graph, index)
    }

    /// Whether a crate has this name for itself: `extern crate self as name`.
    fn names_itself(&self, krate: u32, name: Symbol) -> bool {
        let root = self.crate_root(krate);
        let node = self.node(root);
        let Some(module) = &node.module else { return false };
        let module = module.read().unwrap_or_else(PoisonError::into_inner);
        module.types.get(&name).is_some_and(|(def, _)| *def == root)
    }

    /// The root of the library of a package, or of the crate that replaces it.
    pub(crate) fn package_root(&self, graph: &Graph, index: usize) -> Option<DefId> {
        match self.replacement_crate(graph.packages.get(index)?.ident()) {
            Some(root) => Some(root),
            None => self.package_crate(graph, index).map(|krate| self.crate_root(krate)),
        }
    }

    /// The root of the crate of this name among the registered items.
    pub(crate) fn registered_crate(&self, name: Symbol) -> Option<DefId> {
        let krate = self.items()?.krate(name)?;
        Some(self.crate_root(krate))
    }

    /// The crate of the prelude that replaces the published one of this name.
    pub(super) fn replacement_crate(&self, name: Symbol) -> Option<DefId> {
        let Some(at) = REPLACED_CRATES.iter().position(|(known, _)| *known == &*name) else {
            return self.provided_crate(name);
        };
        self.std_root()?;
        let krate =
            self.once(Loading::of_replaced(at), || self.prelude_crate(name, REPLACED_CRATES[at].1, None))?;
        Some(self.crate_root(krate))
    }

    /// A crate that the host provides.
    fn provided_crate(&self, name: Symbol) -> Option<DefId> {
        let (number, text) = provided(name)?;
        self.std_root()?;
        let file = format!("{PRELUDE}{name}/lib.rs");
        let krate = self.once(Loading::provided(number), || {
            Some(self.add_crate(Entry {
                name,
                file: PathBuf::from(&file),
                text: text.as_str().into(),
                files: Files::None,
                edition: LONE_EDITION,
                cfg: CfgOptions { has_prelude_attrs: true, ..CfgOptions::default() },
                package: None,
                shown: &file,
            }))
        })?;
        Some(self.crate_root(krate))
    }

    /// Collects a crate of the prelude with the root file `file`, which sees what a package sees.
    pub(crate) fn prelude_crate(&self, name: Symbol, file: &str, package: Option<usize>) -> Option<u32> {
        let (file, files) = (PathBuf::from(file), Files::Prelude);
        Some(self.add_crate(Entry {
            name,
            text: files.read(&file).ok()?,
            files,
            edition: LONE_EDITION,
            cfg: CfgOptions { has_prelude_attrs: true, ..CfgOptions::default() },
            package,
            shown: &files.shown(&file),
            file,
        }))
    }

    /// Loads the implementations of `Entry` for the types of a crate; false if there are none.
    pub(crate) fn load_entries_of(&self, krate: u32) -> bool {
        let of = self.krate(krate);
        let file = match CRATES_WITH_ENTRIES.iter().find(|(name, _)| *name == &*of.name) {
            Some((_, Some(file))) => file,
            Some((_, None)) => return true,
            None => return false,
        };
        let name = Symbol::new(&format!("{}_entries", of.name));
        self.once(Loading::entries_of(krate), || self.prelude_crate(name, file, of.package)).is_some()
    }

    fn package_crate(&self, graph: &Graph, index: usize) -> Option<u32> {
        self.once(index, || self.load_package(graph, index))
    }

    /// Loads a crate on first use; `index` identifies it.
    fn once(&self, index: usize, load: impl FnOnce() -> Option<u32>) -> Option<u32> {
        let me = std::thread::current().id();
        {
            let mut loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                match loading.get(&index) {
                    None => break,
                    Some(Loading::Done(krate)) => return *krate,
                    // A crate that refers to itself while it is being loaded.
                    Some(Loading::By(thread)) if *thread == me => return None,
                    Some(Loading::By(_)) => {
                        loading = self.loaded.wait(loading).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            }
            loading.insert(index, Loading::By(me));
        }
        let krate = load();
        let mut loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        loading.insert(index, Loading::Done(krate));
        self.loaded.notify_all();
        krate
    }

    fn load_package(&self, graph: &Graph, index: usize) -> Option<u32> {
        let package = &graph.packages[index];
        // Registered programs were compiled from the files as they were then.
        let files = if self.is_of_process { Files::Built } else { Files::Disk };
        let text = match files.read(&package.lib) {
            Ok(text) => text,
            Err(reason) if self.is_of_process && package.lib.exists() => {
                let krate = self.empty_crate_of(
                    package.ident(),
                    package.edition,
                    package.cfg_of_dependency(&graph.output),
                    Some(index),
                );
                self.add_unread(krate, &package.lib.to_string_lossy(), &reason);
                return Some(krate);
            }
            Err(_) => return None,
        };
        Some(self.add_crate(Entry {
            name: package.ident(),
            file: package.lib.clone(),
            text,
            files,
            edition: package.edition,
            cfg: package.cfg_of_dependency(&graph.output),
            package: Some(index),
            shown: &package.lib.to_string_lossy(),
        }))
    }

    /// Notes that the root file of a crate is unusable.
    pub(crate) fn add_unread(&self, krate: u32, file: &str, reason: &str) {
        let cause = Cause::Read { path: file.to_owned(), reason: reason.to_owned() };
        let of = self.krate(krate);
        of.faults
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(ResolveError::new(Span::unknown(), cause));
        of.complete.store(true, Ordering::Release);
    }

    /// Notes `#[macro_use] extern crate`.
    pub(crate) fn use_macros(&self, krate: u32, name: Symbol) {
        self.krate(krate).used.lock().unwrap_or_else(PoisonError::into_inner).push(name);
    }

    /// The macro that is visible in a crate without a path.
    pub(crate) fn used_macro(&self, krate: u32, name: Symbol) -> Option<DefId> {
        let used = self.krate(krate).used.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let roots = used.into_iter().filter_map(|used| self.extern_crate(krate, used));
        roots.chain(self.std_root()).find_map(|root| {
            let node = self.node(root);
            let names = node.module.as_ref()?.read().unwrap_or_else(PoisonError::into_inner);
            names.macros.get(&name).map(|(def, _)| *def)
        })
    }

    /// `CARGO_PKG_NAME` and the like.
    pub(crate) fn package_env(&self, krate: u32, name: &str) -> Option<String> {
        let graph = self.graph()?;
        let package = graph.packages.get(self.krate(krate).package?)?;
        match name {
            "CARGO_CRATE_NAME" => Some(package.ident().to_string()),
            "CARGO_MANIFEST_DIR" => Some(package.folder.to_string_lossy().into_owned()),
            _ => match name.strip_prefix("CARGO_PKG_") {
                Some(name) => package.about(name),
                None => graph.output.variable(&package.name, name),
            },
        }
    }
}

pub(crate) type LoadingMap = HashMap<usize, Loading>;
