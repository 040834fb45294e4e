//! Cells: augmented floats are tracked through them; to the transformations no type shows what they hold.

use overdub_context::ops::*;

use super::moves::augmented_only;
use super::{Row, each, zero};

pub(super) fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = vec![];
    // A static is a cell of the run: it begins as a constant, so what it holds depends on what the run writes to it.
    let moving = [
        &CELL,
        &GLOBAL,
        &REF_GET,
        &REF_GET_OR,
        &REF_SET,
        &REF_TAKE,
        &REF_FIELD,
        &REF_PAYLOAD,
        &REF_ELEM,
        &REF_SLICE,
        &REF_ELEMS,
    ];
    rows.extend(each(moving, augmented_only));
    let pointers = [
        &REF_SHARED,
        &REF_RELOCATED,
        &REF_RAW,
        &REF_VARIABLE,
        &REF_REBORROW,
        &REF_UNALIGNED,
        &REF_FIRST,
        &REF_OFFSET,
        &REF_RANGE,
        &REF_VIEW,
        &REF_FLAT,
        &REF_END,
        &REF_FREE,
        &REF_UNION,
        &UNION_AS,
        &UNION_GET,
        &REF_TAKE_ARRAY,
        &REF_SET_LEN,
        &REF_ALLOC,
        &REF_ALLOC_ZEROED,
        &REF_TYPED,
        &REF_DEALLOC,
        &REF_REALLOC,
        &REF_NULL,
    ];
    rows.extend(each(pointers, augmented_only));
    let without_derivative =
        [&REF_LEN, &REF_TAG, &REF_SAME, &REF_IS_NULL, &REF_DISTANCE, &REF_POSITION, &REF_OVERLAP];
    rows.extend(each(without_derivative, zero));
    rows
}
