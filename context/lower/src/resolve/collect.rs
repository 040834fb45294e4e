//! Collects the items of a crate: reads files and modules, expands macros and enters names.
//!
//! - Items are visited in source order, since a `macro_rules!` is visible only after its definition.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use overdub_context::Symbol;

use super::attrs::Attrs;
use super::deferred_macros::STD;
use super::node::*;
use super::registered_source::{CHANGED, is_newer_than_program};
use crate::error::{Cause, ResolveError};
use crate::expand::{Hygiene, MacroDef, MacroKind, Preparation, RECURSION_LIMIT, derive, thiserror};
use crate::hir::*;
use crate::prelude;
use crate::program::Program;
use crate::registration::RegisteredSource;
use crate::source::cfg::CfgOptions;
use crate::source::hygiene::unmarked_name;
use crate::source::item_tree::{ImplHeader, SelfTyShape};
use crate::source::item_tree::{ItemNode, NodeKind, scan};
use crate::source::lexer::{Lexer, Tok};
use crate::source::{SourceId, SourceRange};

/// Why an expansion is aborted.
pub(crate) const TOO_DEEP: &str = "recursion goes too deep";

/// Why a file of an embedded source cannot be read.
pub(crate) const NOT_EMBEDDED: &str =
    "it was not compiled into this program: no `mod` or `include!` that is seen names it";

/// The origin of files.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Files {
    Disk,
    /// The disk, except for files that changed after the running program was built.
    Built,
    /// The files compiled into the running program.
    Embedded(&'static RegisteredSource),
    /// The files of the prelude.
    Prelude,
    /// No files: a single text.
    None,
}

impl Files {
    /// The name of a file in spans.
    pub(crate) fn shown(self, path: &Path) -> String {
        match self {
            Files::Prelude => format!("{}{}", crate::source::PRELUDE, path.to_string_lossy()),
            Files::Embedded(source) => source.shown(path).to_string_lossy().into_owned(),
            Files::Disk | Files::Built | Files::None => path.to_string_lossy().into_owned(),
        }
    }

    pub(crate) fn read(self, path: &Path) -> Result<Arc<str>, String> {
        match self {
            Files::Disk => std::fs::read(path)
                .map(|bytes| String::from_utf8_lossy(&bytes).into())
                .map_err(|error| error.to_string()),
            Files::Built if is_newer_than_program(path) => Err(CHANGED.to_owned()),
            Files::Built => Files::Disk.read(path),
            Files::Embedded(source) => match source.content(path) {
                Some(content) => Ok(String::from_utf8_lossy(content).into()),
                None => Err(NOT_EMBEDDED.to_owned()),
            },
            Files::Prelude => {
                let found = prelude::file(&path.to_string_lossy());
                found.map(|file| Arc::from(file.text)).ok_or_else(|| "no such file".to_owned())
            }
            Files::None => Err("a single text has no modules in other files".to_owned()),
        }
    }
}

/// The context in which the items of a module are collected.
#[derive(Clone, Debug)]
pub(crate) struct CollectScope {
    pub(crate) source: SourceId,
    pub(crate) module: DefId,
    /// The folder of the file, for `#[path]`.
    pub(crate) folder: PathBuf,
    /// The folder of the files of its submodules.
    pub(crate) children: PathBuf,
    /// The nesting depth of macro expansion.
    pub(crate) depth: usize,
    /// Whether there may be statements between the items, which are skipped.
    pub(crate) has_statements: bool,
}

/// The value of a constant `_`; of a block, its contents.
fn unnamed_value(text: &str, raw: &ItemNode) -> Option<(usize, usize)> {
    if raw.kind != NodeKind::Const || &*raw.name != "_" {
        return None;
    }
    let mut lexer = Lexer::new(text, raw.lo as usize, raw.hi as usize);
    while lexer.next()?.text(text) != "=" {}
    Some(without_braces(text, lexer.at, raw.hi as usize))
}

/// The contents of the blocks that a text is, one in the other; the text, if it is none.
fn without_braces(text: &str, mut lo: usize, mut hi: usize) -> (usize, usize) {
    loop {
        let mut lexer = Lexer::new(text, lo, hi);
        lexer.eat("unsafe");
        if !lexer.eat("{") {
            return (lo, hi);
        }
        let from = lexer.at;
        let to = lexer.skip_group();
        lexer.eat(";");
        if lexer.next().is_some() {
            return (lo, hi);
        }
        (lo, hi) = (from, to);
    }
}

/// Collects one crate, or one block of a body.
pub(crate) struct Collector<'p> {
    pub(crate) program: &'p Program,
    pub(crate) krate: u32,
    pub(crate) root: DefId,
    pub(crate) files: Files,
    pub(crate) cfg: Arc<CfgOptions>,
    pub(crate) macros: MacroScope,
    pub(crate) faults: Vec<ResolveError>,
    /// Macro calls whose macro was not yet known when they were visited.
    pub(crate) pending_macros: Vec<(CollectScope, ItemNode, MacroScope)>,
}

impl Collector<'_> {
    /// Enters all items of a text, and returns its inner attributes.
    pub(crate) fn text(&mut self, scope: &CollectScope, lo: usize, hi: usize) -> Attrs {
        let source = self.program.sources.get(scope.source);
        let known = match self.files {
            Files::Prelude if scope.depth == 0 => prelude::scanned(&source, lo),
            _ => None,
        };
        let (items, inner) = known.unwrap_or_else(|| scan(&source.text, lo, hi));
        let inner =
            if inner.is_empty() { Attrs::default() } else { Attrs::read(&source.text, &inner, &self.cfg) };
        if !inner.disabled {
            for item in items {
                self.item(scope, &source.text, item);
            }
        }
        inner
    }

    /// Expands the pending macro calls as long as that makes more macros known.
    pub(crate) fn expand_pending_macros(&mut self) {
        loop {
            let pending = std::mem::take(&mut self.pending_macros);
            let before = pending.len();
            for (scope, raw, macros) in pending {
                let outer = std::mem::replace(&mut self.macros, macros);
                self.macro_call(&scope, raw);
                self.macros = outer;
            }
            if self.pending_macros.is_empty() {
                return;
            }
            if self.pending_macros.len() >= before {
                break;
            }
        }
        for (scope, raw, _) in std::mem::take(&mut self.pending_macros) {
            if scope.has_statements || crate::resolve::body::is_builtin_macro(&raw.name) {
                continue;
            }
            let place = SourceRange {
                source: scope.source,
                lo: raw.name_lo,
                hi: raw.name_lo + raw.name.len() as u32,
            };
            let (lo, hi) = raw.body.unwrap_or_default();
            let input = SourceRange { source: scope.source, lo, hi };
            let cause = match self.program.expand_proc_macro(raw.name, input, place) {
                Some(Ok(expansion)) => {
                    let len = self.program.sources.get(expansion).text.len();
                    let inner = CollectScope { source: expansion, depth: scope.depth + 1, ..scope };
                    self.text(&inner, 0, len);
                    continue;
                }
                Some(Err(reason)) => Cause::Macro { name: raw.name, reason },
                None => Cause::NotFound { what: "macro", path: format!("{}!", raw.name) },
            };
            self.faults.push(ResolveError::new(self.program.sources.span(place), cause));
        }
    }

    fn item(&mut self, scope: &CollectScope, text: &str, raw: ItemNode) {
        let attrs =
            if raw.attrs.is_empty() { Attrs::default() } else { Attrs::read(text, &raw.attrs, &self.cfg) };
        if attrs.disabled {
            return;
        }
        match raw.kind {
            NodeKind::Use => self.imports(scope, text, &raw),
            NodeKind::ExternCrate => self.extern_crate(scope, text, &raw, &attrs),
            NodeKind::MacroRules => self.macro_rules(scope, raw, &attrs),
            NodeKind::MacroCall if !attrs.impls.is_empty() && self.krate == STD => {
                self.defer_macro(scope, raw, &attrs.impls)
            }
            NodeKind::MacroCall => self.macro_call(scope, raw),
            NodeKind::Mod => self.module(scope, raw, &attrs),
            NodeKind::ExternBlock => self.extern_block(scope, text, &raw),
            NodeKind::Broken if scope.has_statements => {}
            NodeKind::Broken => {
                let place = SourceRange { source: scope.source, lo: raw.lo, hi: raw.hi };
                let cause = Cause::Syntax("expected an item".to_owned());
                self.faults.push(ResolveError::new(self.program.sources.span(place), cause));
            }
            NodeKind::Fn
            | NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::Trait
            | NodeKind::Impl
            | NodeKind::Const
            | NodeKind::Static
            | NodeKind::Type => {
                let value = unnamed_value(text, &raw);
                self.declared(scope, raw, attrs);
                if let Some((lo, hi)) = value {
                    self.unnamed_constant(scope, text, lo, hi);
                }
            }
        }
    }

    /// The items in the block of a constant without a name: their impls apply everywhere, as derive macros use it.
    /// The constant itself is never used.
    fn unnamed_constant(&mut self, scope: &CollectScope, text: &str, lo: usize, hi: usize) {
        let (items, _) = scan(text, lo, hi);
        // A macro may expand to an impl.
        if !items.iter().any(|item| matches!(item.kind, NodeKind::Impl | NodeKind::MacroCall)) {
            return;
        }
        let module = self.program.add_block(scope.module, scope.module);
        let inner = CollectScope { module, has_statements: true, ..scope.clone() };
        let outer = self.macros.clone();
        for item in items {
            self.item(&inner, text, item);
        }
        self.macros = outer;
    }

    fn node(&self, scope: &CollectScope, raw: ItemNode, kind: DefKind, attrs: Attrs) -> Node {
        let entered = NewNode {
            kind,
            parent: scope.module,
            krate: self.krate,
            scope: scope.module,
            source: scope.source,
            macros: self.macros.clone(),
        };
        let mut node = Node::new(entered, raw);
        (node.head.op, node.head.lang, node.head.moves) = (attrs.op, attrs.lang, attrs.moves);
        node.head.repr = attrs.repr;
        node.float_literals = attrs.float_literals;
        node.rewriter = attrs.rewriters.last().map(|place| self.program.attribute(scope.source, *place));
        node.derives = attrs.derives;
        node
    }

    fn enter(&self, module: DefId, enter: impl FnOnce(&mut Module)) {
        self.program.edit_module(module, enter);
    }

    fn declared(&mut self, scope: &CollectScope, raw: ItemNode, attrs: Attrs) {
        let (kind, in_types, in_values) = match raw.kind {
            NodeKind::Fn => (DefKind::Fn, false, true),
            NodeKind::Struct => (DefKind::Struct, true, raw.body.is_none()),
            NodeKind::Union => (DefKind::Struct, true, false),
            NodeKind::Enum => (DefKind::Enum, true, false),
            NodeKind::Trait => (DefKind::Trait, true, false),
            NodeKind::Const => (DefKind::Const, false, true),
            NodeKind::Static => (DefKind::Static, false, true),
            NodeKind::Type => (DefKind::TypeAlias, true, false),
            _ => (DefKind::Impl, false, false),
        };
        let (name, public, lang) = (raw.name, raw.public, attrs.lang);
        let (derives, rewriters) = (attrs.derives.clone(), attrs.rewriters.clone());
        let impl_header = self.impl_header(&raw);
        let node = self.node(scope, raw.clone(), kind, attrs);
        let def = self.program.add_node(node);
        self.enter(scope.module, |module| {
            if in_types {
                module.types.insert(name, (def, public));
            }
            if in_values {
                module.values.insert(name, (def, public));
            }
            module.items.push(def);
        });
        if let Some(lang) = lang {
            self.program.enter_lang(lang, def);
        }
        if let Some(impl_header) = impl_header {
            self.program.enter_impl(def, impl_header);
        }
        for path in rewriters {
            self.attribute_by_macro(scope, &raw, def, path);
        }
        for of in derives {
            if derive::is_known(&of) {
                self.derived(scope, &raw, def, of);
            } else if &*of != "Dub" {
                // That one registers a type with the host.
                self.derive_by_macro(scope, &raw, def, of);
            }
        }
    }

    /// The header of an impl. The name of its self type may be an alias from a crate that is not loaded yet,
    /// unless the impl is in the prelude, or is inherent and so in the crate of its type.
    fn impl_header(&self, raw: &ItemNode) -> Option<ImplHeader<Symbol>> {
        raw.impl_header.map(|impl_header| match impl_header.of {
            Some(_) if self.krate != STD => ImplHeader { shape: SelfTyShape::Unclear, ..impl_header },
            _ => impl_header,
        })
    }

    fn derived(&mut self, scope: &CollectScope, raw: &ItemNode, adt: DefId, of: Symbol) {
        let (kind, attrs) = (NodeKind::Impl, Cow::Borrowed(&[] as &[_]));
        let impl_node = ItemNode { kind, attrs, body: None, impl_header: None, ..raw.clone() };
        // Which impls an error has depends on its attributes.
        let tree = (&*of == "Error").then(|| self.program.derive_input(scope.source, raw));
        let impls: Vec<(String, &str)> = match tree {
            Some(Ok(tree)) => thiserror::impls(&tree, &self.cfg),
            _ => vec![(of.to_string(), &*of)],
        };
        for (kind, of) in impls {
            let mut node = self.node(scope, impl_node.clone(), DefKind::Impl, Attrs::default());
            node.derived = Some((adt, Symbol::new(&kind)));
            let def = self.program.add_node(node);
            self.enter(scope.module, |module| module.items.push(def));
            let impl_header = ImplHeader { of: Some(Symbol::new(of)), shape: SelfTyShape::Named(raw.name) };
            self.program.enter_impl(def, impl_header);
        }
    }

    fn module(&mut self, scope: &CollectScope, raw: ItemNode, attrs: &Attrs) {
        let (name, public, body) = (raw.name, raw.public, raw.body);
        let mut node = self.node(scope, raw.clone(), DefKind::Mod, Attrs::default());
        let names = Module { parent: Some(scope.module), ..Module::default() };
        node.module = Some(Box::new(RwLock::new(names)));
        let def = self.program.add_node(node);
        self.enter(scope.module, |module| {
            module.types.insert(name, (def, public));
            module.items.push(def);
        });
        let outer = self.macros.clone();
        let inner = match body {
            Some((lo, hi)) => {
                let children = match &attrs.path {
                    Some(path) => scope.folder.join(path),
                    None => scope.children.join(&*name),
                };
                let inner = CollectScope { module: def, children, has_statements: false, ..scope.clone() };
                self.text(&inner, lo as usize, hi as usize)
            }
            None => self.file(scope, def, &raw, attrs),
        };
        if !attrs.macro_use && !inner.macro_use {
            self.macros = outer;
        }
    }

    fn file(&mut self, scope: &CollectScope, def: DefId, raw: &ItemNode, attrs: &Attrs) -> Attrs {
        let choices = match &attrs.path {
            Some(path) => vec![(scope.folder.join(path), None)],
            None => {
                let subfolder = scope.children.join(&*raw.name);
                vec![
                    (scope.children.join(format!("{}.rs", raw.name)), Some(subfolder.clone())),
                    (subfolder.join("mod.rs"), Some(subfolder)),
                ]
            }
        };
        let mut reason = None;
        for (path, children) in choices {
            match self.files.read(&path) {
                Ok(text) => {
                    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                    let children = children.unwrap_or_else(|| folder.clone());
                    let (shown, edition) = (self.files.shown(&path), self.program.edition(self.krate));
                    let source = self.program.sources.add_of_edition(&shown, text, edition);
                    let len = self.program.sources.get(source).text.len();
                    let inner = CollectScope {
                        source,
                        module: def,
                        folder,
                        children,
                        depth: scope.depth,
                        has_statements: false,
                    };
                    return self.text(&inner, 0, len);
                }
                Err(why) => {
                    reason.get_or_insert((path, why));
                }
            }
        }
        if let Some((path, reason)) = reason {
            let place = SourceRange {
                source: scope.source,
                lo: raw.name_lo,
                hi: raw.name_lo + raw.name.len() as u32,
            };
            let cause = Cause::Read { path: path.to_string_lossy().into_owned(), reason };
            self.faults.push(ResolveError::new(self.program.sources.span(place), cause));
        }
        Attrs::default()
    }

    fn macro_rules(&mut self, scope: &CollectScope, raw: ItemNode, attrs: &Attrs) {
        let (name, body) = (raw.name, raw.body.unwrap_or((raw.hi, raw.hi)));
        let mut node = self.node(scope, raw, DefKind::Macro, Attrs::default());
        node.macro_def = Some({
            let preparation = attrs.lang.and_then(|lang| Preparation::of_lang(&lang));
            let kind = MacroKind { preparation, looks_up_locally: attrs.local_inner_macros };
            MacroDef::new(self.krate, scope.source, body, kind)
        });
        let def = self.program.add_node(node);
        self.macros = Some(Arc::new(MacroLink { name, def, next: self.macros.take() }));
        let root = attrs.macro_export.then_some(self.root);
        self.enter(scope.module, |module| {
            module.macros.insert(name, (def, root == Some(scope.module)));
        });
        if let Some(root) = root.filter(|root| *root != scope.module) {
            self.enter(root, |module| {
                module.macros.insert(name, (def, true));
            });
        }
    }

    pub(crate) fn macro_call(&mut self, scope: &CollectScope, raw: ItemNode) {
        let source = self.program.sources.get(scope.source);
        let place = SourceRange { source: scope.source, lo: raw.lo, hi: raw.hi };
        let Some(body) = raw.body else { return };
        let path: Vec<Symbol> = Lexer::new(&source.text, raw.lo as usize, body.0 as usize)
            .filter(|t| t.kind == Tok::Ident)
            .map(|t| unmarked_name(t.text(&source.text)))
            .collect();
        let Some(def) = self.program.find_macro(&self.macros, scope.module, &path) else {
            if &*raw.name == "include" {
                return self.include(scope, body);
            }
            return self.pending_macros.push((scope.clone(), raw, self.macros.clone()));
        };
        let node = self.program.node(def);
        let Some(rules) = &node.macro_def else { return };
        if scope.depth >= RECURSION_LIMIT {
            let cause = Cause::Macro { name: raw.name, reason: TOO_DEEP.to_owned() };
            return self.faults.push(ResolveError::new(self.program.sources.span(place), cause));
        }
        let input = SourceRange { source: scope.source, lo: body.0, hi: body.1 };
        let call = SourceRange { hi: body.0, ..place };
        match rules.expand(&self.program.sources, input, call, Hygiene::Items) {
            Ok(expansion) => {
                let text = self.program.sources.get(expansion);
                let inner = CollectScope { source: expansion, depth: scope.depth + 1, ..scope.clone() };
                // A macro in a block may make a block of items.
                let (lo, hi) = match scope.has_statements {
                    true => without_braces(&text.text, 0, text.text.len()),
                    false => (0, text.text.len()),
                };
                self.text(&inner, lo, hi);
            }
            Err(reason) => {
                let cause = Cause::Macro { name: raw.name, reason };
                self.faults.push(ResolveError::new(self.program.sources.span(call), cause));
            }
        }
    }

    fn extern_crate(&mut self, scope: &CollectScope, text: &str, raw: &ItemNode, attrs: &Attrs) {
        let mut lexer = Lexer::new(text, raw.name_lo as usize, raw.hi as usize);
        lexer.next();
        let name = if lexer.eat("as") {
            lexer.next().map_or(raw.name, |t| unmarked_name(t.text(text)))
        } else {
            raw.name
        };
        if &*raw.name == "self" {
            let root = self.root;
            return self.enter(scope.module, |module| {
                module.types.insert(name, (root, raw.public));
            });
        }
        let import =
            Import { path: vec![raw.name], name, public: raw.public, external: true, only_types: true };
        self.enter(scope.module, |module| module.imports.push(Arc::new(import)));
        if attrs.macro_use {
            self.program.use_macros(self.krate, raw.name);
        }
    }

    /// The functions that an `extern` block declares are those of `std::ffi::math`, if they are there; no others
    /// are known. Under another name for the linker they are not known either.
    fn extern_block(&mut self, scope: &CollectScope, text: &str, raw: &ItemNode) {
        let mut lexer = Lexer::new(text, raw.lo as usize, raw.hi as usize);
        let mut imports = Vec::new();
        while let Some(token) = lexer.next() {
            match token.text(text) {
                "link_name" => return,
                "fn" => {
                    let Some(name) = lexer.next().map(|token| unmarked_name(token.text(text))) else {
                        return;
                    };
                    let path = ["std", "ffi", "math"].map(Symbol::new).into_iter().chain([name]).collect();
                    imports.push(Import { path, name, public: true, external: true, only_types: false });
                }
                _ => {}
            }
        }
        self.enter(scope.module, |module| module.imports.extend(imports.into_iter().map(Arc::new)));
    }

    fn imports(&mut self, scope: &CollectScope, text: &str, raw: &ItemNode) {
        let mut lexer = Lexer::new(text, raw.lo as usize, raw.hi as usize);
        lexer.next();
        let mut found = Vec::new();
        let external = lexer.eat("::");
        use_tree(&mut lexer, &mut Vec::new(), raw.public, external, &mut found);
        for import in &found {
            if let Some(last) =
                import.path.last().filter(|last| **last != import.name && !import.name.is_empty())
            {
                self.program.enter_rename(*last, import.name);
            }
        }
        self.enter(scope.module, |module| {
            for import in found {
                let list = if import.name.is_empty() { &mut module.globs } else { &mut module.imports };
                list.push(Arc::new(import));
            }
        });
    }
}

fn use_tree(
    lexer: &mut Lexer<'_>,
    prefix: &mut Vec<Symbol>,
    public: bool,
    external: bool,
    out: &mut Vec<Import>,
) {
    let depth = prefix.len();
    let leaf = |path: Vec<Symbol>, name, only_types| Import { path, name, public, external, only_types };
    while let Some(token) = lexer.next() {
        match token.text(lexer.text) {
            "*" => {
                out.push(leaf(prefix.clone(), Symbol::new(""), false));
                break;
            }
            "{" => {
                while lexer.peek().is_some() && !lexer.eat("}") {
                    lexer.eat("::");
                    use_tree(lexer, prefix, public, external, out);
                    lexer.eat(",");
                }
                break;
            }
            text if token.kind == Tok::Ident => {
                let segment = unmarked_name(text);
                if lexer.eat("::") {
                    prefix.push(segment);
                    continue;
                }
                let is_self = &*segment == "self" && !prefix.is_empty();
                let mut path = prefix.clone();
                if !is_self {
                    path.push(segment);
                }
                let last_segment = path.last().copied().unwrap_or(segment);
                let name = if lexer.eat("as") {
                    lexer.next().map_or(last_segment, |t| unmarked_name(t.text(lexer.text)))
                } else {
                    last_segment
                };
                out.push(leaf(path, name, is_self));
                break;
            }
            _ => break,
        }
    }
    prefix.truncate(depth);
}
