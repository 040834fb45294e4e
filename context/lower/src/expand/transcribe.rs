//! Transcribes the right side of a rule with its names replaced.

use overdub_context::Symbol;

use super::fragment::Fragment;
use super::matching::{Binding, Bindings};
use super::rules::{Output, RepeatOp};
use super::{CRATE, Hygiene, crate_ident};
use crate::source::hygiene::MARK;
use crate::source::lexer::{Tok, Token};
use crate::source::{Origin, SourceFile, SourceId, SourceRange};

/// The maximum length of the text of one expansion.
const TEXT_LIMIT: usize = 64 << 20;

/// Opens a fragment that must remain one operand.
pub(crate) const WRAP: &str = "(/*e*/";

/// The state of writing one expansion.
pub(super) struct Scribe<'a> {
    def: &'a SourceFile,
    input: &'a SourceFile,
    tokens: &'a [Token],
    input_id: SourceId,
    call: SourceRange,
    mark: Option<String>,
    krate: String,
    out: String,
    origins: Vec<Origin>,
    blamed: bool,
}

/// The bindings in scope, those of the innermost repetition last.
type BindingScope<'b> = Vec<(Symbol, &'b Binding)>;

fn bound<'b>(scope: &[(Symbol, &'b Binding)], name: Symbol) -> Option<&'b Binding> {
    scope.iter().rev().find(|(known, _)| *known == name).map(|(_, binding)| *binding)
}

impl<'a> Scribe<'a> {
    pub(super) fn new(
        def: &'a SourceFile,
        input: &'a SourceFile,
        tokens: &'a [Token],
        input_id: SourceId,
        call: SourceRange,
        hygiene: Hygiene,
        krate: u32,
    ) -> Scribe<'a> {
        let mark = match hygiene {
            Hygiene::Items => None,
            Hygiene::Marked(n) => Some(format!("{MARK}{n}")),
        };
        let krate = crate_ident(krate);
        let (out, origins) = (String::new(), Vec::new());
        Scribe { def, input, tokens, input_id, call, mark, krate, out, origins, blamed: false }
    }

    /// Writes the entire right side.
    pub(super) fn write(
        mut self,
        output: &[Output],
        bindings: &Bindings,
    ) -> Result<(String, Vec<Origin>), String> {
        let mut scope: BindingScope<'_> = bindings.iter().map(|(name, binding)| (*name, binding)).collect();
        self.parts(output, &mut scope)?;
        Ok((self.out, self.origins))
    }

    fn parts(&mut self, parts: &[Output], scope: &mut BindingScope<'_>) -> Result<(), String> {
        for (i, part) in parts.iter().enumerate() {
            match part {
                Output::Token(token) => self.token(*token),
                Output::Group(open, inner) => {
                    let bracket = open.text(&self.def.text);
                    self.macro_text(bracket);
                    self.parts(inner, scope)?;
                    self.macro_text(match bracket {
                        "(" => ")",
                        "[" => "]",
                        _ => "}",
                    });
                }
                Output::Crate => {
                    let krate = self.krate.clone();
                    self.macro_text(&krate);
                }
                Output::Local(name) => {
                    let krate = self.krate.clone();
                    self.macro_text(&krate);
                    self.macro_text("::");
                    self.token(*name);
                }
                Output::Name(name) => match bound(scope, *name) {
                    Some(Binding::Piece { kind, lo, hi }) => {
                        let next = match parts.get(i + 1) {
                            Some(Output::Token(token)) => token.text(&self.def.text),
                            _ => "",
                        };
                        let is_statement = *kind == Fragment::Expr
                            && self.is_block(*lo, *hi)
                            && self.at_statement()
                            && self.begins_with_name(parts.get(i + 1), scope);
                        self.piece(*kind, *lo, *hi, next);
                        if is_statement {
                            self.out.push(';');
                        }
                    }
                    Some(Binding::Many(_)) => {
                        return Err(format!("`${name}` repeats here without `$(…)`"));
                    }
                    None => self.macro_text(&format!("${name}")),
                },
                Output::Repeat { parts, names, separator, op } => {
                    self.repeat(parts, names, *separator, *op, scope)?;
                }
            }
            if self.out.len() > TEXT_LIMIT {
                return Err("the expansion grows without end".to_owned());
            }
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        parts: &[Output],
        names: &[Symbol],
        separator: Option<Token>,
        op: RepeatOp,
        scope: &mut BindingScope<'_>,
    ) -> Result<(), String> {
        let counts = names.iter().filter_map(|name| match bound(scope, *name) {
            Some(Binding::Many(iterations)) => Some(iterations.len()),
            _ => None,
        });
        let counts: Vec<usize> = counts.collect();
        let Some(count) = counts.iter().copied().max() else {
            // A repetition in a macro that this macro defines.
            self.macro_text("$(");
            self.parts(parts, scope)?;
            self.macro_text(")");
            if let Some(separator) = separator {
                self.token(separator);
            }
            self.macro_text(op.text());
            return Ok(());
        };
        if counts.iter().any(|c| *c != count) {
            return Err("names in one `$(…)` repeat a different number of times".to_owned());
        }
        for iteration in 0..count {
            if let Some(separator) = separator.filter(|_| iteration > 0) {
                self.token(separator);
            }
            let outer = scope.len();
            for name in names {
                if let Some(Binding::Many(iterations)) = bound(&scope[..outer], *name) {
                    scope.push((*name, &iterations[iteration]));
                }
            }
            self.parts(parts, scope)?;
            scope.truncate(outer);
        }
        Ok(())
    }

    fn token(&mut self, token: Token) {
        let def = self.def;
        let text = token.text(&def.text);
        self.macro_text(text);
        if let Some(mark) = &self.mark
            && token.kind == Tok::Ident
            && !is_keyword(text)
            && !text.starts_with(CRATE)
        {
            self.out.push_str(mark);
        }
    }

    /// Whether an expression of the arguments is one that needs no semicolon as a statement.
    fn is_block(&self, lo: usize, hi: usize) -> bool {
        const BLOCKS: [&str; 7] = ["{", "if", "match", "loop", "while", "for", "unsafe"];
        let text = |at: usize| self.tokens[at].text(&self.input.text);
        lo < hi && BLOCKS.contains(&text(lo)) && text(hi - 1) == "}"
    }

    fn at_statement(&self) -> bool {
        self.out.trim_end().ends_with(['{', '}', ';'])
    }

    /// Whether what follows is a name, so that an expression before it has ended.
    fn begins_with_name(&self, next: Option<&Output>, scope: &BindingScope<'_>) -> bool {
        let (token, text) = match next {
            Some(Output::Token(token)) => (*token, token.text(&self.def.text)),
            Some(Output::Name(name)) => match bound(scope, *name) {
                Some(Binding::Piece { lo, hi, .. }) if lo < hi => {
                    (self.tokens[*lo], self.tokens[*lo].text(&self.input.text))
                }
                _ => return false,
            },
            _ => return false,
        };
        token.kind == Tok::Ident && text != "as"
    }

    /// Writes text of the macro itself.
    fn macro_text(&mut self, text: &str) {
        self.out.push(' ');
        if !self.blamed {
            self.origins.push(Origin { at: self.out.len() as u32, place: self.call, copied: false });
            self.blamed = true;
        }
        self.out.push_str(text);
    }

    /// Writes a fragment of the arguments.
    fn piece(&mut self, kind: Fragment, lo: usize, hi: usize, next: &str) {
        if lo >= hi {
            return;
        }
        let (first, last) = (self.tokens[lo], self.tokens[hi - 1]);
        let input = self.input;
        let text = &input.text[first.lo as usize..last.hi as usize];
        let one = hi == lo + 1
            || (first.close as usize == hi - 1 && first.kind == Tok::Open && !text.starts_with('{'));
        let before_path = next == "::";
        let (open, close) = match kind {
            Fragment::Expr if !one => (WRAP, ")"),
            Fragment::Ty if before_path && !one && text.contains(['<', '[', '(', '&']) => ("<", ">"),
            // `1 as $t << 2` is a shift.
            Fragment::Ty if matches!(next, "<" | "<<") => ("(", ")"),
            Fragment::Ty if before_path && text.starts_with(['[', '(']) => ("<", ">"),
            Fragment::Ty if text.contains('+') && !one => ("(", ")"),
            _ => ("", ""),
        };
        self.out.push(' ');
        self.out.push_str(open);
        let place = SourceRange { source: self.input_id, lo: first.lo, hi: last.hi };
        self.origins.push(Origin { at: self.out.len() as u32, place, copied: true });
        self.blamed = false;
        self.out.push_str(text);
        self.out.push_str(close);
    }
}

const KEYWORDS: [&str; 46] = [
    "as",
    "async",
    "auto",
    "await",
    "break",
    "const",
    "continue",
    "crate",
    "default",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "fn",
    "for",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro_rules",
    "match",
    "mod",
    "move",
    "mut",
    "pub",
    "raw",
    "ref",
    "return",
    "safe",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "type",
    "union",
    "unsafe",
    "use",
    "where",
    "while",
    "yield",
    "_",
];

pub(super) fn is_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text)
}
