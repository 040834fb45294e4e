//! The surroundings of an item in its file that its names depend on: `use` lines, and the `derive`s next to
//! `Dub`.
//!
//! - U1 the file is read as rustc read it; where there is no file (the tokens come from a macro), the
//!   surroundings are empty, and names that do not resolve are reported when they are used.
//! - U2 files are cached from one item to the next, so their tokens are `proc_macro2`'s own and not rustc's,
//!   which are only valid during one expansion.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

use proc_macro2::{LineColumn, Span};
use quote::ToTokens;
use syn::visit::Visit;

use crate::text::{Piece, rebuild};

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, Option<syn::File>>> = RefCell::default();
}

/// The surroundings of an item.
#[derive(Default)]
pub(crate) struct Surroundings {
    /// The `use` lines in scope at the item: first those of its module, then those of enclosing functions.
    pub(crate) uses: Vec<Piece>,
    /// The `derive` attributes of the item itself.
    pub(crate) derives: Vec<Piece>,
}

/// The surroundings of the item with a token at `span`.
pub(crate) fn of(span: Span) -> Surroundings {
    let Some(path) = span.local_file() else { return Surroundings::default() };
    let at = span.start();
    let _guard = OwnTokens::new();
    FILES.with_borrow_mut(|files| {
        let file = files.entry(path).or_insert_with_key(|path| {
            let text = std::fs::read_to_string(path).ok()?;
            syn::parse_file(&text).ok()
        });
        let Some(file) = file else { return Surroundings::default() };
        let mut finder = Finder { at, found: Surroundings::default() };
        finder.items(&file.items);
        finder.found
    })
}

/// A guard: while it is alive, tokens are `proc_macro2`'s own (U2).
pub(crate) struct OwnTokens;

impl OwnTokens {
    pub(crate) fn new() -> OwnTokens {
        proc_macro2::fallback::force();
        OwnTokens
    }
}

impl Drop for OwnTokens {
    fn drop(&mut self) {
        proc_macro2::fallback::unforce();
    }
}

struct Finder {
    at: LineColumn,
    found: Surroundings,
}

impl Finder {
    fn covers(&self, node: &impl ToTokens) -> bool {
        use syn::spanned::Spanned;
        let span = node.span();
        let within = |place: LineColumn| (place.line, place.column);
        within(span.start()) <= within(self.at) && within(self.at) < within(span.end())
    }

    fn items(&mut self, items: &[syn::Item]) {
        let uses = items.iter().filter(|item| matches!(item, syn::Item::Use(_)));
        self.found.uses.extend(uses.filter_map(|item| rebuild(item.to_token_stream())));
        if let Some(item) = items.iter().find(|item| self.covers(item)) {
            self.visit_item(item);
        }
    }

    fn derives(&mut self, attrs: &[syn::Attribute]) {
        let derives = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
        self.found.derives = derives.filter_map(|attr| rebuild(attr.to_token_stream())).collect();
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if let Some((_, items)) = &module.content {
            // The names of enclosing modules are not in scope.
            self.found.uses.clear();
            self.items(items);
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        if !self.covers(block) {
            return;
        }
        for stmt in &block.stmts {
            match stmt {
                syn::Stmt::Item(item @ syn::Item::Use(_)) => {
                    self.found.uses.extend(rebuild(item.to_token_stream()));
                }
                stmt if self.covers(stmt) => self.visit_stmt(stmt),
                _ => {}
            }
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.derives(&item.attrs);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.derives(&item.attrs);
    }
}
