//! A function while passes change it.
//!
//! - W1 its blocks and variables keep their ids while passes run one after the other; what is left out stays in the
//!   tables as an empty entry until [`FuncEditor::finish`].
//! - W2 between passes every substitution is carried out, and blocks that cannot be reached are empty.
//! - W3 [`FuncEditor::finish`] copies it through the rewriter, which keeps printed labels and checks what it is given;
//!   [`FuncEditor::finish_unlabelled`] only numbers it anew.

use std::collections::VecDeque;
use std::sync::Arc;

use hashbrown::HashMap;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{
    Block, BlockBody, Func, Inst, InstKind, Operand, Place, Target, Terminator, TerminatorKind, Ty, Var,
    VarDef,
};
use overdub_context::{Span, Symbol, ops::OpDef};

use crate::cfg_analyses::CfgAnalyses;

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

/// Runs `f` on every operand of a block.
pub(crate) fn for_each_operand(body: &mut BlockBody, mut f: impl FnMut(&mut Operand)) {
    body.insts.iter_mut().for_each(|inst| inst.kind.operands_mut().for_each(&mut f));
    if let Some(end) = &mut body.terminator {
        end.kind.operand_mut().into_iter().for_each(&mut f);
        end.kind.targets_mut().for_each(|target| target.args.iter_mut().for_each(&mut f));
    }
}

/// Runs `f` on every variable that a block reads.
pub(crate) fn for_each_use(body: &BlockBody, mut f: impl FnMut(Var)) {
    let mut used = |operand: &Operand| operand.var().into_iter().for_each(&mut f);
    body.insts.iter().for_each(|inst| inst.kind.operands().for_each(&mut used));
    if let Some(end) = &body.terminator {
        end.kind.operand().into_iter().for_each(&mut used);
        end.kind.targets().for_each(|target| target.args.iter().for_each(&mut used));
    }
}

/// How often each variable is used by instructions, terminators and block arguments.
pub(crate) fn uses(func: &Func) -> Vec<u32> {
    let mut uses = vec![0; func.vars.len()];
    func.blocks.iter().for_each(|body| for_each_use(body, |var| uses[var.index()] += 1));
    uses
}

/// Where the variables of a function are defined.
pub(crate) struct Defs {
    /// The block and the position in it: from [`PARAM`] on of parameters, [`NOWHERE`] for what is not defined.
    places: Vec<(Block, u32)>,
}

const PARAM: u32 = 1 << 31;
const NOWHERE: u32 = u32::MAX;

impl Defs {
    pub(crate) fn of(func: &Func) -> Defs {
        let mut places = vec![(Block::ENTRY, NOWHERE); func.vars.len()];
        for (block, body) in func.iter_blocks() {
            (PARAM..).zip(&body.params).for_each(|(k, param)| places[param.index()] = (block, k));
            for (i, inst) in (0..).zip(&body.insts) {
                places[inst.result.index()] = (block, i);
            }
        }
        Defs { places }
    }

    /// Where a variable is defined.
    pub(crate) fn place(&self, var: Var) -> Option<Place> {
        match *self.places.get(var.index())? {
            (_, NOWHERE) => None,
            (block, PARAM..) => Some(Place::of_block(block)),
            (block, i) => Some(Place::Inst(block, i as usize)),
        }
    }

    /// The block that has a variable as a parameter, and which one it is.
    pub(crate) fn param(&self, var: Var) -> Option<(Block, usize)> {
        let (block, k) = *self.places.get(var.index())?;
        (PARAM..NOWHERE).contains(&k).then(|| (block, (k - PARAM) as usize))
    }

    /// The block that defines a variable.
    pub(crate) fn block(&self, var: Var) -> Option<Block> {
        self.places.get(var.index()).filter(|(_, i)| *i != NOWHERE).map(|(block, _)| *block)
    }

    /// The instruction that defines an operand, as long as no instruction was moved.
    pub(crate) fn inst<'w>(&self, func: &'w Func, operand: &Operand) -> Option<&'w InstKind> {
        let var = operand.var()?;
        let (block, i) = *self.places.get(var.index())?;
        let inst = func.block(block).insts.get(i as usize)?;
        (inst.result == var).then_some(&inst.kind)
    }
}

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

/// `br block(args)`
pub(crate) fn br(block: Block, args: Vec<Operand>, span: Span) -> Terminator {
    Terminator { kind: TerminatorKind::Br(Target { block, args }), span }
}
