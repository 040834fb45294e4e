//! Which types need drop.
//!
//! - NEEDSDROP1 a type of only numbers, text and references does not need drop; its IR has no notion of
//!   ownership.

use hashbrown::{HashMap, HashSet};

use super::session::Lowering;
use super::tys::Lang;
use crate::hir::DefId;
use crate::infer::{self, CaptureMode, TyKind};
use crate::program::{Program, SelfHead};

/// The implementors of `Drop`.
#[derive(Debug)]
pub(super) struct DropImpls {
    /// The trait.
    drop: Option<DefId>,
    /// Whether a type of the program itself implemented it when lowering began; crates loaded later may have
    /// other implementors.
    has_user_impl: bool,
    /// The prelude types that always need drop.
    always: Vec<DefId>,
}

/// What is asked about dropping a value of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dropping {
    /// Whether it has an effect here, where memory is not freed by hand.
    HasEffect,
    /// Whether it runs code in Rust, which frees memory too.
    HasGlue,
}

/// An implementation of `Drop`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DropImplKind {
    /// One of the program.
    User,
    /// One of the prelude: it has an effect only if the contents of the value need drop.
    Prelude,
}

impl DropImpls {
    pub(super) fn of(program: &Program) -> DropImpls {
        let drop = program.lang("drop");
        let impls = drop.map(|drop| program.impls_of(drop)).unwrap_or_default();
        let has_user_impl = impls.iter().any(|&def| dropper(program, def) == DropImplKind::User);
        let always = ["borrow_flag", "gap", "peek_mut", "sender", "weak"]
            .iter()
            .filter_map(|name| program.lang(name))
            .collect();
        DropImpls { drop, has_user_impl, always }
    }

    /// How the type implements `Drop`.
    fn find(&self, program: &Program, adt: DefId) -> Option<DropImplKind> {
        let impls = program.impls_for(self.drop?, SelfHead::Def(adt));
        impls.first().map(|&def| dropper(program, def))
    }

    /// Whether an object of a `dyn` type may need drop.
    pub(super) fn has_user_impl(&self) -> bool {
        self.has_user_impl
    }
}

fn dropper(program: &Program, def: DefId) -> DropImplKind {
    match program.head(def).span.file.starts_with(crate::source::PRELUDE) {
        true => DropImplKind::Prelude,
        false => DropImplKind::User,
    }
}

impl Lowering {
    /// Whether the type implements `Drop`.
    pub(super) fn implements_drop(&self, adt: DefId) -> bool {
        self.drop_impls.find(&self.program, adt).is_some()
    }

    /// Whether dropping a value of this type has an effect.
    pub(super) fn needs_drop(&self, ty: infer::Ty) -> bool {
        if never_needs(ty) {
            return false;
        }
        if let Some(&known) = self.lock_needs_drop().get(&ty) {
            return known;
        }
        let needs = self.drops(ty, Dropping::HasEffect, &mut HashSet::new());
        self.lock_needs_drop().insert(ty, needs);
        needs
    }

    /// Whether a type has drop glue in Rust, so that `mem::needs_drop` is true.
    pub(super) fn has_drop_glue(&self, ty: infer::Ty) -> bool {
        self.drops(ty, Dropping::HasGlue, &mut HashSet::new())
    }

    fn drops(&self, ty: infer::Ty, asked: Dropping, seen: &mut HashSet<infer::Ty>) -> bool {
        if never_needs(ty) || !seen.insert(ty) {
            return false;
        }
        let mut any = |tys: &[infer::Ty]| tys.iter().any(|&ty| self.drops(ty, asked, seen));
        let has_glue = asked == Dropping::HasGlue;
        match ty.kind() {
            TyKind::Tuple(elems) => any(elems),
            TyKind::Slice(elem) | TyKind::Array(elem, _) => any(&[*elem]),
            TyKind::Dyn(_) => has_glue || self.drops_objects(),
            TyKind::Closure(id) => match self.captures(*id) {
                Ok(captures) => captures
                    .iter()
                    .filter(|captured| matches!(captured.mode, CaptureMode::Move | CaptureMode::MoveMut))
                    .any(|captured| any(&[captured.ty])),
                Err(_) => false,
            },
            TyKind::Adt(def, args) => {
                let arg_tys: Vec<infer::Ty> = args.iter().filter_map(|arg| arg.ty()).collect();
                match self.langs.get(*def) {
                    Some(Lang::Array | Lang::Transparent) => return has_glue || any(&arg_tys),
                    Some(Lang::Cell) => return any(&arg_tys),
                    Some(Lang::String) => return has_glue,
                    Some(Lang::Phantom | Lang::ManuallyDrop | Lang::Pointer | Lang::MaybeUninit) => {
                        return false;
                    }
                    Some(Lang::Rc) => return has_glue || self.counts_owners(),
                    _ => {}
                }
                if self.is_union(ty) {
                    return self.drop_impls.find(&self.program, *def).is_some();
                }
                if self.drop_impls.always.contains(def) {
                    return true;
                }
                match self.drop_impls.find(&self.program, *def) {
                    Some(DropImplKind::User) => return true,
                    Some(DropImplKind::Prelude) => return has_glue || any(&arg_tys),
                    None => {}
                }
                let variants = self.types.variants(ty).unwrap_or_default();
                variants.iter().flat_map(|(_, fields)| fields).any(|&(_, ty)| any(&[ty]))
            }
            _ => false,
        }
    }

    /// Whether a value of the type owns memory through a pointer, a vector or a box, to which raw pointers
    /// may point.
    pub(super) fn owns_memory(&self, ty: infer::Ty) -> bool {
        self.owns_memory_within(ty, &mut HashSet::new())
    }

    fn owns_memory_within(&self, ty: infer::Ty, seen: &mut HashSet<infer::Ty>) -> bool {
        if !seen.insert(ty) {
            return false;
        }
        let mut any = |tys: Vec<infer::Ty>| tys.into_iter().any(|ty| self.owns_memory_within(ty, seen));
        match ty.kind() {
            TyKind::Tuple(elems) => any(elems.to_vec()),
            TyKind::Array(elem, _) => any(vec![*elem]),
            TyKind::Adt(def, args) => match self.langs.get(*def) {
                Some(Lang::Array | Lang::Transparent) => true,
                Some(Lang::ManuallyDrop | Lang::Option | Lang::MaybeUninit) => {
                    any(args.iter().filter_map(|arg| arg.ty()).collect())
                }
                Some(_) => false,
                None => {
                    let variants = self.types.variants(ty).unwrap_or_default();
                    any(variants.iter().flat_map(|(_, fields)| fields).map(|&(_, ty)| ty).collect())
                }
            },
            _ => false,
        }
    }
}

fn never_needs(ty: infer::Ty) -> bool {
    matches!(
        ty.kind(),
        TyKind::Prim(_)
            | TyKind::Ref(_)
            | TyKind::RefMut(_)
            | TyKind::Never
            | TyKind::FnDef(_)
            | TyKind::FnPtr(..)
            | TyKind::Opaque(..)
            | TyKind::Infer(_)
    )
}

/// The cached answers for the types of a program.
pub(super) type NeedsDrop = HashMap<infer::Ty, bool>;
