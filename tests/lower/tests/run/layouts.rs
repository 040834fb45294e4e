//! Sizes and alignments as rustc chooses them.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};
use std::convert::Infallible;
use std::num::{NonZero, NonZeroU32};
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::rc::Rc;
use std::time::Duration;

/// Size and alignment as one number.
fn both<T>() -> f64 {
    (size_of::<T>() * 100 + align_of::<T>()) as f64
}

/// Numbers as the digits of one in a large base, so that each counts.
fn all(x: f64, of: &[f64]) -> f64 {
    of.iter().fold(x, |sum, n| (sum * 31.0 + n) % 1e9)
}

#[repr(C)]
struct InOrder {
    a: u8,
    b: f64,
    c: u8,
}

#[repr(C, packed)]
struct Packed {
    a: u8,
    b: f64,
    c: u8,
}

#[repr(packed(2))]
struct PackedBy2 {
    a: u8,
    b: u32,
}

#[repr(align(16))]
struct Aligned {
    a: u8,
}

#[repr(C)]
struct Gaps {
    a: u8,
    b: u16,
    c: u32,
    d: u8,
}

struct Reordered {
    a: u8,
    b: f64,
    c: u16,
    d: u8,
}

struct Nothing;

#[repr(transparent)]
struct Wrapped(f32);

pub fn structs(x: f64) -> f64 {
    let sizes = [
        both::<InOrder>(),
        both::<Packed>(),
        both::<PackedBy2>(),
        both::<Aligned>(),
        both::<[Aligned; 3]>(),
        both::<Gaps>(),
        both::<Reordered>(),
        both::<Nothing>(),
        both::<Wrapped>(),
        both::<(u8, u64, u8)>(),
        both::<u128>(),
    ];
    all(x, &sizes)
}

#[repr(C)]
union Both {
    a: u8,
    b: [u32; 3],
}

union Wide {
    a: u64,
    b: [u8; 9],
}

pub fn unions(x: f64) -> f64 {
    all(x, &[both::<Both>(), both::<Wide>(), both::<Option<Both>>()])
}

enum Plain {
    A,
    B,
}

enum One {
    Only(u16),
}

enum Large {
    A = 1,
    B = 1000,
}

enum Negative {
    A = -1,
    B = 127,
}

enum WideRange {
    A = -1,
    B = 200,
}

enum Mixed {
    A(f64),
    B(u8),
    C,
}

enum Fields {
    A { a: u16, b: u32, c: u64 },
    B(u8, u8),
}

enum Records {
    A([u8; 5], u32),
    B((u16, u16), u32),
}

pub fn enums(x: f64) -> f64 {
    let sizes = [
        both::<Plain>(),
        both::<One>(),
        both::<Large>(),
        both::<Negative>(),
        both::<WideRange>(),
        both::<Mixed>(),
        both::<Fields>(),
        both::<Records>(),
        both::<Ordering>(),
    ];
    all(x, &sizes)
}

enum Owner {
    List(Vec<f64>),
    None,
    Other,
}

enum Flagged {
    A(bool, u32),
    B,
    C,
}

#[repr(C)]
struct Front {
    flag: bool,
    rest: u32,
}

enum BesideFlag {
    A(Front),
    B(u16),
    C(u8),
}

enum TooLarge {
    A(Front),
    B(u64),
}

pub fn enums_in_niches(x: f64) -> f64 {
    let sizes = [both::<Owner>(), both::<Flagged>(), both::<BesideFlag>(), both::<TooLarge>()];
    all(x, &sizes)
}

#[repr(u16)]
enum Tag16 {
    A,
    B,
}

#[repr(u8)]
enum Tag8 {
    A(u32),
    B { a: u8, b: u16 },
}

#[repr(C)]
enum TagC {
    A,
    B,
}

#[repr(C)]
enum TagCFields {
    A(u8),
    B(u64, u8),
}

#[repr(C, u8)]
enum TagCByte {
    A(u8),
    B(u32),
}

#[repr(i64)]
enum Tag64 {
    A,
    B,
}

pub fn fixed_tags(x: f64) -> f64 {
    let sizes = [
        both::<Tag16>(),
        both::<Tag8>(),
        both::<TagC>(),
        both::<TagCFields>(),
        both::<TagCByte>(),
        both::<Tag64>(),
        both::<Option<Tag8>>(),
        both::<Option<TagC>>(),
    ];
    all(x, &sizes)
}

pub fn options(x: f64) -> f64 {
    let sizes = [
        both::<Option<f64>>(),
        both::<Option<Box<f64>>>(),
        both::<Option<NonZeroU32>>(),
        both::<Option<NonZero<u8>>>(),
        both::<Option<bool>>(),
        both::<Option<char>>(),
        both::<Option<&str>>(),
        both::<Option<&f64>>(),
        both::<Option<String>>(),
        both::<Option<Vec<u8>>>(),
        both::<Option<[u8; 3]>>(),
        both::<Option<(u8, u32)>>(),
        both::<Option<(bool, u32)>>(),
        both::<Option<Rc<f64>>>(),
        both::<Option<Cell<bool>>>(),
        both::<Option<Range<usize>>>(),
        both::<Option<Duration>>(),
        both::<Option<Ordering>>(),
        both::<Option<()>>(),
        both::<Option<fn(f64) -> f64>>(),
        both::<Option<[bool; 2]>>(),
    ];
    all(x, &sizes)
}

pub fn nested(x: f64) -> f64 {
    let sizes = [
        both::<Option<Option<bool>>>(),
        both::<Option<Option<Option<char>>>>(),
        both::<Option<Option<u8>>>(),
        both::<Option<Option<Box<u8>>>>(),
        both::<Option<Plain>>(),
        both::<Option<Option<Mixed>>>(),
        both::<Result<u32, ()>>(),
        both::<Result<(), String>>(),
        both::<Result<f64, bool>>(),
        both::<Option<Owner>>(),
        both::<ControlFlow<f64, ()>>(),
        both::<Option<ControlFlow<bool>>>(),
    ];
    all(x, &sizes)
}

pub fn library_types(x: f64) -> f64 {
    let sizes = [
        both::<VecDeque<u8>>(),
        both::<BTreeMap<u8, u8>>(),
        both::<BTreeSet<f64>>(),
        both::<BinaryHeap<f64>>(),
        both::<LinkedList<f64>>(),
        both::<Duration>(),
        both::<RefCell<f64>>(),
        both::<RefCell<u8>>(),
        both::<RangeInclusive<u32>>(),
        both::<std::num::Wrapping<u16>>(),
        both::<std::sync::atomic::AtomicU32>(),
        both::<std::net::Ipv4Addr>(),
        both::<std::ptr::NonNull<f64>>(),
        both::<Option<std::ptr::NonNull<f64>>>(),
        both::<*const [f64]>(),
        both::<std::mem::MaybeUninit<u32>>(),
    ];
    all(x, &sizes)
}

enum Empty {}

enum Partly {
    A(u32),
    B(Empty),
}

enum PartlyWithData {
    A(u32),
    B(Empty, u64),
}

pub fn uninhabited(x: f64) -> f64 {
    let sizes = [
        both::<Empty>(),
        both::<Infallible>(),
        both::<Partly>(),
        both::<PartlyWithData>(),
        both::<Option<Empty>>(),
        both::<Result<f64, Infallible>>(),
        both::<Result<Infallible, Infallible>>(),
    ];
    all(x, &sizes)
}
