//! Kinds of operations: structural ones move values, comparisons order them, all others compute.
//!
//! - KIND1 a structural operation does not depend on the type of elements, fields and contents, so that it
//!   applies to values of a domain unchanged.
//! - KIND2 a comparison returns the order of its operands, and no value computed from them.

use std::sync::LazyLock;

use hashbrown::HashSet;

use super::*;

static STRUCTURAL: LazyLock<HashSet<&'static OpDef>> = LazyLock::new(|| {
    let tables = [
        array::STRUCTURAL,
        array_edit::STRUCTURAL,
        array_sort::STRUCTURAL,
        cast::STRUCTURAL,
        cells::STRUCTURAL,
        composite::STRUCTURAL,
        function::STRUCTURAL,
        nd::STRUCTURAL,
        nd_axes::STRUCTURAL,
        nd_linear::STRUCTURAL,
        stack::STRUCTURAL,
        take::STRUCTURAL,
    ];
    tables.into_iter().flatten().copied().collect()
});

impl OpDef {
    /// Whether the operation only moves, holds or counts values (a field, an element, a length) of any type,
    /// and computes nothing from them. False for operations of plugins.
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

    /// Whether the operation compares values: its result is a bool or an ordering.
    ///
    /// ```
    /// use overdub_context::ops;
    /// assert!(ops::LT.compares() && ops::TOTAL_CMP.compares() && !ops::TO_BITS.compares());
    /// ```
    pub fn compares(&self) -> bool {
        [&EQ, &NE, &LT, &LE, &GT, &GE, &PARTIAL_CMP, &CMP, &TOTAL_CMP, &SAME, &ORDER].contains(&self)
    }
}
