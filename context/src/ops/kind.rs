//! Kinds of operations: structural ones move values, comparisons order them, all others compute.
//!
//! - KIND1 a structural operation is independent of the type of elements, fields and contents, so that it applies to
//!   values of a domain unchanged.
//! - KIND2 a comparison returns how its operands are ordered, and no value computed from them.

use std::sync::LazyLock;

use hashbrown::HashSet;

use super::*;

static STRUCTURAL: LazyLock<HashSet<&'static OpDef>> = LazyLock::new(|| {
    let composites: &[&OpDef] = &[
        &TUPLE,
        &FIELD,
        &WITH_FIELD,
        &STRUCT,
        &VARIANT,
        &TAG,
        &PAYLOAD,
        &WITH_PAYLOAD,
        &TAKE_FIELD,
        &TAKE_PAYLOAD,
        &TAKE_ELEM,
    ];
    let arrays: &[&OpDef] = &[
        &ARRAY,
        &REPEAT,
        &LEN,
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
        &SWAP,
        &REVERSE,
        &ARRAY_ROTATE_LEFT,
        &ARRAY_ROTATE_RIGHT,
        &FILL,
        &COPY_WITHIN,
        &CAPACITY,
        &WITH_ROOM,
        &SORT_BY,
        &SORT_ORDER,
        &GATHER,
    ];
    let nd: &[&OpDef] = &[
        &ND_SHAPE,
        &ND_FULL,
        &ND_FROM_ELEMS,
        &ND_ELEMS,
        &ND_RESHAPE,
        &ND_BROADCAST,
        &ND_GET,
        &ND_SET,
        &ND_TRANSPOSE,
        &ND_PERMUTE,
        &ND_SLICE_AXIS,
        &ND_INDEX_AXIS,
        &ND_SET_AXIS,
        &ND_STACK,
        &ND_CONCAT,
        &ND_DIAG,
        &ND_MAP,
        &ND_ZIP_MAP,
    ];
    let cells: &[&OpDef] = &[
        &CELL,
        &GLOBAL,
        &REF_GET,
        &REF_SET,
        &REF_TAKE,
        &REF_FIELD,
        &REF_PAYLOAD,
        &REF_ELEM,
        &REF_SLICE,
        &REF_ELEMS,
        &REF_LEN,
        &REF_TAG,
        &REF_SAME,
    ];
    let others: &[&OpDef] = &[
        &CLOSURE,
        &ERASE,
        &RECOVER,
        &CAPTURED,
        &STACK_NEW,
        &STACK_PUSH,
        &STACK_POP,
        &STACK_PEEK,
        &STACK_LEN,
        &SELECT,
        &DUP,
        &BLACK_BOX,
    ];
    [composites, arrays, nd, cells, others].into_iter().flatten().copied().collect()
});

impl OpDef {
    /// Whether it only moves, holds or counts values (a field, an element, a length), whatever they are, and computes
    /// nothing from them. An operation of a plugin is not known to be.
    ///
    /// ```
    /// use overdub_context::ops;
    /// assert!(ops::TUPLE.is_structural() && ops::GET.is_structural());
    /// assert!(!ops::ADD.is_structural() && !ops::CAST.is_structural() && !ops::LT.is_structural());
    /// ```
    pub fn is_structural(&self) -> bool {
        // Operations are statics, distinguished by their addresses.
        STRUCTURAL.contains(&self)
    }

    /// Whether it compares values: what it gives is a bool or an ordering.
    ///
    /// ```
    /// use overdub_context::ops;
    /// assert!(ops::LT.compares() && ops::TOTAL_CMP.compares() && !ops::TO_BITS.compares());
    /// ```
    pub fn compares(&self) -> bool {
        [&EQ, &NE, &LT, &LE, &GT, &GE, &PARTIAL_CMP, &CMP, &TOTAL_CMP, &SAME, &ORDER].contains(&self)
    }
}
