//! Sizes and alignments of types.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::mem::{align_of, size_of, size_of_val};
use std::num::NonZeroU32;
use std::rc::Rc;
use std::sync::{Mutex, OnceLock, RwLock};
use std::time::Duration;

/// The sizes and alignments as the digits of numbers to the base 97.
macro_rules! of {
    ($($ty:ty),* $(,)?) => {{
        let mut digits = 0.0;
        $(digits = digits * 97.0 % 1e9 + size_of::<$ty>() as f64 + 0.1 * align_of::<$ty>() as f64;)*
        digits
    }};
}

enum Plain {
    A,
    B,
    C,
}

enum Numbers {
    Low = -1,
    High = 300,
}

enum Fields {
    Empty,
    Byte(u8),
    Word(u32, u8),
}

enum Boxed {
    Leaf(u32),
    Pair(Box<Boxed>, Box<Boxed>),
    List(Vec<Boxed>),
}

enum Nested {
    Inner(Fields),
    Flag(bool),
    Text(String),
    None,
}

enum Jagged {
    Small(u8, u16),
    Large([u16; 9], u64, bool),
    Char(char, u8),
}

enum Never {}

enum Either {
    Left(u64),
    Right(Never),
}

struct Mixed {
    a: u8,
    b: u32,
    c: bool,
    d: u16,
    e: (u8, u64),
}

#[repr(C)]
struct InOrder {
    a: u8,
    b: u64,
    c: u8,
}

#[repr(C, packed(2))]
struct Packed {
    a: u8,
    b: u64,
    c: u8,
}

#[repr(align(32))]
struct Aligned(u8);

#[repr(u16)]
enum Wide {
    A = 1,
    B,
}

#[repr(u8)]
enum Prefixed {
    A(u32),
    B(u8, u64),
}

#[repr(C)]
enum Tagged {
    A(u8),
    B(u64, u8),
}

union Shared {
    a: u8,
    b: [u16; 5],
}

type Maybe<T> = Option<T>;

pub fn enums(x: f64) -> f64 {
    x + of![Plain, Numbers, Fields, Boxed, Nested, Jagged, Never, Either, Wide, Prefixed, Tagged]
}

pub fn options(x: f64) -> f64 {
    let plain = of![Maybe<u8>, Maybe<u32>, Maybe<f64>, Maybe<bool>, Maybe<char>, Maybe<(u8, bool, u64)>, Maybe<[u8; 3]>];
    let unused = of![Maybe<&u8>, Maybe<Box<u8>>, Maybe<Vec<u8>>, Maybe<String>, Maybe<Rc<str>>, Maybe<NonZeroU32>];
    let twice = of![Maybe<Maybe<bool>>, Maybe<Maybe<u32>>, Maybe<Maybe<&u8>>, Maybe<Maybe<String>>, Maybe<Maybe<u8>>];
    let enums = of![Maybe<Plain>, Maybe<Fields>, Maybe<Boxed>, Maybe<Nested>, Maybe<Jagged>, Maybe<Either>, Maybe<Wide>];
    x + plain + unused * 3.0 + twice * 7.0 + enums * 11.0
}

pub fn results(x: f64) -> f64 {
    x + of![
        Result<u8, u32>,
        Result<(), String>,
        Result<Vec<u8>, Box<str>>,
        Result<u64, std::convert::Infallible>,
        Result<(), ()>,
        Result<Option<u8>, Cow<'static, str>>,
        Cow<'static, [u8]>,
        std::cmp::Ordering,
    ]
}

pub fn structs(x: f64) -> f64 {
    x + of![Mixed, InOrder, Packed, Aligned, Shared, (u8, u16, u8), [Mixed; 3], Maybe<Mixed>, Maybe<Aligned>, Maybe<InOrder>]
}

pub fn of_the_library(x: f64) -> f64 {
    let collections = of![
        Vec<u8>,
        VecDeque<u8>,
        HashMap<u8, u16>,
        HashSet<u8>,
        BTreeMap<u8, u64>,
        BTreeSet<u8>,
        BinaryHeap<u8>,
        LinkedList<u8>,
        Maybe<HashMap<u8, u8>>,
        Maybe<BTreeMap<u8, u8>>,
        Maybe<VecDeque<u8>>,
    ];
    let cells = of![Cell<u16>, RefCell<u8>, OnceCell<u32>, Maybe<Cell<bool>>, Maybe<RefCell<bool>>, OnceLock<u64>];
    let locks = of![Mutex<u8>, Mutex<u32>, Mutex<u64>, RwLock<u8>, Rc<u8>, Rc<[u8]>, std::rc::Weak<u8>];
    let others = of![Duration, Maybe<Duration>, std::ops::Range<u16>, std::ops::RangeInclusive<u32>];
    let iterators = of![std::slice::Iter<'static, u8>, std::vec::IntoIter<u8>, std::str::Chars<'static>];
    x + collections + cells * 3.0 + locks * 7.0 + others * 11.0 + iterators * 13.0
}

pub fn of_values(x: f64) -> f64 {
    let nested = [Nested::Flag(x > 0.0), Nested::None];
    x + size_of_val(&nested) as f64 + size_of_val(&nested[..1]) as f64 + size_of_val("abc") as f64
}
