//! The options that the `cfg`s of a source test, which rustc evaluates at the registration of the source.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::Ident;

use crate::manifest_features;

/// Names of options, with the value that is compared: `feature = "std"`, `test`.
#[derive(Default)]
pub(crate) struct Conditions(BTreeSet<(String, Option<String>)>);

impl Conditions {
    fn insert(&mut self, name: &str, value: Option<String>) {
        self.0.insert((name.to_owned(), value));
    }

    /// Adds those that the expansion of a macro may test although the source does not name them next to `cfg`, and `test`,
    /// without which there are no `#[test]` functions: the features of the package, and the options of a build.
    pub(crate) fn insert_common(&mut self) {
        for feature in manifest_features::of_package() {
            self.insert("feature", Some(feature));
        }
        for flag in ["debug_assertions", "test"] {
            self.insert(flag, None);
        }
        self.insert("panic", Some("unwind".to_owned()));
        self.insert("panic", Some("abort".to_owned()));
    }

    /// Collects those of all `cfg`s and `cfg_attr`s in some tokens.
    pub(crate) fn collect(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) => self.collect_after(&word.to_string(), &tokens[at + 1..]),
                TokenTree::Group(group) => self.collect(group.stream()),
                _ => {}
            }
        }
    }

    /// Collects those of the predicate that follows the word `cfg` or `cfg_attr`.
    pub(crate) fn collect_after(&mut self, word: &str, following: &[TokenTree]) {
        if !matches!(word, "cfg" | "cfg_attr") {
            return;
        }
        let group =
            following.iter().find(|token| !matches!(token, TokenTree::Punct(p) if p.as_char() == '!'));
        if let Some(TokenTree::Group(group)) = group {
            self.predicate(group.stream(), word == "cfg_attr");
        }
    }

    /// Collects those of a predicate; for `cfg_attr`, only before the first comma.
    fn predicate(&mut self, tokens: TokenStream, is_only_first: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match (token, tokens.get(at + 1), tokens.get(at + 2)) {
                (TokenTree::Punct(mark), ..) if is_only_first && mark.as_char() == ',' => return,
                (TokenTree::Ident(key), Some(TokenTree::Punct(mark)), Some(TokenTree::Literal(value)))
                    if mark.as_char() == '=' =>
                {
                    if let Ok(value) = syn::parse_str::<syn::LitStr>(&value.to_string()) {
                        self.insert(&key.to_string(), Some(value.value()));
                    }
                }
                (TokenTree::Ident(_), Some(TokenTree::Group(_)), _) => {}
                (TokenTree::Ident(flag), ..) => {
                    let flag = flag.to_string();
                    if !matches!(flag.as_str(), "true" | "false") && syn::parse_str::<Ident>(&flag).is_ok() {
                        self.insert(&flag, None);
                    }
                }
                (TokenTree::Group(group), ..) => self.predicate(group.stream(), false),
                _ => {}
            }
        }
    }

    /// An array of `Cfg`s, which rustc evaluates where it is.
    pub(crate) fn evaluated(&self, crate_path: &syn::Path) -> TokenStream {
        let cfgs = self.0.iter().filter_map(|(name, value)| {
            let key = syn::parse_str::<Ident>(name).ok()?;
            Some(match value {
                Some(value) => quote! {
                    #crate_path::__private::Cfg {
                        name: #name,
                        value: ::core::option::Option::Some(#value),
                        is_set: ::core::cfg!(#key = #value),
                    }
                },
                None => quote! {
                    #crate_path::__private::Cfg {
                        name: #name,
                        value: ::core::option::Option::None,
                        is_set: ::core::cfg!(#key),
                    }
                },
            })
        });
        quote!(&[#(#cfgs),*])
    }
}
