//! Which steps of a program are compiled together: innermost loops, and runs of steps within a block.

use std::ops::Range;

use super::StackUse;
use crate::program::{Edge, Exit, Program, Step};

/// Steps of a block that follow each other, and whether the end of the block is one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) block: usize,
    pub(super) steps: Range<usize>,
    pub(super) has_exit: bool,
}

impl Part {
    /// Whether it has a step of a block; the end of a block has the number of its steps.
    pub(super) fn contains(&self, block: usize, step: usize, steps: usize) -> bool {
        block == self.block && (self.steps.contains(&step) || self.has_exit && step == steps)
    }
}

/// The edges of the end of a block.
pub(super) fn edges(exit: &Exit) -> Vec<&Edge> {
    match exit {
        Exit::Branch(edge) => vec![edge],
        Exit::If(_, then, otherwise) => vec![then, otherwise],
        Exit::Switch(_, cases, otherwise) => cases.iter().map(|(_, edge)| edge).chain(otherwise).collect(),
        Exit::Return(_) | Exit::Fail => Vec::new(),
    }
}

/// For each block, the blocks of the innermost loop that begins with it, in order, if it is one with a single entry.
pub(super) fn innermost_loops(program: &Program) -> Vec<Option<Vec<usize>>> {
    let count = program.blocks.len();
    let mut preds = vec![Vec::new(); count];
    for (from, block) in program.blocks.iter().enumerate() {
        edges(&block.exit).into_iter().for_each(|edge| preds[edge.to as usize].push(from));
    }
    let is_header: Vec<bool> = (0..count).map(|to| preds[to].iter().any(|from| *from >= to)).collect();
    let body = |header: usize| {
        let mut is_in = vec![false; count];
        is_in[header] = true;
        let mut waiting: Vec<usize> = preds[header].iter().copied().filter(|from| *from >= header).collect();
        while let Some(block) = waiting.pop() {
            // A way into the loop beside its header.
            if block < header {
                return None;
            }
            if !std::mem::replace(&mut is_in[block], true) {
                waiting.extend(&preds[block]);
            }
        }
        let body: Vec<usize> = (0..count).filter(|block| is_in[*block]).collect();
        body[1..].iter().all(|block| !is_header[*block]).then_some(body)
    };
    (0..count).map(|header| if is_header[header] { body(header) } else { None }).collect()
}

/// Whether code can do what the end of a block does.
pub(super) fn is_compiled_exit(exit: &Exit) -> bool {
    !matches!(exit, Exit::Return(_))
}

/// The runs of steps of a block that are compiled.
pub(super) fn runs(program: &Program, block: usize, is_compiled: &[bool]) -> Vec<Part> {
    let exit = is_compiled_exit(&program.blocks[block].exit);
    let (mut parts, mut begin) = (Vec::new(), 0);
    for at in 0..=is_compiled.len() {
        let is_end = at == is_compiled.len();
        if is_end || !is_compiled[at] {
            let has_exit = is_end && exit;
            let moves = || edges(&program.blocks[block].exit).iter().any(|edge| !edge.words.is_empty());
            if at > begin || has_exit && moves() {
                parts.push(Part { block, steps: begin..at, has_exit });
            }
            begin = at + 1;
        }
    }
    parts
}

/// What the steps of these parts do with stacks.
pub(super) fn stacks(program: &Program, parts: &[Part]) -> Vec<StackUse> {
    let mut all: Vec<StackUse> = Vec::new();
    for part in parts {
        for planned in &program.blocks[part.block].steps[part.steps.clone()] {
            let (stack, width, pushes) = match &planned.step {
                Step::Push(stack, items) => (*stack, items.len(), 1),
                Step::Pop(stack, items) | Step::Peek(stack, items) => (*stack, items.len(), 0),
                Step::StackNew(stack) | Step::StackLen(_, stack) => (*stack, 0, 0),
                _ => continue,
            };
            match all.iter_mut().find(|known| known.stack == stack) {
                Some(known) => {
                    known.width = known.width.max(width);
                    known.pushes += pushes;
                }
                None => all.push(StackUse { stack, width, pushes }),
            }
        }
    }
    all
}
