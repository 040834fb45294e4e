//! The extent of a fragment in a macro's arguments: `$x:expr`, `$t:ty`, …
//!
//! - FRAGMENT1 the language specifies the tokens that may follow a fragment (`=>`, `,`, `;` after an
//!   expression), so the extent of an expression or a pattern is found without parsing it.

use crate::source::item_tree::scan;
use crate::source::lexer::{Tok, Token};

/// The kinds of fragments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fragment {
    Ident,
    Lifetime,
    Literal,
    Tt,
    Vis,
    Block,
    Path,
    Ty,
    Pat,
    PatParam,
    Expr,
    Stmt,
    Item,
    Meta,
}

impl Fragment {
    pub(super) fn of(name: &str) -> Option<Fragment> {
        Some(match name {
            "ident" => Fragment::Ident,
            "lifetime" => Fragment::Lifetime,
            "literal" => Fragment::Literal,
            "tt" => Fragment::Tt,
            "vis" => Fragment::Vis,
            "block" => Fragment::Block,
            "path" => Fragment::Path,
            "ty" => Fragment::Ty,
            "pat" => Fragment::Pat,
            "pat_param" => Fragment::PatParam,
            "expr" | "expr_2021" => Fragment::Expr,
            "stmt" => Fragment::Stmt,
            "item" => Fragment::Item,
            "meta" => Fragment::Meta,
            _ => return None,
        })
    }
}

/// Lexed text.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
}

const NO_EXPR: [&str; 17] = [
    "as", "else", "enum", "extern", "fn", "impl", "in", "let", "mod", "mut", "pub", "ref", "struct", "trait",
    "type", "use", "where",
];
/// The words within an expression that an operand follows.
const BEFORE_OPERAND: [&str; 18] = [
    "async", "await", "break", "const", "else", "for", "if", "in", "let", "loop", "match", "move", "mut",
    "ref", "return", "static", "unsafe", "while",
];
const EXPR_OPS: [&str; 12] = ["-", "*", "&", "&&", "!", "|", "||", "<", "::", "..", "..=", "#"];
const PAT_OPS: [&str; 8] = ["-", "&", "&&", "|", "<", "::", "..", "..="];
const ITEMS: [&str; 13] = [
    "fn",
    "struct",
    "enum",
    "trait",
    "impl",
    "mod",
    "use",
    "static",
    "type",
    "pub",
    "extern",
    "macro_rules",
    "union",
];

impl<'a> Tokens<'a> {
    pub(super) fn word(&self, at: usize, end: usize) -> &'a str {
        if at < end { self.tokens.get(at).map_or("", |t| t.text(self.text)) } else { "" }
    }

    fn kind(&self, at: usize, end: usize) -> Option<Tok> {
        if at < end { self.tokens.get(at).map(|t| t.kind) } else { None }
    }

    /// The index after the token or group at `at`.
    fn after(&self, at: usize, end: usize) -> usize {
        match self.tokens.get(at) {
            Some(t) if t.kind == Tok::Open => (t.close as usize + 1).min(end),
            _ => at + 1,
        }
    }

    /// The index after the fragment that starts at `at`, if there is one.
    pub(super) fn extent(&self, kind: Fragment, at: usize, end: usize) -> Option<usize> {
        let word = self.word(at, end);
        let tok = self.kind(at, end);
        match kind {
            Fragment::Vis => Some(self.visibility(at, end)),
            _ if tok.is_none() || tok == Some(Tok::Close) => None,
            Fragment::Ident => (tok == Some(Tok::Ident) && word != "_").then_some(at + 1),
            Fragment::Lifetime => (tok == Some(Tok::Lifetime)).then_some(at + 1),
            Fragment::Literal => {
                let number = if word == "-" { at + 1 } else { at };
                let literal =
                    self.kind(number, end) == Some(Tok::Literal) || matches!(word, "true" | "false");
                literal.then_some(number + 1)
            }
            Fragment::Tt => Some(self.after(at, end)),
            Fragment::Block => (word == "{").then(|| self.after(at, end)),
            Fragment::Path => self.path(at, end),
            Fragment::Ty => self.ty(at, end),
            Fragment::Pat | Fragment::PatParam if tok == Some(Tok::Op) && !PAT_OPS.contains(&word) => None,
            Fragment::Pat => self.until(at, end, &["=>", ",", "=", "if", "in", ";", ":"]),
            Fragment::PatParam => self.until(at, end, &["=>", ",", "=", "if", "in", ";", ":", "|"]),
            Fragment::Expr => self.expr(at, end),
            Fragment::Stmt if word == "let" => self.until(at, end, &[";", ",", "=>"]),
            Fragment::Stmt if ITEMS.contains(&word) => self.item(at, end),
            Fragment::Stmt => self.expr(at, end),
            Fragment::Item => self.item(at, end),
            Fragment::Meta => {
                let next = self.path(at, end)?;
                match self.word(next, end) {
                    "(" | "[" | "{" => Some(self.after(next, end)),
                    "=" => self.expr(next + 1, end),
                    _ => Some(next),
                }
            }
        }
    }

    fn visibility(&self, at: usize, end: usize) -> usize {
        match self.word(at, end) {
            "pub" if self.word(at + 1, end) == "(" => {
                let within = matches!(self.word(at + 2, end), "crate" | "super" | "self" | "in");
                if within { self.after(at + 1, end) } else { at + 1 }
            }
            "pub" => at + 1,
            _ => at,
        }
    }

    fn until(&self, mut at: usize, end: usize, stops: &[&str]) -> Option<usize> {
        let start = at;
        while at < end && !stops.contains(&self.word(at, end)) {
            at = self.after(at, end);
        }
        (at > start).then_some(at)
    }

    fn item(&self, at: usize, end: usize) -> Option<usize> {
        let last = self.tokens.get(end - 1)?;
        let (items, _) = scan(self.text, self.tokens[at].lo as usize, last.hi as usize);
        let hi = items.first()?.hi;
        (at..end).find(|i| self.tokens[*i].lo >= hi).or(Some(end))
    }

    fn angles(&self, mut at: usize, end: usize) -> usize {
        let mut depth = 0i32;
        while at < end {
            match self.word(at, end) {
                "<" => depth += 1,
                "<<" => depth += 2,
                ">" | ">=" => depth -= 1,
                ">>" | ">>=" => depth -= 2,
                _ => {}
            }
            at = self.after(at, end);
            if depth <= 0 {
                return at;
            }
        }
        at
    }

    fn path(&self, mut at: usize, end: usize) -> Option<usize> {
        if self.word(at, end) == "<" {
            at = self.angles(at, end);
        } else {
            if self.word(at, end) == "::" {
                at += 1;
            }
            at = self.segment(at, end)?;
        }
        while self.word(at, end) == "::" && self.kind(at + 1, end) == Some(Tok::Ident) {
            at = self.segment(at + 1, end)?;
        }
        Some(at)
    }

    fn segment(&self, at: usize, end: usize) -> Option<usize> {
        if self.kind(at, end) != Some(Tok::Ident) {
            return None;
        }
        let mut at = at + 1;
        if self.word(at, end) == "::" && self.word(at + 1, end) == "<" {
            at += 1;
        }
        match self.word(at, end) {
            "<" => Some(self.angles(at, end)),
            "(" => {
                let next = self.after(at, end);
                if self.word(next, end) == "->" { self.ty(next + 1, end) } else { Some(at) }
            }
            _ => Some(at),
        }
    }

    fn ty(&self, at: usize, end: usize) -> Option<usize> {
        match self.word(at, end) {
            "&" | "&&" => {
                let mut at = at + 1;
                if self.kind(at, end) == Some(Tok::Lifetime) {
                    at += 1;
                }
                if self.word(at, end) == "mut" {
                    at += 1;
                }
                self.ty(at, end)
            }
            "*" => self.ty(at + 2, end),
            "(" | "[" => Some(self.after(at, end)),
            "!" | "_" => Some(at + 1),
            "dyn" | "impl" => {
                let mut at = self.bound(at + 1, end)?;
                while self.word(at, end) == "+" {
                    at = self.bound(at + 1, end)?;
                }
                Some(at)
            }
            "for" => self.ty(self.angles(at + 1, end), end),
            "unsafe" | "extern" => self.ty(at + 1, end),
            "fn" => {
                let next = self.after(at + 1, end);
                if self.word(next, end) == "->" { self.ty(next + 1, end) } else { Some(next) }
            }
            _ => {
                let next = self.path(at, end)?;
                let call = self.word(next, end) == "!" && self.kind(next + 1, end) == Some(Tok::Open);
                Some(if call { self.after(next + 1, end) } else { next })
            }
        }
    }

    fn bound(&self, at: usize, end: usize) -> Option<usize> {
        match self.word(at, end) {
            "?" => self.path(at + 1, end),
            "(" => Some(self.after(at, end)),
            "for" => self.path(self.angles(at + 1, end), end),
            _ if self.kind(at, end) == Some(Tok::Lifetime) => Some(at + 1),
            _ => {
                let next = self.path(at, end)?;
                if self.word(next, end) == "(" { Some(self.after(next, end)) } else { Some(next) }
            }
        }
    }

    fn expr(&self, start: usize, end: usize) -> Option<usize> {
        let word = self.word(start, end);
        if NO_EXPR.contains(&word) || (self.kind(start, end) == Some(Tok::Op) && !EXPR_OPS.contains(&word)) {
            return None;
        }
        let mut at = start;
        let mut operand = true;
        while at < end {
            let word = self.word(at, end);
            match word {
                "," | ";" | "=>" => break,
                "|" if operand => {
                    at = self.until(at + 1, end, &["|"]).unwrap_or(at + 1) + 1;
                    continue;
                }
                "<" if operand => {
                    at = self.angles(at, end);
                    operand = false;
                    continue;
                }
                "::" if self.word(at + 1, end) == "<" => {
                    at = self.angles(at + 1, end);
                    continue;
                }
                "as" => {
                    at = self.ty(at + 1, end)?;
                    operand = false;
                    continue;
                }
                _ if BEFORE_OPERAND.contains(&word) => operand = true,
                _ => match self.kind(at, end) {
                    // Two operands side by side are two expressions.
                    Some(Tok::Ident | Tok::Literal) if !operand => break,
                    Some(Tok::Lifetime) => {}
                    kind => operand = kind == Some(Tok::Op) && word != "?",
                },
            }
            at = self.after(at, end);
        }
        (at > start).then_some(at.min(end))
    }
}
