//! Which types have drop glue in Rust, whether or not it has an effect here: the answer of `mem::needs_drop`.

use hashbrown::HashSet;

use super::session::Lowering;
use super::tys::Lang;
use crate::infer::{self, CaptureMode, TyKind};

impl Lowering {
    /// Whether dropping a value of this type runs code in Rust: it frees memory, or something implements `Drop`.
    pub(super) fn has_drop_glue(&self, ty: infer::Ty) -> bool {
        self.has_drop_glue_within(ty, &mut HashSet::new())
    }

    fn has_drop_glue_within(&self, ty: infer::Ty, seen: &mut HashSet<infer::Ty>) -> bool {
        if !seen.insert(ty) {
            return false;
        }
        let mut any = |tys: &[infer::Ty]| tys.iter().any(|&ty| self.has_drop_glue_within(ty, seen));
        match ty.kind() {
            TyKind::Tuple(elems) => any(elems),
            TyKind::Slice(elem) | TyKind::Array(elem, _) => any(&[*elem]),
            TyKind::Dyn(_) => true,
            TyKind::Closure(id) => self.captures(*id).is_ok_and(|captures| {
                let is_moved = |mode| matches!(mode, CaptureMode::Move | CaptureMode::MoveMut);
                captures.iter().any(|captured| is_moved(captured.mode) && any(&[captured.ty]))
            }),
            TyKind::Adt(def, args) => match self.langs.get(*def) {
                Some(Lang::Array | Lang::Transparent | Lang::Rc | Lang::String) => true,
                Some(Lang::Phantom | Lang::ManuallyDrop | Lang::Pointer | Lang::MaybeUninit) => false,
                Some(_) => any(&args.iter().filter_map(|arg| arg.ty()).collect::<Vec<_>>()),
                None if self.implements_drop(*def) || self.drop_impls.always_needs(*def) => true,
                None if self.is_union(ty) => false,
                None => {
                    let variants = self.types.variants(ty).unwrap_or_default();
                    variants.iter().flat_map(|(_, fields)| fields).any(|&(_, ty)| any(&[ty]))
                }
            },
            _ => false,
        }
    }
}
