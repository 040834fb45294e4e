//! The builtin macros of the language, as calls of the prelude.

use overdub_context::{Span, Symbol};

use super::BodyCx;
use super::macros::macro_place;
use crate::error::Cause;
use crate::hir::*;
use crate::resolve::types::Resolved;
use crate::source::SourceRange;
use crate::source::hygiene::unmarked;

impl BodyCx<'_> {
    fn text_format(&mut self, text: &str, span: Span) -> ExprId {
        let pieces = vec![FormatPiece::Text(Symbol::new(text))];
        self.alloc(ExprKind::Format(FormatArgs { pieces, args: Vec::new() }), span)
    }

    fn string(&mut self, text: &str, span: Span) -> ExprId {
        self.alloc(ExprKind::Lit(Lit::Str(Symbol::new(text))), span)
    }

    fn panic_call(
        &mut self,
        lang: &str,
        default_message: &str,
        args: &[syn::Expr],
        span: Span,
    ) -> Resolved<ExprId> {
        if args.is_empty() {
            let message = self.text_format(default_message, span);
            return self.lang_call("panic_fmt", vec![message], span);
        }
        let message = match lang {
            "panic_fmt" | "unreachable_fmt" => self.panic_message(args, span)?,
            _ => self.format(args, "", span)?,
        };
        self.lang_call(lang, vec![message], span)
    }

    /// The message of a panic. Before edition 2021, a literal alone is the text itself, and no format string.
    fn panic_message(&mut self, args: &[syn::Expr], span: Span) -> Resolved<ExprId> {
        let krate = self.program().node(self.cx.scope).krate;
        if let [message] = args
            && self.program().krate(krate).edition < 2021
            && let Some(text) = self.const_text(message)?
        {
            return Ok(self.text_format(&text, span));
        }
        self.format(args, "", span)
    }

    pub(super) fn builtin_expr(&mut self, name: &str, mac: &syn::Macro) -> Resolved<ExprId> {
        let place = macro_place(&self.cx.origin, mac);
        let range = SourceRange { hi: self.cx.origin.place(mac.delimiter.span().close()).hi, ..place };
        let span = self.program().sources.span(range);
        match name {
            "panic" => {
                let args = self.macro_args(mac)?;
                self.panic_call("panic_fmt", "explicit panic", &args, span)
            }
            "unreachable" => {
                let args = self.macro_args(mac)?;
                self.panic_call("unreachable_fmt", "internal error: entered unreachable code", &args, span)
            }
            "todo" => {
                let args = self.macro_args(mac)?;
                self.panic_call("todo_fmt", "not yet implemented", &args, span)
            }
            "unimplemented" => {
                let args = self.macro_args(mac)?;
                self.panic_call("unimplemented_fmt", "not implemented", &args, span)
            }
            "assert" | "debug_assert" => self.assert(mac, span),
            "assert_eq" | "debug_assert_eq" => self.assert_pair(mac, true, span),
            "assert_ne" | "debug_assert_ne" => self.assert_pair(mac, false, span),
            "print" | "println" | "eprint" | "eprintln" => {
                let args = self.macro_args(mac)?;
                let text = self.format(&args, if name.ends_with("ln") { "\n" } else { "" }, span)?;
                let lang = if name.starts_with('e') { "eprint_fmt" } else { "print_fmt" };
                let print = self.lang_call(lang, vec![text], span)?;
                Ok(self.unit_block(print, span))
            }
            "format" => {
                let args = self.macro_args(mac)?;
                let text = self.format(&args, "", span)?;
                let text = self.lang_call("format_fmt", vec![text], span)?;
                self.statement_value(text, span)
            }
            "format_args" => {
                let args = self.macro_args(mac)?;
                self.format(&args, "", span)
            }
            "write" | "writeln" => self.write(mac, name == "writeln", span),
            "vec" => self.vec(mac, span),
            "matches" => self.matches(mac, span),
            "dbg" => self.dbg(mac, span),
            "cfg" => {
                let text = unmarked(&mac.tokens.to_string());
                let cfg = self.program().cfg(self.program().node(self.cx.scope).krate);
                Ok(self.alloc(ExprKind::Lit(Lit::Bool(cfg.holds(&text, 0, text.len()))), span))
            }
            "is_x86_feature_detected" => Ok(self.alloc(ExprKind::Lit(Lit::Bool(false)), span)),
            "line" => Ok(self.alloc(ExprKind::Lit(Lit::Int(u128::from(span.line), Some(Prim::U32))), span)),
            "column" => {
                Ok(self.alloc(ExprKind::Lit(Lit::Int(u128::from(span.column), Some(Prim::U32))), span))
            }
            "addr_of" | "addr_of_mut" => {
                let place = self.macro_args(mac)?;
                let Some(place) = place.first() else {
                    return self.cx.fault(span, Cause::Syntax("expected a place".to_owned()));
                };
                let place = self.expr(place)?;
                Ok(self.alloc(ExprKind::AddrOf { mutable: name == "addr_of_mut", raw: true, place }, span))
            }
            "try" => {
                let args = self.macro_args(mac)?;
                let Some(value) = args.first() else {
                    return self.cx.fault(span, Cause::Syntax("expected a value".to_owned()));
                };
                let value = self.expr(value)?;
                Ok(self.alloc(ExprKind::Try(value), span))
            }
            "option_env" => self.lang_call("no_variable", Vec::new(), span),
            "file" | "module_path" | "stringify" | "concat" | "env" => match self.macro_text(mac)? {
                Some(text) => Ok(self.string(&text, span)),
                None => self.cx.fault(span, Cause::Unsupported(format!("`{name}!` of what is no literal"))),
            },
            "compile_error" => {
                let text = mac.tokens.to_string();
                self.cx.fault(span, Cause::Unsupported(text.trim_matches('"').to_owned()))
            }
            "include" => self.include(mac, span),
            "include_str" | "include_bytes" => self.include_text(mac, name == "include_bytes", span),
            _ => Ok(self.unsupported("this macro has no meaning here", span)),
        }
    }

    fn assert(&mut self, mac: &syn::Macro, span: Span) -> Resolved<ExprId> {
        let args = self.macro_args(mac)?;
        let Some((cond, message)) = args.split_first() else {
            return self.cx.fault(span, Cause::Syntax("expected a condition".to_owned()));
        };
        let message = if message.is_empty() {
            let text = self.tokens_text(mac);
            self.text_format(&format!("assertion failed: {}", text.trim_end_matches(',')), span)
        } else {
            self.panic_message(message, span)?
        };
        let fail = self.lang_call("panic_fmt", vec![message], span)?;
        let cond = self.expr(cond)?;
        let not = self.alloc(ExprKind::Unary(UnOp::Not, cond), span);
        let then = self.unit_block(fail, span);
        Ok(self.alloc(ExprKind::If(not, then, None), span))
    }

    fn unit_block(&mut self, value: ExprId, span: Span) -> ExprId {
        self.alloc(ExprKind::Block(Block { stmts: vec![Stmt::Expr(value)], ..Block::default() }), span)
    }

    /// `{ let value = …; value }`, which drops the temporaries of the value where it ends.
    fn statement_value(&mut self, value: ExprId, span: Span) -> Resolved<ExprId> {
        self.block_expr(span, |body, out| {
            let local = body.let_fresh("text", false, value, span, out);
            out.tail = Some(body.local_expr(local, span));
            Ok(())
        })
    }

    /// `match (&a, &b) { (left, right) => if !(*left == *right) { assert_eq_failed(left, right, message) } }`
    fn assert_pair(&mut self, mac: &syn::Macro, equal: bool, span: Span) -> Resolved<ExprId> {
        let args = self.macro_args(mac)?;
        let [left, right, message @ ..] = &args[..] else {
            return self.cx.fault(span, Cause::Syntax("expected two values".to_owned()));
        };
        let borrow = |body: &mut Self, expr: &syn::Expr| -> Resolved<ExprId> {
            let place = body.expr(expr)?;
            let span = body.span_of(place);
            Ok(body.alloc(ExprKind::AddrOf { mutable: false, raw: false, place }, span))
        };
        let (left, right) = (borrow(self, left)?, borrow(self, right)?);
        self.block_expr(span, |body, out| {
            let left = body.let_fresh("left", false, left, span, out);
            let right = body.let_fresh("right", false, right, span, out);
            let read = |body: &mut Self, local| {
                let reference = body.local_expr(local, span);
                body.alloc(ExprKind::Unary(UnOp::Deref, reference), span)
            };
            let (a, b) = (read(body, left), read(body, right));
            let same = body.alloc(ExprKind::Binary(BinOp::Eq, a, b), span);
            let fails = if equal { body.alloc(ExprKind::Unary(UnOp::Not, same), span) } else { same };
            let message = if message.is_empty() {
                let none = body.lang_variant("option", "None", span)?;
                body.alloc(ExprKind::Path(ValuePath::Def(none, Vec::new())), span)
            } else {
                let some = body.lang_variant("option", "Some", span)?;
                let ctor = body.alloc(ExprKind::Path(ValuePath::Def(some, Vec::new())), span);
                let text = body.format(message, "", span)?;
                body.alloc(ExprKind::Call(ctor, vec![text]), span)
            };
            let (a, b) = (body.local_expr(left, span), body.local_expr(right, span));
            let lang = if equal { "assert_eq_failed" } else { "assert_ne_failed" };
            let fail = body.lang_call(lang, vec![a, b, message], span)?;
            let then = body.unit_block(fail, span);
            let check = body.alloc(ExprKind::If(fails, then, None), span);
            out.tail = Some(check);
            Ok(())
        })
    }

    fn write(&mut self, mac: &syn::Macro, line: bool, span: Span) -> Resolved<ExprId> {
        let args = self.macro_args(mac)?;
        let Some((target, args)) = args.split_first() else {
            return self.cx.fault(span, Cause::Syntax("expected where to write".to_owned()));
        };
        let receiver = self.expr(target)?;
        let text = self.format(args, if line { "\n" } else { "" }, span)?;
        let (name, traits) = (Symbol::new("write_fmt"), self.traits());
        let kind = ExprKind::MethodCall {
            receiver,
            name,
            name_span: span,
            generic_args: Vec::new(),
            args: vec![text],
            traits,
        };
        Ok(self.alloc(kind, span))
    }

    fn vec(&mut self, mac: &syn::Macro, span: Span) -> Resolved<ExprId> {
        let repeat = |input: syn::parse::ParseStream<'_>| -> syn::Result<(syn::Expr, syn::Expr)> {
            let value = input.parse()?;
            input.parse::<syn::Token![;]>()?;
            Ok((value, input.parse()?))
        };
        let top = mac.tokens.clone().into_iter();
        let repeats =
            top.into_iter().any(|t| matches!(&t, proc_macro2::TokenTree::Punct(p) if p.as_char() == ';'));
        if repeats {
            let (value, count) = self.parse_tokens(repeat, mac)?;
            let args = vec![self.expr(&value)?, self.expr(&count)?];
            return self.lang_call("vec_repeat", args, span);
        }
        let args = self.macro_args(mac)?;
        let parts = self.exprs(&args)?;
        let array = self.alloc(ExprKind::Array(parts), span);
        self.lang_call("vec_from_array", vec![array], span)
    }

    fn matches(&mut self, mac: &syn::Macro, span: Span) -> Resolved<ExprId> {
        let parser =
            |input: syn::parse::ParseStream<'_>| -> syn::Result<(syn::Expr, syn::Pat, Option<syn::Expr>)> {
                let value = input.parse()?;
                input.parse::<syn::Token![,]>()?;
                let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
                let guard = if input.parse::<Option<syn::Token![if]>>()?.is_some() {
                    Some(input.parse()?)
                } else {
                    None
                };
                input.parse::<Option<syn::Token![,]>>()?;
                Ok((value, pat, guard))
            };
        let (value, pat, guard) = self.parse_tokens(parser, mac)?;
        let value = self.expr(&value)?;
        let truth = |body: &mut Self, b| body.alloc(ExprKind::Lit(Lit::Bool(b)), span);
        let first = self.scoped(|body| {
            let pat = body.pattern(&pat)?;
            let guard = guard.as_ref().map(|g| body.expr(g)).transpose()?;
            Ok(Arm { pat, guard, body: truth(body, true) })
        })?;
        let pat = self.alloc_pat(PatKind::Wild, span);
        let second = Arm { pat, guard: None, body: truth(self, false) };
        Ok(self.alloc(ExprKind::Match(value, vec![first, second]), span))
    }

    fn dbg(&mut self, mac: &syn::Macro, span: Span) -> Resolved<ExprId> {
        let args = self.macro_args(mac)?;
        let mut values = Vec::new();
        for arg in &args {
            let value = self.expr(arg)?;
            let at = self.span_of(value);
            let text = unmarked(&quote::ToTokens::to_token_stream(arg).to_string());
            let place = self.string(&format!("[{}:{}:{}] {text}", at.file, span.line, span.column), span);
            values.push(self.lang_call("dbg_value", vec![place, value], span)?);
        }
        match values.len() {
            1 => Ok(values[0]),
            _ => Ok(self.alloc(ExprKind::Tuple(values), span)),
        }
    }
}
