//! Casts from replicated to varying values, and checks of what the caller says.
//!
//! - AXIS1 where a replicated value is used with varying ones, it is cast by `pvary`, which does nothing to the value: its
//!   transpose is the sum over the ranks. So a cotangent of a replicated value is replicated, and counts each rank once.
//! - AXIS2 casts are made where the value is defined, which all ranks reach: never in divergent code.

use hashbrown::HashMap;
use overdub_context::edit::FuncEditor;
use overdub_context::engine::PassError;
use overdub_context::ir::{Block, BlockBody, Func, Inst, InstKind, Operand, TerminatorKind, Ty, TyKind, Var};
use overdub_context::{Span, codes};

use super::ops::{CHECK_BOUND, CHECK_REPLICATED, PVARY};
use super::varying::{Varying, holds, holds_ref};
use super::wire::is_encoded;

/// A function whose replicated values are to be cast.
pub(super) struct Cast<'f> {
    pub(super) axis: &'f str,
    pub(super) func: &'f Func,
    pub(super) varying: &'f Varying,
    /// For each variable, whether it is the result of a collective of the axis.
    pub(super) on_axis: &'f [bool],
}

/// For each value that is cast, the variable of the cast.
type Casts = HashMap<Var, Var>;

impl Cast<'_> {
    /// The function with casts and checks, its collectives marked as typed (AXIS3). `vary` says which parameters vary.
    pub(super) fn all(&self, vary: &[bool]) -> Result<Func, PassError> {
        let mut editor = FuncEditor::new(self.func);
        let mut casts = Casts::new();
        for (block, body) in self.func.iter_blocks().filter(|(_, body)| body.terminator.is_some()) {
            self.uses(&mut editor, &mut casts, block, body);
        }
        let in_memory = |param: &Var| self.varying.memory && holds_ref(self.func.ty(*param));
        let shared =
            self.func.params().iter().zip(vary).filter(|(_, varies)| !**varies).map(|(param, _)| param);
        if casts.keys().any(|var| holds_ref(self.func.ty(*var))) || shared.clone().any(in_memory) {
            return Err(PassError {
                code: codes::CONTEXT,
                message: format!(
                    "a reference to replicated values is used with values that vary on the axis `{}`",
                    self.axis
                ),
                span: self.func.span,
                help: Some("copy the values before".to_owned()),
            });
        }
        self.place(&mut editor, &casts);
        self.check(&mut editor, shared)?;
        Ok(editor.finish())
    }

    /// The last operands of a typed collective.
    fn tail(&self) -> [Operand; 2] {
        [Operand::from(self.axis), Operand::from(true)]
    }

    /// Lets a block use casts.
    fn uses(&self, editor: &mut FuncEditor<'_>, casts: &mut Casts, block: Block, body: &BlockBody) {
        let mut cast = |editor: &mut FuncEditor<'_>, operand: &mut Operand| {
            let Some(var) = operand.var().filter(|var| !self.varying.var(*var)) else { return };
            let ty = self.func.ty(var);
            if has_floats(ty) {
                *operand = (*casts.entry(var).or_insert_with(|| editor.new_var(ty))).into();
            }
        };
        let mut insts = body.insts.clone();
        for inst in &mut insts {
            let is_collective = self.on_axis[inst.result.index()];
            if is_collective
                && let InstKind::Op { args, .. } = &mut inst.kind
                && let Some(last) = args.last_mut()
            {
                *last = true.into();
            }
            if self.varying.is_on_varying(self.func, block, inst, is_collective) {
                inst.kind.operands_mut().for_each(|operand| cast(editor, operand));
            }
        }
        let mut end = editor.terminator(block).clone();
        for target in end.kind.targets_mut() {
            let params = self.func.block(target.block).params.iter();
            for (arg, _) in target.args.iter_mut().zip(params).filter(|(_, param)| self.varying.var(**param))
            {
                cast(editor, arg);
            }
        }
        if let TerminatorKind::Ret(value) = &mut end.kind
            && self.varying.result
        {
            cast(editor, value);
        }
        *editor.terminator_mut(block) = end;
        editor.body(block).insts = insts;
    }

    /// Defines each cast right after what it casts (AXIS2).
    fn place(&self, editor: &mut FuncEditor<'_>, casts: &Casts) {
        let cast = |var: Var, span: Span| {
            let result = *casts.get(&var)?;
            let [axis, is_typed] = self.tail();
            let args = vec![var.into(), axis, is_typed];
            Some(Inst { result, kind: InstKind::Op { op: &PVARY, args }, span })
        };
        for block in editor.blocks() {
            let body = editor.body(block);
            let span = body.insts.first().map_or(self.func.span, |inst| inst.span);
            let mut placed: Vec<Inst> = body.params.iter().filter_map(|param| cast(*param, span)).collect();
            for inst in std::mem::take(&mut body.insts) {
                let after = cast(inst.result, inst.span);
                placed.push(inst);
                placed.extend(after);
            }
            body.insts = placed;
        }
    }

    /// Checks first that the axis is bound, and that these parameters are replicated.
    fn check<'v>(
        &self,
        editor: &mut FuncEditor<'_>,
        replicated: impl Iterator<Item = &'v Var>,
    ) -> Result<(), PassError> {
        let (unit, span) = (Ty::unit(), self.func.span);
        let mut checks = Vec::new();
        editor.func.push_op(&mut checks, &CHECK_BOUND, self.tail().into(), unit, span);
        for param in replicated {
            let label = self.func.var_label(*param).to_string();
            let name = label.trim_start_matches('%');
            let ty = self.func.ty(*param);
            if !is_encoded(ty) {
                return Err(PassError {
                    code: codes::CONTEXT,
                    message: format!(
                        "`{name}` cannot be replicated: a `{ty}` cannot be compared between ranks"
                    ),
                    span,
                    help: Some("pass the values that it is made of".to_owned()),
                });
            }
            let [axis, is_typed] = self.tail();
            let args = vec![(*param).into(), name.into(), axis, is_typed];
            editor.func.push_op(&mut checks, &CHECK_REPLICATED, args, unit, span);
        }
        let entry = &mut editor.body(Block::ENTRY).insts;
        checks.append(entry);
        *entry = checks;
        Ok(())
    }
}

/// Whether values of a type carry derivatives, other than behind references.
fn has_floats(ty: Ty) -> bool {
    holds(ty, |kind| matches!(kind, TyKind::Float(_)))
}
