//! The names by which the compiler knows items of the prelude: `#[lang("option")]`.
//!
//! - L1 every name in [`NAMES`] is declared at most once in a program; a prelude may leave out what nothing uses.

/// All names that `#[lang("…")]` may give.
pub const NAMES: &[&str] = &[
    // Types.
    "option",
    "result",
    "vec",
    "vec_deque",
    "box",
    "rc",
    "arc",
    "cow",
    "string",
    "cell",
    "ref_cell",
    "mutex",
    "phantom",
    "range",
    "range_inclusive",
    "range_from",
    "range_to",
    "range_to_inclusive",
    "range_full",
    "ordering",
    "arguments",
    "formatter",
    // Operators.
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "bit_and",
    "bit_or",
    "bit_xor",
    "shl",
    "shr",
    "add_assign",
    "sub_assign",
    "mul_assign",
    "div_assign",
    "rem_assign",
    "bit_and_assign",
    "bit_or_assign",
    "bit_xor_assign",
    "shl_assign",
    "shr_assign",
    "neg",
    "not",
    "index",
    "index_mut",
    "deref",
    "deref_mut",
    "partial_eq",
    "partial_ord",
    // Calls.
    "fn",
    "fn_mut",
    "fn_once",
    // Traits that hold of every type: nothing needs to implement them.
    "copy",
    "send",
    "sync",
    "sized",
    "unpin",
    "unwind_safe",
    "ref_unwind_safe",
    "any",
    // Other traits.
    "clone",
    "eq",
    "ord",
    "hash",
    "default",
    "drop",
    "from",
    "into",
    "iterator",
    "into_iterator",
    "error",
    "display",
    "debug",
    "lower_exp",
    "upper_exp",
    "lower_hex",
    "upper_hex",
    "binary",
    "octal",
    "pointer",
];

/// The traits of [`NAMES`] that hold of every type, which inference does not look up impls for.
pub const MARKERS: &[&str] =
    &["copy", "send", "sync", "sized", "unpin", "unwind_safe", "ref_unwind_safe", "any", "eq"];

/// The operator trait of each [`BinOp`](crate::hir::BinOp): its lang name and its method.
pub fn bin_op(op: crate::hir::BinOp) -> (&'static str, &'static str) {
    use crate::hir::BinOp;
    match op {
        BinOp::Add => ("add", "add"),
        BinOp::Sub => ("sub", "sub"),
        BinOp::Mul => ("mul", "mul"),
        BinOp::Div => ("div", "div"),
        BinOp::Rem => ("rem", "rem"),
        BinOp::BitAnd => ("bit_and", "bitand"),
        BinOp::BitOr => ("bit_or", "bitor"),
        BinOp::BitXor => ("bit_xor", "bitxor"),
        BinOp::Shl => ("shl", "shl"),
        BinOp::Shr => ("shr", "shr"),
        BinOp::Eq => ("partial_eq", "eq"),
        BinOp::Ne => ("partial_eq", "ne"),
        BinOp::Lt => ("partial_ord", "lt"),
        BinOp::Le => ("partial_ord", "le"),
        BinOp::Gt => ("partial_ord", "gt"),
        BinOp::Ge => ("partial_ord", "ge"),
    }
}

/// The trait of `a op= b`, where there is one: its lang name and its method.
pub fn assign_op(op: crate::hir::BinOp) -> Option<(&'static str, &'static str)> {
    use crate::hir::BinOp;
    Some(match op {
        BinOp::Add => ("add_assign", "add_assign"),
        BinOp::Sub => ("sub_assign", "sub_assign"),
        BinOp::Mul => ("mul_assign", "mul_assign"),
        BinOp::Div => ("div_assign", "div_assign"),
        BinOp::Rem => ("rem_assign", "rem_assign"),
        BinOp::BitAnd => ("bit_and_assign", "bitand_assign"),
        BinOp::BitOr => ("bit_or_assign", "bitor_assign"),
        BinOp::BitXor => ("bit_xor_assign", "bitxor_assign"),
        BinOp::Shl => ("shl_assign", "shl_assign"),
        BinOp::Shr => ("shr_assign", "shr_assign"),
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => return None,
    })
}
