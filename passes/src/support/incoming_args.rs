//! What blocks that have parameters are handed, by each way into them.

use overdub_context::ir::{Block, Func, Operand, Target};

/// What each block is handed, in the order of the blocks that go there.
pub(crate) struct IncomingArgs<'h> {
    /// Where the ways into each block start, and behind the last block's.
    starts: Vec<u32>,
    args: Vec<&'h [Operand]>,
}

impl<'h> IncomingArgs<'h> {
    pub(crate) fn of(func: &'h Func) -> IncomingArgs<'h> {
        let hands = |target: &&Target| !target.args.is_empty();
        let ends = || func.blocks.iter().filter_map(|body| body.terminator.as_ref());
        let mut starts = vec![0_u32; func.blocks.len() + 1];
        let mut count = 0;
        for end in ends() {
            end.kind.targets().filter(hands).for_each(|target| {
                starts[target.block.index()] += 1;
                count += 1;
            });
        }
        let mut before = 0;
        for start in &mut starts {
            before += std::mem::replace(start, before);
        }
        let mut args: Vec<&[Operand]> = vec![&[]; count];
        // Each block's start moves on to the next one's while its ways are filled in.
        for end in ends() {
            end.kind.targets().filter(hands).for_each(|target| {
                let at = &mut starts[target.block.index()];
                args[*at as usize] = &target.args;
                *at += 1;
            });
        }
        starts.rotate_right(1);
        starts[0] = 0;
        IncomingArgs { starts, args }
    }

    /// What a block is handed by each way into it.
    pub(crate) fn to(&self, block: Block) -> &[&'h [Operand]] {
        &self.args[self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize]
    }
}
