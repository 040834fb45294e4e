//! Cells: augmented floats are tracked through them; to the transformations no type shows what they hold.

use overdub_context::ops::*;

use super::moves::augmented_only;
use super::{Row, Rule, each, zero};

pub(super) fn rows() -> Vec<Row> {
    let reason = "a static that changes has no derivative; pass the state as a parameter";
    let mut rows: Vec<Row> = vec![(&GLOBAL, Rule::Refuse(reason))];
    let moving =
        [&CELL, &REF_GET, &REF_SET, &REF_TAKE, &REF_FIELD, &REF_PAYLOAD, &REF_ELEM, &REF_SLICE, &REF_ELEMS];
    rows.extend(each(moving, augmented_only));
    let pointers = [
        &REF_SHARED,
        &REF_RELOCATED,
        &REF_RAW,
        &REF_REBORROW,
        &REF_FIRST,
        &REF_OFFSET,
        &REF_RANGE,
        &REF_VIEW,
        &REF_FLAT,
        &REF_FREE,
        &REF_UNION,
        &UNION_AS,
        &UNION_GET,
        &REF_TAKE_ARRAY,
        &REF_SET_LEN,
        &REF_ALLOC,
        &REF_TYPED,
        &REF_DEALLOC,
        &REF_REALLOC,
        &REF_NULL,
    ];
    rows.extend(each(pointers, augmented_only));
    rows.extend(each([&REF_LEN, &REF_TAG, &REF_SAME, &REF_IS_NULL, &REF_DISTANCE], zero));
    rows
}
