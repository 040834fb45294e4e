//! What programs ask of the library now and then.

use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};

pub fn finds_in_text() -> String {
    let s = "one, two,, three";
    let pairs: Vec<(usize, &str)> = s.match_indices(',').collect();
    let back: Vec<(usize, &str)> = s.rmatch_indices("t").collect();
    let empties: Vec<&str> = "aé".matches("").collect();
    let digits: Vec<&str> = "a1b22c".rmatches(char::is_numeric).collect();
    let last: Vec<&str> = s.rsplitn(2, ',').collect();
    let all: Vec<&str> = s.rsplitn(9, ", ").collect();
    let ended: Vec<&str> = "a;b;".rsplit_terminator(';').collect();
    let units: Vec<u16> = "a€𝄞".encode_utf16().collect();
    let mut shout = String::from("grüße");
    shout.make_ascii_uppercase();
    let places = "xéx".match_indices("").map(|(at, _)| at).collect::<Vec<_>>();
    format!(
        "{pairs:?} {back:?} {empties:?} {digits:?} {last:?} {all:?} {ended:?} {units:?} {shout} {places:?} [{}] [{}]",
        " a b ".trim_ascii(),
        "\u{a0}x\t".trim_ascii_end(),
    )
}

pub fn parts_of_slices() -> String {
    let v = [1, 0, 2, 3, 0, 4, 0];
    let inclusive: Vec<&[i32]> = v.split_inclusive(|x| *x == 0).collect();
    let back: Vec<&[i32]> = v.rsplit(|x| *x == 0).collect();
    let two: Vec<&[i32]> = v.rsplitn(2, |x| *x == 0).collect();
    let mut w = v;
    for part in w.split_mut(|x| *x == 0) {
        part.reverse();
    }
    let mut runs = [3, 3, 5, 5, 5, 1];
    for run in runs.chunk_by_mut(|a, b| a == b) {
        run[0] = 9;
    }
    let mut chunks = [1, 2, 3, 4, 5];
    for (k, chunk) in chunks.rchunks_mut(2).enumerate() {
        chunk[0] += 10 * k as i32;
    }
    let mut pair = [10, 20, 30];
    if let Ok([a, b]) = pair.get_disjoint_mut([2, 0]) {
        std::mem::swap(a, b);
    }
    let refused = format!("{:?} {:?}", pair.get_disjoint_mut([0, 3]).is_err(), pair.get_disjoint_mut([1, 1]).is_err());
    let mut keyed = [5, -7, 3, 1];
    let middle = *keyed.select_nth_unstable_by_key(1, |x: &i32| x.abs()).1;
    let bytes = b" Ab ".trim_ascii().to_ascii_lowercase();
    format!(
        "{inclusive:?} {back:?} {two:?} {w:?} {runs:?} {chunks:?} {pair:?} {refused} {middle} {bytes:?} {:?} {:?} {:?}",
        v.strip_prefix(&[1, 0]),
        v.strip_suffix(&[1]),
        v.split_first_chunk::<2>(),
    )
}

pub fn entries_and_lists() -> String {
    let mut m = BTreeMap::from([(1, "a"), (3, "c")]);
    if let Some(mut first) = m.first_entry() {
        first.insert("z");
    }
    let last = m.last_entry().map(|entry| entry.remove_entry());
    let mut h: HashMap<&str, i32> = HashMap::new();
    *h.entry("k").insert_entry(4).get_mut() += 1;
    let mut list: LinkedList<i32> = (1..4).collect();
    list.push_front(0);
    let mut tail = list.split_off(2);
    tail.push_back(9);
    list.append(&mut tail);
    for x in list.iter_mut() {
        *x *= 2;
    }
    let q: VecDeque<i32> = VecDeque::from([1, 4, 6, 9]);
    let mut some: Option<Vec<i32>> = None;
    some.get_or_insert_default().push(3);
    format!(
        "{m:?} {last:?} {h:?} {list:?} {:?} {:?} {} {:?} {:?} {some:?}",
        list.pop_back(),
        list.front(),
        list.contains(&4),
        q.binary_search(&6),
        q.partition_point(|x| *x < 5),
    )
}

pub fn rarer_numbers() -> String {
    format!(
        "{:?} {:?} {:?} {} {} {} {:?} {:?}",
        i8::MIN.overflowing_div(-1),
        i8::MIN.overflowing_rem(-1),
        7u8.overflowing_div(2),
        1u8.unbounded_shl(9),
        (-5i32).unbounded_shr(40),
        200u8.unbounded_shr(3),
        250u8.checked_next_multiple_of(7),
        20u8.checked_next_multiple_of(7),
    )
}

pub fn inclusive_slices() -> String {
    let v = [1, 2, 3];
    let (a, b) = (1, 2);
    format!("{:?} {:?} {:?}", &v[a..=b], &v[..=1], &v[1..=0])
}

pub fn slices_behind_inclusively() -> String {
    let (v, last) = ([1, 2, 3], 5);
    format!("{:?}", &v[0..=last])
}

pub fn slices_to_the_largest() -> String {
    let (v, last) = ([1, 2, 3], usize::MAX);
    format!("{:?}", &v[0..=last])
}

pub fn slices_from_behind_inclusively() -> String {
    let (v, first) = (vec![1, 2, 3], 7);
    format!("{:?}", &v[first..=9])
}

/// Shifts by a type parameter, and by references to it.
fn shifts<T, B: Copy>(x: T, by: B) -> [T; 8]
where
    T: Copy + std::ops::Shl<B, Output = T> + std::ops::Shr<B, Output = T>,
    T: std::ops::ShlAssign<B> + std::ops::ShrAssign<B>,
    for<'a> T: std::ops::Shl<&'a B, Output = T> + std::ops::ShrAssign<&'a B>,
    for<'a> &'a T: std::ops::Shl<B, Output = T> + std::ops::Shr<&'a B, Output = T>,
{
    let (mut a, mut b, mut c) = (x, x, x);
    a <<= by;
    b >>= by;
    c >>= &by;
    [x << by, x >> by, a, b, x << &by, c, &x << by, &x >> &by]
}

pub fn shifts_by_every_integer() -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        shifts(64i32, 1u8),
        shifts(-77i8, 3i64),
        shifts(u64::MAX, 63i128),
        shifts(1000u128, 5i8),
        shifts(9u16, 2u64),
        shifts(5isize, 1u16),
        shifts(6usize, 1isize),
        shifts(200u8, 1u128),
    )
}

pub fn shifts_too_far() -> String {
    format!("{:?}", shifts(1u16, 16u8))
}

pub fn shifts_by_less_than_nothing() -> String {
    format!("{:?}", shifts(1i64, -1i8))
}

pub fn atomics_from_constants() -> String {
    use std::sync::atomic::{ATOMIC_BOOL_INIT, ATOMIC_USIZE_INIT, AtomicBool, AtomicUsize, Ordering};
    static COUNT: AtomicUsize = ATOMIC_USIZE_INIT;
    static OTHER: core::sync::atomic::AtomicIsize = core::sync::atomic::ATOMIC_ISIZE_INIT;
    static FLAG: AtomicBool = ATOMIC_BOOL_INIT;
    COUNT.store(3, Ordering::SeqCst);
    let local = ATOMIC_USIZE_INIT;
    local.fetch_add(2, Ordering::Relaxed);
    let counts = (COUNT.swap(0, Ordering::SeqCst), local.into_inner(), OTHER.load(Ordering::SeqCst));
    format!("{counts:?} {}", FLAG.load(Ordering::SeqCst))
}

pub fn the_version_of_unicode() -> String {
    format!("{:?} {:?}", char::UNICODE_VERSION, std::char::MAX)
}

pub fn threads_have_numbers() -> String {
    use std::thread::{current, scope, spawn};
    let own = current().id();
    let other = spawn(|| current().id()).join().unwrap();
    let inner = scope(|scope| scope.spawn(|| (current().id(), spawn(|| current().id()).join().unwrap())).join().unwrap());
    format!("{} {} {} {}", own == current().id(), own == other, other == inner.0, inner.0 == inner.1)
}

pub fn texts_of_c() -> String {
    use std::ffi::CString;
    let text = CString::new("a\"\u{e9}").unwrap();
    let odd = CString::new(vec![b'q', 0xff, b'\n', 0xc3, 0xa9, 0x7f]).unwrap();
    let broken = CString::new(vec![1, 0, 2]).unwrap_err();
    let bytes = [text.as_bytes(), text.to_bytes_with_nul(), text.as_c_str().to_bytes()].concat();
    let (position, shown) = (broken.nul_position(), broken.to_string());
    format!("{text:?} {odd:?} {:?} {bytes:?} {:?} {position} {shown} {:?} {:?}", odd.to_str(), text.to_str(), broken.into_vec(), text.clone().into_string())
}
