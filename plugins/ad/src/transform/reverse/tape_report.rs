//! The number of bytes that the forward sweep records: checked against a limit, and reported by source line.
//!
//! - RECORD1 only functions transformed with a limit count, by an operation before each push; others have no
//!   overhead.
//! - RECORD2 a run counts if it is a part of [`counted`].

use std::collections::BTreeMap;
use std::mem::size_of;

use overdub_context::ir::Ty;
use overdub_context::ops::{Arity, Effects, OpCx, OpDef};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Span, run_state};

/// The bytes recorded by the current run: its state, in the words of `run_state`.
#[derive(Default)]
struct TapeUse {
    bytes: usize,
    by_line: BTreeMap<String, usize>,
}

/// Counts what `run` records (RECORD2).
pub(super) fn counted<R>(run: impl FnOnce() -> R) -> (TapeReport, R) {
    let (TapeUse { bytes, by_line }, result) = run_state::with(TapeUse::default(), run);
    (TapeReport { by_line: by_line.into_iter().collect(), bytes }, result)
}

/// Counts a record before it is pushed; takes the record, the limit, and the place in the source.
pub(super) static HOLD: OpDef = OpDef {
    name: "ad.hold",
    arity: Arity::Exactly(3),
    ty: |_| Ok(Ty::unit()),
    effects: Effects::WRITES,
    eval: hold,
    doc: "Counts a record of the forward sweep, and fails if the tape exceeds its limit.",
};

fn hold<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [record, limit, Value::Str(place)] = &*args else { return Ok(Value::Unit) };
    let (size, limit) = (bytes(record), limit.as_index().unwrap_or(usize::MAX));
    let total = run_state::access(|tape_use: &mut TapeUse| {
        tape_use.bytes = tape_use.bytes.saturating_add(size);
        match tape_use.by_line.get_mut(&**place) {
            Some(bytes) => *bytes = bytes.saturating_add(size),
            None => drop(tape_use.by_line.insert(place.to_string(), size)),
        }
        tape_use.bytes
    });
    if total.unwrap_or(size) <= limit {
        return Ok(Value::Unit);
    }
    let message = format!("the tape of the loop at {place} takes it past its limit of {limit} bytes");
    let help = "allow more, or recompute a part of the program: `checkpoint(f, args)`";
    Err(Failure::new(FailureKind::MemoryLimit, message).with_help(Some(help.to_owned())))
}

/// The size of a value in bytes.
pub(super) fn bytes(value: &Value<'_>) -> usize {
    let of_parts = |parts: &[Value<'_>]| parts.iter().map(bytes).sum::<usize>();
    match value {
        Value::Unit => 0,
        Value::Bool(_) => 1,
        Value::F32(_) | Value::Char(_) => 4,
        Value::Array(array) => array.bytes(),
        Value::Composite(composite) => of_parts(&composite.parts),
        Value::Closure(closure) => of_parts(&closure.captures),
        Value::Stack(elems) => of_parts(elems),
        Value::Str(text) => text.len(),
        _ => size_of::<u64>(),
    }
}

/// The bytes that a gradient records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TapeReport {
    /// Sorted by place in the source, `file:line`.
    pub by_line: Vec<(String, usize)>,
    /// In total.
    pub bytes: usize,
}

impl TapeReport {
    /// The report of a tape that does not know the lines of its entries: one entry, at the function.
    pub(crate) fn of_func(span: Span, bytes: usize) -> TapeReport {
        TapeReport { by_line: vec![(place(span), bytes)], bytes }
    }
}

/// A place in the source, as reports name it.
pub(super) fn place(span: Span) -> String {
    if span.is_known() { format!("{}:{}", span.file, span.line) } else { span.to_string() }
}
