//! Format strings.

use std::iter::Peekable;
use std::str::Chars;

use overdub_context::{Span, Symbol};

use super::BodyCx;
use crate::error::Cause;
use crate::hir::*;
use crate::resolve::node::Space;
use crate::resolve::types::Resolved;

/// How a format string refers to an argument.
enum ArgRef {
    Next,
    At(usize),
    Named(String),
}

/// The arguments of one call.
struct Args {
    args: Vec<ExprId>,
    positional: usize,
    names: Vec<(Symbol, usize)>,
    next: usize,
}

impl BodyCx<'_> {
    /// `format_args!(…)` with `end` appended to its text.
    pub(super) fn format(&mut self, args: &[syn::Expr], end: &str, span: Span) -> Resolved<ExprId> {
        let Some((first, rest)) = args.split_first() else {
            let pieces = if end.is_empty() { Vec::new() } else { vec![FormatPiece::Text(Symbol::new(end))] };
            return Ok(self.alloc(ExprKind::Format(FormatArgs { pieces, args: Vec::new() }), span));
        };
        let Some(text) = self.const_text(first)? else {
            // `panic!(message)` of editions before 2021.
            let value = self.expr(first)?;
            let mut pieces = vec![FormatPiece::Arg { index: 0, spec: default_spec() }];
            if !end.is_empty() {
                pieces.push(FormatPiece::Text(Symbol::new(end)));
            }
            return Ok(self.alloc(ExprKind::Format(FormatArgs { pieces, args: vec![value] }), span));
        };
        let mut call_args = Args { args: Vec::new(), positional: 0, names: Vec::new(), next: 0 };
        for arg in rest {
            let value = match Self::named_arg(arg) {
                Some((name, value)) => {
                    call_args.names.push((name, call_args.args.len()));
                    self.expr(value)?
                }
                None => {
                    call_args.positional += 1;
                    self.expr(arg)?
                }
            };
            call_args.args.push(value);
        }
        let pieces = self.pieces(&text, end, &mut call_args, span)?;
        Ok(self.alloc(ExprKind::Format(FormatArgs { pieces, args: call_args.args }), span))
    }

    fn pieces(&mut self, text: &str, end: &str, args: &mut Args, span: Span) -> Resolved<Vec<FormatPiece>> {
        let mut pieces = Vec::new();
        let mut literal_text = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '{' if chars.next_if_eq(&'{').is_some() => literal_text.push('{'),
                '}' if chars.next_if_eq(&'}').is_some() => literal_text.push('}'),
                '{' => {
                    if !literal_text.is_empty() {
                        pieces.push(FormatPiece::Text(Symbol::new(&std::mem::take(&mut literal_text))));
                    }
                    pieces.push(self.place(&mut chars, args, span)?);
                }
                '}' => {
                    return self.cx.fault(span, Cause::Syntax("unmatched `}` in a format string".to_owned()));
                }
                c => literal_text.push(c),
            }
        }
        literal_text.push_str(end);
        if !literal_text.is_empty() {
            pieces.push(FormatPiece::Text(Symbol::new(&literal_text)));
        }
        Ok(pieces)
    }

    fn place(
        &mut self,
        chars: &mut Peekable<Chars<'_>>,
        args: &mut Args,
        span: Span,
    ) -> Resolved<FormatPiece> {
        skip_blanks(chars);
        let arg_ref = parse_arg_ref(chars);
        skip_blanks(chars);
        let mut spec = default_spec();
        let mut precision_first = None;
        if chars.next_if_eq(&':').is_some() {
            let mut lookahead = chars.clone();
            let (first, second) = (lookahead.next(), lookahead.next());
            if let (Some(fill), Some(align @ ('<' | '^' | '>'))) = (first, second) {
                (spec.fill, spec.align) = (fill, Some(align));
                chars.nth(1);
            } else if let Some(align @ ('<' | '^' | '>')) = first {
                spec.align = Some(align);
                chars.next();
            }
            spec.plus = chars.next_if_eq(&'+').is_some();
            spec.minus = chars.next_if_eq(&'-').is_some();
            spec.alternate = chars.next_if_eq(&'#').is_some();
            let mut lookahead = chars.clone();
            if lookahead.next() == Some('0') && lookahead.next() != Some('$') {
                spec.zero = true;
                chars.next();
            }
            spec.width = self.count(chars, args, span)?;
            if chars.next_if_eq(&'.').is_some() {
                if chars.next_if_eq(&'*').is_some() {
                    precision_first = Some(args.next);
                    args.next += 1;
                } else {
                    spec.precision = self.count(chars, args, span)?;
                }
            }
            let mut style = String::new();
            while let Some(c) = chars.next_if(|c| !matches!(c, '}' | ' ')) {
                style.push(c);
            }
            spec.style = match &*style {
                "" => spec.style,
                "?" => Symbol::new("Debug"),
                "x?" | "X?" => {
                    spec.hex = style.chars().next();
                    Symbol::new("Debug")
                }
                "#?" => {
                    spec.alternate = true;
                    Symbol::new("Debug")
                }
                "e" => Symbol::new("LowerExp"),
                "E" => Symbol::new("UpperExp"),
                "x" => Symbol::new("LowerHex"),
                "X" => Symbol::new("UpperHex"),
                "b" => Symbol::new("Binary"),
                "o" => Symbol::new("Octal"),
                "p" => Symbol::new("Pointer"),
                _ => return self.cx.fault(span, Cause::Syntax(format!("unknown format `{style}`"))),
            };
        }
        skip_blanks(chars);
        if chars.next() != Some('}') {
            return self.cx.fault(span, Cause::Syntax("expected `}` in a format string".to_owned()));
        }
        if let Some(first) = precision_first {
            if first >= args.args.len() {
                return self.missing(first, span);
            }
            spec.precision = Some(FormatCount::Arg(first));
        }
        let index = self.arg(arg_ref, args, span)?;
        Ok(FormatPiece::Arg { index, spec })
    }

    fn count(
        &mut self,
        chars: &mut Peekable<Chars<'_>>,
        args: &mut Args,
        span: Span,
    ) -> Resolved<Option<FormatCount>> {
        let mut lookahead = chars.clone();
        let mut digits = String::new();
        while let Some(c) = lookahead.next_if(char::is_ascii_digit) {
            digits.push(c);
        }
        let count = match digits.parse::<usize>() {
            Ok(n) if lookahead.next_if_eq(&'$').is_some() => {
                FormatCount::Arg(self.arg(ArgRef::At(n), args, span)?)
            }
            Ok(n) => FormatCount::Value(n),
            Err(_) => match parse_arg_ref(&mut lookahead) {
                ArgRef::Named(name) if lookahead.next_if_eq(&'$').is_some() => {
                    FormatCount::Arg(self.arg(ArgRef::Named(name), args, span)?)
                }
                _ => return Ok(None),
            },
        };
        *chars = lookahead;
        Ok(Some(count))
    }

    fn missing<T>(&self, index: usize, span: Span) -> Resolved<T> {
        self.cx.fault(
            span,
            Cause::Syntax(format!("the format string wants an argument {index} that is not there")),
        )
    }

    fn arg(&mut self, arg_ref: ArgRef, args: &mut Args, span: Span) -> Resolved<usize> {
        let index = match arg_ref {
            ArgRef::Next => {
                args.next += 1;
                args.next - 1
            }
            ArgRef::At(index) => index,
            ArgRef::Named(name) => return self.named(&name, args, span),
        };
        if index >= args.args.len() {
            return self.missing(index, span);
        }
        Ok(index)
    }

    fn named(&mut self, name: &str, args: &mut Args, span: Span) -> Resolved<usize> {
        let symbol = Symbol::new(name);
        if let Some((_, index)) = args.names.iter().find(|(known, _)| *known == symbol) {
            return Ok(*index);
        }
        let path = match self.find_local_bare(name) {
            Some(local) => ValuePath::Local(local),
            None => {
                let param = self.cx.params.iter().rev().find(|p| p.0 == symbol && p.2);
                match (param, self.cx.lookup(&[symbol], Space::Values)) {
                    (Some((_, param, _)), _) => ValuePath::ConstParam(*param),
                    (None, Some(crate::resolve::names::Meaning::Item(def))) => {
                        ValuePath::Def(def, Vec::new())
                    }
                    _ => {
                        return self.cx.fault(span, Cause::NotFound { what: "value", path: name.to_owned() });
                    }
                }
            }
        };
        let value = self.alloc(ExprKind::Path(path), span);
        args.args.push(value);
        args.names.push((symbol, args.args.len() - 1));
        Ok(args.args.len() - 1)
    }
}

fn default_spec() -> FormatSpec {
    FormatSpec {
        style: Symbol::new("Display"),
        alternate: false,
        plus: false,
        minus: false,
        zero: false,
        fill: ' ',
        align: None,
        hex: None,
        width: None,
        precision: None,
    }
}

fn skip_blanks(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|c| c.is_whitespace()).is_some() {}
}

fn parse_arg_ref(chars: &mut Peekable<Chars<'_>>) -> ArgRef {
    let mut text = String::new();
    while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
        text.push(c);
    }
    if text.is_empty() {
        return ArgRef::Next;
    }
    match text.parse() {
        Ok(index) => ArgRef::At(index),
        Err(_) => ArgRef::Named(text),
    }
}
