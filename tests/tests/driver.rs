//! The driver finds the failures of a case, and blesses only what it may.

use std::path::Path;

use overdub_tests::Case;

fn failures(text: &str) -> Vec<String> {
    Case::new(Path::new("case.ir"), text).map_or_else(|error| vec![error], |case| case.failures())
}

const TWICE: &str = "test run\nfn @f(%x: f64) -> f64 {\n  %y: f64 = add %x, %x\n  ret %y\n}\n";

#[test]
fn a_claim_that_does_not_hold_is_a_failure() {
    assert_eq!(failures(&format!("{TWICE}// run: @f(1.5) == 3.0\n")), [""; 0]);
    let wrong = failures(&format!("{TWICE}// run: @f(1.5) == 4.0\n// run: @g(1.5) == 4.0\n"));
    assert_eq!(
        wrong,
        ["line 6: @f(1.5): gives `3.0`, claimed is `4.0`", "line 7: @g(1.5): there is no `@g`"]
    );
    assert_eq!(
        failures(&format!("{TWICE}// run: @f(1.5) fails \"no\"\n")),
        ["line 6: @f(1.5): gives `3.0`, claimed is a failure"]
    );
}

#[test]
fn an_error_and_its_claim_need_each_other() {
    let wrong = failures("test verify\nfn @f() -> f64 {\n  ret 1\n}\n// error: 2:1: something else\n");
    assert_eq!(wrong[0], "line 5: this error does not happen: 2:1: something else");
    assert!(wrong[1].starts_with("this error is not claimed: 3:3: the function returns"), "{wrong:?}");
    let wrong = failures(&format!("{TWICE}// error: 1:1: something\n"));
    assert_eq!(wrong, ["line 6: this error does not happen: 1:1: something"]);
}

#[test]
fn a_malformed_case_says_what_is_missing() {
    assert!(failures("fn @f() -> unit { ret () }\n")[0].starts_with("the first line is `test parse`"));
    assert!(failures("test run\n// run: @f(1)\n")[0].starts_with("line 2: a run claim is"));
}

#[test]
fn blessing_rewrites_only_what_stands_below_the_line() {
    let head = "test parse\n// why\nfn @f(%x: f64) -> f64 {\n  %y: _ = sin %x\n  ret %y\n}\n// run: @f(0.0) == 0.0\n";
    let stale = format!("{head}// ---\n// stale\n");
    let case = Case::new(Path::new("case.ir"), &stale).expect("a case");
    let failures = case.failures();
    assert!(failures[0].contains("\n  - stale\n  + fn @f(%x: f64) -> f64 {\n"), "{failures:?}");
    let blessed = case.blessed();
    let golden = "// ---\n// fn @f(%x: f64) -> f64 {\n//   %y: f64 = sin %x\n//   ret %y\n// }\n";
    assert_eq!(blessed, format!("{head}{golden}"));
    assert_eq!(Case::new(Path::new("case.ir"), &blessed).expect("a case").failures(), [""; 0]);
}
