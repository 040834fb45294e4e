//! Removal of what a checkpoint's second run computes and nobody reads: aggressive dead code elimination, after Cytron and others,
//! *Efficiently Computing Static Single Assignment Form and the Control Dependence Graph* (1991), section 7.1.
//!
//! ```text
//!   br ^loop(0, [])                                   br ^done
//! ^loop(%k, %ys):                                   ^done:
//!   br_if %more, ^body, ^done                  →      %kept = field %all, 0
//! ^body: .. get %xs, %k .. br ^loop(%next, %more)     ret %kept
//! ^done:
//!   %kept = field %all, 0                           Nobody reads %ys any more.
//!   ret %kept
//! ```
//!
//! - UNREAD1 the first run did not fail, and the second one takes the same operands on the same way: what may fail is removed like what
//!   may not, and so are branches to failures. It ended too, so loops that nobody needs are removed.
//! - UNREAD2 a branch stays if something that stays runs only on one of its ways, or if a parameter that is read gets its value there.
//!   Any other continues where its ways meet. No parameter is read there whose value depends on the way.
//! - UNREAD3 what prints, or changes what outlives the run, stays; so do calls of functions that are not known to be pure.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::analysis::{Cfg, Defs, PostDominators};
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Block, Callee, Func, Inst, InstKind, Operand, Target, TerminatorKind, Var};

/// The second run without what its result and its effects do not depend on.
pub(super) fn without_unread(func: &Func, is_pure: &dyn Fn(Symbol) -> bool) -> Func {
    let live = Live::of(func, is_pure);
    let mut editor = FuncEditor::new(func);
    editor.retain_params(|var| live.vars[var.index()]);
    for (block, _) in func.iter_blocks() {
        let edited = editor.body(block);
        if !live.returns(block) {
            // A live branch leads here, but did not in the first run (UNREAD1).
            edited.insts.clear();
            if let Some(end) = &mut edited.terminator {
                end.kind = TerminatorKind::Fail("a checkpoint failed when it ran again".into());
            }
            continue;
        }
        edited.insts.retain(|inst| live.vars[inst.result.index()]);
        let Some(end) = &mut edited.terminator else { continue };
        let only = match (live.branches(block), live.post_dominators.ipdom(block)) {
            (false, _) => end.kind.targets().find(|target| live.returns(target.block)).cloned(),
            // UNREAD2
            (true, Some(next)) if !live.needed[block.index()] => {
                Some(Target { block: next, args: Vec::new() })
            }
            (true, _) => None,
        };
        if let Some(target) = only {
            end.kind = TerminatorKind::Br(target);
        }
    }
    editor.clear_unreachable();
    editor.finish()
}

/// What the result and the effects of a function depend on.
struct Live<'f> {
    func: &'f Func,
    cfg: Cfg,
    defs: Defs,
    post_dominators: PostDominators,
    /// For each block, those whose branches decide whether it runs.
    controls: Vec<Vec<Block>>,
    vars: Vec<bool>,
    /// The blocks in which something stays.
    blocks: Vec<bool>,
    /// The blocks whose branches stay.
    needed: Vec<bool>,
    pending: Vec<Var>,
}

impl<'f> Live<'f> {
    fn of(func: &'f Func, is_pure: &dyn Fn(Symbol) -> bool) -> Live<'f> {
        let cfg = Cfg::new(func);
        let post_dominators = PostDominators::of_returns(&cfg, func);
        let controls = controls(func, &cfg, &post_dominators);
        let (blocks, vars) = (vec![false; func.blocks.len()], vec![false; func.vars.len()]);
        let needed = blocks.clone();
        let defs = Defs::of(func);
        let pending = Vec::new();
        let mut live = Live { func, cfg, defs, post_dominators, controls, vars, blocks, needed, pending };
        let mut pure = HashMap::new();
        for block in live.cfg.reverse_postorder().to_vec() {
            if !live.returns(block) {
                continue;
            }
            for inst in &func.block(block).insts {
                if stays(inst, &mut |name| *pure.entry(name).or_insert_with(|| is_pure(name))) {
                    live.var(inst.result);
                }
            }
            if let TerminatorKind::Ret(result) = &func.terminator(block).kind {
                live.block(block);
                live.operand(result);
            }
        }
        live.spread();
        live
    }

    /// Whether the function can return from here.
    fn returns(&self, block: Block) -> bool {
        returns(&self.post_dominators, block)
    }

    /// Whether a block ends with a branch that decides something (UNREAD1).
    fn branches(&self, block: Block) -> bool {
        branches(self.func, &self.post_dominators, block)
    }

    fn operand(&mut self, operand: &Operand) {
        if let Some(var) = operand.var() {
            self.var(var);
        }
    }

    fn var(&mut self, var: Var) {
        if !std::mem::replace(&mut self.vars[var.index()], true) {
            self.pending.push(var);
        }
    }

    /// Something in a block stays, so the branches to it do.
    fn block(&mut self, block: Block) {
        let mut blocks = vec![block];
        while let Some(block) = blocks.pop() {
            if std::mem::replace(&mut self.blocks[block.index()], true) {
                continue;
            }
            for by in self.controls[block.index()].clone() {
                self.branch(by);
                blocks.push(by);
            }
        }
    }

    fn branch(&mut self, block: Block) {
        self.needed[block.index()] = true;
        let func = self.func;
        func.terminator(block).kind.operand().into_iter().for_each(|operand| self.operand(operand));
    }

    fn spread(&mut self) {
        let func = self.func;
        while let Some(var) = self.pending.pop() {
            if let Some(kind) = self.defs.inst(func, &var.into()) {
                kind.operands().for_each(|operand| self.operand(operand));
            }
            if let Some((block, at)) = self.defs.param(var) {
                for pred in self.cfg.preds(block).to_vec() {
                    let end = func.terminator(pred);
                    for target in end.kind.targets().filter(|target| target.block == block) {
                        self.operand(&target.args[at]);
                    }
                    self.block(pred);
                    if self.branches(pred) {
                        self.branch(pred);
                    }
                }
            }
            if let Some(block) = self.defs.block(var) {
                self.block(block);
            }
        }
    }
}

fn returns(post_dominators: &PostDominators, block: Block) -> bool {
    post_dominators.post_dominates(block, block)
}

/// Whether a block ends with a branch to one of several targets from which the function can return.
fn branches(func: &Func, post_dominators: &PostDominators, block: Block) -> bool {
    let targets = func.terminator(block).kind.targets();
    targets.filter(|target| returns(post_dominators, target.block)).nth(1).is_some()
}

/// For each block, the blocks whose branches decide whether it runs (control dependence).
fn controls(func: &Func, cfg: &Cfg, post_dominators: &PostDominators) -> Vec<Vec<Block>> {
    let mut controls = vec![Vec::new(); func.blocks.len()];
    for &block in cfg.reverse_postorder() {
        let meet = post_dominators.ipdom(block);
        for &to in cfg.succs(block) {
            if !branches(func, post_dominators, block) || !returns(post_dominators, to) {
                continue;
            }
            let mut next = Some(to);
            while let Some(decided) = next.filter(|next| Some(*next) != meet) {
                if !controls[decided.index()].contains(&block) {
                    controls[decided.index()].push(block);
                }
                next = post_dominators.ipdom(decided);
            }
        }
    }
    controls
}

/// Whether an instruction stays even if nobody reads its result (UNREAD3).
fn stays(inst: &Inst, is_pure: &mut dyn FnMut(Symbol) -> bool) -> bool {
    match &inst.kind {
        InstKind::Const(_) => false,
        InstKind::Op { op, .. } => op.effects.writes,
        InstKind::Call { callee: Callee::Func(name), .. } => !is_pure(*name),
        InstKind::Call { .. } | InstKind::Overdub { .. } => true,
    }
}
