//! The registration that is emitted along with an item: its source, its location, and its functions.

use proc_macro2::TokenStream;
use quote::quote;

use crate::conditions::Conditions;
use crate::text::Piece;

/// The registration of one attribute or macro.
pub(crate) struct Registration {
    /// The path of the crate that contains `__private`.
    pub(crate) crate_path: syn::Path,
    pub(crate) pieces: Vec<Piece>,
    /// The functions that are not generic: the path of each, relative to the module, and an expression for
    /// its value.
    pub(crate) funcs: Vec<(String, TokenStream)>,
    /// The conditions that rustc evaluates at the item: `#[cfg(…)]`.
    pub(crate) conditions: Vec<syn::Attribute>,
}

/// The items that submit a registration.
pub(crate) fn items(of: &Registration) -> TokenStream {
    let Registration { crate_path, pieces, funcs, conditions } = of;
    let names = funcs.iter().map(|(name, _)| name);
    let values = funcs.iter().map(|(_, value)| value);
    let mut tested = Conditions::default();
    for piece in pieces.iter().filter(|piece| piece.text.contains("cfg")) {
        tested.insert_common();
        tested.collect(piece.text.parse().unwrap_or_default());
    }
    let cfgs = tested.evaluated(crate_path);
    quote! {
        #(#conditions)*
        #[allow(unexpected_cfgs)]
        const _: () = {
            fn __here() {}
            #crate_path::__private::inventory::submit! {{
                use #crate_path::__private::{Piece, Registered, name_of, type_id_of};
                Registered {
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    manifest: ::core::env!("CARGO_MANIFEST_DIR"),
                    scope: || name_of(&__here),
                    pieces: &[#(#pieces),*],
                    cfgs: #cfgs,
                    funcs: &[#((#names, || type_id_of(&#values))),*],
                }
            }}
        };
    }
}
