//! The number of bytes that the forward sweep records: checked against a limit, and reported by source line.
//!
//! - RECORD1 only functions transformed with a limit count, by an operation before each push; others have no
//!   overhead.
//! - RECORD2 the bytes of a run are counted in a cell of the run, so a limit holds for each run, by any executor.
//! - RECORD3 they are counted by line only within [`by_line`].

use std::collections::BTreeMap;
use std::mem::size_of;

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{Arity, Effects, OpCx, OpDef};
use overdub_context::value::{CellRef, Value};
use overdub_context::{Failure, FailureKind, Span, Symbol, run_state};

/// The bytes recorded at each place in the source, while they are counted (RECORD3).
#[derive(Default)]
struct BytesByLine {
    lines: BTreeMap<String, usize>,
    /// The most bytes that the run kept at a time.
    peak: usize,
}

/// Runs `run`, and reports what it records.
pub(super) fn by_line<R>(run: impl FnOnce() -> R) -> (TapeReport, R) {
    let (BytesByLine { lines, peak }, result) = run_state::with(BytesByLine::default(), run);
    let bytes = lines.values().fold(0, |sum: usize, bytes| sum.saturating_add(*bytes));
    let mut by_line: BTreeMap<String, usize> = BTreeMap::new();
    for (loops, bytes) in &lines {
        let line = by_line.entry(innermost(loops).to_owned()).or_default();
        *line = line.saturating_add(*bytes);
    }
    let by_loop =
        lines.into_iter().map(|(loops, bytes)| (loops.split(';').map(str::to_owned).collect(), bytes));
    (TapeReport { by_line: by_line.into_iter().collect(), by_loop: by_loop.collect(), bytes, peak }, result)
}

/// The innermost of the places of nested loops.
pub(super) fn innermost(loops: &str) -> &str {
    loops.rsplit(';').next().unwrap_or(loops)
}

/// Counts a record before it is pushed; takes the record, the limit, and the places of the loops around it.
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
    let limit = limit.as_index().unwrap_or(usize::MAX);
    if count(cx, bytes(record), place)? <= limit {
        return Ok(Value::Unit);
    }
    let place = innermost(place);
    let message = format!("the tape of the loop at {place} takes it past its limit of {limit} bytes");
    let help = "allow more, or recompute a part of the program: `checkpoint(f, args)`";
    Err(Failure::new(FailureKind::MemoryLimit, message).with_help(Some(help.to_owned())))
}

/// Counts bytes that are recorded at a place, and returns how many the run has recorded.
pub(super) fn count(cx: &mut OpCx<'_, '_>, size: usize, place: &str) -> Result<usize, Failure> {
    let kept = change_in_run(cx, |bytes| bytes.saturating_add(size))?;
    run_state::access(|BytesByLine { lines, peak }: &mut BytesByLine| {
        *peak = kept.max(*peak);
        match lines.get_mut(place) {
            Some(bytes) => *bytes = bytes.saturating_add(size),
            None => drop(lines.insert(place.to_owned(), size)),
        }
    });
    Ok(kept)
}

/// The number of bytes that the run keeps now.
pub(super) static KEPT: OpDef = OpDef {
    name: "ad.kept",
    arity: Arity::Exactly(0),
    ty: |_| Ok(Ty::usize()),
    effects: Effects::WRITES,
    eval: |cx, _| change_in_run(cx, |bytes| bytes).map(Value::from),
    doc: "The number of bytes that the forward sweep has recorded.",
};

/// Sets the number of bytes that the run keeps to what [`KEPT`] returned before: what was recorded since is not kept.
pub(super) static KEEP: OpDef = OpDef {
    name: "ad.keep",
    arity: Arity::Exactly(1),
    ty: |_| Ok(Ty::unit()),
    effects: Effects::WRITES,
    eval: |cx, args| {
        let before = args.first().and_then(Value::as_index).unwrap_or(usize::MAX);
        change_in_run(cx, |bytes| bytes.min(before)).map(|_| Value::Unit)
    },
    doc: "Drops what was recorded since from the number of recorded bytes.",
};

/// Counts a record that is no longer kept.
pub(super) static RELEASE: OpDef = OpDef {
    name: "ad.release",
    arity: Arity::Exactly(1),
    ty: |_| Ok(Ty::unit()),
    effects: Effects::WRITES,
    eval: |cx, args| {
        let size = args.first().map_or(0, bytes);
        change_in_run(cx, |bytes| bytes.saturating_sub(size)).map(|_| Value::Unit)
    },
    doc: "Drops a record from the number of recorded bytes.",
};

/// Changes the number of bytes that the run keeps, and returns it (RECORD2).
fn change_in_run(cx: &mut OpCx<'_, '_>, change: impl FnOnce(usize) -> usize) -> Result<usize, Failure> {
    let name = Symbol::new(HOLD.name);
    let Some(globals) = cx.machine.globals() else {
        return Err(Failure::new(FailureKind::Host, "this executor has no place for the bytes of a tape"));
    };
    let Some((_, cell)) = globals.get(name) else {
        let total = change(0);
        globals.insert(name, Ty::reference(Ty::usize()), CellRef::new(Value::from(total)));
        return Ok(total);
    };
    let total = change(cell.get()?.as_index().unwrap_or(usize::MAX));
    cell.set(Value::from(total))?;
    Ok(total)
}

/// The size of an element of a packed array in bytes.
fn scalar_bytes(ty: Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Bool => Some(1),
        TyKind::Char => Some(4),
        TyKind::Float(_) if ty != Ty::f64() => Some(4),
        TyKind::Float(_) | TyKind::Int(_) => Some(size_of::<u64>()),
        _ => None,
    }
}

/// The size of a value in bytes.
pub(super) fn bytes(value: &Value<'_>) -> usize {
    let of_parts = |parts: &[Value<'_>]| parts.iter().map(bytes).sum::<usize>();
    match value {
        Value::Unit => 0,
        Value::Bool(_) => 1,
        Value::F32(_) | Value::Char(_) => 4,
        // Without the spare capacity of a vector that grew, which depends on the executor.
        Value::Array(array) => match scalar_bytes(array.elem_ty()) {
            Some(bytes) => array.len() * bytes,
            None => array.iter().map(|elem| size_of::<u64>() + bytes(&elem)).sum(),
        },
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
    /// By loop: the places of the loops around it, the outermost first.
    pub by_loop: Vec<(Vec<String>, usize)>,
    /// In total.
    pub bytes: usize,
    /// The most that are kept at a time: less than the total if loops are checkpointed.
    pub peak: usize,
}

impl TapeReport {
    /// The report of a tape that does not know the lines of its entries: one entry, at the function.
    pub(crate) fn of_func(span: Span, bytes: usize) -> TapeReport {
        let place = place(span);
        let by_loop = vec![(vec![place.clone()], bytes)];
        TapeReport { by_line: vec![(place, bytes)], by_loop, bytes, peak: bytes }
    }
}

/// A place in the source, as reports name it.
pub(super) fn place(span: Span) -> String {
    if span.is_known() { format!("{}:{}", span.file, span.line) } else { span.to_string() }
}
