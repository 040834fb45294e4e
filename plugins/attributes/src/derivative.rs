//! `#[derivative(…)]`: a derivative as `overdub export` writes it, beside its function.

use overdub_build::{Derivatives, Function};
use overdub_export::{Failures, result_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, ItemFn, Result, Visibility};

use crate::arguments::Arguments;
use crate::features::Enabled;
use crate::program::{Place, find};
use crate::refuse::{OwnTokens, Refusal};

/// The module with the derivative, and its name.
pub(crate) fn expand(args: TokenStream, function: &ItemFn, enabled: &Enabled) -> Result<TokenStream> {
    let Arguments { derivative, wrt, name, types, failures, library, arithmetic, results } =
        syn::parse2(args)?;
    let own = function.sig.ident.to_string();
    if let Some((names, span)) = &wrt {
        for name in names {
            if !params(function).any(|param| param == *name) {
                return Err(Error::new(*span, format!("`{own}` has no argument `{name}`")));
            }
        }
    }
    let default_name = || result_name(&own, Some(derivative)) + results.ending();
    let result = name.as_ref().map_or_else(default_name, Ident::to_string);
    let text = text(function, enabled, &module_name(&result), |path| {
        let mut asked = Function::new(path, Some(derivative)).named(&result);
        if let Some((names, _)) = &wrt {
            asked = asked.with_respect_to(names);
        }
        if let Some(types) = &types {
            asked = asked.with_types(types);
        }
        let asked = Derivatives::new().function(asked).failures(failures).library(library);
        asked.arithmetic(arithmetic).results(results)
    })?;
    let name = name.unwrap_or_else(|| Ident::new(&result, Span::call_site()));
    let (vis, module) = (&function.vis, module(&module_name(&result), &text)?);
    let within = Ident::new(&module_name(&result), Span::call_site());
    let unused = matches!(vis, Visibility::Inherited).then(|| quote!(#[allow(unused_imports)]));
    let used = used(function);
    let failure = (failures == Failures::Result).then(|| {
        let name = Ident::new(&failure_name(&result), Span::call_site());
        quote!(#[allow(unused_imports)] #[doc(inline)] #vis use #within::Failure as #name;)
    });
    Ok(quote!(#module #unused #[doc(inline)] #vis use #within::#name; #failure #used))
}

/// The name of the type of failures of a derivative: `EnergyGradientFailure` for `energy_gradient`.
fn failure_name(result: &str) -> String {
    let words = result.split('_').filter(|word| !word.is_empty());
    let capitalised = words.map(|word| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        format!("{}{rest}", first.to_uppercase())
    });
    capitalised.chain(["Failure".to_owned()]).collect()
}

/// A use of a function, which rustc would otherwise call unused if only its derivative is called.
pub(crate) fn used(function: &ItemFn) -> Option<TokenStream> {
    let name = &function.sig.ident;
    function.sig.generics.params.is_empty().then(|| quote!(const _: () = { let _ = #name; };))
}

/// The names of the parameters of a function.
fn params(function: &ItemFn) -> impl Iterator<Item = String> {
    function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(param) => match &*param.pat {
            syn::Pat::Ident(name) => Some(name.ident.to_string()),
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    })
}

/// The name of the module that contains a derivative of this name.
pub(crate) fn module_name(result: &str) -> String {
    format!("__{result}")
}

/// The text of what is asked of a function, for a module beside it.
fn text(
    function: &ItemFn,
    enabled: &Enabled,
    module: &str,
    ask: impl Fn(String) -> Derivatives,
) -> Result<String> {
    let unknown =
        || Error::new(Span::call_site(), "the file that the function is in is not known: a macro made it");
    let place = Place::of(function).ok_or_else(unknown)?;
    let made = || -> std::result::Result<String, Refusal> {
        let _guard = OwnTokens::new();
        let found = find(&place, enabled)?;
        let module = format!("{}::{module}", found.module);
        let text = ask(found.path.clone()).types_by_path_in(module).text(&found.package);
        text.map_err(|error| Refusal::from(error).with_relative_path())
    };
    made().map_err(|refusal| refusal.within(function.to_token_stream(), &place.file))
}

/// A module with this text.
pub(crate) fn module(name: &str, text: &str) -> Result<TokenStream> {
    let name = Ident::new(name, Span::call_site());
    let text: TokenStream = text
        .parse()
        .map_err(|error| Error::new(Span::call_site(), format!("what was exported is not Rust: {error}")))?;
    Ok(quote! {
        #[doc(hidden)]
        #[allow(dead_code, unused_comparisons, invalid_nan_comparisons, clippy::all)]
        mod #name { #text }
    })
}
