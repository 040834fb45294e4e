//! Arrays: what moves their elements about.

use overdub_context::ops::*;

use super::{Row, each, moves};
use crate::sorted::SCATTER;

pub(super) fn rows() -> Vec<Row> {
    each(
        [
            &ARRAY,
            &REPEAT,
            &GET,
            &GET_UNCHECKED,
            &GET_CHECKED,
            &SLICE,
            &CONCAT,
            &SET,
            &SET_UNCHECKED,
            &SET_SLICE,
            &PUSH,
            &POP,
            &INSERT,
            &REMOVE,
            &SWAP_REMOVE,
            &TRUNCATE,
            &RESIZE,
            &WITH_ROOM,
            &SWAP,
            &REVERSE,
            &ARRAY_ROTATE_LEFT,
            &ARRAY_ROTATE_RIGHT,
            &FILL,
            &COPY_WITHIN,
            &SORT_BY,
            &SORT_ORDER,
            &GATHER,
            &SCATTER,
        ],
        moves,
    )
}
