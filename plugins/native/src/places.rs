//! The parts of what a prepared call gives, and how they come to the caller's own places.

use overdub_context::engine::Out;
use overdub_context::ir::{FloatTy, IntTy, Ty};
use overdub_context::{Failure, FailureKind};

use crate::layout::{Counted, Elem, Layout, Leaf, Shape};

/// A scalar or a vector of a result: what it is, and the first of its words.
#[derive(Debug)]
pub(crate) struct Part {
    kind: Kind,
    word: usize,
    ty: Ty,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    F64,
    Int(IntTy),
    Bool,
    Vector(Elem),
    /// What there are no places for.
    Other,
}

/// The scalars and vectors of a result, in their order.
pub(crate) fn parts_of(layout: &Layout) -> Vec<Part> {
    let mut parts = Vec::new();
    add_parts(layout, &|leaf| leaf, &mut parts);
    parts
}

fn add_parts(layout: &Layout, word: &dyn Fn(usize) -> usize, parts: &mut Vec<Part>) {
    let kind = match &layout.shape {
        Shape::Nothing => return,
        Shape::Parts(_, own) => {
            return own
                .iter()
                .for_each(|part| add_parts(&part.layout, &|leaf| word(part.leaves[leaf]), parts));
        }
        Shape::Float(FloatTy::F64) => Kind::F64,
        Shape::Int(int) => Kind::Int(*int),
        Shape::Bool => Kind::Bool,
        Shape::Vector(elem) => Kind::Vector(*elem),
        _ => Kind::Other,
    };
    parts.push(Part { kind, word: word(0), ty: layout.ty });
}

/// A leaf of a result that is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owned {
    /// The first of a vector's words, whose memory others may take.
    Vector(Elem, usize),
    Other(Counted, usize),
}

/// What a result owns, the last vector first: who makes vectors again in the same order takes what came last.
pub(crate) fn owned_by(layout: &Layout, parts: &[Part]) -> Vec<Owned> {
    let vector = |leaf: usize| {
        let part = parts.iter().find(|part| part.word == leaf)?;
        if let Kind::Vector(elem) = part.kind { Some(Owned::Vector(elem, leaf)) } else { None }
    };
    let leaves = layout.leaves.iter().enumerate().rev();
    let counted = leaves.filter_map(|(at, leaf)| match leaf {
        Leaf::Counted(counted) => Some(vector(at).unwrap_or(Owned::Other(*counted, at))),
        _ => None,
    });
    counted.collect()
}

/// Writes the parts of a result to their places.
///
/// # Safety
/// `words` are those of a value that has these parts (W1), and still held (W2).
pub(crate) unsafe fn read(parts: &[Part], words: &[u64], outs: &mut [Out<'_>]) -> Result<(), Failure> {
    for (part, out) in parts.iter().zip(outs.iter_mut()) {
        let own = &words[part.word..];
        match (part.kind, out) {
            (_, Out::Unwanted) => {}
            (Kind::F64, Out::F64(out)) => **out = f64::from_bits(own[0]),
            (Kind::Int(int), Out::Int(out)) => {
                let unused = 64 - int.bits();
                let high = own[0] << unused;
                **out = if int.is_signed() { (high as i64) >> unused } else { (high >> unused) as i64 };
            }
            (Kind::Bool, Out::Bool(out)) => **out = own[0] & 1 != 0,
            (Kind::Vector(Elem::F64), Out::F64s(out)) => {
                let (data, len) = (own[1] as usize as *const f64, own[2] as usize);
                if own[0] == 0 || len != out.len() {
                    return Err(wrong(format!(
                        "a vector of {len} floats does not fit into a place of {}",
                        out.len()
                    )));
                }
                // SAFETY: passed on: a vector of so many floats.
                out.copy_from_slice(unsafe { std::slice::from_raw_parts(data, len) });
            }
            (_, out) => {
                return Err(wrong(format!("a part of the result is {:?}, its place is {out:?}", part.ty)));
            }
        }
    }
    match parts.get(outs.len()) {
        Some(part) => Err(wrong(format!("there is no place for a part of the result, {:?}", part.ty))),
        None if parts.len() < outs.len() => {
            Err(wrong("the result has fewer parts than there are places".into()))
        }
        None => Ok(()),
    }
}

#[cold]
fn wrong(what: String) -> Failure {
    Failure::new(FailureKind::Type, what)
}
