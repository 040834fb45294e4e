//! The registration that stands beside an item: its text, where it is, and the functions that it holds.

use proc_macro2::TokenStream;
use quote::quote;

use crate::text::Piece;

/// What one attribute registers.
pub(crate) struct Registration {
    /// The path of the crate that has `__private`.
    pub(crate) door: syn::Path,
    pub(crate) pieces: Vec<Piece>,
    /// Functions that are not generic: what they are called, from their module.
    pub(crate) funcs: Vec<(String, TokenStream)>,
    /// What is known only where the item is: `#[cfg(…)]`.
    pub(crate) conditions: Vec<syn::Attribute>,
}

/// Items that register it.
pub(crate) fn items(of: &Registration) -> TokenStream {
    let Registration { door, pieces, funcs, conditions } = of;
    let names = funcs.iter().map(|(name, _)| name);
    let values = funcs.iter().map(|(_, value)| value);
    quote! {
        #(#conditions)*
        const _: () = {
            fn __here() {}
            #door::__private::inventory::submit! {{
                use #door::__private::{Piece, Registered, name_of, type_id_of};
                Registered {
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    manifest: ::core::env!("CARGO_MANIFEST_DIR"),
                    scope: || name_of(&__here),
                    pieces: &[#(#pieces),*],
                    funcs: &[#((#names, || type_id_of(&#values))),*],
                }
            }}
        };
    }
}
