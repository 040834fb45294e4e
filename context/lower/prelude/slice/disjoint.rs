//! Several places of a slice at once.

use super::SliceIndex;
use crate::ops::{Range, RangeInclusive};

pub trait GetDisjointMutIndex {
    fn is_in_bounds(&self, len: usize) -> bool;
    fn is_overlapping(&self, other: &Self) -> bool;
}

impl GetDisjointMutIndex for usize {
    fn is_in_bounds(&self, len: usize) -> bool {
        *self < len
    }

    fn is_overlapping(&self, other: &usize) -> bool {
        *self == *other
    }
}

impl GetDisjointMutIndex for Range<usize> {
    fn is_in_bounds(&self, len: usize) -> bool {
        self.start <= self.end && self.end <= len
    }

    fn is_overlapping(&self, other: &Range<usize>) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl GetDisjointMutIndex for RangeInclusive<usize> {
    fn is_in_bounds(&self, len: usize) -> bool {
        self.start <= self.end && self.end < len
    }

    fn is_overlapping(&self, other: &RangeInclusive<usize>) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

impl<T> [T] {
    pub fn get_disjoint_mut<I: GetDisjointMutIndex + SliceIndex<[T]> + Clone, const N: usize>(
        &mut self,
        indices: [I; N],
    ) -> Result<[&mut I::Output; N], GetDisjointMutError> {
        for i in 0..N {
            if !indices[i].is_in_bounds(self.len()) {
                return Err(GetDisjointMutError::IndexOutOfBounds);
            }
            for j in 0..i {
                if indices[i].is_overlapping(&indices[j]) {
                    return Err(GetDisjointMutError::OverlappingIndices);
                }
            }
        }
        Ok(crate::array::from_fn(|k| I::clone(&indices[k]).index_mut(self)))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GetDisjointMutError {
    IndexOutOfBounds,
    OverlappingIndices,
}

impl crate::fmt::Display for GetDisjointMutError {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str(match self {
            GetDisjointMutError::IndexOutOfBounds => "an index is out of bounds",
            GetDisjointMutError::OverlappingIndices => "there were overlapping indices",
        })
    }
}

impl crate::error::Error for GetDisjointMutError {}
