//! Loops over all lanes, which the compiler turns into SIMD instructions.

use std::ops::{Index, IndexMut};

use overdub_passes::fast_math::functions;

use crate::program::{Binary, Compared, Logic, Relation, Unary};

/// The number of lanes: a mask is a word.
pub(crate) const LANES: usize = 64;

/// A register: a word for each lane. It is aligned, since SIMD loads across the lines of the cache take twice as long.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Lane(pub(crate) [u64; LANES]);

impl Lane {
    /// The same word for all lanes.
    pub(crate) fn of(word: u64) -> Lane {
        Lane([word; LANES])
    }
}

impl Index<usize> for Lane {
    type Output = u64;

    #[inline(always)]
    fn index(&self, lane: usize) -> &u64 {
        &self.0[lane]
    }
}

impl IndexMut<usize> for Lane {
    #[inline(always)]
    fn index_mut(&mut self, lane: usize) -> &mut u64 {
        &mut self.0[lane]
    }
}

// Macros and no closures, which need not be compiled for the instruction set of who calls them.

/// Writes a word of each lane, or of those in a spread mask: both words are computed, so that no branch is in the loop.
macro_rules! write {
    ($d:expr, $mask:expr, |$i:ident| $word:expr) => {
        match $mask {
            None => {
                for $i in 0..LANES {
                    $d[$i] = $word;
                }
            }
            Some(mask) => {
                for $i in 0..LANES {
                    let word: u64 = $word;
                    $d[$i] = $d[$i] & !mask[$i] | word & mask[$i];
                }
            }
        }
    };
}

/// The mask of the lanes for which a condition holds.
macro_rules! lanes_with {
    (|$i:ident| $holds:expr) => {{
        let mut mask = 0;
        for $i in 0..LANES {
            mask |= u64::from($holds) << $i;
        }
        mask
    }};
}

// After the macros, which they use.
mod elementary;
mod integers;

pub(crate) use integers::{checked, checked_words, divided, wrap, wrapping};

/// Calls `f` for each lane of a mask.
#[inline(always)]
pub(crate) fn for_each(mut mask: u64, mut f: impl FnMut(usize)) {
    while mask != 0 {
        f(mask.trailing_zeros() as usize);
        mask &= mask - 1;
    }
}

#[inline(always)]
fn float(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(always)]
fn signed(bits: u64) -> i64 {
    bits as i64
}

#[inline(always)]
fn unsigned(bits: u64) -> u64 {
    bits
}

/// The bits of a mask as words 0 and 1.
#[inline(always)]
pub(crate) fn bits(d: &mut Lane, bits: u64, mask: Option<&Lane>) {
    write!(d, mask, |i| bits >> i & 1);
}

/// Adds to the words, modulo 2^64.
#[inline(always)]
pub(crate) fn count(d: &mut Lane, by: u64, mask: Option<&Lane>) {
    write!(d, mask, |i| d[i].wrapping_add(by));
}

/// A mask with all bits of a word for each lane that is in it.
#[inline(always)]
pub(crate) fn spread(mask: u64, to: &mut Lane) {
    for i in 0..LANES {
        to[i] = (mask >> i & 1).wrapping_neg();
    }
}

#[inline(always)]
pub(crate) fn copy(d: &mut Lane, a: &Lane, mask: Option<&Lane>) {
    write!(d, mask, |i| a[i]);
}

#[inline(always)]
pub(crate) fn unary(op: Unary, d: &mut Lane, a: &Lane, mask: Option<&Lane>) {
    match op {
        Unary::Neg => write!(d, mask, |i| (-float(a[i])).to_bits()),
        Unary::Abs => write!(d, mask, |i| float(a[i]).abs().to_bits()),
        Unary::Sqrt => write!(d, mask, |i| float(a[i]).sqrt().to_bits()),
        Unary::FromSigned => write!(d, mask, |i| (a[i] as i64 as f64).to_bits()),
        Unary::FromUnsigned => write!(d, mask, |i| (a[i] as f64).to_bits()),
        Unary::Exp => write!(d, mask, |i| functions::exp(float(a[i])).to_bits()),
        Unary::Ln => write!(d, mask, |i| functions::ln(float(a[i])).to_bits()),
        Unary::Tanh => write!(d, mask, |i| functions::tanh(float(a[i])).to_bits()),
        Unary::Sin => {
            write!(d, mask, |i| functions::sin_near(float(a[i])).to_bits());
            elementary::far(d, a, mask, functions::sin);
        }
        Unary::Cos => {
            write!(d, mask, |i| functions::cos_near(float(a[i])).to_bits());
            elementary::far(d, a, mask, functions::cos);
        }
    }
}

#[inline(always)]
pub(crate) fn binary(op: Binary, d: &mut Lane, a: &Lane, b: &Lane, mask: Option<&Lane>) {
    match op {
        Binary::Add => write!(d, mask, |i| (float(a[i]) + float(b[i])).to_bits()),
        Binary::Sub => write!(d, mask, |i| (float(a[i]) - float(b[i])).to_bits()),
        Binary::Mul => write!(d, mask, |i| (float(a[i]) * float(b[i])).to_bits()),
        Binary::Div => write!(d, mask, |i| (float(a[i]) / float(b[i])).to_bits()),
        Binary::MulZero => write!(d, mask, |i| {
            let (x, y) = (float(a[i]), float(b[i]));
            let product = x * y;
            if product.is_nan() && (x == 0.0 || y == 0.0) { 0 } else { product.to_bits() }
        }),
        Binary::Powf => elementary::powf(d, a, b, mask),
        Binary::And => write!(d, mask, |i| a[i] & b[i]),
        Binary::Or => write!(d, mask, |i| a[i] | b[i]),
        Binary::Xor => write!(d, mask, |i| a[i] ^ b[i]),
    }
}

#[inline(always)]
pub(crate) fn compare(relation: Relation, of: Compared, a: &Lane, b: &Lane) -> u64 {
    macro_rules! by {
        ($of:expr) => {
            match relation {
                Relation::Eq => lanes_with!(|i| $of(a[i]) == $of(b[i])),
                Relation::Ne => lanes_with!(|i| $of(a[i]) != $of(b[i])),
                Relation::Lt => lanes_with!(|i| $of(a[i]) < $of(b[i])),
                Relation::Le => lanes_with!(|i| $of(a[i]) <= $of(b[i])),
                Relation::Gt => lanes_with!(|i| $of(a[i]) > $of(b[i])),
                Relation::Ge => lanes_with!(|i| $of(a[i]) >= $of(b[i])),
            }
        };
    }
    match of {
        Compared::Floats => by!(float),
        Compared::Signed => by!(signed),
        Compared::Unsigned => by!(unsigned),
    }
}

/// The mask of the lanes whose word is this one.
#[inline(always)]
pub(crate) fn equal_to(a: &Lane, word: u64) -> u64 {
    lanes_with!(|i| a[i] == word)
}

#[inline(always)]
pub(crate) fn logic(op: Logic, a: u64, b: u64) -> u64 {
    match op {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
        Logic::Not => !a,
    }
}

/// One word or the other, by a condition for each lane.
#[inline(always)]
pub(crate) fn select(d: &mut Lane, on: u64, a: &Lane, b: &Lane, mask: Option<&Lane>) {
    write!(d, mask, |i| if on & (1 << i) == 0 { b[i] } else { a[i] });
}
