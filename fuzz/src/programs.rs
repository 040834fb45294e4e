//! Programs: every executor gives what the interpreter gives.

use overdub_context::testing::Program;
use overdub_matrix::check::check as check_matrix;
use overdub_matrix::executor::QUICK;
use overdub_matrix::{Row, Subject, Tally, rows};

/// The law for the program that bytes select.
pub fn check(bytes: &[u8]) {
    let first_row: Vec<Row> = rows().into_iter().take(1).collect();
    check_rows(&Program::of_bytes(bytes), &first_row);
}

/// The law for a program under contexts: a panic shows the program as text, and the cells that differ.
pub(crate) fn check_rows(program: &Program, rows: &[Row]) {
    let main = program.funcs().iter().find(|func| func.name.as_str() == "main");
    let main = main.expect("a program has a main function");
    let subject = Subject::of_module(program.module(), main, program.args());
    let mut tally = Tally::default();
    check_matrix(&subject, rows, &QUICK, 0, |_, _| {}, |cell, verdict| tally.add(cell, verdict));
    assert!(tally.differ.is_empty(), "{}\nfor\n{program:?}", tally.differ.join("\n"));
}
