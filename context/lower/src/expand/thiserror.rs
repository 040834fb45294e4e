//! `#[derive(Error)]` of the crate [`thiserror`](https://docs.rs/thiserror): `Display`, `Error` and `From` for an error type.
//!
//! - THISERROR1 `Display` is derived if there is an `#[error(…)]`; a type without one has an impl of its own.
//! - THISERROR2 in `#[error("{0} at {line}", .position)]`, numbers, names and `.position` are fields; other arguments are
//!   expressions, in which names of fields are fields too.
//! - THISERROR3 no type parameter gets a bound: bodies are checked with the types of their instance.

use std::fmt::Write;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};

use super::derive::Case;
use crate::source::cfg::{CfgOptions, are_on};

const RESULT: &str = "::core::result::Result<(), ::core::fmt::Error>";

/// The impls that are derived for a type: the name of each in [`write`], and the last segment of its trait's path.
pub(crate) fn impls(tree: &syn::DeriveInput, cfg: &CfgOptions) -> Vec<(String, &'static str)> {
    let mut impls = vec![("Error".to_owned(), "Error")];
    let cases = attrs_and_fields(tree, cfg);
    if cases.iter().any(|(attrs, _)| has(attrs, "error")) || has(&tree.attrs, "error") {
        impls.push(("ErrorDisplay".to_owned(), "Display"));
    }
    let fields = cases.iter().flat_map(|(_, fields)| fields.iter()).filter(|field| are_on(&field.attrs, cfg));
    let sources = fields.filter(|field| has(&field.attrs, "from"));
    impls.extend(sources.enumerate().map(|(number, _)| (format!("ErrorFrom{number}"), "From")));
    impls
}

/// The attributes and the fields of each variant.
fn attrs_and_fields<'t>(
    tree: &'t syn::DeriveInput,
    cfg: &CfgOptions,
) -> Vec<(&'t [syn::Attribute], &'t syn::Fields)> {
    match &tree.data {
        syn::Data::Struct(it) => vec![(&tree.attrs, &it.fields)],
        syn::Data::Enum(it) => {
            let on = it.variants.iter().filter(|variant| are_on(&variant.attrs, cfg));
            on.map(|variant| (&variant.attrs[..], &variant.fields)).collect()
        }
        syn::Data::Union(_) => vec![],
    }
}

fn has(attrs: &[syn::Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}

/// The trait with its arguments, and the items of an impl.
pub(super) fn write(of: &str, tree: &syn::DeriveInput, cases: &[Case<'_>]) -> Option<(String, String)> {
    Some(match of {
        "Error" => ("::core::error::Error".to_owned(), source(cases)),
        "ErrorDisplay" => ("::core::fmt::Display".to_owned(), display(cases, &tree.attrs)),
        _ => from(cases, of.strip_prefix("ErrorFrom")?.parse().ok()?)?,
    })
}

fn display(cases: &[Case<'_>], of_type: &[syn::Attribute]) -> String {
    let mut arms = String::new();
    for case in cases {
        let error = |attrs: &[syn::Attribute]| {
            attrs.iter().find_map(|attr| match &attr.meta {
                syn::Meta::List(list) if list.path.is_ident("error") => Some(list.tokens.clone()),
                _ => None,
            })
        };
        let tokens = error(case.attrs).or_else(|| error(of_type)).unwrap_or_default();
        let arm = message.parse2(tokens).map(|message| message.write(case));
        // What is not understood is an error of the expression, where it stands.
        let arm = arm.unwrap_or_else(|cause| format!("::core::compile_error!({:?})", cause.to_string()));
        let _ = write!(arms, "{} => {arm},", bound(case));
    }
    format!(
        "#[allow(unused)] fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> {RESULT} {{ match self {{ {arms} }} }}"
    )
}

/// The pattern of a variant that binds its fields to their names, those of a tuple to `_0`, `_1`, ….
fn bound(case: &Case<'_>) -> String {
    if case.named {
        let names: Vec<_> = case.fields.iter().map(|(name, _)| name.clone()).collect();
        format!("{} {{ {} }}", case.path, names.join(", "))
    } else {
        case.pattern("_")
    }
}

/// What stands in `#[error(…)]`.
enum Message {
    /// `transparent`
    Transparent,
    /// `fmt = path`
    Function(syn::Path),
    /// A text and its arguments.
    Text(syn::LitStr, TokenStream),
}

fn message(input: ParseStream<'_>) -> syn::Result<Message> {
    if input.peek(syn::LitStr) {
        return Ok(Message::Text(input.parse()?, input.parse()?));
    }
    let word: syn::Ident = input.parse()?;
    if word == "transparent" {
        return Ok(Message::Transparent);
    }
    input.parse::<syn::Token![=]>()?;
    input.parse().map(Message::Function)
}

impl Message {
    fn write(&self, case: &Case<'_>) -> String {
        let name = |at: usize| match case.fields.get(at) {
            Some((name, _)) if case.named => name.clone(),
            _ => format!("_{at}"),
        };
        match self {
            Message::Transparent => format!("::core::fmt::Display::fmt({}, f)", name(0)),
            Message::Function(path) => {
                let args: String = (0..case.fields.len()).map(|at| name(at) + ", ").collect();
                format!("{}({args} f)", path.to_token_stream())
            }
            Message::Text(text, args) => {
                let value = text.value();
                let value = if case.named { value } else { numbers_as_names(&value) };
                format!("::core::write!(f, {:?} {})", value, fields_as_names(args.clone()))
            }
        }
    }
}

/// `"{0}"` with the names that patterns give to the fields of tuples.
fn numbers_as_names(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        match (c, chars.peek()) {
            ('{', Some('{')) => out.extend(chars.next()),
            ('{', Some(next)) if next.is_ascii_digit() => out.push('_'),
            _ => {}
        }
    }
    out
}

/// `.0` and `.line` where an expression begins as the names that patterns give to fields.
fn fields_as_names(args: TokenStream) -> String {
    let mut out = String::new();
    let mut begins = true;
    let mut tokens = args.into_iter();
    while let Some(token) = tokens.next() {
        let field = match &token {
            TokenTree::Punct(dot) if dot.as_char() == '.' && begins => tokens.next(),
            _ => None,
        };
        begins = matches!(&token, TokenTree::Punct(punct) if punct.as_char() != '.');
        match (field, token) {
            (Some(TokenTree::Literal(number)), _) => out += &format!("_{number}"),
            (Some(name), _) => out += &name.to_string(),
            (None, TokenTree::Group(group)) => {
                let inner = fields_as_names(group.stream());
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                out += &format!("{open}{inner}{close}");
            }
            (None, token) => {
                out += &token.to_string();
                // `&&`, `=>`, `::` are two tokens here.
                let joint =
                    matches!(&token, TokenTree::Punct(p) if p.spacing() == proc_macro2::Spacing::Joint);
                out += if joint { "" } else { " " };
            }
        }
    }
    out
}

/// The number of the field that is an error's cause.
fn cause(case: &Case<'_>) -> Option<usize> {
    let marked = |field: &syn::Field| has(&field.attrs, "source") || has(&field.attrs, "from");
    let named = |name: &String| case.named && name == "source";
    let fields = &case.fields;
    fields
        .iter()
        .position(|(_, field)| marked(field))
        .or_else(|| fields.iter().position(|(name, _)| named(name)))
}

fn source(cases: &[Case<'_>]) -> String {
    let transparent = |case: &Case<'_>| {
        case.attrs.iter().any(|attr| {
            matches!(&attr.meta, syn::Meta::List(list)
                if list.path.is_ident("error") && list.tokens.to_string() == "transparent")
        })
    };
    if !cases.iter().any(|case| transparent(case) || cause(case).is_some()) {
        return String::new();
    }
    let mut arms = String::new();
    for case in cases {
        let arm = match cause(case) {
            _ if transparent(case) => "::core::error::Error::source(a0)".to_owned(),
            None => "::core::option::Option::None".to_owned(),
            Some(at) => match head(&case.fields[at].1.ty).as_deref() {
                Some("Box") => format!("::core::option::Option::Some(&**a{at})"),
                Some("Option") => {
                    let (some, none) = ("::core::option::Option::Some", "::core::option::Option::None");
                    format!("match a{at} {{ {some}(cause) => {some}(cause), {none} => {none} }}")
                }
                _ => format!("::core::option::Option::Some(a{at})"),
            },
        };
        let _ = write!(arms, "{} => {arm},", case.pattern("a"));
    }
    format!(
        "#[allow(unused)] fn source(&self) -> ::core::option::Option<&(dyn ::core::error::Error + 'static)> {{ \
         match self {{ {arms} }} }}"
    )
}

/// The last segment of a type's path.
fn head(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// The impl for the field of this number among those with `#[from]`.
fn from(cases: &[Case<'_>], number: usize) -> Option<(String, String)> {
    let fields =
        cases.iter().flat_map(|case| case.fields.iter().map(move |(name, field)| (case, name, field)));
    let (case, name, field) = fields.filter(|(_, _, field)| has(&field.attrs, "from")).nth(number)?;
    let ty = field.ty.to_token_stream();
    let body = format!("fn from(source: {ty}) -> Self {{ {} {{ {name}: source }} }}", case.path);
    Some((format!("::core::convert::From<{ty}>"), body))
}
