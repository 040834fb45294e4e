//! The arguments that branches pass to each block, one row per incoming edge.

use overdub_context::ir::{Block, Func, Operand, Target};

/// The argument lists of the edges into each block, in the order of the predecessors.
pub(crate) struct IncomingArgs<'h> {
    /// The index in `args` of the first edge into each block, and the end of the last block's.
    starts: Vec<u32>,
    args: Vec<&'h [Operand]>,
}

impl<'h> IncomingArgs<'h> {
    pub(crate) fn of(func: &'h Func) -> IncomingArgs<'h> {
        let has_args = |target: &&Target| !target.args.is_empty();
        let ends = || func.blocks.iter().filter_map(|body| body.terminator.as_ref());
        let mut starts = vec![0_u32; func.blocks.len() + 1];
        let mut count = 0;
        for end in ends() {
            end.kind.targets().filter(has_args).for_each(|target| {
                starts[target.block.index()] += 1;
                count += 1;
            });
        }
        let mut before = 0;
        for start in &mut starts {
            before += std::mem::replace(start, before);
        }
        let mut args: Vec<&[Operand]> = vec![&[]; count];
        // While the edges are filled in, each block's start advances to that of the next block.
        for end in ends() {
            end.kind.targets().filter(has_args).for_each(|target| {
                let at = &mut starts[target.block.index()];
                args[*at as usize] = &target.args;
                *at += 1;
            });
        }
        starts.rotate_right(1);
        starts[0] = 0;
        IncomingArgs { starts, args }
    }

    /// The argument lists of the edges into a block; empty if it has no parameters.
    pub(crate) fn to(&self, block: Block) -> &[&'h [Operand]] {
        &self.args[self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize]
    }
}
