//! Syntax that can never be lowered, and calls with arguments of wrong types, are compile errors with advice.

#[test]
fn what_cannot_be_lowered_and_wrong_types_do_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/refused/*.rs");
}
