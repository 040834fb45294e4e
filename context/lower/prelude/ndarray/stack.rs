//! Concatenation of arrays.

use crate::dim::*;
use crate::error::{ShapeError, incompatible};
use crate::{Array, ArrayView, ArrayView1};

/// The elements of parts that are adjacent along an axis, in the order of the whole.
pub fn interleaved<A: Clone, D: Dimension>(parts: &[ArrayView<'_, A, D>], axis: usize, lens: &[usize]) -> Vec<A> {
    let mut rows: usize = 1;
    for k in 0..axis {
        rows *= lens[k];
    }
    let pieces: Vec<Vec<A>> = parts.iter().map(|part| part.to_elems()).collect();
    let mut elems = Vec::new();
    for row in 0..rows {
        for piece in pieces.iter() {
            let width = piece.len() / rows;
            elems.extend_from_slice(&piece[row * width..(row + 1) * width]);
        }
    }
    elems
}

pub fn concatenate<A: Clone, D: RemoveAxis>(axis: Axis, arrays: &[ArrayView<'_, A, D>]) -> Result<Array<A, D>, ShapeError> {
    if arrays.is_empty() {
        return Err(ShapeError::from_kind(crate::ErrorKind::Unsupported));
    }
    let mut lens = arrays[0].lens.to_vec();
    if axis.0 >= lens.len() {
        return Err(ShapeError::from_kind(crate::ErrorKind::OutOfBounds));
    }
    lens[axis.0] = 0;
    for array in arrays {
        for k in 0..lens.len() {
            if k != axis.0 && array.lens[k] != lens[k] {
                return Err(incompatible());
            }
        }
        lens[axis.0] += array.lens[axis.0];
    }
    Ok(D::owned(interleaved(arrays, axis.0, &lens), lens))
}

pub fn stack<A: Clone, D: Dimension>(axis: Axis, arrays: &[ArrayView<'_, A, D>]) -> Result<Array<A, D::Larger>, ShapeError> {
    if arrays.is_empty() {
        return Err(ShapeError::from_kind(crate::ErrorKind::Unsupported));
    }
    let mut lens = arrays[0].lens.to_vec();
    if axis.0 > lens.len() {
        return Err(ShapeError::from_kind(crate::ErrorKind::OutOfBounds));
    }
    for array in arrays {
        if array.lens != lens {
            return Err(incompatible());
        }
    }
    lens.insert(axis.0, arrays.len());
    Ok(D::Larger::owned(interleaved(arrays, axis.0, &lens), lens))
}

impl<A: Clone, D: RemoveAxis> Array<A, D> {
    pub fn append(&mut self, axis: Axis, array: ArrayView<'_, A, D>) -> Result<(), ShapeError> {
        *self = concatenate(axis, &[self.view(), array])?;
        Ok(())
    }

    pub fn push(&mut self, axis: Axis, array: ArrayView<'_, A, D::Smaller>) -> Result<(), ShapeError> {
        let (mut lens, mut steps) = (array.lens.to_vec(), array.steps.to_vec());
        lens.insert(axis.0, 1);
        steps.insert(axis.0, 0);
        let part: ArrayView<'_, A, D> = crate::data::view_as(&array, array.first, lens, steps);
        self.append(axis, part)
    }

    pub fn remove_index(&mut self, axis: Axis, index: usize) {
        let n = self.len_of(axis);
        assert!(index < n, "index is out of bounds");
        let kept: Vec<usize> = (0..n).filter(|i| *i != index).collect();
        *self = self.select(axis, &kept);
    }
}

impl<A: Clone> Array<A, Ix2> {
    pub fn push_row(&mut self, row: ArrayView1<'_, A>) -> Result<(), ShapeError> {
        self.push(Axis(0), row)
    }

    pub fn push_column(&mut self, column: ArrayView1<'_, A>) -> Result<(), ShapeError> {
        self.push(Axis(1), column)
    }
}
