//! Tuples, structs, enums, cells, closures and tapes: what moves values about.

use overdub_context::ops::*;

use super::{Row, Rule, each, moves};

pub(super) fn rows() -> Vec<Row> {
    let moved = each(
        [
            &TUPLE,
            &FIELD,
            &WITH_FIELD,
            &STRUCT,
            &VARIANT,
            &PAYLOAD,
            &WITH_PAYLOAD,
            &TAKE_FIELD,
            &TAKE_PAYLOAD,
            &TAKE_ELEM,
            &CELL,
            &REF_GET,
            &REF_SET,
            &REF_TAKE,
            &REF_FIELD,
            &REF_PAYLOAD,
            &REF_ELEM,
            &REF_SLICE,
            &REF_ELEMS,
            &CLOSURE,
            &ERASE,
            &RECOVER,
            &CAPTURED,
            &STACK_NEW,
            &STACK_PUSH,
            &STACK_POP,
            &STACK_PEEK,
            &SELECT,
            &DUP,
            &BLACK_BOX,
        ],
        moves,
    );
    let refused =
        [(&GLOBAL, Rule::Refuse("a static that changes has no derivative; pass the state as a parameter"))];
    moved.into_iter().chain(refused).collect()
}
