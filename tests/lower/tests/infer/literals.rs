//! The widths of literals follow from their use, and fall back last.

fn fallbacks() -> f64 {
    let i = 1; // i: i32
    let x = 1.5; // x: f64
    let c = 'a'; // c: char
    let s = "text"; // s: &str
    let b = b"ab"; // b: &[u8; 2]
    if c == 'b' || s.len() + b.len() > i as usize { x } else { 0.0 }
}

fn by_use(n: usize, m: i64, y: f32) -> f32 {
    let k = 3; // k: usize
    let l = 4; // l: i64
    let z = 2.5; // z: f32
    let mut total = 0; // total: i64
    total += m * l;
    let a = [0.0; 4]; // a: [f32; 4]
    let first = a[k % n]; // first: f32
    first + z * y + total as f32
}

fn by_suffix() -> u64 {
    let a = 1u8; // a: u8
    let b = 2f64; // b: f64
    let c = 3_u64; // c: u64
    let d = 0xff; // d: u64
    c + d + a as u64 + b as u64
}

fn shifts(x: u32) -> u32 {
    let s = 3; // s: i32
    x << s
}

fn casts(x: f64) -> usize {
    let n = x as usize; // n: usize
    let m = -1 as i32; // m: i32
    let big = 1 << 40u64; // big: i64
    let wide: i64 = big;
    n + m as usize + wide as usize
}

fn tuples() -> (u8, f32) {
    let pair = (1, 2.0); // pair: (u8, f32)
    pair
}

fn arrays(i: usize) -> u16 {
    let table = [1, 2, 3]; // table: [u16; 3]
    let grid = [[0; 2]; 3]; // grid: [[u8; 2]; 3]
    let one: u8 = grid[0][1];
    table[i] + one as u16
}

fn negated() -> i8 {
    let x = -5; // x: i8
    let y = !0; // y: i8
    x + y
}

fn compared(n: u64) -> bool {
    let limit = 10; // limit: u64
    n < limit && limit != 0
}

fn in_range(n: usize) -> usize {
    let mut sum = 0; // sum: usize
    for i in 0..n { // i: usize
        sum += i;
    }
    for j in 0..3 { // j: i32
        if j == 1 {
            sum += 1;
        }
    }
    sum
}

fn horner<T: Copy + std::ops::Mul<Output = T>>(xs: &[T], x: T) -> T {
    xs[0] * x
}

fn behind_casts() -> f64 {
    let n = horner(&[1_i64, 2], 4) as f64; // n: f64
    let m = (3 * 4) as f64; // m: f64
    n + m
}

trait Magnitude {
    fn abs(&self) -> Self;
}

impl Magnitude for i8 {
    fn abs(&self) -> i8 {
        if *self < 0 { -*self } else { *self }
    }
}

impl Magnitude for i64 {
    fn abs(&self) -> i64 {
        if *self < 0 { -*self } else { *self }
    }
}

fn of_a_literal(shift: u32) -> i8 {
    let small = 1; // small: i8
    return (small << shift).abs();
}
