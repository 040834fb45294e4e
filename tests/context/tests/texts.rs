//! Texts, characters and their formatting are Rust's.

mod common;

use common::rust::{agrees, outcome};
use overdub_context::value::{IntoValue, Value};
use proptest::prelude::*;

macro_rules! check {
    ($($op:literal ($($x:expr),+) => $rust:expr;)*) => {
        $(agrees($op, vec![$($x.into_value()),+], || $rust);)*
    };
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[abß é\\n\\r\\t]{0,12}", any::<String>()]
}

fn owned<'s>(pieces: impl Iterator<Item = &'s str>) -> Vec<String> {
    pieces.map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn functions_of_texts_are_rusts(a in text(), part in "[abß]{0,2}", to in "[xy]{0,3}", c in any::<char>(), n in 0usize..5) {
        let (s, p, t) = (&*a, &*part, &*to);
        let own = |s: &str| s.to_owned();
        check! {
            "str.len" (own(s)) => s.len();
            "str.concat" (own(s), own(p)) => own(s) + p;
            "str.push" (own(s), c) => { let mut s = own(s); s.push(c); s };
            "str.chars" (own(s)) => s.chars().collect::<Vec<char>>();
            "str.from_chars" (s.chars().collect::<Vec<char>>()) => own(s);
            "str.bytes" (own(s)) => s.as_bytes().to_vec();
            "str.from_utf8" (s.as_bytes().to_vec()) => Some(own(s));
            "str.find" (own(s), own(p)) => s.find(p);
            "str.contains" (own(s), own(p)) => s.contains(p);
            "str.starts_with" (own(s), own(p)) => s.starts_with(p);
            "str.ends_with" (own(s), own(p)) => s.ends_with(p);
            "str.replace" (own(s), own(p), own(t)) => s.replace(p, t);
            "str.to_upper" (own(s)) => s.to_uppercase();
            "str.to_lower" (own(s)) => s.to_lowercase();
            "str.trim" (own(s)) => own(s.trim());
            "str.trim_start" (own(s)) => own(s.trim_start());
            "str.trim_end" (own(s)) => own(s.trim_end());
            "str.split" (own(s), own(p)) => owned(s.split(p));
            "str.split_whitespace" (own(s)) => owned(s.split_whitespace());
            "str.lines" (own(s)) => owned(s.lines());
            "str.repeat" (own(s), n) => s.repeat(n);
            "fmt.str_debug" (own(s)) => format!("{s:?}");
            "eq" (own(s), own(p)) => s == p;
            "lt" (own(s), own(p)) => s < p;
            "cmp" (own(s), own(p)) => s.cmp(p);
            "order" (own(s), own(p)) => s.cmp(p);
        }
    }

    #[test]
    fn slices_of_texts_are_rusts_and_so_are_their_faults(s in text(), from in 0usize..20, to in 0usize..20) {
        check! { "str.slice" (s.clone(), from, to) => s[from..to].to_owned(); }
        let long = s.repeat(60);
        check! { "str.slice" (long.clone(), from, to * 30) => long[from..to * 30].to_owned(); }
    }

    #[test]
    fn bytes_that_are_no_text_are_none(bytes in prop::collection::vec(any::<u8>(), 0..6)) {
        check! { "str.from_utf8" (bytes.clone()) => String::from_utf8(bytes).ok(); }
    }

    #[test]
    fn characters_are_rusts(c in any::<char>(), n in prop_oneof![any::<u32>(), 0xd700u32..0xe100]) {
        check! {
            "char.from_u32" (n) => char::from_u32(n);
            "char.is_alphabetic" (c) => c.is_alphabetic();
            "char.is_numeric" (c) => c.is_numeric();
            "char.is_alphanumeric" (c) => c.is_alphanumeric();
            "char.is_whitespace" (c) => c.is_whitespace();
            "char.is_uppercase" (c) => c.is_uppercase();
            "char.is_lowercase" (c) => c.is_lowercase();
            "char.to_upper" (c) => c.to_uppercase().to_string();
            "char.to_lower" (c) => c.to_lowercase().to_string();
            "fmt.char_debug" (c) => format!("{c:?}");
        }
    }

    #[test]
    fn filling_up_is_rusts(s in text(), width in 0usize..20) {
        check! {
            "fmt.pad" (s.clone(), '*', 0i64, width) => format!("{s:*<width$}");
            "fmt.pad" (s.clone(), 'ß', 1i64, width) => format!("{s:ß^width$}");
            "fmt.pad" (s.clone(), ' ', 2i64, width) => format!("{s:>width$}");
        }
    }
}

#[test]
fn a_text_that_nobody_else_holds_is_appended_to_in_place() {
    let mut text = Value::str(String::with_capacity(64));
    let address = text.as_str().expect("a text").as_ptr();
    for _ in 0..32 {
        text = common::eval("str.push", [text, Value::Char('x')]).expect("there is room");
        text = common::eval("str.concat", [text, Value::str("y")]).expect("there is room");
    }
    assert_eq!(text.as_str().expect("a text").as_ptr(), address);
}

#[test]
fn a_text_beyond_the_memory_limit_fails() {
    let long = common::eval("str.repeat", [Value::str("abc"), Value::from(1usize << 40)]);
    assert_eq!(long.map_err(|failure| failure.kind()).err(), Some(overdub_context::FailureKind::MemoryLimit));
    let text = Value::str("a".repeat(1 << 15));
    let grown = common::eval("str.replace", [text.clone(), Value::str("a"), text.clone()]);
    assert_eq!(
        grown.map_err(|failure| failure.kind()).err(),
        Some(overdub_context::FailureKind::MemoryLimit)
    );
}

#[test]
fn a_width_that_rust_refuses_is_refused_with_its_words() {
    let width = 70_000usize;
    check! { "fmt.pad" ("x".to_owned(), ' ', 0i64, width) => format!("{:width$}", "x"); }
    assert!(outcome(|| format!("{:width$}", "x")).is_err());
}
