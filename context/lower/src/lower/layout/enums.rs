//! The layout of enums: tagged, or with the tag in the niche of the largest variant.
//!
//! The rules are those of `rustc_abi::layout`: of both layouts the smaller one is chosen, and of two of one size the one
//! with the larger niche.

use super::{Layout, of_fields, rounded, scalar};
use crate::hir::{Prim, Repr};

/// The layout of an enum with these fields of its variants, whose discriminants `tags` computes.
pub(super) fn of_variants(
    variants: &[Vec<Layout>],
    repr: Repr,
    tags: impl FnOnce() -> Option<Vec<i128>>,
) -> Option<Layout> {
    if repr.is_c || repr.tag.is_some() {
        return fixed_tag(variants, repr, tags);
    }
    let is_absent = |fields: &[Layout]| {
        fields.iter().any(|field| field.is_uninhabited) && fields.iter().all(|field| field.size == 0)
    };
    let present: Vec<usize> = (0..variants.len()).filter(|&at| !is_absent(&variants[at])).collect();
    match present[..] {
        [] => return Some(Layout { is_uninhabited: true, ..Layout::new(0, 1) }),
        [only] => return of_fields(&variants[only], repr),
        _ => {}
    }
    let is_uninhabited = present.iter().all(|&at| variants[at].iter().any(|field| field.is_uninhabited));
    let tags = tags()?;
    let numbers: Vec<i128> = present.iter().filter_map(|&at| tags.get(at).copied()).collect();
    let with_tag = tagged(present.iter().map(|&at| &variants[at][..]), &numbers, repr)?;
    let found = match niche_filling(variants, &present, repr)? {
        Some(other) if (other.size, with_tag.niche.available) < (with_tag.size, other.niche.available) => {
            other
        }
        Some(_) | None => with_tag,
    };
    Some(Layout { is_uninhabited, ..found })
}

/// The bytes of the smallest integer that holds the discriminants.
fn tag_size(numbers: &[i128]) -> u64 {
    let fits = |bits: u32| {
        let (signed, unsigned) = (1_i128 << (bits - 1), 1_i128 << bits);
        numbers.iter().all(|n| (0..unsigned).contains(n))
            || numbers.iter().all(|n| (-signed..signed).contains(n))
    };
    [1, 2, 4].into_iter().find(|bytes| fits(8 * bytes)).map_or(8, u64::from)
}

fn tag_niche(size: u64, numbers: &[i128]) -> u128 {
    let all = 1_u128.checked_shl(8 * size as u32).unwrap_or(u128::MAX);
    match (numbers.iter().min(), numbers.iter().max()) {
        (Some(least), Some(greatest)) => all.saturating_sub(greatest.abs_diff(*least) + 1),
        _ => 0,
    }
}

/// Each variant is a struct that begins with the tag; the fields that need the least alignment come first.
fn tagged<'l>(variants: impl Iterator<Item = &'l [Layout]>, numbers: &[i128], repr: Repr) -> Option<Layout> {
    let tag = tag_size(numbers);
    let (mut size, mut align) = (tag, tag);
    for fields in variants {
        let mut fields = fields.to_vec();
        fields.sort_by_key(|field| field.align);
        let mut end = tag;
        for field in fields {
            end = end.checked_next_multiple_of(field.align)?.checked_add(field.size)?;
            align = align.max(field.align);
        }
        size = size.max(end);
    }
    Some(rounded(size, align, repr)?.with_niche(tag_niche(tag, numbers), Some((0, tag))))
}

/// The variants but the largest are bit patterns in the niche of that one. The outer `None` is a layout that is not known.
fn niche_filling(variants: &[Vec<Layout>], present: &[usize], repr: Repr) -> Option<Option<Layout>> {
    let wholes =
        variants.iter().map(|fields| of_fields(fields, Repr::default())).collect::<Option<Vec<_>>>()?;
    let Some(largest) = (0..wholes.len()).max_by_key(|&at| wholes[at].size) else { return Some(None) };
    let others: Vec<usize> = present.iter().copied().filter(|&at| at != largest).collect();
    let (Some(first), Some(last)) = (others.first(), others.last()) else { return Some(None) };
    let needed = (last - first + 1) as u128;
    let niche = wholes[largest].niche;
    if niche.available < needed {
        return Some(None);
    }
    let align = wholes.iter().map(|whole| whole.align).max()?;
    let found = rounded(wholes[largest].size, align, repr)?.with_niche(niche.available - needed, niche.place);
    for &other in &others {
        let other = wholes[other];
        if other.size == 0 {
            continue;
        }
        let (at, len) = niche.place?;
        let behind = (at + len).checked_next_multiple_of(other.align)?.checked_add(other.size)?;
        if other.size > at && behind > found.size {
            return Some(None);
        }
    }
    Some(Some(found))
}

/// `#[repr(u8)]`, `#[repr(C)]`: the tag comes first, then the fields in their order; by `C` a union of them.
fn fixed_tag(
    variants: &[Vec<Layout>],
    repr: Repr,
    tags: impl FnOnce() -> Option<Vec<i128>>,
) -> Option<Layout> {
    let tag = scalar(repr.tag.unwrap_or(Prim::I32))?;
    let in_order = Repr { is_c: true, ..Repr::default() };
    let (mut size, mut align) = (tag.size, tag.align);
    if repr.is_c {
        let parts = variants.iter().map(|fields| of_fields(fields, in_order)).collect::<Option<Vec<_>>>()?;
        let union_align = parts.iter().map(|part| part.align).max().unwrap_or(1);
        let union_size = parts.iter().map(|part| part.size).max().unwrap_or(0);
        size = size.checked_next_multiple_of(union_align)?.checked_add(union_size)?;
        align = align.max(union_align);
    } else {
        for fields in variants {
            let all: Vec<Layout> = std::iter::once(tag).chain(fields.iter().copied()).collect();
            let whole = of_fields(&all, in_order)?;
            (size, align) = (size.max(whole.size), align.max(whole.align));
        }
    }
    Some(rounded(size, align, repr)?.with_niche(tag_niche(tag.size, &tags()?), Some((0, tag.size))))
}
