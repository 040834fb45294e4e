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
    let run = Run { def, input: Tokens { text, tokens } };
    let end = run.sequence(parts, 0, tokens.len(), &mut bindings)?;
    (end == tokens.len()).then_some(bindings)
}

struct Run<'a> {
    def: &'a str,
    input: Tokens<'a>,
}

impl Run<'_> {
    fn token(&self, wanted: Token, at: usize, end: usize) -> Option<usize> {
        let (found, wanted) = (self.input.word(at, end), wanted.text(self.def));
        (found == wanted || (wanted.len() <= found.len() && unmarked(found) == unmarked(wanted)))
            .then_some(at + 1)
    }

    fn sequence(&self, parts: &[Matcher], mut at: usize, end: usize, out: &mut Bindings) -> Option<usize> {
        for part in parts {
            at = match part {
                Matcher::Token(wanted) => self.token(*wanted, at, end)?,
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
                    let (rounds, next) = self.repeat(parts, *separator, *op, at, end);
                    if *op == RepeatOp::Some && rounds.is_empty() {
                        return None;
                    }
                    for name in names {
                        let each = rounds.iter().filter_map(|round| round.get(name).cloned()).collect();
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
        let mut rounds = Vec::new();
        while at < end || rounds.is_empty() {
            let start = match separator {
                Some(wanted) if !rounds.is_empty() => match self.token(wanted, at, end) {
                    Some(next) => next,
                    None => break,
                },
                _ => at,
            };
            let mut round = Bindings::new();
            match self.sequence(parts, start, end, &mut round) {
                Some(next) if next > at => {
                    rounds.push(round);
                    at = next;
                }
                _ => break,
            }
            if op == RepeatOp::Optional {
                break;
            }
        }
        (rounds, at)
    }
}
