//! The items of impls and traits and the variants of enums, computed on first use.

use std::sync::Arc;

use overdub_context::{Span, Symbol};

use super::node::*;
use crate::hir::*;
use crate::program::Program;
use crate::source::hygiene::unmarked_name;
use crate::source::item_tree::{ItemNode, NodeKind};
use crate::source::lexer::{Lexer, Tok};
use crate::source::{SourceId, SourceRange};

impl Program {
    /// Computes the items of an impl or trait, or the variants of an enum.
    pub(crate) fn collect_children(&self, def: DefId) -> Vec<DefId> {
        let node = self.node(def);
        let Ok((source, raw)) = self.text(&node) else { return Vec::new() };
        let Some(body) = raw.body else { return Vec::new() };
        let mut found = Vec::new();
        match node.head.kind {
            DefKind::Enum => self.variants(&node, source, body, &mut found),
            DefKind::Impl | DefKind::Trait => self.assoc_items(&node, source, body, 0, &mut found),
            _ => {}
        }
        found
    }

    /// Enters the lang items among children. Of two threads that compute the same ones, only one enters its own.
    pub(crate) fn with_langs(&self, children: Vec<DefId>) -> Arc<[DefId]> {
        for child in &children {
            if let Some(lang) = self.node(*child).head.lang {
                self.enter_lang(lang, *child);
            }
        }
        children.into()
    }

    /// The path of an attribute, and its span.
    pub(super) fn attribute(&self, source: SourceId, (lo, hi): (u32, u32)) -> (Symbol, Span) {
        let text = self.sources.get(source);
        (Symbol::new(&text.text[lo as usize..hi as usize]), self.sources.span(SourceRange { source, lo, hi }))
    }

    fn child_node(&self, outer: &Node, source: SourceId, raw: ItemNode, kind: DefKind) -> Node {
        let entered = NewNode {
            kind,
            parent: outer.head.id,
            krate: outer.krate,
            scope: outer.scope,
            source,
            macros: outer.macros.clone(),
        };
        let mut node = Node::new(entered, raw);
        node.float_literals = outer.float_literals;
        node.rewriter = outer.rewriter;
        node
    }

    fn assoc_items(
        &self,
        outer: &Node,
        source: SourceId,
        body: (u32, u32),
        depth: usize,
        out: &mut Vec<DefId>,
    ) {
        let text = self.sources.get(source);
        let cfg = self.cfg(outer.krate);
        let (items, _) = crate::source::item_tree::scan(&text.text, body.0 as usize, body.1 as usize);
        for raw in items {
            let attrs = super::attrs::Attrs::read(&text.text, &raw.attrs, &cfg);
            if attrs.disabled {
                continue;
            }
            let kind = match raw.kind {
                NodeKind::Fn => DefKind::AssocFn,
                NodeKind::Const => DefKind::AssocConst,
                NodeKind::Type => DefKind::AssocType,
                NodeKind::MacroCall if depth < crate::expand::RECURSION_LIMIT => {
                    if let Some(expansion) = self.expand_item(outer, source, &raw) {
                        let len = self.sources.get(expansion).text.len() as u32;
                        self.assoc_items(outer, expansion, (0, len), depth + 1, out);
                    }
                    continue;
                }
                _ => continue,
            };
            let mut node = self.child_node(outer, source, raw, kind);
            node.head.op = attrs.op;
            node.head.lang = attrs.lang;
            node.head.moves = attrs.moves;
            node.float_literals = attrs.float_literals.or(node.float_literals);
            node.rewriter =
                attrs.rewriters.last().map(|place| self.attribute(source, *place)).or(node.rewriter);
            out.push(self.add_node(node));
        }
    }

    fn expand_item(&self, outer: &Node, source: SourceId, raw: &ItemNode) -> Option<SourceId> {
        let text = self.sources.get(source);
        let body = raw.body?;
        let path: Vec<Symbol> = Lexer::new(&text.text, raw.lo as usize, body.0 as usize)
            .filter(|t| t.kind == Tok::Ident)
            .map(|t| unmarked_name(t.text(&text.text)))
            .collect();
        let def = self.node(self.find_macro(&outer.macros, outer.scope, &path)?);
        let rules = def.macro_def.as_ref()?;
        let input = SourceRange { source, lo: body.0, hi: body.1 };
        let call = SourceRange { source, lo: raw.lo, hi: body.0 };
        rules.expand(&self.sources, input, call, crate::expand::Hygiene::Items).ok()
    }

    fn variants(&self, outer: &Node, source: SourceId, body: (u32, u32), out: &mut Vec<DefId>) {
        let text = self.sources.get(source);
        let cfg = self.cfg(outer.krate);
        for (lo, hi) in super::attrs::split(&text.text, body.0 as usize, body.1 as usize) {
            let mut lexer = Lexer::new(&text.text, lo, hi);
            let mut places = Vec::new();
            while lexer.eat("#") {
                if lexer.eat("[") {
                    places.push((lexer.at as u32, lexer.skip_group() as u32));
                }
            }
            let Some(name) = lexer.peek().filter(|t| t.kind == Tok::Ident) else { continue };
            if super::attrs::Attrs::read(&text.text, &places, &cfg).disabled {
                continue;
            }
            let raw = ItemNode {
                kind: NodeKind::Enum,
                name: unmarked_name(name.text(&text.text)),
                name_lo: name.lo,
                attrs: places.into(),
                public: true,
                lo: name.lo,
                hi: hi as u32,
                body: None,
                impl_header: None,
            };
            out.push(self.add_node(self.child_node(outer, source, raw, DefKind::Variant)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use crate::Program;
    use crate::hir::DefKind;

    #[test]
    fn threads_that_meet_at_an_impl_agree_on_its_lang_items() {
        let load = || Program::from_source("empty.rs", "").expect("an empty text loads");
        let parents = ["slice_len", "rc_clone", "vec_set_len_of"].map(|lang| {
            let program = load();
            let impls = program.all_items().filter(|def| program.node(*def).head.kind == DefKind::Impl);
            impls.for_each(|def| drop(program.children(def)));
            (lang, program.node(program.lang(lang).expect("the prelude has it")).head.parent)
        });
        for (lang, parent) in parents.into_iter().cycle().take(150) {
            let (program, start) = (load(), Barrier::new(3));
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        start.wait();
                        program.children(parent)
                    });
                }
            });
            let def = program.lang(lang).expect("the prelude has it");
            assert!(program.children(parent).contains(&def), "{lang}");
        }
    }
}
