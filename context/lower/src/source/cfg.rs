//! Conditional compilation: which `cfg`s hold.
//!
//! - CFG1 the target is 64-bit x86 Linux with glibc, assertions on, tests off.
//! - CFG2 no vector unit is available, so crates select the code that expresses the computation in plain
//!   Rust.
//! - CFG3 dependencies, but not the crate that is loaded, see `miri`: crates that use assembly or the layout of memory have
//!   other code for an interpreter.

use hashbrown::HashSet;

use super::hygiene::{MARK, unmarked_name};
use super::lexer::{Lexer, Tok};

/// The enabled features of a crate, and the other options that its `cfg`s may test.
#[derive(Clone, Debug, Default)]
pub(crate) struct CfgOptions {
    pub(crate) features: HashSet<String>,
    /// Custom keys of the prelude and of build scripts.
    pub(crate) flags: HashSet<String>,
    /// Whether `#[op]`, `#[lang]` and `#[moves]` have a meaning: only in the prelude. Elsewhere they are
    /// attribute macros.
    pub(crate) has_prelude_attrs: bool,
}

const FLAGS: [&str; 4] = ["unix", "debug_assertions", "overflow_checks", "panic_unwind"];
const VALUES: [(&str, &str); 15] = [
    ("target_os", "linux"),
    ("target_arch", "x86_64"),
    ("target_env", "gnu"),
    ("target_family", "unix"),
    ("target_pointer_width", "64"),
    ("target_endian", "little"),
    ("target_vendor", "unknown"),
    ("panic", "unwind"),
    ("target_has_atomic", "8"),
    ("target_has_atomic", "16"),
    ("target_has_atomic", "32"),
    ("target_has_atomic", "64"),
    ("target_has_atomic", "ptr"),
    ("target_abi", ""),
    ("target_has_atomic", ""),
];

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
            return if word == "feature" {
                self.features.contains(value)
            } else {
                VALUES.contains(&(word, value))
            };
        }
        match word {
            "true" => true,
            "false" => false,
            _ => FLAGS.contains(&word) || self.flags.contains(word),
        }
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
