//! Macro calls in bodies: those of the program expand, those of the language become calls of the prelude.

use overdub_context::{Span, Symbol};
use syn::parse::Parser;
use syn::punctuated::Punctuated;

use super::BodyCx;
use crate::error::{Cause, ResolveError};
use crate::expand::{Hygiene, RECURSION_LIMIT, bare, unmarked};
use crate::hir::*;
use crate::program::Program;
use crate::resolve::node::MacroScope;
use crate::resolve::parse::{Origin, name_of};
use crate::resolve::types::Resolved;
use crate::source::{Place, SourceId};

const BUILTIN: [&str; 37] = [
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "unreachable",
    "todo",
    "unimplemented",
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "write",
    "writeln",
    "vec",
    "matches",
    "dbg",
    "cfg",
    "env",
    "option_env",
    "file",
    "line",
    "column",
    "module_path",
    "stringify",
    "concat",
    "compile_error",
    "include",
    "include_str",
    "include_bytes",
    "is_x86_feature_detected",
    "addr_of",
    "addr_of_mut",
];

/// Whether a macro belongs to the language.
pub(crate) fn is_builtin_macro(name: &str) -> bool {
    BUILTIN.contains(&name)
}

/// From a macro's path to its `!`.
pub(crate) fn macro_place(origin: &Origin, mac: &syn::Macro) -> Place {
    let first = crate::resolve::types::path_span(&mac.path);
    Place { hi: origin.place(mac.bang_token.span).hi, ..origin.place(first) }
}

fn inside(origin: &Origin, mac: &syn::Macro) -> Place {
    let span = mac.delimiter.span();
    let (open, close) = (origin.place(span.open()), origin.place(span.close()));
    Place { source: origin.source, lo: open.hi, hi: close.lo.max(open.hi) }
}

impl Program {
    /// Expands a macro of the program that a body or a type calls.
    pub(crate) fn expand_in_body(
        &self,
        mac: &syn::Macro,
        origin: &Origin,
        scope: DefId,
        macros: &MacroScope,
        depth: usize,
    ) -> Resolved<SourceId> {
        let call = macro_place(origin, mac);
        let fault = |cause| ResolveError::new(self.sources.span(call), cause);
        let path: Vec<Symbol> = mac.path.segments.iter().map(|s| name_of(&s.ident)).collect();
        let name = path.last().copied().unwrap_or_else(|| Symbol::new(""));
        let Some(def) = self.find_macro(macros, scope, &path) else {
            return Err(fault(Cause::NotFound { what: "macro", path: format!("{name}!") }));
        };
        if depth >= RECURSION_LIMIT {
            return Err(fault(Cause::Macro { name, reason: "recursion goes too deep".to_owned() }));
        }
        let node = self.node(def);
        let Some(rules) = &node.macro_def else {
            return Err(fault(Cause::NotFound { what: "macro", path: format!("{name}!") }));
        };
        let hygiene = Hygiene::Marked(self.next_expansion());
        let expanded = rules.expand(&self.sources, inside(origin, mac), call, hygiene);
        expanded.map_err(|reason| fault(Cause::Macro { name, reason }))
    }
}

impl BodyCx<'_> {
    /// The text that a macro of the program makes here.
    pub(super) fn expand(&mut self, mac: &syn::Macro) -> Resolved<SourceId> {
        self.program().expand_in_body(mac, &self.cx.origin, self.cx.scope, &self.cx.macros, self.depth)
    }

    /// The name of the language's macro that this calls, unless the program has one of that name.
    fn builtin(&self, mac: &syn::Macro) -> Option<Symbol> {
        let path: Vec<Symbol> = mac.path.segments.iter().map(|s| name_of(&s.ident)).collect();
        let name = *path.last()?;
        let own = is_builtin_macro(&name);
        (own && self.program().find_macro(&self.cx.macros, self.cx.scope, &path).is_none()).then_some(name)
    }

    fn expanded(&mut self, mac: &syn::Macro) -> Resolved<(Vec<syn::Stmt>, Origin)> {
        let made = self.expand(mac)?;
        let len = self.program().sources.get(made).text.len() as u32;
        self.program().parse(syn::Block::parse_within, made, 0, len)
    }

    fn within<T>(&mut self, origin: Origin, run: impl FnOnce(&mut Self) -> Resolved<T>) -> Resolved<T> {
        let outer = std::mem::replace(&mut self.cx.origin, origin);
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        self.cx.origin = outer;
        result
    }

    /// A macro call as an expression.
    pub(super) fn macro_expr(&mut self, mac: &syn::Macro) -> Resolved<ExprId> {
        if let Some(name) = self.builtin(mac) {
            return self.builtin_expr(&name, mac);
        }
        let span = self.program().sources.span(macro_place(&self.cx.origin, mac));
        let (stmts, origin) = self.expanded(mac)?;
        self.within(origin, |body| match &stmts[..] {
            [syn::Stmt::Expr(expr, None)] => body.expr(expr),
            [syn::Stmt::Macro(mac)] if mac.semi_token.is_none() => body.macro_expr(&mac.mac),
            _ => body.block_expr(span, |body, out| body.statements(&stmts, out, true)),
        })
    }

    /// A macro call as a statement: what it declares stays in scope.
    pub(super) fn statement_macro(
        &mut self,
        mac: &syn::Macro,
        semi: bool,
        last: bool,
        out: &mut Block,
    ) -> Resolved<()> {
        if self.builtin(mac).is_none() {
            let (stmts, origin) = self.expanded(mac)?;
            return self.within(origin, |body| body.statements(&stmts, out, last && !semi));
        }
        let value = self.macro_expr(mac)?;
        if last && !semi {
            out.tail = Some(value);
        } else {
            out.stmts.push(Stmt::Expr(value));
        }
        Ok(())
    }

    fn macro_args(&mut self, mac: &syn::Macro) -> Resolved<Vec<syn::Expr>> {
        let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let parsed = self.parse_tokens(parser, mac)?;
        Ok(parsed.into_iter().collect())
    }

    fn parse_tokens<P: Parser>(&self, parser: P, mac: &syn::Macro) -> Resolved<P::Output> {
        parser.parse2(mac.tokens.clone()).map_err(|error| {
            let mut place = self.cx.origin.place(error.span());
            if place.lo == place.hi {
                place = macro_place(&self.cx.origin, mac);
            }
            ResolveError::new(self.program().sources.span(place), Cause::Syntax(error.to_string()))
        })
    }

    /// A call of a function of the prelude.
    pub(super) fn lang_call(&mut self, name: &str, args: Vec<ExprId>, span: Span) -> Resolved<ExprId> {
        let def = self.program().need(name, span)?;
        let callee = self.alloc(ExprKind::Path(ValuePath::Def(def, Vec::new())), span);
        Ok(self.alloc(ExprKind::Call(callee, args), span))
    }

    fn text_format(&mut self, text: &str, span: Span) -> ExprId {
        let pieces = vec![FormatPiece::Text(Symbol::new(text))];
        self.alloc(ExprKind::Format(FormatArgs { pieces, args: Vec::new() }), span)
    }

    fn string(&mut self, text: &str, span: Span) -> ExprId {
        self.alloc(ExprKind::Lit(Lit::Str(Symbol::new(text))), span)
    }

    fn fails(&mut self, lang: &str, plain: &str, args: &[syn::Expr], span: Span) -> Resolved<ExprId> {
        if args.is_empty() {
            let message = self.text_format(plain, span);
            return self.lang_call("panic_fmt", vec![message], span);
        }
        let message = self.format(args, "", span)?;
        self.lang_call(lang, vec![message], span)
    }

    fn builtin_expr(&mut self, name: &str, mac: &syn::Macro) -> Resolved<ExprId> {
        let place = macro_place(&self.cx.origin, mac);
        let whole = Place { hi: self.cx.origin.place(mac.delimiter.span().close()).hi, ..place };
        let span = self.program().sources.span(whole);
        match name {
            "panic" => {
                let args = self.macro_args(mac)?;
                self.fails("panic_fmt", "explicit panic", &args, span)
            }
            "unreachable" => {
                let args = self.macro_args(mac)?;
                self.fails("unreachable_fmt", "internal error: entered unreachable code", &args, span)
            }
            "todo" => {
                let args = self.macro_args(mac)?;
                self.fails("todo_fmt", "not yet implemented", &args, span)
            }
            "unimplemented" => {
                let args = self.macro_args(mac)?;
                self.fails("unimplemented_fmt", "not implemented", &args, span)
            }
            "assert" | "debug_assert" => self.assert(mac, span),
            "assert_eq" | "debug_assert_eq" => self.assert_pair(mac, true, span),
            "assert_ne" | "debug_assert_ne" => self.assert_pair(mac, false, span),
            "print" | "println" | "eprint" | "eprintln" => {
                let args = self.macro_args(mac)?;
                let text = self.format(&args, if name.ends_with("ln") { "\n" } else { "" }, span)?;
                let lang = if name.starts_with('e') { "eprint_fmt" } else { "print_fmt" };
                self.lang_call(lang, vec![text], span)
            }
            "format" => {
                let args = self.macro_args(mac)?;
                let text = self.format(&args, "", span)?;
                self.lang_call("format_fmt", vec![text], span)
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
                Ok(self.alloc(ExprKind::AddrOf { mutable: name == "addr_of_mut", place }, span))
            }
            "option_env" => {
                let none = self.lang_variant("option", "None", span)?;
                Ok(self.alloc(ExprKind::Path(ValuePath::Def(none, Vec::new())), span))
            }
            "file" | "module_path" | "stringify" | "concat" | "env" => match self.macro_text(mac)? {
                Some(text) => Ok(self.string(&text, span)),
                None => self.cx.fault(span, Cause::Unsupported(format!("`{name}!` of what is no literal"))),
            },
            "compile_error" => {
                let text = mac.tokens.to_string();
                self.cx.fault(span, Cause::Unsupported(text.trim_matches('"').to_owned()))
            }
            _ => Ok(self.unsupported("a macro that reads files has no meaning here", span)),
        }
    }

    fn assert(&mut self, mac: &syn::Macro, span: Span) -> Resolved<ExprId> {
        let args = self.macro_args(mac)?;
        let Some((cond, message)) = args.split_first() else {
            return self.cx.fault(span, Cause::Syntax("expected a condition".to_owned()));
        };
        let message = if message.is_empty() {
            let place = inside(&self.cx.origin, mac);
            let text = unmarked(self.cx.origin.slice(place)).split_whitespace().collect::<Vec<_>>().join(" ");
            self.text_format(&format!("assertion failed: {}", text.trim_end_matches(',')), span)
        } else {
            self.format(message, "", span)?
        };
        let fail = self.lang_call("panic_fmt", vec![message], span)?;
        let cond = self.expr(cond)?;
        let not = self.alloc(ExprKind::Unary(UnOp::Not, cond), span);
        let then = self.unit_block(fail, span);
        Ok(self.alloc(ExprKind::If(not, then, None), span))
    }

    fn unit_block(&mut self, value: ExprId, span: Span) -> ExprId {
        self.alloc(ExprKind::Block(Block { stmts: vec![Stmt::Expr(value)], tail: None }), span)
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
            Ok(body.alloc(ExprKind::AddrOf { mutable: false, place }, span))
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

    /// The text of a macro that makes a string while compiling.
    fn macro_text(&mut self, mac: &syn::Macro) -> Resolved<Option<String>> {
        let name = mac.path.segments.last().map(|s| name_of(&s.ident));
        let Some(name) = name.filter(|_| self.builtin(mac).is_some()) else {
            let (stmts, origin) = self.expanded(mac)?;
            return self.within(origin, |body| match &stmts[..] {
                [syn::Stmt::Expr(expr, None)] => body.const_text(expr),
                [syn::Stmt::Macro(mac)] => body.macro_text(&mac.mac),
                _ => Ok(None),
            });
        };
        let span = self.program().sources.span(macro_place(&self.cx.origin, mac));
        match &*name {
            "file" => Ok(Some(span.file.to_string())),
            "line" => Ok(Some(span.line.to_string())),
            "column" => Ok(Some(span.column.to_string())),
            "module_path" => {
                let module = self.program().proper_module(self.cx.scope);
                Ok(Some(self.program().path(module)))
            }
            "stringify" => {
                let text = unmarked(self.cx.origin.slice(inside(&self.cx.origin, mac)));
                let text = text.trim();
                let inner = text.strip_prefix(crate::expand::WRAP).and_then(|t| t.strip_suffix(')'));
                Ok(Some(inner.unwrap_or(text).split_whitespace().collect::<Vec<_>>().join(" ")))
            }
            "env" => {
                let args = self.macro_args(mac)?;
                let Some(name) = args.first().map(|a| self.const_text(a)).transpose()?.flatten() else {
                    return Ok(None);
                };
                let krate = self.program().node(self.cx.scope).krate;
                Ok(Some(self.program().package_env(krate, &name).unwrap_or_default()))
            }
            "concat" => {
                let args = self.macro_args(mac)?;
                let mut text = String::new();
                for arg in &args {
                    match self.const_text(arg)? {
                        Some(part) => text.push_str(&part),
                        None => return Ok(None),
                    }
                }
                Ok(Some(text))
            }
            _ => Ok(None),
        }
    }

    /// The text of a literal, or of a macro that makes one.
    pub(super) fn const_text(&mut self, expr: &syn::Expr) -> Resolved<Option<String>> {
        match expr {
            syn::Expr::Lit(lit) => Ok(match &lit.lit {
                syn::Lit::Str(text) => Some(text.value()),
                syn::Lit::Int(int) => Some(int.base10_digits().to_owned()),
                syn::Lit::Float(float) => Some(float.base10_digits().to_owned()),
                syn::Lit::Bool(truth) => Some(truth.value.to_string()),
                syn::Lit::Char(c) => Some(c.value().to_string()),
                _ => None,
            }),
            syn::Expr::Paren(paren) => self.const_text(&paren.expr),
            syn::Expr::Group(group) => self.const_text(&group.expr),
            syn::Expr::Macro(mac) => {
                let name = mac.mac.path.segments.last().map(|s| name_of(&s.ident));
                let textual = |n: Symbol| {
                    matches!(&*n, "file" | "line" | "column" | "module_path" | "stringify" | "env" | "concat")
                };
                if self.builtin(&mac.mac).is_some() && !name.is_some_and(textual) {
                    return Ok(None);
                }
                self.macro_text(&mac.mac)
            }
            _ => Ok(None),
        }
    }

    /// The name in `name = value`, an argument of a formatting macro.
    pub(super) fn named_arg(expr: &syn::Expr) -> Option<(Symbol, &syn::Expr)> {
        match expr {
            syn::Expr::Assign(assign) => match &*assign.left {
                syn::Expr::Path(path) => {
                    path.path.get_ident().map(|ident| (bare(&ident.to_string()), &*assign.right))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
