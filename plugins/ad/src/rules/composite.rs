//! Cells that live as long as a run; all other operations that hold values are structural.

use overdub_context::ops::GLOBAL;

use super::{Row, Rule};

pub(super) fn rows() -> Vec<Row> {
    let reason = "a static that changes has no derivative; pass the state as a parameter";
    vec![(&GLOBAL, Rule::Refuse(reason))]
}
