//! Memory from the allocator.
//!
//! - MEMORY1 memory is untyped until its pointer is first cast, or used as one to bytes: then it is the memory
//!   behind the elements of a vector that has none (`spare.rs`), and stays memory for values of that type.
//! - MEMORY2 the pointer that the allocator returns is the cell viewed as bytes, from the type `never`.

use std::sync::{Arc, LazyLock};

use super::bits::is_bits;
use super::cell::{Layout, Origin};
use super::pointer::{freed, freed_used, is_freed, null_used, trailing_views};
use super::{Array, CellRef, Composite, Opaque, Parts, PathElem, Value};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::types::{FloatTy, IntTy, Ty, TyKind};

/// The content of a cell whose memory has no type yet.
#[derive(Clone, Copy, Debug)]
struct Untyped {
    bytes: usize,
    content: Fill,
}

/// What memory from the allocator contains at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Nothing that may be read.
    Nothing,
    /// Zeros.
    Zeros,
}

static UNTYPED: LazyLock<Symbol> = LazyLock::new(|| Symbol::new("memory"));

impl CellRef {
    /// A pointer to new memory of this layout.
    ///
    /// # Errors
    /// If the layout has no bytes, or its alignment is no power of two.
    pub(crate) fn alloc(layout: Layout, content: Fill) -> Result<CellRef, Failure> {
        if layout.size == 0 {
            return Err(undefined("memory of no bytes is allocated"));
        }
        if !layout.align.is_power_of_two() {
            return Err(undefined("memory is allocated with an alignment that is no power of two"));
        }
        let content = Opaque { name: *UNTYPED, value: Box::new(Untyped { bytes: layout.size, content }) };
        let origin = Origin::Allocated(layout);
        let cell = CellRef { is_raw: true, origin, ..CellRef::new(Value::Opaque(Box::new(content))) };
        Ok(cell.view(Ty::never(), byte(), false))
    }

    /// A pointer to bytes as one to values of type `to`, which have `size` bytes: memory without a type gets
    /// this one.
    ///
    /// # Errors
    /// If the memory was freed, or has another type.
    pub fn typed(&self, to: Ty, size: usize) -> Result<CellRef, Failure> {
        if let Some(whole) = self.whole_of_bytes(to) {
            return Ok(whole);
        }
        if !self.is_untyped() {
            let is_cast = matches!(self.path.last(), Some(PathElem::View { .. }));
            return Ok(match self.range(size).filter(|_| size > 1 && !is_cast && is_bits(to)) {
                Some(bytes) => bytes.view(Ty::array(byte(), 1), to, true),
                None => self.view(byte(), to, size == 1),
            });
        }
        self.with(|content| match content {
            Value::Array(array) if array.elem_ty() == to => Ok(()),
            freed if is_freed(freed) => Err(freed_used()),
            content => {
                let untyped = untyped(content);
                let capacity = untyped.and_then(|memory| memory.bytes.checked_div(size));
                let Some(capacity) = capacity else {
                    return Err(undefined("memory from the allocator is used for values of two types"));
                };
                let mut array = Array::empty(to).with_capacity(capacity);
                if untyped.is_some_and(|memory| memory.content == Fill::Zeros) {
                    let Some(zero) = zero(to, 0) else {
                        return Err(undefined("memory of zeros is used for values that are no numbers"));
                    };
                    (0..capacity).for_each(|at| *array.spare_mut(at) = zero.clone());
                }
                *content = Value::Array(Arc::new(array));
                Ok(())
            }
        })?;
        let mut cell = self.clone();
        cell.path.clear();
        Ok(cell.first())
    }

    /// The pointer to an integer that a pointer to its first byte was cast from, if it was one to this type.
    fn whole_of_bytes(&self, to: Ty) -> Option<CellRef> {
        let (position, view, at) = match self.path[..] {
            [.., PathElem::View { from, to: bytes, .. }, PathElem::Flat { at, row }]
                if row > 0 && at % row == 0 && bytes == Ty::array(Ty::array(byte(), 1), 1) =>
            {
                (Some(PathElem::Elem(at / row)), from.as_array()?.elem, 2)
            }
            [.., PathElem::View { from, to: bytes, .. }, PathElem::Elem(0)]
                if bytes == Ty::array(byte(), 1) =>
            {
                (None, from, 2)
            }
            _ => return None,
        };
        if view != to {
            return None;
        }
        let mut whole = self.clone();
        whole.path.truncate(self.path.len() - at);
        whole.path.extend(position);
        Some(whole)
    }

    /// The pointer itself, or, if it is to memory without a type, one to its first byte.
    pub(super) fn or_bytes(&self) -> Result<Option<CellRef>, Failure> {
        if self.is_untyped() { self.typed(byte(), 1).map(Some) } else { Ok(None) }
    }

    /// What is read of memory without a type, which does not get one by that: a context may look at what a program passes on.
    /// `None` for other pointers.
    pub(super) fn read_untyped(&self) -> Option<Value<'static>> {
        let memory = self.is_untyped().then(|| self.with(|content| untyped(content)))??;
        Some(match memory.content {
            Fill::Nothing => Value::Unit,
            Fill::Zeros => Value::from(0_u8),
        })
    }

    fn is_untyped(&self) -> bool {
        matches!(self.path[..], [PathElem::View { from, to, .. }] if from == Ty::never() && to == byte())
    }

    /// Frees the memory that begins at the pointer.
    ///
    /// # Errors
    /// If no memory of this layout begins there, or it was freed already.
    pub(crate) fn dealloc(&self, layout: Layout) -> Result<(), Failure> {
        self.moved_memory(Some(layout)).map(drop)
    }

    /// Fails for a pointer to a variable, whose memory is not from the allocator.
    pub(super) fn check_allocated(&self) -> Result<(), Failure> {
        match self.origin {
            Origin::Variable => Err(undefined("a variable is freed, whose memory is not from the allocator")),
            _ => Ok(()),
        }
    }

    /// Moves out the only value of memory for one value, and frees it; `None` for other pointers.
    pub(super) fn free_single(&self) -> Result<Option<Value<'static>>, Failure> {
        if self.path[..] != [PathElem::Elem(0)] {
            return Ok(None);
        }
        let value = self.with(|content| match content {
            Value::Array(array) if array.is_empty() && array.capacity == 1 => array.spare(0).cloned(),
            _ => None,
        });
        if value.is_some() {
            self.moved_memory(None)?;
        }
        Ok(value)
    }

    /// Moves memory of layout `old` to new memory of `new` bytes, and frees the old one.
    ///
    /// # Errors
    /// As [`CellRef::dealloc`]; and if the sizes are no multiples of the size of the values in it.
    pub(crate) fn realloc(&self, old: Layout, new: usize) -> Result<CellRef, Failure> {
        let layout = Layout { size: new, ..old };
        if new == 0 {
            return Err(undefined("memory is allocated anew with no bytes"));
        }
        let array = match self.moved_memory(Some(old))? {
            Value::Array(array) => Arc::unwrap_or_clone(array),
            _ => return CellRef::alloc(layout, Fill::Nothing),
        };
        let size = old.size.checked_div(array.capacity).filter(|size| size * array.capacity == old.size);
        let Some(capacity) = size.and_then(|size| new.checked_div(size)) else {
            return Err(undefined("memory is allocated anew with a size that it does not have"));
        };
        let is_bytes = array.elem_ty() == byte();
        let elem = array.elem_ty();
        let origin = Origin::Allocated(layout);
        let moved = CellRef::new(Value::Array(Arc::new(array.moved_to(capacity))));
        let moved = CellRef { origin, ..moved }.first();
        Ok(if is_bytes { moved } else { moved.view(elem, byte(), size == Some(1)) })
    }

    /// Takes out the memory that begins at the pointer, and frees the cell; fails if the memory has another
    /// layout.
    fn moved_memory(&self, layout: Option<Layout>) -> Result<Value<'static>, Failure> {
        if self.is_from_null() {
            return Err(null_used());
        }
        self.check_writable()?;
        self.check_allocated()?;
        let path = &self.path[..self.path.len() - trailing_views(&self.path)];
        let begins = match path {
            [] | [PathElem::Elem(0)] => true,
            // The first byte of the first integer.
            [PathElem::View { .. }, PathElem::Flat { at: 0, .. } | PathElem::Elem(0)] => true,
            _ => false,
        };
        if !begins {
            return Err(undefined(
                "memory is freed by a pointer that does not point to where its allocation begins",
            ));
        }
        self.with(|content| {
            if is_freed(content) {
                return Err(freed_used());
            }
            self.check_allocation(content)?;
            let is_of = match self.origin {
                Origin::Allocated(known) => Some(known),
                _ if path.is_empty() => layout_of(content),
                _ => None,
            };
            if let (Some(is_of), Some(layout)) = (is_of, layout)
                && is_of != layout
            {
                return Err(other_layout(is_of, layout));
            }
            Ok(std::mem::replace(content, freed()))
        })
    }
}

fn byte() -> Ty {
    Ty::int(IntTy::U8)
}

fn untyped(content: &Value<'static>) -> Option<Untyped> {
    let Value::Opaque(opaque) = content else { return None };
    opaque.get::<Untyped>().copied()
}

/// The layout of a scalar; none for other values, since a number that an analysis tracks is a struct.
fn layout_of(value: &Value<'static>) -> Option<Layout> {
    let size = match value {
        Value::Int(int) => int.ty().bits() as usize / 8,
        Value::F64(_) => 8,
        Value::F32(_) | Value::Char(_) => 4,
        Value::Bool(_) => 1,
        _ => return None,
    };
    Some(Layout { size, align: size })
}

#[cold]
fn other_layout(is_of: Layout, layout: Layout) -> Failure {
    undefined(&format!(
        "memory of {} bytes at a multiple of {} is freed with the layout of {} bytes at a multiple of {}",
        is_of.size, is_of.align, layout.size, layout.align
    ))
}

/// The number whose bytes are all zero, or a struct of such numbers.
fn zero(ty: Ty, depth: usize) -> Option<Value<'static>> {
    match ty.kind() {
        TyKind::Int(int) => Some(Value::int(*int, 0)),
        TyKind::Float(FloatTy::F64) => Some(Value::F64(0.0)),
        TyKind::Float(FloatTy::F32) => Some(Value::F32(0.0)),
        TyKind::Bool => Some(Value::Bool(false)),
        TyKind::Tuple(_) | TyKind::Struct(_) if depth < 64 => {
            let parts =
                ty.parts(0)?.into_iter().map(|part| zero(part, depth + 1)).collect::<Option<Vec<_>>>()?;
            let ty = matches!(ty.kind(), TyKind::Struct(_)).then_some(ty);
            Some(Value::Composite(Arc::new(Composite { ty, tag: 0, parts: Parts::from_iter(parts) })))
        }
        _ => None,
    }
}

#[cold]
fn undefined(message: &str) -> Failure {
    Failure::new(FailureKind::Undefined, message)
}
