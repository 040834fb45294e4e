//! Inlines the body of a function at a call.

use super::typing::{self, TyList, TypeError};
use super::{Block, BlockBody, BuildError, Func, FuncBuilder, Operand, Target, TerminatorKind, Var};
use crate::Inlining;

impl FuncBuilder {
    /// Appends the body of `callee` for these arguments and returns its result; appending continues after it.
    /// The result is `None` if the callee never returns, and then no block is open.
    ///
    /// The callee has been verified. Its instructions keep their source locations, and record that they are
    /// inlined for a call at [`FuncBuilder::span`].
    ///
    /// # Errors
    /// If the arguments do not fit or no block is open.
    pub fn inline(&mut self, callee: &Func, args: &[Operand]) -> Result<Option<Operand>, BuildError> {
        let got = typing::operand_tys(self.func(), args).map_err(|error| self.fault(error))?;
        let takes: Vec<_> = callee.param_tys().collect();
        if got != takes {
            let name = format!("`@{}`", callee.name);
            return Err(self.fault(TypeError::Call { callee: name, takes: TyList(takes), got: TyList(got) }));
        }
        let span = self.span();
        let mut copy = self.prepare_copy(callee, args);
        let mut returned = None;
        for (block, body) in callee.iter_blocks() {
            if block != Block::ENTRY {
                self.switch_to(copy.blocks[block.index()])?;
            }
            if let Some(value) = self.copy_block(body, &mut copy)? {
                // The only block that returns stays open, and the caller continues in it.
                returned = self.current().map(|open| (open, value));
            }
        }
        let result = match (returned, copy.joined) {
            (Some((open, value)), _) => {
                self.switch_to(open)?;
                Some(value)
            }
            (None, Some((join, param))) => {
                self.switch_to(join)?;
                Some(param.into())
            }
            (None, None) => None,
        };
        self.set_span(span);
        Ok(result)
    }

    /// Creates a variable for each definition of the callee, and a block for each block but the entry.
    fn prepare_copy(&mut self, callee: &Func, args: &[Operand]) -> Copy {
        let mut copy = Copy {
            vars: vec![None; callee.vars.len()],
            blocks: Vec::new(),
            joined: None,
            inlining: Inlining::new(callee.name, self.span()),
        };
        for (param, arg) in callee.params().iter().zip(args) {
            copy.vars[param.index()] = Some(arg.clone());
        }
        for (block, body) in callee.iter_blocks() {
            if block == Block::ENTRY {
                copy.blocks.push(block);
            } else {
                let new = match body.name {
                    Some(name) => self.named_block(&name),
                    None => self.new_block(),
                };
                for &param in &body.params {
                    let var = self.copy_var(callee, param);
                    self.draft.func.blocks[new.index()].params.push(var);
                    copy.vars[param.index()] = Some(var.into());
                }
                copy.blocks.push(new);
            }
            for inst in &body.insts {
                copy.vars[inst.result.index()] = Some(self.copy_var(callee, inst.result).into());
            }
        }
        let ends = callee.blocks.iter().filter_map(|body| body.terminator.as_ref());
        if ends.filter(|end| matches!(end.kind, TerminatorKind::Ret(_))).count() > 1 {
            let join = self.new_block();
            copy.joined = Some((join, self.block_param(join, callee.ret)));
        }
        copy
    }

    fn copy_var(&mut self, callee: &Func, var: Var) -> Var {
        let new = self.new_var(callee.ty(var));
        self.draft.func.vars[new.index()].name = callee.vars[var.index()].name;
        new
    }

    /// Appends the instructions and the terminator of a block; returns the operand of `ret` if no other block
    /// returns.
    fn copy_block(&mut self, body: &BlockBody, copy: &mut Copy) -> Result<Option<Operand>, BuildError> {
        for inst in &body.insts {
            let mut kind = inst.kind.clone();
            kind.operands_mut().for_each(|operand| copy.operand(operand));
            self.set_span(copy.inlining.place(inst.span));
            if let Some(Operand::Var(result)) = copy.vars[inst.result.index()] {
                self.define(result, kind)?;
            }
        }
        let Some(end) = &body.terminator else { return Ok(None) };
        let mut kind = end.kind.clone();
        if let Some(operand) = kind.operand_mut() {
            copy.operand(operand);
        }
        for target in kind.targets_mut() {
            target.block = copy.blocks[target.block.index()];
            target.args.iter_mut().for_each(|operand| copy.operand(operand));
        }
        self.set_span(copy.inlining.place(end.span));
        match (kind, copy.joined) {
            (TerminatorKind::Ret(value), None) => return Ok(Some(value)),
            (TerminatorKind::Ret(value), Some((join, _))) => {
                self.terminate(TerminatorKind::Br(Target::new(join, [value])))?;
            }
            (kind, _) => self.terminate(kind)?,
        }
        Ok(None)
    }
}

/// Maps the callee's variables and blocks to those of the caller.
struct Copy {
    vars: Vec<Option<Operand>>,
    blocks: Vec<Block>,
    /// If several blocks return: the block where they join, and its parameter.
    joined: Option<(Block, Var)>,
    inlining: Inlining,
}

impl Copy {
    fn operand(&self, operand: &mut Operand) {
        if let Operand::Var(var) = operand
            && let Some(new) = &self.vars[var.index()]
        {
            *operand = new.clone();
        }
    }
}
