//! The signature of a function as the forms of `std::autodiff` extend it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, FnArg, ItemFn, Pat, Result, ReturnType, Type};

use crate::activity::{Activity, Mode, Request};

/// A parameter.
pub(crate) struct Param {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) activity: Activity,
    /// The parameter that holds its derivative.
    pub(crate) shadow: Option<Ident>,
}

/// A signature with activities.
pub(crate) struct Signature {
    pub(crate) mode: Mode,
    pub(crate) params: Vec<Param>,
    /// The type of the result and its activity; none without a result.
    pub(crate) ret: Option<(Type, Activity)>,
}

impl Signature {
    /// Checks the activities of a request against a function.
    pub(crate) fn new(mode: Mode, request: &Request, function: &ItemFn) -> Result<Signature> {
        let generic = function
            .sig
            .generics
            .params
            .iter()
            .find(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
        if let Some(generic) = generic {
            let message = "a function with type parameters is not differentiated: which types it is called with is not known here";
            return Err(Error::new_spanned(generic, message));
        }
        let ret = match &function.sig.output {
            ReturnType::Type(_, ty) if !matches!(&**ty, Type::Tuple(parts) if parts.elems.is_empty()) => {
                Some(&**ty)
            }
            _ => None,
        };
        let (wanted, given) =
            (function.sig.inputs.len() + usize::from(ret.is_some()), request.activities.len());
        if wanted != given {
            let of_result = if ret.is_some() { " and one for its result" } else { ", none for `()`" };
            let message = format!(
                "expected {wanted} activities, one for each of the {} parameters{of_result}, found {given}",
                function.sig.inputs.len()
            );
            return Err(Error::new(request.name.span(), message));
        }
        let mut params = Vec::new();
        for (input, &(activity, at)) in function.sig.inputs.iter().zip(&request.activities) {
            let FnArg::Typed(input) = input else {
                return Err(Error::new_spanned(
                    input,
                    "a method is not differentiated: write a function that calls it",
                ));
            };
            let Pat::Ident(name) = &*input.pat else {
                return Err(Error::new_spanned(
                    &input.pat,
                    "the parameters of a function that is differentiated have names",
                ));
            };
            activity.check_param(mode, &input.ty, at)?;
            let letter = if mode == Mode::Forward { "b" } else { "d" };
            let plain = name.ident.to_string();
            let plain = plain.strip_prefix("r#").unwrap_or(&plain).to_owned();
            let shadow = (!matches!(activity, Activity::Const | Activity::Active))
                .then(|| format_ident!("{letter}{plain}_0"));
            params.push(Param { name: name.ident.clone(), ty: (*input.ty).clone(), activity, shadow });
        }
        let ret = match (ret, request.activities.last()) {
            (Some(ty), Some(&(activity, at))) => {
                activity.check_result(mode, ty, at)?;
                Some((ty.clone(), activity))
            }
            _ => None,
        };
        Ok(Signature { mode, params, ret })
    }

    /// For each parameter, whether it is differentiated.
    pub(crate) fn selected(&self) -> Vec<bool> {
        self.params.iter().map(|param| param.activity != Activity::Const).collect()
    }

    /// The parameters with their shadows, and the derivative of the result.
    pub(crate) fn inputs(&self) -> Vec<TokenStream> {
        let mut inputs = Vec::new();
        for Param { name, ty, shadow, .. } in &self.params {
            inputs.push(quote!(#name: #ty));
            if let Some(shadow) = shadow {
                let ty = match self.mode {
                    Mode::Forward => ty.clone(),
                    Mode::Reverse => mutable(ty.clone()),
                };
                inputs.push(quote!(#shadow: #ty));
            }
        }
        if let Some((ty, Activity::Active | Activity::ActiveOnly)) = &self.ret {
            let dret = Ident::new("dret", Span::call_site());
            inputs.push(quote!(#dret: #ty));
        }
        inputs
    }

    /// The type of the result.
    pub(crate) fn output(&self) -> TokenStream {
        match self.mode {
            Mode::Forward => match &self.ret {
                Some((ty, Activity::Dual)) => quote!((#ty, #ty)),
                Some((ty, _)) => quote!(#ty),
                None => quote!(()),
            },
            Mode::Reverse => {
                let active: Vec<&Type> = self
                    .params
                    .iter()
                    .filter(|param| param.activity == Activity::Active)
                    .map(|param| &param.ty)
                    .collect();
                match (&self.ret, &active[..]) {
                    (Some((ty, Activity::Active | Activity::Const)), []) => quote!(#ty),
                    (Some((ty, Activity::Active | Activity::Const)), active) => quote!((#ty, #(#active),*)),
                    (_, []) => quote!(()),
                    (_, [one]) => quote!(#one),
                    (_, active) => quote!((#(#active),*)),
                }
            }
        }
    }

    /// Whether the derivative is unsafe to call.
    pub(crate) fn is_unsafe(&self) -> bool {
        self.params.iter().any(|param| param.activity.is_unsafe())
    }
}

/// A reference as one that can be changed.
fn mutable(mut ty: Type) -> Type {
    if let Type::Reference(reference) = &mut ty {
        reference.mutability = Some(Default::default());
    }
    ty
}
