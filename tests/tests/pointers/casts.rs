//! Functions whose unsafe code reads memory as values of another size, as hashers, codecs and transforms do.

use std::alloc::{self, Layout};
use std::ptr;

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Complex {
    re: f64,
    im: f64,
}

pub fn numbers_as_complex_numbers(x: f64) -> f64 {
    let mut v = vec![x, 2.0, x * x, -1.0, 0.5, 3.0];
    let n = v.len() / 2;
    let pairs = unsafe { std::slice::from_raw_parts_mut(v.as_mut_ptr() as *mut Complex, n) };
    pairs.swap(0, 2);
    for pair in pairs.iter_mut() {
        *pair = Complex { re: pair.re * pair.im, im: pair.im + 1.0 };
    }
    let last = pairs[2];
    v[0] + v[3] * x + last.re * last.im
}

pub fn numbers_as_rows(x: f64) -> f64 {
    let v = [x, 2.0, x * x, -1.0, 0.5, 3.0];
    let rows: &[[f64; 2]] = unsafe { std::slice::from_raw_parts(v.as_ptr().cast(), 3) };
    rows.iter().map(|[a, b]| a * b).sum::<f64>() * rows[1][0]
}

pub fn pointers_to_rows_move_by_rows(x: f64) -> f64 {
    let mut v = [x, 2.0, x * x, -1.0, 0.5, 3.0];
    let first = v.as_mut_ptr() as *mut [f64; 2];
    unsafe {
        let last = first.add(2);
        (*last)[1] = x;
        (*first.add(1))[0] + (*last)[0] * v[5] + last.offset_from(first) as f64
    }
}

pub fn a_matrix_of_vectors_as_its_columns(x: f64) -> f64 {
    #[derive(Clone, Copy)]
    #[repr(C)]
    struct Vec2<T> {
        x: T,
        y: T,
    }
    impl<T> Vec2<T> {
        fn as_slice(&self) -> &[T] {
            unsafe { std::slice::from_raw_parts(self as *const _ as *const T, 2) }
        }
    }
    let columns = Vec2 { x: Vec2 { x, y: 2.0 }, y: Vec2 { x: 3.0, y: x * x } };
    columns.as_slice().iter().map(|column| column.as_slice()[0] * column.as_slice()[1]).sum()
}

fn of(word: u64) -> f64 {
    (word % 1_000_003) as f64
}

pub fn words_as_bytes(x: f64) -> f64 {
    let words = [x.abs() as u32 + 70_000, 5, 0x0102_0304];
    let bytes = unsafe { std::slice::from_raw_parts(words.as_ptr() as *const u8, words.len() * 4) };
    bytes.iter().enumerate().map(|(at, byte)| of(*byte as u64) * at as f64).sum::<f64>() * x
}

pub fn bytes_written_into_words(x: f64) -> f64 {
    let mut words = [1_u64, u64::MAX];
    let bytes = words.as_mut_ptr() as *mut u8;
    unsafe {
        *bytes.add(1) = 2;
        *bytes.add(15) = 0;
        for at in 8..12 {
            bytes.add(at).write(at as u8);
        }
    }
    of(words[0]) * x + of(words[1])
}

pub fn words_read_from_bytes(x: f64) -> f64 {
    let bytes: Vec<u8> = (0..40).map(|at| (at * 37 % 251) as u8).collect();
    let mut sum = 0.0;
    unsafe {
        let at = bytes.as_ptr().add(3);
        sum += of(ptr::read_unaligned(at as *const u64));
        sum += of(at.cast::<u16>().add(2).read_unaligned() as u64);
        let lanes: [u64; 2] = bytes.as_ptr().cast::<[u64; 2]>().add(1).read_unaligned();
        sum += of(lanes[0]) - of(lanes[1]);
        let mut wide = 0_u64;
        ptr::copy_nonoverlapping(at, &mut wide as *mut _ as *mut u8, 5);
        sum + of(wide) * x
    }
}

pub fn an_array_of_words_as_one_of_bytes(x: f64) -> f64 {
    let mut lanes = [7_u64, 8, 9, 10];
    let bytes: &mut [u8; 32] = unsafe { &mut *lanes.as_mut_ptr().cast() };
    bytes[..3].copy_from_slice(&[1, 2, 3]);
    bytes[31] = 4;
    let tail = bytes[8..].iter().map(|byte| *byte as f64).sum::<f64>();
    of(lanes[0]) + of(lanes[3]) + tail * x
}

pub fn allocated_words_freed_as_bytes(x: f64) -> f64 {
    let layout = Layout::array::<u64>(3).unwrap();
    unsafe {
        let words = alloc::alloc(layout) as *mut u64;
        for at in 0..3 {
            words.add(at).write(at as u64 + x.abs() as u64);
        }
        let bytes = words as *mut u8;
        let again = bytes as *mut u64;
        let sum = of(*again.add(2)) * x;
        alloc::dealloc(bytes, layout);
        sum
    }
}

pub fn integers_as_pointers_to_nothing(x: f64) -> f64 {
    let layout = Layout::new::<f64>();
    let aligned = layout.align() as *mut f64;
    let none = 0 as *const f64;
    if !aligned.is_null() && none.is_null() { x } else { -x }
}

pub fn a_value_that_is_dropped_in_another_type(x: f64) -> f64 {
    struct Wrapped(Vec<f64>);
    impl Drop for Wrapped {
        fn drop(&mut self) {
            self.0.clear();
        }
    }
    struct Plain(Vec<f64>);
    let wrapped: Wrapped = unsafe { std::mem::transmute(Plain(vec![x, 2.0])) };
    let moved = unsafe { ptr::read(&wrapped.0) };
    std::mem::forget(wrapped);
    moved.iter().product()
}

#[repr(usize)]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Level {
    Off,
    Low,
    High,
}

pub fn numbers_as_variants(x: f64) -> f64 {
    let (low, high): (Level, Level) = unsafe { (std::mem::transmute(1_usize), std::mem::transmute(2_usize)) };
    let number: usize = unsafe { std::mem::transmute(Level::High) };
    if low == Level::Low && high == Level::High { x * number as f64 } else { -x }
}

pub fn unchecked_parts(x: f64) -> f64 {
    let v = [x, 2.0, 3.0];
    let (head, tail) = unsafe { v.split_at_unchecked(1) };
    let five = unsafe { std::num::NonZeroI64::new_unchecked(-5) };
    head[0] * tail[1] + five.get() as f64
}

pub fn allocated_zeros(x: f64) -> f64 {
    let layout = Layout::array::<f64>(4).unwrap();
    unsafe {
        let p = alloc::alloc_zeroed(layout) as *mut f64;
        *p.add(2) += x;
        let sum = (0..4).map(|at| *p.add(at) * at as f64 + 1.0).sum();
        alloc::dealloc(p as *mut u8, layout);
        sum
    }
}

#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Ordered(f64);

fn as_ordered(numbers: &mut [f64]) -> &mut [Ordered] {
    unsafe { std::mem::transmute(numbers) }
}

pub fn copied_as_another_type(x: f64) -> f64 {
    let (bits, pair) = (x.to_bits(), (x, 2.0));
    let float: f64 = unsafe { std::mem::transmute_copy(&bits) };
    let [first, second]: [f64; 2] = unsafe { std::mem::transmute_copy(&pair) };
    float * first + second
}

pub fn transmuted_references(x: f64) -> f64 {
    let mut numbers = vec![3.0, x, 2.0];
    as_ordered(&mut numbers).sort_by(|a, b| a.partial_cmp(b).unwrap());
    as_ordered(&mut numbers)[1] = Ordered(x * 2.0);
    let mut three = [x, 1.0, 2.0];
    let fields: &mut (f64, f64, f64) = unsafe { std::mem::transmute(&mut three) };
    fields.1 *= x;
    let pointer: *mut f64 = three.as_mut_ptr();
    let last: *mut Ordered = unsafe { std::mem::transmute(pointer) };
    unsafe { (*last.add(2)).0 += x };
    numbers[0] * 10.0 + numbers[1] * numbers[2] + three[1] * three[2]
}

pub fn boxes_in_another_type(x: f64) -> f64 {
    unsafe {
        let numbers: Box<[f64]> = vec![x, 1.0].into_boxed_slice();
        let ordered: Box<[Ordered]> = Box::from_raw(Box::into_raw(numbers) as *mut [Ordered]);
        let one: Box<[f64; 1]> = Box::from_raw(Box::into_raw(Box::new(Ordered(x))) as *mut [f64; 1]);
        let bytes: Box<[u8]> = Box::from_raw(Box::into_raw("abc".to_string().into_boxed_str()) as *mut [u8]);
        ordered[0].0 * one[0] + bytes[1] as f64
    }
}

pub fn a_pointer_to_an_element_of_a_shared_slice(x: f64) -> f64 {
    fn second_and_third(v: &[f64]) -> f64 {
        let first = &v[0] as *const f64;
        unsafe { *first.add(1) * *first.add(2) }
    }
    let mut v = vec![2.0, x, 3.0];
    let before = second_and_third(&v);
    v[2] = x;
    before + second_and_third(&v)
}

pub fn slices_taken_out_of_their_variables(x: f64) -> f64 {
    let mut v = vec![x, 2.0, 3.0];
    let mut rest = &mut v[..];
    let mut sum = 0.0;
    while !rest.is_empty() {
        let (first, others) = std::mem::take(&mut rest).split_first_mut().unwrap();
        *first *= 2.0;
        sum += *first;
        rest = others;
    }
    sum * v[0]
}

pub fn slices_as_pointers_to_their_first(x: f64) -> f64 {
    unsafe {
        let numbers = Box::into_raw(vec![0.0; 3].into_boxed_slice()) as *mut f64;
        for i in 0..3 {
            *numbers.offset(i) = x * i as f64;
        }
        let sum = *numbers.add(1) + *numbers.add(2);
        drop(Box::from_raw(std::slice::from_raw_parts_mut(numbers, 3)));
        let two: &[f64] = &[x, 2.0];
        let first = two as *const [f64] as *const f64;
        sum + *first.add(1) * *first
    }
}

pub fn a_wrapper_of_a_struct_with_a_marker(x: f64) -> f64 {
    use std::marker::PhantomData;
    struct Matrix<T> {
        rows: [[T; 2]; 1],
        unit: PhantomData<T>,
    }
    struct Quaternion<T> {
        coords: Matrix<T>,
    }
    #[repr(transparent)]
    struct Unit<T> {
        value: T,
    }
    impl<T> std::ops::Deref for Unit<T> {
        type Target = T;
        fn deref(&self) -> &T {
            unsafe { &*(self as *const Self as *const T) }
        }
    }
    let unit = Unit { value: Quaternion { coords: Matrix { rows: [[x, 2.0]], unit: PhantomData } } };
    let _: &PhantomData<f64> = &unit.coords.unit;
    unit.coords.rows[0][0] * unit.coords.rows[0][1]
}

pub fn text_as_its_bytes(x: f64) -> f64 {
    let (text, mut owned) = ("abc", String::from("xyz"));
    let (p, q) = (text.as_ptr(), owned.as_ptr());
    let read = unsafe { (*p as f64, *p.add(1) as f64, *q.add(2) as f64) };
    let rest = unsafe { std::slice::from_raw_parts(p.add(1), 2) };
    unsafe {
        *owned.as_mut_ptr().add(1) = b'-';
        owned.as_mut_str().as_bytes_mut()[0] = b'+';
    }
    read.0 * x + read.1 + read.2 * rest[1] as f64 + (owned == "+-z") as u8 as f64
}

#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum Code {
    Low = 10,
    Mid = 5,
    High = 200,
}

#[derive(Clone, Copy, PartialEq)]
#[repr(i8)]
enum Sign {
    Minus = -1,
    Zero,
    Plus,
}

#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Left,
    Right,
}

pub fn variants_by_bits(x: f64) -> f64 {
    use std::mem::transmute;
    let (low, mid) = unsafe { (transmute::<Code, u8>(Code::Low), transmute::<_, i8>(Code::High)) };
    let high = unsafe { transmute::<u8, Code>(200) } == Code::High;
    let minus = unsafe { transmute::<u8, Sign>(255) } == Sign::Minus;
    let bits = unsafe { transmute::<Sign, u8>(Sign::Minus) };
    let turn = unsafe { transmute::<u8, Turn>(1) } == Turn::Right
        && unsafe { transmute::<Turn, u8>(Turn::Left) } == 0;
    let also = unsafe {
        (transmute::<u8, Code>(5) as i32, transmute::<i8, Sign>(1) as i32, transmute::<i8, Sign>(0) as i32)
    };
    let flags =
        f64::from(u8::from(high)) + f64::from(u8::from(minus)) * 2.0 + f64::from(u8::from(turn)) * 4.0;
    x + f64::from(low)
        + f64::from(mid) * 10.0
        + f64::from(bits) * 100.0
        + flags * 0.1
        + f64::from(also.0 + 7 * also.1 + also.2)
}
