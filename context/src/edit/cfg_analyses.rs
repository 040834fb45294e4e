//! The control-flow analyses of a function, cached while passes edit it.
//!
//! - CFGA1 the cache is valid as long as the blocks have the same successors; most passes do not change them.

use std::sync::{Arc, OnceLock};

use super::FuncEditor;
use crate::analysis::{Cfg, Dominators, LoopNest};
use crate::ir::Block;

/// The analyses of control flow alone; dominators and loops are computed on first use.
#[derive(Debug)]
pub struct CfgAnalyses {
    /// The edges.
    pub cfg: Cfg,
    dominators: OnceLock<Dominators>,
    loops: OnceLock<LoopNest>,
}

impl CfgAnalyses {
    /// The dominator tree.
    pub fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::new(&self.cfg))
    }

    /// The loops.
    pub fn loops(&self) -> &LoopNest {
        self.loops.get_or_init(|| LoopNest::new(&self.cfg, self.dominators()))
    }
}

impl FuncEditor<'_> {
    /// The analyses of the current function (CFGA1).
    pub fn cfg_analyses(&mut self) -> Arc<CfgAnalyses> {
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

    /// Empties the unreachable blocks.
    pub fn clear_unreachable(&mut self) {
        let analyses = self.cfg_analyses();
        let nonempty = self.func.blocks.iter().filter(|body| body.terminator.is_some()).count();
        if nonempty == analyses.cfg.reverse_postorder().len() {
            return;
        }
        for (number, body) in (0..).zip(&mut self.func.blocks) {
            if !analyses.cfg.is_reachable(Block(number)) {
                body.params.clear();
                body.insts.clear();
                body.terminator = None;
            }
        }
    }
}
