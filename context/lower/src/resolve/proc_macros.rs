//! Procedural macros of other packages: their code is run by the interpreter, with tokens as text.
//!
//! - PROCMACRO1 a macro's own package is loaded as a program, in the versions of the user's lock file. Nothing is built.
//! - PROCMACRO2 a name that macros of two packages have is not expanded: which one is meant is not known.
//! - PROCMACRO3 what a function-like macro returns has no marks: its names are those of the place where it is called.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_context::Symbol;

use crate::program::Program;
use crate::source::cargo::Package;
use crate::source::hygiene::unmarked;
use crate::source::lexer::Lexer;
use crate::source::{Origin, SourceId, SourceRange};

/// What expands text to text.
pub(crate) type Expand = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// A macro, or why its program has no such function.
type Macro = Result<Arc<Expand>, String>;

/// What makes a macro of a program with the function [`ENTRY`]. The layer that runs programs submits it.
pub(crate) struct MacroRunner(pub(crate) fn(Program) -> Macro);

inventory::collect!(MacroRunner);

/// The function of a macro's program that takes and returns text.
pub(crate) const ENTRY: &str = "overdub_expand__";

/// What is between the calls of an attribute that are expanded in one run, and between what they return.
pub(super) const BETWEEN_CALLS: &str = "\u{1}";

/// What is between the arguments of an attribute and its item.
pub(super) const BETWEEN_PARTS: &str = "\u{2}";

/// The macros that ran, by their packages and functions.
#[derive(Default)]
pub(crate) struct ProcMacros {
    known: Mutex<HashMap<(usize, String), Macro>>,
}

/// How a procedural macro is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MacroUse {
    Derive,
    /// `name!(…)`
    Call,
    /// `#[name(…)]`, of calls that are expanded one after the other
    Attribute,
}

impl Program {
    /// Whether a package has a function-like macro of this name.
    pub(super) fn has_proc_macro(&self, name: Symbol) -> bool {
        self.graph().is_some_and(|graph| {
            let mut packages = graph.packages.iter().filter(|of| of.is_enabled && of.is_proc_macro());
            packages.any(|package| function(package, &name, MacroUse::Call).is_some())
        })
    }

    /// The macro of this name; none if no package has one.
    pub(super) fn proc_macro(&self, name: Symbol, of: MacroUse) -> Option<Macro> {
        let graph = self.graph()?;
        let packages =
            graph.packages.iter().enumerate().filter(|(_, of)| of.is_enabled && of.is_proc_macro());
        let mut found =
            packages.filter_map(|(at, package)| Some((at, package, function(package, &name, of)?)));
        let (at, package, function) = found.next()?;
        if let Some((_, other, _)) = found.next() {
            let (one, other) = (&package.name, &other.name);
            return Some(Err(format!("`{one}` and `{other}` have macros of this name")));
        }
        let key = (at, function);
        let macros = || self.proc_macros.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = macros().get(&key) {
            return Some(known.clone());
        }
        let MacroRunner(runner) = inventory::iter::<MacroRunner>.into_iter().next()?;
        let function = &key.1;
        let expansion = match of {
            MacroUse::Derive | MacroUse::Call => format!("{function}(text.parse().unwrap()).to_string()"),
            MacroUse::Attribute => format!(
                "let all: Vec<String> = text.split({BETWEEN_CALLS:?}).map(|call| {{
                    let (args, item) = call.split_once({BETWEEN_PARTS:?}).unwrap();
                    {function}(args.parse().unwrap(), item.parse().unwrap()).to_string()
                }}).collect();
                all.join({BETWEEN_CALLS:?})"
            ),
        };
        let entry = format!("pub fn {ENTRY}(text: &str) -> String {{ {expansion} }}");
        let program = self.macro_program(package, &entry).map_err(|error| error.to_string());
        let made = program.and_then(runner);
        macros().insert(key, made.clone());
        Some(made)
    }

    /// The expansion of a call of a function-like macro (PROCMACRO3); none if no package has one of this name.
    pub(super) fn expand_proc_macro(
        &self,
        name: Symbol,
        input: SourceRange,
        call: SourceRange,
    ) -> Option<Result<SourceId, String>> {
        let expand = self.proc_macro(name, MacroUse::Call)?;
        let source = self.sources.get(input.source);
        let text = unmarked(&source.text[input.lo as usize..input.hi as usize]);
        let origin = Origin { at: 0, place: call, copied: false };
        let expanded = expand.and_then(|expand| expand(&text));
        Some(expanded.map(|text| self.sources.add_generated(text, vec![origin])))
    }
}

/// The function of a package that expands a macro.
fn function(package: &Package, name: &str, of: MacroUse) -> Option<String> {
    let text = std::fs::read_to_string(&package.lib).ok()?;
    let mut lexer = Lexer::new(&text, 0, text.len());
    while let Some(token) = lexer.next() {
        let is_marked = match (of, token.text(&text)) {
            (MacroUse::Derive, "proc_macro_derive") => lexer.eat("(") && lexer.eat(name),
            (MacroUse::Call, "proc_macro") | (MacroUse::Attribute, "proc_macro_attribute") => lexer.eat("]"),
            _ => false,
        };
        if !is_marked {
            continue;
        }
        // The attribute ends, and others and the function follow.
        while lexer.next()?.text(&text) != "fn" {}
        let function = lexer.next()?.text(&text);
        if of == MacroUse::Derive || function.trim_start_matches("r#") == name {
            return Some(function.to_owned());
        }
    }
    None
}
