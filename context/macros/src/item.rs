//! `#[dub]` on an item: emits the item unchanged, followed by its registration.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ImplItem, Item, Result, Signature, Type};

use crate::register::{self, Registration};
use crate::{crate_path_of, refuse, surroundings, text};

/// The item and its registration.
pub(crate) fn expand(args: TokenStream, tokens: TokenStream) -> Result<TokenStream> {
    let crate_path = crate_path_of(args)?;
    let item: Item = syn::parse2(tokens.clone())?;
    let (name, attrs) = named(&item)?;
    refuse::check_item(&item)?;
    let conditions = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect();
    let mut pieces = surroundings::of(name).uses;
    pieces.extend(text::rebuild(tokens.clone()));
    let registration = Registration { crate_path, pieces, funcs: funcs(&item), conditions };
    let registered = register::items(&registration);
    Ok(quote!(#tokens #registered))
}

/// The span of the item's name, and its attributes; an error if the item cannot be registered.
fn named(item: &Item) -> Result<(Span, &[syn::Attribute])> {
    Ok(match item {
        Item::Fn(of) if of.sig.receiver().is_some() => {
            let message = "`#[dub]` on a method does not see its type\n\
                           help: put `#[dub]` on the whole `impl` block";
            return Err(Error::new(of.sig.ident.span(), message));
        }
        Item::Fn(of) => (of.sig.ident.span(), &of.attrs),
        Item::Impl(of) => (of.impl_token.span, &of.attrs),
        Item::Mod(of) if of.content.is_none() => {
            let message = "`#[dub]` does not see into another file\n\
                           help: annotate the items in that file";
            return Err(Error::new(of.ident.span(), message));
        }
        Item::Mod(of) => (of.ident.span(), &of.attrs),
        Item::Trait(of) => (of.ident.span(), &of.attrs),
        Item::Const(of) => (of.ident.span(), &of.attrs),
        Item::Static(of) => (of.ident.span(), &of.attrs),
        Item::Use(of) => (of.use_token.span, &of.attrs),
        Item::Type(of) => (of.ident.span(), &of.attrs),
        Item::Struct(of) => (of.ident.span(), &of.attrs),
        Item::Enum(of) => (of.ident.span(), &of.attrs),
        Item::Macro(of) if of.ident.is_some() => (of.mac.path.span(), &of.attrs),
        other => {
            refuse::check_item(other)?;
            let message = "`#[dub]` has no meaning here\n\
                           help: it goes on functions, `impl` blocks, inline modules, traits, constants, \
                           statics, type aliases, `use` lines and `macro_rules!`";
            return Err(Error::new(other.span(), message));
        }
    })
}

/// The functions without type or const parameters: the path of each, relative to the module, and an
/// expression for its value.
fn funcs(item: &Item) -> Vec<(String, TokenStream)> {
    match item {
        Item::Fn(of) if has_single_instance(&of.sig) => {
            let name = &of.sig.ident;
            vec![(name.to_string(), quote!(#name))]
        }
        Item::Impl(of) if of.generics.type_params().next().is_none() && is_free_of_consts(&of.generics) => {
            let ty = &of.self_ty;
            if !has_no_lifetimes(ty) {
                return Vec::new();
            }
            let of_trait = of.trait_.as_ref().map(|(path, _)| path);
            let methods = of.items.iter().filter_map(|item| match item {
                ImplItem::Fn(method) if has_single_instance(&method.sig) => Some(&method.sig.ident),
                _ => None,
            });
            let named = methods.map(|method| match of_trait {
                Some(path) => (
                    format!("<{} as {}>::{method}", compact_source(ty), compact_source(path)),
                    quote!(<#ty as #path>::#method),
                ),
                None => (format!("{}::{method}", compact_source(ty)), quote!(<#ty>::#method)),
            });
            named.collect()
        }
        Item::Mod(of) => {
            let module = &of.ident;
            let items = of.content.iter().flat_map(|(_, items)| items);
            let visible = items.filter(|item| match item {
                Item::Fn(of) => !matches!(of.vis, syn::Visibility::Inherited),
                _ => false,
            });
            let inner = visible.flat_map(funcs);
            inner.map(|(name, value)| (format!("{module}::{name}"), quote!(#module::#value))).collect()
        }
        _ => Vec::new(),
    }
}

fn compact_source(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

fn is_free_of_consts(generics: &syn::Generics) -> bool {
    generics.const_params().next().is_none()
}

/// Whether a signature has a single instance: only lifetimes are generic.
fn has_single_instance(sig: &Signature) -> bool {
    let has_only_lifetimes = sig.generics.type_params().next().is_none() && is_free_of_consts(&sig.generics);
    has_only_lifetimes
        && sig.inputs.iter().all(|arg| matches!(arg, FnArg::Receiver(_)) || !has_impl_trait(arg))
}

fn has_impl_trait(arg: &FnArg) -> bool {
    struct ImplTraitFinder(bool);
    impl syn::visit::Visit<'_> for ImplTraitFinder {
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut found = ImplTraitFinder(false);
    syn::visit::Visit::visit_fn_arg(&mut found, arg);
    found.0
}

/// Whether a type can be named outside of its `impl`: it mentions no lifetime.
fn has_no_lifetimes(ty: &Type) -> bool {
    struct LifetimeFinder(bool);
    impl syn::visit::Visit<'_> for LifetimeFinder {
        fn visit_lifetime(&mut self, _: &syn::Lifetime) {
            self.0 = true;
        }
    }
    let mut found = LifetimeFinder(false);
    syn::visit::Visit::visit_type(&mut found, ty);
    !found.0
}
