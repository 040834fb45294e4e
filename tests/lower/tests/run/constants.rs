//! Constants in types that are computed by more than arithmetic.

const TABLE: [usize; 3] = [2, 4, 6];

const fn twice(n: usize) -> usize {
    let mut sum = 0;
    let mut i = 0;
    while i < n {
        sum += 2;
        i += 1;
    }
    sum
}

const fn greatest(of: &[usize]) -> usize {
    let (mut found, mut i) = (0, 0);
    while i < of.len() {
        if of[i] > found {
            found = of[i];
        }
        i += 1;
    }
    found
}

pub fn lengths_by_functions(x: f64) -> f64 {
    let (a, b) = ([x; twice(3)], [1u8; greatest(&TABLE) + align_of::<u32>()]);
    a.iter().sum::<f64>() + b.len() as f64
}

pub fn lengths_by_tables(x: f64) -> f64 {
    let a = [1u8; TABLE[1]];
    let b = [2u8; {
        let (mut i, mut sum) = (0, 0);
        while i < TABLE.len() {
            sum += TABLE[i];
            i += 1
        }
        sum
    }];
    x + (a.len() * 100 + b.len()) as f64
}

pub fn lengths_by_library(x: f64) -> f64 {
    let a = [1u8; (u8::MAX as usize + 1) / 32];
    let b = [0u8; "hello".len()];
    let c = [0u8; [1, 2, 3].len()];
    let d = [0u8; u32::pow(2, 3) as usize];
    let e = [0u8; i32::MAX.count_ones() as usize];
    let f = [0u8; match Some(4usize) {
        Some(n) => n,
        None => 0,
    }];
    x + (a.len() + 10 * b.len() + 100 * c.len() + 1000 * d.len() + 10_000 * e.len() + 100_000 * f.len())
        as f64
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Record {
    id: u8,
    value: f64,
    kind: u8,
}

struct Buffer {
    bytes: [u8; size_of::<Record>() * 2],
}

pub fn lengths_by_sizes(x: f64) -> f64 {
    let a = [1u8; size_of::<(u32, u32)>() - 1];
    let b = Buffer { bytes: [1; 48] };
    x + (a.len() * 100 + b.bytes.len()) as f64
}

mod own {
    pub const fn size_of<T>() -> usize {
        3
    }
}

pub fn own_function_named_size_of(x: f64) -> f64 {
    let a = [1u8; own::size_of::<u64>()];
    x + a.len() as f64
}

#[repr(u8)]
enum Bits {
    All = !0,
    High = !0 ^ 0x7f,
    Low = twice(2) as u8,
    Next,
}

enum Signed {
    All = !0,
    Zero,
    Len = "abc".len() as isize,
}

pub fn discriminants_by_operators(x: f64) -> f64 {
    let bits =
        Bits::All as i32 + 1000 * Bits::High as i32 + 1_000_000 * (Bits::Low as i32 + Bits::Next as i32);
    let signed = Signed::All as i32 + 10 * Signed::Zero as i32 + 100 * Signed::Len as i32;
    x + bits as f64 + signed as f64 * 0.001
}

struct Held<T>(T);

impl<T> Held<T> {
    const SIZE: usize = size_of::<T>();
    const NAMES: [&'static str; 2] = ["a", "bcd"];

    fn size(&self) -> usize {
        Self::SIZE * 2 + Self::NAMES[1].len()
    }
}

struct Grid<const R: usize, const C: usize>([[f64; C]; R]);

impl Grid<2, 3> {
    const LEN: usize = 2 * 3;

    fn flat(&self) -> [f64; Self::LEN] {
        let mut flat = [0.0; Self::LEN];
        for (at, to) in flat.iter_mut().enumerate() {
            *to = self.0[at / 3][at % 3];
        }
        flat
    }
}

fn nth<const N: usize>(x: f64) -> f64 {
    x * N as f64
}

pub fn constants_of_types(x: f64) -> f64 {
    let flat = Grid([[x, 1.0, 2.0], [3.0, 4.0, 5.0]]).flat();
    let sizes = Held(1u16).size() + 100 * Held([0u8; 3]).size();
    flat.iter().sum::<f64>() + sizes as f64 + nth::<{ TABLE[2] - 1 }>(x) + nth::<{ twice(2) }>(x)
}

/// A number whose limits are constants of its own type.
#[derive(Clone, Copy)]
struct Ranged<const MIN: i8, const MAX: i8>(i8);

impl<const MIN: i8, const MAX: i8> Ranged<MIN, MAX> {
    const MIN: Self = Self::of::<MIN>();
    const MAX: Self = Self::of::<MAX>();

    const fn of<const VALUE: i8>() -> Self {
        const {
            assert!(MIN <= VALUE);
            assert!(VALUE <= MAX);
        }
        Self(VALUE)
    }

    const fn get(self) -> i8 {
        self.0
    }
}

type Hours = Ranged<-25, 25>;

#[derive(Clone, Copy)]
struct Day {
    value: std::num::NonZero<i32>,
}

impl Day {
    const FIRST: Self = Self::of(-9999);

    const fn of(year: i32) -> Self {
        debug_assert!(year >= -9999);
        match std::num::NonZero::new((year << 10) | 1) {
            Some(value) => Self { value },
            None => panic!("the number is odd"),
        }
    }

    const fn year(self) -> i32 {
        self.value.get() >> 10
    }
}

struct Seconds<const MIN: i32, const MAX: i32>;

impl<const MIN: i32, const MAX: i32> Seconds<MIN, MAX> {
    fn limits(&self) -> (i32, i32) {
        (MIN, MAX)
    }
}

pub fn limits_by_constants_of_structs(x: f64) -> f64 {
    type OfADay = Seconds<{ Hours::MIN.get() as i32 * 3600 }, { Hours::MAX.get() as i32 * 3600 }>;
    let (min, max) = OfADay {}.limits();
    let (first, _) = Seconds::<{ Day::FIRST.year() }, 0> {}.limits();
    x * f64::from(max) + f64::from(min) + f64::from(first) + f64::from(Hours::of::<7>().get())
}
