//! Effects of instructions: which may be removed, and which may be shared.

use overdub_context::ir::{Inst, InstKind, Operand, Ty, TyKind};
use overdub_context::ops::{self, Effects, OpDef};

use overdub_context::edit::FuncEditor;

/// Whether an instruction has an effect besides its result; a possible failure is an effect.
pub(crate) fn has_effect(editor: &FuncEditor<'_>, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Const(_) => false,
        InstKind::Op { op, args } => {
            let effects = op.effects;
            // Most operations have no effect for any operand types, in which case the types are not looked
            // up.
            (effects.fails || effects.writes) && {
                let effects = effects_on(editor, op, args);
                effects.fails || effects.writes
            }
        }
        InstKind::Call { .. } | InstKind::Overdub { .. } => true,
    }
}

/// The effects of an operation on operands of these types.
fn effects_on(editor: &FuncEditor<'_>, op: &OpDef, args: &[Operand]) -> Effects {
    match args {
        [x] => op.effects_on(&[editor.ty(x)]),
        [x, y] => op.effects_on(&[editor.ty(x), editor.ty(y)]),
        _ => op.effects_on(&editor.tys(args)),
    }
}

/// Whether two instructions of this operation with equal operands may share one result: the operation neither
/// reads nor writes mutable state, and creates nothing with an identity. Newly created arrays and composites
/// are not shared either, since a second owner would turn an in-place update into a copy.
pub(crate) fn may_share(op: &OpDef, ty: Ty) -> bool {
    let effects = op.effects;
    if effects.reads || effects.writes || effects.allocates {
        return false;
    }
    let reads_part = *op == ops::FIELD || *op == ops::PAYLOAD || *op == ops::CAPTURED || *op == ops::GET;
    match ty.kind() {
        TyKind::Unit
        | TyKind::Never
        | TyKind::Bool
        | TyKind::Char
        | TyKind::Str
        | TyKind::Int(_)
        | TyKind::Float(_) => true,
        TyKind::Array(_) | TyKind::Stack(_) | TyKind::Struct(_) | TyKind::Enum(_) | TyKind::Tuple(_) => {
            reads_part
        }
        TyKind::Closure(_) | TyKind::Fn(_) | TyKind::Ref(_) | TyKind::Opaque(_) => false,
    }
}
