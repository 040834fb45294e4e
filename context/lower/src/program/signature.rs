//! Types and signatures in Rust syntax, for lists and messages.

use super::Program;
use crate::hir::{ConstArg, FnSig, GenericArg, ParamKind, TraitRef, Type, TypeKind};

/// A signature without `fn` and the name, `(xs: &[f64], ys: &[f64]) -> f64`, preceded by its generic
/// parameters.
pub fn signature(program: &Program, sig: &FnSig) -> String {
    let show = Show { program };
    let named: Vec<&str> = sig
        .generics
        .params
        .iter()
        .filter(|param| !param.synthetic)
        .map(|param| param.name.as_str())
        .collect();
    let generics = if named.is_empty() { String::new() } else { format!("<{}>", named.join(", ")) };
    let params: Vec<String> = sig
        .params
        .iter()
        .zip(&sig.param_names)
        .map(|(ty, name)| format!("{name}: {}", show.ty(ty)))
        .collect();
    let ret = match &sig.ret.kind {
        TypeKind::Tuple(parts) if parts.is_empty() => String::new(),
        _ => format!(" -> {}", show.ty(&sig.ret)),
    };
    format!("{generics}({}){ret}", params.join(", "))
}

struct Show<'p> {
    program: &'p Program,
}

impl Show<'_> {
    fn ty(&self, ty: &Type) -> String {
        match &ty.kind {
            TypeKind::Infer => "_".to_string(),
            TypeKind::Never => "!".to_string(),
            TypeKind::Prim(prim) => prim.name().to_string(),
            TypeKind::Tuple(parts) if parts.len() == 1 => format!("({},)", self.ty(&parts[0])),
            TypeKind::Tuple(parts) => format!("({})", self.list(parts)),
            TypeKind::Ref { mutable, inner, .. } => {
                format!("&{}{}", if *mutable { "mut " } else { "" }, self.ty(inner))
            }
            TypeKind::Slice(elem) => format!("[{}]", self.ty(elem)),
            TypeKind::Array(elem, length) => format!("[{}; {}]", self.ty(elem), self.constant(length)),
            TypeKind::Def(def, args) => {
                format!("{}{}", self.program.head(*def).name, self.args(args))
            }
            TypeKind::Param(param) => self.param(*param),
            TypeKind::SelfType(_) => "Self".to_string(),
            TypeKind::Assoc { base, of, name, args } => {
                let base = match of {
                    Some(of) => format!("<{} as {}>", self.ty(base), self.trait_ref(of)),
                    None => self.ty(base),
                };
                format!("{base}::{name}{}", self.args(args))
            }
            TypeKind::FnPtr(params, ret) => format!("fn({}) -> {}", self.list(params), self.ty(ret)),
            TypeKind::ImplTrait(bounds) => format!("impl {}", self.bounds(bounds)),
            TypeKind::Dyn(bounds) => format!("dyn {}", self.bounds(bounds)),
            TypeKind::Unsupported(what) => format!("{{{what}}}"),
        }
    }

    fn list(&self, tys: &[Type]) -> String {
        tys.iter().map(|ty| self.ty(ty)).collect::<Vec<_>>().join(", ")
    }

    fn args(&self, args: &[GenericArg]) -> String {
        if args.is_empty() {
            return String::new();
        }
        let shown: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                GenericArg::Type(ty) => self.ty(ty),
                GenericArg::Const(constant) => self.constant(constant),
            })
            .collect();
        format!("<{}>", shown.join(", "))
    }

    fn constant(&self, constant: &ConstArg) -> String {
        match constant {
            ConstArg::Infer => "_".to_string(),
            ConstArg::Value(value) => value.to_string(),
            ConstArg::Param(param) => self.param(*param),
            ConstArg::Body(..) => "{ … }".to_string(),
        }
    }

    /// The name of a parameter; one introduced by `impl Trait` is shown as its bounds.
    fn param(&self, param: super::ParamRef) -> String {
        let generics = self.program.generics(param.owner);
        let known = generics.as_ref().ok().and_then(|generics| generics.params.get(param.index as usize));
        known.map_or("_".to_string(), |param| match param.kind {
            ParamKind::Type(_) | ParamKind::Const(..) => param.name.to_string(),
        })
    }

    fn bounds(&self, bounds: &[TraitRef]) -> String {
        bounds.iter().map(|bound| self.trait_ref(bound)).collect::<Vec<_>>().join(" + ")
    }

    fn trait_ref(&self, bound: &TraitRef) -> String {
        let bindings = bound.bindings.iter().map(|of| format!("{} = {}", of.name, self.ty(&of.ty)));
        let args = bound.args.iter().map(|arg| match arg {
            GenericArg::Type(ty) => self.ty(ty),
            GenericArg::Const(constant) => self.constant(constant),
        });
        let all: Vec<String> = args.chain(bindings).collect();
        let name = self.program.head(bound.def).name;
        if all.is_empty() { name.to_string() } else { format!("{name}<{}>", all.join(", ")) }
    }
}
