//! Folds over types: rebuilds them with some parts replaced.

use super::ty::*;

/// Replaces parts of types.
pub(super) trait Folder {
    /// Whether this type may contain something to replace.
    fn touches(&self, ty: Ty) -> bool;
    /// The replacement of a type; usually ends in [`walk`].
    fn ty(&mut self, ty: Ty) -> Ty;
    /// The replacement of a constant.
    fn constant(&mut self, value: Const) -> Const;
}

/// The type with its parts replaced.
pub(super) fn walk(ty: Ty, folder: &mut impl Folder) -> Ty {
    if !folder.touches(ty) {
        return ty;
    }
    if matches!(ty.kind(), TyKind::Prim(_) | TyKind::Never | TyKind::Closure(_) | TyKind::Infer(_)) {
        return ty;
    }
    Ty::new(parts(ty.kind(), folder)).marked_like(ty)
}

/// The kind of a type with its parts replaced.
pub(super) fn parts(kind: &TyKind, folder: &mut impl Folder) -> TyKind {
    match kind {
        TyKind::Prim(_) | TyKind::Never | TyKind::Closure(_) | TyKind::Infer(_) => kind.clone(),
        TyKind::Tuple(elems) => TyKind::Tuple(tys(elems, folder)),
        TyKind::Adt(def, list) => TyKind::Adt(*def, args(list, folder)),
        TyKind::Ref(inner) => TyKind::Ref(folder.ty(*inner)),
        TyKind::RefMut(inner) => TyKind::RefMut(folder.ty(*inner)),
        TyKind::Slice(elem) => TyKind::Slice(folder.ty(*elem)),
        TyKind::Array(elem, len) => TyKind::Array(folder.ty(*elem), folder.constant(*len)),
        TyKind::FnDef(func) => TyKind::FnDef(instance(*func, folder)),
        TyKind::FnPtr(params, ret) => TyKind::FnPtr(tys(params, folder), folder.ty(*ret)),
        TyKind::Dyn(bounds) => TyKind::Dyn(
            bounds
                .iter()
                .map(|bound| DynBound {
                    def: bound.def,
                    args: args(&bound.args, folder),
                    bindings: bound.bindings.iter().map(|&(name, ty)| (name, folder.ty(ty))).collect(),
                })
                .collect(),
        ),
        TyKind::Opaque(func, index) => TyKind::Opaque(instance(*func, folder), *index),
    }
}

/// Arguments with their parts replaced.
pub(super) fn args(list: &[Arg], folder: &mut impl Folder) -> Box<[Arg]> {
    list.iter()
        .map(|arg| match arg {
            Arg::Ty(ty) => Arg::Ty(folder.ty(*ty)),
            Arg::Const(value) => Arg::Const(folder.constant(*value)),
        })
        .collect()
}

/// An instance with its arguments replaced.
pub(super) fn instance(func: Instance, folder: &mut impl Folder) -> Instance {
    if func.args().is_empty() { func } else { Instance::new(func.def(), args(func.args(), folder)) }
}

fn tys(list: &[Ty], folder: &mut impl Folder) -> Box<[Ty]> {
    list.iter().map(|&ty| folder.ty(ty)).collect()
}
