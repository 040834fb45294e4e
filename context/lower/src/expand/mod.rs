//! `macro_rules!` on text: definitions, matching, transcription.
//!
//! - EXPAND1 an expansion is a text whose pieces record their origin (`source` SOURCE2).
//! - EXPAND2 in bodies, an identifier from a macro's own text carries a mark, so that the variables that it
//!   names belong to the macro. The lookup of a variable tries the marked name first; everywhere else marks
//!   are dropped.
//! - EXPAND3 `$crate` is the identifier [`crate_ident`] of the defining crate.

mod conditions;
mod docs;
mod fragment;
mod matching;
mod paste;
mod rules;
mod transcribe;

pub(crate) mod derive;
pub(crate) mod thiserror;

pub(crate) use transcribe::WRAP;

use std::sync::{Arc, OnceLock};

use crate::source::{SourceFile, SourceId, SourceMap, SourceRange};

/// The maximum nesting depth of macro calls.
pub(crate) const RECURSION_LIMIT: usize = 128;

const CRATE: &str = "__crate_";

/// The identifier that replaces `$crate`.
pub(crate) fn crate_ident(krate: u32) -> String {
    format!("{CRATE}{krate}")
}

/// The crate denoted by an identifier from [`crate_ident`].
pub(crate) fn crate_of_ident(name: &str) -> Option<u32> {
    name.strip_prefix(CRATE)?.parse().ok()
}

/// A macro that a program defines.
#[derive(Debug)]
pub(crate) struct MacroDef {
    pub(crate) krate: u32,
    pub(crate) source: SourceId,
    /// The rules, between the delimiters.
    pub(crate) body: (u32, u32),
    kind: MacroKind,
    rules: OnceLock<Result<Vec<rules::Rule>, String>>,
}

/// What attributes say of a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct MacroKind {
    /// What happens to its input first.
    pub(crate) preparation: Option<Preparation>,
    /// Whether the macros that it calls are looked up in its crate: `#[macro_export(local_inner_macros)]`.
    pub(crate) looks_up_locally: bool,
}

/// What a procedural macro does to its input, before a declarative macro of the prelude does the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Preparation {
    /// Concatenates identifiers, as `paste!` does.
    Paste,
    /// Marks conditions, as `equator::assert!` does.
    Conditions,
    /// Makes a name of the label at the beginning, as `dyn_stack::alloc!` does.
    Label,
}

impl Preparation {
    /// That of a macro that the prelude marks with `#[lang(…)]`.
    pub(crate) fn of_lang(lang: &str) -> Option<Preparation> {
        match lang {
            "paste" => Some(Preparation::Paste),
            "equator" => Some(Preparation::Conditions),
            "dyn_stack" => Some(Preparation::Label),
            _ => None,
        }
    }
}

/// The position of a macro's expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hygiene {
    /// Among items: names are plain.
    Items,
    /// In a body: names from the macro are marked with this number.
    Marked(u32),
}

impl MacroDef {
    pub(crate) fn new(krate: u32, source: SourceId, body: (u32, u32), kind: MacroKind) -> Arc<MacroDef> {
        Arc::new(MacroDef { krate, source, body, kind, rules: OnceLock::new() })
    }

    /// Expands a call; `input` is the content of its delimiters and `call` the location reported for the
    /// expansion.
    pub(crate) fn expand(
        &self,
        sources: &SourceMap,
        input: SourceRange,
        call: SourceRange,
        hygiene: Hygiene,
    ) -> Result<SourceId, String> {
        let def = sources.get(self.source);
        let rules = self
            .rules
            .get_or_init(|| rules::parse(&def.text, self.body, self.kind.looks_up_locally))
            .as_ref()
            .map_err(String::clone)?;
        let input = docs::as_attributes(sources, input);
        let input = match self.kind.preparation {
            Some(Preparation::Paste) => paste::pasted(sources, input)?,
            Some(Preparation::Conditions) => conditions::marked(sources, input),
            Some(Preparation::Label) => label_as_name(sources, input),
            None => input,
        };
        let source = sources.get(input.source);
        let tokens = crate::source::lexer::lex(&source.text, input.lo as usize, input.hi as usize);
        let matched = rules.iter().find_map(|rule| {
            let bindings = matching::matches(&rule.matcher, &def.text, &source.text, &tokens)?;
            Some((rule, bindings))
        });
        let Some((rule, bindings)) = matched else {
            return Err("no rule matches these arguments".to_owned());
        };
        let scribe = transcribe::Scribe::new(&def, &source, &tokens, input.source, call, hygiene, self.krate);
        let (text, origins) = scribe.write(&rule.output, &bindings)?;
        Ok(sources.add_generated(text, origins))
    }
}

/// The source without the quote of a label at its beginning.
fn label_as_name(sources: &SourceMap, place: SourceRange) -> SourceRange {
    let source = sources.get(place.source);
    let rest = text_of(&source, place.lo, place.hi);
    match rest.len() - rest.trim_start().len() {
        blank if rest.trim_start().starts_with('\'') => {
            SourceRange { lo: place.lo + blank as u32 + 1, ..place }
        }
        _ => place,
    }
}

/// The text of a source range.
pub(crate) fn text_of(source: &SourceFile, lo: u32, hi: u32) -> &str {
    source.text.get(lo as usize..hi as usize).unwrap_or("")
}
