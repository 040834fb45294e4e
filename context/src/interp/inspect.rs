//! The view that a debugger has of an open call.

use super::machine::Frame;
use crate::Span;
use crate::ir::{Block, Func, Var};
use crate::value::Value;

/// An open call: its function, its position, and the values of its variables.
#[derive(Debug)]
pub struct FrameView<'f, 'a> {
    func: &'f Func,
    block: Block,
    at: usize,
    span: Span,
    slots: &'f [Value<'a>],
}

impl<'f, 'a> FrameView<'f, 'a> {
    pub(super) fn new(frame: &'f Frame, slots: &'f [Value<'a>], innermost: bool) -> Self {
        // A caller's position is its call, which is the step before its next one.
        let at = if innermost { frame.next } else { frame.next.saturating_sub(1) };
        let at = at.min(frame.code.steps.len() - 1);
        let step = &frame.code.steps[at];
        let first = frame.code.func.blocks[..step.block.index()]
            .iter()
            .map(|body| body.insts.len() + 1)
            .sum::<usize>();
        FrameView { func: &frame.code.func, block: step.block, at: at - first, span: step.span, slots }
    }

    /// The function.
    pub fn func(&self) -> &'f Func {
        self.func
    }

    /// The block of the next step; for a caller, of its call.
    pub fn block(&self) -> Block {
        self.block
    }

    /// The index in the block of the next instruction, or for a caller of its call; the number of
    /// instructions for the terminator.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The source location of the next step; for a caller, of its call.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The value of a variable: `()` if it is not defined yet, or its last use has passed.
    pub fn value(&self, var: Var) -> Option<&'f Value<'a>> {
        self.slots.get(var.index())
    }
}
