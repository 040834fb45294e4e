//! Functions whose unsafe code is sound: memory behind the length of a vector, and memory from the allocator.

use std::alloc::{self, Layout};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

pub fn written_behind_the_length(x: f64) -> f64 {
    let mut v: Vec<f64> = Vec::with_capacity(4);
    v.push(1.0);
    for i in 0..3 {
        let len = v.len();
        unsafe {
            v.as_mut_ptr().add(len).write(x * i as f64);
            v.set_len(len + 1);
        }
    }
    v.push(x * x);
    v.iter().fold(0.0, |sum, y| sum * 2.0 + y)
}

pub fn spare_capacity_by_index(x: f64) -> f64 {
    let mut v: Vec<f64> = Vec::with_capacity(10);
    v.extend([x, 2.0]);
    let spare = v.spare_capacity_mut();
    let n = spare.len();
    spare[0].write(x * 3.0);
    spare[1] = MaybeUninit::new(4.0);
    spare[2].write(0.0);
    unsafe { *spare[2].assume_init_mut() += x };
    unsafe { v.set_len(5) };
    v.iter().fold(0.0, |sum, y| sum * 2.0 + y) + n as f64
}

pub fn spare_capacity_by_loop(x: f64) -> f64 {
    let mut v: Vec<(f64, u32)> = Vec::new();
    v.reserve_exact(3);
    for (at, slot) in v.spare_capacity_mut().iter_mut().take(3).enumerate() {
        slot.write((x + at as f64, at as u32));
    }
    unsafe { v.set_len(2) };
    let behind = unsafe { v.as_ptr().add(2).read() };
    v.iter().map(|(y, n)| y * (1 + n) as f64).sum::<f64>() * 10.0 + behind.0
}

struct Filler<'a, T> {
    list: &'a mut Vec<T>,
    len: usize,
}

impl<T> Filler<'_, T> {
    fn add(&mut self, value: T) {
        assert!(self.len < self.list.capacity());
        unsafe { self.list.as_mut_ptr().add(self.len).write(value) };
        self.len += 1;
    }
}

impl<T> Drop for Filler<'_, T> {
    fn drop(&mut self) {
        unsafe { self.list.set_len(self.len) };
    }
}

pub fn length_set_by_a_guard(x: f64) -> f64 {
    let mut list = Vec::with_capacity(3);
    {
        let mut filler = Filler { len: list.len(), list: &mut list };
        filler.add(Box::new(x));
        filler.add(Box::new(x * x));
    }
    let mut names: Vec<String> = Vec::with_capacity(2);
    let mut filler = Filler { len: 0, list: &mut names };
    filler.add(String::from("ab"));
    drop(filler);
    list.iter().map(|y| **y).sum::<f64>() + names[0].len() as f64
}

pub fn elements_taken_out_behind_the_length(x: f64) -> f64 {
    let mut v = vec![Box::new(x), Box::new(2.0 * x), Box::new(3.0)];
    let (p, n) = (v.as_mut_ptr(), v.len());
    let mut kept = 0;
    let mut sum = 0.0;
    unsafe {
        v.set_len(0);
        for at in 0..n {
            if **p.add(at) > 2.0 {
                if kept < at {
                    ptr::copy_nonoverlapping(p.add(at), p.add(kept), 1);
                }
                kept += 1;
            } else {
                sum += **p.add(at);
                ptr::drop_in_place(p.add(at));
            }
        }
        v.set_len(kept);
    }
    v.iter().fold(sum, |sum, y| sum * 2.0 + **y)
}

pub fn copied_behind_the_length(x: f64) -> f64 {
    struct Stack {
        elems: Vec<f64>,
        tops: Vec<Vec<f64>>,
    }
    let mut stack = Stack { elems: Vec::with_capacity(8), tops: vec![Vec::with_capacity(4), vec![x]] };
    let source = [x, 2.0 * x, 3.0];
    unsafe {
        ptr::copy_nonoverlapping(source.as_ptr(), stack.elems.as_mut_ptr(), 3);
        stack.elems.set_len(3);
        stack.elems.reserve(3);
        let p = stack.elems.as_mut_ptr();
        ptr::copy(p, p.add(3), 3);
        stack.elems.set_len(5);
        stack.tops[0].as_mut_ptr().write(x);
        stack.tops[0].set_len(1);
    }
    let popped = {
        let n = stack.elems.len() - 1;
        unsafe {
            stack.elems.set_len(n);
            ptr::read(stack.elems.as_ptr().add(n))
        }
    };
    stack.elems.iter().fold(popped, |sum, y| sum * 2.0 + y) + stack.tops[0][0]
}

struct RawVec<T> {
    ptr: NonNull<T>,
    cap: usize,
    len: usize,
}

impl<T> RawVec<T> {
    fn new() -> Self {
        RawVec { ptr: NonNull::dangling(), cap: 0, len: 0 }
    }

    fn grow(&mut self) {
        let cap = if self.cap == 0 { 1 } else { 2 * self.cap };
        let layout = Layout::array::<T>(cap).unwrap();
        let memory = unsafe {
            if self.cap == 0 {
                alloc::alloc(layout)
            } else {
                let old = Layout::array::<T>(self.cap).unwrap();
                alloc::realloc(self.ptr.as_ptr() as *mut u8, old, layout.size())
            }
        };
        self.ptr = match NonNull::new(memory as *mut T) {
            Some(ptr) => ptr,
            None => alloc::handle_alloc_error(layout),
        };
        self.cap = cap;
    }

    fn push(&mut self, value: T) {
        if self.len == self.cap {
            self.grow();
        }
        unsafe { ptr::write(self.ptr.as_ptr().add(self.len), value) };
        self.len += 1;
    }

    fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        unsafe { Some(ptr::read(self.ptr.as_ptr().add(self.len))) }
    }

    fn insert(&mut self, at: usize, value: T) {
        assert!(at <= self.len);
        if self.len == self.cap {
            self.grow();
        }
        unsafe {
            let p = self.ptr.as_ptr().add(at);
            ptr::copy(p, p.add(1), self.len - at);
            ptr::write(p, value);
        }
        self.len += 1;
    }
}

impl<T> std::ops::Deref for RawVec<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}

impl<T> std::ops::DerefMut for RawVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }
}

impl<T> Drop for RawVec<T> {
    fn drop(&mut self) {
        if self.cap != 0 {
            while self.pop().is_some() {}
            let layout = Layout::array::<T>(self.cap).unwrap();
            unsafe { alloc::dealloc(self.ptr.as_ptr() as *mut u8, layout) };
        }
    }
}

pub fn a_vector_of_allocated_memory(x: f64) -> f64 {
    let mut v = RawVec::new();
    for i in 0..5 {
        v.push(x + i as f64);
    }
    v.insert(1, x * x);
    v[0] *= 2.0;
    v.swap(2, 3);
    let last = v.pop().unwrap();
    let mut texts = RawVec::new();
    texts.push(String::from("abc"));
    texts.push(String::from("d"));
    let n = texts.pop().map_or(0, |text| text.len()) + texts[0].len();
    v.iter().fold(last, |sum, y| sum * 0.5 + y) + n as f64
}

struct ListNode {
    value: f64,
    next: *mut ListNode,
}

pub fn allocated_nodes(x: f64) -> f64 {
    let layout = Layout::new::<ListNode>();
    let mut head: *mut ListNode = ptr::null_mut();
    for i in 0..4 {
        unsafe {
            let node = alloc::alloc(layout).cast::<ListNode>();
            node.write(ListNode { value: x * i as f64, next: head });
            head = node;
        }
    }
    let mut sum = 0.0;
    while !head.is_null() {
        unsafe {
            (*head).value += 1.0;
            sum = sum * 0.5 + (*head).value;
            let next = (*head).next;
            alloc::dealloc(head.cast(), layout);
            head = next;
        }
    }
    sum + layout.size() as f64 + layout.align() as f64
}

pub fn allocated_bytes(x: f64) -> f64 {
    let layout = Layout::from_size_align(4, 1).unwrap();
    unsafe {
        let p = alloc::alloc(layout);
        for i in 0..4 {
            p.add(i).write(i as u8 * 3);
        }
        let sum: u8 = std::slice::from_raw_parts(p, 4).iter().sum();
        alloc::dealloc(p, layout);
        x * sum as f64
    }
}

pub fn leaked_and_changed(x: f64) -> f64 {
    let v: &'static mut [f64] = vec![x, 2.0, 3.0].leak();
    v[1] += x;
    let (a, b) = v.split_at_mut(1);
    a[0] *= b[0];
    let text: &'static mut str = String::from("abc").leak();
    text.make_ascii_uppercase();
    let shared: &'static [f64] = vec![x; 2].leak();
    let n = if text == "ABC" { 1.0 } else { 2.0 };
    v[0] * 10.0 + v[1] + shared[1] + n
}

pub fn a_slice_of_cells(x: f64) -> f64 {
    let mut v = vec![x, 2.0, 3.0];
    let cells = Cell::from_mut(&mut v[..]).as_slice_of_cells();
    for pair in cells.windows(2) {
        pair[1].set(pair[0].get() * pair[1].get());
    }
    cells[0].swap(&cells[2]);
    let mut y = x;
    let one = Cell::from_mut(&mut y);
    one.set(one.get() * 3.0);
    v[0] * 10.0 + v[1] + v[2] * 0.5 + y
}

fn as_cell(x: &mut f64) -> &Cell<f64> {
    Cell::from_mut(x)
}

struct Watched<'a> {
    cells: &'a [Cell<f64>],
}

fn watch(v: &mut [f64]) -> Watched<'_> {
    Watched { cells: Cell::from_mut(v).as_slice_of_cells() }
}

pub fn cells_that_leave_a_function(x: f64) -> f64 {
    let mut y = x;
    let cell = as_cell(&mut y);
    cell.set(cell.get() + 1.0);
    let mut v = [x, 2.0];
    let watched = watch(&mut v);
    watched.cells[1].set(watched.cells[0].get() * 3.0);
    y * 10.0 + v[1]
}

unsafe extern "C" {
    fn cbrt(x: f64) -> f64;
    fn hypot(x: f64, y: f64) -> f64;
    fn expm1(x: std::os::raw::c_double) -> std::os::raw::c_double;
    fn pow(x: f64, y: f64) -> f64;
    fn fmod(x: f64, y: f64) -> f64;
    fn log1pf(x: f32) -> f32;
}

pub fn functions_of_c(x: f64) -> f64 {
    let y = unsafe { hypot(cbrt(x), expm1(x)) };
    y + unsafe { pow(x.abs(), 1.5) + fmod(x * 7.0, 4.0) + log1pf(2.0) as f64 }
}

pub fn allocated_memory_as_a_box_and_a_vector(x: f64) -> f64 {
    unsafe {
        let p = alloc::alloc(Layout::new::<f64>()) as *mut f64;
        p.write(x);
        let boxed = Box::from_raw(p);
        let p = alloc::alloc(Layout::array::<(f64, u64)>(4).unwrap()).cast::<(f64, u64)>();
        for at in 0..3 {
            p.add(at).write((x * at as f64, at as u64));
        }
        let mut v = Vec::from_raw_parts(p, 2, 4);
        v.push((x * x, 7));
        let raw = Box::into_raw(Box::new(x));
        let copied = *raw;
        alloc::dealloc(raw.cast(), Layout::new::<f64>());
        v.iter().map(|(y, n)| y * *n as f64).sum::<f64>() + *boxed + copied
    }
}

pub fn a_length_set_before_the_elements(x: f64) -> f64 {
    let source = [x, 2.0, 3.0, 4.0];
    let mut forwards: Vec<f64> = Vec::with_capacity(4);
    let mut backwards: Vec<f64> = Vec::with_capacity(4);
    unsafe {
        forwards.set_len(4);
        backwards.set_len(4);
        for i in 0..4 {
            *forwards.get_unchecked_mut(i) = source[3 - i] * x;
        }
        for i in (0..4).rev() {
            backwards[i] = source[i];
        }
    }
    forwards.iter().zip(&backwards).map(|(a, b)| a * b).sum()
}

pub fn elements_read_before_all_are_written(x: f64) -> f64 {
    let mut sums: Vec<(f64, u32)> = Vec::with_capacity(3);
    unsafe { sums.set_len(3) };
    sums[2] = (x, 1);
    sums[1] = (sums[2].0 * x, 2);
    let (middle, count) = sums[1];
    sums[0] = (middle + x, count + sums[2].1);
    sums.iter().map(|(sum, count)| sum * f64::from(*count)).sum::<f64>() * sums.len() as f64
}

pub fn a_length_set_before_elements_written_by_others(x: f64) -> f64 {
    fn fill(part: &mut [f64], from: f64) {
        for (i, elem) in part.iter_mut().enumerate() {
            *elem = from + i as f64;
        }
    }
    let mut v = vec![x];
    v.reserve_exact(4);
    unsafe { v.set_len(5) };
    v[4] = x * x;
    v[3] = 7.0;
    for i in 1..3 {
        v[i] = v[i - 1] * 2.0;
    }
    fill(&mut v[1..3], x);
    v.iter().enumerate().map(|(i, y)| y * (i + 1) as f64).sum()
}

pub fn an_element_written_over_a_gap(x: f64) -> f64 {
    let mut v: Vec<f64> = Vec::with_capacity(4);
    unsafe {
        v.as_mut_ptr().add(1).write(x);
        v.set_len(2);
    }
    v[1] * 2.0
}
