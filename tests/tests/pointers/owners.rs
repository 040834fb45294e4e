//! Functions whose unsafe code is sound: unions, values that are dropped, leaked or moved by pointers, and objects.

use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::ptr::{self, NonNull};

#[derive(Clone, Copy)]
union Block {
    words: [u32; 4],
    pairs: [u64; 2],
    bytes: [u8; 16],
}

fn exchange(block: &mut Block) {
    unsafe { block.words.swap(0, 1) };
}

pub fn a_union_of_integers(x: f64) -> f64 {
    let mut block = Block { words: [1, 2, 3, 4] };
    exchange(&mut block);
    let copy = block;
    unsafe { block.bytes[15] = 7 };
    let (pairs, words) = unsafe { (copy.pairs, block.words) };
    x * pairs[0] as f64 + (pairs[1] >> 32) as f64 + words[3] as f64
}

union Slot {
    nothing: (),
    value: ManuallyDrop<f64>,
}

pub fn a_union_that_is_filled_later(x: f64) -> f64 {
    let mut slot = Slot { nothing: () };
    slot.value = ManuallyDrop::new(x);
    unsafe { *slot.value * 2.0 }
}

pub fn one_place_as_an_array_of_one(x: f64) -> f64 {
    let mut y = x;
    let p = std::slice::from_mut(&mut y).as_mut_ptr();
    unsafe { *p += 1.0 };
    y * x
}

pub fn bytes_as_text(x: f64) -> f64 {
    let mut text = String::from("abc");
    let mut other = String::from("quiet");
    let mut raw = *b"mutable";
    unsafe {
        let bytes = text.as_mut_vec();
        bytes[0] = b'z';
        bytes.push(b'!');
        for byte in other.as_bytes_mut() {
            *byte = byte.to_ascii_uppercase();
        }
        std::str::from_utf8_mut(&mut raw).unwrap().make_ascii_uppercase();
        let part = text.get_unchecked(1..3);
        let plain = std::str::from_utf8_unchecked(&[104, 105]);
        let owned = String::from_utf8_unchecked(vec![0xc3, 0xa9]);
        let known = text == "zbc!"
            && other == "QUIET"
            && &raw == b"MUTABLE"
            && part == "bc"
            && plain == "hi"
            && owned == "\u{e9}";
        if known { x * 2.0 } else { x * 3.0 }
    }
}

/// Memory of a vector, freed by `Drop`.
struct Buffer {
    data: ptr::NonNull<MaybeUninit<f64>>,
    len: usize,
    capacity: usize,
}

impl Buffer {
    fn new(x: f64, len: usize) -> Self {
        let mut v = ManuallyDrop::new(vec![x; len]);
        let data = ptr::NonNull::new(v.as_mut_ptr()).unwrap().cast();
        Buffer { data, len, capacity: v.capacity() }
    }

    fn get(&self, at: usize) -> f64 {
        unsafe { self.data.as_ptr().add(at).cast::<f64>().read() }
    }

    fn set(&mut self, at: usize, x: f64) {
        unsafe { *self.data.as_ptr().add(at) = MaybeUninit::new(x) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        drop(unsafe { Vec::from_raw_parts(self.data.as_ptr(), self.len, self.capacity) });
    }
}

pub fn memory_freed_by_drop(x: f64) -> f64 {
    let mut one = Buffer::new(x, 3);
    one.set(1, 4.0 * x);
    let mut list = vec![Buffer::new(x, 2), one];
    list[0].set(0, x * x);
    let last = list.pop().map_or(0.0, |buffer| buffer.get(1));
    let maybe = Some(Buffer::new(2.0, 1));
    last + list[0].get(0) * maybe.as_ref().map_or(0.0, |buffer| buffer.get(0))
}

/// Adds to a place when it is dropped.
struct Counts(*mut f64, f64);

impl Drop for Counts {
    fn drop(&mut self) {
        unsafe { *self.0 += self.1 };
        self.1 = 0.0;
    }
}

pub fn a_place_written_by_drop(x: f64) -> f64 {
    let mut total = x;
    let p = &raw mut total;
    {
        let first = Counts(p, x * 2.0);
        let boxed: Box<dyn std::any::Any> = Box::new(Counts(p, 10.0));
        let _moved = (first, 1.0);
        unsafe { *p *= 3.0 };
    }
    mem::forget(Counts(p, 1e3));
    total
}

pub fn lengths_set_by_hand(x: f64) -> f64 {
    let mut v: Vec<MaybeUninit<f64>> = Vec::with_capacity(4);
    unsafe { v.set_len(4) };
    for (at, slot) in v.iter_mut().enumerate() {
        slot.write(x + at as f64);
    }
    let mut v = ManuallyDrop::new(v);
    let mut v = unsafe { Vec::from_raw_parts(v.as_mut_ptr().cast::<f64>(), v.len(), v.capacity()) };
    unsafe { v.set_len(3) };
    let mut boxes = vec![Box::new(x), Box::new(2.0 * x)];
    let last = unsafe {
        boxes.set_len(1);
        ptr::read(boxes.as_ptr())
    };
    mem::forget(boxes);
    v.iter().sum::<f64>() * 10.0 + v.len() as f64 + *last
}

fn filled(slot: &mut MaybeUninit<f64>, x: f64) {
    *slot = MaybeUninit::new(x);
}

fn extended(v: &mut Vec<f64>, x: f64) -> usize {
    v.push(x);
    v.len()
}

pub fn reborrowed_for_calls(x: f64) -> f64 {
    let mut slots: Vec<MaybeUninit<f64>> = vec![MaybeUninit::uninit(); 2];
    let mut lists = vec![vec![1.0], vec![]];
    let mut pair = (vec![x], 2.0);
    unsafe {
        filled(&mut *slots.as_mut_ptr(), x);
        filled(slots.get_unchecked_mut(1), 3.0);
        let p = lists.as_mut_ptr();
        extended(&mut *p, x);
        let second = &mut *p.add(1);
        extended(second, x * x);
        (*p.add(1)).push(4.0);
        let whole = &raw mut pair;
        let len = extended(&mut (*whole).0, x);
        (*whole).1 *= extended(&mut (*whole).0, len as f64) as f64;
        mem::swap(&mut *p, &mut (*whole).0);
        mem::replace(&mut *p.add(1), vec![5.0 * x]).iter().sum::<f64>()
            + slots[0].assume_init() * slots[1].assume_init()
            + lists[0].iter().sum::<f64>() * 100.0
            + lists[1][0] * pair.1
            + pair.0[1]
    }
}

struct Link {
    x: f64,
    next: Option<ptr::NonNull<Link>>,
}

pub fn list_of_leaked_boxes(x: f64) -> f64 {
    let new = |x: f64, next| ptr::NonNull::from(Box::leak(Box::new(Link { x, next })));
    let last = new(x, None);
    let mut first = new(2.0, Some(last));
    let text: &str = Box::leak(String::from("ab").into_boxed_str());
    unsafe {
        first.as_mut().x += x;
        if let Some(mut next) = first.as_ref().next {
            next.as_mut().x *= 3.0;
        }
        let product = first.as_ref().x * last.as_ref().x;
        drop(Box::from_raw(last.as_ptr()));
        drop(Box::from_raw(first.as_ptr()));
        product + text.len() as f64
    }
}

trait Grows {
    fn grow(&mut self, by: f64) -> f64;
}

impl Grows for (f64, Counts) {
    fn grow(&mut self, by: f64) -> f64 {
        self.0 += by;
        self.0
    }
}

pub fn a_pointer_to_an_object(x: f64) -> f64 {
    let mut total = 1.0;
    let object: Box<dyn Grows> = Box::new((x, Counts(&raw mut total, x)));
    let p = Box::into_raw(object);
    let grown = unsafe {
        (*p).grow(2.0);
        let grown = (*p).grow(x);
        drop(Box::from_raw(p));
        grown
    };
    grown * 10.0 + total
}

pub fn elements_without_size(x: f64) -> f64 {
    struct Mark;
    let (marks, units, numbers) = (vec![Mark, Mark], vec![(); 2], vec![x, x]);
    let (p, q, r) = (marks.as_ptr(), units.as_ptr(), numbers.as_ptr());
    let same = unsafe { [p == p.add(1), q == q.add(1), r == r.add(1)] };
    same.iter().zip([1.0, 10.0, 100.0]).map(|(same, w)| if *same { w * x } else { 0.0 }).sum()
}

pub fn forgotten_vectors(x: f64) -> f64 {
    fn parts(mut v: Vec<f64>) -> (*mut f64, usize, usize) {
        let parts = (v.as_mut_ptr(), v.len(), v.capacity());
        mem::forget(v);
        parts
    }
    let (data, len, capacity) = parts(vec![x, 1.0, 2.0]);
    let sum: f64 = unsafe {
        *data.add(1) *= x;
        Vec::from_raw_parts(data, len, capacity).iter().sum()
    };
    let mut v = vec![x, 3.0];
    let last = unsafe { v.as_mut_ptr().add(1) };
    if x > -1e9 {
        mem::forget(v);
        sum + unsafe { *last * x }
    } else {
        drop(v);
        sum
    }
}

pub fn a_forgotten_box(x: f64) -> f64 {
    let mut b = Box::new(vec![x, 2.0]);
    let p: *mut Vec<f64> = &mut *b;
    mem::forget(b);
    let c = unsafe { Box::from_raw(p) };
    c[0] * c[1]
}

pub fn variables_that_are_set_after_they_were_forgotten(x: f64) -> f64 {
    let mut b = Box::new(x);
    let p: *mut f64 = &mut *b;
    mem::forget(b);
    b = Box::new(5.0);
    let mut sum = unsafe { *p * 10.0 + *b };
    let mut v = vec![x];
    let mut kept = Vec::new();
    for i in 0..3 {
        kept.push(v.as_mut_ptr());
        if i != 1 {
            mem::forget(v);
            v = vec![i as f64 + x * x];
        }
    }
    for (i, p) in kept.into_iter().enumerate() {
        sum = sum * 3.0 + unsafe { *p };
        if i > 0 {
            unsafe { *p += 1.0 };
        }
    }
    sum - v[0]
}

pub fn a_vector_in_a_forgotten_struct(x: f64) -> f64 {
    struct Scaled {
        v: Vec<f64>,
        by: f64,
    }
    let mut s = Scaled { v: vec![x], by: 3.0 };
    let (p, by) = (s.v.as_mut_ptr(), s.by);
    mem::forget(s);
    unsafe {
        *p *= by;
        *p + x
    }
}
