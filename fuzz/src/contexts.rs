//! Contexts: under a context, every executor gives what the interpreter gives.

use overdub_context::testing::Program;
use overdub_matrix::{Row, rows};

use crate::programs::check_rows;
use crate::ring::chosen;

/// The law for a row of the matrix, selected by two bytes, and a program.
pub fn check(bytes: &[u8]) {
    let [first, second, program @ ..] = bytes else { return };
    let all = rows();
    let Some(name) = chosen(&all, |row| &row.name, [*first, *second]).map(|row| row.name.clone()) else {
        return;
    };
    let is_selected = |(at, row): &(usize, Row)| *at == 0 || row.name == name;
    let selected: Vec<Row> = all.into_iter().enumerate().filter(is_selected).map(|(_, row)| row).collect();
    check_rows(&Program::of_bytes(program), &selected);
}
