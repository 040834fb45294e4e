//! Random programs give in every cell of the matrix what the reference of the cell gives.

use overdub_context::testing::{Program, cases, programs};
use overdub_matrix::check::check;
use overdub_matrix::executor::QUICK;
use overdub_matrix::{Subject, Tally, sampled_rows};
use proptest::prelude::*;

/// Each program is run in every `STEP`-th row.
const STEP: usize = 12;

fn tally(program: &Program, from: usize) -> Tally {
    let main =
        program.funcs().iter().find(|func| func.name.as_str() == "main").expect("programs have a main");
    let subject = Subject::of_module(program.module(), main, program.args());
    let mut tally = Tally::default();
    check(
        &subject,
        &sampled_rows(from, STEP),
        &QUICK,
        0,
        |_, _| {},
        |cell, verdict| tally.add(cell, verdict),
    );
    tally
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_executor_gives_under_every_context_what_the_interpreter_gives(program in programs(), from in 0..STEP) {
        let tally = tally(&program, from);
        prop_assert!(tally.differ.is_empty(), "{}", tally.differ.join("\n"));
        prop_assert!(tally.same > 0);
    }
}
