//! Reads of cells whose content was moved out (`ref.take`).

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Var};

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

/// The events of each cell in each block, by their positions in it.
#[derive(Debug, Default)]
pub(crate) struct Events {
    of: HashMap<Var, HashMap<Block, Vec<(usize, Event)>>>,
}

impl Events {
    /// Adds an event; those of a block are added in their order.
    pub(crate) fn push(&mut self, cell: Var, block: Block, at: usize, event: Event) {
        self.of.entry(cell).or_default().entry(block).or_default().push((at, event));
    }

    /// Whether a cell, which a block creates, may be read or moved out of after its content was moved out, and before it
    /// gets another one.
    pub(crate) fn is_read_when_moved(&self, cfg: &Cfg, (cell, defined_in): (Var, Block)) -> bool {
        let Some(blocks) = self.of.get(&cell) else { return false };
        let moves = blocks.iter().flat_map(|(block, events)| {
            let moves = events.iter().filter(|(_, event)| *event == Event::Move);
            moves.map(|(at, _)| (*block, at + 1))
        });
        let mut seen = HashSet::new();
        let mut pending: Vec<(Block, usize)> = moves.collect();
        while let Some((block, from)) = pending.pop() {
            let events = blocks.get(&block).map_or(&[][..], Vec::as_slice);
            match events.iter().find(|(at, _)| *at >= from).map(|(_, event)| *event) {
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
}
