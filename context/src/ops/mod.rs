//! Operations: everything a program computes, one declaration each.
//!
//! [`ALL`] lists the engine's own operations; a plugin declares further `static` [`OpDef`]s and passes them
//! to the parser if they are to be read from text.
//!
//! - A row of a table declares an operation; its type rule and its checks follow from the Rust types it names.
//! - An evaluator accepts any operands: those that its type rule refuses cause a [`crate::FailureKind::Type`]
//!   failure, or yield a meaningless value where nothing depends on it, never a panic.
//! - Failures have the messages of rustc's debug build for the same event.

use std::sync::LazyLock;

use hashbrown::HashMap;

mod arith;
mod array;
mod array_edit;
mod array_sort;
mod bits;
mod broadcast;
mod cast;
mod cells;
mod chars;
mod clock;
mod compare;
mod composite;
mod def;
mod float;
mod float_bits;
mod format;
mod function;
mod host_types;
mod int;
mod kind;
mod macros;
mod nd;
mod nd_axes;
mod nd_factor;
mod nd_linear;
mod nd_reduce;
mod output;
mod overflowing;
mod pointers;
mod sorting;
mod stack;
mod steps;
mod structural;
mod take;
mod text;
mod type_rules;
mod unions;

pub use arith::*;
pub use array::*;
pub use array_edit::*;
pub use array_sort::*;
pub use bits::*;
pub use cast::*;
pub use cells::*;
pub use chars::*;
pub use clock::*;
pub use compare::*;
pub use composite::*;
pub use float::*;
pub use float_bits::*;
pub use format::*;
pub use function::*;
pub use int::*;
pub use nd::*;
pub use nd_axes::*;
pub use nd_factor::*;
pub use nd_linear::*;
pub use nd_reduce::*;
pub use output::*;
pub use overflowing::*;
pub use pointers::*;
pub use stack::*;
pub use steps::*;
pub use structural::*;
pub use take::*;
pub use text::*;
pub use unions::*;

pub use def::{Arity, Effects, Eval, OpDef, OperandTys, TotalOn, TypeFault, TypeRule};

pub use crate::value::machine::{Globals, Machine, NoMachine, OpCx};

/// The engine's own operations, by file.
pub static ALL: &[&[&OpDef]] = &[
    arith::OPS,
    overflowing::OPS,
    int::OPS,
    int::SIGNED,
    int::UNSIGNED,
    bits::OPS,
    bits::COUNTS,
    float::FUNCTIONS,
    float::OPS,
    float_bits::OPS,
    compare::OPS,
    cast::OPS,
    cast::STRUCTURAL,
    composite::STRUCTURAL,
    array::OPS,
    array::STRUCTURAL,
    array_edit::STRUCTURAL,
    array_sort::STRUCTURAL,
    nd::OPS,
    nd::STRUCTURAL,
    nd_axes::OPS,
    nd_axes::STRUCTURAL,
    nd_factor::OPS,
    nd_linear::OPS,
    nd_linear::STRUCTURAL,
    nd_reduce::OPS,
    cells::STRUCTURAL,
    pointers::STRUCTURAL,
    unions::STRUCTURAL,
    structural::OPS,
    function::STRUCTURAL,
    take::STRUCTURAL,
    stack::STRUCTURAL,
    text::QUERIES,
    text::OPS,
    chars::OPS,
    format::OPS,
    format::FLOATS,
    format::TEXTS,
    output::OPS,
    clock::OPS,
    steps::OPS,
];

/// Whether an operation creates, reads, writes or derives references to cells.
pub fn is_on_cells(op: &OpDef) -> bool {
    [cells::STRUCTURAL, pointers::STRUCTURAL].iter().copied().flatten().any(|known| *known == op)
}

/// The engine's own operation of this name.
pub fn by_name(name: &str) -> Option<&'static OpDef> {
    static NAMES: LazyLock<HashMap<&'static str, &'static OpDef>> =
        LazyLock::new(|| ALL.iter().copied().flatten().map(|&op| (op.name, op)).collect());
    NAMES.get(name).copied()
}
