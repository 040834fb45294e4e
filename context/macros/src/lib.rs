//! Attributes and macros that let overdub see into ordinary Rust.
//!
//! - MACRO1 an annotated item is emitted unchanged; only the registration of its source is added.
//! - MACRO2 syntax that can never be lowered is a compile error at its location, with advice.

mod capture;
mod closure;
mod conditions;
mod derive;
mod item;
mod manifest_features;
mod refuse;
mod register;
mod source;
mod surroundings;
mod text;

use proc_macro2::TokenStream;
use syn::parse::Parser;

/// Lets overdub see into an item, which is emitted unchanged.
///
/// It goes on functions, `impl` blocks and inline modules, and on the items that they use: traits, constants,
/// statics, type aliases and `macro_rules!`. The `use` lines around the item are seen without it.
#[proc_macro_attribute]
pub fn dub(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let tokens = TokenStream::from(item);
    let expanded = item::expand(args.into(), tokens.clone());
    // The item is emitted along with the error, so that rustc does not report its absence, too.
    expanded
        .unwrap_or_else(|error| {
            let error = error.to_compile_error();
            quote::quote!(#tokens #error)
        })
        .into()
}

/// A closure that overdub sees into; it is called like any other closure.
///
/// It clones its captures when it is created. The types of its parameters must be written.
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

/// Lets values of a struct or an enum be passed into programs and returned from them.
#[proc_macro_derive(Dub, attributes(dub))]
pub fn derive_dub(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive::expand(item.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The crate whose `__private` the expansion uses: `::overdub`, or the path given by `crate = path`.
fn crate_path_of(args: TokenStream) -> syn::Result<syn::Path> {
    let mut crate_path: syn::Path = syn::parse_quote!(::overdub);
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("crate") {
            crate_path = meta.value()?.call(syn::Path::parse_mod_style)?;
            return Ok(());
        }
        Err(meta.error("`#[dub]` takes nothing but `crate = path`"))
    });
    parser.parse2(args)?;
    Ok(crate_path)
}
