//! Out slots: the variables and slices that the caller of a prepared function provides for the parts of its
//! result.

use std::ops::Range;

use overdub_context::engine::OutSlot;
use overdub_context::ir::{FloatTy, IntTy, Ty};
use overdub_context::{Failure, FailureKind};

use crate::abi::layout::{Component, Counted, Elem, HOLES, Layout, LayoutKind};
use crate::abi::uncounted;
use crate::buffer_pool::{BufferKind, BufferPool};

/// A scalar or a vector of a result: its kind, and the position of its first word.
#[derive(Debug)]
pub(crate) struct ResultPart {
    pub(super) kind: PartKind,
    pub(super) word: usize,
    ty: Ty,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum PartKind {
    F64,
    Int(IntTy),
    Bool,
    Vector(Elem),
    /// A part for which there is no kind of slot.
    Other,
}

/// The scalars and vectors of a result, in order.
pub(crate) fn parts_of(layout: &Layout) -> Vec<ResultPart> {
    let mut parts = Vec::new();
    add_parts(layout, &|component| component, &mut parts);
    parts
}

fn add_parts(layout: &Layout, word: &dyn Fn(usize) -> usize, parts: &mut Vec<ResultPart>) {
    let kind = match &layout.shape {
        LayoutKind::Empty => return,
        LayoutKind::Aggregate(_, fields) => {
            return fields.iter().for_each(|part| {
                add_parts(&part.layout, &|component| word(part.components[component]), parts)
            });
        }
        LayoutKind::Float(FloatTy::F64) => PartKind::F64,
        LayoutKind::Int(int) => PartKind::Int(*int),
        LayoutKind::Bool => PartKind::Bool,
        LayoutKind::Vector(elem) => PartKind::Vector(*elem),
        _ => PartKind::Other,
    };
    parts.push(ResultPart { kind, word: word(0), ty: layout.ty });
}

/// A counted component of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OwnedPart {
    /// The first word of a vector whose buffer may be reused for vectors of this kind.
    Vector(Elem, BufferKind, usize),
    Other(Counted, usize),
}

/// What a result owns, the last vector first: code that creates vectors in the same order takes the last
/// buffer freed.
pub(crate) fn owned_by(layout: &Layout, parts: &[ResultPart], created: &[usize]) -> Vec<OwnedPart> {
    let vector = |component: usize| {
        let part = parts.iter().find(|part| part.word == component)?;
        let PartKind::Vector(elem) = part.kind else { return None };
        Some(OwnedPart::Vector(
            elem,
            BufferKind::new(elem, created.contains(&component).then_some(component)),
            component,
        ))
    };
    let components = layout.components.iter().enumerate().rev();
    let counted = components.filter_map(|(at, component)| match component {
        Component::Counted(counted) => Some(vector(at).unwrap_or(OwnedPart::Other(*counted, at))),
        _ => None,
    });
    counted.collect()
}

/// A slot whose memory the function may use for its result (POOL3).
#[derive(Clone, Copy, Debug)]
pub(crate) struct LentSlot {
    /// The index of the slot.
    at: usize,
    kind: BufferKind,
    /// The word of a lent vector (WORD5).
    handle: u64,
}

/// The slots that are lent to a function, the last one first, as in [`owned_by`].
pub(crate) fn lent_to(parts: &[ResultPart], created: &[usize]) -> Vec<LentSlot> {
    let lent = |(at, part): (usize, &ResultPart)| {
        let is_created = matches!(part.kind, PartKind::Vector(Elem::F64)) && created.contains(&part.word);
        is_created.then(|| LentSlot {
            at,
            kind: BufferKind::new(Elem::F64, Some(part.word)),
            handle: uncounted::lent(),
        })
    };
    parts.iter().enumerate().rev().filter_map(lent).collect()
}

impl LentSlot {
    #[inline]
    pub(crate) fn lend(self, buffers: &mut BufferPool, outs: &mut [OutSlot<'_>]) {
        if let Some(OutSlot::F64s(place)) = outs.get_mut(self.at) {
            buffers.lend(self.handle, self.kind, place);
        }
    }
}

/// Checks that each part of a result has a slot of its type, before anything runs.
#[inline]
pub(crate) fn check(parts: &[ResultPart], outs: &[OutSlot<'_>]) -> Result<(), Failure> {
    let fits = parts.len() == outs.len() && parts.iter().zip(outs).all(|(part, out)| takes(out, part.kind));
    if fits { Ok(()) } else { Err(misfit(parts, outs)) }
}

#[inline]
fn takes(out: &OutSlot<'_>, kind: PartKind) -> bool {
    // The frequent ones, without a jump table.
    if let OutSlot::F64(_) = out {
        return matches!(kind, PartKind::F64);
    }
    match out {
        OutSlot::F64(_) => false,
        OutSlot::F64s(_) => matches!(kind, PartKind::Vector(Elem::F64)),
        OutSlot::Int(_) => matches!(kind, PartKind::Int(_)),
        OutSlot::Bool(_) => matches!(kind, PartKind::Bool),
        OutSlot::Unwanted => true,
    }
}

#[cold]
fn misfit(parts: &[ResultPart], outs: &[OutSlot<'_>]) -> Failure {
    let other = parts.iter().zip(outs).find(|(part, out)| !takes(out, part.kind));
    let message = match (other, parts.get(outs.len())) {
        (Some((part, out)), _) => format!("a part of the result is {:?}, its place is {out:?}", part.ty),
        (None, Some(part)) => format!("there is no place for a part of the result, {:?}", part.ty),
        (None, None) => "the result has fewer parts than there are places".to_owned(),
    };
    Failure::new(FailureKind::Type, message)
}

/// Writes the parts of a result to their slots ([`check`]), except those that were computed there.
///
/// # Safety
/// `words` are those of a value with these parts (WORD1), and still own its counts (WORD2).
#[inline]
pub(crate) unsafe fn read(
    parts: &[ResultPart],
    words: &[u64],
    outs: &mut [OutSlot<'_>],
) -> Result<(), Failure> {
    for (part, out) in parts.iter().zip(outs.iter_mut()) {
        if let OutSlot::F64(out) = out {
            **out = f64::from_bits(words[part.word]);
        } else if !is_in_place(part, words, out) {
            // SAFETY: passed on.
            return unsafe { read_others(parts, words, outs) };
        }
    }
    Ok(())
}

/// Whether nothing is to be written to a slot: its vector was computed there, or the part is not wanted.
fn is_in_place(part: &ResultPart, words: &[u64], out: &OutSlot<'_>) -> bool {
    match out {
        OutSlot::F64s(place) => {
            let [handle, data, len, ..] = words[part.word..] else { return false };
            handle >= HOLES && [data, len] == [place.as_ptr() as u64, place.len() as u64]
        }
        OutSlot::Unwanted => true,
        _ => false,
    }
}

/// As [`read`], for parts of any kind.
///
/// # Safety
/// As for [`read`].
unsafe fn read_others(parts: &[ResultPart], words: &[u64], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
    // SAFETY: passed on.
    let moved = unsafe { moved(parts, words, outs) };
    for (at, (part, out)) in parts.iter().zip(outs.iter_mut()).enumerate() {
        let part_words = &words[part.word..];
        match (part.kind, out) {
            (_, OutSlot::Unwanted) => {}
            (PartKind::F64, OutSlot::F64(out)) => **out = f64::from_bits(part_words[0]),
            (PartKind::Int(int), OutSlot::Int(out)) => {
                let unused = 64 - int.bits();
                let high = part_words[0] << unused;
                **out = if int.is_signed() { (high as i64) >> unused } else { (high >> unused) as i64 };
            }
            (PartKind::Bool, OutSlot::Bool(out)) => **out = part_words[0] & 1 != 0,
            (PartKind::Vector(Elem::F64), OutSlot::F64s(out)) => {
                let (data, len) = (part_words[1] as usize as *const f64, part_words[2] as usize);
                if part_words[0] < HOLES || len != out.len() {
                    let message = format!(
                        "a vector of {len} floats does not fit into a buffer of {} numbers",
                        out.len()
                    );
                    let help = "give a buffer of the length of the vector, or none where it is not wanted";
                    return Err(Failure::new(FailureKind::Bounds, message).with_help(Some(help.to_owned())));
                }
                match moved.get(at) {
                    Some(elems) => out.copy_from_slice(elems),
                    None if data == out.as_ptr() => {}
                    // SAFETY: passed on: a vector of `len` floats, which overlaps no slot.
                    None => out.copy_from_slice(unsafe { std::slice::from_raw_parts(data, len) }),
                }
            }
            // Checked before the run.
            _ => {}
        }
    }
    Ok(())
}

/// Copies of all vectors of floats, if one of them is in a slot that is not its own and would be overwritten
/// before it is read. Otherwise empty.
///
/// # Safety
/// As for [`read`].
unsafe fn moved(parts: &[ResultPart], words: &[u64], outs: &[OutSlot<'_>]) -> Vec<Vec<f64>> {
    let range = |data: usize, len: usize| data..data + len * size_of::<f64>();
    let place = |out: &OutSlot<'_>| match out {
        OutSlot::F64s(place) => range(place.as_ptr() as usize, place.len()),
        _ => 0..0,
    };
    let vector = |part: &ResultPart| match part.kind {
        PartKind::Vector(Elem::F64) => range(words[part.word + 1] as usize, words[part.word + 2] as usize),
        _ => 0..0,
    };
    let overlap = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    let is_moved = |(at, part): (usize, &ResultPart)| {
        let source = vector(part);
        let overlaps_other = |(to, out): (usize, &OutSlot<'_>)| {
            let place = place(out);
            overlap(&source, &place) && (to != at || source.start != place.start)
        };
        outs.iter().enumerate().any(overlaps_other)
    };
    if !parts.iter().enumerate().any(is_moved) {
        return Vec::new();
    }
    let copy = |part: &ResultPart| match part.kind {
        // SAFETY: passed on; a hole holds nothing.
        PartKind::Vector(Elem::F64) if words[part.word] >= HOLES => unsafe {
            let (data, len) = (words[part.word + 1] as usize as *const f64, words[part.word + 2] as usize);
            std::slice::from_raw_parts(data, len).to_vec()
        },
        _ => Vec::new(),
    };
    parts.iter().map(copy).collect()
}
