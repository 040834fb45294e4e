//! Attribute macros of other packages (`proc_macros`) on structs, enums and traits: the impls and items that they add.
//!
//! - ATTRIBUTEMACRO1 the calls of a macro in a crate are expanded in one run, in the order of the items: a macro may keep what it
//!   saw, as `enum_dispatch` keeps traits. They run when an impl or method is missing that one of them may produce.
//! - ATTRIBUTEMACRO2 the item stays as it is written; a macro that changes it is not expanded.

use overdub_context::Symbol;

use super::collect::{CollectScope, Collector};
use super::deferred_macros::DeferredMacro;
use super::proc_macros::{BETWEEN_CALLS, BETWEEN_PARTS, MacroUse};
use crate::hir::DefId;
use crate::program::Program;
use crate::source::hygiene::unmarked;
use crate::source::item_tree::{ItemNode, NodeKind, scan};
use crate::source::lexer::{Lexer, Tok};

/// The attributes that change what an item is.
const MEANINGFUL: [&str; 2] = ["derive", "repr"];

/// An attribute whose macro did not run.
pub(super) struct PendingAttribute {
    name: Symbol,
    /// The struct, enum or trait.
    of: DefId,
    krate: u32,
    /// The place of its path.
    path: (u32, u32),
    item: DeferredMacro,
}

impl Collector<'_> {
    /// Notes an attribute that may be a macro.
    pub(super) fn attribute_by_macro(
        &self,
        scope: &CollectScope,
        raw: &ItemNode,
        of: DefId,
        path: (u32, u32),
    ) {
        if !matches!(raw.kind, NodeKind::Struct | NodeKind::Union | NodeKind::Enum | NodeKind::Trait) {
            return;
        }
        let written = self.program.attribute(scope.source, path).0;
        let name = written.rsplit("::").next().map_or(written, |last| Symbol::new(last.trim()));
        let item = self.deferred(scope, raw.clone());
        let krate = self.program.node(of).krate;
        self.program.derives.add_attribute(PendingAttribute { name, of, krate, path, item });
    }
}

impl Program {
    /// Runs the macros of attributes of one of these items; whether there were any.
    pub(super) fn expand_attributes(&self, of: &[DefId]) -> bool {
        let derives = &self.derives;
        let is_pending = || derives.attributes(|all| all.iter().any(|attribute| of.contains(&attribute.of)));
        derives.exclusively(is_pending, || self.expand_pending_attributes(of))
    }

    fn expand_pending_attributes(&self, of: &[DefId]) -> bool {
        let derives = &self.derives;
        let names: Vec<(Symbol, u32)> = derives.attributes(|all| {
            let wanted = all.iter().filter(|attribute| of.contains(&attribute.of));
            wanted.map(|attribute| (attribute.name, attribute.krate)).collect()
        });
        let mut is_any = false;
        for (name, krate) in names {
            let expand = self.proc_macro(name, MacroUse::Attribute);
            let calls: Vec<PendingAttribute> = derives.attributes(|all| {
                all.extract_if(.., |attribute| (attribute.name, attribute.krate) == (name, krate)).collect()
            });
            // Other attributes are those of derives.
            let Some(expand) = expand.filter(|_| !calls.is_empty()) else { continue };
            let texts: Vec<String> = calls.iter().map(|call| self.call_text(call)).collect();
            let outputs = expand.and_then(|expand| expand(&texts.join(BETWEEN_CALLS)));
            let outputs: Result<Vec<String>, String> =
                outputs.map(|all| all.split(BETWEEN_CALLS).map(str::to_owned).collect());
            match outputs {
                Ok(outputs) => {
                    for (call, output) in calls.into_iter().zip(outputs) {
                        let of = call.of;
                        match self.add_expansion(call, output) {
                            Ok(()) => is_any = true,
                            Err(reason) => derives.failed(of, not_expanded(name, &reason)),
                        }
                    }
                }
                Err(reason) => {
                    calls.iter().for_each(|call| derives.failed(call.of, not_expanded(name, &reason)));
                }
            }
        }
        is_any
    }

    /// The arguments of an attribute and the item without it.
    fn call_text(&self, call: &PendingAttribute) -> String {
        let (source, raw) = (self.sources.get(call.item.scope.source), &call.item.raw);
        let text = &source.text;
        let mut lexer = Lexer::new(text, call.path.1 as usize, text.len());
        let args = match lexer.next() {
            Some(token) if token.kind == Tok::Open => {
                let from = lexer.at;
                &text[from..lexer.skip_group()]
            }
            _ => "",
        };
        let mut item = String::new();
        for &(lo, hi) in raw.attrs.iter() {
            let content = &text[lo as usize..hi as usize];
            if !(lo..hi).contains(&call.path.0) && !content.trim_start().starts_with("cfg") {
                item.push_str(&format!("#[{content}] "));
            }
        }
        let from = raw.attrs.last().map_or(raw.lo, |(_, hi)| hi + 1);
        item.push_str(&text[from as usize..raw.hi as usize]);
        format!("{}{BETWEEN_PARTS}{}", unmarked(args), unmarked(&item))
    }

    /// Collects what an attribute adds to its item (ATTRIBUTEMACRO2).
    fn add_expansion(&self, call: PendingAttribute, output: String) -> Result<(), String> {
        let item = call.item;
        let written = &self.sources.get(item.scope.source).text;
        let (kind, name) = (item.raw.kind, item.raw.name);
        let items = scan(&output, 0, output.len()).0;
        let same = items.iter().position(|it| it.kind == kind && it.name == name);
        let Some(same) = same else { return Err(format!("it leaves `{name}` out")) };
        let from = same.checked_sub(1).map_or(0, |before| items[before].hi);
        let same = &items[same];
        if tokens(&output, same) != tokens(written, &item.raw) {
            return Err(format!("it changes `{name}`"));
        }
        let text = format!("{} {}", &output[..from as usize], &output[same.hi as usize..]);
        item.collect_text(self, text)
    }
}

impl super::derive_macros::DeriveMacros {
    fn add_attribute(&self, attribute: PendingAttribute) {
        self.note_any();
        self.attributes(|all| all.push(attribute));
    }
}

fn not_expanded(name: Symbol, reason: &str) -> String {
    format!("`#[{name}]` was not expanded: {reason}")
}

/// The tokens of an item, without what printing may add and without attributes other than those that change what it is.
fn tokens(text: &str, item: &ItemNode) -> Vec<String> {
    let attributes = item.attrs.iter().map(|&(lo, hi)| text[lo as usize..hi as usize].trim());
    let attributes = attributes.filter(|it| MEANINGFUL.iter().any(|name| it.starts_with(name)));
    let text = format!("{} {}", attributes.collect::<String>(), &text[item.lo as usize..item.hi as usize]);
    let text = unmarked(&text);
    let mut lexer = Lexer::new(&text, 0, text.len());
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        match token.text(&text) {
            "#" if lexer.eat("[") => _ = lexer.skip_group(),
            "," => {}
            other => tokens.push(other.to_owned()),
        }
    }
    tokens
}
