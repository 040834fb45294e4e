//! What crates of the registry ask of the language and of its library, in the ways that were once refused.

use std::debug_assert as checked;

use std::collections::{BTreeSet, HashMap, HashSet, hash_map, hash_set};
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hasher};
use std::num::{NonZeroI64, NonZeroU128, NonZeroU8, Saturating, Wrapping};
use std::ops::{Add, Shr};

#[derive(Default)]
struct Summing(u64);

impl Hasher for Summing {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(31).wrapping_add(*byte as u64);
        }
    }
}

type Build = BuildHasherDefault<Summing>;

struct Held<'a> {
    all: std::iter::Copied<hash_set::Iter<'a, u32>>,
    keys: hash_map::Keys<'a, u32, f64>,
}

pub fn collections_of_another_hasher() -> String {
    let mut map: HashMap<u32, f64, Build> = HashMap::with_capacity_and_hasher(4, Build::default());
    let mut set: HashSet<u32, Build> = HashSet::with_capacity_and_hasher(4, Build::default());
    map.insert(3, 0.5);
    set.insert(7);
    let held = Held { all: set.iter().copied(), keys: map.keys() };
    let mut low = BTreeSet::from([1, 5, 9]);
    let high = low.split_off(&5);
    low.append(&mut BTreeSet::from([0, 1]));
    format!("{:?} {:?} {low:?} {high:?}", held.all.collect::<Vec<_>>(), held.keys.collect::<Vec<_>>())
}

pub fn boxes_of_slices() -> String {
    let pair: Box<[f64]> = [1.0, 2.0].into();
    let three: Box<[u8]> = Box::from(&[1_u8, 2, 3][..]);
    format!("{pair:?} {three:?} {} {}", size_of_val(&*three), size_of_val("text"))
}

pub fn numbers_with_conditions() -> String {
    let one = NonZeroI64::new(-5).unwrap();
    let small = NonZeroU8::new(0);
    let mut w = Wrapping(200_u8);
    w /= Wrapping(7);
    w |= Wrapping(64);
    w <<= 1;
    let eight = NonZeroU128::new(8).unwrap();
    let places = (eight.leading_zeros(), eight.trailing_zeros(), eight.ilog2(), eight.is_power_of_two());
    let more = (eight.checked_mul(eight), NonZeroU8::MAX.checked_add(1), NonZeroI64::MIN.unsigned_abs(), 9 % eight);
    let digits = format!("{eight:#x} {eight:b} {one:o} {:04X} {w:x} {:#b}", NonZeroU8::MAX, Saturating(5_i8));
    format!("{one} {small:?} {w} {places:?} {more:?} {digits} {} {}", Wrapping(i32::MIN) / Wrapping(-1), Wrapping(17_i8) % Wrapping(5))
}

fn halved<T>(x: &T) -> T
where
    for<'r> &'r T: Shr<usize, Output = T>,
{
    x >> 1
}

pub fn operators_of_references() -> String {
    format!("{} {}", halved(&9_u64), b'a'.eq_ignore_ascii_case(&b'A'))
}

trait Method {
    type Output;

    fn next(&mut self, x: f64) -> Self::Output;
}

trait Peek<V> {
    fn peek(&self) -> V;
}

struct Mean {
    sum: f64,
    count: f64,
}

impl Method for Mean {
    type Output = f64;

    fn next(&mut self, x: f64) -> f64 {
        self.sum += x;
        self.count += 1.0;
        self.peek()
    }
}

impl Peek<<Self as Method>::Output> for Mean {
    fn peek(&self) -> <Self as Method>::Output {
        self.sum / self.count
    }
}

pub fn arguments_of_a_trait_that_begin_with_two_angles() -> String {
    let mut mean = Mean { sum: 0.0, count: 0.0 };
    mean.next(1.0);
    format!("{}", mean.next(2.0))
}

trait Hint<S> {
    fn hint(&self) -> usize;
}

struct Last(usize);

impl<S: Debug> Hint<S> for Last {
    fn hint(&self) -> usize {
        self.0
    }
}

trait Mesh {
    type Scalar: Debug;
    type Hints: Hint<Self::Scalar>;

    fn hints(&self) -> &Self::Hints;

    fn located(&self) -> usize {
        self.hints().hint() + 1
    }
}

struct Flat(Last);

impl Mesh for Flat {
    type Scalar = f64;
    type Hints = Last;

    fn hints(&self) -> &Last {
        &self.0
    }
}

pub fn bounds_of_an_associated_type() -> String {
    Flat(Last(4)).located().to_string()
}

struct Terms(Vec<f64>);

struct Term(f64);

impl From<(f64, f64)> for Term {
    fn from((a, b): (f64, f64)) -> Term {
        Term(a * b)
    }
}

impl<I: IntoIterator<Item = impl Into<Term>>> From<I> for Terms {
    fn from(terms: I) -> Terms {
        Terms(terms.into_iter().map(|term| term.into().0).collect())
    }
}

pub fn an_unnamed_type_in_a_bound() -> String {
    format!("{:?}", Terms::from([(2.0, 3.0), (4.0, 0.5)]).0)
}

trait Power<E, M> {
    fn power(self, exponent: E, modulus: M) -> u64;
}

impl Power<u64, &u64> for &u64 {
    fn power(self, exponent: u64, modulus: &u64) -> u64 {
        (0..exponent).fold(1, |power, _| power * self % modulus)
    }
}

impl Power<&u64, &u64> for &u64 {
    fn power(self, exponent: &u64, modulus: &u64) -> u64 {
        self.power(*exponent, modulus)
    }
}

fn legendre(a: &u64, n: &u64) -> u64 {
    a.power((n - 1) / 2, &n)
}

pub fn an_argument_that_the_one_before_determines() -> String {
    legendre(&5, &11).to_string()
}

struct Owned<T> {
    elems: Vec<T>,
}

struct Elems<T> {
    rest: Vec<T>,
}

impl<T> IntoIterator for Owned<T> {
    type Item = T;
    type IntoIter = Elems<T>;

    fn into_iter(self) -> Self::IntoIter {
        Self::IntoIter { rest: self.elems }
    }
}

impl<T> Iterator for Elems<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.rest.pop()
    }
}

pub fn a_struct_by_its_associated_type() -> String {
    format!("{:?}", Owned { elems: vec![1, 2, 3] }.into_iter().collect::<Vec<_>>())
}

mod widths {
    pub struct Digest<W>(pub W);

    mod narrow {
        impl super::Digest<u8> {
            fn new(seed: u8) -> Self {
                Self(seed)
            }
        }

        pub fn digest(seed: u8) -> super::Digest<u8> {
            super::Digest::new(seed)
        }
    }

    mod wide {
        impl super::Digest<u64> {
            fn new(seed: u64) -> Self {
                Self(seed + 1)
            }
        }

        pub fn digest(seed: u64) -> super::Digest<u64> {
            super::Digest::new(seed)
        }
    }

    pub use narrow::digest as narrow;
    pub use wide::digest as wide;
}

pub fn private_items_of_one_name() -> String {
    format!("{} {}", widths::narrow(3).0, widths::wide(3).0)
}

struct Size<const N: usize>;

trait Known {
    const SIZE: usize;
}

impl Known for Size<1> {
    const SIZE: usize = 1;
}

impl Known for Size<4> {
    const SIZE: usize = 4;
}

fn side<const N: usize>(_rows: &[[f64; N]; N]) -> usize
where
    Size<N>: Known,
{
    Size::<N>::SIZE
}

pub fn a_length_that_only_the_argument_tells() -> String {
    side(&[[0.0; 4]; 4]).to_string()
}

pub fn a_macro_by_another_name() -> String {
    checked!(1 + 1 == 2, "arithmetic holds");
    "checked".to_owned()
}

fn sum<T: Copy + Add<Output = T>>(all: &[T], start: T) -> T {
    all.iter().fold(start, |sum, x| sum + *x)
}

pub fn sums() -> String {
    sum(&[Wrapping(250_u8), Wrapping(7)], Wrapping(0)).to_string()
}

mod area {
    // Private, beside an import of its name that is public, as in crates whose main function has the crate's name.
    mod area {
        pub fn area(side: f64) -> f64 {
            side * side
        }
    }

    pub use self::area::area;

    pub struct Side(pub f64);
}

pub fn a_private_module_beside_a_public_import_of_its_name() -> String {
    use area::*;
    use std::collections::Bound;
    let bounds = (Bound::Included(1), Bound::<i32>::Unbounded);
    format!("{} {bounds:?}", area(Side(3.0).0))
}

macro_rules! probe {
    ($place:ident < $len:expr, $body:expr) => {
        loop {
            if $place < $len {
                $body
                $place += 1;
            } else {
                $place = 0;
            }
        }
    };
}

pub fn a_block_of_a_macro_as_a_statement() -> String {
    let mut place = 3;
    let mut seen = Vec::new();
    probe!(place < 5, {
        if seen.len() == 4 {
            break;
        }
        seen.push(place);
    });
    format!("{seen:?}")
}

struct Refused(String);

impl From<std::collections::TryReserveError> for Refused {
    fn from(error: std::collections::TryReserveError) -> Refused {
        Refused(error.to_string())
    }
}

pub fn an_error_of_room_by_its_public_name() -> String {
    fn room(len: usize) -> Result<usize, Refused> {
        let mut all: Vec<f64> = Vec::new();
        all.try_reserve_exact(len)?;
        Ok(all.len())
    }
    let refused = room(usize::MAX).map_or_else(|refused| refused.0, |len| len.to_string());
    format!("{refused} {}", room(1).is_ok())
}
