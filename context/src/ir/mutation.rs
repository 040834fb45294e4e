//! The primitives for changing a function in place.
//!
//! Nothing is checked: the verifier accepts the function again once its definitions, uses and edges agree.

use super::{Block, BlockBody, Func, Inst, InstKind, Operand, Terminator, Ty, Var, VarDef};
use crate::Span;
use crate::ops::OpDef;

impl Func {
    /// A new variable, not defined yet.
    pub fn new_var(&mut self, ty: Ty) -> Var {
        let var = Var(u32::try_from(self.vars.len()).expect("a function has fewer than 2^32 variables"));
        self.vars.push(VarDef { ty, name: None });
        var
    }

    /// A new block with these parameters, at the end of the layout and without a terminator.
    pub fn new_block(&mut self, params: Vec<Var>) -> Block {
        let block = Block(u32::try_from(self.blocks.len()).expect("a function has fewer than 2^32 blocks"));
        self.blocks.push(BlockBody { name: None, params, insts: Vec::new(), terminator: None });
        block
    }

    /// A mutable block.
    pub fn block_mut(&mut self, block: Block) -> &mut BlockBody {
        &mut self.blocks[block.index()]
    }

    /// The terminator of a terminated block.
    ///
    /// # Panics
    /// If the block has none.
    pub fn terminator(&self, block: Block) -> &Terminator {
        self.block(block).terminator.as_ref().expect("V3: a verified block ends in a terminator")
    }

    /// The mutable terminator of a terminated block.
    ///
    /// # Panics
    /// If the block has none.
    pub fn terminator_mut(&mut self, block: Block) -> &mut Terminator {
        self.block_mut(block).terminator.as_mut().expect("V3: a verified block ends in a terminator")
    }

    /// Replaces the instructions of every block: `rewrite` gets each in turn, and appends what takes its place.
    ///
    /// # Errors
    /// The first error of `rewrite`; the function is incomplete then.
    ///
    /// ```
    /// use overdub_context::ir::{InstKind, Operand, Ty};
    /// use overdub_context::{ops, text};
    ///
    /// // The negation of every sum.
    /// let mut func = text::parse_func("fn @f(%x: f64) -> f64 {\n  %y: f64 = add %x, 1.0\n  ret %y\n}")?;
    /// func.rewrite_insts(|func, inst, out| {
    ///     let (result, span) = (inst.result, inst.span);
    ///     let sum = func.new_var(func.ty(result));
    ///     out.push(overdub_context::ir::Inst { result: sum, ..inst });
    ///     let kind = InstKind::Op { op: &ops::NEG, args: vec![Operand::Var(sum)] };
    ///     out.push(overdub_context::ir::Inst { result, kind, span });
    ///     Ok::<(), std::convert::Infallible>(())
    /// })?;
    /// assert!(func.to_string().contains("%y: f64 = neg"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rewrite_insts<E>(
        &mut self,
        mut rewrite: impl FnMut(&mut Func, Inst, &mut Vec<Inst>) -> Result<(), E>,
    ) -> Result<(), E> {
        for at in 0..self.blocks.len() {
            let insts = std::mem::take(&mut self.blocks[at].insts);
            let mut out = Vec::with_capacity(insts.len());
            insts.into_iter().try_for_each(|inst| rewrite(self, inst, &mut out))?;
            self.blocks[at].insts = out;
        }
        Ok(())
    }

    /// Appends an operation to `insts`; returns its result.
    pub fn push_op(
        &mut self,
        insts: &mut Vec<Inst>,
        op: &'static OpDef,
        args: Vec<Operand>,
        ty: Ty,
        span: Span,
    ) -> Var {
        let result = self.new_var(ty);
        insts.push(Inst { result, kind: InstKind::Op { op, args }, span });
        result
    }
}
