//! Places that are written once (`once_cell`) and searches of bytes (`memchr`), by the crates themselves.

use std::fmt::Write;
use std::num::NonZeroUsize;

use memchr::memmem::{self, Finder, FinderRev};
use once_cell::race::{OnceBool, OnceBox, OnceNonZeroUsize};
use once_cell::{sync, unsync};

static TABLE: sync::Lazy<Vec<f64>> = sync::Lazy::new(|| (0..5).map(|k| f64::from(k).sqrt()).collect());
static NAME: sync::OnceCell<String> = sync::OnceCell::new();

pub fn written_once() -> String {
    let mut out = String::new();
    let cell = sync::OnceCell::new();
    write!(out, "{cell:?} {:?} ", cell.get()).unwrap();
    let failed: Result<&i32, &str> = cell.get_or_try_init(|| Err("no"));
    write!(out, "{failed:?} {} {} ", cell.get_or_init(|| 3), cell.get_or_init(|| 4)).unwrap();
    write!(out, "{cell:?} {:?} {:?} ", cell.set(5), cell.try_insert(6)).unwrap();
    let mut copy = cell.clone();
    *copy.get_mut().unwrap() += 1;
    write!(out, "{} {:?} {copy:?} {:?} ", copy == cell, copy.take(), cell.into_inner()).unwrap();
    let name = NAME.get_or_init(|| "a name".to_owned());
    write!(out, "{name} {} {:?}", TABLE[4], unsync::OnceCell::from(2)).unwrap();
    out
}

pub fn computed_on_first_use() -> String {
    let mut out = String::new();
    let mut lazy = unsync::Lazy::new(|| vec![1, 2]);
    write!(out, "{lazy:?} {:?} ", unsync::Lazy::get(&lazy)).unwrap();
    lazy.push(3);
    write!(out, "{lazy:?} {} ", lazy.len()).unwrap();
    write!(out, "{:?} ", unsync::Lazy::into_value(lazy).ok()).unwrap();
    let unused = sync::Lazy::<i32, _>::new(|| 7);
    write!(out, "{} ", sync::Lazy::into_value(unused).err().map(|f| f()).unwrap()).unwrap();
    write!(out, "{} ", *sync::Lazy::<String>::default()).unwrap();
    let (number, flag, boxed) = (OnceNonZeroUsize::new(), OnceBool::new(), OnceBox::new());
    write!(out, "{:?} {} ", number.get(), number.get_or_init(|| NonZeroUsize::MIN)).unwrap();
    write!(out, "{:?} {} {:?} ", flag.set(true), flag.get_or_init(|| false), flag.set(false)).unwrap();
    write!(out, "{} {:?}", boxed.get_or_init(|| Box::new(2.5)), boxed.set(Box::new(1.0))).unwrap();
    out
}

pub fn one_initialises_the_other() -> String {
    let cell = unsync::OnceCell::new();
    let n: &i32 = cell.get_or_init(|| *cell.get_or_init(|| 1) + 1);
    n.to_string()
}

pub fn bytes_found() -> String {
    let text = b"a man, a plan, a canal: panama";
    let mut out = String::new();
    for byte in *b"am:z" {
        let all: Vec<usize> = memchr::memchr_iter(byte, text).collect();
        write!(out, "{:?} {:?} {all:?} ", memchr::memchr(byte, text), memchr::memrchr(byte, text)).unwrap();
    }
    let mut both = memchr::memchr2_iter(b',', b':', text);
    write!(out, "{:?} {:?} {:?} {:?} ", both.next(), both.next_back(), both.size_hint().0, both.next()).unwrap();
    write!(out, "{:?} {:?} ", both.next_back(), memchr::memrchr2_iter(b'l', b'c', text).last()).unwrap();
    let three = memchr::memchr3_iter(b'l', b'c', b'p', text).rev().count();
    write!(out, "{three} {:?} ", memchr::memrchr3(b'x', b'y', b'c', text)).unwrap();
    write!(out, "{:?} {}", memchr::memchr(0, b""), memchr::arch::all::is_prefix(text, b"a man")).unwrap();
    out
}

pub fn sequences_found() -> String {
    let mut out = String::new();
    let texts = ["abracadabra", "aaaaaa", "", "aabaaabaaab"];
    for text in texts {
        for needle in ["a", "abra", "aa", "aaab", "", "xyz", "abracadabra!"] {
            let finder = Finder::new(needle);
            let all: Vec<usize> = memmem::find_iter(text.as_bytes(), needle).collect();
            let back: Vec<usize> = memmem::rfind_iter(text.as_bytes(), needle).collect();
            let last = FinderRev::new(needle).into_owned().rfind(text);
            write!(out, "{:?} {last:?} {all:?} {back:?}, ", finder.find(text.as_bytes())).unwrap();
            let mut rest = finder.find_iter(text.as_bytes());
            write!(out, "{:?} {:?} {:?}; ", rest.size_hint(), rest.next(), rest.size_hint()).unwrap();
        }
    }
    out
}
