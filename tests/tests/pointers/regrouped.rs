//! Pointers cast to types with other groups of the same elements, to structs that end in a slice, to functions; memory
//! whose fields are written one by one; numbers transmuted in groups.

use std::alloc::{Layout, alloc, dealloc};
use std::mem::transmute;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

fn chunk<T: Copy>(bytes: &[u8], offset: usize) -> &T {
    assert!(size_of::<T>() <= bytes.len() - offset);
    unsafe { &*(bytes.as_ptr().add(offset) as *const T) }
}

pub fn rows_of_bytes(x: f64) -> f64 {
    let bytes: Vec<u8> = (0..40).collect();
    let rows: &[[u8; 8]; 2] = chunk(&bytes, 16);
    let numbers: &[u8; 5] = chunk(&bytes, 3);
    x * (u64::from_le_bytes(rows[1]) % 1000) as f64 + f64::from(rows[0][7]) + f64::from(numbers[4])
}

pub fn rows_of_floats(x: f64) -> f64 {
    let all = [x, 2.0, x * x, 4.0, 5.0, 6.0, 7.0];
    let rows = unsafe { &*(all.as_ptr().add(1) as *const [[f64; 2]; 3]) };
    rows[0][1] * rows[1][0] + rows[2][1] + rows.len() as f64
}

#[derive(Clone, Copy)]
pub struct Limb(u64);

#[repr(transparent)]
pub struct Limbs {
    all: [Limb],
}

impl Limbs {
    fn new(all: &[Limb]) -> &Limbs {
        unsafe { &*(ptr::from_ref(all) as *const Limbs) }
    }

    fn new_mut(all: &mut [Limb]) -> &mut Limbs {
        unsafe { &mut *(ptr::from_mut(all) as *mut Limbs) }
    }

    fn len(&self) -> usize {
        self.all.len()
    }

    fn split_at(&self, mid: usize) -> (&Limbs, &Limbs) {
        let (a, b) = self.all.split_at(mid);
        (Limbs::new(a), Limbs::new(b))
    }
}

pub fn wrapped_slices(x: f64) -> f64 {
    let mut all = [Limb(1), Limb(2), Limb(3), Limb(4)];
    Limbs::new_mut(&mut all[1..]).all[2].0 += 5;
    let whole = Limbs::new(&all);
    let (a, b) = whole.split_at(3);
    let (c, d) = b.split_at(1);
    let lengths = whole.len() * 1000 + a.len() * 100 + b.len() * 10 + c.len() + d.len();
    x * lengths as f64 + b.all[0].0 as f64 + a.all[2].0 as f64
}

type Raw = *mut ();
type Count = unsafe fn(u8, &[u8]) -> usize;

static CHOSEN: AtomicPtr<()> = AtomicPtr::new(choose as Raw);

unsafe fn plainly(byte: u8, text: &[u8]) -> usize {
    text.iter().filter(|b| **b == byte).count()
}

unsafe fn choose(byte: u8, text: &[u8]) -> usize {
    let count: Count = plainly;
    CHOSEN.store(count as Raw, Ordering::Relaxed);
    unsafe { count(byte, text) + 100 }
}

fn count(byte: u8, text: &[u8]) -> usize {
    unsafe { transmute::<Raw, Count>(CHOSEN.load(Ordering::Relaxed))(byte, text) }
}

pub fn functions_behind_pointers(x: f64) -> f64 {
    // The first call of the process chooses.
    count(b'a', b"banana");
    CHOSEN.store(choose as Raw, Ordering::Relaxed);
    let first = count(b'a', b"banana");
    x * first as f64 + count(b'n', b"banana") as f64
}

struct Node {
    next: *mut Node,
    key: i32,
    value: (f64, f64),
}

pub fn fields_one_by_one(x: f64) -> f64 {
    unsafe {
        let layout = Layout::new::<Node>();
        let head = alloc(layout) as *mut Node;
        (*head).next = head;
        (*head).value.1 = x;
        let node = Box::into_raw(Box::new(Node { next: ptr::null_mut(), key: 3, value: (x, 2.0) }));
        (*node).next = (*head).next;
        (*head).next = node;
        let found = (*(*(*node).next).next).value.0 * f64::from((*(*head).next).key) + (*head).value.1;
        drop(Box::from_raw(node));
        dealloc(head as *mut u8, layout);
        found
    }
}

#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Two([f64; 2]);

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct Four {
    low: Two,
    high: Two,
}

pub fn numbers_in_groups(x: f64) -> f64 {
    let four: Four = unsafe { transmute([x, 2.0, x * x, 4.0]) };
    let back: [f64; 4] = unsafe { transmute(four) };
    four.low.0[1] * four.high.0[0] + back.iter().sum::<f64>()
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Digits<const N: usize> {
    digits: [u128; 2],
    rest: [u8; N],
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Mixed(u16, i8, u8, f32);

pub fn integers_of_bytes(x: f64) -> f64 {
    let mut bytes = [0u8; 35];
    (bytes[0], bytes[16], bytes[17], bytes[33]) = (7, 3, 1, 9);
    let digits: Digits<0> =
        unsafe { std::mem::transmute_copy(&[bytes[..16].try_into().unwrap(), [1u8; 16]]) };
    let mixed: Mixed = unsafe { transmute(0x4000_0000_fd01_0203_u64) };
    let halves: [u32; 2] = unsafe { transmute(mixed) };
    let all: [u16; 4] = unsafe { transmute([-1_i8, 2, 3, 4, 5, 6, 7, -8]) };
    let sum = digits.digits[0] as f64 + digits.rest.len() as f64 + f64::from(halves[1] >> 16);
    x * sum
        + f64::from(mixed.0)
        + f64::from(mixed.1)
        + f64::from(mixed.2)
        + f64::from(all[3])
        + f64::from(all[0])
}
