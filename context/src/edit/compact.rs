//! Compaction of an edited function: blocks in reverse postorder, ids without gaps.

use crate::analysis::Cfg;
use crate::ir::{Block, BlockBody, Func, Operand, Rewriter, Var, VarDef};

use super::{FuncEditor, for_each_operand};

impl FuncEditor<'_> {
    /// The edited function. Variables and blocks of the source keep their printed names.
    pub fn finish(self) -> Func {
        let order = Cfg::new(&self.func).reverse_postorder().to_vec();
        let mut copy = Compaction::new(&self, &order);
        for &block in &order {
            copy.block(block);
        }
        let mut func = copy.rewriter.finish().expect("EDIT2: passes leave a well-formed function");
        func.span = self.func.span;
        func
    }

    /// The edited function without names of variables and blocks, which takes a tenth of the time.
    pub fn finish_unlabelled(mut self) -> Func {
        let order = self.cfg_analyses();
        let order = order.cfg.reverse_postorder();
        let mut vars = Vec::with_capacity(self.func.vars.len());
        let mut var_numbers = vec![Var(u32::MAX); self.func.vars.len()];
        let mut block_numbers = vec![Block(u32::MAX); self.func.blocks.len()];
        for (new, old) in (0..).map(Block).zip(order) {
            block_numbers[old.index()] = new;
            let body = self.func.block(*old);
            for var in body.params.iter().copied().chain(body.insts.iter().map(|inst| inst.result)) {
                var_numbers[var.index()] = Var(vars.len() as u32);
                vars.push(VarDef { ty: self.func.ty(var), name: None });
            }
        }
        let mut renumbered = |old: &Block| {
            let mut body = std::mem::replace(
                self.body(*old),
                BlockBody { name: None, params: Vec::new(), insts: Vec::new(), terminator: None },
            );
            body.name = None;
            body.params.iter_mut().for_each(|param| *param = var_numbers[param.index()]);
            body.insts.iter_mut().for_each(|inst| inst.result = var_numbers[inst.result.index()]);
            let targets = body.terminator.iter_mut().flat_map(|end| end.kind.targets_mut());
            targets.for_each(|target| target.block = block_numbers[target.block.index()]);
            for_each_operand(&mut body, |operand| {
                if let Operand::Var(var) = operand {
                    *var = var_numbers[var.index()];
                }
            });
            body
        };
        let blocks = order.iter().map(&mut renumbered).collect();
        Func { blocks, vars, name: self.func.name, ret: self.func.ret, span: self.func.span, debug: None }
    }
}

/// A copy of an edited function through the rewriter (EDIT3).
struct Compaction<'w, 'f> {
    editor: &'w FuncEditor<'f>,
    rewriter: Rewriter<'f>,
    vars: Vec<Var>,
    blocks: Vec<Block>,
}

impl<'w, 'f> Compaction<'w, 'f> {
    fn new(editor: &'w FuncEditor<'f>, order: &[Block]) -> Self {
        let mut rewriter = Rewriter::new(editor.source);
        let mut blocks: Vec<Block> = (0..editor.func.blocks.len() as u32).map(Block).collect();
        let mut vars: Vec<Var> = (0..editor.func.vars.len() as u32).map(Var).collect();
        let (old_vars, old_blocks) = (editor.source.vars.len(), editor.source.blocks.len());
        for &block in order {
            let body = editor.func.block(block);
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
                    vars[param.index()] = rewriter.block_param(new, editor.func.ty(param));
                    name(&mut rewriter, editor, param, vars[param.index()]);
                }
            }
        }
        Compaction { editor, rewriter, vars, blocks }
    }

    fn block(&mut self, block: Block) {
        let body = self.editor.func.block(block);
        self.rewriter.switch_to(self.blocks[block.index()]).expect("EDIT1: each block is copied once");
        for inst in &body.insts {
            let mut kind = inst.kind.clone();
            kind.operands_mut().for_each(|operand| self.operand(operand));
            self.rewriter.set_span(inst.span);
            if inst.result.index() < self.editor.source.vars.len() {
                self.rewriter.define(inst.result, kind).expect("EDIT1: the block has no terminator yet");
            } else {
                let ty = self.editor.func.ty(inst.result);
                let new = self.rewriter.inst(kind, ty).expect("EDIT1: the block has no terminator yet");
                self.vars[inst.result.index()] = new;
                name(&mut self.rewriter, self.editor, inst.result, new);
            }
        }
        let end = self.editor.terminator(block);
        let mut kind = end.kind.clone();
        kind.operand_mut().into_iter().for_each(|operand| self.operand(operand));
        for target in kind.targets_mut() {
            target.block = self.blocks[target.block.index()];
            target.args.iter_mut().for_each(|operand| self.operand(operand));
        }
        self.rewriter.set_span(end.span);
        self.rewriter.terminate(kind).expect("V9: the condition of a branch has its type");
    }

    fn operand(&self, operand: &mut Operand) {
        if let Operand::Var(var) = operand {
            *var = self.vars[var.index()];
        }
    }
}

fn name(rewriter: &mut Rewriter<'_>, editor: &FuncEditor<'_>, var: Var, new: Var) {
    if let Some(name) = editor.func.vars[var.index()].name {
        rewriter.name_var(new, &name);
    }
}
