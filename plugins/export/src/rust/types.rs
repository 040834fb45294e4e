//! Types in Rust, and the definitions of those of the program.

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Field, FnTy, Nominal, NominalBody, Ty, TyKind};

use super::names::{Names, member};
use crate::nominal::{fields_of, is_boxed, is_positional, type_name, variant_of};
use crate::options::{Failures, Library, Options};
use crate::ownership::is_copied;

/// A type has no counterpart.
pub(super) struct NoType(pub(super) Ty);

/// The names of the program's types, and which of their fields are boxed.
pub(super) struct Types<'p> {
    /// The paths of types that exist where the text will be.
    paths: &'p dyn Fn(Nominal) -> Option<String>,
    names: HashMap<Nominal, String>,
    /// In the order in which they are met.
    order: Vec<Nominal>,
    options: Options,
}

impl<'p> Types<'p> {
    pub(super) fn new(paths: &'p dyn Fn(Nominal) -> Option<String>, options: Options) -> Types<'p> {
        Types { paths, names: HashMap::new(), order: Vec::new(), options }
    }

    /// The library that the text uses.
    pub(super) fn library(&self) -> Library {
        self.options.library
    }

    /// The type as that of a value.
    pub(super) fn owned(&mut self, ty: Ty, names: &mut Names) -> Result<String, NoType> {
        Ok(match ty.kind() {
            TyKind::Unit => "()".to_owned(),
            TyKind::Never => self.options.library.path("std::convert::Infallible"),
            TyKind::Bool => "bool".to_owned(),
            TyKind::Char => "char".to_owned(),
            TyKind::Str => "String".to_owned(),
            TyKind::Int(int) => int.name().to_owned(),
            TyKind::Float(_) => ty.to_string(),
            TyKind::Tuple(parts) => self.tuple(parts, names)?,
            TyKind::Array(array) if array.rank == 1 => format!("Vec<{}>", self.owned(array.elem, names)?),
            TyKind::Stack(elem) => format!("Vec<{}>", self.owned(*elem, names)?),
            TyKind::Closure(closure) => self.tuple(&closure.captures, names)?,
            TyKind::Fn(FnTy { params, ret }) => {
                let params: Result<Vec<_>, _> =
                    params.iter().map(|&param| self.owned(param, names)).collect();
                let ret = self.owned(*ret, names)?;
                let ret = match self.options.failures {
                    Failures::Panic => ret,
                    Failures::Result => format!("Result<{ret}, Failure>"),
                };
                format!("Rc<dyn Fn({}) -> {ret}>", params?.join(", "))
            }
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => self.nominal(ty, *nominal, names)?,
            TyKind::Array(_) | TyKind::Ref(_) | TyKind::Opaque(_) => return Err(NoType(ty)),
        })
    }

    /// The type as that of a reference.
    pub(super) fn borrowed(&mut self, ty: Ty, names: &mut Names) -> Result<String, NoType> {
        Ok(match ty.kind() {
            TyKind::Str => "&str".to_owned(),
            TyKind::Array(array) if array.rank == 1 => format!("&[{}]", self.owned(array.elem, names)?),
            TyKind::Stack(elem) => format!("&[{}]", self.owned(*elem, names)?),
            _ => format!("&{}", self.owned(ty, names)?),
        })
    }

    fn tuple(&mut self, parts: &[Ty], names: &mut Names) -> Result<String, NoType> {
        let parts: Result<Vec<_>, _> = parts.iter().map(|&part| self.owned(part, names)).collect();
        Ok(match &parts?[..] {
            [one] => format!("({one},)"),
            parts => format!("({})", parts.join(", ")),
        })
    }

    fn nominal(&mut self, ty: Ty, nominal: Nominal, names: &mut Names) -> Result<String, NoType> {
        let args = nominal.args();
        match (nominal.in_universe() == Nominal::SHARED, nominal.name().as_str(), args) {
            (true, "Option", [elem]) => return Ok(format!("Option<{}>", self.owned(*elem, names)?)),
            (true, "Result", [ok, err]) => {
                return Ok(format!("Result<{}, {}>", self.owned(*ok, names)?, self.owned(*err, names)?));
            }
            (true, "Ordering", []) => return Ok(self.options.library.path("std::cmp::Ordering")),
            (true, "MaybeUninit", _) => return Err(NoType(ty)),
            _ => {}
        }
        if let Some(name) = self.names.get(&nominal) {
            return Ok(name.clone());
        }
        if let Some(path) = (self.paths)(nominal) {
            // The form with `::` is one of types, of expressions and of patterns.
            let args: Result<Vec<_>, _> = args.iter().map(|&arg| self.owned(arg, names)).collect();
            let name = match &args?[..] {
                [] => path,
                args => format!("{path}::<{}>", args.join(", ")),
            };
            self.names.insert(nominal, name.clone());
            return Ok(name);
        }
        let Some(body) = nominal.body() else { return Err(NoType(ty)) };
        let name = names.unique(&type_name(&nominal.name()));
        self.names.insert(nominal, name.clone());
        self.order.push(nominal);
        for ty in fields_of(body).map(|field| field.ty) {
            self.owned(ty, names)?;
        }
        Ok(name)
    }

    /// The path of a variant.
    pub(super) fn variant(&mut self, ty: Ty, tag: usize, names: &mut Names) -> Result<String, NoType> {
        let Some((nominal, variant)) = variant_of(ty, tag) else { return Err(NoType(ty)) };
        let name = variant.name.to_string();
        if nominal.in_universe() == Nominal::SHARED {
            return Ok(match nominal.name().as_str() {
                "Ordering" => self.options.library.path(&format!("std::cmp::Ordering::{name}")),
                _ => name,
            });
        }
        Ok(format!("{}::{}", self.owned(ty, names)?, member(&name)))
    }

    /// The definitions of the program's types.
    pub(super) fn definitions(&mut self, names: &mut Names) -> Result<String, NoType> {
        let mut text = String::new();
        // Printing a type may meet further ones.
        let mut at = 0;
        while let Some(&nominal) = self.order.get(at) {
            let name = self.names[&nominal].clone();
            let Some(body) = nominal.body() else { continue };
            let ty = match body {
                NominalBody::Struct(_) => Ty::new(TyKind::Struct(nominal)),
                NominalBody::Enum(_) => Ty::new(TyKind::Enum(nominal)),
            };
            let holds_function = holds_function(ty, &mut HashSet::new());
            let derives: Vec<&str> = [
                Some("Clone"),
                is_copied(ty).then_some("Copy"),
                (!holds_function).then_some("Debug"),
                (!holds_function).then_some("PartialEq"),
            ]
            .into_iter()
            .flatten()
            .collect();
            text.push_str(&format!("\n/// The type `{ty}`.\n"));
            text.push_str(&format!("#[derive({})]\n", derives.join(", ")));
            match body {
                NominalBody::Struct(fields) => {
                    let fields = self.fields(ty, 0, fields, "pub ", 1, names)?;
                    let end = if fields.starts_with('(') || fields.is_empty() { ";" } else { "" };
                    text.push_str(&format!("pub struct {name}{fields}{end}\n"));
                }
                NominalBody::Enum(variants) if variants.is_empty() => {
                    text.push_str(&format!("pub enum {name} {{}}\n"));
                }
                NominalBody::Enum(variants) => {
                    text.push_str(&format!("pub enum {name} {{\n"));
                    for (tag, variant) in variants.iter().enumerate() {
                        let fields = self.fields(ty, tag, &variant.fields, "", 2, names)?;
                        text.push_str(&format!("    {}{fields},\n", member(&variant.name)));
                    }
                    text.push_str("}\n");
                }
            }
            at += 1;
        }
        Ok(text)
    }

    fn fields(
        &mut self,
        ty: Ty,
        tag: usize,
        fields: &[Field],
        vis: &str,
        indent: usize,
        names: &mut Names,
    ) -> Result<String, NoType> {
        let mut types = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            let text = self.owned(field.ty, names)?;
            types.push(if is_boxed(ty, tag, number) { format!("Box<{text}>") } else { text });
        }
        if fields.is_empty() {
            return Ok(String::new());
        }
        if is_positional(fields) {
            let types: Vec<String> = types.into_iter().map(|ty| format!("{vis}{ty}")).collect();
            return Ok(format!("({})", types.join(", ")));
        }
        let each: Vec<String> = fields
            .iter()
            .zip(types)
            .map(|(field, ty)| format!("{vis}{}: {ty}", member(&field.name)))
            .collect();
        // rustfmt keeps short variants on one line.
        let line = format!(" {{ {} }}", each.join(", "));
        if indent == 2 && line.len() <= 35 {
            return Ok(line);
        }
        let pad = "    ".repeat(indent);
        let lines: String = each.iter().map(|field| format!("{pad}{field},\n")).collect();
        Ok(format!(" {{\n{lines}{}}}", "    ".repeat(indent - 1)))
    }
}

fn holds_function(ty: Ty, seen: &mut HashSet<Ty>) -> bool {
    seen.insert(ty)
        && match ty.kind() {
            TyKind::Fn(_) => true,
            TyKind::Tuple(parts) => parts.iter().any(|&part| holds_function(part, seen)),
            TyKind::Closure(closure) => closure.captures.iter().any(|&part| holds_function(part, seen)),
            TyKind::Array(array) => holds_function(array.elem, seen),
            TyKind::Stack(elem) => holds_function(*elem, seen),
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => {
                nominal.body().is_some_and(|body| fields_of(body).any(|field| holds_function(field.ty, seen)))
            }
            _ => false,
        }
}
