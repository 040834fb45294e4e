//! `impl Trait` in a function's result: the bounds that callers see, and the hidden type.
//!
//! - OPAQUE1 the hidden type is revealed only if the closures in the arguments are not being inferred.

use super::cx::Cx;
use super::error::{InferErrorKind, Result};
use super::fold::{self, Folder};
use super::session::Types;
use super::ty::*;
use super::typed::Callee;
use crate::hir::{Type, TypeKind};

impl Cx<'_> {
    /// The type hidden by an `impl Trait`, if it can be determined now.
    pub(super) fn reveal(&mut self, ty: Ty) -> Option<Ty> {
        let ty = self.resolve(ty);
        let TyKind::Opaque(func, _) = ty.kind() else { return None };
        let blocked = func.args().iter().any(|arg| arg.ty().is_some_and(|ty| self.is_blocked(ty)));
        if ty.is_open() || blocked || self.types.is_running(*func) {
            return None;
        }
        self.hidden_type(ty).ok()
    }

    /// Whether a type contains a closure whose signature is not known yet.
    pub(super) fn is_blocked(&self, ty: Ty) -> bool {
        let mut blocked = Blocked { types: self.types, found: false };
        blocked.ty(ty);
        blocked.found
    }

    /// The type hidden by an `impl Trait`, determined by inferring the function that returns it.
    pub(super) fn hidden_type(&mut self, ty: Ty) -> Result<Ty> {
        let TyKind::Opaque(func, index) = ty.kind() else { return Ok(ty) };
        let args = self.reveal_args(func.args())?;
        let item = Instance::new(func.def(), args);
        let span = self.types.item_span(item.def());
        let Callee::Fn(actual) = self.callee(item, span)? else {
            return self.error(InferErrorKind::NoBody(self.types.name(item)));
        };
        if actual.def() != item.def() {
            // For a trait's method, the impl may write the type explicitly.
            let written = self.types.program().fn_sig(actual.def())?;
            if !matches!(written.ret.kind, TypeKind::ImplTrait(_)) {
                let promised = self.types.program().fn_sig(item.def())?;
                let (_, ret) = self.types.signature(actual)?;
                if let Some(found) = part(&promised.ret, ret, *index, &mut 0) {
                    return Ok(found);
                }
            }
        }
        let typed = self.types.infer(actual)?;
        match typed.hidden.get(*index as usize) {
            Some(hidden) => Ok(*hidden),
            None => self.error(InferErrorKind::NoBody(self.types.name(actual))),
        }
    }
}

/// The part of a type in the position of the `index`-th `impl Trait` in the trait's signature.
fn part(written: &Type, ty: Ty, index: u32, next: &mut u32) -> Option<Ty> {
    match (&written.kind, ty.kind()) {
        (TypeKind::ImplTrait(_), _) => {
            *next += 1;
            (*next - 1 == index).then_some(ty)
        }
        (TypeKind::Tuple(elems), TyKind::Tuple(tys)) => {
            elems.iter().zip(tys).find_map(|(elem, &ty)| part(elem, ty, index, next))
        }
        (TypeKind::Def(_, args), TyKind::Adt(_, tys)) => {
            args.iter().zip(tys).find_map(|(arg, ty)| match (arg, ty) {
                (crate::hir::GenericArg::Type(arg), Arg::Ty(ty)) => part(arg, *ty, index, next),
                _ => None,
            })
        }
        _ => None,
    }
}

/// Detects closures in a type whose signatures are not known yet.
struct Blocked<'t> {
    types: &'t Types,
    found: bool,
}

impl Folder for Blocked<'_> {
    fn touches(&self, ty: Ty) -> bool {
        !self.found && ty.has_closure()
    }

    fn ty(&mut self, ty: Ty) -> Ty {
        if let TyKind::Closure(id) = ty.kind() {
            self.found |= self.types.known_closure(*id).is_none();
        }
        fold::walk(ty, self)
    }

    fn constant(&mut self, value: Const) -> Const {
        value
    }
}
