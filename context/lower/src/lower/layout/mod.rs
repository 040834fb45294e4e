//! The layout of types in memory as rustc chooses it on 64-bit targets: sizes, alignments, and the niches in which enums
//! store their tags.
//!
//! - LAYOUT3 a size is that of rustc, or it is not known. rustc orders the fields of a struct so that there is no padding
//!   between them; where a result depends on the order that it chose, the layout is not known.

mod enums;
mod estimate;

pub(super) use estimate::{likely_size_of, sort_plan};

use super::session::Lowering;
use super::tys::{Lang, prim_ty};
use crate::hir::{PreludeLayout, Prim, Repr};
use crate::infer::{self, TyKind};

/// The size and alignment of a type in bytes.
pub(super) fn size_of(lowering: &Lowering, ty: infer::Ty) -> Option<(u64, u64)> {
    layout_of(lowering, ty, 0).map(|layout| (layout.size, layout.align))
}

/// A size and an alignment in bytes, and what an enum around the type can use.
#[derive(Clone, Copy, Debug)]
struct Layout {
    size: u64,
    align: u64,
    niche: Niche,
    /// Whether there is no value of the type.
    is_uninhabited: bool,
}

/// The part of a type that has most bit patterns that no value has.
#[derive(Clone, Copy, Default, Debug)]
struct Niche {
    /// The number of these bit patterns.
    available: u128,
    /// The offset and the size of the part in bytes; none if the order of the fields decides it.
    place: Option<(u64, u64)>,
}

impl Layout {
    fn new(size: u64, align: u64) -> Layout {
        Layout { size, align, niche: Niche::default(), is_uninhabited: false }
    }

    fn with_niche(self, available: u128, place: Option<(u64, u64)>) -> Layout {
        Layout { niche: Niche { available, place }, ..self }
    }
}

/// The maximal nesting depth that is examined.
const DEEP: usize = 64;

fn layout_of(lowering: &Lowering, ty: infer::Ty, depth: usize) -> Option<Layout> {
    if depth > DEEP {
        return None;
    }
    let of = |ty: infer::Ty| layout_of(lowering, ty, depth + 1);
    match ty.kind() {
        TyKind::Prim(prim) => scalar(*prim),
        TyKind::Never => Some(Layout { is_uninhabited: true, ..Layout::new(0, 1) }),
        TyKind::Array(elem, infer::Const::Value(len)) => {
            let (elem, len) = (of(*elem)?, u64::try_from(*len).ok()?);
            let whole = Layout { size: elem.size.checked_mul(len)?, ..elem };
            Some(if len == 0 { Layout::new(0, elem.align) } else { whole })
        }
        TyKind::Tuple(elems) => {
            let elems = elems.iter().map(|&elem| of(elem)).collect::<Option<Vec<_>>>()?;
            of_fields(&elems, Repr::default())
        }
        TyKind::Ref(inner) | TyKind::RefMut(inner) => Some(pointer(*inner).with_niche(1, Some((0, 8)))),
        TyKind::FnPtr(..) => Some(Layout::new(8, 8).with_niche(1, Some((0, 8)))),
        TyKind::FnDef(_) => Some(Layout::new(0, 1)),
        TyKind::Adt(def, args) => {
            let repr = lowering.program.head(*def).repr;
            if let Some(PreludeLayout::Given { size, align, niche }) = repr.prelude {
                return Some(Layout::new(size, align).with_niche(u128::from(niche), None));
            }
            let arg = || args.first().and_then(|arg| arg.ty());
            match lowering.langs.get(*def) {
                Some(Lang::Transparent | Lang::Rc) => Some(pointer(arg()?).with_niche(1, Some((0, 8)))),
                Some(Lang::Pointer) => Some(pointer(arg()?)),
                Some(Lang::ManuallyDrop) => of(arg()?),
                Some(Lang::Cell | Lang::MaybeUninit) => {
                    Some(Layout { niche: Niche::default(), ..of(arg()?)? })
                }
                Some(Lang::Array | Lang::String) => Some(Layout::new(24, 8).with_niche(1 << 63, None)),
                Some(Lang::Phantom) => Some(Layout::new(0, 1)),
                Some(Lang::Ordering) => Some(Layout::new(1, 1).with_niche(253, Some((0, 1)))),
                known => {
                    let is_known = known.is_some() || repr.prelude != Some(PreludeLayout::Unknown);
                    is_known.then(|| nominal(lowering, ty, repr, depth))?
                }
            }
        }
        _ => None,
    }
}

fn scalar(prim: Prim) -> Option<Layout> {
    let bytes = match prim_ty(prim).kind() {
        _ if prim == Prim::Str => return None,
        overdub_context::ir::TyKind::Int(int) => u64::from(int.bits() / 8),
        overdub_context::ir::TyKind::Float(overdub_context::ir::FloatTy::F64) => 8,
        overdub_context::ir::TyKind::Bool => 1,
        _ => 4,
    };
    let available = match prim {
        Prim::Bool => 254,
        Prim::Char => (1 << 32) - (u128::from(u32::from(char::MAX)) + 1),
        _ => 0,
    };
    Some(Layout::new(bytes, bytes).with_niche(available, Some((0, bytes))))
}

/// A pointer to a type; one to an unsized type also holds a length or a vtable.
fn pointer(to: infer::Ty) -> Layout {
    let is_unsized = matches!(to.kind(), TyKind::Prim(Prim::Str) | TyKind::Slice(_) | TyKind::Dyn(_));
    Layout::new(if is_unsized { 16 } else { 8 }, 8)
}

/// A struct, an enum or a union.
fn nominal(lowering: &Lowering, ty: infer::Ty, repr: Repr, depth: usize) -> Option<Layout> {
    let TyKind::Adt(def, _) = ty.kind() else { return None };
    let of = |ty: infer::Ty| layout_of(lowering, ty, depth + 1);
    let variants = lowering.types.variants(ty).ok()?;
    let variants = variants
        .into_iter()
        .map(|(_, fields)| fields.into_iter().map(|(_, ty)| of(ty)).collect::<Option<Vec<_>>>())
        .collect::<Option<Vec<_>>>()?;
    if lowering.types.program().head(*def).kind == crate::hir::DefKind::Enum {
        let tags = || lowering.types.discriminants(*def).ok();
        return enums::of_variants(&variants, repr, tags);
    }
    let fields = variants.first()?;
    if lowering.is_union(ty) {
        let fields = fields.iter().map(|field| Layout { align: packed(field.align, repr), ..*field });
        let (size, align) =
            fields.fold((0, 1), |(size, align), field| (field.size.max(size), field.align.max(align)));
        return rounded(size, align, repr);
    }
    let whole = of_fields(fields, repr)?;
    Some(match repr.prelude {
        Some(PreludeLayout::NonZero) => whole.with_niche(1, Some((0, whole.size))),
        _ => whole,
    })
}

/// The alignment of a field.
fn packed(align: u64, repr: Repr) -> u64 {
    repr.packed.map_or(align, |packed| align.min(packed))
}

/// A size that is a multiple of the alignment.
fn rounded(size: u64, align: u64, repr: Repr) -> Option<Layout> {
    let align = repr.align.map_or(align, |least| align.max(least));
    Some(Layout::new(size.checked_next_multiple_of(align)?, align))
}

/// The fields of a struct, a tuple or a variant without a tag.
fn of_fields(fields: &[Layout], repr: Repr) -> Option<Layout> {
    let (mut size, mut align) = (0_u64, 1);
    let mut niche = Niche::default();
    let is_alone = fields.iter().filter(|field| field.size > 0).count() == 1;
    for field in fields {
        let field_align = packed(field.align, repr);
        if repr.is_c {
            size = size.checked_next_multiple_of(field_align)?;
        }
        if field.niche.available > niche.available {
            let place = field.niche.place.filter(|_| repr.is_c || is_alone);
            niche = Niche { place: place.map(|(at, len)| (size + at, len)), ..field.niche };
        }
        size = size.checked_add(field.size)?;
        align = align.max(field_align);
    }
    let is_uninhabited = fields.iter().any(|field| field.is_uninhabited);
    Some(Layout { niche, is_uninhabited, ..rounded(size, align, repr)? })
}
