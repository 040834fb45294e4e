//! The headers of items: everything before their braces.

use syn::parse::ParseStream;

/// A parsed item header.
pub(super) struct Header {
    pub(super) generics: syn::Generics,
    pub(super) bounds: Vec<syn::TypeParamBound>,
    pub(super) of: Option<syn::Path>,
    pub(super) ty: Option<syn::Type>,
}

fn bounds_of(input: ParseStream<'_>) -> syn::Result<Vec<syn::TypeParamBound>> {
    let mut bounds = Vec::new();
    if input.parse::<Option<syn::Token![:]>>()?.is_none() {
        return Ok(bounds);
    }
    while !input.is_empty() && !input.peek(syn::Token![where]) && !input.peek(syn::Token![=]) {
        bounds.push(input.parse()?);
        if input.parse::<Option<syn::Token![+]>>()?.is_none() {
            break;
        }
    }
    Ok(bounds)
}

/// `struct S<…> where …`, `enum`, `trait T<…>: Bounds where …`, `type A<…>: Bounds = Type where …`
pub(super) fn named_header(input: ParseStream<'_>) -> syn::Result<Header> {
    while !input.peek(syn::Token![struct])
        && !input.peek(syn::Token![enum])
        && !input.peek(syn::Token![trait])
        && !input.peek(syn::Token![type])
        && !input.peek(syn::Token![union])
    {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    input.parse::<proc_macro2::TokenTree>()?;
    input.parse::<syn::Ident>()?;
    let mut generics: syn::Generics = input.parse()?;
    let bounds = bounds_of(input)?;
    generics.where_clause = input.parse()?;
    let ty = if input.parse::<Option<syn::Token![=]>>()?.is_some() { Some(input.parse()?) } else { None };
    if generics.where_clause.is_none() {
        generics.where_clause = input.parse()?;
    }
    input.parse::<proc_macro2::TokenStream>()?;
    Ok(Header { generics, bounds, of: None, ty })
}

/// `impl<…> Trait for Type where …`
pub(super) fn impl_header(input: ParseStream<'_>) -> syn::Result<Header> {
    while !input.peek(syn::Token![impl]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    input.parse::<syn::Token![impl]>()?;
    let mut generics: syn::Generics =
        if input.peek(syn::Token![<]) { input.parse()? } else { syn::Generics::default() };
    input.parse::<Option<syn::Token![const]>>()?;
    input.parse::<Option<syn::Token![!]>>()?;
    let first: syn::Type = input.parse()?;
    let (of, ty) = if input.parse::<Option<syn::Token![for]>>()?.is_some() {
        (Some(first), input.parse()?)
    } else {
        (None, first)
    };
    generics.where_clause = input.parse()?;
    let of = match of {
        Some(syn::Type::Path(path)) => Some(path.path),
        Some(_) => return Err(input.error("expected a trait")),
        None => None,
    };
    Ok(Header { generics, bounds: Vec::new(), of, ty: Some(ty) })
}
