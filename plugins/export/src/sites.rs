//! Where the variables of a body are defined and used.

use overdub_context::analysis::{LoopId, LoopNest};
use overdub_context::ir::{Block, Operand, Var};

use crate::body::{Body, Node};

/// The places of all variables of a body, found in one walk over it.
pub(crate) struct Sites {
    /// For each variable the block that defines it, with the number of the node; none for parameters.
    defined: Vec<Option<(Block, Option<usize>)>>,
    /// The blocks of the uses of all variables, those of one after those of the one before.
    used: Vec<Block>,
    /// For each variable, where its uses begin.
    starts: Vec<usize>,
}

impl Sites {
    pub(crate) fn new(body: &Body) -> Sites {
        let mut defined = vec![None; body.vars.len()];
        let mut starts = vec![0; body.vars.len() + 1];
        for (block, code) in (0..).map(Block).zip(&body.blocks) {
            for &param in &code.params {
                defined[param.index()] = Some((block, None));
            }
            for (at, node) in code.nodes.iter().enumerate() {
                for result in node.results.iter().flatten() {
                    defined[result.index()] = Some((block, Some(at)));
                }
            }
        }
        for_each_use(body, &mut |var, _| starts[var.index() + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut ends = starts.clone();
        let mut used = vec![Block::ENTRY; starts[body.vars.len()]];
        for_each_use(body, &mut |var, block| {
            let end = &mut ends[var.index()];
            used[*end] = block;
            *end += 1;
        });
        Sites { defined, used, starts }
    }

    /// The block of each use of a variable.
    pub(crate) fn uses(&self, var: Var) -> &[Block] {
        &self.used[self.starts[var.index()]..self.starts[var.index() + 1]]
    }

    /// How often a variable is used.
    pub(crate) fn use_count(&self, var: Var) -> usize {
        self.starts[var.index() + 1] - self.starts[var.index()]
    }

    /// The node that defines a variable as its only result, and its block.
    pub(crate) fn definition<'b>(&self, body: &'b Body, var: Var) -> Option<(Block, &'b Node)> {
        let (block, at) = self.defined[var.index()]?;
        let node = &body.block(block).nodes[at?];
        (node.result() == Some(var)).then_some((block, node))
    }

    /// Whether an operand has one value during a loop.
    pub(crate) fn is_invariant(&self, loops: &LoopNest, id: LoopId, operand: &Operand) -> bool {
        let place = operand.var().and_then(|var| self.defined[var.index()]);
        place.is_none_or(|(block, _)| !loops.contains(id, block))
    }

    pub(crate) fn is_used_outside(&self, loops: &LoopNest, id: LoopId, var: Var) -> bool {
        self.uses(var).iter().any(|block| !loops.contains(id, *block))
    }
}

/// Calls `visit` with the variable and the block of each use.
fn for_each_use(body: &Body, visit: &mut dyn FnMut(Var, Block)) {
    for (block, code) in (0..).map(Block).zip(&body.blocks) {
        let operands = code.nodes.iter().flat_map(|node| &node.args).chain(code.terminator.kind.operands());
        operands.filter_map(Operand::var).for_each(|var| visit(var, block));
    }
}
