//! Attributes and macros that let overdub see into ordinary Rust.
//!
//! - MACRO1 what is annotated stays what it was; its text is registered beside it, and nothing else is added.
//! - MACRO2 what can never be lowered is a compile error where it stands, with advice.

mod capture;
mod closure;
mod derive;
mod item;
mod refuse;
mod register;
mod source;
mod surroundings;
mod text;

use proc_macro2::TokenStream;
use syn::parse::Parser;

/// Lets overdub see into an item, which stays what it was.
///
/// It goes on functions, `impl` blocks and inline modules, and on what they need: traits, constants, statics, type
/// aliases and `macro_rules!`. The `use` lines around the item are seen without it.
#[proc_macro_attribute]
pub fn dub(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let tokens = TokenStream::from(item);
    let expanded = item::expand(args.into(), tokens.clone());
    // The item stays beside the error, so that rustc does not complain about what is missing too.
    expanded
        .unwrap_or_else(|error| {
            let error = error.to_compile_error();
            quote::quote!(#tokens #error)
        })
        .into()
}

/// A closure that overdub sees into; it is called as any closure is.
///
/// What it takes from its surroundings it clones when it is made. Its parameters say their types.
#[proc_macro]
pub fn dub_closure(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    closure::expand(tokens.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Lets overdub see into all functions of a crate, or of a module, without annotation.
///
/// See `overdub::source!`, which documents it.
#[proc_macro]
pub fn source(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    source::expand(tokens.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Lets values of a struct or an enum go into programs and come out of them.
#[proc_macro_derive(Dub, attributes(dub))]
pub fn derive_dub(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive::expand(item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The crate whose `__private` the expansion uses: `::overdub`, or what `crate = path` says.
fn door_of(args: TokenStream) -> syn::Result<syn::Path> {
    let mut door: syn::Path = syn::parse_quote!(::overdub);
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("crate") {
            door = meta.value()?.call(syn::Path::parse_mod_style)?;
            return Ok(());
        }
        Err(meta.error("`#[dub]` takes nothing but `crate = path`"))
    });
    parser.parse2(args)?;
    Ok(door)
}
