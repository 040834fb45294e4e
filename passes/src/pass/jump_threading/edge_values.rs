//! The values of a block's definitions on an edge, as far as they are known.

use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Const, InstKind, Operand, Target, Var};
use overdub_context::ops;

use crate::support::branch_target::known_switch_value;
use crate::support::const_fold;

/// The known values of a block's definitions if the block is entered by one edge.
pub(super) struct EdgeValues<'w> {
    editor: &'w FuncEditor<'w>,
    defs: &'w Defs,
    target: &'w Target,
    /// The values that were computed; a list suffices, as the block is short.
    values: Vec<(Var, Option<Operand>)>,
}

impl<'w> EdgeValues<'w> {
    pub(super) fn new(editor: &'w FuncEditor<'w>, defs: &'w Defs, target: &'w Target) -> EdgeValues<'w> {
        EdgeValues { editor, defs, target, values: Vec::new() }
    }

    /// The known value of a variable that the block defines.
    pub(super) fn value(&mut self, var: Var) -> Option<Operand> {
        if let Some((block, k)) = self.defs.param(var) {
            return (block == self.target.block).then(|| self.target.args[k].clone());
        }
        if self.defs.block(var) != Some(self.target.block) {
            return None;
        }
        if let Some((_, known)) = self.values.iter().find(|(other, _)| *other == var) {
            return known.clone();
        }
        let value = self.computed(var);
        self.values.push((var, value.clone()));
        value
    }

    /// The value of an instruction's result, by constant folding.
    fn computed(&mut self, var: Var) -> Option<Operand> {
        let editor = self.editor;
        let InstKind::Op { op, args } = self.defs.inst(&editor.func, &var.into())? else { return None };
        if **op == ops::TAG {
            let composite = self.of(&args[0]);
            return known_switch_value(editor, self.defs, &composite).map(|tag| (tag as i64).into());
        }
        let args: Vec<Operand> = args.iter().map(|arg| self.of(arg)).collect();
        let constants: Option<Vec<&Const>> = args.iter().map(Operand::constant).collect();
        const_fold::scalar(op, &constants?, editor.func.ty(var))
    }

    /// The known value of an operand, or the operand itself.
    pub(super) fn of(&mut self, operand: &Operand) -> Operand {
        operand.var().and_then(|var| self.value(var)).unwrap_or_else(|| operand.clone())
    }
}
