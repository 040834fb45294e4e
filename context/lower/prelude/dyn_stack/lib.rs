//! The crate `dyn_stack` as programs see it: temporary arrays that share one buffer. Here each array has memory of its own; a
//! stack only counts the bytes that are left, so that one that is too small is found.

pub mod alloc;
pub mod mem;
mod pod_stack;
mod stack_req;

pub use mem::{MemBuffer, PodBuffer};
pub use pod_stack::PodStack;
pub use stack_req::StackReq;

use core::fmt::{self, Debug, Formatter};
use core::mem::{MaybeUninit, align_of, size_of};
use core::ops::{Deref, DerefMut};

pub type DynStack = MemStack;

/// `alloc!('stack: { let a = slice![0.0, n]; })`: temporary arrays, and the rest of the stack under its name.
#[lang("dyn_stack")]
#[macro_export]
macro_rules! alloc {
    ($stack:ident: { $($allocations:tt)* }) => {
        let $stack = &mut *$stack;
        $crate::allocations!($stack $($allocations)*);
        let _ = $stack;
    };
}

#[macro_export]
macro_rules! allocations {
    ($stack:ident) => {};
    ($stack:ident let $pat:pat = unsafe { $($mac:ident)::+ ! ( $($input:tt)* ) } ; $($rest:tt)*) => {
        $($mac)::+!(@ alloc unsafe ($stack)($pat)($($input)*));
        $crate::allocations!($stack $($rest)*);
    };
    ($stack:ident let $pat:pat = unsafe { $($mac:ident)::+ ! [ $($input:tt)* ] } ; $($rest:tt)*) => {
        $($mac)::+!(@ alloc unsafe ($stack)($pat)($($input)*));
        $crate::allocations!($stack $($rest)*);
    };
    ($stack:ident let $pat:pat = unsafe { $($mac:ident)::+ ! { $($input:tt)* } } ; $($rest:tt)*) => {
        $($mac)::+!(@ alloc unsafe ($stack)($pat)($($input)*));
        $crate::allocations!($stack $($rest)*);
    };
    ($stack:ident let $pat:pat = $($mac:ident)::+ ! ( $($input:tt)* ) ; $($rest:tt)*) => {
        $($mac)::+!(@ alloc ($stack)($pat)($($input)*));
        $crate::allocations!($stack $($rest)*);
    };
    ($stack:ident let $pat:pat = $($mac:ident)::+ ! [ $($input:tt)* ] ; $($rest:tt)*) => {
        $($mac)::+!(@ alloc ($stack)($pat)($($input)*));
        $crate::allocations!($stack $($rest)*);
    };
    ($stack:ident let $pat:pat = $($mac:ident)::+ ! { $($input:tt)* } ; $($rest:tt)*) => {
        $($mac)::+!(@ alloc ($stack)($pat)($($input)*));
        $crate::allocations!($stack $($rest)*);
    };
}

#[macro_export]
macro_rules! slice {
    (@ alloc $($unsafe:ident)? ($stack:ident) ($var:pat) ($value:expr, $count:expr $(,)?)) => {
        let (mut __slice__, $stack) = $stack.collect(::core::iter::repeat_n($value, $count));
        let $var = &mut *__slice__;
    };
}

/// The bytes that are left of a buffer whose address has the largest alignment.
pub struct MemStack {
    begin: usize,
    end: usize,
}

impl MemStack {
    pub fn new(buffer: &mut [MaybeUninit<u8>]) -> &mut MemStack {
        Box::leak(Box::new(MemStack { begin: 0, end: buffer.len() }))
    }

    pub fn new_any<T>(buffer: &mut [MaybeUninit<T>]) -> &mut MemStack {
        Box::leak(Box::new(MemStack { begin: 0, end: buffer.len() * size_of::<T>() }))
    }

    pub fn can_hold(&self, alloc_req: StackReq) -> bool {
        let align = alloc_req.align_bytes();
        let begin = stack_req::rounded_up(self.begin, align);
        begin.is_some_and(|begin| begin <= self.end && self.end - begin >= alloc_req.size_bytes())
    }

    pub fn len_bytes(&self) -> usize {
        self.end - self.begin
    }

    /// The stack behind `size` values of type `T`.
    fn behind<T>(&self, size: usize, align: usize) -> &mut MemStack {
        if align < align_of::<T>() || !align.is_power_of_two() {
            let needed = align_of::<T>();
            panic!("the alignment {align} is not a power of two of at least {needed}");
        }
        let begin = stack_req::rounded_up(self.begin, align).filter(|begin| *begin <= self.end);
        let end = begin.zip(size.checked_mul(size_of::<T>())).and_then(|(begin, bytes)| begin.checked_add(bytes));
        match end.filter(|end| *end <= self.end) {
            Some(end) => Box::leak(Box::new(MemStack { begin: end, end: self.end })),
            None => {
                let (left, each) = (self.len_bytes(), size_of::<T>());
                panic!("a stack with {left} bytes left has no room for {size} values of {each} bytes");
            }
        }
    }

    pub fn make_aligned_uninit<T>(&mut self, size: usize, align: usize) -> (&mut [MaybeUninit<T>], &mut MemStack) {
        let rest = self.behind::<T>(size, align);
        (Box::leak(Box::<[T]>::new_uninit_slice(size)), rest)
    }

    pub fn make_uninit<T>(&mut self, size: usize) -> (&mut [MaybeUninit<T>], &mut MemStack) {
        self.make_aligned_uninit(size, align_of::<T>())
    }

    pub unsafe fn make_aligned_raw<T>(&mut self, size: usize, align: usize) -> (&mut [T], &mut MemStack) {
        let (memory, rest) = self.make_aligned_uninit::<T>(size, align);
        (&mut *(memory as *mut [MaybeUninit<T>] as *mut [T]), rest)
    }

    pub unsafe fn make_raw<T>(&mut self, size: usize) -> (&mut [T], &mut MemStack) {
        self.make_aligned_raw(size, align_of::<T>())
    }

    pub fn make_aligned_with<T>(
        &mut self,
        size: usize,
        align: usize,
        f: impl FnMut(usize) -> T,
    ) -> (DynArray<'_, T>, &mut MemStack) {
        let rest = self.behind::<T>(size, align);
        (DynArray::new((0..size).map(f).collect()), rest)
    }

    pub fn make_with<T>(&mut self, size: usize, f: impl FnMut(usize) -> T) -> (DynArray<'_, T>, &mut MemStack) {
        self.make_aligned_with(size, align_of::<T>(), f)
    }

    pub fn collect_aligned<I>(
        &mut self,
        align: usize,
        iter: impl IntoIterator<Item = I>,
    ) -> (DynArray<'_, I>, &mut MemStack) {
        let room = stack_req::rounded_up(self.begin, align).map_or(0, |begin| self.end.saturating_sub(begin));
        let count = room.checked_div(size_of::<I>()).unwrap_or(usize::MAX);
        let values: Vec<I> = iter.into_iter().take(count).collect();
        let rest = self.behind::<I>(values.len(), align);
        (DynArray::new(values), rest)
    }

    pub fn collect<I>(&mut self, iter: impl IntoIterator<Item = I>) -> (DynArray<'_, I>, &mut MemStack) {
        self.collect_aligned(align_of::<I>(), iter)
    }
}

pub struct DynArray<'a, T> {
    values: Vec<T>,
    marker: core::marker::PhantomData<&'a T>,
}

impl<T> DynArray<'_, T> {
    fn new(values: Vec<T>) -> Self {
        DynArray { values, marker: core::marker::PhantomData }
    }
}

impl<T> Deref for DynArray<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<T> DerefMut for DynArray<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<T> AsRef<[T]> for DynArray<'_, T> {
    fn as_ref(&self) -> &[T] {
        &self.values
    }
}

impl<T> AsMut<[T]> for DynArray<'_, T> {
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<T: Debug> Debug for DynArray<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.values, f)
    }
}
