//! Attributes of items, read from their text.

use overdub_context::Symbol;

use crate::hir::{Operation, Repr};
use crate::source::cfg::CfgOptions;
use crate::source::hygiene::{unmarked, unmarked_name};
use crate::source::lexer::{Lexer, Tok};

/// The relevant attributes of an item; all others are ignored.
#[derive(Debug, Default)]
pub(crate) struct Attrs {
    pub(crate) disabled: bool,
    pub(crate) path: Option<String>,
    pub(crate) macro_use: bool,
    pub(crate) macro_export: bool,
    pub(crate) local_inner_macros: bool,
    pub(crate) derives: Vec<Symbol>,
    pub(crate) op: Option<Operation>,
    pub(crate) lang: Option<Symbol>,
    pub(crate) moves: bool,
    pub(crate) repr: Repr,
    pub(crate) float_literals: Option<(u32, u32)>,
    /// The places of the paths of attribute macros, which may rewrite the item.
    pub(crate) rewriters: Vec<(u32, u32)>,
    /// `#[impls(Add, AddAssign)]` on a macro call of the prelude: it expands only to impls of these traits
    /// or, for the name of a type, to its methods.
    pub(crate) impls: Vec<Symbol>,
}

impl Attrs {
    /// Reads the attributes whose contents are at `places`.
    pub(crate) fn read(text: &str, places: &[(u32, u32)], cfg: &CfgOptions) -> Attrs {
        let mut attrs = Attrs::default();
        for &(lo, hi) in places {
            attrs.one(text, lo as usize, hi as usize, cfg);
        }
        attrs
    }

    fn one(&mut self, text: &str, lo: usize, hi: usize, cfg: &CfgOptions) {
        let mut lexer = Lexer::new(text, lo, hi);
        let Some(first) = lexer.next() else { return };
        let mut name = first;
        while lexer.eat("::") {
            match lexer.next() {
                Some(next) => name = next,
                None => return,
            }
        }
        let inside = {
            let mut lookahead = lexer.clone();
            lookahead.next().filter(|t| t.kind == Tok::Open).map(|_| (lookahead.at, lookahead.skip_group()))
        };
        let value = {
            let mut lookahead = lexer.clone();
            let literal = if lookahead.eat("=") { lookahead.next() } else { None };
            literal.map(|t| t.text(text).trim_matches('"').to_owned())
        };
        let named = || {
            let quoted = inside.map(|(lo, hi)| text[lo..hi].trim().trim_matches('"').to_owned());
            quoted.or_else(|| value.clone()).map(|name| Symbol::new(&name))
        };
        match &*unmarked_name(name.text(text)) {
            "cfg" => {
                if let Some((lo, hi)) = inside {
                    self.disabled |= !cfg.holds(text, lo, hi);
                }
            }
            "test" | "bench" if inside.is_none() && value.is_none() => {
                self.disabled |= !cfg.is_set("test", None);
            }
            "cfg_attr" => {
                let Some((lo, hi)) = inside else { return };
                let parts = split(text, lo, hi);
                if parts.first().is_some_and(|(lo, hi)| cfg.holds(text, *lo, *hi)) {
                    for (lo, hi) in &parts[1..] {
                        self.one(text, *lo, *hi, cfg);
                    }
                }
            }
            "path" => self.path = value,
            "macro_use" => self.macro_use = true,
            "macro_export" => {
                self.macro_export = true;
                self.local_inner_macros |=
                    inside.is_some_and(|(lo, hi)| text[lo..hi].contains("local_inner_macros"));
            }
            "derive" => {
                let Some((lo, hi)) = inside else { return };
                for (lo, hi) in split(text, lo, hi) {
                    let last = Lexer::new(text, lo, hi).filter(|t| t.kind == Tok::Ident).last();
                    self.derives.extend(last.map(|t| unmarked_name(t.text(text))));
                }
            }
            "impls" if cfg.has_prelude_attrs => {
                let Some((lo, hi)) = inside else { return };
                let names = Lexer::new(text, lo, hi).filter(|t| t.kind == Tok::Ident);
                self.impls.extend(names.map(|t| unmarked_name(t.text(text))));
            }
            "op" if cfg.has_prelude_attrs => self.op = named().and_then(|name| Operation::named(&name)),
            "lang" if cfg.has_prelude_attrs => self.lang = named(),
            "moves" if cfg.has_prelude_attrs => self.moves = true,
            // Derives read it.
            "unbounded" if cfg.has_prelude_attrs => {}
            "repr" => {
                if let Some((lo, hi)) = inside {
                    self.repr.read(&unmarked(&text[lo..hi]));
                }
            }
            "replace_float_literals" => {
                self.float_literals = inside.map(|(lo, hi)| (lo as u32, hi as u32));
            }
            last => {
                let is_tool = name.lo != first.lo && TOOLS.contains(&&*unmarked_name(first.text(text)));
                if !is_tool && !INERT.contains(&last) && !last.starts_with("rustc_") {
                    self.rewriters.push((first.lo, name.hi));
                }
            }
        }
    }
}

/// The first path segments of tool attributes.
const TOOLS: &[&str] = &["clippy", "diagnostic", "miri", "rust_analyzer", "rustdoc", "rustfmt"];

/// Attributes that do not change what a function computes: those of the language, and macros that only add
/// something to it, such as an export or a log entry.
#[rustfmt::skip]
const INERT: &[&str] = &[
    "allow", "warn", "deny", "forbid", "expect", "deprecated", "must_use", "doc", "inline", "cold", "naked",
    "no_mangle", "unsafe", "export_name", "link", "link_name", "link_section", "link_ordinal", "used", "track_caller",
    "target_feature", "instruction_set", "no_builtins", "optimize", "coverage", "non_exhaustive", "automatically_derived",
    "recursion_limit", "type_length_limit", "no_std", "no_core", "no_main", "no_implicit_prelude", "feature", "crate_type",
    "crate_name", "windows_subsystem", "panic_handler", "global_allocator", "debugger_visibility", "proc_macro",
    "proc_macro_attribute", "proc_macro_derive", "test", "bench", "ignore", "should_panic", "default", "stable", "unstable",
    "fundamental", "may_dangle", "const_trait",
    "dub", "derivative", "autodiff_reverse", "autodiff_forward", "instrument", "attr", "cached", "memoize", "no_panic",
    "wasm_bindgen", "pyfunction", "pymethods", "pyclass", "pymodule", "napi", "quickcheck", "test_case", "rstest",
];

/// The parts between commas.
pub(crate) fn split(text: &str, lo: usize, hi: usize) -> Vec<(usize, usize)> {
    let mut lexer = Lexer::new(text, lo, hi);
    let mut parts = Vec::new();
    let mut start = lo;
    while let Some(token) = lexer.next() {
        if token.kind == Tok::Open {
            lexer.skip_group();
        } else if token.text(text) == "," {
            parts.push((start, token.lo as usize));
            start = lexer.at;
        }
    }
    if !text[start..hi].trim().is_empty() {
        parts.push((start, hi));
    }
    parts
}
