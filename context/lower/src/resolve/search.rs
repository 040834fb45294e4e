//! Which functions a short name refers to, by the rules of [`overdub_context::path`], whether called before
//! or not.
//!
//! Functions of the user's crates and of their dependencies are listed. For the standard library, whose impls
//! are expanded on demand, and for function bodies that have not been resolved yet, the text shows whether
//! there may be a function of that name.

use std::cell::Cell;

use overdub_context::Symbol;
use overdub_context::ir::Matches;
use overdub_context::path::{self, identifiers, is_called, is_within, last_segment, without_type_args};

use super::crates::REPLACED_CRATES;
use crate::hir::{DefId, DefKind};
use crate::program::Program;
use crate::source::PRELUDE;

/// The keywords that declare a scope for functions.
const SCOPES: [&str; 5] = ["mod", "fn", "struct", "enum", "trait"];

impl Program {
    /// The functions that a name refers to.
    pub(crate) fn search(&self, name: &str) -> Matches {
        let found = self.search_loaded(name);
        if found.functions.is_empty() && !found.maybe_more {
            self.load_dependencies();
            return self.search_loaded(name);
        }
        found
    }

    fn search_loaded(&self, name: &str) -> Matches {
        let (stripped, last) = (without_type_args(name), last_segment(name));
        let symbol = Symbol::new(last);
        let mut user_funcs = self.user_functions();
        user_funcs.retain(|def| self.node(*def).head.name == symbol);
        let paths = user_funcs.iter().map(|def| self.path_of(*def));
        let functions: Vec<String> = paths.filter(|path| is_called(path, &stripped)).collect();
        if !functions.is_empty() {
            return Matches { functions, maybe_more: false };
        }
        let declared = Cell::new(0);
        let in_library = self.sources.any_file(|file, text| {
            let found = declarations(text, "fn", last);
            let is_library = file.starts_with(PRELUDE);
            declared.set(declared.get() + if is_library { 0 } else { found });
            is_library && found > 0
        });
        let is_word = |word: &str| self.sources.any_file(|_, text| words(text, word).next().is_some());
        let in_library = in_library && identifiers(&stripped).into_iter().all(is_word);
        Matches { functions, maybe_more: in_library || declared.get() > user_funcs.len() }
    }

    /// Paths of functions with a similar spelling, best match first.
    pub(crate) fn spelled_like(&self, name: &str) -> Vec<String> {
        let paths: Vec<String> = self.user_functions().into_iter().map(|def| self.path_of(def)).collect();
        path::similar(name, paths.iter().map(String::as_str))
    }

    /// Whether there may be functions in a function, type, trait or module of this name.
    pub(crate) fn search_within(&self, name: &str) -> bool {
        let stripped = without_type_args(name);
        let last = last_segment(name);
        self.user_functions().into_iter().any(|def| is_within(&self.path_of(def), &stripped))
            || self.sources.any_file(|file, text| {
                file.starts_with(PRELUDE) && SCOPES.iter().any(|scope| declarations(text, scope, last) > 0)
            })
    }

    /// The functions of all loaded crates except those of the prelude.
    fn user_functions(&self) -> Vec<DefId> {
        let is_of_user = |def: &DefId| {
            let root = self.node(self.crate_root(self.node(*def).krate));
            !self.sources.get(root.source).name.starts_with(PRELUDE)
        };
        let all: Vec<DefId> = self.all_items().filter(is_of_user).collect();
        let mut found = Vec::new();
        for def in all {
            let node = self.node(def);
            match node.head.kind {
                DefKind::Fn => found.push(def),
                DefKind::Impl | DefKind::Trait if node.derived.is_none() => {
                    let children = self.children(def);
                    found.extend(children.iter().filter(|c| self.node(**c).head.kind == DefKind::AssocFn));
                }
                _ => {}
            }
        }
        found
    }

    /// Loads the crates that the user's crate names, and those that the prelude replaces.
    fn load_dependencies(&self) {
        let krate = self.node(self.root()).krate;
        for (name, _) in REPLACED_CRATES {
            self.extern_crate(krate, Symbol::new(name));
        }
        let Some((graph, package)) = self.known_graph().zip(self.krate(krate).package) else { return };
        let Some(package) = graph.packages.get(package) else { return };
        for name in package.deps.keys() {
            self.extern_crate(krate, *name);
        }
    }
}

/// The number of declarations of this kind and name in a text: `fn name`.
fn declarations(text: &str, kind: &str, name: &str) -> usize {
    let declares = |at: &usize| {
        text[..*at].trim_end().strip_suffix(kind).is_some_and(|before| !before.ends_with(is_part)) && *at > 0
    };
    words(text, name).filter(declares).count()
}

/// The positions of a word.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_separate_word =
        move |at: &usize| !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part);
    let found = if word.is_empty() { "" } else { text };
    found.match_indices(word).map(|(at, _)| at).filter(is_separate_word)
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
