//! Operations that keep a gradient within its memory.

use overdub_context::ir::Ty;
use overdub_context::ops::{Arity, Effects, OpCx, OpDef};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use super::super::tape_report::{bytes, count, innermost};
use crate::codes;

/// The memory that is left for the reverse sweep of a loop; takes the bytes that the run keeps of it besides, the memory
/// of the gradient, and the place of the loop.
pub(crate) static MEMORY_LEFT: OpDef = OpDef {
    name: "ad.memory_left",
    arity: Arity::Exactly(3),
    ty: |_| Ok(Ty::usize()),
    effects: Effects::WRITES,
    eval: memory_left,
    doc: "The bytes that a gradient's memory leaves for the reverse sweep of a loop.",
};

/// Fails if the reverse sweep of a loop needs more memory than is left; takes what it needs and what is left, the memory
/// of the gradient, and the place of the loop. Returns what is left.
pub(crate) static ENOUGH_MEMORY: OpDef = OpDef {
    name: "ad.enough_memory",
    arity: Arity::Exactly(4),
    ty: |_| Ok(Ty::usize()),
    effects: Effects::FAILS,
    eval: enough_memory,
    doc: "The bytes that are left, which are as many as the reverse sweep of a loop needs.",
};

/// The size of a value in bytes.
pub(crate) static BYTES: OpDef = OpDef {
    name: "ad.bytes",
    arity: Arity::Exactly(1),
    ty: |_| Ok(Ty::usize()),
    effects: Effects::PURE,
    eval: |_, args| Ok(Value::from(args.first().map_or(0, bytes))),
    doc: "The size of a value in bytes, as the limit of the tape counts it.",
};

/// Counts a record before it is pushed; takes the record, the memory of the gradient, and the place in the source.
pub(crate) static STORE: OpDef = OpDef {
    name: "ad.store",
    arity: Arity::Exactly(3),
    ty: |_| Ok(Ty::unit()),
    effects: Effects::WRITES,
    eval: store,
    doc: "Counts a record of the forward sweep, and fails if it exceeds the memory of the gradient.",
};

fn store<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [record, memory, Value::Str(place)] = &*args else { return Ok(Value::Unit) };
    let (used, memory) = (count(cx, bytes(record), place)?, number(memory));
    if used <= memory { Ok(Value::Unit) } else { Err(too_little(used, memory, innermost(place))) }
}

fn memory_left<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [kept, memory, Value::Str(place)] = &*args else { return Ok(Value::from(0_usize)) };
    // If that exceeds the memory, too little is left for what the loop needs, which is known once it has run.
    let (kept, memory) = (number(kept), number(memory));
    let used = count(cx, kept, place)?;
    Ok(Value::from(memory.saturating_add(kept).saturating_sub(used)))
}

fn enough_memory<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [needed, left, memory, Value::Str(place)] = &*args else { return Ok(Value::from(0_usize)) };
    let (needed, left) = (number(needed), number(left));
    if needed <= left {
        return Ok(Value::from(left));
    }
    let memory = number(memory);
    Err(too_little(memory.saturating_add(needed - left), memory, place))
}

fn number(value: &Value<'_>) -> usize {
    value.as_index().unwrap_or(usize::MAX)
}

/// The failure of a gradient that needs at least `least` bytes at this place.
#[cold]
pub(crate) fn too_little(least: usize, memory: usize, place: &str) -> Failure {
    let message = format!("the gradient needs at least {least} bytes at {place}, and may use {memory}");
    let help = "allow as much, or recompute a part of the program: `checkpoint(f, args)`";
    Failure::new(FailureKind::MemoryLimit, message)
        .coded(codes::TOO_LITTLE_MEMORY)
        .with_help(Some(help.to_owned()))
}
