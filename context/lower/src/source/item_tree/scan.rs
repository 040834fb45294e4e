//! Splits a text into items without parsing their contents.
//!
//! The build script uses it to scan the prelude.
//!
//! - SCAN1 an item records the ranges of its parts; nothing in it is parsed, so scanning a file costs no more
//!   than lexing it.
//! - SCAN2 text that is not an item is reported and skipped, and scanning continues after it.

use std::borrow::Cow;

use super::impl_header::ImplHeader;
use super::lexer::{Lexer, Tok};

/// The kind of an item, from its keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    Fn,
    Struct,
    Enum,
    Union,
    Trait,
    Impl,
    Mod,
    Use,
    Const,
    Static,
    Type,
    ExternCrate,
    ExternBlock,
    MacroRules,
    MacroCall,
    /// Text that is not an item.
    Broken,
}

/// An item and the ranges of its parts in its text.
#[derive(Clone, Debug)]
pub(crate) struct ItemSpans {
    pub(crate) kind: NodeKind,
    /// The range of its name; for a macro call, of the last segment of the macro's path.
    pub(crate) name: (u32, u32),
    /// The contents of each `#[…]`.
    pub(crate) attrs: Cow<'static, [(u32, u32)]>,
    pub(crate) public: bool,
    /// The start after attributes and visibility.
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    /// The contents of its braces; for a macro, of its delimiters.
    pub(crate) body: Option<(u32, u32)>,
    /// The header, for an impl.
    pub(crate) impl_header: Option<ImplHeader>,
}

/// The items of a text from `lo` to `hi`, and the inner attributes at its start.
pub(crate) fn scan(text: &str, lo: usize, hi: usize) -> (Vec<ItemSpans>, Vec<(u32, u32)>) {
    let mut scanner = Scanner { lexer: Lexer::new(text, lo, hi), text };
    let mut inner = Vec::new();
    let mut items = Vec::new();
    if text[lo..hi].starts_with("#!") && !text[lo..hi].starts_with("#![") {
        scanner.lexer.at = text[lo..hi].find('\n').map_or(hi, |n| lo + n);
    }
    while let Some(item) = scanner.item(&mut inner) {
        items.push(item);
    }
    (items, inner)
}

struct Scanner<'a> {
    lexer: Lexer<'a>,
    text: &'a str,
}

impl<'a> Scanner<'a> {
    fn item(&mut self, inner: &mut Vec<(u32, u32)>) -> Option<ItemSpans> {
        let attrs = self.attributes(inner);
        while self.lexer.eat(";") {}
        let start = self.lexer.peek()?;
        let mut public = false;
        if self.lexer.eat("pub") {
            public = true;
            if self.lexer.peek_text() == "(" {
                self.lexer.next();
                self.lexer.skip_group();
            }
        }
        let lo = self.lexer.peek().map_or(start.lo, |t| t.lo);
        let mut item = ItemSpans {
            kind: NodeKind::Broken,
            name: (lo, lo),
            attrs: attrs.into(),
            public,
            lo,
            hi: lo,
            body: None,
            impl_header: None,
        };
        self.keyword(&mut item);
        item.hi = self.lexer.at as u32;
        if item.kind == NodeKind::Impl {
            let hi = item.body.map_or(item.hi, |(lo, _)| lo - 1);
            item.impl_header = Some(ImplHeader::read(self.text, item.lo as usize, hi as usize));
        }
        Some(item)
    }

    fn attributes(&mut self, inner: &mut Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        let mut attrs = Vec::new();
        while self.lexer.eat("#") {
            let is_inner = self.lexer.eat("!");
            if self.lexer.eat("[") {
                let lo = self.lexer.at;
                let place = (lo as u32, self.lexer.skip_group() as u32);
                if is_inner { inner.push(place) } else { attrs.push(place) }
            }
        }
        attrs
    }

    fn keyword(&mut self, item: &mut ItemSpans) {
        let Some(token) = self.lexer.next() else { return };
        match token.text(self.text) {
            "const" => match self.lexer.peek_text() {
                "fn" | "unsafe" | "async" | "extern" => self.keyword(item),
                _ => {
                    self.lexer.eat("mut");
                    self.named(item, NodeKind::Const);
                    self.skip_to_semicolon();
                }
            },
            "async" | "default" if self.lexer.peek_text() != "!" => self.keyword(item),
            "unsafe" | "safe" if self.lexer.peek_text() != "!" => self.keyword(item),
            "auto" if self.lexer.peek_text() == "trait" => self.keyword(item),
            "extern" => self.external(item),
            "fn" => {
                self.named(item, NodeKind::Fn);
                self.skip_to_body(item);
            }
            "struct" => {
                self.named(item, NodeKind::Struct);
                self.skip_to_body(item);
            }
            "enum" => {
                self.named(item, NodeKind::Enum);
                self.skip_to_body(item);
            }
            "union" if self.lexer.peek().is_some_and(|t| t.kind == Tok::Ident) => {
                self.named(item, NodeKind::Union);
                self.skip_to_body(item);
            }
            "trait" => {
                self.named(item, NodeKind::Trait);
                self.skip_to_body(item);
            }
            "impl" => {
                item.kind = NodeKind::Impl;
                self.skip_to_body(item);
            }
            "mod" => {
                self.named(item, NodeKind::Mod);
                self.skip_to_body(item);
            }
            "use" => {
                item.kind = NodeKind::Use;
                self.skip_to_semicolon();
            }
            "static" => {
                self.lexer.eat("mut");
                self.named(item, NodeKind::Static);
                self.skip_to_semicolon();
            }
            "type" => {
                self.named(item, NodeKind::Type);
                self.skip_to_semicolon();
            }
            "macro_rules" if self.lexer.eat("!") => {
                self.named(item, NodeKind::MacroRules);
                self.macro_body(item);
            }
            _ if token.kind == Tok::Ident
                || token.text(self.text) == "::"
                || token.text(self.text) == "$" =>
            {
                self.macro_call(item, (token.lo, token.hi));
            }
            _ => {
                if token.kind == Tok::Open {
                    self.lexer.skip_group();
                }
            }
        }
    }

    fn named(&mut self, item: &mut ItemSpans, kind: NodeKind) {
        if let Some(name) = self.lexer.peek().filter(|t| t.kind == Tok::Ident) {
            self.lexer.next();
            item.kind = kind;
            item.name = (name.lo, name.hi);
        }
    }

    fn external(&mut self, item: &mut ItemSpans) {
        if self.lexer.eat("crate") {
            self.named(item, NodeKind::ExternCrate);
            return self.skip_to_semicolon();
        }
        if self.lexer.peek().is_some_and(|t| t.kind == Tok::Literal) {
            self.lexer.next();
        }
        if self.lexer.eat("{") {
            item.kind = NodeKind::ExternBlock;
            self.lexer.skip_group();
            return;
        }
        self.keyword(item);
    }

    fn macro_call(&mut self, item: &mut ItemSpans, first: (u32, u32)) {
        let mut name = first;
        while let Some(token) = self.lexer.next() {
            match token.text(self.text) {
                "!" => {
                    item.kind = NodeKind::MacroCall;
                    item.name = name;
                    return self.macro_body(item);
                }
                "::" | "$" => {}
                _ if token.kind == Tok::Ident => name = (token.lo, token.hi),
                _ => {
                    if token.kind == Tok::Open {
                        self.lexer.skip_group();
                    }
                    return;
                }
            }
        }
    }

    fn macro_body(&mut self, item: &mut ItemSpans) {
        let Some(open) = self.lexer.next().filter(|t| t.kind == Tok::Open) else {
            item.kind = NodeKind::Broken;
            return;
        };
        let lo = self.lexer.at as u32;
        item.body = Some((lo, self.lexer.skip_group() as u32));
        if open.text(self.text) != "{" {
            self.lexer.eat(";");
        }
    }

    fn skip_to_semicolon(&mut self) {
        while let Some(token) = self.lexer.next() {
            match token.kind {
                Tok::Open => {
                    self.lexer.skip_group();
                }
                Tok::Op if token.text(self.text) == ";" => return,
                _ => {}
            }
        }
    }

    /// Skips to the `;`, or past the braces, that ends the item; braces within `<…>` are constants.
    fn skip_to_body(&mut self, item: &mut ItemSpans) {
        let mut angles = 0i32;
        while let Some(token) = self.lexer.next() {
            match (token.kind, token.text(self.text)) {
                (Tok::Open, "{") if angles <= 0 => {
                    let lo = self.lexer.at as u32;
                    item.body = Some((lo, self.lexer.skip_group() as u32));
                    return;
                }
                (Tok::Open, _) => {
                    self.lexer.skip_group();
                }
                (Tok::Op, ";") => return,
                (Tok::Op, "<") => angles += 1,
                (Tok::Op, ">") => angles -= 1,
                (Tok::Op, ">>") => angles -= 2,
                (Tok::Op, "<<") => angles += 2,
                _ => {}
            }
        }
    }
}
