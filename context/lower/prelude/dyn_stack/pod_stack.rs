//! Stacks over buffers of bytes.

use core::mem::{align_of, size_of};

use super::{MemStack, StackReq};

/// As [`MemStack`]; its arrays begin as zeros, where the original's have what was in the buffer before.
pub struct PodStack {
    stack: MemStack,
}

impl PodStack {
    pub fn new(buffer: &mut [u8]) -> &mut PodStack {
        Box::leak(Box::new(PodStack { stack: MemStack { begin: 0, end: buffer.len() } }))
    }

    pub fn can_hold(&self, alloc_req: StackReq) -> bool {
        self.stack.can_hold(alloc_req)
    }

    pub fn len_bytes(&self) -> usize {
        self.stack.len_bytes()
    }

    pub fn make_aligned_with<T>(
        &mut self,
        size: usize,
        align: usize,
        f: impl FnMut(usize) -> T,
    ) -> (&mut [T], &mut PodStack) {
        let MemStack { begin, end } = *self.stack.behind::<T>(size, align);
        let values: Vec<T> = (0..size).map(f).collect();
        (values.leak(), Box::leak(Box::new(PodStack { stack: MemStack { begin, end } })))
    }

    pub fn make_with<T>(&mut self, size: usize, f: impl FnMut(usize) -> T) -> (&mut [T], &mut PodStack) {
        self.make_aligned_with(size, align_of::<T>(), f)
    }

    pub fn make_aligned_raw<T>(&mut self, size: usize, align: usize) -> (&mut [T], &mut PodStack) {
        self.make_aligned_with(size, align, |_| unsafe { core::mem::zeroed() })
    }

    pub fn make_raw<T>(&mut self, size: usize) -> (&mut [T], &mut PodStack) {
        self.make_aligned_raw(size, align_of::<T>())
    }

    pub fn collect<I>(&mut self, iter: impl IntoIterator<Item = I>) -> (&mut [I], &mut PodStack) {
        let room = self.len_bytes().checked_div(size_of::<I>()).unwrap_or(usize::MAX);
        let mut values = iter.into_iter().take(room).collect::<Vec<I>>().into_iter();
        let size = values.len();
        self.make_with(size, |_| values.next().expect("there are as many"))
    }
}
