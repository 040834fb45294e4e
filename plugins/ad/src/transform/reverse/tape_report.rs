//! The number of bytes that the forward sweep records: checked against a limit, and reported by source line.
//!
//! - RECORD1 only functions transformed with a limit count, by an operation before each push; others have no
//!   overhead.
//! - RECORD2 the bytes of a run are counted in a cell of the run, so a limit holds for each run, by any executor.
//! - RECORD3 they are counted by line only within [`by_line`].

use std::collections::BTreeMap;
use std::mem::size_of;

use overdub_context::ir::Ty;
use overdub_context::ops::{Arity, Effects, OpCx, OpDef};
use overdub_context::value::{CellRef, Value};
use overdub_context::{Failure, FailureKind, Span, Symbol, run_state};

/// The bytes recorded at each place in the source, while they are counted (RECORD3).
#[derive(Default)]
struct BytesByLine(BTreeMap<String, usize>);

/// Runs `run`, and reports what it records.
pub(super) fn by_line<R>(run: impl FnOnce() -> R) -> (TapeReport, R) {
    let (BytesByLine(lines), result) = run_state::with(BytesByLine::default(), run);
    let bytes = lines.values().fold(0, |sum: usize, bytes| sum.saturating_add(*bytes));
    (TapeReport { by_line: lines.into_iter().collect(), bytes }, result)
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

fn hold<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [record, limit, Value::Str(place)] = &*args else { return Ok(Value::Unit) };
    let (size, limit) = (bytes(record), limit.as_index().unwrap_or(usize::MAX));
    run_state::access(|BytesByLine(lines): &mut BytesByLine| match lines.get_mut(&**place) {
        Some(bytes) => *bytes = bytes.saturating_add(size),
        None => drop(lines.insert(place.to_string(), size)),
    });
    if add_to_run(cx, size)? <= limit {
        return Ok(Value::Unit);
    }
    let message = format!("the tape of the loop at {place} takes it past its limit of {limit} bytes");
    let help = "allow more, or recompute a part of the program: `checkpoint(f, args)`";
    Err(Failure::new(FailureKind::MemoryLimit, message).with_help(Some(help.to_owned())))
}

/// Adds to the bytes that the run has recorded, and returns their sum (RECORD2).
fn add_to_run(cx: &mut OpCx<'_, '_>, size: usize) -> Result<usize, Failure> {
    let name = Symbol::new(HOLD.name);
    let Some(globals) = cx.machine.globals() else {
        return Err(Failure::new(FailureKind::Host, "this executor has no place for the bytes of a tape"));
    };
    let Some((_, cell)) = globals.get(name) else {
        globals.insert(name, Ty::reference(Ty::usize()), CellRef::new(Value::from(size)));
        return Ok(size);
    };
    let total = cell.get()?.as_index().unwrap_or(usize::MAX).saturating_add(size);
    cell.set(Value::from(total))?;
    Ok(total)
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
