//! SSA repair: block parameters for a variable that several blocks define.

use std::collections::VecDeque;

use hashbrown::HashMap;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Operand, Ty, Var};

use crate::support::func_editor::FuncEditor;

/// A value that several blocks define: which of them reaches where. It makes block parameters where they meet.
pub(crate) struct Reach<'c> {
    cfg: &'c Cfg,
    ty: Ty,
    /// What it is where a block ends that defines it, ordered by the blocks.
    ends: Vec<(Block, Operand)>,
    params: HashMap<Block, Var>,
    pending: VecDeque<Block>,
}

impl<'c> Reach<'c> {
    /// The value of this type that is one of `ends`, ordered by the blocks, where a block ends that defines it.
    pub(crate) fn new(cfg: &'c Cfg, ty: Ty, ends: Vec<(Block, Operand)>) -> Reach<'c> {
        Reach { cfg, ty, ends, params: HashMap::new(), pending: VecDeque::new() }
    }

    /// What it is where `block` ends, if that defines it.
    fn end(&self, block: Block) -> Option<Operand> {
        let at = self.ends.binary_search_by_key(&block, |(block, _)| *block).ok()?;
        Some(self.ends[at].1.clone())
    }

    /// What it is where `block` begins.
    pub(crate) fn at_start(&mut self, editor: &mut FuncEditor<'_>, mut block: Block) -> Operand {
        loop {
            if let Some(&param) = self.params.get(&block) {
                return param.into();
            }
            if let [pred] = self.cfg.preds(block)
                && (*pred != block)
            {
                match self.end(*pred) {
                    Some(end) => return end,
                    None => block = *pred,
                }
                continue;
            }
            let param = editor.new_var(self.ty);
            self.params.insert(block, param);
            self.pending.push_back(block);
            return param.into();
        }
    }

    /// Hands the parameters that were made their arguments.
    pub(crate) fn finish(mut self, editor: &mut FuncEditor<'_>) {
        while let Some(block) = self.pending.pop_front() {
            let param = self.params[&block];
            editor.body(block).params.push(param);
            for &pred in self.cfg.preds(block) {
                if !self.cfg.is_reachable(pred) {
                    continue;
                }
                let value = match self.end(pred) {
                    Some(end) => end,
                    None => self.at_start(editor, pred),
                };
                for target in editor.end_mut(pred).kind.targets_mut().filter(|target| target.block == block) {
                    target.args.push(value.clone());
                }
            }
        }
    }
}
