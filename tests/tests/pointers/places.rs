//! Functions whose unsafe code is sound: pointers to variables, elements, fields and uninitialised memory.

use std::cell::UnsafeCell;
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

pub fn types_with_drop_glue(x: f64) -> f64 {
    struct Owner {
        inner: Option<(f64, Vec<f64>)>,
    }
    let known = [
        mem::needs_drop::<f64>(),
        mem::needs_drop::<Vec<f64>>(),
        mem::needs_drop::<Owner>(),
        mem::needs_drop::<mem::ManuallyDrop<Owner>>(),
        mem::needs_drop::<&Owner>(),
        mem::needs_drop::<[String; 2]>(),
        mem::needs_drop::<Box<dyn Fn(f64) -> f64>>(),
        mem::needs_drop::<std::cell::Cell<(f64, bool)>>(),
        mem::needs_drop::<std::rc::Rc<f64>>(),
        mem::needs_drop::<std::collections::HashMap<u8, u8>>(),
        mem::needs_drop::<*mut Owner>(),
    ];
    known.iter().fold(x, |sum, &known| sum * 2.0 + if known { 1.0 } else { 0.0 })
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
