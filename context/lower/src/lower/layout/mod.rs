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
    layout_of(lowering, ty, 0).map(|layout| (layout.size, layout.align))
}

fn layout_of(lowering: &Lowering, ty: infer::Ty, depth: usize) -> Option<Layout> {
    let of = |ty: infer::Ty| layout_of(lowering, ty, depth + 1);
    Some(match ty.kind() {
        _ if depth > DEEP => return None,
        TyKind::Prim(Prim::Str) | TyKind::Slice(_) | TyKind::Dyn(_) => return None,
        TyKind::Prim(prim) => match prim_ty(*prim).kind() {
            IrKind::Int(int) => Layout::scalar(u64::from(int.bits() / 8), 0),
            IrKind::Float(FloatTy::F64) => Layout::scalar(8, 0),
            IrKind::Bool => Layout::scalar(1, 254),
            IrKind::Char => Layout::scalar(4, u128::from(u32::MAX - u32::from(char::MAX))),
            _ => Layout::scalar(4, 0),
        },
        TyKind::Never => Layout::never(),
        TyKind::Array(elem, infer::Const::Value(len)) => of(*elem)?.repeated(u64::try_from(*len).ok()?)?,
        TyKind::Tuple(elems) => {
            let elems: Option<Vec<_>> = elems.iter().map(|&elem| of(elem)).collect();
            of_struct(&elems?, Repr::default())
        }
        TyKind::Ref(inner) | TyKind::RefMut(inner) => pointer(*inner, 1),
        TyKind::FnPtr(..) => Layout::scalar(8, 1),
        TyKind::Adt(def, args) => {
            let first = args.iter().find_map(|arg| arg.ty());
            match lowering.langs.get(*def) {
                Some(Lang::Transparent | Lang::Rc) => first.map_or(Layout::scalar(8, 1), |to| pointer(to, 1)),
                Some(Lang::Pointer) => first.map_or(Layout::scalar(8, 0), |to| pointer(to, 0)),
                Some(Lang::ManuallyDrop) => of(first?)?,
                Some(Lang::Cell) => of(first?)?.without_niche(),
                Some(Lang::MaybeUninit) => of(first?)?.uninitialised(),
                Some(Lang::String) => std_types::vector(),
                Some(Lang::Array) if lowering.program.lang("vec") == Some(*def) => std_types::vector(),
                Some(Lang::Phantom) => Layout::scalar(0, 0),
                Some(Lang::Ordering) => Layout::scalar(1, 253),
                _ => {
                    let args: Vec<_> = args.iter().filter_map(|arg| arg.ty()).map(of).collect();
                    match std_types::layout(lowering, *def, first, &args) {
                        Known::Layout(layout) => layout,
                        Known::ByFields => by_fields(lowering, ty, *def, depth)?,
                        Known::No => return None,
                    }
                }
            }
        }
        _ => return None,
    })
}

fn by_fields(lowering: &Lowering, ty: infer::Ty, def: DefId, depth: usize) -> Option<Layout> {
    let (adt, repr) = (lowering.program.adt(def).ok()?, lowering.program.head(def).repr);
    let of = |fields: Fields| -> Option<Vec<Layout>> {
        fields.into_iter().map(|(_, field)| layout_of(lowering, field, depth + 1)).collect()
    };
    let mut variants = lowering.types.variants(ty).ok()?;
    if !adt.is_enum {
        let fields = of(variants.pop()?.1)?;
        return Some(if adt.is_union { of_union(&fields, repr) } else { of_struct(&fields, repr) });
    }
    let numbers = lowering.types.discriminants(def).ok()?;
    let variants: Option<Vec<_>> =
        variants.into_iter().zip(numbers).map(|((_, fields), number)| Some((of(fields)?, number))).collect();
    Some(of_enum(&variants?, repr))
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

/// Fields are ordered so that there is no padding between them where possible.
fn packed(fields: impl IntoIterator<Item = (u64, u64)>) -> Option<(u64, u64)> {
    let (mut size, mut align) = (0_u64, 1);
    for (field_size, field_align) in fields {
        size = size.checked_add(field_size)?;
        align = align.max(field_align);
    }
    Some((size.next_multiple_of(align), align))
}

/// The sort plan that `sort_by` takes for elements of a type.
pub(super) fn sort_plan(lowering: &Lowering, ty: infer::Ty) -> usize {
    let (size, _) = likely_size(lowering, ty, 0);
    let frozen = !has_cell(lowering, ty, 0);
    let size = usize::try_from(size).unwrap_or(usize::MAX >> 4).min(usize::MAX >> 4);
    size << 4 | usize::from(lowering.types.is_copy(ty)) << 3 | usize::from(frozen) << 2
}

/// The size of any type; that of an enum is an estimate.
pub(super) fn likely_size_of(lowering: &Lowering, ty: infer::Ty) -> usize {
    usize::try_from(likely_size(lowering, ty, 0).0).unwrap_or(usize::MAX)
}

/// The maximal nesting depth that is examined.
const DEEP: usize = 32;

/// The size of any type. That of an enum is an estimate: rustc guarantees nothing, but stores the tag in
/// values that another part never has.
fn likely_size(lowering: &Lowering, ty: infer::Ty, depth: usize) -> (u64, u64) {
    let of = |ty: infer::Ty| likely_size(lowering, ty, depth + 1);
    if let Some(known) = size_of(lowering, ty) {
        return known;
    }
    let all = |tys: &mut dyn Iterator<Item = infer::Ty>| packed(tys.map(of)).unwrap_or((u64::MAX, 8));
    match ty.kind() {
        _ if depth > DEEP => (8, 8),
        TyKind::Array(elem, infer::Const::Value(len)) => {
            let (size, align) = of(*elem);
            (size.saturating_mul(u64::try_from(*len).unwrap_or(u64::MAX)), align)
        }
        TyKind::Tuple(elems) => all(&mut elems.iter().copied()),
        TyKind::Adt(_, args) => {
            let Ok(variants) = lowering.types.variants(ty) else {
                return args.first().and_then(|arg| arg.ty()).map_or((8, 8), of);
            };
            let fields = |at: usize| variants[at].1.iter().map(|&(_, ty)| ty);
            let sizes: Vec<(u64, u64)> = (0..variants.len()).map(|at| all(&mut fields(at))).collect();
            let Some(largest) = (0..sizes.len()).max_by_key(|&at| sizes[at].0) else { return (0, 1) };
            let align = sizes.iter().map(|(_, align)| *align).max().unwrap_or(1);
            let others_are_empty = (0..sizes.len()).all(|at| at == largest || sizes[at].0 == 0);
            let spare: u64 = fields(largest).map(|ty| spare_values(lowering, ty, depth)).max().unwrap_or(0);
            if sizes.len() < 2 || others_are_empty && spare + 1 >= sizes.len() as u64 {
                return sizes[largest];
            }
            let with_tag = |at: usize| packed(fields(at).map(of).chain([(1, 1)])).map_or(u64::MAX, |of| of.0);
            let size = (0..sizes.len()).map(with_tag).max().unwrap_or(1);
            (size.checked_next_multiple_of(align).unwrap_or(size), align)
        }
        _ => (8, 8),
    }
}

/// The number of invalid bit patterns (niches) of a type that rustc uses.
fn spare_values(lowering: &Lowering, ty: infer::Ty, depth: usize) -> u64 {
    match ty.kind() {
        _ if depth > DEEP => 0,
        TyKind::Prim(prim) => match prim_ty(*prim).kind() {
            overdub_context::ir::TyKind::Bool => 254,
            overdub_context::ir::TyKind::Char => u64::from(u32::MAX) - 0x0010_ffff,
            _ => 0,
        },
        TyKind::Ref(_) | TyKind::RefMut(_) | TyKind::FnPtr(..) => 1,
        TyKind::Tuple(elems) => {
            elems.iter().map(|&elem| spare_values(lowering, elem, depth + 1)).max().unwrap_or(0)
        }
        TyKind::Adt(def, args) => match lowering.langs.get(*def) {
            Some(Lang::Transparent | Lang::Rc) => 1,
            Some(Lang::Array | Lang::String) => 1 << 63,
            Some(Lang::ManuallyDrop) => {
                args.first().and_then(|arg| arg.ty()).map_or(0, |ty| spare_values(lowering, ty, depth + 1))
            }
            Some(Lang::Ordering) => 253,
            Some(Lang::Cell | Lang::Phantom) => 0,
            _ => match lowering.types.variants(ty) {
                Ok(variants) if variants.len() == 1 => {
                    let fields = variants[0].1.iter();
                    fields.map(|&(_, ty)| spare_values(lowering, ty, depth + 1)).max().unwrap_or(0)
                }
                Ok(variants) => 256_u64.saturating_sub(variants.len() as u64),
                Err(_) => 0,
            },
        },
        _ => 0,
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
