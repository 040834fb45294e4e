//! What crates on the registry are written like, in the ways that were once misread here.

use std::cmp::Ordering;
use std::ops::Deref;

/// A float that orders as if NaN were the largest, which its `Deref` must not hide.
#[derive(Clone, Copy, Debug)]
struct Ordered<T>(T);

trait Comparable: Copy + PartialOrd {
    fn is_missing(self) -> bool;
}

impl Comparable for f64 {
    fn is_missing(self) -> bool {
        self.is_nan()
    }
}

impl<T> Deref for Ordered<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Comparable> PartialEq for Ordered<T> {
    fn eq(&self, other: &Self) -> bool {
        self.ge(other) && other.ge(self)
    }
}

impl<T: Comparable> Eq for Ordered<T> {}

impl<T: Comparable> PartialOrd for Ordered<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    fn lt(&self, other: &Self) -> bool {
        !self.ge(other)
    }

    fn ge(&self, other: &Self) -> bool {
        self.0.is_missing() | (self.0 >= other.0)
    }
}

impl<T: Comparable> Ord for Ordered<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.lt(other), other.lt(self)) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }
}

pub fn methods_around_a_parameter() -> String {
    let mut all: Vec<Ordered<f64>> = [3.0, f64::NAN, 1.0, 2.0].map(Ordered).to_vec();
    all.sort();
    format!("{all:?} {:?}", Ordered(f64::NAN).cmp(&Ordered(1.0)))
}

macro_rules! documented {
    ($($(#[$meta:meta])+ struct $name:ident = $value:expr;)+) => {
        $(
            $(#[$meta])+
            /// It comes from a macro.
            struct $name(f64);

            impl $name {
                fn value() -> $name {
                    $name($value)
                }
            }
        )+
    };
}

documented! {
    /// The "first".
    /// Two lines.
    struct First = 1.5;
    /** The second. */
    // No documentation.
    #[allow(dead_code)]
    struct Second = 2.0 + 0.25;
}

pub fn documentation_in_macros() -> String {
    format!("{} {}", First::value().0, Second::value().0)
}

macro_rules! with_a_function {
    ($x:expr) => {{
        let doubled = twice($x);
        #[cfg(not(target_os = "windows"))]
        fn twice(x: f64) -> f64 {
            2.0 * x
        }
        #[cfg(target_os = "windows")]
        fn twice(x: f64) -> f64 {
            x
        }
        doubled
    }};
}

pub fn functions_in_macros() -> String {
    format!("{}", with_a_function!(4.0))
}

macro_rules! should {
    ($condition:expr) => {
        assert!($condition)
    };
}

pub fn conditions_through_macros() -> String {
    let x = std::hint::black_box(2.0);
    should!(x > 3.0 && x < 4.0);
    String::new()
}

pub fn values_of_unsized_places() -> String {
    let v = [1, 2, 3, 4];
    let head: [i32; 2] = v[..2].try_into().unwrap();
    format!("{head:?} {:?}", <&[i32; 3]>::try_from(&v[1..]))
}

pub fn wrapping_and_nonzero() -> String {
    use std::num::{NonZero, NonZeroUsize, Wrapping};
    let mut w = Wrapping(3u8);
    w -= 5;
    w += Wrapping(1);
    let n: Result<NonZeroUsize, _> = 0usize.try_into();
    let m: NonZero<u32> = 7u32.try_into().unwrap();
    format!("{w} {n:?} {}", u32::from(m))
}

pub fn primitive_paths() -> String {
    let n: core::primitive::usize = 3;
    format!("{}", n as std::primitive::f64 / 2.0)
}

pub fn escapes_and_checks() -> String {
    format!("{} {:?} {:?}", "a\"b\n".escape_debug(), "añb".split_at_checked(2), "añb".split_at_checked(3))
}

pub fn debug_in_hex() -> String {
    format!("{:x?} {:X?} {:#x?} {:?}", vec![10, 255], (171u8, 1.5), Some(16), [10])
}

pub fn channels_end_with_their_senders() -> String {
    use std::sync::mpsc::{TryRecvError, channel};
    let (tx, rx) = channel();
    let workers: Vec<_> = (0..3)
        .map(|i| {
            let tx = tx.clone();
            std::thread::spawn(move || tx.send(i * i).unwrap())
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    let mut out: Vec<i32> = rx.try_iter().collect();
    out.sort_unstable();
    let open = rx.try_recv() == Err(TryRecvError::Empty);
    drop(tx);
    format!("{out:?} {open} {:?} {:?}", rx.try_recv(), rx.recv())
}

pub fn channels_run_dry() -> String {
    let (tx, rx) = std::sync::mpsc::channel();
    for x in [3, 1, 2] {
        let own = tx.clone();
        own.send(x).unwrap();
    }
    drop(tx);
    format!("{:?}", rx.iter().map(|x| x * 2).collect::<Vec<i32>>())
}

/// A bound that one impl alone fulfils says what an argument is coerced to, before it is looked at.
fn inside<R: std::ops::RangeBounds<f64>>(xs: &[f64], range: R) -> usize {
    xs.iter().filter(|x| range.contains(x)).count()
}

trait Scaled<T> {
    fn scale(&self) -> f64;
}

struct Unit;

impl Scaled<f64> for Unit {
    fn scale(&self) -> f64 {
        2.0
    }
}

fn scaled<U>(_of: &U) -> f64
where
    Unit: Scaled<U>,
{
    Unit.scale()
}

pub fn one_impl_alone() -> String {
    let (xs, whole) = ([1.0, 2.5, 4.0], [1, 2, 3]);
    let twice: &&f64 = &&xs[0];
    let few = whole.iter().filter(|n| (0..3).contains(*n)).count();
    format!("{} {} {} {few}", inside(&xs, 2.0..), inside(&xs, ..=1.0), scaled(twice))
}

#[derive(Debug, PartialEq)]
enum Fault {
    Negative(f64),
    Missing,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}!")
    }
}

impl std::error::Error for Fault {}

fn root(x: f64) -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
    match x {
        x if x > 0.0 => Ok(x.sqrt()),
        x if x < 0.0 => Err(Box::new(Fault::Negative(x))),
        _ => Err("it is zero".into()),
    }
}

pub fn errors_of_known_type() -> String {
    let seen = |x: f64| match root(x) {
        Ok(root) => format!("{root}"),
        Err(error) => match error.downcast_ref::<Fault>() {
            Some(Fault::Negative(x)) => format!("{x} is negative: {}", error.is::<Fault>()),
            Some(Fault::Missing) => "missing".to_string(),
            None => format!("{:?}", error.downcast::<Fault>().map_err(|other| other.to_string())),
        },
    };
    let boxed: Box<dyn std::error::Error> = Box::new(Fault::Missing);
    let owned: Result<Box<Fault>, _> = boxed.downcast::<Fault>();
    format!("{} {} {} {owned:?}", seen(4.0), seen(-4.0), seen(0.0))
}

pub fn initialised_once() -> String {
    use std::sync::Once;
    static GLOBAL: Once = Once::new();
    let once = Once::new();
    let mut runs = 0;
    let before = once.is_completed();
    for _ in 0..3 {
        once.call_once(|| runs += 1);
    }
    GLOBAL.call_once_force(|state| runs += if state.is_poisoned() { 100 } else { 10 });
    format!("{before} {} {runs} {once:?}", once.is_completed())
}
