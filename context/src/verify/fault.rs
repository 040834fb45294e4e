//! The faults that the verifier reports.

use std::fmt;

use crate::ir::{Block, BlockBody, Func, Position};
use crate::print::Printer;
use crate::{Span, Symbol};

/// The faults of a function; displayed as the function with each fault below the line it concerns.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct VerifyError {
    /// The function.
    pub func: Symbol,
    /// The faults, in the order of their positions; at least one.
    pub faults: Vec<Fault>,
    text: String,
}

/// A fault of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The violated invariant.
    pub invariant: Invariant,
    /// The position in the function.
    pub place: Position,
    /// The source location of that position.
    pub span: Span,
    /// The description of the fault.
    pub message: String,
}

/// The numbered invariants of functions, which [`crate::verify`] describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Invariant {
    V1,
    V2,
    V3,
    V4,
    V5,
    V6,
    V7,
    V8,
    V9,
    V10,
    V11,
    V12,
    V13,
    V14,
}

impl VerifyError {
    /// The error of these faults, if there are any.
    pub(super) fn of(func: &Func, mut faults: Vec<Fault>) -> Option<VerifyError> {
        if faults.is_empty() {
            return None;
        }
        faults.sort_by_key(|fault| in_order(fault.place));
        let text = under_lines(func, &faults);
        Some(VerifyError { func: func.name, faults, text })
    }
}

/// A key that sorts positions in the order in which they are printed.
fn in_order(place: Position) -> (u32, usize) {
    match place {
        Position::Head => (0, 0),
        Position::Block(block) => (block.0, 0),
        Position::Inst(block, i) => (block.0, i + 1),
        Position::Terminator(block) => (block.0, usize::MAX),
    }
}

fn under_lines(func: &Func, faults: &[Fault]) -> String {
    let mut text = format!("the function `@{}` is not well formed\n", func.name);
    // A function that mentions foreign variables or blocks cannot be printed.
    if faults.iter().any(|fault| fault.invariant == Invariant::V14) {
        faults.iter().for_each(|fault| text.push_str(&format!("{fault}\n")));
        return text;
    }
    let mut left = faults.iter().peekable();
    let printed = Printer::new().func(func);
    let mut lines = printed.lines();
    for place in places(func) {
        let Some(line) = lines.next() else { break };
        text.push_str(&format!("{line}\n"));
        let indent = line.len() - line.trim_start().len();
        let carets = "^".repeat(line.trim_start().chars().count());
        while let Some(fault) = left.next_if(|fault| fault.place == place) {
            text.push_str(&format!("{:indent$}{carets} {fault}\n", ""));
        }
    }
    lines.for_each(|line| text.push_str(&format!("{line}\n")));
    left.for_each(|fault| text.push_str(&format!("{fault}\n")));
    text
}

/// The position on each printed line, except for the closing brace.
fn places(func: &Func) -> impl Iterator<Item = Position> {
    let of_block = |(block, body): (Block, &BlockBody)| {
        let head = (block != Block::ENTRY).then_some(Position::Block(block));
        let insts = (0..body.insts.len()).map(move |i| Position::Inst(block, i));
        let end = body.terminator.is_some().then_some(Position::Terminator(block));
        head.into_iter().chain(insts).chain(end)
    };
    [Position::Head].into_iter().chain(func.iter_blocks().flat_map(of_block))
}

impl Fault {
    pub(super) fn new(
        func: &Func,
        invariant: Invariant,
        place: Position,
        message: impl Into<String>,
    ) -> Fault {
        Fault { invariant, place, span: place.span(func), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.invariant)
    }
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl fmt::Debug for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
