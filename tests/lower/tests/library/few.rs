//! Vectors of a capacity in their type (`arrayvec`), vectors of a few elements (`smallvec`), tables (`hashbrown`) and values as
//! bytes (`zerocopy`), by the crates themselves; names of types.

use std::fmt::Write;

use arrayvec::{ArrayString, ArrayVec};
use smallvec::{SmallVec, ToSmallVec, smallvec};

fn stacked(x: f64) -> f64 {
    let mut v: ArrayVec<f64, 4> = ArrayVec::new();
    v.push(x);
    v.push(x * x);
    v.insert(1, 2.0);
    let full = v.try_push(1.0).is_ok() && v.try_push(1.0).is_err() && v.is_full();
    for y in &mut v {
        *y += 1.0;
    }
    let s: f64 = v.iter().zip(v.windows(2)).map(|(a, w)| a * w[1]).sum();
    let popped = v.pop_at(0).unwrap() * v.remove(0) + v.swap_pop(7).unwrap_or(0.5);
    v.retain(|y| *y > 1.0);
    v.sort_by(|a, b| b.total_cmp(a));
    let w: ArrayVec<f64, 8> = v.iter().map(|y| y / 2.0).chain([x]).collect();
    let [first, .., last] = w.as_slice() else { return 0.0 };
    let flag = if full { 10.0 } else { 0.0 };
    s + popped + first * last + w.len() as f64 + flag + v.drain(..1).sum::<f64>() + v[0]
}

pub fn capped() -> String {
    let a = ArrayVec::from([0.5, 2.0]);
    let b: ArrayVec<f64, 2> = [0.5, 2.0].iter().copied().collect();
    let mut c: ArrayVec<u8, 1> = ArrayVec::default();
    c.push(1);
    let full = (c.try_push(2), c.try_push(3).unwrap_err().element(), c.remaining_capacity());
    let sliced = ArrayVec::<u8, 2>::try_from(&[1, 2, 3][..]).map_err(|e| e.to_string());
    let stacks = [0.5, -1.25, 3.0].map(stacked);
    format!("{a:?} {} {full:?} {sliced:?} {:?} {:?} {stacks:?}", a == b, a.clone().into_inner(), c.take())
}

pub fn capped_texts() -> String {
    let mut a = ArrayString::<8>::new();
    a.push('é');
    a.push_str("abc");
    write!(a, "{}", 12).unwrap();
    let full = (a.try_push('ü').is_err(), a.try_push_str("xyz").unwrap_err().element(), a.remaining_capacity());
    let written = write!(a, "xyz").is_err();
    let mut b = a;
    b.truncate(4);
    let (last, first) = (b.pop(), b.remove(0));
    let parsed: Result<ArrayString<2>, _> = "long".parse();
    let ended = ArrayString::<4>::from("ab").map(|c| c > ArrayString::from("aa").unwrap());
    format!("{a} {full:?} {written} {b:?} {last:?} {first} {parsed:?} {ended:?} {} {}", a.len(), &a[2..] == "abc12")
}

fn small(x: f64) -> f64 {
    let mut v: SmallVec<[f64; 2]> = smallvec![x, 2.0 * x];
    v.push(x.abs());
    v.extend([1.0, 2.0].iter().map(|y| y * x));
    v.insert_from_slice(1, &[x, 3.0]);
    let w: SmallVec<[f64; 4]> = smallvec![x; 3];
    let z = SmallVec::<[f64; 3]>::from_slice(&v[..3]);
    v.dedup_by(|a, b| (*a - *b).abs() < 1e-12);
    let m = v.iter().cloned().fold(f64::MIN, f64::max);
    let t: f64 = w.into_iter().zip(&v).map(|(a, b)| a * b).sum();
    m + t + z.iter().product::<f64>() + z.into_inner().map(|a| a[2]).unwrap_or(0.0) + v.into_vec().len() as f64
}

pub fn few() -> String {
    let mut a: SmallVec<[i32; 2]> = SmallVec::from_buf([1, 2]);
    let mut b: SmallVec<[i32; 3]> = (3..6).collect();
    a.append(&mut b);
    a.insert(1, 7);
    let kept = a.remove(0) + a.swap_remove(1);
    a.retain(|n| *n != 4);
    let (inner, spilled) = (a.clone().into_inner(), SmallVec::<[i32; 2]>::from_elem(9, 2).into_inner());
    format!("{a:?} {b:?} {kept} {inner:?} {spilled:?} {:?}", [0.5, -1.25, 3.0].map(small))
}

pub fn spilled() -> String {
    let mut out = String::new();
    let mut v: SmallVec<[f64; 3]> = SmallVec::new();
    for k in 0..14 {
        v.push(k as f64);
        write!(out, "{} {} ", v.spilled(), v.capacity()).unwrap();
    }
    v.truncate(2);
    write!(out, "{} {}, ", v.spilled(), v.capacity()).unwrap();
    v.shrink_to_fit();
    write!(out, "{} {}, ", v.spilled(), v.capacity()).unwrap();
    v.insert_many(1, [7.0, 8.0, 9.0]);
    write!(out, "{v:?} {}, ", v.capacity()).unwrap();
    v.extend((0..20).map(f64::from).filter(|x| x % 2.0 == 0.0));
    v.insert_from_slice(3, &[0.5; 9]);
    v.reserve_exact(40);
    write!(out, "{} {}, ", v.len(), v.capacity()).unwrap();
    let copy = v[..7].iter().copied().collect::<SmallVec<[f64; 3]>>();
    let clone = copy.clone();
    let few = SmallVec::<[f64; 3]>::from_elem(1.0, 3);
    let made = SmallVec::<[f64; 3]>::from_vec(Vec::with_capacity(9));
    write!(out, "{} {} {} {}", copy.capacity(), clone.capacity(), few.capacity(), made.capacity()).unwrap();
    let room = SmallVec::<[u8; 2]>::with_capacity(5);
    let mut grown: SmallVec<[u8; 2]> = smallvec![1, 2];
    grown.resize(4, 0);
    let mut small: SmallVec<[u8; 4]> = smallvec![1];
    small.append(&mut grown);
    let unspilled = SmallVec::<[u8; 4]>::from_buf([1; 4]).into_inner().is_ok();
    write!(out, " {} {} {} {unspilled}", room.spilled(), small.capacity(), grown.capacity()).unwrap();
    let mut copied: SmallVec<[u8; 2]> = [1, 2, 3][..].to_smallvec();
    let reserved = copied.try_reserve(4).is_ok() && copied.try_grow(9).is_ok();
    write!(out, " {copied:?} {reserved} {}", copied.capacity()).unwrap();
    out
}

pub fn pushes_beyond_the_capacity() -> String {
    let mut v: ArrayVec<f64, 1> = ArrayVec::new();
    v.push(1.0);
    v.push(2.0);
    format!("{v:?}")
}

pub fn removes_beyond_the_length() -> String {
    let mut v: ArrayVec<f64, 3> = [1.0, 2.0].into_iter().collect();
    v.remove(2).to_string()
}

pub fn collects_beyond_the_capacity() -> String {
    let v: ArrayVec<f64, 1> = [1.0, 2.0].into_iter().collect();
    format!("{v:?}")
}

pub fn buckets() -> String {
    use hashbrown::HashTable;
    let hash = |n: &i64| (*n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut table = HashTable::new();
    for n in 0..5 {
        table.insert_unique(hash(&n), n, hash);
    }
    let at = table.find_bucket_index(hash(&3), |n| *n == 3).unwrap();
    *table.get_bucket_mut(at).unwrap() = 3 + 0;
    let same = table.find_entry(hash(&3), |n| *n == 3).is_ok_and(|entry| entry.bucket_index() == at);
    let got = table.get_bucket(at).copied();
    let removed = table.get_bucket_entry(at).ok().map(|entry| entry.remove().0);
    let gone = table.find_bucket_index(hash(&3), |n| *n == 3);
    format!("{same} {got:?} {removed:?} {gone:?} {}", table.len())
}

pub fn disjoint_buckets() -> String {
    use hashbrown::HashTable;
    let hash = |n: &i64| (*n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut table = HashTable::new();
    for n in [2, 4, 6] {
        table.insert_unique(hash(&n), n, hash);
    }
    let wanted = [4, 6, 7];
    let found = table.get_disjoint_mut(wanted.map(|n| hash(&n)), |at, n| *n == wanted[at]);
    let shown = format!("{found:?}");
    let [Some(four), Some(six), None] = found else { return shown };
    *four += 100;
    *six -= *four;
    let sum: i64 = table.iter().sum();
    format!("{shown} {sum}")
}

pub fn values_as_bytes() -> String {
    use zerocopy::{FromBytes, IntoBytes};
    let words = [1_u32, 0x0203_0405, 7];
    let bytes = words[..].as_bytes();
    let (first, rest) = u32::read_from_prefix(&bytes[4..]).unwrap();
    let (before, last) = u16::read_from_suffix(bytes).unwrap();
    let mut copy = [0_u8; 12];
    words.write_to(&mut copy[..]).unwrap();
    let all = <[u32]>::ref_from_bytes(bytes).map(|words| words.to_vec()).ok();
    let short = [u32::read_from_bytes(&bytes[..3]).is_err(), 1_u64.write_to(&mut copy[..4]).is_err()];
    copy[1] = 9;
    let halves: [u16; 2] = zerocopy::transmute!(words[1]);
    let changed = u64::read_from_bytes(&copy[..8]).unwrap();
    format!("{bytes:?} {first} {} {} {last} {all:?} {short:?} {halves:?} {changed}", rest.len(), before.len())
}

pub fn names_of_types() -> String {
    use std::any::type_name;
    use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
    [
        type_name::<(f64, &str, [i32; 3], (u8,))>(),
        type_name::<Option<Vec<String>>>(),
        type_name::<Result<(), Box<dyn Fn(f64, [u8; 2]) -> bool>>>(),
        type_name::<HashMap<u8, HashSet<f32>>>(),
        type_name::<BTreeMap<char, VecDeque<usize>>>(),
        type_name::<std::rc::Rc<std::cell::RefCell<std::marker::PhantomData<i8>>>>(),
        type_name::<dyn Iterator<Item = std::ops::Range<u64>>>(),
        type_name::<fn(*const u8, *mut f64) -> std::cmp::Ordering>(),
        type_name::<std::slice::Iter<'static, std::time::Duration>>(),
    ]
    .join(" ")
}
