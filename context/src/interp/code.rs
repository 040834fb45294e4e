//! The compiled form of functions in the interpreter: a list of steps with slots for variables.
//!
//! - STEP1 a slot belongs to one variable or constant.
//! - STEP2 an argument is *moved* out of its slot where the variable dies there, so that its operation
//!   updates a counted value with no other owner in place.
//! - STEP3 an edge drops the counted values that are live before it and dead after it.

use std::sync::Arc;

use smallvec::SmallVec;

use super::superinstructions::QuickCode;
use crate::ir::{Block, Func, Ty};
use crate::ops::OpDef;
use crate::value::Value;
use crate::{Span, Symbol};

/// The place of a variable in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot(pub(super) u32);

impl Slot {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The way in which a step reads an operand.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    /// A copy: the variable is live afterwards.
    Copy(Slot),
    /// A move: this is its last use.
    Move(Slot),
    /// A constant.
    Const(Value<'static>),
}

pub(super) type Args = SmallVec<[Arg; 3]>;

/// The callee of a call.
#[derive(Clone, Debug)]
pub(super) enum CalleeCode {
    Func(Symbol),
    Value(Arg),
}

/// A branch edge: its target, the arguments for the block's parameters, and the slots to empty.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) target: u32,
    pub(super) args: Args,
    pub(super) params: SmallVec<[Slot; 3]>,
    pub(super) dead: Box<[Slot]>,
}

/// The effect of a step.
#[derive(Clone, Debug)]
pub(super) enum StepKind {
    Const { value: Value<'static> },
    Op { op: &'static OpDef, args: Args, ret: Ty },
    Call { callee: CalleeCode, args: Args },
    Br(Edge),
    BrIf { cond: Arg, then: Edge, otherwise: Edge },
    Switch { on: Arg, cases: Box<[(i128, Edge)]>, otherwise: Option<Edge> },
    Ret(Arg),
    Fail(Arg),
}

/// A step, with its result and source location.
#[derive(Clone, Debug)]
pub(super) struct CodeStep {
    pub(super) kind: StepKind,
    /// The slot of the result; none for a terminator, or if the result is unused.
    pub(super) result: Option<Slot>,
    pub(super) span: Span,
    pub(super) block: Block,
}

/// A function ready to run.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) func: Arc<Func>,
    pub(super) steps: Box<[CodeStep]>,
    pub(super) quick: QuickCode,
    pub(super) params: Box<[Slot]>,
    /// The number of slots in a frame: those of the variables, then those of constants.
    pub(super) slots: usize,
    /// Whether an execution pauses before each step; empty if it never does.
    pub(super) marked: Box<[bool]>,
    /// Whether a delegate may evaluate calls of this function.
    pub(super) is_delegated: bool,
}
