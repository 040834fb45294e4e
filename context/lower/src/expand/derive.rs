//! `derive`: generates the impls of standard traits as text.
//!
//! - DERIVE1 a derived impl bounds every type parameter by the trait, as rustc's does.
//! - DERIVE2 the text names everything from `::core`, so the user's scope does not interfere.

use std::fmt::Write;

use quote::ToTokens;
use syn::punctuated::Punctuated;

use super::thiserror;
use crate::source::cfg::CfgOptions;
use crate::source::cfg::are_on;
use crate::source::hygiene::unmarked_name;

/// Whether this derive is supported.
pub(crate) fn is_known(name: &str) -> bool {
    path(name).is_some()
}

/// The path of a trait in `core`.
pub(crate) fn path(name: &str) -> Option<&'static str> {
    Some(match name {
        "Clone" => "clone::Clone",
        "Copy" => "marker::Copy",
        "Debug" => "fmt::Debug",
        "PartialEq" => "cmp::PartialEq",
        "Eq" => "cmp::Eq",
        "PartialOrd" => "cmp::PartialOrd",
        "Ord" => "cmp::Ord",
        "Hash" => "hash::Hash",
        "Default" => "default::Default",
        "Error" => "error::Error",
        _ => return None,
    })
}

/// A struct or a variant.
pub(super) struct Case<'a> {
    name: String,
    pub(super) path: String,
    pub(super) fields: Vec<(String, &'a syn::Field)>,
    pub(super) named: bool,
    unit: bool,
    pub(super) attrs: &'a [syn::Attribute],
}

impl Case<'_> {
    /// The pattern for a variant: `Self::A { x: a0, y: a1 }`.
    pub(super) fn pattern(&self, prefix: &str) -> String {
        let parts = self.fields.iter().enumerate().map(|(i, (name, _))| format!("{name}: {prefix}{i}"));
        format!("{} {{ {} }}", self.path, parts.collect::<Vec<_>>().join(", "))
    }
}

/// The impl of `of` for a type.
pub(crate) fn write(of: &str, tree: &syn::DeriveInput, cfg: &CfgOptions) -> Result<String, String> {
    let on = |field: &&syn::Field| are_on(&field.attrs, cfg);
    let case = |name: &syn::Ident, path: String, fields, attrs| {
        let (named, unit) = (matches!(fields, &syn::Fields::Named(_)), matches!(fields, &syn::Fields::Unit));
        let fields = fields
            .iter()
            .filter(on)
            .enumerate()
            .map(|(i, f)| (f.ident.as_ref().map_or_else(|| i.to_string(), ToString::to_string), f))
            .collect();
        Case { name: unmarked_name(&name.to_string()).to_string(), path, fields, named, unit, attrs }
    };
    let mut is_enum = false;
    let cases: Vec<Case<'_>> = match &tree.data {
        syn::Data::Struct(it) => vec![case(&tree.ident, "Self".to_owned(), &it.fields, &tree.attrs)],
        syn::Data::Enum(it) => {
            is_enum = true;
            let on = |v: &&syn::Variant| are_on(&v.attrs, cfg);
            it.variants
                .iter()
                .filter(on)
                .map(|v| case(&v.ident, format!("Self::{}", v.ident), &v.fields, &v.attrs))
                .collect()
        }
        // A bytewise copy.
        syn::Data::Union(_) if matches!(of, "Clone" | "Copy") => vec![],
        syn::Data::Union(_) => return Err(format!("derive({of}) has no meaning for a union")),
    };
    if let Some((path, body)) = thiserror::write(of, tree, &cases) {
        return Ok(header(&path, None, tree) + " {" + &body + "}");
    }
    let Some(path) = path(of) else { return Err(format!("derive({of}) has no meaning here")) };
    let body = match of {
        "Clone" if cases.is_empty() && matches!(tree.data, syn::Data::Union(_)) => {
            "fn clone(&self) -> Self { *self }".to_owned()
        }
        "Clone" => clone(&cases),
        "Copy" | "Eq" => String::new(),
        "Debug" => debug(&cases),
        "PartialEq" => partial_eq(&cases),
        "PartialOrd" => order(&cases, &discriminants(tree, cfg), true),
        "Ord" => order(&cases, &discriminants(tree, cfg), false),
        "Hash" => hash(&cases, &discriminants(tree, cfg), is_enum),
        "Default" => default(&cases, is_enum)?,
        _ => String::new(),
    };
    let path = format!("::core::{path}");
    // Iterators of the prelude, which hold references only.
    let is_bounded = !tree.attrs.iter().any(|attr| attr.path().is_ident("unbounded"));
    Ok(header(&path, is_bounded.then_some(path.as_str()), tree) + " {" + &body + "}")
}

/// `impl<T: Bound> Path for Type<T>`.
fn header(path: &str, bound: Option<&str>, tree: &syn::DeriveInput) -> String {
    let (mut params, mut args) = (Vec::new(), Vec::new());
    for param in &tree.generics.params {
        match param {
            syn::GenericParam::Lifetime(it) => {
                params.push(it.lifetime.to_string());
                args.push(it.lifetime.to_string());
            }
            syn::GenericParam::Type(it) => {
                let declared = it.bounds.to_token_stream().to_string();
                let bounds: Vec<&str> =
                    [declared.as_str()].into_iter().filter(|text| !text.is_empty()).chain(bound).collect();
                params.push(format!("{}: {}", it.ident, bounds.join(" + ")));
                args.push(it.ident.to_string());
            }
            syn::GenericParam::Const(it) => {
                params.push(format!("const {}: {}", it.ident, it.ty.to_token_stream()));
                args.push(it.ident.to_string());
            }
        }
    }
    let clause = tree.generics.where_clause.to_token_stream();
    let (params, args) = (params.join(", "), args.join(", "));
    format!("impl<{params}> {path} for {}<{args}> {clause}", tree.ident)
}

fn clone(cases: &[Case<'_>]) -> String {
    let mut arms = String::new();
    for case in cases {
        let parts = case.fields.iter().enumerate();
        let parts: Vec<_> =
            parts.map(|(i, (name, _))| format!("{name}: ::core::clone::Clone::clone(a{i})")).collect();
        let _ = write!(arms, "{} => {} {{ {} }},", case.pattern("a"), case.path, parts.join(", "));
    }
    format!("fn clone(&self) -> Self {{ match self {{ {arms} }} }}")
}

fn debug(cases: &[Case<'_>]) -> String {
    let mut arms = String::new();
    for case in cases {
        let name = &case.name;
        let arm = if case.unit {
            format!("::core::fmt::Formatter::write_str(f, \"{name}\")")
        } else if case.named {
            let parts = case.fields.iter().enumerate();
            let parts: String = parts
                .map(|(i, (field, _))| format!(".field(\"{}\", a{i})", field.trim_start_matches("r#")))
                .collect();
            format!("::core::fmt::Formatter::debug_struct(f, \"{name}\"){parts}.finish()")
        } else {
            let parts: String = (0..case.fields.len()).map(|i| format!(".field(a{i})")).collect();
            format!("::core::fmt::Formatter::debug_tuple(f, \"{name}\"){parts}.finish()")
        };
        let _ = write!(arms, "{} => {arm},", case.pattern("a"));
    }
    let result = "::core::result::Result<(), ::core::fmt::Error>";
    format!("fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> {result} {{ match self {{ {arms} }} }}")
}

fn partial_eq(cases: &[Case<'_>]) -> String {
    let mut arms = String::new();
    for case in cases {
        let parts: Vec<_> = (0..case.fields.len()).map(|i| format!("*a{i} == *b{i}")).collect();
        let all = if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") };
        let _ = write!(arms, "({}, {}) => {all},", case.pattern("a"), case.pattern("b"));
    }
    if cases.len() != 1 {
        arms.push_str("_ => false,");
    }
    format!("fn eq(&self, other: &Self) -> bool {{ match (self, other) {{ {arms} }} }}")
}

/// The discriminants of the variants of an enum, in the type of its `repr`.
fn discriminants(tree: &syn::DeriveInput, cfg: &CfgOptions) -> Vec<String> {
    let syn::Data::Enum(it) = &tree.data else { return Vec::new() };
    let reprs = tree.attrs.iter().filter(|attr| attr.path().is_ident("repr")).flat_map(|attr| {
        attr.parse_args_with(Punctuated::<syn::Path, syn::Token![,]>::parse_terminated).unwrap_or_default()
    });
    let repr = reprs.filter_map(|path| path.get_ident().map(ToString::to_string));
    let repr = repr.filter(|name| name.starts_with(['i', 'u'])).last().unwrap_or_else(|| "isize".to_owned());
    let (mut base, mut after) = (None, 0);
    let variants = it.variants.iter().filter(|variant| are_on(&variant.attrs, cfg));
    let discriminant = |variant: &syn::Variant| {
        if let Some((_, expr)) = &variant.discriminant {
            (base, after) = (Some(expr.to_token_stream().to_string()), 0);
        }
        let text = match &base {
            None => format!("{after}{repr}"),
            Some(base) => format!("(({base}) as {repr} + {after}{repr})"),
        };
        after += 1;
        text
    };
    variants.map(discriminant).collect()
}

fn tag(cases: &[Case<'_>], tags: &[String], of: &str) -> String {
    let arms: String =
        cases.iter().zip(tags).map(|(case, tag)| format!("{} {{ .. }} => {tag},", case.path)).collect();
    format!("match {of} {{ {arms} }}")
}

fn order(cases: &[Case<'_>], tags: &[String], partial: bool) -> String {
    let (name, path, ret) = if partial {
        ("partial_cmp", "PartialOrd::partial_cmp", "::core::option::Option<::core::cmp::Ordering>")
    } else {
        ("cmp", "Ord::cmp", "::core::cmp::Ordering")
    };
    let equal = "::core::cmp::Ordering::Equal";
    let equal = if partial { format!("::core::option::Option::Some({equal})") } else { equal.to_owned() };
    let mut arms = String::new();
    for case in cases {
        let mut value = equal.clone();
        for i in (0..case.fields.len()).rev() {
            let comparison = format!("::core::cmp::{path}(a{i}, b{i})");
            value = if value == equal {
                comparison
            } else {
                format!("match {comparison} {{ {equal} => {value}, unequal => unequal }}")
            };
        }
        let _ = write!(arms, "({}, {}) => {value},", case.pattern("a"), case.pattern("b"));
    }
    if cases.len() != 1 {
        let (a, b) = (tag(cases, tags, "self"), tag(cases, tags, "other"));
        let _ = write!(arms, "_ => ::core::cmp::{path}(&{a}, &{b}),");
    }
    format!("fn {name}(&self, other: &Self) -> {ret} {{ match (self, other) {{ {arms} }} }}")
}

fn hash(cases: &[Case<'_>], tags: &[String], is_enum: bool) -> String {
    let mut arms = String::new();
    for case in cases {
        let parts: String =
            (0..case.fields.len()).map(|i| format!("::core::hash::Hash::hash(a{i}, state);")).collect();
        let _ = write!(arms, "{} => {{ {parts} }}", case.pattern("a"));
    }
    let tag = if is_enum {
        format!("::core::hash::Hash::hash(&{}, state);", tag(cases, tags, "self"))
    } else {
        String::new()
    };
    format!("fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {{ {tag} match self {{ {arms} }} }}")
}

fn default(cases: &[Case<'_>], is_enum: bool) -> Result<String, String> {
    let marked = |case: &&Case<'_>| case.attrs.iter().any(|a| a.path().is_ident("default"));
    let case = if is_enum { cases.iter().find(marked) } else { cases.first() };
    let Some(case) = case else { return Err("no variant has `#[default]`".to_owned()) };
    let parts: Vec<_> =
        case.fields.iter().map(|(name, _)| format!("{name}: ::core::default::Default::default()")).collect();
    Ok(format!("fn default() -> Self {{ {} {{ {} }} }}", case.path, parts.join(", ")))
}
