//! Functions and types by the names that rustc gives their types: `krate::dot<f64>`, `<krate::Disc as
//! krate::Area>::area`, `alloc::vec::Vec<f64>`.
//!
//! - RUSTCNAME1 a name is read with all crates in reach and nothing else around, unless it comes with the place of
//!   its item.

use std::iter::Peekable;
use std::str::CharIndices;

use overdub_context::{Span, Symbol};

use crate::hir::{DefId, DefKind, Type};
use crate::infer::{Instance, Ty, Types};
use crate::lower::LowerError;
use crate::program::Program;
use crate::registration::Registered;
use crate::resolve::names::Meaning;
use crate::resolve::node::Space;
use crate::resolve::parse::name_of;
use crate::resolve::types::{Head, TypeCx};

const ADVICE: &str = "annotate it with `#[dub]`";

/// The function that `name` names, from where `beside` stands, or from anywhere.
pub(crate) fn instance_named(
    types: &Types,
    name: &str,
    beside: Option<&Registered>,
) -> Result<Instance, LowerError> {
    if name.ends_with("{{closure}}") {
        let message = "the source of a plain closure is not known";
        return Err(LowerError::new(Span::unknown(), message).with_help("write it as `dub!(|x: f64| …)`"));
    }
    let program = types.program();
    let scope = beside.and_then(|item| program.items()?.scope(item.scope_name()));
    let text = if beside.is_some() { name.to_owned() } else { written(program, name) };
    let found = find_fn(program, types, &text, scope.unwrap_or_else(|| program.root()));
    match found {
        Ok(Some(instance)) => Ok(instance),
        Ok(None) => Err(unknown(name)),
        Err(error) if error.help.is_none() && beside.is_none() && !names_fn(program, &text) => {
            Err(unknown(name))
        }
        Err(error) => Err(error),
    }
}

/// The type that `name` names.
pub(crate) fn ty_named(types: &Types, name: &str) -> Result<Ty, LowerError> {
    let program = types.program();
    let text = written(program, name);
    let (tree, mut cx) = parse(program, &text, program.root())?;
    let ty = cx.ty(&tree)?;
    Ok(types.read(&ty)?)
}

/// The item called `name` in a scope of registered items.
pub(crate) fn item_in(types: &Types, scope: &str, name: &str) -> Result<DefId, LowerError> {
    let program = types.program();
    let module = program.items().and_then(|items| items.scope(scope));
    let (name, space) = (Symbol::new(name), Space::Values);
    let found = module.and_then(|module| program.lookup_in(module, name, space, module, &mut Vec::new()));
    match found {
        Some(Meaning::Item(def)) => Ok(def),
        Some(Meaning::Prim(_)) | None => Err(unknown(&format!("{scope}::{name}"))),
    }
}

fn unknown(name: &str) -> LowerError {
    let message = format!("the source of the function `{name}` is not known");
    LowerError::new(Span::unknown(), message).with_help(ADVICE)
}

/// Whether the path leads to a function, so that what is wrong is wrong with its arguments.
fn names_fn(program: &Program, text: &str) -> bool {
    program.lookup(text.trim_start_matches(':')).is_ok()
}

fn parse<'p>(program: &'p Program, text: &str, scope: DefId) -> Result<(syn::Type, TypeCx<'p>), LowerError> {
    let source = program.sources.add_made(text.to_owned(), Vec::new());
    let parser = <syn::Type as syn::parse::Parse>::parse;
    let (tree, origin) = program.parse(parser, source, 0, text.len() as u32)?;
    let mut cx = program.type_cx(&program.node(scope), origin)?;
    cx.scope = scope;
    Ok((tree, cx))
}

/// The function that a path with all its arguments names, seen from `scope`.
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

/// The name as a path of Rust: crates after `::`, functions around items by the names of their blocks, items of the
/// standard library where our own has them.
fn written(program: &Program, name: &str) -> String {
    // `core::f64::<impl f64>::sin`
    if let Some((_, inner)) = name.split_once("::<impl ")
        && let Some((ty, method)) = inner.rsplit_once(">::")
    {
        return format!("<{}>::{method}", written(program, ty));
    }
    let mut text = String::new();
    let mut chars = name.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let starts = (c.is_alphabetic() || c == '_') && !name[..at].ends_with([':', '\'']);
        if !starts {
            text.push(c);
            continue;
        }
        text.push_str(&path(program, &name[at..path_end(name, at, &mut chars)]));
    }
    text
}

/// Takes the rest of the path that begins at `at`; gives its end.
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

fn path(program: &Program, path: &str) -> String {
    let Some((first, rest)) = path.split_once("::") else { return path.to_owned() };
    if matches!(first, "std" | "core" | "alloc") {
        let segments: Vec<Symbol> = rest.split("::").map(Symbol::new).collect();
        if program.std_item(&segments).is_some() {
            return format!("::std::{rest}");
        }
        let last = segments.last().copied().unwrap_or_else(|| Symbol::new(rest));
        return program.std_item_named(last).map_or_else(|| path.to_owned(), |path| format!("::{path}"));
    }
    let Some(items) = program.items() else { return path.to_owned() };
    let blocks = items.scopes().filter(|&(_, def)| program.is_block(def));
    for (scope, def) in blocks {
        if let Some(rest) = path.strip_prefix(scope).and_then(|rest| rest.strip_prefix("::"))
            && !rest.contains("::")
        {
            return format!("::{first}::{}::{rest}", Program::block_name(def));
        }
    }
    format!("::{path}")
}
