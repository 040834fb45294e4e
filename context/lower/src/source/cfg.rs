//! Conditional compilation: which `cfg`s hold.
//!
//! - CFG1 the operating system, the processor and the like are those of the target that overdub was compiled for. Pointers have
//!   64 bits, the least significant byte comes first, and assertions are on, everywhere.
//! - CFG2 no vector unit is available, so crates select the code that expresses the computation in plain
//!   Rust.
//! - CFG3 dependencies, but not the crate that is loaded, see `miri`: crates that use assembly or the layout of memory have
//!   other code for an interpreter.
//! - CFG4 what rustc evaluated where a source is registered takes precedence.

use std::sync::LazyLock;

use hashbrown::{HashMap, HashSet};

use super::hygiene::{MARK, unmarked_name};
use super::lexer::{Lexer, Tok};
use crate::registration::Cfg;

/// The enabled features of a crate, and the other options that its `cfg`s may test.
#[derive(Clone, Debug, Default)]
pub(crate) struct CfgOptions {
    pub(crate) features: HashSet<String>,
    /// Custom options of the prelude and of build scripts: `name` or `name="value"`.
    pub(crate) flags: HashSet<String>,
    /// The options that rustc evaluated (CFG4), with their values.
    pub(crate) evaluated: HashMap<(&'static str, Option<&'static str>), bool>,
    /// Whether `#[op]`, `#[lang]` and `#[moves]` have a meaning: only in the prelude. Elsewhere they are
    /// attribute macros.
    pub(crate) has_prelude_attrs: bool,
}

/// The options that hold on every target, with their values.
const OPTIONS: [(&str, Option<&str>); 11] = [
    ("debug_assertions", None),
    ("overflow_checks", None),
    ("panic", Some("unwind")),
    ("panic_unwind", None),
    ("target_endian", Some("little")),
    ("target_has_atomic", Some("")),
    ("target_has_atomic", Some("8")),
    ("target_has_atomic", Some("16")),
    ("target_has_atomic", Some("32")),
    ("target_has_atomic", Some("64")),
    ("target_has_atomic", Some("ptr")),
];

/// Those of the target, and the width of pointers (CFG1).
static TARGET: LazyLock<HashSet<(&str, Option<&str>)>> = LazyLock::new(|| {
    // Lines of `name` and `name=value`, from the build script.
    let lines = include_str!(concat!(env!("OUT_DIR"), "/target_cfg.txt")).lines();
    let of_target = lines.map(|line| match line.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (line, None),
    });
    of_target.chain([("target_pointer_width", Some("64"))]).chain(OPTIONS).collect()
});

impl CfgOptions {
    /// Whether the predicate between `lo` and `hi` holds.
    pub(crate) fn holds(&self, text: &str, lo: usize, hi: usize) -> bool {
        self.predicate(&mut Lexer::new(text, lo, hi))
    }

    fn predicate(&self, lexer: &mut Lexer<'_>) -> bool {
        let text = lexer.text;
        let Some(word) = lexer.next().map(|t| unmarked(t.text(text))) else { return true };
        if lexer.eat("(") {
            let close = lexer.clone().skip_group();
            let mut parts = Lexer::new(text, lexer.at, close);
            lexer.at = close + 1;
            let (mut all, mut any) = (true, false);
            while parts.peek().is_some() {
                let holds = self.predicate(&mut parts);
                (all, any) = (all && holds, any || holds);
                if !parts.eat(",") {
                    break;
                }
            }
            return match word {
                "all" => all,
                "any" => any,
                "not" => !all,
                _ => false,
            };
        }
        if lexer.eat("=") {
            let Some(value) = lexer.next().filter(|t| t.kind == Tok::Literal) else { return false };
            let value = value.text(text).trim_matches('"');
            return self.is_set(word, Some(value));
        }
        match word {
            "true" => true,
            "false" => false,
            _ => self.is_set(word, None),
        }
    }

    /// Whether an option holds.
    pub(crate) fn is_set(&self, name: &str, value: Option<&str>) -> bool {
        let evaluated: &HashMap<(&str, Option<&str>), bool> = &self.evaluated;
        match (evaluated.get(&(name, value)), value) {
            (Some(is_set), _) => *is_set,
            (None, Some(value)) if name == "feature" => self.features.contains(value),
            (None, None) => TARGET.contains(&(name, value)) || self.flags.contains(name),
            (None, Some(text)) => {
                TARGET.contains(&(name, value))
                    || !self.flags.is_empty() && self.flags.contains(&format!("{name}=\"{text}\""))
            }
        }
    }

    /// These options, and what rustc evaluated (CFG4); of two values of one option the first counts.
    pub(crate) fn with_evaluated(mut self, cfgs: impl IntoIterator<Item = &'static Cfg>) -> CfgOptions {
        for cfg in cfgs {
            self.evaluated.entry((cfg.name, cfg.value)).or_insert(cfg.is_set);
        }
        self
    }
}

/// Whether the `cfg`s among some attributes hold, so that what they are on is there.
pub(crate) fn are_on(attrs: &[syn::Attribute], cfg: &CfgOptions) -> bool {
    attrs.iter().all(|attr| cfg_holds(attr, cfg))
}

/// Whether an attribute keeps its item: it is not a `cfg`, or its predicate holds.
fn cfg_holds(attr: &syn::Attribute, cfg: &CfgOptions) -> bool {
    match &attr.meta {
        syn::Meta::List(list)
            if list.path.get_ident().is_some_and(|i| &*unmarked_name(&i.to_string()) == "cfg") =>
        {
            let text = super::hygiene::unmarked(&list.tokens.to_string());
            cfg.holds(&text, 0, text.len())
        }
        _ => true,
    }
}

/// A word without the mark added by macro expansion in a body.
fn unmarked(word: &str) -> &str {
    word.split(MARK).next().unwrap_or(word)
}
