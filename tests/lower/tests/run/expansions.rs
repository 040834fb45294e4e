//! What macros expand to where they are expressions, elements of lists that `cfg` leaves out, branches that are cast, and
//! conversions of boxed slices and streams of bytes.
#![allow(semicolon_in_expressions_from_macros)]

pub enum R<T> {
    Done(T),
    Fail,
}
use R::*;
macro_rules! named { ($name:ident< $o:ty >, $submac:ident!( $($args:tt)* )) => ( fn $name( i: i64 ) -> R<$o> { $submac!(i, $($args)*) } ); }
macro_rules! delim {
    ($i:expr, $submac:ident!( $($args:tt)* ), $n:expr) => ({ match $submac!($i, $($args)*) { Fail => Fail, Done(a) => Done(a * $n) } });
    ($i:expr, $f:expr, $n:expr) => ( delim!($i, lit!($f), $n); );
}
macro_rules! lit {
    ($i:expr, $n:expr) => {
        Done($i + $n);
    };
}
named!(go<i64>, delim!(2, 3));
struct S {
    v: [i64; 3],
}
fn three(a: i64, b: i64) -> i64 {
    a * 10 + b
}
fn all(x: i64) -> Vec<i64> {
    let n = (if x > 2 { if x > 10 { 10 } else { x } } else { x as i64 }) as usize;
    let s = S {
        v: [
            1,
            #[cfg(all())]
            2,
            #[cfg(any())]
            3,
            4,
        ],
    };
    let t = three(
        #[cfg(any())]
        1,
        #[cfg(not(any()))]
        {
            7
        },
        #[cfg(all())]
        8,
    );
    let b: Box<[u16; 4]> = vec![0; 4].into_boxed_slice().try_into().unwrap();
    let v = vec![3u8, 4].into_boxed_slice().into_vec();
    let mut r: &[u8] = &[1, 2, 3, 4, 5];
    let mut two = [0; 2];
    std::io::Read::read_exact(&mut r, &mut two).unwrap();
    let mut rest = Vec::new();
    let count = std::io::Read::read_to_end(&mut r, &mut rest).unwrap();
    let is_err = std::io::Read::read_exact(&mut r, &mut two).is_err();
    let mut w = vec![5, 6];
    {
        let m: &mut [i64] = std::borrow::BorrowMut::borrow_mut(&mut w);
        m[0] = 9;
    }
    vec![
        match go(x) {
            Done(v) => v,
            Fail => -1,
        },
        n as i64,
        s.v.iter().sum(),
        t,
        b.len() as i64,
        v.len() as i64,
        two[1] as i64,
        rest[2] as i64,
        count as i64,
        is_err as i64,
        w[0],
    ]
}

pub fn expanded(x: f64) -> f64 {
    all(x as i64).iter().fold(0.0, |sum, x| sum * 0.7 + *x as f64)
}

struct Countdown(f64);

const _: () = {
    const STEP: f64 = 1.0;

    impl Countdown {
        fn doubled(&self) -> f64 {
            self.0 * 2.0
        }
    }

    impl Iterator for Countdown {
        type Item = f64;

        fn next(&mut self) -> Option<f64> {
            self.0 -= STEP;
            (self.0 > 0.0).then_some(self.0)
        }
    }

    assert!(STEP > 0.0);
};

macro_rules! on_64_bits {
    ($($any:tt)+) => { #[cfg(target_pointer_width = "64")] $($any)+ };
}

macro_rules! on_other_widths {
    ($($any:tt)+) => { #[cfg(not(target_pointer_width = "64"))] $($any)+ };
}

macro_rules! by_width {
    ($narrow:item $wide:item) => {
        on_other_widths!($narrow);
        on_64_bits!($wide);
    };
}

struct Wide(f64);

by_width!(
    const _: () = {
        impl Wide {
            fn value(&self) -> f64 {
                1.0
            }
        }
    };
    const _: () = {
        impl Wide {
            fn value(&self) -> f64 {
                self.0 * 3.0
            }
        }
    };
);

struct Scaled(f64);

macro_rules! scaled_by {
    ($factor:expr) => {
        impl Scaled {
            fn value(&self) -> f64 {
                assert_ne!($factor, 0.0);
                self.0 * $factor
            }
        }
    };
}

macro_rules! at_least {
    ($least:expr) => {
        if FACTOR < $least {
            panic!("too small");
        }
    };
}

const FACTOR: f64 = 4.0;

const _: () = {
    at_least!(1.0);
    scaled_by!(FACTOR);
    assert!(FACTOR > 0.0);
};

pub fn unnamed_constants(x: f64) -> f64 {
    let countdown = Countdown(x.min(9.0));
    countdown.doubled() + countdown.sum::<f64>() + Wide(x).value() + Scaled(x).value()
}

pub fn variables_of_the_build(x: f64) -> f64 {
    match option_env!("OVERDUB_HAS_NO_SUCH_VARIABLE") {
        Some(text) if text.is_empty() => -x,
        Some(text) => text.len() as f64,
        None => x,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    High = 5,
    Higher,
    Low = -1,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
#[repr(u8)]
enum Shape {
    Circle(f64) = 200,
    Square(f64, f64) = 7,
    Point,
}

pub fn ordered_by_discriminants(x: f64) -> f64 {
    let mut levels = [Level::High, Level::Low, Level::Higher];
    levels.sort();
    let least = f64::from(levels[0] as i32) + f64::from(u8::from(Level::High < Level::Low));
    let shapes = [Shape::Circle(x), Shape::Square(x, 1.0), Shape::Point, Shape::Circle(2.0)];
    let below = |a: usize| shapes.iter().filter(|b| shapes[a] < **b).count() as f64;
    (0..4).map(|a| below(a) * 10_f64.powi(a as i32)).sum::<f64>() + least
}

const UNIT: isize = 4;

#[derive(PartialEq, PartialOrd)]
enum Flags {
    First = UNIT * 2,
    Second,
    Third = 1 << 4 | 3,
    Letter = b'a' as isize,
    Other = Level::High as isize,
    Last = -(5 - 2),
}

pub fn computed_discriminants(x: f64) -> f64 {
    const OWN: isize = -7;
    enum Inner {
        A = OWN,
        B,
    }
    let numbers = [
        Flags::First as i32,
        Flags::Second as i32,
        Flags::Third as i32,
        Flags::Letter as i32,
        Flags::Other as i32,
        Flags::Last as i32,
        Inner::A as i32,
        Inner::B as i32,
    ];
    let below =
        f64::from(u8::from(Flags::Second < Flags::Other)) + f64::from(u8::from(Flags::Last < Flags::First));
    numbers.iter().fold(x + below, |all, number| all * 2.0 + f64::from(*number))
}

struct Parts {
    a: f64,
    #[cfg(any())]
    b: f64,
    c: f64,
}

enum Form {
    Round(f64),
    #[cfg(any())]
    Flat,
    Long {
        x: f64,
        #[cfg(any())]
        y: f64,
    },
}

fn summed(a: f64, #[cfg(any())] b: f64, c: f64) -> f64 {
    a + c
}

pub fn left_out(x: f64) -> f64 {
    let parts = Parts {
        a: x,
        #[cfg(any())]
        b: 1.0,
        c: 2.0,
    };
    let Parts {
        a,
        #[cfg(any())]
        b,
        c,
    } = parts;
    let shape = if x > 0.0 { Form::Round(x) } else { Form::Long { x } };
    let shown = match shape {
        Form::Round(r) => r,
        #[cfg(any())]
        Form::Flat => 0.0,
        Form::Long {
            x,
            #[cfg(any())]
            y,
        } => 2.0 * x,
    };
    a * c
        + shown
        + summed(
            x,
            #[cfg(any())]
            3.0,
            2.0,
        )
}

macro_rules! bytes_of_local {
    ($N:expr, $T:ty) => {{
        let columns = {
            #[repr(align(64))]
            #[derive(Clone, Copy)]
            struct Column<T, const N: usize>([T; N]);
            [Column::<$T, $N>([1; $N]); 2]
        };
        std::mem::size_of_val(&columns)
    }};
}

pub fn layouts_of_types_in_macros(x: f64) -> f64 {
    x * bytes_of_local!(3, u8) as f64 + bytes_of_local!(20, i64) as f64
}

trait Filled {
    fn filled(self) -> f64;
}

macro_rules! fill {
    ($T:ty) => {{
        let _unused = 0;
        impl Filled for $T {
            fn filled(self) -> f64 {
                self as f64 * 2.0
            }
        }
    }};
    ($T:ty, $($rest:ty),*) => {{
        fill!($T);
        fill!($($rest),*);
    }};
}

const _: () = { fill!(u16, i32) };
const _: () = fill!(u8, i64);
const _: () = {
    {
        fill!(i8);
    }
};
const _: () = {
    {}
    impl Filled for i16 {
        fn filled(self) -> f64 {
            0.25
        }
    }
};

pub struct Chosen<
    A,
    #[cfg(any())] B,
    #[cfg(all())] B = i32,
    const N: usize = 2,
> {
    a: A,
    b: [B; N],
}

impl<A, B> Chosen<A, B> {
    fn new(a: A, b: B) -> Chosen<A, B>
    where
        B: Copy,
    {
        Chosen { a, b: [b; 2] }
    }
}

pub fn impls_in_blocks_of_macros(x: f64) -> f64 {
    3_u16.filled() * x + (-1_i32).filled() + 4_u8.filled() + 5_i64.filled() + 6_i8.filled() + 1_i16.filled()
}

pub fn parameters_left_out(x: f64) -> f64 {
    let chosen: Chosen<f64> = Chosen::new(x, 7);
    chosen.a * chosen.b[1] as f64
}
