//! The layout of structs and enums composed of fields, as rustc 1.95 chooses it: `rustc_abi/src/layout.rs`.
//!
//! - COMPOSE1 nothing of it is guaranteed by the language; that sizes agree is tested against the compiler.

use std::cmp::Reverse;

use crate::hir::Repr;

/// Values of a part of a type that are never used; rustc stores other variants of enums as these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Niche {
    /// The place of the part, in bytes.
    pub(super) offset: u64,
    /// The size of the part, in bytes.
    pub(super) size: u64,
    /// The number of the values.
    pub(super) available: u128,
}

/// The size and alignment of a type, in bytes, and its largest niche.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Layout {
    pub(in crate::lower) size: u64,
    pub(in crate::lower) align: u64,
    pub(super) niche: Option<Niche>,
    /// Whether the type has no values.
    pub(super) is_uninhabited: bool,
}

impl Layout {
    pub(super) fn scalar(size: u64, available: u128) -> Layout {
        let niche = (available > 0).then_some(Niche { offset: 0, size, available });
        Layout { size, align: size.max(1), niche, is_uninhabited: false }
    }

    pub(super) fn never() -> Layout {
        Layout { size: 0, align: 1, niche: None, is_uninhabited: true }
    }

    /// An array of such values.
    pub(super) fn repeated(self, len: u64) -> Option<Layout> {
        let some = len > 0;
        let (niche, is_uninhabited) = (self.niche.filter(|_| some), self.is_uninhabited && some);
        Some(Layout { size: self.size.checked_mul(len)?, niche, is_uninhabited, ..self })
    }

    /// Memory for such a value, which need not be one.
    pub(super) fn uninitialised(self) -> Layout {
        Layout { niche: None, is_uninhabited: false, ..self }
    }

    pub(super) fn without_niche(self) -> Layout {
        Layout { niche: None, ..self }
    }

    fn niche_size(&self) -> u128 {
        self.niche.map_or(0, |niche| niche.available)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bias {
    Start,
    End,
}

/// Where fields are placed.
#[derive(Clone, Copy)]
enum Kind {
    Whole,
    /// Behind a discriminant of this size.
    Behind(u64),
}

/// A size as a multiple of an alignment; one beyond all memory is that of no type.
fn rounded(size: u64, align: u64) -> u64 {
    size.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

/// The layout of a struct or tuple.
pub(super) fn of_struct(fields: &[Layout], repr: Repr) -> Layout {
    let layout = placed(fields, repr, Kind::Whole);
    let align = layout.align.max(repr.align.unwrap_or(1));
    Layout { size: rounded(layout.size, align), align, ..layout }
}

/// The layout of a union.
pub(super) fn of_union(fields: &[Layout], repr: Repr) -> Layout {
    let align_of = |field: &Layout| repr.packed.map_or(field.align, |packed| field.align.min(packed));
    let align = fields.iter().map(align_of).max().unwrap_or(1).max(repr.align.unwrap_or(1));
    let size = rounded(fields.iter().map(|field| field.size).max().unwrap_or(0), align);
    Layout { size, align, niche: None, is_uninhabited: false }
}

/// The layout of an enum with these variants and their discriminants.
pub(super) fn of_enum(variants: &[(Vec<Layout>, i128)], repr: Repr) -> Layout {
    let is_fixed = repr.is_c || repr.tag_bytes().is_some();
    let present: Vec<&(Vec<Layout>, i128)> =
        variants.iter().filter(|(fields, _)| !is_absent(fields)).collect();
    match present[..] {
        [] => return Layout::never(),
        [(fields, _)] if !is_fixed => return of_struct(fields, repr),
        _ => {}
    }
    let tagged = tagged(variants, repr);
    let filled = if is_fixed { None } else { filled(variants) };
    let best = match filled {
        Some(filled)
            if (filled.size, Reverse(filled.niche_size())) < (tagged.size, Reverse(tagged.niche_size())) =>
        {
            filled
        }
        _ => tagged,
    };
    let align = best.align.max(repr.align.unwrap_or(1));
    Layout { size: rounded(best.size, align), align, ..best }
}

/// Whether a variant has no values and takes no memory.
fn is_absent(fields: &[Layout]) -> bool {
    fields.iter().any(|field| field.is_uninhabited)
        && fields.iter().all(|field| field.size == 0 && field.align == 1)
}

/// The discriminant is a niche of the largest variant.
fn filled(variants: &[(Vec<Layout>, i128)]) -> Option<Layout> {
    let layouts: Vec<Layout> =
        variants.iter().map(|(fields, _)| placed(fields, Repr::default(), Kind::Whole)).collect();
    let largest = (0..layouts.len()).max_by_key(|&at| layouts[at].size)?;
    let mut others = (0..variants.len()).filter(|&at| at != largest && !is_absent(&variants[at].0));
    let first = others.next()?;
    let count = (others.next_back().unwrap_or(first) - first) as u128 + 1;
    let niche = layouts[largest].niche.filter(|niche| niche.available >= count)?;
    let align = layouts.iter().map(|layout| layout.align).max()?;
    let size = rounded(layouts[largest].size, align);
    let fits = |layout: &Layout| {
        let behind = rounded(niche.offset.saturating_add(niche.size), layout.align);
        layout.size <= niche.offset || behind.saturating_add(layout.size) <= size
    };
    let all_fit = layouts.iter().enumerate().all(|(at, layout)| at == largest || fits(layout));
    let niche = Niche { available: niche.available - count, ..niche };
    let niche = Some(niche).filter(|niche| niche.available > 0);
    let is_uninhabited = layouts.iter().all(|layout| layout.is_uninhabited);
    all_fit.then_some(Layout { size, align, niche, is_uninhabited })
}

/// The discriminant is in front of the fields.
fn tagged(variants: &[(Vec<Layout>, i128)], repr: Repr) -> Layout {
    let inhabited =
        variants.iter().filter(|(fields, _)| repr.is_c || !fields.iter().any(|field| field.is_uninhabited));
    let numbers = || inhabited.clone().map(|(_, number)| *number);
    let (low, high) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
    let fits = |bytes: u64| match low < 0 {
        true => low >= -(1 << (8 * bytes - 1)) && high < 1 << (8 * bytes - 1),
        false => high < 1 << (8 * bytes),
    };
    let least = if repr.is_c { 4 } else { 1 };
    let tag = repr
        .tag_bytes()
        .unwrap_or_else(|| [1, 2, 4].into_iter().find(|&n| n >= least && fits(n)).unwrap_or(8));
    // In C, the fields of all variants begin where those of the most aligned one can.
    let fields_align = variants.iter().flat_map(|(fields, _)| fields).map(|field| field.align).max();
    let prefix = if repr.is_c { tag.max(fields_align.unwrap_or(1)) } else { tag };
    let (mut size, mut align, mut start_align) = (0, tag, 256);
    for (fields, _) in variants {
        let layout = placed(fields, repr, Kind::Behind(prefix));
        (size, align) = (layout.size.max(size), layout.align.max(align));
        if let Some(first) = order(fields, repr, Kind::Behind(prefix), Bias::Start)
            .into_iter()
            .map(|at| &fields[at])
            .find(|field| field.size > 0 || field.align > 1)
        {
            start_align = start_align.min(first.align);
        }
    }
    let wide =
        if repr.is_c || repr.tag_bytes().is_some() || start_align > 16 { tag } else { start_align.max(tag) };
    let values = if wide >= 16 { u128::MAX } else { 1 << (8 * wide) };
    let available = u128::saturating_sub(values, high.abs_diff(low).saturating_add(1));
    let niche = (available > 0).then_some(Niche { offset: 0, size: wide, available });
    let is_uninhabited = variants.iter().all(|(fields, _)| fields.iter().any(|field| field.is_uninhabited));
    Layout { size: rounded(size.max(tag), align), align, niche, is_uninhabited }
}

/// The layout of fields; niches are preferred at an end, beside which smaller variants fit.
fn placed(fields: &[Layout], repr: Repr, kind: Kind) -> Layout {
    let layout = placed_towards(fields, repr, kind, Bias::Start);
    let Some(niche) = layout.niche else { return layout };
    let room = |niche: Niche, size: u64| {
        (niche.offset, size.saturating_sub(niche.offset).saturating_sub(niche.size))
    };
    let (before, after) = room(niche, layout.size);
    if fields.len() < 2 || before == 0 || after == 0 {
        return layout;
    }
    let other = placed_towards(fields, repr, kind, Bias::End);
    let (other_before, other_after) = other.niche.map_or((0, 0), |niche| room(niche, other.size));
    if before.min(after) > other_before.min(other_after) { other } else { layout }
}

fn placed_towards(fields: &[Layout], repr: Repr, kind: Kind, bias: Bias) -> Layout {
    let (mut offset, mut align, mut niche) = (0_u64, 1, None::<Niche>);
    if let Kind::Behind(prefix) = kind {
        (offset, align) = (prefix, repr.packed.map_or(prefix, |packed| prefix.min(packed)));
    }
    for at in order(fields, repr, kind, bias) {
        let field = &fields[at];
        let field_align = repr.packed.map_or(field.align, |packed| field.align.min(packed));
        offset = rounded(offset, field_align);
        align = align.max(field_align);
        if let Some(inner) = field.niche {
            let known = niche.map_or(0, |niche| niche.available);
            if inner.available > known || bias == Bias::End && inner.available == known {
                niche = Some(Niche { offset: inner.offset.saturating_add(offset), ..inner });
            }
        }
        offset = offset.saturating_add(field.size);
    }
    let is_uninhabited = fields.iter().any(|field| field.is_uninhabited);
    Layout { size: rounded(offset, align), align, niche, is_uninhabited }
}

/// The fields in the order of their places.
fn order(fields: &[Layout], repr: Repr, kind: Kind, bias: Bias) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fields.len()).collect();
    if repr.is_c || repr.tag_bytes().is_some() {
        return order;
    }
    let max_align = fields.iter().map(|field| field.align).max().unwrap_or(1);
    let largest_niche = fields.iter().map(Layout::niche_size).max().unwrap_or(0);
    let group = |field: &Layout| match repr.packed {
        Some(packed) => field.align.min(packed),
        None => {
            let size_as_align = field.align.max(field.size).trailing_zeros();
            u64::from(match bias {
                _ if largest_niche == 0 => size_as_align,
                Bias::Start => max_align.trailing_zeros().min(size_as_align),
                Bias::End if field.niche_size() == largest_niche => field.align.trailing_zeros(),
                Bias::End => size_as_align,
            })
        }
    };
    if let Kind::Behind(_) = kind {
        order.sort_by_key(|&at| (group(&fields[at]), fields[at].niche_size()));
        return order;
    }
    order.sort_by_key(|&at| {
        let field = &fields[at];
        let (size_key, offset_key) = match bias {
            Bias::Start => (!field.niche_size(), field.niche.map_or(0, |niche| niche.offset)),
            Bias::End => {
                let behind = |niche: Niche| !(field.size - niche.size - niche.offset);
                (field.niche_size(), field.niche.map_or(0, behind))
            }
        };
        (Reverse(group(field)), size_key, offset_key)
    });
    order
}
