//! Positions in a function.

use super::{Block, Func, Var};
use crate::Span;

/// A position in a function, as reported by errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    /// The function's head: its name, parameters and result.
    Head,
    /// A block's head: its label and parameters.
    Block(Block),
    /// An instruction by its position in its block.
    Inst(Block, usize),
    /// The terminator of a block.
    Terminator(Block),
}

impl Place {
    /// The position of a block's parameters: the function's head for the entry, otherwise the block.
    pub fn of_block(block: Block) -> Place {
        if block == Block::ENTRY { Place::Head } else { Place::Block(block) }
    }

    /// The source location of this position.
    pub fn span(self, func: &Func) -> Span {
        let of_terminator =
            |block: Block| func.blocks.get(block.index())?.terminator.as_ref().map(|end| end.span);
        match self {
            Place::Head | Place::Block(_) => Some(func.span),
            Place::Inst(block, i) => {
                func.blocks.get(block.index()).and_then(|body| body.insts.get(i)).map(|inst| inst.span)
            }
            Place::Terminator(block) => of_terminator(block),
        }
        .unwrap_or(func.span)
    }
}

impl Func {
    /// The position where each variable is defined; `None` for undefined ones. Of two definitions the first
    /// one is returned.
    pub fn definitions(&self) -> Vec<Option<Place>> {
        let mut places = vec![None; self.vars.len()];
        let mut define = |var: Var, place| {
            if let Some(slot) = places.get_mut(var.index()) {
                slot.get_or_insert(place);
            }
        };
        for (block, body) in self.iter_blocks() {
            body.params.iter().for_each(|&param| define(param, Place::of_block(block)));
            for (i, inst) in body.insts.iter().enumerate() {
                define(inst.result, Place::Inst(block, i));
            }
        }
        places
    }
}
