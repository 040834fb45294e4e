//! Liveness of a body's variables, where the use of a borrowed part is a use of the value that it is part of.

use hashbrown::HashMap;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Operand, Var};

use crate::bits::Bits;
use crate::body::Body;

/// The variables that are live at the start and at the end of each block.
pub(crate) struct Liveness {
    live_in: Vec<Bits>,
    live_out: Vec<Bits>,
    /// Variables that are also used at the start of a block.
    extra: HashMap<Block, Vec<Var>>,
}

/// For each variable that is a borrowed part of another one, that one.
pub(crate) type Borrows = Vec<Option<Var>>;

/// Calls `visit` with a variable and with those that it is borrowed from.
pub(crate) fn with_owners(var: Var, borrows: &Borrows, mut visit: impl FnMut(Var)) {
    let mut next = Some(var);
    while let Some(var) = next {
        visit(var);
        next = borrows[var.index()];
    }
}

impl Liveness {
    pub(crate) fn new(body: &Body, cfg: &Cfg, borrows: &Borrows) -> Liveness {
        Liveness::with_extra(body, cfg, borrows, HashMap::new())
    }

    /// With further uses at the start of blocks.
    pub(crate) fn with_extra(
        body: &Body,
        cfg: &Cfg,
        borrows: &Borrows,
        extra: HashMap<Block, Vec<Var>>,
    ) -> Liveness {
        let empty = Bits::new(body.vars.len());
        let mut live = Liveness {
            live_in: vec![empty.clone(); body.blocks.len()],
            live_out: vec![empty; body.blocks.len()],
            extra,
        };
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_postorder().iter().rev() {
                let mut at_end = live.live_out[block.index()].clone();
                for succ in cfg.succs(block) {
                    at_end.union(&live.live_in[succ.index()]);
                }
                live.live_out[block.index()] = at_end;
                let mut now = live.live_out[block.index()].clone();
                live.walk(body, block, borrows, |_, _| {}, &mut now);
                changed |= live.live_in[block.index()].union(&now);
            }
        }
        live
    }

    pub(crate) fn is_live_in(&self, block: Block, var: Var) -> bool {
        self.live_in[block.index()].contains(var.index())
    }

    pub(crate) fn live_in(&self, block: Block) -> &Bits {
        &self.live_in[block.index()]
    }

    /// Visits the terminator (as node number `nodes.len()`) and the nodes of a block from its end, each with the
    /// variables that are live after it; those of the terminator are live at the end of the block.
    pub(crate) fn visit(
        &self,
        body: &Body,
        block: Block,
        borrows: &Borrows,
        visit: impl FnMut(usize, &Bits),
    ) {
        let mut now = self.live_out[block.index()].clone();
        self.walk(body, block, borrows, visit, &mut now);
    }

    fn walk(
        &self,
        body: &Body,
        block: Block,
        borrows: &Borrows,
        mut visit: impl FnMut(usize, &Bits),
        now: &mut Bits,
    ) {
        let code = body.block(block);
        let add = |operand: &Operand, now: &mut Bits| {
            if let Some(var) = operand.var() {
                with_owners(var, borrows, |var| {
                    now.insert(var.index());
                });
            }
        };
        visit(code.nodes.len(), now);
        code.terminator.kind.operands().for_each(|operand| add(operand, now));
        for (at, node) in code.nodes.iter().enumerate().rev() {
            visit(at, now);
            node.results.iter().flatten().for_each(|var| now.remove(var.index()));
            node.args.iter().for_each(|operand| add(operand, now));
        }
        for &var in self.extra.get(&block).into_iter().flatten() {
            add(&Operand::Var(var), now);
        }
        code.params.iter().for_each(|var| now.remove(var.index()));
    }
}
