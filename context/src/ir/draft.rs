//! A function under construction.

use smallvec::SmallVec;

use super::{Block, BlockBody, Func, Operand, Var};

/// A function under construction: blocks are not in layout order, replacements are not applied yet.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) func: Func,
    pub(crate) layout: Vec<Block>,
    pub(crate) laid_out: Vec<bool>,
    pub(crate) preds: Vec<SmallVec<[Block; 2]>>,
    pub(crate) replaced: Vec<Option<Operand>>,
    /// The number of leading variables, and of blocks, that keep their printed label.
    pub(crate) kept_vars: usize,
    pub(crate) kept_blocks: usize,
}

impl Draft {
    /// The variables and blocks of `source`, without instructions.
    pub(crate) fn over(source: &Func) -> Draft {
        let empty = |body: &BlockBody| BlockBody {
            name: body.name,
            params: body.params.clone(),
            insts: Vec::new(),
            terminator: None,
        };
        let blocks: Vec<BlockBody> = source.blocks.iter().map(empty).collect();
        Draft {
            layout: Vec::new(),
            laid_out: vec![false; blocks.len()],
            preds: vec![SmallVec::new(); blocks.len()],
            replaced: vec![None; source.vars.len()],
            kept_vars: source.vars.len(),
            kept_blocks: blocks.len(),
            func: Func {
                name: source.name,
                ret: source.ret,
                span: source.span,
                blocks,
                vars: source.vars.clone(),
                debug: None,
            },
        }
    }

    /// Replaces `var` by `operand`; an operand that resolves to `var` changes nothing.
    pub(crate) fn replace(&mut self, var: Var, operand: Operand) {
        let operand = self.resolve(operand);
        if operand != Operand::Var(var) {
            self.replaced[var.index()] = Some(operand);
        }
    }

    /// The operand after all replacements.
    pub(crate) fn resolve(&mut self, operand: Operand) -> Operand {
        let mut end = operand.clone();
        while let Operand::Var(var) = end
            && let Some(next) = &self.replaced[var.index()]
        {
            end = next.clone();
        }
        // The path is compressed, so that long chains are walked once.
        let mut step = operand;
        while let Operand::Var(var) = step
            && step != end
            && let Some(next) = self.replaced[var.index()].replace(end.clone())
        {
            step = next;
        }
        end
    }
}
