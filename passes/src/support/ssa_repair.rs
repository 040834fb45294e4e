//! SSA repair: block parameters for a variable that several blocks define.

use std::collections::VecDeque;

use hashbrown::HashMap;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Operand, Ty, Var};

use overdub_context::edit::FuncEditor;

/// Resolves the uses of a value that several blocks define, and inserts block parameters where definitions meet (LLVM:
/// `SSAUpdater`).
pub(crate) struct SsaRepair<'c> {
    cfg: &'c Cfg,
    ty: Ty,
    /// The value at the end of each block that defines it, sorted by block.
    ends: Vec<(Block, Operand)>,
    /// The parameters that were inserted.
    params: HashMap<Block, Var>,
    /// The blocks whose new parameter has no arguments yet.
    pending: VecDeque<Block>,
}

impl<'c> SsaRepair<'c> {
    /// A value of this type, defined at the end of the blocks of `ends`, which are sorted by block.
    pub(crate) fn new(cfg: &'c Cfg, ty: Ty, ends: Vec<(Block, Operand)>) -> SsaRepair<'c> {
        SsaRepair { cfg, ty, ends, params: HashMap::new(), pending: VecDeque::new() }
    }

    /// The value at the end of `block`, if the block defines it.
    fn end(&self, block: Block) -> Option<Operand> {
        let at = self.ends.binary_search_by_key(&block, |(block, _)| *block).ok()?;
        Some(self.ends[at].1.clone())
    }

    /// The value at the start of `block`.
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

    /// Appends the arguments for the inserted parameters.
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
                for target in
                    editor.terminator_mut(pred).kind.targets_mut().filter(|target| target.block == block)
                {
                    target.args.push(value.clone());
                }
            }
        }
    }
}
