//! How values of a type lie in registers: the scalars that they consist of, in order.
//!
//! The registers of an enum are its tag and the fields of all variants, of which those of one variant are meaningful.

use overdub_context::ir::{FloatTy, IntTy, Ty, TyKind};

/// The most scalars of a value.
const MOST: usize = 64;

/// One part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// A scalar of up to 64 bits.
    Word(Ty),
    /// A bool.
    Bool,
    /// An array of scalars, of this type.
    Array(Ty),
    /// A stack.
    Stack,
}

/// The parts of values of a type; none if they cannot be in registers.
pub(crate) fn leaves(ty: Ty) -> Option<Vec<Leaf>> {
    let mut all = Vec::new();
    add(ty, &mut all)?;
    Some(all)
}

fn add(ty: Ty, all: &mut Vec<Leaf>) -> Option<()> {
    if all.len() >= MOST {
        return None;
    }
    match ty.kind() {
        TyKind::Unit => {}
        TyKind::Bool => all.push(Leaf::Bool),
        TyKind::Int(IntTy::I128 | IntTy::U128) => return None,
        TyKind::Int(_) | TyKind::Float(_) | TyKind::Char => all.push(Leaf::Word(ty)),
        TyKind::Array(array) if is_scalar(array.elem) => all.push(Leaf::Array(ty)),
        TyKind::Stack(elem) => {
            let elem = leaves(*elem)?;
            if elem.is_empty() || !elem.iter().all(|leaf| leaf.is_scalar()) {
                return None;
            }
            all.push(Leaf::Stack);
        }
        TyKind::Tuple(_) | TyKind::Struct(_) => {
            ty.parts(0)?.into_iter().try_for_each(|part| add(part, all))?;
        }
        TyKind::Enum(nominal) => {
            all.push(Leaf::Word(Ty::i64()));
            let count = u32::try_from(nominal.variants()?.len()).ok()?;
            for variant in 0..count {
                ty.parts(variant)?.into_iter().try_for_each(|part| add(part, all))?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// Whether values of a type are scalars of up to 64 bits.
pub(crate) fn is_scalar(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Int(int) => int.bits() <= 64,
        TyKind::Bool | TyKind::Char | TyKind::Float(_) => true,
        _ => false,
    }
}

/// Whether a type is that of 64-bit floats.
pub(crate) fn is_f64(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(FloatTy::F64))
}

impl Leaf {
    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Leaf::Word(_) | Leaf::Bool)
    }
}

/// Where a field of a variant begins among the parts, and how many it has; variant 0 for tuples and structs.
pub(crate) fn field(ty: Ty, variant: u32, number: usize) -> Option<(usize, usize)> {
    let mut begin = match ty.kind() {
        TyKind::Enum(_) => 1,
        _ => 0,
    };
    for before in 0..variant {
        for part in ty.parts(before)? {
            begin += leaves(part)?.len();
        }
    }
    let parts = ty.parts(variant)?;
    for part in parts.iter().take(number) {
        begin += leaves(*part)?.len();
    }
    Some((begin, leaves(*parts.get(number)?)?.len()))
}
