//! The operations that computed the floats of a run, in the order in which they ran.
//!
//! - TRACE2 the gradient runs with its seed, the cotangent of the result, as the last argument. What depends
//!   on the seed is a cotangent, everything else belongs to the primal.
//! - TRACE1 the operands of an entry have smaller numbers, so that walking backwards terminates.

use std::ops::{Range, RangeInclusive};

use overdub_context::ops::OpDef;
use overdub_context::{Failure, FailureKind, Span, Symbol};

/// The number of a float: 0 for constants, then the floats of the arguments in order, then the results of
/// operations.
pub type EntryId = u32;

/// An operation that ran, and one of the floats that it computed.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'t> {
    /// The operation.
    pub op: &'static OpDef,
    /// Its location in the source.
    pub span: Span,
    /// The function that contains it.
    pub func: Symbol,
    /// The float that it computed.
    pub value: f64,
    /// The floats that it was computed from: for an operation on arrays, all of their elements.
    pub operands: &'t [Operand],
}

/// A float that is an operand of an operation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operand {
    /// Its number.
    pub id: EntryId,
    /// Its value.
    pub value: f64,
}

/// The stored form of an entry.
#[derive(Clone, Debug)]
struct Record {
    op: &'static OpDef,
    span: Span,
    func: Symbol,
    value: f64,
    operands: Range<u32>,
}

/// The entries of a run.
#[derive(Clone, Debug)]
pub struct Trace {
    inputs: u32,
    records: Vec<Record>,
    operands: Vec<Operand>,
    limit: usize,
    /// The seeds of a gradient among the arguments.
    seeds: RangeInclusive<u32>,
    /// Which entries are cotangents, by their indices in `records`; empty if there is no seed.
    cotangents: Vec<bool>,
    /// The open calls of library code from outside of it.
    open: Vec<(Symbol, Span)>,
}

impl Default for Trace {
    fn default() -> Trace {
        Trace::new(0, usize::MAX)
    }
}

/// An operation that is about to be recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    pub(crate) op: &'static OpDef,
    pub(crate) span: Span,
    pub(crate) func: Symbol,
}

impl Trace {
    /// A trace of a run whose arguments hold `inputs` floats, of at most `limit` bytes.
    pub(crate) fn new(inputs: u32, limit: usize) -> Trace {
        Trace {
            inputs,
            records: Vec::new(),
            operands: Vec::new(),
            limit,
            seeds: RangeInclusive::new(1, 0),
            cotangents: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The number of floats that operations computed.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether no operation computed a float.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The size of the trace in bytes.
    pub fn bytes(&self) -> usize {
        self.records.len() * size_of::<Record>() + self.operands.len() * size_of::<Operand>()
    }

    /// The number of a float among those of the arguments, from 0.
    pub fn input(&self, id: EntryId) -> Option<usize> {
        (1..=self.inputs).contains(&id).then(|| id as usize - 1)
    }

    /// The operation that computed a float; `None` for those of arguments and constants.
    pub fn entry(&self, id: EntryId) -> Option<Entry<'_>> {
        let record = self.records.get((id as usize).checked_sub(self.inputs as usize + 1)?)?;
        Some(self.shown(record))
    }

    /// All entries, in the order in which the operations ran.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_>> {
        self.records.iter().map(|record| self.shown(record))
    }

    fn shown(&self, record: &Record) -> Entry<'_> {
        let operands = &self.operands[record.operands.start as usize..record.operands.end as usize];
        Entry { op: record.op, span: record.span, func: record.func, value: record.value, operands }
    }

    /// Marks the floats of the arguments after the first `inputs` as seeds, and finds what depends on them.
    pub(crate) fn seeded_after(&mut self, inputs: usize) {
        let first = self.inputs as usize + 1;
        self.seeds = u32::try_from(inputs + 1).unwrap_or(u32::MAX)..=self.inputs;
        let mut found: Vec<bool> = Vec::with_capacity(self.records.len());
        for record in &self.records {
            let mut operands =
                self.operands[record.operands.start as usize..record.operands.end as usize].iter();
            let is_of_seed = operands.any(|operand| {
                let id = operand.id as usize;
                self.is_seed(operand.id) || id.checked_sub(first).is_some_and(|at| found[at])
            });
            found.push(is_of_seed);
        }
        self.cotangents = found;
    }

    /// Whether a float is a seed of a gradient.
    pub(crate) fn is_seed(&self, id: EntryId) -> bool {
        self.seeds.contains(&id)
    }

    /// Whether a float is a cotangent, if there is a seed; true for every float if there is none.
    pub(crate) fn is_summed(&self, id: EntryId) -> bool {
        let at = (id as usize).checked_sub(self.inputs as usize + 1);
        self.cotangents.is_empty() || at.is_some_and(|at| self.cotangents.get(at).copied().unwrap_or(false))
    }

    /// Records that a call of library code begins.
    pub(crate) fn open(&mut self, func: Symbol, span: Span) {
        self.open.push((func, span));
    }

    /// Records that the innermost such call ends.
    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    /// The innermost of these calls: the function that makes it, and its location there.
    pub(crate) fn innermost(&self) -> Option<(Symbol, Span)> {
        self.open.last().copied()
    }

    /// Appends the operands that entries share.
    pub(crate) fn push_operands(&mut self, operands: &[Operand]) -> Result<Range<u32>, Failure> {
        let start = self.operands.len();
        let end = start + operands.len();
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else {
            return Err(self.full());
        };
        self.operands.extend_from_slice(operands);
        Ok(start..end)
    }

    /// Appends an entry, and returns its number.
    pub(crate) fn push(&mut self, by: Carried, value: f64, operands: Range<u32>) -> Result<EntryId, Failure> {
        let id = u32::try_from(self.inputs as usize + 1 + self.records.len()).map_err(|_| self.full())?;
        self.records.push(Record { op: by.op, span: by.span, func: by.func, value, operands });
        if self.bytes() > self.limit { Err(self.full()) } else { Ok(id) }
    }

    #[cold]
    fn full(&self) -> Failure {
        let message = format!("the history of this run's floats would take more than {} bytes", self.limit);
        let help = "ask about a smaller input, or allow a longer history";
        Failure::new(FailureKind::MemoryLimit, message).with_help(Some(help.to_owned()))
    }
}
