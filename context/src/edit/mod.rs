//! An editor for a function in place, shared by all passes of a pipeline.
//!
//! - EDIT1 blocks and variables keep their ids from pass to pass; removed ones stay in the tables as empty
//!   entries until [`FuncEditor::finish`].
//! - EDIT2 between passes, replacements have been applied and unreachable blocks are empty.
//! - EDIT3 [`FuncEditor::finish`] renumbers the function and keeps printed names; [`FuncEditor::finish_unlabelled`] only
//!   renumbers it.

mod cfg_analyses;
mod compact;

use std::sync::Arc;

use hashbrown::HashMap;

pub use self::cfg_analyses::CfgAnalyses;
use crate::ir::{
    Block, BlockBody, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, Var, VarDef,
};
use crate::{Span, Symbol, ops::OpDef};

/// An editor for a function in place.
///
/// ```
/// use overdub_context::edit::FuncEditor;
/// use overdub_context::text;
///
/// let func = text::parse_func("fn @f(%x: f64) -> f64 {\n  %y: f64 = mul %x, 1.0\n  ret %y\n}")?;
/// let mut editor = FuncEditor::new(&func);
/// let (x, y) = (func.params()[0], func.blocks[0].insts[0].result);
/// editor.replace(y, x.into());
/// editor.apply_replacements();
/// editor.remove_insts(&[false, true]);
/// assert_eq!(editor.finish().to_string(), "fn @f(%x: f64) -> f64 {\n  ret %x\n}");
/// # Ok::<(), text::ParseErrors>(())
/// ```
#[derive(Clone, Debug)]
pub struct FuncEditor<'f> {
    /// The function as it was before any pass.
    pub source: &'f Func,
    /// The current function. Who changes it directly keeps EDIT1.
    pub func: Func,
    /// The pending replacements, by variable.
    subst: Vec<Option<Operand>>,
    /// Whether a replacement is pending.
    has_replacements: bool,
    /// The most recently computed analyses, which may be outdated (CFGA1).
    pub analyses: Option<Arc<CfgAnalyses>>,
    /// For the result of an inlined call instruction: the chain of inlined functions it came from, the
    /// outermost first.
    pub inlined_from: HashMap<Var, Vec<Symbol>>,
    /// The number of instructions that were inlined so far, also of those that were removed again.
    pub inlined: usize,
}

impl<'f> FuncEditor<'f> {
    /// An editor for a copy of `source`, which is verified.
    pub fn new(source: &'f Func) -> FuncEditor<'f> {
        let func = source.clone();
        let subst = vec![None; func.vars.len()];
        FuncEditor {
            source,
            func,
            subst,
            has_replacements: false,
            analyses: None,
            inlined_from: HashMap::new(),
            inlined: 0,
        }
    }

    /// The edited function as it is, without compaction.
    pub fn into_func(self) -> Func {
        self.func
    }

    /// A new variable, not defined yet.
    pub fn new_var(&mut self, ty: Ty) -> Var {
        self.func.new_var(ty)
    }

    /// A new variable with the type and name of another one, which may belong to another function.
    pub fn new_var_like(&mut self, def: VarDef) -> Var {
        let var = self.new_var(def.ty);
        self.func.vars[var.index()].name = def.name;
        var
    }

    /// New variables with the types and names of a block's parameters.
    pub fn new_params_like(&mut self, block: Block) -> Vec<Var> {
        let params = self.func.block(block).params.clone();
        params.into_iter().map(|param| self.new_var_like(self.func.vars[param.index()])).collect()
    }

    /// A new empty block.
    pub fn new_block(&mut self, name: Option<Symbol>) -> Block {
        let block = self.func.new_block(Vec::new());
        self.body(block).name = name;
        block
    }

    /// A mutable block.
    pub fn body(&mut self, block: Block) -> &mut BlockBody {
        self.func.block_mut(block)
    }

    /// The blocks that are not empty.
    pub fn blocks(&self) -> Vec<Block> {
        self.func
            .iter_blocks()
            .filter(|(_, body)| body.terminator.is_some())
            .map(|(block, _)| block)
            .collect()
    }

    /// The terminator of a block that is not empty.
    pub fn terminator(&self, block: Block) -> &Terminator {
        self.func.terminator(block)
    }

    /// The mutable terminator of a block that is not empty.
    pub fn terminator_mut(&mut self, block: Block) -> &mut Terminator {
        self.func.terminator_mut(block)
    }

    /// The type of an operand.
    pub fn ty(&self, operand: &Operand) -> Ty {
        crate::ir::typing::operand_ty(&self.func, operand).expect("V12: a constant operand is a scalar")
    }

    /// The types of operands.
    pub fn tys(&self, operands: &[Operand]) -> Vec<Ty> {
        operands.iter().map(|operand| self.ty(operand)).collect()
    }

    /// Replaces the uses of `var` by `operand`, at the next [`FuncEditor::apply_replacements`].
    pub fn replace(&mut self, var: Var, operand: Operand) {
        let operand = self.resolve(&operand);
        if operand != Operand::Var(var) {
            let needed = self.func.vars.len();
            if self.subst.len() < needed {
                self.subst.resize(needed, None);
            }
            self.subst[var.index()] = Some(operand);
            self.has_replacements = true;
        }
    }

    /// The pending replacement of `operand`, if there is one.
    pub fn replacement(&self, operand: &Operand) -> Option<Operand> {
        replacement(&self.subst, operand.var()?).map(|next| self.resolve(next))
    }

    /// The operand by which `operand` will be replaced, or itself.
    pub fn resolve(&self, operand: &Operand) -> Operand {
        resolved(&self.subst, operand).clone()
    }

    /// A mutable block, and the pending replacements.
    pub fn body_and_replacements(&mut self, block: Block) -> (&mut BlockBody, Replacements<'_>) {
        (&mut self.func.blocks[block.index()], Replacements(&self.subst))
    }

    /// Applies the pending replacements to all operands.
    pub fn apply_replacements(&mut self) {
        if !std::mem::replace(&mut self.has_replacements, false) {
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
                    && let Some(new) = replacement(subst, *var)
                {
                    *operand = new.clone();
                }
            });
        });
        // A replaced variable has no uses any more; its definition may stay until it is removed as dead code.
        self.subst.iter_mut().for_each(|slot| *slot = None);
    }

    /// Removes the block parameters for which `stays` does not hold, and their arguments; the entry keeps its
    /// parameters.
    pub fn retain_params(&mut self, is_kept: impl Fn(Var) -> bool) {
        let func = &mut self.func;
        let some_removed = |params: &[Var]| !params.iter().all(|param| is_kept(*param));
        let loses: Vec<bool> =
            func.blocks.iter().enumerate().map(|(at, body)| at > 0 && some_removed(&body.params)).collect();
        if !loses.contains(&true) {
            return;
        }
        for at in 0..func.blocks.len() {
            let has_args = |end: &Terminator| end.kind.targets().any(|target| loses[target.block.index()]);
            if !func.blocks[at].terminator.as_ref().is_some_and(has_args) {
                continue;
            }
            let Some(mut end) = func.blocks[at].terminator.take() else { continue };
            for target in end.kind.targets_mut().filter(|target| loses[target.block.index()]) {
                let mut params = func.blocks[target.block.index()].params.iter();
                target.args.retain(|_| params.next().is_none_or(|param| is_kept(*param)));
            }
            func.blocks[at].terminator = Some(end);
        }
        let losing = func.blocks.iter_mut().zip(loses).filter(|(_, loses)| *loses);
        losing.for_each(|(body, _)| body.params.retain(|param| is_kept(*param)));
    }

    /// Removes the instructions whose results are marked in `gone`.
    pub fn remove_insts(&mut self, removed: &[bool]) {
        if removed.contains(&true) {
            let is_kept = |inst: &Inst| removed.get(inst.result.index()) != Some(&true);
            self.func.blocks.iter_mut().for_each(|body| body.insts.retain(is_kept));
        }
    }

    /// Whether the function has an operation for which `wanted` holds.
    pub fn has_op(&self, pred: impl Fn(&OpDef) -> bool) -> bool {
        let is = |inst: &Inst| matches!(&inst.kind, InstKind::Op { op, .. } if pred(op));
        self.func.blocks.iter().any(|body| body.insts.iter().any(is))
    }

    /// The number of instructions, without terminators.
    pub fn size(&self) -> usize {
        self.func.blocks.iter().map(|body| body.insts.len()).sum()
    }
}

/// The pending replacements of a [`FuncEditor`].
#[derive(Clone, Copy, Debug)]
pub struct Replacements<'w>(&'w [Option<Operand>]);

impl Replacements<'_> {
    /// The replacement of a variable, if there is one.
    pub fn of(self, var: Var) -> Option<Operand> {
        replacement(self.0, var).map(|next| resolved(self.0, next).clone())
    }
}

/// The next replacement of a variable; variables beyond the table have none.
fn replacement(subst: &[Option<Operand>], var: Var) -> Option<&Operand> {
    subst.get(var.index())?.as_ref()
}

/// The end of the chain of replacements that starts at an operand.
fn resolved<'o>(subst: &'o [Option<Operand>], operand: &'o Operand) -> &'o Operand {
    let mut end = operand;
    while let Operand::Var(var) = end
        && let Some(next) = replacement(subst, *var)
    {
        end = next;
    }
    end
}

/// The terminator `br block(args)`.
pub fn br(block: Block, args: Vec<Operand>, span: Span) -> Terminator {
    Terminator { kind: TerminatorKind::Br(Target { block, args }), span }
}

/// Calls `f` with a mutable reference to every operand of a block.
pub fn for_each_operand(body: &mut BlockBody, mut f: impl FnMut(&mut Operand)) {
    body.insts.iter_mut().for_each(|inst| inst.kind.operands_mut().for_each(&mut f));
    if let Some(end) = &mut body.terminator {
        end.kind.operand_mut().into_iter().for_each(&mut f);
        end.kind.targets_mut().for_each(|target| target.args.iter_mut().for_each(&mut f));
    }
}
