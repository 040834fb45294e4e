//! Prints types and instances in Rust syntax.

use super::session::Types;
use super::ty::*;
use crate::hir::DefId;

/// A type's text.
pub(super) fn ty(types: &Types, ty: Ty) -> String {
    let mut out = String::new();
    write_ty(types, ty, &mut out);
    out
}

/// An instance's text: the item's path with all its arguments.
pub(super) fn instance(types: &Types, instance: Instance) -> String {
    let mut out = types.program().path(instance.def());
    write_args(types, instance.args(), &mut out);
    out
}

/// A trait with its arguments.
pub(super) fn bound(types: &Types, trait_: DefId, args: &[Arg]) -> String {
    let mut out = types.item_name(trait_).to_string();
    write_args(types, args, &mut out);
    out
}

fn write_args(types: &Types, args: &[Arg], out: &mut String) {
    if args.is_empty() {
        return;
    }
    out.push('<');
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        match arg {
            Arg::Ty(ty) => write_ty(types, *ty, out),
            Arg::Const(value) => write_const(*value, out),
        }
    }
    out.push('>');
}

fn write_const(value: Const, out: &mut String) {
    match value {
        Const::Value(value) => out.push_str(&value.to_string()),
        Const::Infer(_) => out.push('_'),
    }
}

fn write_list(types: &Types, list: &[Ty], out: &mut String) {
    for (i, &ty) in list.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_ty(types, ty, out);
    }
}

fn write_ty(types: &Types, ty: Ty, out: &mut String) {
    match ty.kind() {
        TyKind::Prim(prim) => out.push_str(prim.name()),
        TyKind::Never => out.push('!'),
        TyKind::Tuple(elems) => {
            out.push('(');
            write_list(types, elems, out);
            out.push_str(if elems.len() == 1 { ",)" } else { ")" });
        }
        TyKind::Adt(def, args) => {
            for (name, pointer) in [("const_ptr", "*const "), ("mut_ptr", "*mut ")] {
                if types.lang.get(name) == Some(*def)
                    && let Some(pointee) = args.first().and_then(|arg| arg.ty())
                {
                    out.push_str(pointer);
                    return write_ty(types, pointee, out);
                }
            }
            out.push_str(&types.item_name(*def));
            write_args(types, args, out);
        }
        TyKind::Ref(inner) => {
            out.push('&');
            write_ty(types, *inner, out);
        }
        TyKind::RefMut(inner) => {
            out.push_str("&mut ");
            write_ty(types, *inner, out);
        }
        TyKind::Slice(elem) => {
            out.push('[');
            write_ty(types, *elem, out);
            out.push(']');
        }
        TyKind::Array(elem, len) => {
            out.push('[');
            write_ty(types, *elem, out);
            out.push_str("; ");
            write_const(*len, out);
            out.push(']');
        }
        TyKind::FnDef(func) => {
            out.push_str("fn ");
            out.push_str(&instance(types, *func));
        }
        TyKind::Closure(id) => {
            let span = types.item_span(id.owner.def());
            out.push_str(&format!(
                "{{closure {:?} of {} in {}}}",
                id.expr,
                instance(types, id.owner),
                span.file
            ));
        }
        TyKind::FnPtr(params, ret) => {
            out.push_str("fn(");
            write_list(types, params, out);
            out.push(')');
            if !ret.is_unit() {
                out.push_str(" -> ");
                write_ty(types, *ret, out);
            }
        }
        TyKind::Dyn(bounds) => {
            out.push_str("dyn ");
            for (i, bound) in bounds.iter().enumerate() {
                if i > 0 {
                    out.push_str(" + ");
                }
                write_dyn(types, bound, out);
            }
        }
        TyKind::Opaque(func, index) => {
            out.push_str(&format!("impl #{index} of {}", instance(types, *func)));
        }
        TyKind::Infer(InferVar::Any(_)) => out.push('_'),
        TyKind::Infer(InferVar::Int(_)) => out.push_str("{integer}"),
        TyKind::Infer(InferVar::Float(_)) => out.push_str("{float}"),
    }
}

fn write_dyn(types: &Types, bound: &DynBound, out: &mut String) {
    out.push_str(&types.item_name(bound.def));
    if types.lang.is_fn(bound.def) {
        out.push('(');
        if let Some(TyKind::Tuple(params)) = bound.args.first().and_then(|arg| arg.ty()).map(Ty::kind) {
            write_list(types, params, out);
        }
        out.push(')');
        if let Some((_, ret)) = bound.bindings.first().filter(|(_, ret)| !ret.is_unit()) {
            out.push_str(" -> ");
            write_ty(types, *ret, out);
        }
        return;
    }
    write_args(types, &bound.args, out);
    for (name, ty) in &bound.bindings {
        out.push_str(&format!("<{name} = "));
        write_ty(types, *ty, out);
        out.push('>');
    }
}
