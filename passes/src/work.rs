//! A function while passes change it.
//!
//! - W1 its blocks and variables keep their ids while passes run one after the other; what is left out stays in the
//!   tables as an empty entry until [`Work::finish`].
//! - W2 between passes every substitution is carried out, and blocks that cannot be reached are empty.
//! - W3 [`Work::finish`] copies it through the rewriter, which keeps printed labels and checks what it is given.

use std::collections::VecDeque;

use hashbrown::HashMap;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{
    Block, BlockBody, Func, Inst, InstKind, Operand, Place, Rewriter, Target, Terminator, TerminatorKind, Ty,
    Var, VarDef,
};
use overdub_context::{Span, Symbol, ops::OpDef};

/// A function while passes change it.
#[derive(Clone, Debug)]
pub struct Work<'f> {
    source: &'f Func,
    pub(crate) func: Func,
    subst: Vec<Option<Operand>>,
    /// The functions in whose bodies a call stood before they were inlined, by the call's result.
    pub(crate) inlined_from: HashMap<Var, Vec<Symbol>>,
}

impl<'f> Work<'f> {
    /// Starts with a copy of `source`, which is verified.
    pub fn new(source: &'f Func) -> Work<'f> {
        let func = source.clone();
        let subst = vec![None; func.vars.len()];
        Work { source, func, subst, inlined_from: HashMap::new() }
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

    /// Lets `operand` stand for `var` from the next [`Work::carry_out`] on.
    pub(crate) fn replace(&mut self, var: Var, operand: Operand) {
        let operand = self.resolve(&operand);
        if operand != Operand::Var(var) {
            self.subst[var.index()] = Some(operand);
        }
    }

    /// What stands for `operand`.
    pub(crate) fn resolve(&self, operand: &Operand) -> Operand {
        let mut end = operand;
        while let Operand::Var(var) = end
            && let Some(next) = &self.subst[var.index()]
        {
            end = next;
        }
        end.clone()
    }

    /// Puts what stands for them in the place of all operands.
    pub(crate) fn carry_out(&mut self) {
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

    /// Empties the blocks that cannot be reached.
    pub(crate) fn prune(&mut self) {
        let cfg = Cfg::new(&self.func);
        for block in self.blocks() {
            if !cfg.is_reachable(block) {
                let body = self.body(block);
                body.params.clear();
                body.insts.clear();
                body.terminator = None;
            }
        }
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

    /// The function.
    pub fn finish(self) -> Func {
        let order = Cfg::new(&self.func).reverse_postorder().to_vec();
        let mut copy = Copy::new(&self, &order);
        for &block in &order {
            copy.block(block);
        }
        let mut func = copy.rewriter.finish().expect("W2: what the passes leave is well formed");
        func.span = self.func.span;
        func
    }
}

/// Runs `f` on every operand of a block.
pub(crate) fn for_each_operand(body: &mut BlockBody, mut f: impl FnMut(&mut Operand)) {
    body.insts.iter_mut().flat_map(|inst| inst.kind.operands_mut()).for_each(&mut f);
    if let Some(end) = &mut body.terminator {
        end.kind.operand_mut().into_iter().for_each(&mut f);
        end.kind.targets_mut().flat_map(|target| &mut target.args).for_each(f);
    }
}

/// A worked function on its way through the rewriter.
struct Copy<'w, 'f> {
    work: &'w Work<'f>,
    rewriter: Rewriter<'f>,
    vars: Vec<Var>,
    blocks: Vec<Block>,
}

impl<'w, 'f> Copy<'w, 'f> {
    fn new(work: &'w Work<'f>, order: &[Block]) -> Self {
        let mut rewriter = Rewriter::new(work.source);
        let mut blocks: Vec<Block> = (0..work.func.blocks.len() as u32).map(Block).collect();
        let mut vars: Vec<Var> = (0..work.func.vars.len() as u32).map(Var).collect();
        let (old_vars, old_blocks) = (work.source.vars.len(), work.source.blocks.len());
        for &block in order {
            let body = work.func.block(block);
            let new = if block.index() < old_blocks {
                rewriter.retain_params(block, |_| false);
                block
            } else {
                match body.name {
                    Some(name) => rewriter.named_block(&name),
                    None => rewriter.new_block(),
                }
            };
            blocks[block.index()] = new;
            for &param in &body.params {
                if param.index() < old_vars {
                    rewriter.restore_param(new, param);
                } else {
                    vars[param.index()] = rewriter.block_param(new, work.func.ty(param));
                    name(&mut rewriter, work, param, vars[param.index()]);
                }
            }
        }
        Copy { work, rewriter, vars, blocks }
    }

    fn block(&mut self, block: Block) {
        let body = self.work.func.block(block);
        self.rewriter.switch_to(self.blocks[block.index()]).expect("each block is ended once");
        for inst in &body.insts {
            let mut kind = inst.kind.clone();
            kind.operands_mut().for_each(|operand| self.operand(operand));
            self.rewriter.set_span(inst.span);
            if inst.result.index() < self.work.source.vars.len() {
                self.rewriter.define(inst.result, kind).expect("the block is open");
            } else {
                let ty = self.work.func.ty(inst.result);
                let new = self.rewriter.inst(kind, ty).expect("the block is open");
                self.vars[inst.result.index()] = new;
                name(&mut self.rewriter, self.work, inst.result, new);
            }
        }
        let end = self.work.end(block);
        let mut kind = end.kind.clone();
        kind.operand_mut().into_iter().for_each(|operand| self.operand(operand));
        for target in kind.targets_mut() {
            target.block = self.blocks[target.block.index()];
            target.args.iter_mut().for_each(|operand| self.operand(operand));
        }
        self.rewriter.set_span(end.span);
        self.rewriter.terminate(kind).expect("V9: what a terminator decides by has its type");
    }

    fn operand(&self, operand: &mut Operand) {
        if let Operand::Var(var) = operand {
            *var = self.vars[var.index()];
        }
    }
}

fn name(rewriter: &mut Rewriter<'_>, work: &Work<'_>, var: Var, new: Var) {
    if let Some(name) = work.func.vars[var.index()].name {
        rewriter.name_var(new, &name);
    }
}

/// Where the variables of a function are defined, and how often they are used.
pub(crate) struct Defs {
    places: Vec<Option<Place>>,
    /// The uses by instructions, terminators and block arguments.
    pub(crate) uses: Vec<u32>,
}

impl Defs {
    pub(crate) fn of(func: &Func) -> Defs {
        let mut uses = vec![0; func.vars.len()];
        for body in &func.blocks {
            let end = body.terminator.iter().flat_map(|end| end.kind.operands());
            let operands = body.insts.iter().flat_map(|inst| inst.kind.operands()).chain(end);
            operands.filter_map(Operand::var).for_each(|var| uses[var.index()] += 1);
        }
        Defs { places: func.definitions(), uses }
    }

    /// Where a variable is defined.
    pub(crate) fn place(&self, var: Var) -> Option<Place> {
        self.places.get(var.index()).copied().flatten()
    }

    /// The instruction that defines an operand, as long as no instruction was moved.
    pub(crate) fn inst<'w>(&self, func: &'w Func, operand: &Operand) -> Option<&'w InstKind> {
        match self.place(operand.var()?)? {
            Place::Inst(block, i) => {
                let inst = func.block(block).insts.get(i)?;
                (Some(inst.result) == operand.var()).then_some(&inst.kind)
            }
            Place::Head | Place::Block(_) | Place::Terminator(_) => None,
        }
    }
}

/// A value that several blocks define: which of them reaches where. It makes block parameters where they meet.
pub(crate) struct Reach<'c> {
    cfg: &'c Cfg,
    ty: Ty,
    /// What it is where a block ends that defines it.
    ends: HashMap<Block, Operand>,
    params: HashMap<Block, Var>,
    pending: VecDeque<Block>,
}

impl<'c> Reach<'c> {
    pub(crate) fn new(cfg: &'c Cfg, ty: Ty, ends: HashMap<Block, Operand>) -> Reach<'c> {
        Reach { cfg, ty, ends, params: HashMap::new(), pending: VecDeque::new() }
    }

    /// What it is where `block` begins.
    pub(crate) fn at_start(&mut self, work: &mut Work<'_>, mut block: Block) -> Operand {
        loop {
            if let Some(&param) = self.params.get(&block) {
                return param.into();
            }
            if let [pred] = self.cfg.preds(block)
                && (*pred != block)
            {
                match self.ends.get(pred) {
                    Some(end) => return end.clone(),
                    None => block = *pred,
                }
                continue;
            }
            let param = work.new_var(self.ty);
            self.params.insert(block, param);
            self.pending.push_back(block);
            return param.into();
        }
    }

    /// Hands the parameters that were made their arguments.
    pub(crate) fn finish(mut self, work: &mut Work<'_>) {
        while let Some(block) = self.pending.pop_front() {
            let param = self.params[&block];
            work.body(block).params.push(param);
            for &pred in self.cfg.preds(block) {
                if !self.cfg.is_reachable(pred) {
                    continue;
                }
                let value = match self.ends.get(&pred) {
                    Some(end) => end.clone(),
                    None => self.at_start(work, pred),
                };
                for target in work.end_mut(pred).kind.targets_mut().filter(|target| target.block == block) {
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
