//! A program: the user's crate, the crates it names, and the prelude, with everything known about their
//! items.
//!
//! - Everything is computed on first use and cached; an error in one item never hides another.
//! - No lock is held while an item is resolved, so items may query each other; if two threads compute the
//!   same answer, the answers are equal.

mod signature;
mod tables;

pub use signature::signature;

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, RwLock};

use hashbrown::{HashMap, HashSet};
use overdub_context::{Span, Symbol};

use crate::error::{Cause, LookupError, ResolveError};
use crate::hir::*;
use crate::registration::{Registered, RegisteredSource};
use crate::resolve::collect::Files;
use crate::resolve::crates::{Entry, Krate, LoadingMap};
use crate::resolve::derive_macros::DeriveMacros;
use crate::resolve::impls::ImplIndex;
use crate::resolve::names::Meaning;
use crate::resolve::node::*;
use crate::resolve::proc_macros::ProcMacros;
use crate::resolve::registered::Items;
use crate::resolve::registered_source::roots_of;
use crate::source::cargo::{Graph, GraphRoot, Package};
use crate::source::cfg::CfgOptions;
use crate::source::nesting_depth::{levels, with_stack_for};
use crate::source::{SourceMap, SourceRange};

pub(crate) use tables::module_node;

/// The shape of an impl's self type, as far as its head determines it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SelfHead {
    /// A struct or an enum.
    Def(DefId),
    /// A primitive type.
    Prim(Prim),
    /// `[T]`
    Slice,
    /// `[T; N]`
    Array,
    /// `()`, `(A, B)`
    Tuple,
    /// `&T`, `&mut T`
    Ref,
    /// `fn(A) -> B`
    FnPtr,
    /// `dyn Trait`
    Dyn(DefId),
    /// `!`
    Never,
    /// A type parameter or a projection: the impl may be for any type.
    Blanket,
}

type NameKey = (DefId, Symbol, Space, bool);

/// A loaded program.
pub struct Program {
    pub(crate) sources: SourceMap,
    nodes: RwLock<Vec<Arc<Node>>>,
    crates: RwLock<Vec<Arc<Krate>>>,
    impls: Mutex<ImplIndex>,
    /// Held while deferred macro calls are expanded.
    pub(crate) expanding: Mutex<()>,
    langs: RwLock<HashMap<Symbol, DefId>>,
    names: Mutex<HashMap<NameKey, Option<Meaning>>>,
    scope_traits: Mutex<HashMap<DefId, Arc<[DefId]>>>,
    expansions: AtomicU32,
    std: OnceLock<u32>,
    std_prelude: OnceLock<Option<DefId>>,
    user: OnceLock<u32>,
    /// The registered items, if the program consists of them.
    items: OnceLock<Items>,
    /// How the user's crate was loaded, if a manifest may list its dependencies.
    loaded_from: Option<LoadedFrom>,
    /// The packages whose dependencies programs may name: the user's, or those of registered sources.
    graph_roots: OnceLock<Vec<GraphRoot>>,
    /// Whether it is the program of the items registered in this process.
    pub(crate) is_of_process: bool,
    /// The folder where the search for a manifest starts, on first use.
    folder: Option<std::path::PathBuf>,
    graph: OnceLock<Option<Graph>>,
    /// The names that the package's own manifest gives crates.
    crate_names: OnceLock<HashSet<Symbol>>,
    pub(crate) loading: Mutex<LoadingMap>,
    /// The derives by macros of other packages.
    pub(crate) derives: DeriveMacros,
    /// The procedural macros of other packages.
    pub(crate) proc_macros: ProcMacros,
    pub(crate) loaded: Condvar,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").finish_non_exhaustive()
    }
}

/// How the user's crate was loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LoadedFrom {
    Crate,
    LoneFile,
}

/// A text with further items appended.
fn followed_by(text: Arc<str>, items: &str) -> Arc<str> {
    if items.is_empty() { text } else { format!("{text}\n{items}").into() }
}

/// The edition of a text without a manifest.
pub(crate) const LONE_EDITION: u16 = 2021;

impl Program {
    fn empty() -> Program {
        let program = Program {
            sources: SourceMap::default(),
            nodes: RwLock::default(),
            crates: RwLock::default(),
            impls: Mutex::default(),
            expanding: Mutex::default(),
            langs: RwLock::default(),
            names: Mutex::default(),
            scope_traits: Mutex::default(),
            expansions: AtomicU32::new(0),
            std: OnceLock::new(),
            std_prelude: OnceLock::new(),
            user: OnceLock::new(),
            items: OnceLock::new(),
            loaded_from: None,
            graph_roots: OnceLock::new(),
            is_of_process: false,
            folder: None,
            graph: OnceLock::new(),
            crate_names: OnceLock::new(),
            loading: Mutex::default(),
            derives: DeriveMacros::default(),
            proc_macros: ProcMacros::default(),
            loaded: Condvar::new(),
        };
        if let Some(krate) = program.prelude_crate(Symbol::new("std"), "lib.rs", None) {
            program.std.get_or_init(|| krate);
        }
        program
    }

    /// The program of a `.rs` file or of a crate's folder.
    pub fn load(path: &Path) -> Result<Program, ResolveError> {
        Program::load_with(path, "")
    }

    /// Like [`Program::load`], with further items appended to its root file.
    pub fn load_with(path: &Path, items: &str) -> Result<Program, ResolveError> {
        if path.is_dir() || path.file_name().is_some_and(|name| name == "Cargo.toml") {
            let dir = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
            Program::load_crate(dir, items)
        } else {
            Program::load_file(path, items)
        }
    }

    fn load_file(path: &Path, items: &str) -> Result<Program, ResolveError> {
        let shown = path.to_string_lossy().into_owned();
        let text = Files::Disk.read(path).map_err(|reason| {
            ResolveError::new(Span::unknown(), Cause::Read { path: shown.clone(), reason })
        })?;
        let mut program = Program::empty();
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let folder = if folder.as_os_str().is_empty() { Path::new(".").to_owned() } else { folder };
        (program.loaded_from, program.folder) = (Some(LoadedFrom::LoneFile), Some(folder));
        let stem = path.file_stem().map_or_else(|| "main".into(), |stem| stem.to_string_lossy());
        program.add_user(Entry {
            name: Symbol::new(&stem.replace('-', "_")),
            file: path.to_owned(),
            text: followed_by(text, items),
            files: Files::Disk,
            edition: LONE_EDITION,
            cfg: CfgOptions::default(),
            package: Some(0),
            shown: &shown,
        })?;
        Ok(program)
    }

    fn load_crate(dir: &Path, items: &str) -> Result<Program, ResolveError> {
        Program::load_root(vec![GraphRoot::library(dir.to_owned())], items)
    }

    /// The program of the last of these packages.
    fn load_root(roots: Vec<GraphRoot>, items: &str) -> Result<Program, ResolveError> {
        let fault = |reason| ResolveError::new(Span::unknown(), Cause::Manifest(reason));
        let graph = Graph::read(&roots).map_err(fault)?;
        let mut program = Program::empty();
        program.loaded_from = Some(LoadedFrom::Crate);
        let at = roots.len().saturating_sub(1);
        program.graph_roots.get_or_init(|| roots);
        let Some(package) = graph.packages.get(at) else {
            return Err(fault("the manifest names no package".to_owned()));
        };
        let shown = package.lib.to_string_lossy().into_owned();
        let text = Files::Disk.read(&package.lib).map_err(|reason| {
            ResolveError::new(Span::unknown(), Cause::Read { path: shown.clone(), reason })
        })?;
        let entry = Entry {
            name: package.ident(),
            file: package.lib.clone(),
            text: followed_by(text, items),
            files: Files::Disk,
            edition: package.edition,
            cfg: package.cfg(&graph.output),
            package: Some(at),
            shown: &shown,
        };
        program.graph.get_or_init(|| Some(graph));
        program.add_user(entry)?;
        Ok(program)
    }

    /// The program of a package of procedural macros, in the versions of this program's packages, with further items.
    pub(crate) fn macro_program(&self, package: &Package, items: &str) -> Result<Program, ResolveError> {
        let of_macro = GraphRoot { features: Some(Vec::new()), ..GraphRoot::library(package.folder.clone()) };
        let roots: Vec<GraphRoot> = self.graph_roots().iter().cloned().chain([of_macro]).collect();
        Program::load_root(roots, items)
    }

    /// The program of a single text, for tests and attributes; spans use `name` as its file name.
    pub fn from_source(name: &str, text: &str) -> Result<Program, ResolveError> {
        let program = Program::empty();
        program.add_user(Entry {
            name: Symbol::new("main"),
            file: name.into(),
            text: text.into(),
            files: Files::None,
            edition: LONE_EDITION,
            cfg: CfgOptions::default(),
            package: None,
            shown: name,
        })?;
        Ok(program)
    }

    /// The program of registered items and of the crates whose whole sources are registered.
    pub fn from_registered(
        items: impl IntoIterator<Item = &'static Registered>,
        sources: impl IntoIterator<Item = &'static RegisteredSource>,
    ) -> Program {
        let program = Program { is_of_process: true, ..Program::empty() };
        let items: Vec<&'static Registered> = items.into_iter().collect();
        let mut sources: Vec<&'static RegisteredSource> = sources.into_iter().collect();
        sources.sort_by_key(|source| (source.module, source.file));
        program.graph_roots.get_or_init(|| roots_of(&sources));
        let (known, user) = program.add_registered(&items, &sources);
        program.user.get_or_init(|| user);
        program.items.get_or_init(|| known);
        program
    }

    /// Whether sources of whole crates are registered.
    pub(crate) fn has_sources(&self) -> bool {
        self.items().is_some_and(|items| !items.sources().is_empty())
    }

    /// The registered items, if the program consists of them.
    pub(crate) fn items(&self) -> Option<&Items> {
        self.items.get()
    }

    fn add_user(&self, entry: Entry<'_>) -> Result<(), ResolveError> {
        let krate = self.add_crate(entry);
        self.user.get_or_init(|| krate);
        Ok(())
    }

    /// The errors of the user's crate as a whole: missing files, text that is not an item, macros that do not
    /// expand. Other items remain usable.
    pub fn faults(&self) -> Vec<ResolveError> {
        let krate = self.krate(self.node(self.root()).krate);
        let faults = krate.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.clone()
    }

    /// The root module of the user's crate.
    pub fn root(&self) -> DefId {
        self.crate_root(self.user.get().copied().unwrap_or(0))
    }

    /// The item that a path from the user's root names: `gamma::ln_gamma`, `Type::name`, `Trait::name`,
    /// `<T as Trait>::name`; visibility does not matter.
    pub fn lookup(&self, path: &str) -> Result<DefId, LookupError> {
        self.lookup_through(path).map(|(def, _)| def)
    }

    /// Like [`Program::lookup`]; for a method that a trait provides, named through a type that does not
    /// override it, also returns the type's impl of the trait.
    pub fn lookup_through(&self, path: &str) -> Result<(DefId, Option<DefId>), LookupError> {
        self.find(path)
    }

    /// All functions of the user's crate, in source order.
    pub fn functions(&self) -> Vec<DefId> {
        self.all_functions()
    }

    /// The properties common to all items.
    pub fn head(&self, def: DefId) -> ItemHead {
        let node = self.node(def);
        let lo = node.raw.name_lo;
        let hi = if node.head.kind == DefKind::Impl {
            node.raw.body.map_or(node.raw.hi, |(lo, _)| lo.saturating_sub(1))
        } else {
            lo + node.head.name.len() as u32
        };
        ItemHead { span: self.sources.span(SourceRange { source: node.source, lo, hi }), ..node.head.clone() }
    }

    /// The item's full path, as diagnostics and the IR name it.
    pub fn path(&self, def: DefId) -> String {
        self.path_of(def)
    }

    /// Whether an item is that of the prelude: of the standard library, or of a crate that the prelude represents.
    pub(crate) fn is_of_prelude(&self, def: DefId) -> bool {
        self.cfg(self.node(def).krate).has_prelude_attrs
    }

    /// The innermost impl, trait or enum that an associated item or variant belongs to.
    pub fn container(&self, def: DefId) -> Option<DefId> {
        let parent = self.node(def).head.parent;
        let kind = self.node(parent).head.kind;
        matches!(kind, DefKind::Impl | DefKind::Trait | DefKind::Enum).then_some(parent)
    }

    /// The items of an impl or trait, or the variants of an enum, in order.
    pub fn children(&self, def: DefId) -> Arc<[DefId]> {
        let node = self.node(def);
        if let Some(known) = node.answers().children.get() {
            return known.clone();
        }
        let children = self.collect_children(def);
        node.answers().children.get_or_init(|| self.with_langs(children)).clone()
    }

    /// The item called `name` in an impl or trait, or that variant of an enum.
    pub fn child(&self, def: DefId, name: Symbol) -> Option<DefId> {
        let node = self.node(def);
        let named = node.answers().named_children.get_or_init(|| {
            let mut named = HashMap::new();
            for &child in self.children(def).iter() {
                named.entry(self.node(child).head.name).or_insert(child);
            }
            named
        });
        named.get(&name).copied()
    }

    pub(crate) fn declaration(&self, def: DefId) -> Result<Declaration, ResolveError> {
        let node = self.node(def);
        if let Some(known) = node.answers().declaration.get() {
            return known.clone();
        }
        let declaration = self.with_stack_for(def, || self.declare(def));
        node.answers().declaration.get_or_init(|| declaration).clone()
    }

    /// Runs a recursion over an item on a sufficiently large stack.
    pub(crate) fn with_stack_for<R>(&self, def: DefId, run: impl FnOnce() -> R) -> R {
        let node = self.node(def);
        let text = || self.sources.get(node.source);
        let levels = node.answers().levels.get_or_init(|| levels(&text().text, node.raw.lo, node.raw.hi));
        with_stack_for(*levels, run)
    }

    fn mismatch<T>(&self, def: DefId, expected: &'static str) -> Result<T, ResolveError> {
        let head = self.head(def);
        let found = match head.kind {
            DefKind::Mod => "a module",
            DefKind::Fn | DefKind::AssocFn => "a function",
            DefKind::Struct => "a struct",
            DefKind::Enum => "an enum",
            DefKind::Variant => "a variant",
            DefKind::Trait => "a trait",
            DefKind::Impl => "an impl",
            DefKind::Const | DefKind::AssocConst => "a constant",
            DefKind::Static => "a static",
            DefKind::TypeAlias | DefKind::AssocType => "a type alias",
            DefKind::Macro => "a macro",
        };
        Err(ResolveError::new(head.span, Cause::WrongKind { path: self.path(def), found, expected }))
    }

    /// A function's signature.
    pub fn fn_sig(&self, def: DefId) -> Result<Arc<FnSig>, ResolveError> {
        match self.declaration(def)? {
            Declaration::Fn(sig) => Ok(sig),
            _ => self.mismatch(def, "a function"),
        }
    }

    /// A struct or an enum; for a variant, its enum.
    pub fn adt(&self, def: DefId) -> Result<Arc<Adt>, ResolveError> {
        match self.declaration(def)? {
            Declaration::Adt(adt) => Ok(adt),
            _ => self.mismatch(def, "a struct or an enum"),
        }
    }

    /// The enum (or the struct itself) and the index in [`Adt::variants`].
    pub fn variant_of(&self, def: DefId) -> Option<(DefId, usize)> {
        let node = self.node(def);
        match node.head.kind {
            DefKind::Struct => Some((def, 0)),
            DefKind::Variant => {
                let index = self.children(node.head.parent).iter().position(|child| *child == def)?;
                Some((node.head.parent, index))
            }
            _ => None,
        }
    }

    /// A trait.
    pub fn trait_(&self, def: DefId) -> Result<Arc<Trait>, ResolveError> {
        match self.declaration(def)? {
            Declaration::Trait(of) => Ok(of),
            _ => self.mismatch(def, "a trait"),
        }
    }

    /// An impl.
    pub fn impl_(&self, def: DefId) -> Result<Arc<Impl>, ResolveError> {
        match self.declaration(def)? {
            Declaration::Impl(it) => Ok(it),
            _ => self.mismatch(def, "an impl"),
        }
    }

    /// An associated type or a type alias.
    pub fn assoc_type(&self, def: DefId) -> Result<Arc<AssocType>, ResolveError> {
        match self.declaration(def)? {
            Declaration::Alias(alias) => Ok(alias),
            _ => self.mismatch(def, "a type alias"),
        }
    }

    /// The generic parameters of any item.
    pub fn generics(&self, def: DefId) -> Result<Arc<Generics>, ResolveError> {
        let node = self.node(def);
        if let Some(known) = node.answers().generics.get() {
            return known.clone();
        }
        let generics = self.with_stack_for(def, || self.resolve_generics(def)).map(Arc::new);
        node.answers().generics.get_or_init(|| generics).clone()
    }

    /// The type of a constant, a static or an associated constant.
    pub fn const_type(&self, def: DefId) -> Result<Arc<Type>, ResolveError> {
        match self.declaration(def)? {
            Declaration::Const(ty) => Ok(ty),
            _ => self.mismatch(def, "a constant"),
        }
    }

    /// The body of a function, a constant or a static; `None` for required items and operations.
    pub fn body(&self, def: DefId) -> Result<Option<Arc<HirBody>>, ResolveError> {
        let node = self.node(def);
        if let Some(known) = node.answers().body.get() {
            return known.clone();
        }
        let resolved = self.with_stack_for(def, || self.resolve_body(def)).map(|body| body.map(Arc::new));
        node.answers().body.get_or_init(|| resolved).clone()
    }

    /// All impls of a trait.
    pub fn impls_of(&self, trait_: DefId) -> Arc<[DefId]> {
        self.find_impls_of(trait_)
    }

    /// The impls of a trait that may be for a type with this head: exact ones first, then blanket ones.
    pub fn impls_for(&self, trait_: DefId, head: SelfHead) -> Arc<[DefId]> {
        self.find_impls_for(trait_, head)
    }

    /// The inherent impls for a type with this head.
    pub fn inherent_impls(&self, head: SelfHead) -> Arc<[DefId]> {
        self.find_inherent(head)
    }

    /// The item marked `#[lang("name")]`.
    pub fn lang(&self, name: &str) -> Option<DefId> {
        let langs = self.langs.read().unwrap_or_else(PoisonError::into_inner);
        langs.get(&Symbol::new(name)).copied()
    }

    /// Whether a static is declared with `mut`.
    pub fn is_static_mut(&self, def: DefId) -> bool {
        let node = self.node(def);
        let text = self.sources.get(node.source);
        let head = text.text.get(node.raw.lo as usize..node.raw.name_lo as usize).unwrap_or_default();
        head.split_whitespace().any(|word| word == "mut")
    }

    /// The text of a file, for excerpts.
    pub fn source(&self, file: Symbol) -> Option<Arc<str>> {
        self.sources.named(file)
    }

    /// A line of a file, counted from one, without its end.
    pub fn source_line(&self, file: Symbol, line: u32) -> Option<String> {
        self.sources.line(file, line)
    }
}
