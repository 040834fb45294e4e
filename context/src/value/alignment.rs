//! Alignment of what is read and written through pointers to bytes.
//!
//! - ALIGN1 the elements of an array begin at a multiple of any alignment: an address is that of the array plus
//!   the position in it.

use super::{CellRef, PathElem};
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind};

/// The maximum nesting depth of types that are examined.
const DEEPEST: usize = 64;

impl CellRef {
    /// Fails if an integer, or a struct of integers, would be read or written at a position in narrower integers
    /// that is no multiple of its alignment.
    pub(super) fn check_aligned(&self) -> Result<(), Failure> {
        if self.is_unaligned {
            return Ok(());
        }
        for steps in self.path.windows(2) {
            let &[slice, PathElem::View { from, to, .. }] = steps else { continue };
            let (first, narrow) = match slice {
                PathElem::Slice(first, _) | PathElem::FlatSlice { from: first, .. } => (first, from),
                _ => continue,
            };
            let (Some(narrow), Some(wide)) = (align_of(narrow, 0), align_of(to, 0)) else { continue };
            if wide > narrow && first % (wide / narrow) as usize != 0 {
                return Err(misaligned(first * narrow as usize, wide));
            }
        }
        Ok(())
    }
}

/// The alignment of an integer, or of the widest integer in a value of a type, in bytes; none for other types.
fn align_of(ty: Ty, depth: usize) -> Option<u32> {
    match ty.kind() {
        _ if depth > DEEPEST => None,
        TyKind::Int(int) => Some(int.bits() / 8),
        TyKind::Array(array) => align_of(array.elem, depth + 1),
        TyKind::Tuple(_) | TyKind::Struct(_) => {
            ty.parts(0)?.into_iter().try_fold(1, |widest, part| Some(widest.max(align_of(part, depth + 1)?)))
        }
        _ => None,
    }
}

#[cold]
fn misaligned(byte: usize, align: u32) -> Failure {
    let message =
        format!("a value is read or written at byte {byte} of an allocation, but its alignment is {align}");
    Failure::new(FailureKind::Undefined, message)
        .with_help(Some("use `read_unaligned` or `write_unaligned`".to_owned()))
}
