//! Unions: fields read as the bits of one another, smaller fields written into larger ones, and fields that are written in
//! parts.

use std::mem::{ManuallyDrop, MaybeUninit};

#[derive(Clone, Copy)]
#[repr(C)]
pub union Bits {
    float: f64,
    bits: u64,
    signed: i64,
    bytes: [u8; 8],
    words: [u32; 2],
    singles: [f32; 2],
}

impl Bits {
    fn negate(&mut self) {
        unsafe { self.bits ^= 1 << 63 }
    }

    fn exponent(&self) -> u64 {
        unsafe { self.bits >> 52 & 0x7ff }
    }

    fn float(&self) -> f64 {
        unsafe { self.float }
    }

    fn set_low(&mut self, low: u32) {
        unsafe { self.words[0] = low }
    }
}

pub fn the_sign_bit_cleared(x: f64) -> f64 {
    let mut v = Bits { float: x };
    unsafe {
        v.bits &= !(1 << 63);
        v.float * x
    }
}

pub fn a_float_made_of_bytes(x: f64) -> f64 {
    let mut v = Bits { bits: 0 };
    unsafe {
        v.bytes[7] = 0x40;
        v.bytes[6] = 0x08;
        x * v.float
    }
}

pub fn bits_behind_a_shared_reference(x: f64) -> f64 {
    let v = Bits { float: x };
    let bits = unsafe { &v.bits };
    (*bits >> 52) as f64 * x
}

pub fn bits_by_a_pattern(x: f64) -> f64 {
    unsafe {
        match (Bits { float: x }) {
            Bits { bits: 0 } => 0.0,
            Bits { bytes: [_, _, _, _, _, _, _, 0x42] } => 1.0,
            Bits { float } => float * x,
        }
    }
}

const ONE: Bits = Bits { bits: 0x3ff0_0000_0000_0000 };
static TABLE: [Bits; 2] = [Bits { float: 1.5 }, Bits { bits: 0x4000_0000_0000_0000 }];

pub fn bits_in_constants(x: f64) -> f64 {
    unsafe { x * ONE.float + TABLE[1].float * (TABLE[0].bits >> 52) as f64 }
}

fn write_and_negate(place: *mut Bits, x: f64) {
    unsafe {
        (*place).float = x;
        (*place).bits ^= 1 << 63;
    }
}

pub fn bits_behind_a_pointer(x: f64) -> f64 {
    let mut v = Bits { bits: 7 };
    write_and_negate(&mut v, x);
    unsafe { v.float * x }
}

pub fn bits_in_a_box(x: f64) -> f64 {
    let mut v = Box::new(Bits { float: x });
    unsafe {
        v.bits += 1;
        v.float * 3.0
    }
}

fn double(place: &mut f64) {
    *place *= 2.0;
}

pub fn a_field_lent_to_a_function(x: f64) -> f64 {
    let mut v = Bits { bits: 0x4000_0000_0000_0000 };
    unsafe {
        double(&mut v.float);
        v.float * x
    }
}

pub fn unions_exchanged(x: f64) -> f64 {
    let (mut a, mut b) = (Bits { float: x }, Bits { bits: 1 << 62 });
    std::mem::swap(&mut a, &mut b);
    unsafe { a.float * b.float }
}

pub fn low_bits_cleared_in_a_loop(x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..10 {
        let mut v = Bits { float: x + k as f64 };
        unsafe {
            v.bits &= !0xff;
            sum += v.float * x;
        }
    }
    sum
}

pub union Register {
    all: u64,
    half: u32,
    quarter: u16,
    low: u8,
    pair: [u8; 2],
}

pub fn smaller_fields_written_into_a_larger_one(x: f64) -> f64 {
    let mut r = Register { all: 0x1122_3344_5566_7788 };
    unsafe {
        r.low = 0xff;
        r.pair[1] = 0;
        r.quarter += 2;
        x * (r.half as f64) / 1e9 + (r.all % 1000) as f64
    }
}

fn set_low(r: &mut Register, low: u8) {
    r.low = low;
}

pub fn a_smaller_field_behind_a_reference(x: f64) -> f64 {
    let mut r = Register { all: 0x0102_0304 };
    set_low(&mut r, 7);
    x * unsafe { r.all } as f64
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Point {
    x: f64,
    y: f64,
}

#[repr(C)]
pub union Shape {
    point: Point,
    array: [f64; 2],
    pair: (f64, f64),
}

pub fn a_struct_as_an_array(x: f64) -> f64 {
    let mut v = Shape { array: [x, 2.0] };
    unsafe {
        v.point.x *= 3.0;
        v.array[0] * v.point.y * x
    }
}

pub fn a_union_written_in_parts(x: f64) -> f64 {
    let mut m = MaybeUninit::<Shape>::uninit();
    unsafe {
        (*m.as_mut_ptr()).point.x = x;
        (*m.as_mut_ptr()).point.y = 3.0;
        let shape = m.assume_init();
        shape.array[0] * shape.array[1] * x
    }
}

fn write_x(m: &mut MaybeUninit<Point>, x: f64) {
    unsafe { (*m.as_mut_ptr()).x = x };
}

fn write_y(mut m: MaybeUninit<Point>, y: f64) -> MaybeUninit<Point> {
    unsafe { (&raw mut (*m.as_mut_ptr()).y).write(y) };
    m
}

pub fn a_struct_written_by_two_functions(x: f64) -> f64 {
    let mut m = MaybeUninit::<Point>::uninit();
    write_x(&mut m, x);
    let point = unsafe { write_y(m, x * 2.0).assume_init() };
    point.x * point.y
}

pub fn structs_written_in_parts_in_an_array(x: f64) -> f64 {
    let mut all = [const { MaybeUninit::<Point>::uninit() }; 3];
    for (k, m) in all.iter_mut().enumerate() {
        write_x(m, x + k as f64);
    }
    let all = all.map(|m| unsafe { write_y(m, 2.0).assume_init() });
    all.iter().map(|p| p.x * p.y * p.x).sum()
}

union Later {
    nothing: (),
    value: ManuallyDrop<Point>,
}

pub fn a_union_filled_in_parts(x: f64) -> f64 {
    let mut m = Later { nothing: () };
    unsafe {
        (*m.value).x = x;
        (*m.value).y = 2.0;
        (*m.value).x * (*m.value).y * x
    }
}

union Slot {
    value: ManuallyDrop<f64>,
    next: u32,
}

/// Values in slots; a slot that is free holds the number of the next free one.
struct Pool {
    slots: Vec<Slot>,
    free: u32,
}

impl Pool {
    fn insert(&mut self, value: f64) -> usize {
        let at = self.free as usize;
        match self.slots.get_mut(at) {
            Some(slot) => {
                self.free = unsafe { slot.next };
                slot.value = ManuallyDrop::new(value);
            }
            None => {
                self.slots.push(Slot { value: ManuallyDrop::new(value) });
                self.free = at as u32 + 1;
            }
        }
        at
    }

    fn remove(&mut self, at: usize) -> f64 {
        let slot = &mut self.slots[at];
        let value = unsafe { ManuallyDrop::take(&mut slot.value) };
        slot.next = self.free;
        self.free = at as u32;
        value
    }
}

pub fn free_slots_in_the_place_of_values(x: f64) -> f64 {
    let mut pool = Pool { slots: Vec::new(), free: 0 };
    let keys: Vec<usize> = (0..6).map(|k| pool.insert(x * k as f64)).collect();
    let mut sum = 0.0;
    for at in [4, 1, 3] {
        sum += pool.remove(keys[at]) * at as f64;
    }
    let (a, b) = (pool.insert(x * x), pool.insert(x.sin()));
    for at in [a, b, 0, 2, 5] {
        sum += unsafe { *pool.slots[at].value } * (at + 1) as f64;
    }
    sum + pool.free as f64
}

pub fn a_float_written_over_smaller_fields(x: f64) -> f64 {
    let mut v = Layers { float: x };
    let mut sum = 0.0;
    for k in 0..4 {
        v.half = k;
        v.low = 2 * k as u8;
        unsafe {
            sum += v.half as f64 * x;
            v.float = sum + x;
            sum += v.float * v.float;
        }
    }
    sum
}

pub fn the_low_word_replaced(x: f64) -> f64 {
    let mut v = Bits { float: x };
    v.set_low(0);
    v.float()
}

// From here on, a derivative would be lost.

pub fn the_exponent_and_the_value(x: f64) -> f64 {
    let mut v = Bits { float: x };
    v.negate();
    v.float() * v.exponent() as f64
}

pub fn unions_in_a_vector(x: f64) -> f64 {
    let mut all = vec![Bits { bits: 0 }; 4];
    for (k, v) in all.iter_mut().enumerate() {
        v.float = x * k as f64;
    }
    all.iter_mut().for_each(Bits::negate);
    all.iter().map(Bits::float).sum()
}

pub struct Named {
    name: u8,
    value: Bits,
}

pub fn bytes_of_a_union_in_a_struct(x: f64) -> f64 {
    let mut named = Named { name: 2, value: Bits { bits: 1 } };
    named.value.float = x;
    let named = &mut named;
    unsafe {
        named.value.bytes[7] &= 0x7f;
        named.value.float * named.name as f64 + named.value.singles[1] as f64
    }
}

pub fn bits_that_a_closure_changes(x: f64) -> f64 {
    let mut v = Bits { float: x };
    let mut flip = |k: u64| unsafe {
        v.bits ^= k << 63;
        v.float
    };
    flip(1) + 3.0 * flip(1)
}

pub fn the_fast_inverse_square_root(x: f64) -> f64 {
    union Single {
        float: f32,
        int: i32,
    }
    let n = x.abs() as f32;
    let mut y = Single { float: n };
    unsafe {
        y.int = 0x5f37_59df - (y.int >> 1);
        (y.float * (1.5 - n * 0.5 * y.float * y.float)) as f64
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Words {
    low: u32,
    high: u32,
}

#[repr(C)]
union Double {
    value: f64,
    words: Words,
}

pub fn words_in_a_struct(x: f64) -> f64 {
    let mut v = Double { value: x };
    unsafe {
        v.words.high &= 0x7fff_ffff;
        v.words.low = 0;
        v.value
    }
}

pub fn a_vector_of_singles(x: f64) -> f64 {
    #[derive(Clone, Copy)]
    union Vector {
        all: [f32; 4],
        parts: (f32, f32, f32, f32),
        bits: u128,
        halves: [u64; 2],
    }
    let mut v = Vector { all: [x as f32, 2.0, 3.0, 4.0] };
    unsafe {
        v.halves[1] = 0;
        (v.parts.0 + v.all[1] + v.all[3]) as f64 + (v.bits >> 96) as f64
    }
}

pub fn a_byte_written_into_a_single(x: f64) -> f64 {
    #[repr(C)]
    union Single {
        byte: u8,
        pair: [u8; 2],
        float: f32,
    }
    let mut v = Single { float: x as f32 };
    unsafe {
        v.byte |= 1;
        v.pair[1] = 0;
        v.float as f64
    }
}

pub union Layers {
    float: f64,
    half: u32,
    low: u8,
    bits: u64,
    singles: [f32; 2],
}

pub fn smaller_fields_over_one_another(x: f64) -> f64 {
    let mut v = Layers { float: x / 3.0 };
    let mut sum = 0.0;
    unsafe {
        v.half ^= 0x00ff_ff00;
        v.low = 1;
        sum += v.half as f64 + v.low as f64;
        v.low = 0x77;
        sum += (v.bits % 1_000_003) as f64 + v.singles[1] as f64;
        v.half += 1;
        sum += v.float;
        v.singles[0] = 0.5;
        v.low = 3;
        sum + v.float + v.singles[0] as f64
    }
}
