//! A function while passes change it.
//!
//! - W1 its blocks and variables keep their ids while passes run one after the other; what is left out stays in the
//!   tables as an empty entry until [`FuncEditor::finish`].
//! - W2 between passes every substitution is carried out, and blocks that cannot be reached are empty.
//! - W3 [`FuncEditor::finish`] copies it through the rewriter, which keeps printed labels and checks what it is given;
//!   [`FuncEditor::finish_unlabelled`] only numbers it anew.

mod compact;
mod uses;

use std::sync::Arc;

use hashbrown::HashMap;
use overdub_context::ir::{
    Block, BlockBody, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, Var, VarDef,
};
use overdub_context::{Span, Symbol, ops::OpDef};

use crate::support::cfg_analyses::CfgAnalyses;
pub(crate) use uses::{Defs, for_each_operand, for_each_use, uses};

/// A function while passes change it.
#[derive(Clone, Debug)]
pub struct FuncEditor<'f> {
    pub(crate) source: &'f Func,
    pub(crate) func: Func,
    subst: Vec<Option<Operand>>,
    /// Whether anything is to be put in the place of anything.
    substitutes: bool,
    /// The shape that was looked at last, which may not be that of the function any more.
    pub(crate) analyses: Option<Arc<CfgAnalyses>>,
    /// The functions in whose bodies a call stood before they were inlined, by the call's result.
    pub(crate) inlined_from: HashMap<Var, Vec<Symbol>>,
}

impl<'f> FuncEditor<'f> {
    /// Starts with a copy of `source`, which is verified.
    pub fn new(source: &'f Func) -> FuncEditor<'f> {
        let func = source.clone();
        let subst = vec![None; func.vars.len()];
        FuncEditor { source, func, subst, substitutes: false, analyses: None, inlined_from: HashMap::new() }
    }

    /// The function as it stands.
    pub fn func(&self) -> &Func {
        &self.func
    }

    /// A variable that nothing defines yet.
    pub(crate) fn new_var(&mut self, ty: Ty) -> Var {
        let var = Var(self.func.vars.len() as u32);
        self.func.vars.push(VarDef { ty, name: None });
        self.subst.push(None);
        var
    }

    /// A variable like another one, which another function may have.
    pub(crate) fn new_var_like(&mut self, def: VarDef) -> Var {
        let var = self.new_var(def.ty);
        self.func.vars[var.index()].name = def.name;
        var
    }

    /// An empty block at the end.
    pub(crate) fn new_block(&mut self, name: Option<Symbol>) -> Block {
        let block = Block(self.func.blocks.len() as u32);
        self.func.blocks.push(BlockBody { name, params: Vec::new(), insts: Vec::new(), terminator: None });
        block
    }

    pub(crate) fn body(&mut self, block: Block) -> &mut BlockBody {
        &mut self.func.blocks[block.index()]
    }

    /// The blocks that are not empty.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        self.func
            .iter_blocks()
            .filter(|(_, body)| body.terminator.is_some())
            .map(|(block, _)| block)
            .collect()
    }

    /// The terminator of a block that is not empty.
    pub(crate) fn end(&self, block: Block) -> &Terminator {
        self.func.block(block).terminator.as_ref().expect("V3: a verified block ends in a terminator")
    }

    pub(crate) fn end_mut(&mut self, block: Block) -> &mut Terminator {
        self.body(block).terminator.as_mut().expect("V3: a verified block ends in a terminator")
    }

    /// The type of an operand.
    pub(crate) fn ty(&self, operand: &Operand) -> Ty {
        overdub_context::ir::typing::operand_ty(&self.func, operand)
            .expect("V12: a constant operand is a scalar")
    }

    /// The types of operands.
    pub(crate) fn tys(&self, operands: &[Operand]) -> Vec<Ty> {
        operands.iter().map(|operand| self.ty(operand)).collect()
    }

    /// Lets `operand` stand for `var` from the next [`FuncEditor::carry_out`] on.
    pub(crate) fn replace(&mut self, var: Var, operand: Operand) {
        let operand = self.resolve(&operand);
        if operand != Operand::Var(var) {
            self.subst[var.index()] = Some(operand);
            self.substitutes = true;
        }
    }

    /// What stands for `operand` besides itself.
    pub(crate) fn stands_for(&self, operand: &Operand) -> Option<Operand> {
        self.subst[operand.var()?.index()].as_ref().map(|next| self.resolve(next))
    }

    /// What stands for `operand`.
    pub(crate) fn resolve(&self, operand: &Operand) -> Operand {
        resolved(&self.subst, operand).clone()
    }

    /// A block that is not empty, to be changed, and what stands for operands in it.
    pub(crate) fn body_and_subst(&mut self, block: Block) -> (&mut BlockBody, Subst<'_>) {
        (&mut self.func.blocks[block.index()], Subst(&self.subst))
    }

    /// Puts what stands for them in the place of all operands.
    pub(crate) fn carry_out(&mut self) {
        if !std::mem::replace(&mut self.substitutes, false) {
            return;
        }
        for at in 0..self.subst.len() {
            if self.subst[at].is_some() {
                self.subst[at] = Some(self.resolve(&Operand::Var(Var(at as u32))));
            }
        }
        let subst = &self.subst;
        self.func.blocks.iter_mut().for_each(|body| {
            for_each_operand(body, |operand| {
                if let Operand::Var(var) = operand
                    && let Some(new) = &subst[var.index()]
                {
                    *operand = new.clone();
                }
            });
        });
        // Whoever was replaced is not used any more; its definition may stay until it is found dead.
        self.subst.iter_mut().for_each(|slot| *slot = None);
    }

    /// Leaves out the parameters of blocks that do not stay, and what is handed to them; the entry keeps its own.
    pub(crate) fn drop_params(&mut self, stays: impl Fn(Var) -> bool) {
        let func = &mut self.func;
        let some_goes = |params: &[Var]| !params.iter().all(|param| stays(*param));
        let loses: Vec<bool> =
            func.blocks.iter().enumerate().map(|(at, body)| at > 0 && some_goes(&body.params)).collect();
        if !loses.contains(&true) {
            return;
        }
        for at in 0..func.blocks.len() {
            let hands = |end: &Terminator| end.kind.targets().any(|target| loses[target.block.index()]);
            if !func.blocks[at].terminator.as_ref().is_some_and(hands) {
                continue;
            }
            let Some(mut end) = func.blocks[at].terminator.take() else { continue };
            for target in end.kind.targets_mut().filter(|target| loses[target.block.index()]) {
                let mut params = func.blocks[target.block.index()].params.iter();
                target.args.retain(|_| params.next().is_none_or(|param| stays(*param)));
            }
            func.blocks[at].terminator = Some(end);
        }
        let losing = func.blocks.iter_mut().zip(loses).filter(|(_, loses)| *loses);
        losing.for_each(|(body, _)| body.params.retain(|param| stays(*param)));
    }

    /// Leaves out the instructions whose results are gone.
    pub(crate) fn drop_insts(&mut self, gone: &[bool]) {
        if gone.contains(&true) {
            let stays = |inst: &Inst| gone.get(inst.result.index()) != Some(&true);
            self.func.blocks.iter_mut().for_each(|body| body.insts.retain(stays));
        }
    }

    /// Whether an operation for which `wanted` holds stands anywhere.
    pub(crate) fn has_op(&self, wanted: impl Fn(&OpDef) -> bool) -> bool {
        let is = |inst: &Inst| matches!(&inst.kind, InstKind::Op { op, .. } if wanted(op));
        self.func.blocks.iter().any(|body| body.insts.iter().any(is))
    }

    /// An instruction of an operation, to be put into a block; its result.
    pub(crate) fn op(
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

    /// How many instructions there are.
    pub(crate) fn size(&self) -> usize {
        self.func.blocks.iter().map(|body| body.insts.len()).sum()
    }
}

/// What stands for operands, as [`FuncEditor::resolve`] says it.
#[derive(Clone, Copy)]
pub(crate) struct Subst<'w>(&'w [Option<Operand>]);

impl Subst<'_> {
    /// What stands for a variable besides itself.
    pub(crate) fn stands_for(self, var: Var) -> Option<Operand> {
        self.0[var.index()].as_ref().map(|next| resolved(self.0, next).clone())
    }
}

fn resolved<'o>(subst: &'o [Option<Operand>], operand: &'o Operand) -> &'o Operand {
    let mut end = operand;
    while let Operand::Var(var) = end
        && let Some(next) = &subst[var.index()]
    {
        end = next;
    }
    end
}

/// `br block(args)`
pub(crate) fn br(block: Block, args: Vec<Operand>, span: Span) -> Terminator {
    Terminator { kind: TerminatorKind::Br(Target { block, args }), span }
}
