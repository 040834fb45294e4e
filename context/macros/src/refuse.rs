//! Syntax that is never lowered: an error at its location, with advice.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Error, Result};

/// Each constant: the message, and the advice.
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
const TRY_BLOCK: [&str; 2] = ["`try` blocks are not stable Rust", "use a closure that is called at once"];

/// Refuses the unsupported syntax in an item, all in one error.
pub(crate) fn check_item(item: &syn::Item) -> Result<()> {
    let mut refusals = Refusals::default();
    refusals.visit_item(item);
    refusals.into_result()
}

/// Refuses the unsupported syntax in a closure.
pub(crate) fn check_closure(closure: &syn::ExprClosure) -> Result<()> {
    let mut refusals = Refusals::default();
    refusals.visit_expr_closure(closure);
    refusals.into_result()
}

/// The error for a union.
pub(crate) fn union(span: Span) -> Error {
    Error::new(span, format!("{}\nhelp: {}", UNION[0], UNION[1]))
}

#[derive(Default)]
struct Refusals {
    found: Option<Error>,
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
}

impl<'ast> Visit<'ast> for Refusals {
    fn visit_signature(&mut self, sig: &'ast syn::Signature) {
        if let Some(token) = &sig.asyncness {
            self.refuse(token.span, ASYNC);
        }
        visit::visit_signature(self, sig);
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
