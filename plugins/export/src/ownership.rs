//! Which operands an operation reads, consumes or updates in place, and which types are copied.

use overdub_context::ir::{NominalBody, Ty, TyKind};
use overdub_context::ops::{self, OpDef};

/// How an operation with an updated operand returns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Update {
    /// The result is the updated operand.
    Whole,
    /// The result is a tuple of a part and the updated operand, from which the part was taken.
    PartAndWhole,
}

/// How an operation updates its first operand; `None` if it updates none.
pub(crate) fn update_of(op: &OpDef) -> Option<Update> {
    const WHOLE: &[&OpDef] = &[
        &ops::SET,
        &ops::SET_UNCHECKED,
        &ops::SET_SLICE,
        &ops::PUSH,
        &ops::INSERT,
        &ops::TRUNCATE,
        &ops::RESIZE,
        &ops::WITH_ROOM,
        &ops::SWAP,
        &ops::REVERSE,
        &ops::ARRAY_ROTATE_LEFT,
        &ops::ARRAY_ROTATE_RIGHT,
        &ops::FILL,
        &ops::COPY_WITHIN,
        &ops::WITH_FIELD,
        &ops::WITH_PAYLOAD,
        &ops::STACK_PUSH,
        &ops::STR_PUSH,
        &ops::STR_CONCAT,
        &ops::SORT_BY,
    ];
    const PART: &[&OpDef] = &[
        &ops::POP,
        &ops::REMOVE,
        &ops::SWAP_REMOVE,
        &ops::STACK_POP,
        &ops::TAKE_FIELD,
        &ops::TAKE_PAYLOAD,
        &ops::TAKE_ELEM,
    ];
    if WHOLE.contains(&op) {
        Some(Update::Whole)
    } else if PART.contains(&op) {
        Some(Update::PartAndWhole)
    } else {
        None
    }
}

/// Whether the operation keeps the operand of this number in its result, so that it needs the value and not only
/// a look at it.
pub(crate) fn consumes(op: &OpDef, operand: usize) -> bool {
    if update_of(op).is_some() && operand == 0 {
        return true;
    }
    let from: usize = match () {
        () if [
            &ops::ARRAY,
            &ops::TUPLE,
            &ops::STRUCT,
            &ops::CLOSURE,
            &ops::ERASE,
            &ops::DUP,
            &ops::REPEAT,
        ]
        .contains(&op) =>
        {
            0
        }
        () if [&ops::VARIANT, &ops::SELECT, &ops::PUSH, &ops::STACK_PUSH, &ops::FILL].contains(&op) => 1,
        () if [&ops::SET, &ops::SET_UNCHECKED, &ops::WITH_FIELD, &ops::INSERT, &ops::RESIZE]
            .contains(&op) =>
        {
            2
        }
        () if op == &ops::WITH_PAYLOAD => 3,
        () => return false,
    };
    operand >= from
}

/// Whether the operation looks into its first operand, so that its result is a part of it: a place in Rust.
pub(crate) fn is_projection(op: &OpDef) -> bool {
    [
        &ops::FIELD,
        &ops::GET,
        &ops::GET_UNCHECKED,
        &ops::SLICE,
        &ops::PAYLOAD,
        &ops::STACK_PEEK,
        &ops::CAPTURED,
    ]
    .contains(&op)
}

/// Whether the exported text copies values of the type by assignment: they hold nothing but scalars.
pub fn is_copied(ty: Ty) -> bool {
    fn within(ty: Ty, depth: u32) -> bool {
        let all = |parts: &[Ty]| parts.iter().all(|&part| within(part, depth + 1));
        // A type that contains itself is not copied.
        depth < 16
            && match ty.kind() {
                TyKind::Unit
                | TyKind::Never
                | TyKind::Bool
                | TyKind::Char
                | TyKind::Int(_)
                | TyKind::Float(_) => true,
                TyKind::Tuple(parts) => all(parts),
                TyKind::Closure(closure) => all(&closure.captures),
                TyKind::Struct(nominal) | TyKind::Enum(nominal) => match nominal.body() {
                    Some(NominalBody::Struct(fields)) => {
                        fields.iter().all(|field| within(field.ty, depth + 1))
                    }
                    Some(NominalBody::Enum(variants)) => {
                        let mut fields = variants.iter().flat_map(|variant| &variant.fields);
                        fields.all(|field| within(field.ty, depth + 1))
                    }
                    None => false,
                },
                TyKind::Str
                | TyKind::Array(_)
                | TyKind::Fn(_)
                | TyKind::Stack(_)
                | TyKind::Ref(_)
                | TyKind::Opaque(_) => false,
            }
    }
    within(ty, 0)
}
