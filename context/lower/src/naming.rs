//! Functions and types by the names that rustc gives their types: `krate::dot<f64>`, `<krate::Disc as
//! krate::Area>::area`, `alloc::vec::Vec<f64>`.
//!
//! - RUSTCNAME1 a name is resolved in a scope that contains all crates and nothing else, unless the scope of
//!   its item is known.

use std::iter::Peekable;
use std::str::CharIndices;

use overdub_context::{Span, Symbol};

use crate::codes;
use crate::hir::{DefId, DefKind, Type};
use crate::infer::{Instance, Ty, Types};
use crate::lower::LowerError;
use crate::program::Program;
use crate::registration::Registered;
use crate::resolve::names::Meaning;
use crate::resolve::node::Space;
use crate::resolve::parse::name_of;
use crate::resolve::registered::ADVICE_TO_ANNOTATE;
use crate::resolve::types::{Head, TypeCx};
use crate::source::hygiene::unmarked_name;

/// The advice if the sources of crates are registered: a macro or a build script may have generated the
/// function.
const ADVICE_WITH_SOURCES: &str = "is it in a crate whose root file has `overdub::source!(crate)`, or in one that such a crate depends on, and \
                                     not made by a procedural macro or a build script?";

/// The function called `name`, resolved in the scope of `scope_item` or, without it, among all crates.
pub(crate) fn instance_named(
    types: &Types,
    name: &str,
    scope_item: Option<&Registered>,
) -> Result<Instance, LowerError> {
    if name.ends_with("{{closure}}") {
        let message = "the source of a plain closure is not known";
        return Err(LowerError::new(Span::unknown(), message).with_help("write it as `dub!(|x: f64| …)`"));
    }
    if name.starts_with("fn(") {
        let message = format!("which function a pointer of type `{name}` points to is not known");
        return Err(LowerError::new(Span::unknown(), message)
            .coded(codes::UNKNOWN_SOURCE)
            .with_help("pass the function itself, by its name: its type says which one it is"));
    }
    let program = types.program();
    let scope = scope_item.and_then(|item| program.scope_of_registered(item));
    let text = if scope_item.is_some() { name.to_owned() } else { to_rust_path(program, name)? };
    let found = find_fn(program, types, &text, scope.unwrap_or_else(|| program.names_scope()));
    match found {
        Ok(Some(instance)) => Ok(instance),
        Ok(None) => Err(unknown(program, name)),
        Err(error) if error.help.is_none() && scope_item.is_none() && !names_fn(program, &text) => {
            Err(unknown(program, name))
        }
        Err(error) => Err(error),
    }
}

/// The type called `name`.
pub(crate) fn ty_named(types: &Types, name: &str) -> Result<Ty, LowerError> {
    let program = types.program();
    let text = to_rust_path(program, name)?;
    let (tree, mut cx) = parse(program, &text, program.names_scope())?;
    let ty = cx.ty(&tree)?;
    Ok(types.read(&ty)?)
}

/// The item called `name` in a scope of registered items.
pub(crate) fn item_in(types: &Types, scope: &str, name: &str) -> Result<DefId, LowerError> {
    let program = types.program();
    let mut scopes = program.items().into_iter().flat_map(|items| items.scopes_named(scope));
    let module = scopes.next();
    if scopes.next().is_some() {
        return Err(ambiguous(scope));
    }
    let (name, space) = (Symbol::new(name), Space::Values);
    let found = module.and_then(|module| program.lookup_in(module, name, space, module, &mut Vec::new()));
    match found {
        Some(Meaning::Item(def)) => Ok(def),
        Some(Meaning::Prim(_)) | None => Err(unknown(program, &format!("{scope}::{name}"))),
    }
}

fn unknown(program: &Program, name: &str) -> LowerError {
    let message = format!("the source of the function `{name}` is not known");
    let help = if program.has_sources() { ADVICE_WITH_SOURCES } else { ADVICE_TO_ANNOTATE };
    LowerError::new(Span::unknown(), message).coded(codes::UNKNOWN_SOURCE).with_help(help)
}

fn ambiguous(path: &str) -> LowerError {
    let message = format!("`{path}` may be that of two crates of one name");
    let help = "rustc's names of types do not tell them apart: rename one of the crates";
    LowerError::new(Span::unknown(), message).coded(codes::UNKNOWN_SOURCE).with_help(help)
}

/// Whether the path names a function, so that the error is in its arguments.
fn names_fn(program: &Program, text: &str) -> bool {
    let path = text.split('<').next().unwrap_or(text);
    !path.is_empty() && program.is_path_of_names(path.trim_end_matches(':'))
}

fn parse<'p>(program: &'p Program, text: &str, scope: DefId) -> Result<(syn::Type, TypeCx<'p>), LowerError> {
    let source = program.sources.add_generated(text.to_owned(), Vec::new());
    let parser = <syn::Type as syn::parse::Parse>::parse;
    let (tree, origin) = program.parse(parser, source, 0, text.len() as u32)?;
    let mut cx = program.type_cx(&program.node(scope), origin)?;
    cx.scope = scope;
    Ok((tree, cx))
}

/// The function named by a path with all its type arguments, resolved in `scope`.
pub(crate) fn find_fn(
    program: &Program,
    types: &Types,
    text: &str,
    scope: DefId,
) -> Result<Option<Instance>, LowerError> {
    let (tree, mut cx) = parse(program, text, scope)?;
    let syn::Type::Path(syn::TypePath { qself, path, .. }) = &tree else { return Ok(None) };
    let Some(last) = path.segments.last() else { return Ok(None) };
    let count = path.segments.len();
    let args = cx.angle_args(&last.arguments)?;
    let (base, at, of) = match cx.head(qself.as_ref(), path, count, Space::Values)? {
        Head::Item(def, _) if program.head(def).kind == DefKind::Fn => {
            return Ok(Some(types.read_fn(def, &args)?));
        }
        Head::Item(..) => return Ok(None),
        Head::Type(ty, at) => (ty, at, None),
        Head::Trait(of, at) => match qself {
            Some(qself) => (cx.ty(&qself.ty)?, at, Some(of)),
            None => return Ok(None),
        },
    };
    if at + 1 != count {
        return Ok(None);
    }
    let base: Type = base;
    Ok(types.read_method(&base, of.as_ref(), name_of(&last.ident), &args)?)
}

/// The name as a Rust path in [`Program::names_scope`]: crates after `::`, enclosing functions by the names
/// of their blocks, items of the standard library by their paths in the prelude.
fn to_rust_path(program: &Program, name: &str) -> Result<String, LowerError> {
    // `core::f64::<impl f64>::sin`
    if let Some((_, inner)) = name.split_once("::<impl ")
        && let Some((ty, method)) = inner.rsplit_once(">::")
    {
        return Ok(format!("<{}>::{method}", to_rust_path(program, ty)?));
    }
    let mut text = String::new();
    let mut chars = name.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let starts = (c.is_alphabetic() || c == '_') && !name[..at].ends_with([':', '\'']);
        if !starts {
            text.push(c);
            continue;
        }
        text.push_str(&path(program, &name[at..path_end(name, at, &mut chars)])?);
    }
    Ok(text)
}

/// Consumes the rest of the path that begins at `at`, and returns its end.
fn path_end(name: &str, at: usize, chars: &mut Peekable<CharIndices<'_>>) -> usize {
    let mut end = at + name[at..].chars().next().map_or(0, char::len_utf8);
    while let Some(&(next, c)) = chars.peek() {
        if !(c.is_alphanumeric() || "_:{}#".contains(c)) {
            break;
        }
        end = next + c.len_utf8();
        chars.next();
    }
    end
}

fn path(program: &Program, path: &str) -> Result<String, LowerError> {
    let Some((first, rest)) = path.split_once("::") else { return Ok(path.to_owned()) };
    if matches!(first, "std" | "core" | "alloc") {
        let segments: Vec<Symbol> = rest.split("::").map(Symbol::new).collect();
        if program.std_item(&segments).is_some() {
            return Ok(format!("::std::{rest}"));
        }
        let last = segments.last().copied().unwrap_or_else(|| Symbol::new(rest));
        let found = program.item_of_prelude(Symbol::new("std"), last);
        return Ok(found.map_or_else(|| path.to_owned(), |path| format!("::{path}")));
    }
    let Some(items) = program.items() else { return Ok(path.to_owned()) };
    let encloses = |(_, scope, def): &(u32, &str, DefId)| {
        let within = path.strip_prefix(scope).and_then(|rest| rest.strip_prefix("::"));
        let is_in_it = |rest: &str| !rest.contains("::") && program.declares(*def, unmarked_name(rest));
        program.is_block(*def) && within.is_some_and(is_in_it)
    };
    let krate = unmarked_name(first);
    let from_names = || program.path_from_names(items, krate, rest).map_err(|_| ambiguous(path));
    // Annotated items of a function form a block beside that of its source, which contains what is not annotated, too.
    if items.sources().iter().any(|of| of.name == krate)
        && let Some(found) = from_names()?
    {
        return Ok(found);
    }
    let mut blocks = items.scopes().filter(encloses);
    if let Some((_, scope, block)) = blocks.next() {
        return match blocks.next() {
            Some(_) => Err(ambiguous(path)),
            None => Ok(format!("{}{}", program.reach(block), &path[scope.len()..])),
        };
    }
    Ok(from_names()?.unwrap_or_else(|| format!("::{krate}::{rest}")))
}
