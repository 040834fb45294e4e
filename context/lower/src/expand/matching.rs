//! Matches a macro's arguments against the left side of a rule.
//!
//! - MATCHER1 repetitions are greedy and give back only a separator, which suffices because valid macros are
//!   not ambiguous.

use hashbrown::HashMap;
use overdub_context::Symbol;

use super::fragment::{Fragment, Tokens};
use super::rules::{Matcher, RepeatOp};
use crate::source::hygiene::unmarked;
use crate::source::lexer::{Tok, Token};

/// The binding of a name in a rule.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// Tokens `lo..hi` of the arguments.
    Piece { kind: Fragment, lo: usize, hi: usize },
    /// One per iteration of a repetition.
    Many(Vec<Binding>),
}

pub(super) type Bindings = HashMap<Symbol, Binding>;

/// Whether `tokens` match entirely, and the resulting bindings.
pub(super) fn matches(parts: &[Matcher], def: &str, text: &str, tokens: &[Token]) -> Option<Bindings> {
    let mut bindings = Bindings::new();
    let run = MacroMatcher { def, input: Tokens { text, tokens } };
    let end = run.sequence(parts, 0, tokens.len(), &mut bindings)?;
    (end == tokens.len()).then_some(bindings)
}

struct MacroMatcher<'a> {
    def: &'a str,
    input: Tokens<'a>,
}

impl MacroMatcher<'_> {
    fn token(&self, expected: Token, at: usize, end: usize) -> Option<usize> {
        let (found, expected) = (self.input.word(at, end), expected.text(self.def));
        (found == expected || (expected.len() <= found.len() && unmarked(found) == unmarked(expected)))
            .then_some(at + 1)
    }

    fn sequence(&self, parts: &[Matcher], mut at: usize, end: usize, out: &mut Bindings) -> Option<usize> {
        for part in parts {
            at = match part {
                Matcher::Token(expected) => self.token(*expected, at, end)?,
                Matcher::Group(open, inner) => {
                    let token = self.input.tokens[..end].get(at).filter(|t| t.kind == Tok::Open)?;
                    let close = token.close as usize;
                    if self.input.text.as_bytes()[token.lo as usize] != *open || close >= end {
                        return None;
                    }
                    if self.sequence(inner, at + 1, close, out)? != close {
                        return None;
                    }
                    close + 1
                }
                Matcher::Fragment(name, kind) => {
                    let hi = self.input.extent(*kind, at, end)?;
                    out.insert(*name, Binding::Piece { kind: *kind, lo: at, hi });
                    hi
                }
                Matcher::Repeat { parts, names, separator, op } => {
                    let (iterations, next) = self.repeat(parts, *separator, *op, at, end);
                    if *op == RepeatOp::Some && iterations.is_empty() {
                        return None;
                    }
                    for name in names {
                        let each =
                            iterations.iter().filter_map(|iteration| iteration.get(name).cloned()).collect();
                        out.insert(*name, Binding::Many(each));
                    }
                    next
                }
            };
        }
        Some(at)
    }

    fn repeat(
        &self,
        parts: &[Matcher],
        separator: Option<Token>,
        op: RepeatOp,
        mut at: usize,
        end: usize,
    ) -> (Vec<Bindings>, usize) {
        let mut iterations = Vec::new();
        while at < end || iterations.is_empty() {
            let start = match separator {
                Some(token) if !iterations.is_empty() => match self.token(token, at, end) {
                    Some(next) => next,
                    None => break,
                },
                _ => at,
            };
            let mut iteration = Bindings::new();
            match self.sequence(parts, start, end, &mut iteration) {
                Some(next) if next > at => {
                    iterations.push(iteration);
                    at = next;
                }
                _ => break,
            }
            if op == RepeatOp::Optional {
                break;
            }
        }
        (iterations, at)
    }
}
