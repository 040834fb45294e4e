//! Whether pointers are equal, and how far apart they are.
//!
//! - What is not known of this representation of memory is `None`, never a guess: equal values may be in two
//!   places, and whether one place ends where another begins depends on the layout in memory.

use super::pointer::{Path, trailing_views};
use super::pointer_access::read;
use super::{CellRef, PathElem, Value};
use crate::types::TyKind;

impl CellRef {
    /// Whether both point to the same place. `None` if that is not known: of pointers to copies of shared
    /// references' referents and to values that overdub moved, unless they point to different elements of one
    /// buffer, and of some pointers into one cell.
    pub fn same_place(&self, other: &CellRef) -> Option<bool> {
        if self.same_cell(other) {
            return self.with(|content| same_address(content, &self.path, &other.path));
        }
        // A clone shares the buffer until one of both is written.
        if let (Some((a, i)), Some((b, j))) = (self.in_shared_buffer(), other.in_shared_buffer())
            && a == b
            && i != j
            && self
                .with(|array| array.as_array().and_then(|array| array.get(0)).is_some_and(|x| has_size(&x)))
        {
            return Some(false);
        }
        let is_copy =
            |pointer: &CellRef| (pointer.read_only || pointer.is_relocated) && !pointer.is_from_null();
        if is_copy(self) && !other.is_from_null() || is_copy(other) && !self.is_from_null() {
            None
        } else {
            Some(false)
        }
    }

    /// The distance from `from` in elements; `None` if they do not point into the same array.
    pub fn distance(&self, from: &CellRef) -> Option<isize> {
        if !self.same_cell(from) {
            let ((a, i), (b, j)) = (self.in_shared_buffer()?, from.in_shared_buffer()?);
            return (a == b).then(|| i.wrapping_sub(j) as isize);
        }
        if let Some(apart) = self.distance_in_chunks(from) {
            return Some(apart);
        }
        let parts = |pointer: &CellRef| -> (Path, usize, usize, Path) {
            let at = pointer.path.len() - trailing_views(&pointer.path);
            let (before, views) = pointer.path.split_at(at);
            match before.split_last() {
                Some((&PathElem::Elem(at), outer)) => (outer.into(), at, 0, views.into()),
                Some((&PathElem::Flat { at, row }, outer)) => (outer.into(), at, row, views.into()),
                Some((&PathElem::Past(by), outer)) => (outer.into(), by as usize, 0, views.into()),
                _ => (before.into(), 0, 0, views.into()),
            }
        };
        let (a, b) = (parts(self), parts(from));
        let same = a.0 == b.0 && a.2 == b.2 && a.3 == b.3;
        same.then(|| a.1.wrapping_sub(b.1) as isize)
    }

    /// The number of elements before the one that it points to, in its array; 0 outside of arrays, `None` if that is not known.
    pub fn position(&self) -> Option<usize> {
        let at = self.path.len() - trailing_views(&self.path);
        let (before, views) = self.path.split_at(at);
        if views.iter().any(|view| matches!(view, PathElem::View { same_size: false, .. })) {
            return None;
        }
        match before.last() {
            Some(&(PathElem::Elem(at) | PathElem::Flat { at, .. })) => Some(at),
            Some(&PathElem::Past(by)) => usize::try_from(by).ok(),
            Some(&PathElem::Slice(from, to)) => match to.checked_sub(from) {
                Some(per) if per > 0 && from % per == 0 => Some(from / per),
                _ => (from == 0).then_some(0),
            },
            Some(PathElem::FlatSlice { .. } | PathElem::Chunks { .. }) => None,
            _ => Some(0),
        }
    }

    /// The distance of pointers to values that each consist of several elements of one array.
    fn distance_in_chunks(&self, from: &CellRef) -> Option<isize> {
        let chunk = |pointer: &CellRef| {
            let at = pointer.path.len() - trailing_views(&pointer.path);
            let (before, views) = pointer.path.split_at(at);
            match before.split_last()? {
                (&PathElem::Slice(from, to), outer) if from < to => {
                    Some((Path::from(outer), Path::from(views), from, to - from))
                }
                _ => None,
            }
        };
        let (a, b) = (chunk(self)?, chunk(from)?);
        let apart = a.2.wrapping_sub(b.2) as isize;
        let per = isize::try_from(a.3).ok()?;
        (a.0 == b.0 && a.1 == b.1 && a.3 == b.3 && apart % per == 0).then(|| apart / per)
    }

    /// The buffer and the index that the pointer points to, for copies of vectors behind shared references:
    /// as long as they share a buffer it has not been written, so they are the same array.
    fn in_shared_buffer(&self) -> Option<(*const (), usize)> {
        let (true, &[PathElem::Elem(at)]) = (self.read_only, &self.path[..]) else { return None };
        self.with(|content| match content {
            Value::Array(array) => Some((array.buffer_address(), array.view().start.wrapping_add(at))),
            _ => None,
        })
    }
}

/// Whether two paths into a content have the same address. `None` if that depends on the layout in memory: the
/// end of one part may be the beginning of the next, and a cast may number the same elements in another way.
fn same_address(content: &Value<'static>, a: &[PathElem], b: &[PathElem]) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    // A cast keeps the address.
    let (before_a, casts_a) = a.split_at(a.len() - trailing_views(a));
    let (before_b, casts_b) = b.split_at(b.len() - trailing_views(b));
    let (a, b) = match (before_a.last(), before_b.last()) {
        (Some(PathElem::Flat { row: m, .. }), Some(PathElem::Flat { row: n, .. })) if m == n => {
            (before_a.into(), before_b.into())
        }
        _ => (to_element(before_a, casts_a), to_element(before_b, casts_b)),
    };
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    match (&a[common..], &b[common..]) {
        ([], []) => Some(true),
        ([PathElem::Elem(_)], [PathElem::Elem(_)]) if casts_a == casts_b => {
            share_an_address(content, &a[..common])
        }
        ([PathElem::Past(_)], [PathElem::Past(_)] | [])
        | ([], [PathElem::Past(_)])
        | ([PathElem::Slice(..)], [PathElem::Slice(..)])
            if casts_a == casts_b =>
        {
            Some(false)
        }
        ([PathElem::Flat { row: m, .. }], [PathElem::Flat { row: n, .. }])
            if m == n && casts_a == casts_b =>
        {
            Some(false)
        }
        (rest_a, rest_b) => {
            let are_nested = rest_a.is_empty() || rest_b.is_empty();
            let are_cast = !casts_a.is_empty() || !casts_b.is_empty();
            let are_parts = is_part(content, &a) && is_part(content, &b);
            (are_parts && !(are_nested && are_cast)).then_some(false)
        }
    }
}

/// Whether different elements of an array have the same address: if they take no memory, all have. `None` if that is
/// not known.
fn share_an_address(content: &Value<'static>, array: &[PathElem]) -> Option<bool> {
    let Ok(Value::Array(array)) = read(content, array) else { return Some(false) };
    match array.get(0) {
        Some(elem) if takes_none(&elem) => Some(true),
        Some(elem) if !has_size(&elem) => None,
        _ => Some(false),
    }
}

/// The path to the element at the same address: in its inner array, or the first of a slice whose length a cast
/// has dropped.
fn to_element(path: &[PathElem], casts: &[PathElem]) -> Path {
    let is_thin = matches!(casts.last(), Some(PathElem::View { to, .. }) if to.as_array().is_none());
    match path.split_last() {
        Some((&PathElem::Flat { at, row }, outer)) if row > 0 => {
            outer.iter().copied().chain([PathElem::Elem(at / row), PathElem::Elem(at % row)]).collect()
        }
        Some((&PathElem::Slice(from, _), outer)) if is_thin => {
            outer.iter().copied().chain([PathElem::Elem(from)]).collect()
        }
        _ => path.into(),
    }
}

/// Whether a path leads to a field or an existing element, without casts.
fn is_part(content: &Value<'static>, path: &[PathElem]) -> bool {
    let Some((last, outer)) = path.split_last() else { return true };
    let exists = match *last {
        PathElem::Field(_) => true,
        PathElem::Elem(at) => matches!(read(content, outer), Ok(Value::Array(array)) if at < array.len()),
        _ => false,
    };
    exists && outer.iter().all(|step| matches!(step, PathElem::Field(_) | PathElem::Elem(_)))
}

/// Whether a value certainly takes memory, so that different elements have different addresses.
fn has_size(value: &Value<'static>) -> bool {
    match value {
        Value::Unit => false,
        Value::Composite(composite) => composite.parts.iter().any(has_size),
        Value::Array(array) => array.get(0).is_some_and(|elem| has_size(&elem)),
        _ => true,
    }
}

/// Whether a value certainly takes no memory.
fn takes_none(value: &Value<'static>) -> bool {
    match value {
        Value::Unit => true,
        Value::Composite(composite) => {
            let is_enum = composite.ty.is_some_and(|ty| matches!(ty.kind(), TyKind::Enum(_)));
            !is_enum && composite.parts.iter().all(takes_none)
        }
        _ => false,
    }
}
