//! Macro calls in bodies: those of the program are expanded, those of the language become calls of the
//! prelude.

use overdub_context::{Span, Symbol};
use syn::parse::Parser;
use syn::punctuated::Punctuated;

use super::BodyCx;
use crate::error::{Cause, ResolveError};
use crate::expand::{Hygiene, RECURSION_LIMIT, WRAP};
use crate::hir::*;
use crate::program::Program;
use crate::resolve::collect::TOO_DEEP;
use crate::resolve::node::MacroScope;
use crate::resolve::parse::{Origin, name_of};
use crate::resolve::types::{Resolved, path_span};
use crate::source::hygiene::{unmarked, unmarked_name};
use crate::source::{SourceId, SourceRange};

const BUILTIN: [&str; 38] = [
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
    "try",
];

/// Whether a macro is builtin.
pub(crate) fn is_builtin_macro(name: &str) -> bool {
    BUILTIN.contains(&name)
}

/// The range from a macro's path to its `!`.
pub(super) fn macro_place(origin: &Origin, mac: &syn::Macro) -> SourceRange {
    let first = path_span(&mac.path);
    SourceRange { hi: origin.place(mac.bang_token.span).hi, ..origin.place(first) }
}

fn inside(origin: &Origin, mac: &syn::Macro) -> SourceRange {
    let span = mac.delimiter.span();
    let (open, close) = (origin.place(span.open()), origin.place(span.close()));
    SourceRange { source: origin.source, lo: open.hi, hi: close.lo.max(open.hi) }
}

impl Program {
    /// The builtin macro that `use core::debug_assert as checked;` gives a name.
    fn imported_builtin(&self, scope: DefId, name: Symbol) -> Option<Symbol> {
        let mut at = scope;
        loop {
            if let Some(cell) = &self.node(at).module {
                let names = cell.read().unwrap_or_else(std::sync::PoisonError::into_inner);
                for import in names.imports.iter().filter(|import| import.name == name) {
                    if let [first, builtin] = &import.path[..]
                        && matches!(&**first, "core" | "std" | "alloc")
                        && is_builtin_macro(builtin)
                    {
                        return Some(*builtin);
                    }
                }
            }
            if !self.is_block(at) {
                return None;
            }
            at = self.module_parent(at)?;
        }
    }

    /// Expands a macro of the program that is called in a body or a type.
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
            return match self.expand_proc_macro(name, inside(origin, mac), call) {
                Some(expanded) => expanded.map_err(|reason| fault(Cause::Macro { name, reason })),
                None => Err(fault(Cause::NotFound { what: "macro", path: format!("{name}!") })),
            };
        };
        if depth >= RECURSION_LIMIT {
            return Err(fault(Cause::Macro { name, reason: TOO_DEEP.to_owned() }));
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
    /// The expansion of a macro of the program.
    pub(super) fn expand(&mut self, mac: &syn::Macro) -> Resolved<SourceId> {
        self.program().expand_in_body(mac, &self.cx.origin, self.cx.scope, &self.cx.macros, self.depth)
    }

    /// The name of the builtin macro called here, unless the program has a macro of that name.
    pub(super) fn builtin(&self, mac: &syn::Macro) -> Option<Symbol> {
        let path: Vec<Symbol> = mac.path.segments.iter().map(|s| name_of(&s.ident)).collect();
        let mut name = *path.last()?;
        if path.len() == 1
            && let Some(imported) = self.program().imported_builtin(self.cx.scope, name)
        {
            name = imported;
        }
        // `other::format!` may be a macro of that crate.
        let is_of_std =
            matches!(path.first().map(|first| &**first), Some("std" | "core" | "alloc" | "crate" | "self"));
        let is_foreign = || path.len() > 1 && !is_of_std && self.program().has_proc_macro(name);
        let is_builtin = is_builtin_macro(&name) && !is_foreign();
        (is_builtin && self.program().find_macro(&self.cx.macros, self.cx.scope, &path).is_none())
            .then_some(name)
    }

    /// The path argument of `include!`.
    fn included_path(&mut self, mac: &syn::Macro, span: Span) -> Resolved<String> {
        let krate = self.program().node(self.cx.scope).krate;
        match self.program().include_path(krate, &mac.tokens.to_string()) {
            Ok(path) => Ok(path),
            Err(cause) => self.cx.fault(span, cause),
        }
    }

    /// `include!("file.rs")` as an expression.
    pub(super) fn include(&mut self, mac: &syn::Macro, span: Span) -> Resolved<ExprId> {
        let path = self.included_path(mac, span)?;
        if self.depth >= RECURSION_LIMIT {
            let cause = Cause::Macro { name: Symbol::new("include"), reason: TOO_DEEP.to_owned() };
            return self.cx.fault(span, cause);
        }
        let krate = self.program().node(self.cx.scope).krate;
        match self.program().include_relative(&span.file, &path, krate) {
            Ok(source) => {
                let (stmts, origin) = self.statements_of(source)?;
                self.within(origin, |body| {
                    body.block_expr(span, |body, out| body.statements(&stmts, out, true))
                })
            }
            Err(cause) => self.cx.fault(span, cause),
        }
    }

    /// `include_str!("file")`, `include_bytes!("file")`
    pub(super) fn include_text(&mut self, mac: &syn::Macro, bytes: bool, span: Span) -> Resolved<ExprId> {
        let literal = if bytes {
            let path = self.included_path(mac, span)?;
            match self.program().read_relative(&span.file, &path) {
                Ok(read) => Lit::ByteStr(read.into()),
                Err(cause) => return self.cx.fault(span, cause),
            }
        } else {
            Lit::Str(Symbol::new(&self.text_of_file(mac, span)?))
        };
        Ok(self.alloc(ExprKind::Lit(literal), span))
    }

    /// The file that `include_str!` names.
    fn text_of_file(&mut self, mac: &syn::Macro, span: Span) -> Resolved<String> {
        let path = self.included_path(mac, span)?;
        let read = self.program().read_relative(&span.file, &path).and_then(|read| {
            String::from_utf8(read).map_err(|_| Cause::Read { path, reason: "it is not UTF-8".to_owned() })
        });
        match read {
            Ok(text) => Ok(text),
            Err(cause) => self.cx.fault(span, cause),
        }
    }

    fn expanded(&mut self, mac: &syn::Macro) -> Resolved<(Vec<syn::Stmt>, Origin)> {
        let expansion = self.expand(mac)?;
        self.statements_of(expansion)
    }

    fn statements_of(&mut self, expansion: SourceId) -> Resolved<(Vec<syn::Stmt>, Origin)> {
        let len = self.program().sources.get(expansion).text.len() as u32;
        self.program().parse(syn::Block::parse_within, expansion, 0, len)
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
        let (mut stmts, origin) = self.expanded(mac)?;
        without_semicolon(&mut stmts);
        self.within(origin, |body| match &stmts[..] {
            [syn::Stmt::Expr(expr, None)] => body.expr(expr),
            [syn::Stmt::Macro(mac)] if mac.semi_token.is_none() => body.macro_expr(&mac.mac),
            _ => body.block_expr(span, |body, out| body.statements(&stmts, out, true)),
        })
    }

    /// A macro call as a statement: its declarations stay in scope.
    pub(super) fn statement_macro(
        &mut self,
        mac: &syn::Macro,
        semi: bool,
        last: bool,
        out: &mut Block,
    ) -> Resolved<()> {
        if self.builtin(mac).is_none() {
            let (mut stmts, origin) = self.expanded(mac)?;
            let is_value = last && !semi;
            if is_value && !matches!(mac.delimiter, syn::MacroDelimiter::Brace(_)) {
                without_semicolon(&mut stmts);
            }
            return self.within(origin, |body| body.statements(&stmts, out, is_value));
        }
        let value = self.macro_expr(mac)?;
        if last && !semi {
            out.tail = Some(value);
        } else {
            out.stmts.push(Stmt::Expr(value));
        }
        Ok(())
    }

    pub(super) fn macro_args(&mut self, mac: &syn::Macro) -> Resolved<Vec<syn::Expr>> {
        let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let parsed = self.parse_tokens(parser, mac)?;
        Ok(parsed.into_iter().collect())
    }

    pub(super) fn parse_tokens<P: Parser>(&self, parser: P, mac: &syn::Macro) -> Resolved<P::Output> {
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
        let def = self.program().require_lang(name, span)?;
        let callee = self.alloc(ExprKind::Path(ValuePath::Def(def, Vec::new())), span);
        Ok(self.alloc(ExprKind::Call(callee, args), span))
    }

    /// The tokens of a macro call as text, without what expansion inserted.
    pub(super) fn tokens_text(&self, mac: &syn::Macro) -> String {
        let text = unmarked(self.cx.origin.slice(inside(&self.cx.origin, mac)));
        let mut text = text.trim();
        while let Some(inner) = text.strip_prefix(WRAP).and_then(|t| t.strip_suffix(')')) {
            text = inner.trim();
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The string that a macro produces at compile time.
    pub(super) fn macro_text(&mut self, mac: &syn::Macro) -> Resolved<Option<String>> {
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
            "stringify" => Ok(Some(self.tokens_text(mac))),
            "include_str" => {
                let span = self.span(path_span(&mac.path));
                self.text_of_file(mac, span).map(Some)
            }
            "env" => {
                let args = self.macro_args(mac)?;
                let Some(name) = args.first().map(|a| self.const_text(a)).transpose()?.flatten() else {
                    return Ok(None);
                };
                let krate = self.program().node(self.cx.scope).krate;
                match self.program().package_env(krate, &name) {
                    Some(value) => Ok(Some(value)),
                    None => {
                        let span = self.span(path_span(&mac.path));
                        let reason = format!(
                            "the environment variable `{name}` is not known: it is neither one of cargo nor set by the build \
                             script"
                        );
                        self.cx.fault(span, Cause::Macro { name: Symbol::new("env"), reason })
                    }
                }
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

    /// The text of a literal, or of a macro that produces one.
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
                    matches!(
                        &*n,
                        "file"
                            | "line"
                            | "column"
                            | "module_path"
                            | "stringify"
                            | "include_str"
                            | "env"
                            | "concat"
                    )
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
                    path.path.get_ident().map(|ident| (unmarked_name(&ident.to_string()), &*assign.right))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Takes away the semicolon after the only expression that a macro call expands to: where the call is an expression, rustc
/// ignores it.
fn without_semicolon(stmts: &mut [syn::Stmt]) {
    match stmts {
        [syn::Stmt::Expr(_, semi)] => *semi = None,
        [syn::Stmt::Macro(mac)] => mac.semi_token = None,
        _ => {}
    }
}
