//! Parses the rules of a `macro_rules!` from its text.

use overdub_context::Symbol;

use super::fragment::Fragment;
use super::transcribe::is_keyword;
use crate::source::hygiene::unmarked_name;
use crate::source::lexer::{Tok, Token, lex};

/// A rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) matcher: Vec<Matcher>,
    pub(super) output: Vec<Output>,
}

/// A part of a rule's left side.
#[derive(Debug)]
pub(super) enum Matcher {
    /// A literal token.
    Token(Token),
    /// A group with this opening bracket.
    Group(u8, Vec<Matcher>),
    /// A fragment: `$name:kind`.
    Fragment(Symbol, Fragment),
    /// A repetition: `$(…) sep op`.
    Repeat { parts: Vec<Matcher>, names: Vec<Symbol>, separator: Option<Token>, op: RepeatOp },
}

/// A part of a rule's right side.
#[derive(Debug)]
pub(super) enum Output {
    /// A token.
    Token(Token),
    /// A group: its brackets and their content.
    Group(Token, Vec<Output>),
    /// A binding: `$name`.
    Name(Symbol),
    /// The crate of the macro: `$crate`.
    Crate,
    /// The name of a macro that is looked up in the crate of this macro.
    Local(Token),
    /// A repetition: `$(…) sep op`.
    Repeat { parts: Vec<Output>, names: Vec<Symbol>, separator: Option<Token>, op: RepeatOp },
}

/// The operator of a repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RepeatOp {
    Any,
    Some,
    Optional,
}

impl RepeatOp {
    fn of(text: &str) -> Option<RepeatOp> {
        match text {
            "*" => Some(RepeatOp::Any),
            "+" => Some(RepeatOp::Some),
            "?" => Some(RepeatOp::Optional),
            _ => None,
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            RepeatOp::Any => "*",
            RepeatOp::Some => "+",
            RepeatOp::Optional => "?",
        }
    }
}

/// The rules between the delimiters of a definition.
pub(super) fn parse(text: &str, body: (u32, u32), looks_up_locally: bool) -> Result<Vec<Rule>, String> {
    let tokens = lex(text, body.0 as usize, body.1 as usize);
    let reader = RuleParser { text, tokens: &tokens, looks_up_locally };
    let mut rules = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let left = reader.group(at)?;
        at = left.1 + 1;
        if reader.word(at) != "=>" {
            return Err("a rule lacks `=>`".to_owned());
        }
        let right = reader.group(at + 1)?;
        rules.push(Rule {
            matcher: reader.matchers(left.0, left.1)?,
            output: reader.outputs(right.0, right.1)?,
        });
        at = right.1 + 1;
        if reader.word(at) == ";" {
            at += 1;
        }
    }
    Ok(rules)
}

struct RuleParser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// `#[macro_export(local_inner_macros)]`
    looks_up_locally: bool,
}

impl<'a> RuleParser<'a> {
    /// Whether this is the name, without a path, in a macro call.
    fn is_macro_name(&self, at: usize) -> bool {
        let is_called = self.tokens[at].kind == Tok::Ident
            && self.word(at + 1) == "!"
            && self.tokens.get(at + 2).is_some_and(|next| next.kind == Tok::Open);
        is_called && !is_keyword(self.word(at)) && (at == 0 || self.word(at - 1) != "::")
    }

    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |t| t.text(self.text))
    }

    /// The content of the group that opens at `at`: the index of its first token, and the one after its last.
    fn group(&self, at: usize) -> Result<(usize, usize), String> {
        match self.tokens.get(at) {
            Some(t) if t.kind == Tok::Open => Ok((at + 1, t.close as usize)),
            _ => Err("a rule lacks its brackets".to_owned()),
        }
    }

    /// The rest of a repetition after its `)`: the separator, the operator, and the next index.
    fn repeat(&self, at: usize) -> Result<(Option<Token>, RepeatOp, usize), String> {
        if let Some(op) = RepeatOp::of(self.word(at)) {
            return Ok((None, op, at + 1));
        }
        match RepeatOp::of(self.word(at + 1)) {
            Some(op) => Ok((Some(self.tokens[at]), op, at + 2)),
            None => Err("a repetition lacks `*`, `+` or `?`".to_owned()),
        }
    }

    fn matchers(&self, mut at: usize, end: usize) -> Result<Vec<Matcher>, String> {
        let mut parts = Vec::new();
        while at < end {
            let token = self.tokens[at];
            if self.word(at) == "$" && at + 1 < end {
                let next = self.tokens[at + 1];
                if next.kind == Tok::Open {
                    let inner = self.matchers(at + 2, next.close as usize)?;
                    let (separator, op, after) = self.repeat(next.close as usize + 1)?;
                    let names = matcher_names(&inner);
                    parts.push(Matcher::Repeat { parts: inner, names, separator, op });
                    at = after;
                    continue;
                }
                if next.kind == Tok::Ident && self.word(at + 2) == ":" {
                    let kind = Fragment::of(&unmarked_name(self.word(at + 3)))
                        .ok_or_else(|| format!("unknown fragment kind `{}`", self.word(at + 3)))?;
                    parts.push(Matcher::Fragment(unmarked_name(self.word(at + 1)), kind));
                    at += 4;
                    continue;
                }
            }
            if token.kind == Tok::Open {
                let inner = self.matchers(at + 1, token.close as usize)?;
                parts.push(Matcher::Group(self.text.as_bytes()[token.lo as usize], inner));
                at = token.close as usize + 1;
            } else {
                parts.push(Matcher::Token(token));
                at += 1;
            }
        }
        Ok(parts)
    }

    fn outputs(&self, mut at: usize, end: usize) -> Result<Vec<Output>, String> {
        let mut parts = Vec::new();
        while at < end {
            let token = self.tokens[at];
            if self.word(at) == "$" && at + 1 < end {
                let next = self.tokens[at + 1];
                if next.kind == Tok::Open {
                    let inner = self.outputs(at + 2, next.close as usize)?;
                    let (separator, op, after) = self.repeat(next.close as usize + 1)?;
                    let names = output_names(&inner);
                    parts.push(Output::Repeat { parts: inner, names, separator, op });
                    at = after;
                    continue;
                }
                if next.kind == Tok::Ident {
                    let name = unmarked_name(self.word(at + 1));
                    parts.push(if &*name == "crate" { Output::Crate } else { Output::Name(name) });
                    at += 2;
                    continue;
                }
            }
            if self.looks_up_locally && self.is_macro_name(at) {
                parts.push(Output::Local(token));
                at += 1;
                continue;
            }
            if token.kind == Tok::Open {
                parts.push(Output::Group(token, self.outputs(at + 1, token.close as usize)?));
                at = token.close as usize + 1;
            } else {
                parts.push(Output::Token(token));
                at += 1;
            }
        }
        Ok(parts)
    }
}

fn matcher_names(parts: &[Matcher]) -> Vec<Symbol> {
    let mut names = Vec::new();
    for part in parts {
        match part {
            Matcher::Token(_) => {}
            Matcher::Group(_, inner) => names.extend(matcher_names(inner)),
            Matcher::Fragment(name, _) => names.push(*name),
            Matcher::Repeat { names: inner, .. } => names.extend(inner),
        }
    }
    names
}

fn output_names(parts: &[Output]) -> Vec<Symbol> {
    let mut names = Vec::new();
    for part in parts {
        match part {
            Output::Token(_) | Output::Crate | Output::Local(_) => {}
            Output::Group(_, inner) => names.extend(output_names(inner)),
            Output::Name(name) => names.push(*name),
            Output::Repeat { names: inner, .. } => names.extend(inner),
        }
    }
    names
}
