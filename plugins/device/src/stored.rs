//! Lists that stay in a device's memory.

use std::ops::Range;
use std::sync::Arc;

use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Array;
use overdub_export::packed::{Lists, fixed_bytes, pack, unpack_all};
use overdub_spmd::{DeviceError, DeviceList};

use crate::launch::{Backend, Column, Data};

/// The bytes of the number of elements, before them.
pub(crate) const LENGTH: usize = 8;

/// A list in the memory of a device.
pub(crate) struct StoredList<B: Backend> {
    backend: Arc<B>,
    buffer: Arc<B::Buffer>,
    /// Where the elements begin, after their number.
    begin: usize,
    /// Where each element begins, and the last one ends; empty if they follow each other at a distance.
    offsets: Vec<u64>,
    stride: usize,
    len: usize,
    elem: Ty,
}

impl<B: Backend> StoredList<B> {
    /// Copies a list to a device.
    pub(crate) fn send(backend: &Arc<B>, list: &Array<'_>) -> Result<DeviceList, DeviceError> {
        let (elem, len) = (list.elem_ty(), list.len());
        let mut bytes = (len as u64).to_ne_bytes().to_vec();
        let mut offsets = Vec::new();
        let no_form =
            || DeviceError::Unsupported(format!("a list of values of type `{elem}` cannot lie there"));
        for value in list.iter() {
            offsets.push((bytes.len() - LENGTH) as u64);
            pack(&value, elem, Lists::Inline, &mut bytes).ok_or_else(no_form)?;
        }
        offsets.push((bytes.len() - LENGTH) as u64);
        let stride = fixed_bytes(elem);
        if stride.is_some() {
            offsets.clear();
        }
        let buffer = Arc::new(backend.send(&bytes)?);
        let (backend, stride) = (backend.clone(), stride.unwrap_or(0));
        Ok(Arc::new(StoredList { backend, buffer, begin: LENGTH, offsets, stride, len, elem }))
    }

    /// The list of packed results at a distance, the bytes before which are for their number.
    pub(crate) fn of_results(
        backend: &Arc<B>,
        mut buffer: B::Buffer,
        (begin, stride, len): (usize, usize, usize),
        elem: Ty,
    ) -> Result<DeviceList, DeviceError> {
        backend.replace(&mut buffer, begin - LENGTH, &(len as u64).to_ne_bytes())?;
        let (backend, buffer) = (backend.clone(), Arc::new(buffer));
        Ok(Arc::new(StoredList { backend, buffer, begin, offsets: Vec::new(), stride, len, elem }))
    }

    /// The list of this device, if it is one.
    pub(crate) fn of(list: &DeviceList, backend: &Arc<B>) -> Option<Arc<StoredList<B>>> {
        let found = list.clone().downcast::<StoredList<B>>().ok()?;
        Arc::ptr_eq(&found.backend, backend).then_some(found)
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether it can be the argument of type `ty` of each call, an element for each, or of all calls.
    pub(crate) fn fits(&self, ty: Ty, is_mapped: bool, len: usize) -> bool {
        if is_mapped {
            return ty == self.elem && len == self.len;
        }
        // A packed list of these has the form in which they lie here.
        let is_word = matches!(self.elem.kind(), TyKind::Float(_) | TyKind::Int(_)) && self.stride == 8;
        is_word && self.elem != Ty::f32() && ty == Ty::array(self.elem, 1) && scalar_bytes(self.elem) == 8
    }

    /// The column of an argument that all calls share.
    pub(crate) fn shared(&self) -> Column<B::Buffer> {
        let begin = (self.begin - LENGTH) as u64;
        Column { data: Data::Device(self.buffer.clone()), begin, offsets: Vec::new(), stride: 0 }
    }

    /// The column of the arguments of these calls.
    pub(crate) fn column(&self, batch: &[usize]) -> Column<B::Buffer> {
        let data = Data::Device(self.buffer.clone());
        let (begin, stride) = (self.begin as u64, self.stride as u64);
        let offset = |call: usize| match self.offsets.is_empty() {
            true => call as u64 * stride,
            false => self.offsets[call],
        };
        let first = batch.first().copied().unwrap_or(0);
        let follow = batch.iter().enumerate().all(|(at, call)| *call == first + at);
        if follow && self.offsets.is_empty() {
            return Column { data, begin: begin + offset(first), offsets: Vec::new(), stride };
        }
        Column { data, begin, offsets: batch.iter().map(|call| offset(*call)).collect(), stride: 0 }
    }

    /// Copies elements to the host.
    pub(crate) fn fetch(&self, range: Range<usize>) -> Result<Array<'static>, DeviceError> {
        let place = |element: usize| match self.offsets.get(element) {
            Some(offset) => self.begin + *offset as usize,
            None => self.begin + element * self.stride,
        };
        let bytes = self.backend.fetch(&self.buffer, place(range.start)..place(range.end))?;
        let lost = || DeviceError::Failed(format!("its list of `{}` cannot be read", self.elem));
        unpack_all(self.elem, range.len(), &bytes).ok_or_else(lost)
    }
}

/// The bytes of a number.
fn scalar_bytes(ty: Ty) -> usize {
    match ty.kind() {
        TyKind::Int(int) => int.bits() as usize / 8,
        TyKind::Float(_) if ty == Ty::f32() => 4,
        TyKind::Float(_) => 8,
        _ => 0,
    }
}
