//! The features that are on, which rustc tells nobody: an attribute expands to itself after one marker for each feature
//! of the manifest, and rustc leaves the markers of those that are on.

use std::collections::BTreeSet;
use std::path::PathBuf;

use overdub_build::Package;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{Error, ItemFn, Result};

use crate::refuse::OwnTokens;

/// What a marker begins with.
const MARKER: &str = "overdub feature ";

/// The word that begins the arguments of an attribute whose function has its markers.
const MARKED: &str = "__marked";

/// The features that are on.
pub(crate) type Enabled = BTreeSet<String>;

/// The next step of an expansion.
pub(crate) enum Step {
    /// The function with the same attribute again, and markers.
    Ask(TokenStream),
    /// The arguments as they were written, the function as it was, and the features.
    Known { args: TokenStream, function: Box<ItemFn>, enabled: Enabled },
}

/// Finds out which features are on.
pub(crate) fn known(args: TokenStream, item: &TokenStream, attribute: &str) -> Result<Step> {
    let not_a_function = |_| {
        let message = format!("`#[{attribute}]` stands on a function with a body, not on a method");
        Error::new(Span::call_site(), message)
    };
    let mut function: ItemFn = syn::parse2(item.clone()).map_err(not_a_function)?;
    let mut rest = args.clone().into_iter();
    let is_marked = matches!(rest.next(), Some(TokenTree::Ident(word)) if word == MARKED);
    let names = features_of_manifest()?;
    if is_marked || names.is_empty() {
        let mut enabled = Enabled::new();
        function.attrs.retain(|attr| {
            let name = marked(attr);
            let is_marker = name.is_some();
            enabled.extend(name);
            !is_marker
        });
        let args = if is_marked { rest.collect() } else { args };
        return Ok(Step::Known { args, function: Box::new(function), enabled });
    }
    let markers = names.iter().map(|name| {
        let text = format!("{MARKER}{name}");
        quote!(#[cfg_attr(feature = #name, doc = #text)])
    });
    let (attribute, marked) =
        (Ident::new(attribute, Span::call_site()), Ident::new(MARKED, Span::call_site()));
    Ok(Step::Ask(quote!(#(#markers)* #[::overdub_attributes::#attribute(#marked #args)] #item)))
}

/// The feature that a marker names.
fn marked(attr: &syn::Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attr.meta else { return None };
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value else { return None };
    let text = text.value();
    if !pair.path.is_ident("doc") {
        return None;
    }
    text.strip_prefix(MARKER).map(str::to_owned)
}

/// The folder of the manifest of the crate that is compiled.
pub(crate) fn manifest_folder() -> Result<PathBuf> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    folder.ok_or_else(|| {
        Error::new(
            Span::call_site(),
            "`CARGO_MANIFEST_DIR` is not set: derivatives are made in packages of cargo",
        )
    })
}

fn features_of_manifest() -> Result<BTreeSet<String>> {
    let folder = manifest_folder()?;
    let _guard = OwnTokens::new();
    Package::features(&folder).map_err(|error| Error::new(Span::call_site(), error.to_string()))
}
