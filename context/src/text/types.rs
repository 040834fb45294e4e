//! Converts type syntax to types: declarations become nominal types in a universe identified by their text.

use hashbrown::HashMap;

use super::error::{ByteRange, Faults, ParseErrorKind};
use super::syntax::{DeclBody, DeclSyntax, Name, TypeKind, TypeSyntax};
use crate::Symbol;
use crate::ir::{Field, IntTy, Nominal, NominalBody, Ty, TyKind, VariantTy};
use crate::names::nearest;

/// The types without parts, by name.
fn scalar(name: &str) -> Option<Ty> {
    Some(match name {
        "unit" => Ty::unit(),
        "never" => Ty::never(),
        "bool" => Ty::bool(),
        "char" => Ty::char(),
        "str" => Ty::str(),
        "f32" => Ty::f32(),
        "f64" => Ty::f64(),
        _ => Ty::int(IntTy::ALL.into_iter().find(|int| int.name() == name)?),
    })
}

const SCALARS: &[&str] = &["unit", "never", "bool", "char", "str", "f32", "f64"];

/// The types that a text may refer to.
#[derive(Default)]
pub(super) struct Types {
    /// Declared types by name, each with its arguments.
    named: HashMap<Symbol, Vec<Ty>>,
}

impl Types {
    /// Adds a type under its name.
    pub(super) fn add(&mut self, ty: Ty) {
        if let Some(nominal) = ty.as_nominal() {
            self.named.entry(nominal.name()).or_default().push(ty);
        }
    }

    /// The declared types of this name.
    pub(super) fn of_name(&self, name: Symbol) -> &[Ty] {
        self.named.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Adds the declared types; returns them in declaration order.
    pub(super) fn declare(&mut self, decls: &[DeclSyntax], faults: &mut Faults<'_>) -> Vec<Ty> {
        let universe = Nominal::universe(Symbol::new(&self.universe_key(decls)));
        let mut heads = Heads { universe, kinds: HashMap::new() };
        for decl in decls {
            heads.kinds.entry(decl.name.node).or_insert((decl.is_struct(), decl.name.at));
        }
        let mut first: HashMap<Ty, ByteRange> = HashMap::new();
        let mut declared = Vec::new();
        for decl in decls {
            let name = decl.name.node;
            if scalar(&name).is_some() || ["Option", "Ordering"].contains(&&*name) {
                faults.push(decl.name.at, ParseErrorKind::BuiltIn(name.to_string()));
                continue;
            }
            let (is_struct, place) = heads.kinds[&name];
            if is_struct != decl.is_struct() {
                let first = faults.source.span(place).line;
                faults.push(decl.name.at, ParseErrorKind::Duplicate { name: name.to_string(), first });
                continue;
            }
            let args: Option<Vec<Ty>> =
                decl.args.iter().map(|arg| self.resolve_with(arg, Some(&heads), faults)).collect();
            let Some(args) = args else { continue };
            let ty = heads.nominal(name, args);
            if let Some(&place) = first.get(&ty) {
                let first = faults.source.span(place).line;
                faults.push(decl.name.at, ParseErrorKind::Duplicate { name: ty.to_string(), first });
                continue;
            }
            first.insert(ty, decl.name.at);
            self.add(ty);
            declared.push((decl, ty));
        }
        for (decl, ty) in &declared {
            for arg in &decl.args {
                self.resolve(arg, faults);
            }
            if let (Some(nominal), Some(body)) = (ty.as_nominal(), self.body(&decl.body, faults)) {
                nominal.define(body);
            }
        }
        declared.into_iter().map(|(_, ty)| ty).collect()
    }

    /// A key that is equal for equal declarations over the same known types.
    fn universe_key(&self, decls: &[DeclSyntax]) -> String {
        let known = self.named.values().flatten().filter_map(|ty| ty.as_nominal());
        let mut known: Vec<String> =
            known.map(|nominal| format!("{nominal} of {}", nominal.in_universe())).collect();
        known.sort_unstable();
        format!("text {} over {}", fingerprint(decls), known.join(", "))
    }

    fn body(&self, body: &DeclBody, faults: &mut Faults<'_>) -> Option<NominalBody> {
        match body {
            DeclBody::Struct(fields) => Some(NominalBody::Struct(self.fields(fields, faults)?)),
            DeclBody::Enum(variants) => {
                unique(variants.iter().map(|(name, _)| name), faults);
                let variants = variants.iter().map(|(name, fields)| {
                    Some(VariantTy { name: name.node, fields: self.fields(fields, faults)? })
                });
                Some(NominalBody::Enum(variants.collect::<Option<_>>()?))
            }
        }
    }

    fn fields(&self, fields: &[(Name, TypeSyntax)], faults: &mut Faults<'_>) -> Option<Vec<Field>> {
        unique(fields.iter().map(|(name, _)| name), faults);
        fields
            .iter()
            .map(|(name, ty)| Some(Field { name: name.node, ty: self.resolve(ty, faults)? }))
            .collect()
    }

    /// The type of a syntax node; reports invalid ones.
    pub(super) fn resolve(&self, ty: &TypeSyntax, faults: &mut Faults<'_>) -> Option<Ty> {
        self.resolve_with(ty, None, faults)
    }

    fn resolve_with(&self, ty: &TypeSyntax, heads: Option<&Heads>, faults: &mut Faults<'_>) -> Option<Ty> {
        let mut all = |tys: &[TypeSyntax]| -> Option<Vec<Ty>> {
            tys.iter().map(|ty| self.resolve_with(ty, heads, faults)).collect()
        };
        Some(match &ty.node {
            TypeKind::Infer => {
                faults.push(ty.at, ParseErrorKind::InferHere);
                return None;
            }
            TypeKind::Tuple(parts) => Ty::tuple(all(parts)?),
            TypeKind::Array(elem, rank) => Ty::array(self.resolve_with(elem, heads, faults)?, *rank),
            TypeKind::Fn(params, ret) => {
                let params = all(params)?;
                Ty::func(params, self.resolve_with(ret, heads, faults)?)
            }
            TypeKind::Closure(code, captures) => Ty::closure(*code, all(captures)?),
            TypeKind::Stack(elem) => Ty::stack(self.resolve_with(elem, heads, faults)?),
            TypeKind::Ref(target) => Ty::reference(self.resolve_with(target, heads, faults)?),
            TypeKind::Opaque(name) => Ty::opaque(*name),
            TypeKind::Named(name, args) => {
                let args = all(args)?;
                return self.named(*name, args, heads).or_else(|| self.unknown(ty, *name, faults));
            }
        })
    }

    fn named(&self, name: Symbol, args: Vec<Ty>, heads: Option<&Heads>) -> Option<Ty> {
        match (&*name, args.as_slice()) {
            ("Option", [elem]) => return Some(Ty::option(*elem)),
            ("Ordering", []) => return Some(Ty::ordering()),
            (name, []) if scalar(name).is_some() => return scalar(name),
            _ => {}
        }
        if let Some(heads) = heads
            && heads.kinds.contains_key(&name)
        {
            return Some(heads.nominal(name, args));
        }
        let declared = |ty: &&Ty| ty.as_nominal().is_some_and(|nominal| nominal.args() == args);
        self.of_name(name).iter().rev().find(declared).copied()
    }

    fn unknown(&self, ty: &TypeSyntax, name: Symbol, faults: &mut Faults<'_>) -> Option<Ty> {
        let known = self.of_name(name);
        let help = if known.is_empty() {
            let mut names: Vec<&str> = self.named.keys().map(|name| name.as_str()).collect();
            names.sort_unstable();
            let scalars = SCALARS.iter().copied().chain(IntTy::ALL.map(IntTy::name));
            let all = scalars.chain(["Option", "Ordering"]).chain(names);
            nearest(&name, all).map(|near| format!("did you mean `{near}`?"))
        } else {
            let list: Vec<String> = known.iter().take(4).map(|ty| format!("`{ty}`")).collect();
            Some(format!("declared is {}: each choice of arguments has its own declaration", list.join(", ")))
        };
        let written = faults.source.slice(ty.at).to_owned();
        faults.push_with_help(ty.at, ParseErrorKind::UnknownType(written), help);
        None
    }
}

/// The declared names, whether or not their bodies are valid.
struct Heads {
    universe: u32,
    /// For each name, whether it is a struct, and the position of its declaration.
    kinds: HashMap<Symbol, (bool, ByteRange)>,
}

impl Heads {
    fn nominal(&self, name: Symbol, args: Vec<Ty>) -> Ty {
        let nominal = Nominal::new(self.universe, name, args);
        let is_struct = self.kinds.get(&name).is_none_or(|&(is_struct, _)| is_struct);
        Ty::new(if is_struct { TyKind::Struct(nominal) } else { TyKind::Enum(nominal) })
    }
}

fn unique<'n>(names: impl Iterator<Item = &'n Name>, faults: &mut Faults<'_>) {
    let mut first: HashMap<Symbol, ByteRange> = HashMap::new();
    for name in names {
        if let Some(&place) = first.get(&name.node) {
            let kind = ParseErrorKind::Duplicate {
                name: name.node.to_string(),
                first: faults.source.span(place).line,
            };
            faults.push(name.at, kind);
        }
        first.entry(name.node).or_insert(name.at);
    }
}

/// The declarations as a text that does not depend on their formatting.
fn fingerprint(decls: &[DeclSyntax]) -> String {
    let mut text = String::new();
    for decl in decls {
        text.push_str(if decl.is_struct() { "struct " } else { "enum " });
        text.push_str(&format!("{:?}", decl.name.node));
        list_print(&mut text, &decl.args);
        match &decl.body {
            DeclBody::Struct(fields) => fields_print(&mut text, fields),
            DeclBody::Enum(variants) => {
                for (name, fields) in variants {
                    text.push_str(&format!("|{:?}", name.node));
                    fields_print(&mut text, fields);
                }
            }
        }
        text.push('\n');
    }
    text
}

fn fields_print(text: &mut String, fields: &[(Name, TypeSyntax)]) {
    text.push('{');
    for (name, ty) in fields {
        text.push_str(&format!("{:?}:", name.node));
        type_print(text, ty);
        text.push(',');
    }
    text.push('}');
}

fn list_print(text: &mut String, tys: &[TypeSyntax]) {
    text.push('(');
    for ty in tys {
        type_print(text, ty);
        text.push(',');
    }
    text.push(')');
}

fn type_print(text: &mut String, ty: &TypeSyntax) {
    match &ty.node {
        TypeKind::Infer => text.push('_'),
        TypeKind::Named(name, args) => {
            text.push_str(&format!("{name:?}"));
            list_print(text, args);
        }
        TypeKind::Tuple(parts) => list_print(text, parts),
        TypeKind::Array(elem, rank) => {
            text.push_str(&format!("[{rank}]"));
            type_print(text, elem);
        }
        TypeKind::Fn(params, ret) => {
            text.push_str("fn");
            list_print(text, params);
            type_print(text, ret);
        }
        TypeKind::Closure(code, captures) => {
            text.push_str(&format!("closure {code:?}"));
            list_print(text, captures);
        }
        TypeKind::Stack(elem) => {
            text.push_str("stack ");
            type_print(text, elem);
        }
        TypeKind::Ref(target) => {
            text.push_str("ref ");
            type_print(text, target);
        }
        TypeKind::Opaque(name) => text.push_str(&format!("opaque {name:?}")),
    }
}
