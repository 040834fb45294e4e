//! The shape of a function while passes change it: its blocks, and which follows which.
//!
//! - A shape is made again only where a look at the branches says that it is another one: most passes leave it.

use std::sync::{Arc, OnceLock};

use overdub_context::analysis::{Cfg, Dominators, LoopNest};

use crate::support::func_editor::FuncEditor;

/// What follows from the branches of a function alone.
#[derive(Debug)]
pub(crate) struct CfgAnalyses {
    pub(crate) cfg: Cfg,
    dominators: OnceLock<Dominators>,
    loops: OnceLock<LoopNest>,
}

impl CfgAnalyses {
    pub(crate) fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::new(&self.cfg))
    }

    pub(crate) fn loops(&self) -> &LoopNest {
        self.loops.get_or_init(|| LoopNest::new(&self.cfg, self.dominators()))
    }
}

impl FuncEditor<'_> {
    /// The shape of the function as it stands.
    pub(crate) fn cfg_analyses(&mut self) -> Arc<CfgAnalyses> {
        match &self.analyses {
            Some(analyses) if analyses.cfg.is_of(&self.func) => analyses.clone(),
            _ => {
                let cfg = Cfg::new(&self.func);
                let analyses =
                    Arc::new(CfgAnalyses { cfg, dominators: OnceLock::new(), loops: OnceLock::new() });
                self.analyses = Some(analyses.clone());
                analyses
            }
        }
    }

    /// Empties the blocks that cannot be reached.
    pub(crate) fn prune(&mut self) {
        let analyses = self.cfg_analyses();
        let all = self.func.blocks.iter().filter(|body| body.terminator.is_some()).count();
        if all == analyses.cfg.reverse_postorder().len() {
            return;
        }
        for (at, body) in (0..).zip(&mut self.func.blocks) {
            if !analyses.cfg.is_reachable(overdub_context::ir::Block(at)) {
                body.params.clear();
                body.insts.clear();
                body.terminator = None;
            }
        }
    }
}
