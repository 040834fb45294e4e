//! Reads of cells whose content was moved out (`ref.take`).

use hashbrown::HashSet;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Var};

use super::lifetime::Access;

/// What an instruction does to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The content is moved out of it.
    Move,
    /// It gets a content.
    Write,
    /// Its content is needed.
    Read,
}

/// Whether a cell, which a block creates, may be read or moved out of after its content was moved out, and before it gets
/// another one. The events are those of the function, in the order of each block.
pub(crate) fn is_read_when_moved(
    cfg: &Cfg,
    (cell, defined_in): (Var, Block),
    events: &[(Access, Event)],
) -> bool {
    let of_block = |block: Block, from: usize| {
        let is_here = move |((of, at_block, at), _): &&(Access, Event)| {
            *of == cell && *at_block == block && *at >= from
        };
        events.iter().find(is_here).map(|(_, event)| *event)
    };
    let moves = events.iter().filter(|((of, ..), event)| *of == cell && *event == Event::Move);
    let mut seen = HashSet::new();
    let mut pending: Vec<(Block, usize)> = moves.map(|((_, block, at), _)| (*block, at + 1)).collect();
    while let Some((block, from)) = pending.pop() {
        match of_block(block, from) {
            Some(Event::Write) => {}
            Some(Event::Read | Event::Move) => return true,
            None => {
                let next = cfg.succs(block).iter().filter(|next| **next != defined_in);
                pending.extend(next.filter(|next| seen.insert(**next)).map(|next| (*next, 0)));
            }
        }
    }
    false
}
