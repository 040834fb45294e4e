//! The variables that a closure captures, determined syntactically.
//!
//! - FREEVAR1 a variable is a path of one identifier that starts with a lowercase letter, is not bound in the
//!   closure and is not called.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt, Token};

/// The macros whose input contains names that are no variables.
const WITHOUT_VALUES: [&str; 2] = ["cfg", "stringify"];

/// The captured variables in the order of first use.
pub(crate) fn captures(closure: &syn::ExprClosure) -> Vec<Ident> {
    let mut finder = Finder::default();
    finder.visit_expr_closure(closure);
    finder.found
}

#[derive(Default)]
struct Finder {
    found: Vec<Ident>,
    /// The names bound inside the closure, scope by scope.
    bound: Vec<Vec<String>>,
}

impl Finder {
    fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        self.bound.push(Vec::new());
        inside(self);
        self.bound.pop();
    }

    fn bind(&mut self, name: &Ident) {
        if let Some(scope) = self.bound.last_mut() {
            scope.push(name.to_string());
        }
    }

    fn bind_pat(&mut self, pat: &Pat) {
        struct Names<'f>(&'f mut Finder);
        impl<'ast> Visit<'ast> for Names<'_> {
            fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
                self.0.bind(&pat.ident);
                visit::visit_pat_ident(self, pat);
            }

            fn visit_expr(&mut self, _: &'ast Expr) {}
        }
        Names(self).visit_pat(pat);
    }

    fn record_use(&mut self, name: &Ident) {
        let text = name.to_string();
        let is_variable = text.starts_with(|c: char| c.is_lowercase() || c == '_') && text != "_";
        let is_bound = self.bound.iter().flatten().any(|known| *known == text);
        let is_word = syn::parse_str::<Ident>(&text).is_ok();
        if is_variable && is_word && !is_bound && !self.found.contains(name) {
            self.found.push(name.clone());
        }
    }

    /// Visits the input of a macro: expressions between commas or semicolons, or arbitrary tokens.
    fn tokens(&mut self, tokens: TokenStream) {
        let commas = syn::punctuated::Punctuated::<Expr, Token![,]>::parse_terminated;
        let semicolon = |input: syn::parse::ParseStream<'_>| {
            let first: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok([first, input.parse::<Expr>()?])
        };
        if let Ok(list) = commas.parse2(tokens.clone()) {
            for expr in &list {
                // `format!("{x}", x = 1)` names the argument after `=`.
                match expr {
                    Expr::Assign(named) => self.visit_expr(&named.right),
                    expr => self.visit_expr(expr),
                }
            }
            return self.formats(tokens);
        }
        if let Ok(pair) = semicolon.parse2(tokens.clone()) {
            return pair.iter().for_each(|expr| self.visit_expr(expr));
        }
        let mut before = None;
        let mut rest = tokens.into_iter().peekable();
        while let Some(token) = rest.next() {
            let calls = match rest.peek() {
                Some(TokenTree::Group(group)) => group.delimiter() == proc_macro2::Delimiter::Parenthesis,
                Some(TokenTree::Punct(mark)) => matches!(mark.as_char(), '!' | ':'),
                _ => false,
            };
            match &token {
                TokenTree::Ident(name) if !calls && !matches!(before, Some('.' | ':')) => {
                    self.record_use(name)
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                _ => {}
            }
            before = if let TokenTree::Punct(mark) = &token { Some(mark.as_char()) } else { None };
        }
    }

    /// Visits the variables inside format strings: `"{x:.3}"`.
    fn formats(&mut self, tokens: TokenStream) {
        for token in tokens {
            let TokenTree::Literal(literal) = token else { continue };
            let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) else { continue };
            for part in text.value().replace("{{", "").split('{').skip(1) {
                let name = part.split(['}', ':']).next().unwrap_or_default();
                if let Ok(name) = syn::parse_str::<Ident>(name) {
                    self.record_use(&Ident::new(&name.to_string(), literal.span()));
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(name) = path.path.get_ident().filter(|_| path.qself.is_none()) {
            self.record_use(name);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if !matches!(&*call.func, Expr::Path(_)) {
            self.visit_expr(&call.func);
        }
        call.args.iter().for_each(|arg| self.visit_expr(arg));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.scope(|finder| {
            closure.inputs.iter().for_each(|pat| finder.bind_pat(pat));
            finder.visit_expr(&closure.body);
        });
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.scope(|finder| {
            for stmt in &block.stmts {
                if let Stmt::Item(syn::Item::Fn(item)) = stmt {
                    finder.bind(&item.sig.ident);
                }
            }
            block.stmts.iter().for_each(|stmt| finder.visit_stmt(stmt));
        });
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.bind_pat(&local.pat);
    }

    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        self.visit_expr(&expr.expr);
        self.bind_pat(&expr.pat);
    }

    fn visit_expr_if(&mut self, expr: &'ast syn::ExprIf) {
        self.scope(|finder| {
            finder.visit_expr(&expr.cond);
            finder.visit_block(&expr.then_branch);
        });
        if let Some((_, otherwise)) = &expr.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, expr: &'ast syn::ExprWhile) {
        self.scope(|finder| {
            finder.visit_expr(&expr.cond);
            finder.visit_block(&expr.body);
        });
    }

    fn visit_expr_for_loop(&mut self, expr: &'ast syn::ExprForLoop) {
        self.visit_expr(&expr.expr);
        self.scope(|finder| {
            finder.bind_pat(&expr.pat);
            finder.visit_block(&expr.body);
        });
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.scope(|finder| {
            finder.bind_pat(&arm.pat);
            finder.visit_pat(&arm.pat);
            finder.visit_expr(&arm.body);
        });
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string());
        if !name.is_some_and(|name| WITHOUT_VALUES.contains(&name.as_str())) {
            self.tokens(mac.tokens.clone());
        }
    }
}
