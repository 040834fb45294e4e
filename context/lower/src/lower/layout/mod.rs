//! Sizes of types as laid out by rustc on 64-bit targets, and the other properties that choose a sort
//! algorithm.

mod compose;
mod std_types;

use overdub_context::ir::{FloatTy, TyKind as IrKind};

use self::compose::{Layout, of_enum, of_struct, of_union};
use self::std_types::Known;
use super::session::Lowering;
use super::tys::{Lang, prim_ty};
use crate::hir::{DefId, Prim, Repr};
use crate::infer::{self, Fields, TyKind};

/// The size and alignment of a type; `None` if they are not known.
pub(super) fn size_of(lowering: &Lowering, ty: infer::Ty) -> Option<(u64, u64)> {
    let layout = Layouts { lowering, estimates: false }.of(ty, 0)?;
    Some((layout.size, layout.align))
}

/// The sort plan that `sort_by` takes for elements of a type.
pub(super) fn sort_plan(lowering: &Lowering, ty: infer::Ty) -> usize {
    let frozen = !has_cell(lowering, ty, 0);
    let size = likely_size_of(lowering, ty).min(usize::MAX >> 4);
    size << 4 | usize::from(lowering.types.is_copy(ty)) << 3 | usize::from(frozen) << 2
}

/// The size of any type; an estimate where it is not known.
pub(super) fn likely_size_of(lowering: &Lowering, ty: infer::Ty) -> usize {
    let layout = Layouts { lowering, estimates: true }.of(ty, 0);
    layout.and_then(|layout| usize::try_from(layout.size).ok()).unwrap_or(8)
}

/// The maximal nesting depth that is examined.
const DEEP: usize = 32;

/// rustc refuses larger types.
const LARGEST: u64 = 1 << 61;

/// What finds the layouts of types.
struct Layouts<'l> {
    lowering: &'l Lowering,
    /// Whether a type of the library whose layout is not known has that of its fields here, and any other type that of a
    /// pointer.
    estimates: bool,
}

impl Layouts<'_> {
    fn of(&self, ty: infer::Ty, depth: usize) -> Option<Layout> {
        let known = if depth > DEEP { None } else { self.known(ty, depth) };
        let known = known.filter(|layout| layout.size <= LARGEST);
        known.or_else(|| self.estimates.then(|| Layout::scalar(8, 0)))
    }

    fn known(&self, ty: infer::Ty, depth: usize) -> Option<Layout> {
        let of = |ty: infer::Ty| self.of(ty, depth + 1);
        Some(match ty.kind() {
            TyKind::Prim(Prim::Str) | TyKind::Slice(_) | TyKind::Dyn(_) => return None,
            TyKind::Prim(prim) => match prim_ty(*prim).kind() {
                IrKind::Int(int) => Layout::scalar(u64::from(int.bits() / 8), 0),
                IrKind::Float(FloatTy::F64) => Layout::scalar(8, 0),
                IrKind::Bool => Layout::scalar(1, 254),
                IrKind::Char => Layout::scalar(4, u128::from(u32::MAX - u32::from(char::MAX))),
                _ => Layout::scalar(4, 0),
            },
            TyKind::Never => Layout::never(),
            TyKind::Array(elem, infer::Const::Value(len)) => {
                of(*elem)?.repeated(u64::try_from(*len).ok()?)?
            }
            TyKind::Tuple(elems) => {
                let elems: Option<Vec<_>> = elems.iter().map(|&elem| of(elem)).collect();
                of_struct(&elems?, Repr::default())
            }
            TyKind::Ref(inner) | TyKind::RefMut(inner) => pointer(*inner, 1),
            TyKind::FnPtr(..) => Layout::scalar(8, 1),
            TyKind::Adt(def, args) => {
                let first = args.iter().find_map(|arg| arg.ty());
                match self.lowering.langs.get(*def) {
                    Some(Lang::Transparent | Lang::Rc) => {
                        first.map_or(Layout::scalar(8, 1), |to| pointer(to, 1))
                    }
                    Some(Lang::Pointer) => first.map_or(Layout::scalar(8, 0), |to| pointer(to, 0)),
                    Some(Lang::ManuallyDrop) => of(first?)?,
                    Some(Lang::Cell) => of(first?)?.without_niche(),
                    Some(Lang::MaybeUninit) => of(first?)?.uninitialised(),
                    Some(Lang::String) => std_types::vector(),
                    Some(Lang::Array) if self.lowering.program.lang("vec") == Some(*def) => {
                        std_types::vector()
                    }
                    Some(Lang::Phantom) => Layout::scalar(0, 0),
                    Some(Lang::Ordering) => Layout::scalar(1, 253),
                    _ => {
                        let arg = |at: usize| args.iter().filter_map(|arg| arg.ty()).nth(at).and_then(of);
                        match std_types::layout(self.lowering, *def, first, &arg) {
                            Known::Layout(layout) => layout,
                            Known::No if !self.estimates => return None,
                            Known::ByFields | Known::No => self.by_fields(ty, *def, depth)?,
                        }
                    }
                }
            }
            _ => return None,
        })
    }

    fn by_fields(&self, ty: infer::Ty, def: DefId, depth: usize) -> Option<Layout> {
        let program = &self.lowering.program;
        let (adt, repr) = (program.adt(def).ok()?, program.head(def).repr);
        let of = |fields: Fields| -> Option<Vec<Layout>> {
            fields.into_iter().map(|(_, field)| self.of(field, depth + 1)).collect()
        };
        let mut variants = self.lowering.types.variants(ty).ok()?;
        if !adt.is_enum {
            let fields = of(variants.pop()?.1)?;
            return Some(if adt.is_union { of_union(&fields, repr) } else { of_struct(&fields, repr) });
        }
        let numbers = self.lowering.types.discriminants(def).ok()?;
        let variants = variants.into_iter().zip(numbers);
        let variants: Option<Vec<_>> =
            variants.map(|((_, fields), number)| Some((of(fields)?, number))).collect();
        Some(of_enum(&variants?, repr))
    }
}

/// A pointer to a type; one to an unsized type also holds a length or a vtable.
fn pointer(to: infer::Ty, unused: u128) -> Layout {
    match to.kind() {
        TyKind::Prim(Prim::Str) | TyKind::Slice(_) | TyKind::Dyn(_) => {
            of_struct(&[Layout::scalar(8, unused), Layout::scalar(8, 0)], Repr::default())
        }
        _ => Layout::scalar(8, unused),
    }
}

/// Whether a value contains a cell itself, and not only behind a pointer.
fn has_cell(lowering: &Lowering, ty: infer::Ty, depth: usize) -> bool {
    let of = |ty: infer::Ty| has_cell(lowering, ty, depth + 1);
    match ty.kind() {
        _ if depth > DEEP => false,
        TyKind::Array(elem, _) => of(*elem),
        TyKind::Tuple(elems) => elems.iter().any(|&elem| of(elem)),
        TyKind::Adt(def, args) => match lowering.langs.get(*def) {
            Some(Lang::Cell) => true,
            Some(Lang::ManuallyDrop) => args.first().and_then(|arg| arg.ty()).is_some_and(of),
            Some(Lang::Transparent | Lang::Rc | Lang::Array | Lang::String | Lang::Phantom) => false,
            _ => lowering
                .types
                .variants(ty)
                .is_ok_and(|variants| variants.iter().flat_map(|(_, fields)| fields).any(|&(_, ty)| of(ty))),
        },
        _ => false,
    }
}
