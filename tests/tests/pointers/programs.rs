//! Functions whose unsafe code is sound: typical library code with raw pointers and uninitialised memory.

use std::alloc::{self, Layout};
use std::cell::{Cell, UnsafeCell};
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::ptr::{self, NonNull};

pub fn through_a_variable(x: f64) -> f64 {
    let mut y = x;
    let p = &mut y as *mut f64;
    unsafe {
        *p = *p * 2.0 + 1.0;
    }
    y * y
}

pub fn written_after_the_pointer_is_made(x: f64) -> f64 {
    let mut y = x;
    let p = &raw const y;
    y += 3.0;
    unsafe { *p * y }
}

pub fn sum_by_offsets(x: f64) -> f64 {
    let v = vec![x, 2.0 * x, 3.0];
    let p = v.as_ptr();
    (0..v.len()).map(|i| unsafe { *p.add(i) }).sum()
}

pub fn begin_and_end(x: f64) -> f64 {
    let v = [x, 2.0, x * x, 4.0];
    let (mut p, mut sum) = (v.as_ptr(), 0.0);
    let end = unsafe { p.add(v.len()) };
    while p != end {
        sum = sum * 0.5 + unsafe { *p };
        p = unsafe { p.add(1) };
    }
    sum + unsafe { end.offset_from(v.as_ptr()) } as f64
}

pub fn backwards(x: f64) -> f64 {
    let v = [x, 2.0, 3.0];
    let mut p = v.as_ptr_range().end;
    let mut sum = 0.0;
    for _ in 0..3 {
        p = unsafe { p.sub(1) };
        sum = sum * 10.0 + unsafe { *p };
    }
    sum
}

pub fn swapped_and_replaced(x: f64) -> f64 {
    let mut v = vec![x, 2.0, 3.0];
    let p = v.as_mut_ptr();
    unsafe {
        p.swap(p.add(2));
        let old = p.add(1).replace(old_square(x));
        ptr::swap(p, p.add(1));
        v[0] * 100.0 + v[1] * 10.0 + v[2] + old
    }
}

fn old_square(x: f64) -> f64 {
    x * x
}

pub fn copied_over_itself(x: f64) -> f64 {
    let mut v = vec![x, 1.0, 2.0, 3.0, 4.0];
    let p = v.as_mut_ptr();
    unsafe {
        ptr::copy(p, p.add(1), 3);
        ptr::copy_nonoverlapping(p.add(3), p, 1);
    }
    v.iter().fold(0.0, |sum, y| sum * 3.0 + y)
}

pub fn flat_rows(x: f64) -> f64 {
    let mut a = [[x, 2.0], [3.0, 4.0], [5.0, x]];
    let p = a.as_mut_ptr() as *mut f64;
    unsafe {
        let all = std::slice::from_raw_parts_mut(p, 6);
        all[3] *= x;
        *p.add(4) += all[0];
    }
    a.iter().flatten().fold(0.0, |sum, y| sum * 2.0 + y)
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Xyz {
    x: f64,
    y: f64,
    z: f64,
}

pub fn an_array_as_a_struct(x: f64) -> f64 {
    let mut a = [x, 2.0, 3.0];
    let p = a.as_mut_ptr() as *mut Xyz;
    unsafe {
        (*p).y += x * (*p).x;
        let copy = *p;
        copy.x + 10.0 * copy.y + 100.0 * a[2]
    }
}

pub fn structs_as_numbers(x: f64) -> f64 {
    let mut v = vec![Xyz { x, y: 1.0, z: 2.0 }, Xyz { x: 3.0, y: x, z: 4.0 }];
    let flat = unsafe { std::slice::from_raw_parts(v.as_ptr() as *const f64, 6) };
    let sum = flat.iter().fold(0.0, |sum, y| sum * 2.0 + y);
    v[1].z = sum;
    v[1].z * v[0].z
}

#[repr(transparent)]
struct Metres(f64);

pub fn a_slice_as_one_of_wrappers(x: f64) -> f64 {
    let v = [x, 2.0 * x];
    let metres: &[Metres] = unsafe { &*(&v[..] as *const [f64] as *const [Metres]) };
    metres[0].0 * metres[1].0
}

pub fn uninitialised_array(x: f64) -> f64 {
    let mut a: [MaybeUninit<f64>; 4] = unsafe { MaybeUninit::uninit().assume_init() };
    for (i, slot) in a.iter_mut().enumerate() {
        slot.write(x * i as f64);
    }
    let a: [f64; 4] = unsafe { mem::transmute(a) };
    a[1] * a[2] + a[3]
}

pub fn written_through_as_mut_ptr(x: f64) -> f64 {
    let mut slot = MaybeUninit::<[f64; 2]>::uninit();
    unsafe {
        slot.as_mut_ptr().write([x, 3.0]);
        let a = slot.assume_init_ref();
        a[0] * a[1]
    }
}

pub fn fields_one_by_one(x: f64) -> f64 {
    let mut slot = MaybeUninit::<Xyz>::uninit();
    let p = slot.as_mut_ptr();
    unsafe {
        (&raw mut (*p).x).write(x);
        (&raw mut (*p).y).write(2.0);
        (&raw mut (*p).z).write(x * x);
        let made = slot.assume_init();
        made.x + 10.0 * made.y + 100.0 * made.z
    }
}

struct Node {
    value: f64,
    next: Option<NonNull<Node>>,
}

pub fn list_of_boxes(x: f64) -> f64 {
    let mut head: Option<NonNull<Node>> = None;
    for i in 0..4 {
        let node = Box::new(Node { value: x + i as f64, next: head });
        head = NonNull::new(Box::into_raw(node));
    }
    let mut sum = 0.0;
    let mut at = head;
    while let Some(node) = at {
        unsafe {
            (*node.as_ptr()).value *= 2.0;
            at = node.as_ref().next;
        }
    }
    while let Some(node) = head {
        let node = unsafe { Box::from_raw(node.as_ptr()) };
        sum = sum * 3.0 + node.value;
        head = node.next;
    }
    sum
}

struct Tree {
    left: *mut Tree,
    right: *mut Tree,
    key: f64,
}

unsafe fn insert(at: *mut *mut Tree, key: f64) {
    let mut at = at;
    unsafe {
        while !(*at).is_null() {
            at = if key < (**at).key { &raw mut (**at).left } else { &raw mut (**at).right };
        }
        *at = Box::into_raw(Box::new(Tree { left: ptr::null_mut(), right: ptr::null_mut(), key }));
    }
}

unsafe fn fold(at: *mut Tree, sum: f64) -> f64 {
    unsafe {
        if at.is_null() {
            return sum;
        }
        let node = Box::from_raw(at);
        let sum = fold(node.left, sum);
        fold(node.right, sum * 0.5 + node.key)
    }
}

pub fn tree_of_null_pointers(x: f64) -> f64 {
    let mut root = ptr::null_mut();
    for i in 0..6 {
        unsafe { insert(&mut root, x * (i as f64 * 2.4).sin()) };
    }
    unsafe { fold(root, 0.0) }
}

pub fn raw_parts_of_a_vector(x: f64) -> f64 {
    let mut v = ManuallyDrop::new(vec![x, 2.0, 3.0]);
    let (p, len, capacity) = (v.as_mut_ptr(), v.len(), v.capacity());
    let metres: Vec<Metres> = unsafe { Vec::from_raw_parts(p as *mut Metres, len, capacity) };
    metres.iter().fold(0.0, |sum, metres| sum * 2.0 + metres.0)
}

struct Shared(UnsafeCell<f64>);

impl Shared {
    fn add(&self, x: f64) {
        unsafe { *self.0.get() += x };
    }
}

pub fn unsafe_cell(x: f64) -> f64 {
    let shared = Shared(UnsafeCell::new(x));
    let again = &shared;
    shared.add(1.0);
    again.add(x * x);
    shared.0.into_inner()
}

pub fn two_parts_of_one_slice(x: f64) -> f64 {
    fn split(v: &mut [f64], at: usize) -> (&mut [f64], &mut [f64]) {
        let (len, p) = (v.len(), v.as_mut_ptr());
        assert!(at <= len);
        unsafe {
            (std::slice::from_raw_parts_mut(p, at), std::slice::from_raw_parts_mut(p.add(at), len - at))
        }
    }
    let mut v = [x, 2.0, 3.0, 4.0];
    let (a, b) = split(&mut v, 2);
    mem::swap(&mut a[0], &mut b[1]);
    b[0] *= a[1];
    v.iter().fold(0.0, |sum, y| sum * 2.0 + y)
}

pub fn a_reference_as_a_slice(x: f64) -> f64 {
    let mut y = x;
    let one = std::slice::from_mut(&mut y);
    one[0] += one.len() as f64;
    std::slice::from_ref(&y).iter().sum::<f64>() * y
}

pub fn pointers_that_are_compared(x: f64) -> f64 {
    let a = [x, x, x];
    let p = a.as_ptr();
    let q = unsafe { p.add(2) };
    let equal = p == unsafe { q.sub(2) };
    (if equal { 1.0 } else { 0.0 }) + (if p < q { 10.0 } else { 0.0 }) + (if p.is_null() { 100.0 } else { x })
}

pub fn places_that_are_compared(x: f64) -> f64 {
    let mut s = Xyz { x, y: x, z: x };
    let array = &raw mut s as *mut [f64; 3];
    let (y, z) = (&raw mut s.y, &raw mut s.z);
    let mut rows = [[x; 2]; 3];
    let first = &raw mut rows as *mut f64;
    let row = &raw mut rows[1];
    let slice = &raw const rows[1..];
    let (one, other) = (vec![x, x], vec![x + 1.0, x + 2.0]);
    let facts = unsafe {
        [
            y == z,
            array as *const () == &raw const s as *const (),
            first == &raw mut rows[0][0],
            first.add(2) == first.add(3),
            &raw mut rows[1][1] == &raw mut rows[2][1],
            &raw const (*row)[0] == &raw const rows[2][0],
            ptr::addr_eq(slice, row),
            ptr::addr_eq(&raw const rows[0..2], &raw const rows[0..2]),
            ptr::eq(&one[0], &other[0]),
            ptr::eq(&one[..1], &one[..]),
            one.as_ptr() == unsafe { one.as_ptr().add(1) },
        ]
    };
    facts.iter().fold(x, |sum, &fact| sum * 2.0 + f64::from(u8::from(fact)))
}

pub fn sizes(x: f64) -> f64 {
    let sizes =
        [mem::size_of::<Xyz>(), mem::align_of::<Xyz>(), mem::size_of_val(&x), mem::size_of::<*const u8>()];
    sizes.iter().fold(x, |sum, &size| sum * 100.0 + size as f64)
}

pub fn zeroed(x: f64) -> f64 {
    let mut a: [f64; 3] = unsafe { mem::zeroed() };
    let b: Xyz = unsafe { MaybeUninit::zeroed().assume_init() };
    a[1] += x;
    a.iter().sum::<f64>() + b.x + b.y
}

pub fn a_sort_by_pointers(x: f64) -> f64 {
    let mut v = [3.0, x, 1.0, -x, 2.0];
    let p = v.as_mut_ptr();
    for i in 1..v.len() {
        unsafe {
            let held = ManuallyDrop::new(ptr::read(p.add(i)));
            let mut j = i;
            while j > 0 && *held < *p.add(j - 1) {
                ptr::copy_nonoverlapping(p.add(j - 1), p.add(j), 1);
                j -= 1;
            }
            ptr::write(p.add(j), ManuallyDrop::into_inner(held));
        }
    }
    v.iter().fold(0.0, |sum, y| sum * 2.0 + y)
}

pub fn a_pointer_in_a_closure(x: f64) -> f64 {
    let mut total = 0.0;
    let p = &raw mut total;
    let mut add = |y: f64| unsafe { *p += y };
    add(x);
    add(x * 2.0);
    total
}

pub fn references_from_pointers(x: f64) -> f64 {
    let mut v = vec![x, 1.0];
    let p = v.as_mut_ptr();
    let (a, b) = unsafe { (&mut *p, p.add(1).as_mut().expect("it is not null")) };
    *a += 2.0;
    *b *= *a;
    let seen: &f64 = unsafe { mem::transmute::<*const f64, &f64>(p) };
    seen + v[1]
}

struct Pinned {
    elems: Vec<f64>,
    first: *mut f64,
}

impl Pinned {
    fn pin(&mut self) {
        self.first = self.elems.as_mut_ptr();
    }

    fn bump(&mut self) {
        unsafe { *self.first += 1.0 };
    }
}

pub fn a_pointer_in_the_struct_that_it_points_into(x: f64) -> f64 {
    let mut pinned = Pinned { elems: vec![x, 2.0], first: ptr::null_mut() };
    pinned.pin();
    pinned.bump();
    pinned.elems[0] * x
}

pub fn pushed_within_the_capacity(x: f64) -> f64 {
    let mut v = Vec::with_capacity(4);
    v.push(x);
    let p = v.as_mut_ptr();
    v.push(2.0);
    unsafe { *p += x };
    v[0] * 10.0 + v[1]
}

pub fn moved_in_each_round(x: f64) -> f64 {
    let (mut sum, mut v) = (0.0, vec![x]);
    for i in 0..3 {
        let p = v.as_mut_ptr();
        unsafe { *p += i as f64 };
        let w = v;
        sum += w[0] * x;
        v = w;
    }
    sum
}

pub fn a_copy_is_another_vector(x: f64) -> f64 {
    let mut v = vec![x, 1.0];
    let p = v.as_mut_ptr();
    let w = v.clone();
    unsafe { *p = 3.0 };
    v[0] * 10.0 + w[0] * x
}

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
