//! Uses of cells after the end of their life (`ref.end`).

use hashbrown::HashSet;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Var};

/// An instruction on a reference: the reference, the block and the position in it.
pub(crate) type Access = (Var, Block, usize);

/// Whether any of the accesses to a cell, which a block creates, may run after one of the ends of its life.
pub(crate) fn is_used_after_end(
    cfg: &Cfg,
    (cell, defined_in): (Var, Block),
    ends: &[Access],
    accesses: &[Access],
) -> bool {
    ends.iter().filter(|(ended, ..)| *ended == cell).any(|&(_, block, end)| {
        let after = reachable(cfg, block, defined_in);
        accesses.iter().any(|&(of, used_in, at)| {
            of == cell && (used_in == block && at > end || after.contains(&used_in))
        })
    })
}

/// The blocks that may run after a block, up to the one that creates the next cell.
fn reachable(cfg: &Cfg, block: Block, defined_in: Block) -> HashSet<Block> {
    let mut found = HashSet::new();
    let mut pending = vec![block];
    while let Some(block) = pending.pop() {
        for &next in cfg.succs(block) {
            if next != defined_in && found.insert(next) {
                pending.push(next);
            }
        }
    }
    found
}
