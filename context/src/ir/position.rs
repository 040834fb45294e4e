//! Positions in a function.

use super::{Block, Func, Var};
use crate::Span;

/// A position in a function, as reported by errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Position {
    /// The function's head: its name, parameters and result.
    Head,
    /// A block's head: its label and parameters.
    Block(Block),
    /// An instruction by its position in its block.
    Inst(Block, usize),
    /// The terminator of a block.
    Terminator(Block),
}

impl Position {
    /// The position of a block's parameters: the function's head for the entry, otherwise the block.
    pub fn of_block(block: Block) -> Position {
        if block == Block::ENTRY { Position::Head } else { Position::Block(block) }
    }

    /// The source location of this position.
    pub fn span(self, func: &Func) -> Span {
        let of_terminator =
            |block: Block| func.blocks.get(block.index())?.terminator.as_ref().map(|end| end.span);
        match self {
            Position::Head | Position::Block(_) => Some(func.span),
            Position::Inst(block, i) => {
                func.blocks.get(block.index()).and_then(|body| body.insts.get(i)).map(|inst| inst.span)
            }
            Position::Terminator(block) => of_terminator(block),
        }
        .unwrap_or(func.span)
    }
}

impl Func {
    /// The position where each variable is defined; `None` for undefined ones. Of two definitions the first
    /// one is returned.
    pub fn definitions(&self) -> Vec<Option<Position>> {
        let mut positions = vec![None; self.vars.len()];
        let mut define = |var: Var, place| {
            if let Some(slot) = positions.get_mut(var.index()) {
                slot.get_or_insert(place);
            }
        };
        for (block, body) in self.iter_blocks() {
            body.params.iter().for_each(|&param| define(param, Position::of_block(block)));
            for (i, inst) in body.insts.iter().enumerate() {
                define(inst.result, Position::Inst(block, i));
            }
        }
        positions
    }
}
