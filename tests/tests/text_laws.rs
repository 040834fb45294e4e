//! Laws of the text form that hold for every text.
//!
//! The parser is given arbitrary characters, sequences of its own tokens, and the case files with parts
//! deleted, duplicated, exchanged and overwritten. It answers all of them: with functions whose text parses
//! to the same, or with errors located in the text.

mod changes;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use overdub_context::ir::Ty;
use overdub_context::text::{ParseErrors, Parser};
use overdub_context::value::Value;
use overdub_tests::folders;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use changes::{change, changed};

/// Every case file.
static CASES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut files = Vec::new();
    for folder in folders().expect("the folders of cases can be read") {
        let entries = fs::read_dir(root.join(folder)).expect("a folder of cases can be read");
        files.extend(entries.map(|entry| entry.expect("a case can be listed").path()));
    }
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("a case can be read")).collect()
});

/// A token of the grammar, or almost one.
fn token() -> impl Strategy<Value = String> {
    let words =
        "fn|struct|enum|const|call|overdub|br|br_if|switch|else|ret|fail|rank|shape|stack|ref|closure|opaque";
    let types = "f64|i64|u8|bool|unit|never|str|char|Option<|Ordering|Point|_";
    let names = "[%^@]([a-z]|[0-9]{1,2}|\"[ a\\\\\"]{0,3}\"|Vec<(f64|->|<){0,3}>::x)?";
    let operations = "add|sub|sin|lt|tuple|field|payload|select|get|set|array|cell|ref\\.get|nope";
    let numbers =
        "-?[0-9]{1,40}(\\.[0-9]{0,3})?(e[-+]?[0-9]{0,4})?_?(f32|u8|i128|x)?|nan(:0x[0-9a-f]{0,17})?|-?inf";
    let quoted = "\"[a \\\\nu{}0-9\"]{0,6}|'(\\\\)?[a'n]?'?";
    let marks = "[(){}\\[\\]<>,:;=!]|->|\n| |//";
    prop_oneof![
        2 => words,
        2 => types,
        3 => names,
        1 => operations,
        1 => numbers,
        1 => quoted,
        4 => marks,
    ]
}

/// Checks that the errors are located in the text and can be shown.
fn check_errors(text: &str, errors: &ParseErrors) {
    let lines = text.split('\n').count();
    assert!(errors.iter().count() > 0);
    for error in errors.iter() {
        assert!((1..=lines).contains(&(error.span.line as usize)), "{error}");
        assert!(error.to_string().lines().count() >= 4, "{error}");
    }
}

/// Checks the law for one text.
fn check(text: &str) {
    let parser = Parser::new();
    match parser.parse_unverified(text) {
        Err(errors) => check_errors(text, &errors),
        Ok(listing) => {
            let printed = listing.to_string();
            let again = parser
                .parse_unverified(&printed)
                .unwrap_or_else(|errors| panic!("what was printed does not parse:\n{errors}\nof\n{printed}"));
            assert_eq!(again.funcs, listing.funcs);
            assert_eq!(again.to_string(), printed);
        }
    }
    if let Err(errors) = parser.parse(text) {
        check_errors(text, &errors);
    }
}

fn round_trip(value: &Value<'static>) {
    let text = value.to_string();
    let again = Parser::new().parse_value(&text, value.ty()).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(again.same(value), "{value} came back as {again}");
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn arbitrary_characters_are_answered(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn a_soup_of_tokens_is_answered(tokens in vec(token(), 0..80), between in select(vec!["", " "])) {
        check(&tokens.join(between));
    }

    #[test]
    fn changed_cases_are_answered(case in any::<Index>(), changes in vec(change(token()), 1..6)) {
        check(&changed(&CASES[case.index(CASES.len())], &changes));
    }

    #[test]
    fn a_literal_of_any_characters_is_answered(text in vec(token(), 0..8).prop_map(|tokens| tokens.concat())) {
        let tys = [Ty::f64(), Ty::u8(), Ty::array(Ty::str(), 2), Ty::option(Ty::tuple([Ty::char(), Ty::unit()]))];
        for ty in tys {
            match Parser::new().parse_value(&text, ty) {
                Ok(value) => prop_assert!(value.is_a(ty)),
                Err(errors) => check_errors(&text, &errors),
            }
        }
    }

    #[test]
    fn values_come_back_to_the_bit(
        bits in any::<u64>(), half in any::<u32>(), n in any::<i128>(), text in any::<String>(), c in any::<char>(),
    ) {
        let parts = [
            Value::F64(f64::from_bits(bits)),
            Value::F32(f32::from_bits(half)),
            Value::from(n),
            Value::from(n as u128),
            Value::from(bits),
            Value::from(bits as i8),
            Value::str(text),
            Value::Char(c),
            Value::floats(vec![f64::from_bits(bits), f64::from_bits(!bits)]),
        ];
        parts.iter().for_each(round_trip);
        round_trip(&Value::tuple(parts));
    }
}
