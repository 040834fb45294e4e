//! `#[derive(Dub)]`: conversion of the values of a struct or an enum into and out of programs.
//!
//! - D1 the conversion agrees with the lowering of the registered source: fields in declaration order,
//!   variants numbered in declaration order.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, Result, parse_quote};

use crate::register::{self, Registration};
use crate::{refuse, surroundings, text};

/// The impls, and the registration.
pub(crate) fn expand(tokens: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(tokens.clone())?;
    if let Data::Union(of) = &input.data {
        return Err(refuse::union(of.union_token.span));
    }
    let mut crate_path: syn::Path = parse_quote!(::overdub);
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("dub")) {
        crate_path = crate::crate_path_of(attr.parse_args()?)?;
    }
    let surrounding = surroundings::of(input.ident.span());
    let mut pieces = surrounding.uses;
    // Without the other derives, `==` and `clone` would have no meaning in the program.
    pieces.push(with_derives(text::rebuild(tokens), surrounding.derives, input.ident.span())?);
    let registration =
        Registration { crate_path: crate_path.clone(), pieces, funcs: vec![], conditions: vec![] };
    let registered = register::items(&registration);
    let impls = impls(&input, &crate_path);
    Ok(quote!(#impls #registered))
}

/// The source of the item, preceded by its `derive` attributes.
fn with_derives(item: Option<text::Piece>, derives: Vec<text::Piece>, span: Span) -> Result<text::Piece> {
    let mut parts: Vec<text::Piece> = derives.into_iter().chain(item).collect();
    parts.sort_by_key(|piece| (piece.start.line, piece.start.column));
    text::join(parts).ok_or_else(|| Error::new(span, "there is nothing to derive for"))
}

/// The shape by which a value is destructured or constructed.
struct VariantShape<'i> {
    /// `Self`, or `Self::Variant`.
    path: TokenStream,
    tag: u32,
    fields: &'i Fields,
}

impl VariantShape<'_> {
    fn names(&self) -> Vec<Ident> {
        (0..self.fields.len()).map(|i| format_ident!("field_{i}")).collect()
    }

    /// The pattern, or the expression, with a variable for each field.
    fn with_names(&self) -> TokenStream {
        let (path, names) = (&self.path, self.names());
        match self.fields {
            Fields::Named(fields) => {
                let idents = fields.named.iter().map(|field| &field.ident);
                quote!(#path { #(#idents: #names),* })
            }
            Fields::Unnamed(_) => quote!(#path(#(#names),*)),
            Fields::Unit => path.clone(),
        }
    }
}

fn shapes(input: &DeriveInput) -> Vec<VariantShape<'_>> {
    match &input.data {
        Data::Struct(of) => vec![VariantShape { path: quote!(Self), tag: 0, fields: &of.fields }],
        Data::Enum(of) => {
            let shape = |(tag, variant): (u32, &'_ syn::Variant)| {
                let ident = &variant.ident;
                (quote!(Self::#ident), tag)
            };
            let paths = (0..).zip(&of.variants).map(shape);
            let both = paths.zip(&of.variants);
            both.map(|((path, tag), variant)| VariantShape { path, tag, fields: &variant.fields }).collect()
        }
        Data::Union(_) => vec![],
    }
}

fn impls(input: &DeriveInput, crate_path: &syn::Path) -> TokenStream {
    let name = &input.ident;
    let convert = quote!(#crate_path::__private::context::value);
    let shapes = shapes(input);
    let (_, of_type, _) = input.generics.split_for_impl();
    let with = |bound: TokenStream| {
        let mut generics = input.generics.clone();
        let params: Vec<Ident> = generics.type_params().map(|param| param.ident.clone()).collect();
        let clause = generics.make_where_clause();
        clause
            .predicates
            .extend(params.iter().map(|param| -> syn::WherePredicate { parse_quote!(#param: #bound) }));
        generics
    };

    let has_ty = with(quote!(#convert::HasTy));
    let (of_has, _, where_has) = has_ty.split_for_impl();

    let mut into = with(quote!(#convert::IntoValue<'__value>));
    into.params.insert(0, parse_quote!('__value));
    let field_bounds = borrowed_fields(input).map(|ty| quote!(#ty: #convert::IntoValue<'__value>));
    let bounds: Vec<syn::WherePredicate> = field_bounds.map(|bound| parse_quote!(#bound)).collect();
    into.make_where_clause().predicates.extend(bounds);
    let (of_into, _, where_into) = into.split_for_impl();
    let into_arms = shapes.iter().map(|shape| {
        let (pattern, names, tag) = (shape.with_names(), shape.names(), shape.tag);
        quote!(#pattern => (#tag, ::std::vec![#(#convert::IntoValue::into_value(#names)),*]))
    });

    let lend = with(quote!(#convert::Lend));
    let (of_lend, _, where_lend) = lend.split_for_impl();
    let lend_arms = shapes.iter().map(|shape| {
        let (pattern, names, tag) = (shape.with_names(), shape.names(), shape.tag);
        quote!(#pattern => (#tag, ::std::vec![#(#convert::Lend::lend(#names)),*]))
    });

    let floats = (!has_borrows(input)).then(|| {
        let floats = with(quote!(#convert::FromValue + #convert::Lend));
        let (of_floats, _, where_floats) = floats.split_for_impl();
        quote! {
            impl #of_floats #convert::Floats for #name #of_type #where_floats {
                type Of = Self;

                fn floats_of(value: #convert::Value<'_>) -> ::core::result::Result<Self, #convert::Mismatch> {
                    #convert::FromValue::from_value(value)
                }

                fn value_of(floats: Self) -> #convert::Value<'static> {
                    #convert::Lend::lend(&floats).into_owned()
                }
            }
        }
    });
    let from = (!has_borrows(input)).then(|| {
        let from = with(quote!(#convert::FromValue));
        let (of_from, _, where_from) = from.split_for_impl();
        let arms = shapes.iter().map(|shape| {
            let (value, names, tag) = (shape.with_names(), shape.names(), shape.tag);
            quote!(#tag => {
                #(let #names = #convert::FromValue::from_value(parts.next().unwrap_or(#convert::Value::Unit))?;)*
                ::core::result::Result::Ok(#value)
            })
        });
        quote! {
            impl #of_from #convert::FromValue for #name #of_type #where_from {
                fn from_value(
                    value: #convert::Value<'_>,
                ) -> ::core::result::Result<Self, #convert::Mismatch> {
                    let (tag, parts) = #convert::variant_of::<Self>(value)?;
                    #[allow(unused_mut, unused_variables)]
                    let mut parts = parts.into_iter();
                    match tag {
                        #(#arms,)*
                        _ => ::core::result::Result::Err(#convert::Mismatch::of::<Self>(&#convert::Value::Unit)),
                    }
                }
            }
        }
    });

    quote! {
        impl #of_has #convert::HasTy for #name #of_type #where_has {
            fn ty() -> #crate_path::__private::context::ir::Ty {
                #crate_path::__private::ir_ty_or_opaque::<Self>()
            }
        }

        impl #of_into #convert::IntoValue<'__value> for #name #of_type #where_into {
            fn into_value(self) -> #convert::Value<'__value> {
                let (tag, parts) = match self { #(#into_arms,)* };
                #convert::variant(<Self as #convert::HasTy>::ty(), tag, parts.into_iter().collect())
            }
        }

        impl #of_lend #convert::Lend for #name #of_type #where_lend {
            fn lend(&self) -> #convert::Value<'_> {
                let (tag, parts) = match self { #(#lend_arms,)* };
                #convert::variant(<Self as #convert::HasTy>::ty(), tag, parts.into_iter().collect())
            }
        }

        #from

        #floats
    }
}

fn fields(input: &DeriveInput) -> impl Iterator<Item = &Field> {
    let of_struct = match &input.data {
        Data::Struct(of) => Some(&of.fields),
        Data::Enum(_) | Data::Union(_) => None,
    };
    let of_enum = match &input.data {
        Data::Enum(of) => Some(of.variants.iter().map(|variant| &variant.fields)),
        Data::Struct(_) | Data::Union(_) => None,
    };
    of_struct.into_iter().chain(of_enum.into_iter().flatten()).flatten()
}

/// The types of all fields if the item has lifetime parameters; none otherwise.
fn borrowed_fields(input: &DeriveInput) -> impl Iterator<Item = &syn::Type> {
    let borrows = has_borrows(input);
    fields(input).map(|field| &field.ty).filter(move |_| borrows)
}

fn has_borrows(input: &DeriveInput) -> bool {
    input.generics.lifetimes().next().is_some()
}
