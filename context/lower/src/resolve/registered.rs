//! The program of registered items: their crates, modules and enclosing functions, with the items at their
//! original locations.
//!
//! - ITEMS1 the items of one file are placed in one text at their own lines and columns, so their spans are
//!   those of the file.
//! - ITEMS2 a function that encloses items is a block in its module: the items see the enclosing names.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;

use super::collect::{CollectScope, Collector, Files};
use super::crates::Krate;
use super::node::{MacroScope, Space};
use super::registered_source::SourceCrate;
use crate::hir::{DefId, DefKind};
use crate::program::{Program, module_node};
use crate::registration::{Cfg, Piece, Registered, RegisteredSource};
use crate::source::SourceId;
use crate::source::cfg::CfgOptions;
use crate::source::hygiene::unmarked_name;

/// The advice where a program of registered items lacks a function or type.
pub(crate) const ADVICE_TO_ANNOTATE: &str =
    "annotate it with `#[dub]`, or write `overdub::source!(crate);` in the root file of its crate";

/// The registered crates.
#[derive(Debug, Default)]
pub(crate) struct Items {
    crates: HashMap<Symbol, u32>,
    /// The crate whose root is [`Program::names_scope`].
    pub(crate) names: u32,
    /// The crates whose sources are registered.
    sources: Vec<SourceCrate>,
    registered_sources: Vec<&'static RegisteredSource>,
    /// Modules and enclosing functions, by their crates and the names that rustc gives them.
    scopes: HashMap<(u32, &'static str), DefId>,
}

impl Items {
    /// The crate called `name`.
    pub(crate) fn krate(&self, name: Symbol) -> Option<u32> {
        self.crates.get(&name).copied()
    }

    /// The crates whose sources are registered.
    pub(crate) fn sources(&self) -> &[SourceCrate] {
        &self.sources
    }

    /// The registrations of `source!`.
    pub(crate) fn registered_sources(&self) -> &[&'static RegisteredSource] {
        &self.registered_sources
    }

    /// The crate with this number, if its sources are registered.
    pub(crate) fn source(&self, krate: u32) -> Option<&SourceCrate> {
        self.sources.iter().find(|of| of.krate == krate)
    }

    /// The number of the crate that contains an item; `None` if a binary's sources are registered and the
    /// item is in the library of the same name.
    pub(crate) fn krate_of(&self, item: &Registered) -> Option<u32> {
        let name = unmarked_name(item.module.split("::").next()?);
        let mut of_name = self.sources.iter().filter(|of| of.name == name).peekable();
        match of_name.peek() {
            None => self.krate(name),
            Some(_) => of_name
                .clone()
                .find(|of| of.files.contains(item.file))
                .or_else(|| of_name.find(|of| !of.is_complete()))
                .map(|of| of.krate),
        }
    }

    /// The modules, or the enclosing functions, that rustc calls `name`.
    pub(crate) fn scopes_named(&self, name: &str) -> impl Iterator<Item = DefId> {
        self.scopes().filter(move |(_, scope, _)| *scope == name).map(|(_, _, def)| def)
    }

    /// The module, or the enclosing function, that contains an item.
    pub(crate) fn scope(&self, item: &Registered) -> Option<DefId> {
        self.scopes.get(&(self.krate_of(item)?, item.scope_name())).copied()
    }

    /// The modules and enclosing functions: their crates, their names and their definitions.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = (u32, &'static str, DefId)> {
        self.scopes.iter().map(|(&(krate, name), &def)| (krate, name, def))
    }
}

/// Everything that is registered, for the options that rustc evaluated.
#[derive(Clone, Copy)]
pub(crate) struct RegisteredCfgs<'i> {
    pub(crate) items: &'i [&'static Registered],
    pub(crate) sources: &'i [&'static RegisteredSource],
}

impl RegisteredCfgs<'_> {
    /// Those of the crates called `name`, of which `own` come first.
    pub(crate) fn of_crate(&self, name: Symbol, own: &'static [Cfg]) -> CfgOptions {
        let is_of_crate = |module: &str| module.split("::").next().map(unmarked_name) == Some(name);
        let of_sources = self.sources.iter().filter(|source| is_of_crate(source.module));
        let of_items = self.items.iter().filter(|item| is_of_crate(item.module));
        let others = of_sources.flat_map(|of| of.cfgs).chain(of_items.flat_map(|of| of.cfgs));
        CfgOptions::default().with_evaluated(own.iter().chain(others))
    }
}

/// A range of a text.
type TextRange = (SourceId, u32, u32);

/// The positions of the pieces of each file.
type Places = HashMap<(&'static str, Piece), TextRange>;

/// Whether a crate is `overdub` or a plugin: their items are in every program, in addition to those of the
/// user's crate.
fn is_framework_crate(name: &str) -> bool {
    name == "overdub" || name.starts_with("overdub_")
}

impl Program {
    /// Collects registered sources, then registered items, and returns the user's crate.
    pub(crate) fn add_registered(
        &self,
        items: &[&'static Registered],
        sources: &[&'static RegisteredSource],
    ) -> (Items, u32) {
        let names = self.empty_crate_of(Symbol::new(""), 2024, CfgOptions::default(), None);
        let cfgs = RegisteredCfgs { items, sources };
        let (of_sources, registered_sources) = (self.add_sources(cfgs), sources.to_vec());
        let mut known = Items { names, sources: of_sources, registered_sources, ..Items::default() };
        for of in &known.sources {
            known.crates.entry(of.name).or_insert(of.krate);
        }
        let is_in_source = |item: &&'static Registered| {
            let is_closure =
                item.pieces.last().is_some_and(|piece| piece.text.starts_with("fn __dub_closure"));
            let is_of_module = item.scope_name() == item.module && !is_closure;
            is_of_module && known.sources.iter().any(|of| of.files.contains(item.file))
        };
        let (from_sources, items): (Vec<&'static Registered>, Vec<_>) =
            items.iter().copied().partition(is_in_source);
        let items = &items[..];
        let places = self.add_texts(items);
        let mut list: Vec<&'static Registered> = items.to_vec();
        list.sort_by_key(|item| {
            let last = item.pieces.last().map_or((0, 0), |piece| (piece.line, piece.column));
            (item.module, item.scope_name(), item.file, last)
        });
        let in_items = list.iter().filter_map(|item| item.module.split("::").next());
        let in_sources = known.sources.iter().map(|of| of.name.as_str());
        let mut names: Vec<&str> = in_items.chain(in_sources).collect();
        names.sort_unstable();
        names.dedup();
        let users: Vec<&str> = names.iter().copied().filter(|name| !is_framework_crate(name)).collect();
        let lone = match (&users[..], &names[..]) {
            ([user], _) | ([], [user]) => Some(unmarked_name(user)),
            _ => None,
        };
        for name in names {
            let name = unmarked_name(name);
            let cfg = || cfgs.of_crate(name, &[]);
            known.crates.entry(name).or_insert_with(|| self.empty_crate_of(name, 2024, cfg(), None));
        }
        for item in from_sources {
            self.scope_of(item, &mut known);
        }
        let mut collectors: HashMap<u32, Collector<'_>> = HashMap::new();
        let mut macros: HashMap<DefId, MacroScope> = HashMap::new();
        let mut seen: HashSet<(DefId, TextRange)> = HashSet::new();
        for item in list {
            let Some((krate, module)) = self.scope_of(item, &mut known) else { continue };
            let collector = collectors.entry(krate).or_insert_with(|| self.collector(krate));
            let parent_macros =
                self.module_parent(module).and_then(|parent| macros.get(&parent).cloned().flatten());
            collector.macros = macros.get(&module).cloned().unwrap_or(parent_macros);
            for piece in item.pieces {
                let range = places[&(item.file, *piece)];
                if !seen.insert((module, range)) {
                    continue;
                }
                let (source, lo, hi) = range;
                let scope = CollectScope {
                    source,
                    module,
                    folder: Default::default(),
                    children: Default::default(),
                    depth: 0,
                    has_statements: false,
                };
                collector.text(&scope, lo as usize, hi as usize);
            }
            macros.insert(module, collector.macros.clone());
        }
        for (krate, collector) in collectors {
            self.finish(krate, collector);
        }
        // If there are several crates, their items are named by full paths.
        let user = lone.and_then(|name| known.krate(name)).unwrap_or(known.names);
        (known, user)
    }

    /// A crate without items.
    pub(crate) fn empty_crate_of(
        &self,
        name: Symbol,
        edition: u16,
        cfg: CfgOptions,
        package: Option<usize>,
    ) -> u32 {
        let source = self.sources.add_generated(String::new(), Vec::new());
        let new_crate = |root| Krate {
            name,
            root,
            edition,
            cfg: Arc::new(cfg),
            package,
            complete: AtomicBool::new(false),
            used: Mutex::default(),
            faults: Mutex::default(),
        };
        self.new_crate(new_crate, source, 0).0
    }

    /// Completes the collection of a crate.
    pub(crate) fn finish(&self, krate: u32, mut collector: Collector<'_>) {
        collector.expand_pending_macros();
        let of = self.krate(krate);
        of.faults.lock().unwrap_or_else(PoisonError::into_inner).extend(collector.faults);
        of.complete.store(true, Ordering::Release);
        self.forget_names();
    }

    pub(crate) fn collector(&self, krate: u32) -> Collector<'_> {
        Collector {
            program: self,
            krate,
            root: self.crate_root(krate),
            files: Files::None,
            cfg: self.cfg(krate),
            macros: None,
            faults: Vec::new(),
            pending_macros: Vec::new(),
        }
    }

    /// The module or block that contains an item, created if it does not exist.
    fn scope_of(&self, item: &'static Registered, known: &mut Items) -> Option<(u32, DefId)> {
        let krate = known.krate_of(item)?;
        let mut module = self.crate_root(krate);
        for segment in item.module.split("::").skip(1) {
            let name = unmarked_name(segment);
            let inner = self.direct_module(module, name);
            module = inner.unwrap_or_else(|| self.add_module(krate, module, name));
        }
        known.scopes.entry((krate, item.module)).or_insert(module);
        let scope = item.scope_name();
        if scope == item.module {
            return Some((krate, module));
        }
        let block = known.scopes.entry((krate, scope)).or_insert_with(|| {
            let name = scope.strip_prefix(item.module).map_or(scope, |name| name.trim_start_matches(':'));
            self.add_named_block(krate, module, Symbol::new(&format!("{{{name}}}")))
        });
        Some((krate, *block))
    }

    /// The module called `name` that is a direct child of a module.
    pub(crate) fn direct_module(&self, module: DefId, name: Symbol) -> Option<DefId> {
        let node = self.node(module);
        let names = node.module.as_ref()?.read().unwrap_or_else(PoisonError::into_inner);
        let (def, _) = names.direct(name, Space::Types)?;
        (self.node(def).head.kind == DefKind::Mod).then_some(def)
    }

    /// Adds a module to a module.
    pub(crate) fn add_module(&self, krate: u32, parent: DefId, name: Symbol) -> DefId {
        let def = self.add_inner(krate, parent, name, false);
        self.edit_module(parent, |module| {
            module.types.insert(name, (def, true));
            module.items.push(def);
        });
        def
    }

    /// Adds a block with a name for display to a module.
    fn add_named_block(&self, krate: u32, parent: DefId, name: Symbol) -> DefId {
        let def = self.add_inner(krate, parent, name, true);
        self.edit_module(parent, |module| module.items.push(def));
        def
    }

    /// The path of the type or trait called `name` in a crate of the prelude, whose modules are others than those of the
    /// original.
    pub(crate) fn item_of_prelude(&self, krate: Symbol, name: Symbol) -> Option<String> {
        let root = if &*krate == "std" { self.std_root()? } else { self.replacement_crate(krate)? };
        let mut modules = vec![(root, krate.to_string())];
        while let Some((module, path)) = modules.pop() {
            let node = self.node(module);
            let items = node.module.as_ref()?.read().unwrap_or_else(PoisonError::into_inner).items.clone();
            for def in items {
                let head = &self.node(def).head;
                match head.kind {
                    DefKind::Mod => modules.push((def, format!("{path}::{}", head.name))),
                    DefKind::Struct | DefKind::Enum | DefKind::Trait if head.name == name => {
                        return Some(format!("{path}::{name}"));
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn add_inner(&self, krate: u32, parent: DefId, name: Symbol, is_block: bool) -> DefId {
        let source = self.node(parent).source;
        let mut node = module_node(krate, parent, parent, source, (0, 0), Some(parent), is_block);
        node.head.name = name;
        self.add_node(node)
    }

    /// Places the pieces of each file in texts.
    fn add_texts(&self, items: &[&'static Registered]) -> Places {
        let mut files: HashMap<&'static str, Vec<Piece>> = HashMap::new();
        for item in items {
            files.entry(item.file).or_default().extend(item.pieces);
        }
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_by_key(|(file, _)| *file);
        let mut places = Places::new();
        for (file, mut pieces) in files {
            pieces.sort_by_key(|piece| (piece.line, piece.column, usize::MAX - piece.text.len()));
            pieces.dedup();
            while !pieces.is_empty() {
                pieces = self.add_text(file, pieces, &mut places);
            }
        }
        places
    }

    /// Places pieces in one text, each at its position; returns those whose position is occupied by something
    /// else.
    fn add_text(&self, file: &'static str, pieces: Vec<Piece>, places: &mut Places) -> Vec<Piece> {
        let mut layout = TextLayout::default();
        let (mut placed, mut rest) = (Vec::new(), Vec::new());
        for piece in pieces {
            match layout.place(piece) {
                Some((lo, hi)) => placed.push((piece, lo, hi)),
                None => rest.push(piece),
            }
        }
        let source = self.sources.add(file, layout.text.into());
        for (piece, lo, hi) in placed {
            places.insert((file, piece), (source, lo, hi));
        }
        rest
    }
}

/// A text that is built from pieces in order of their positions.
struct TextLayout {
    text: String,
    /// The start of each line.
    lines: Vec<usize>,
}

impl Default for TextLayout {
    fn default() -> TextLayout {
        TextLayout { text: String::new(), lines: vec![0] }
    }
}

impl TextLayout {
    /// Places a piece at its position, if that is free or already has the same text.
    fn place(&mut self, piece: Piece) -> Option<(u32, u32)> {
        let (line, column) = (piece.line.max(1) as usize - 1, piece.column as usize);
        if let Some(start) = self.offset(line, column) {
            let end = start + piece.text.len();
            return (self.text.get(start..end)? == piece.text).then_some((start as u32, end as u32));
        }
        while self.lines.len() <= line {
            self.text.push('\n');
            self.lines.push(self.text.len());
        }
        let width = self.text[self.lines[line]..].chars().count();
        self.text.extend(std::iter::repeat_n(' ', column - width));
        let start = self.text.len();
        self.text.push_str(piece.text);
        let ends = piece.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        self.lines.extend(ends.map(|(at, _)| start + at + 1));
        Some((start as u32, self.text.len() as u32))
    }

    /// The offset of a position in the text so far, or `None` if it is beyond the end.
    fn offset(&self, line: usize, column: usize) -> Option<usize> {
        let start = *self.lines.get(line)?;
        let rest = &self.text[start..];
        rest.char_indices().nth(column).map(|(at, _)| start + at)
    }
}
