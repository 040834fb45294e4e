//! SPMD on SIMD: a function of one element becomes one of slices, which computes several elements side by side. Each value is an
//! array with an element for each lane, and each statement a loop over the lanes, which rustc vectorises.
//!
//! ```text
//! fn f(x: f64) -> f64 {             for lane in 0..64 {
//!     let mut y = x;                    y[lane] = x[lane];
//!     while g(y) {             →    }
//!         y = h(y);                 loop {
//!     }                                 for lane in 0..64 {
//!     y                                     on[lane] = mask(g(y[lane])) & runs[lane];
//! }                                         count += on[lane] & 1;
//!                                       }
//!                                       if count == 0 { break; }
//!                                       for lane in 0..64 {
//!                                           runs[lane] = on[lane];
//!                                           y[lane] = blend(runs[lane], h(y[lane]), y[lane]);
//!                                       }
//!                                   }
//! ```
//!
//! - LANEFN1 each lane computes what a call for its element computes, to the bit, except for the sign and payload of a `NaN`.
//! - LANEFN2 a branch gives each of its arms a mask of the lanes that take it; both arms run, one after the other. A loop runs until
//!   all lanes have left it. What costs more than a few instructions is computed for the lanes of the mask alone.
//! - LANEFN3 what is the same for all elements, such as a fixed argument or the counter of a loop with fixed bounds, is no array.
//! - LANEFN4 if an element fails, all are computed one by one, which fails as the first of them does.
//! - LANEFN5 where elements take different numbers of rounds of the function's first such loop, a lane that has left it gets the
//!   next element as soon as half of the lanes have: *persistent threads* (Aila and Laine,
//!   [2009](https://doi.org/10.1145/1572769.1572792)).
//! - LANEFN6 products of derivatives are plain in lanes, and an element of which one is NaN is computed alone, so that zero times
//!   infinity is zero.
//!
//! A mask that decides a store is read from memory, not computed in the same loop: LLVM would make a masked store of it, which
//! some processors execute slowly.

mod build;
mod composites;
mod control;
mod exits;
mod exprs;
mod form;
mod integers;
mod kinds;
mod loops;
mod tapes;
mod temporaries;
mod uniform;

use hashbrown::HashSet;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::{Span, Symbol};

use crate::ast::{Expr, Function, Local, LocalInfo};
use crate::error::ExportError;
use crate::places::user_span;

pub(crate) use build::in_lanes;

/// A function that runs for the elements of slices.
#[derive(Clone)]
pub(crate) struct LaneFunction {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
    /// The number of lanes.
    pub(crate) width: usize,
    pub(crate) params: Vec<LaneParam>,
    pub(crate) results: Vec<InLanes>,
    pub(crate) locals: Vec<LocalInfo>,
    /// The locals that have a value for each lane.
    pub(crate) arrays: HashSet<Local>,
    /// The rows of tapes, and the numbers of those that all lanes have.
    pub(crate) tape_rows: Vec<Local>,
    pub(crate) uniform_depths: Vec<Local>,
    /// Locals that are references to a row of a tape.
    pub(crate) borrowed: HashSet<Local>,
    pub(crate) form: Form,
    /// Whether an element may fail.
    pub(crate) may_fail: bool,
    /// The number of the first result that is a derivative by plain products: where one is NaN, the element is computed alone.
    pub(crate) plain_from: Option<usize>,
}

/// A parameter.
#[derive(Clone, Copy)]
pub(crate) enum LaneParam {
    /// A slice with the argument of each element.
    Each(InLanes),
    /// One argument for all.
    Fixed(Local),
}

/// A slice, and the local with the elements that lanes work on.
#[derive(Clone, Copy)]
pub(crate) struct InLanes {
    pub(crate) slice: Local,
    pub(crate) lanes: Local,
}

/// What lanes do with elements.
#[derive(Clone)]
pub(crate) enum Form {
    /// As many elements as there are lanes, all from the start to the end.
    Chunks(Vec<Step>),
    /// Lanes that leave the loop get others.
    Refilled(Box<Refilled>),
}

/// A loop, what comes before and after it, and their masks.
#[derive(Clone)]
pub(crate) struct Refilled {
    pub(crate) before: Vec<Step>,
    pub(crate) looped: Vec<Step>,
    pub(crate) after: Vec<Step>,
    /// The lanes that got an element.
    pub(crate) starts: Local,
    /// Those in the loop.
    pub(crate) runs: Local,
    /// Those that left it.
    pub(crate) ends: Local,
    /// Those that have not returned, if some may before the end.
    pub(crate) lives: Option<Local>,
}

/// A statement for all lanes together.
#[derive(Clone)]
pub(crate) enum Step {
    /// For each lane.
    Lanes(Vec<Lane>),
    /// A local that has one value for all.
    Let(Local, Expr, Span),
    /// Another value of a local that has one for all, which is declared before if it is not the first.
    Assign(Local, Expr, Span),
    /// The element of a list at an index that is the same for all; it fails if there is none.
    Read { local: Local, list: Expr, at: Expr, is_checked: bool, span: Span },
    /// A number of lanes is zero, until lanes are counted.
    NoLane(Local),
    /// The loop ends if no lane was counted, or so few that the others should get elements.
    LeaveUnless { count: Local, or_few: bool },
    /// If a lane was counted.
    IfAny { count: Local, body: Vec<Step> },
    /// A branch that is the same for all lanes.
    If { cond: Expr, then: Vec<Step>, otherwise: Vec<Step>, span: Span },
    /// A tape gets rows, so that each lane may push a record.
    MakeRow { rows: Local, depth: Local },
    /// A local is a row of a tape, which is made if it is new.
    Row { row: Local, rows: Local, at: Expr, is_new: bool },
    /// A loop until it is left.
    Loop(Vec<Step>),
    /// A loop while a condition holds, which is the same for all lanes.
    While { cond: Expr, body: Vec<Step>, span: Span },
    /// A loop with the same numbers for all.
    For { counter: Local, from: Expr, to: Expr, is_reversed: bool, body: Vec<Step>, span: Span },
    /// The end, if an element failed.
    StopIfFailed,
}

/// A statement for one lane.
#[derive(Clone)]
pub(crate) enum Lane {
    /// A value, which other lanes than those that run may get, too.
    Set { local: Local, value: Expr, span: Span },
    /// A value for the lanes that run, if there is a mask, and nothing for the others.
    SetIf { local: Local, value: Expr, runs: Option<Local>, span: Span },
    /// A value for the lanes that run; the others keep theirs.
    Blend { local: Local, value: Expr, runs: Local, span: Span },
    /// The element of a list, or zero if there is none.
    Read { local: Local, list: Expr, at: Expr, span: Span },
    /// A lane's next record on a tape.
    Push { rows: Local, depth: Local, value: Expr, span: Span },
    /// A lane's record on a tape, or zero if there is none.
    Record { local: Local, rows: Local, at: Expr, span: Span },
    /// A mask of the lanes where a condition holds, or does not, among those that run.
    Mask { mask: Local, cond: Expr, is_not: bool, runs: Option<Local>, span: Span },
    /// The lanes of another mask, or all.
    Copy { mask: Local, from: Option<Local> },
    /// The lanes of a mask without those of another one.
    Clear { mask: Local, by: Local },
    /// The lanes of a mask are counted.
    Count { count: Local, mask: Local },
    /// An element fails if a condition holds, or in any case, and its lane runs.
    Fail { cond: Option<Expr>, runs: Option<Local> },
}

/// Whether lanes hold values of a type.
pub(crate) fn is_scalar(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Int(int) => int.bits() <= 64,
        TyKind::Float(_) | TyKind::Bool | TyKind::Char => true,
        _ => false,
    }
}

/// The error for what does not run in lanes.
fn refused(function: &Function, construct: impl std::fmt::Display, span: Span) -> ExportError {
    let span = user_span(function.symbol, span);
    ExportError::Unsupported { func: function.symbol, construct: format!("in lanes, {construct}"), span }
}
