//! Function values: the parts of a closure are its captures.

use overdub_context::ops::*;

use super::Row;
use super::adjoint::{PathStep, index, parts};
use super::moves::{augmented_only, moves, part};
use super::pushforward::tuple;

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&CLOSURE, moves(tuple, parts)),
        (&ERASE, augmented_only()),
        (&RECOVER, augmented_only()),
        (
            &CAPTURED,
            part(
                |cx, of| cx.same_op(&FIELD, of.args, of.dty),
                |args| Some(PathStep::Field(index(&args[1])?)),
            ),
        ),
    ]
}
