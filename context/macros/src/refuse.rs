//! Syntax that is never lowered, refused where it stands and with advice.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Error, Result};

/// What is refused, and what to do about it.
const ASYNC: [&str; 2] =
    ["`async` needs an executor, which there is not", "compute in an ordinary function, and await around it"];
const AWAIT: [&str; 2] =
    ["`await` needs an executor, which there is not", "await outside, and pass the result in"];
const YIELD: [&str; 2] =
    ["`yield` suspends a function, which cannot be lowered", "write an iterator, a struct with `next`"];
const ASM: [&str; 2] = [
    "inline assembly says nothing about what it computes",
    "write it in Rust; a version for speed can call the assembly outside of `#[dub]`",
];
const UNION: [&str; 2] =
    ["a union has no type at run time", "use an enum, or `to_bits` and `from_bits` to look at bits"];
const EXTERN: [&str; 2] = [
    "a foreign function has no source to look into",
    "write it in Rust, or call it outside of `#[dub]` and pass the result in",
];
const STATIC_MUT: [&str; 2] = [
    "a `static mut` is state outside of every value",
    "pass the state as `&mut`, or keep it in a `Cell` of a struct",
];
const RAW_DEREF: [&str; 2] = [
    "a raw pointer may point anywhere, so what it reads cannot be followed",
    "index a slice, or use references",
];
const TRY_BLOCK: [&str; 2] = ["`try` blocks are not stable Rust", "use a closure that is called at once"];

/// Refuses what an item holds, all of it in one error.
pub(crate) fn check_item(item: &syn::Item) -> Result<()> {
    let mut refusals = Refusals::default();
    refusals.visit_item(item);
    refusals.into_result()
}

/// Refuses what a closure holds.
pub(crate) fn check_closure(closure: &syn::ExprClosure) -> Result<()> {
    let mut refusals = Refusals::default();
    refusals.visit_expr_closure(closure);
    refusals.into_result()
}

/// The refusal of a union.
pub(crate) fn union(span: Span) -> Error {
    Error::new(span, format!("{}\nhelp: {}", UNION[0], UNION[1]))
}

#[derive(Default)]
struct Refusals {
    found: Option<Error>,
    /// Names that are bound to raw pointers: parameters and variables with such a type, or casts to one.
    raw: Vec<syn::Ident>,
}

impl Refusals {
    fn refuse(&mut self, span: Span, [what, help]: [&str; 2]) {
        let error = Error::new(span, format!("{what}\nhelp: {help}"));
        match &mut self.found {
            Some(found) => found.combine(error),
            None => self.found = Some(error),
        }
    }

    fn into_result(self) -> Result<()> {
        self.found.map_or(Ok(()), Err)
    }

    fn is_raw(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Paren(inner) => self.is_raw(&inner.expr),
            syn::Expr::Cast(cast) => matches!(&*cast.ty, syn::Type::Ptr(_)),
            syn::Expr::RawAddr(_) => true,
            syn::Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.raw.contains(name)),
            syn::Expr::MethodCall(call) => {
                let keeps = ["add", "sub", "offset", "wrapping_add", "wrapping_sub", "cast"];
                let makes = ["as_ptr", "as_mut_ptr"];
                let name = call.method.to_string();
                makes.contains(&name.as_str())
                    || (keeps.contains(&name.as_str()) && self.is_raw(&call.receiver))
            }
            _ => false,
        }
    }

    fn bind(&mut self, pat: &syn::Pat, ty: Option<&syn::Type>, init: Option<&syn::Expr>) {
        let (name, ty) = match pat {
            syn::Pat::Ident(ident) => (&ident.ident, ty),
            syn::Pat::Type(typed) => return self.bind(&typed.pat, Some(&typed.ty), init),
            _ => return,
        };
        let is_raw = matches!(ty, Some(syn::Type::Ptr(_))) || init.is_some_and(|init| self.is_raw(init));
        self.raw.retain(|known| known != name);
        if is_raw {
            self.raw.push(name.clone());
        }
    }
}

impl<'ast> Visit<'ast> for Refusals {
    fn visit_signature(&mut self, sig: &'ast syn::Signature) {
        if let Some(token) = &sig.asyncness {
            self.refuse(token.span, ASYNC);
        }
        for arg in &sig.inputs {
            if let syn::FnArg::Typed(arg) = arg {
                self.bind(&arg.pat, Some(&arg.ty), None);
            }
        }
        visit::visit_signature(self, sig);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        self.bind(&local.pat, None, local.init.as_ref().map(|init| &*init.expr));
    }

    fn visit_expr_async(&mut self, expr: &'ast syn::ExprAsync) {
        self.refuse(expr.async_token.span, ASYNC);
    }

    fn visit_expr_await(&mut self, expr: &'ast syn::ExprAwait) {
        self.refuse(expr.await_token.span, AWAIT);
        visit::visit_expr_await(self, expr);
    }

    fn visit_expr_yield(&mut self, expr: &'ast syn::ExprYield) {
        self.refuse(expr.yield_token.span, YIELD);
    }

    fn visit_expr_try_block(&mut self, expr: &'ast syn::ExprTryBlock) {
        self.refuse(expr.try_token.span, TRY_BLOCK);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if let Some(token) = &closure.asyncness {
            self.refuse(token.span, ASYNC);
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        if let syn::UnOp::Deref(token) = &expr.op
            && self.is_raw(&expr.expr)
        {
            self.refuse(token.spans[0], RAW_DEREF);
        }
        visit::visit_expr_unary(self, expr);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.refuse(item.union_token.span, UNION);
    }

    fn visit_item_foreign_mod(&mut self, item: &'ast syn::ItemForeignMod) {
        self.refuse(item.abi.span(), EXTERN);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        if let syn::StaticMutability::Mut(token) = &item.mutability {
            self.refuse(token.span, STATIC_MUT);
        }
        visit::visit_item_static(self, item);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string());
        if matches!(name.as_deref(), Some("asm" | "global_asm" | "naked_asm")) {
            self.refuse(mac.path.span(), ASM);
        }
    }
}
