//! Block parameters that hold the bits of floats, as parameters that hold the floats (LLVM: InstCombine, casts of phis).
//!
//! ```text
//! %1: u64 = to_bits %a                      br ^rest(%a)
//! br ^rest(%1)                            ^rest(%2: f64):
//! ^rest(%bits: u64):                   →    %bits: u64 = to_bits %2
//!   %y: f64 = from_bits %bits               %y: f64 = from_bits %bits
//! ```

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Block, Inst, InstKind, Operand, TyKind, Var};
use overdub_context::ops;

/// Replaces parameters that become floats again and whose arguments are the bits of floats or constants, not only the latter.
pub(super) fn run(editor: &mut FuncEditor<'_>) -> bool {
    let floats = floats_of_params(editor);
    if floats.is_empty() {
        return false;
    }
    let defs = Defs::of(&editor.func);
    for block in editor.blocks() {
        let mut end = editor.terminator(block).clone();
        let mut insts = std::mem::take(&mut editor.body(block).insts);
        for target in end.kind.targets_mut() {
            for (at, arg) in target.args.iter_mut().enumerate() {
                let param = editor.func.block(target.block).params[at];
                let Some(&float) = floats.get(&param) else { continue };
                let same = (arg.var() == Some(param)).then(|| float.into());
                let known = same.or_else(|| float_of(editor, &defs, arg));
                *arg = known.unwrap_or_else(|| {
                    let (args, ty) = (vec![arg.clone()], editor.func.ty(float));
                    editor.func.push_op(&mut insts, &ops::FROM_BITS, args, ty, end.span).into()
                });
            }
        }
        editor.body(block).insts = insts;
        *editor.terminator_mut(block) = end;
    }
    for block in editor.blocks() {
        let span =
            editor.func.block(block).insts.first().map_or(editor.terminator(block).span, |inst| inst.span);
        let mut bits = Vec::new();
        for param in &mut editor.body(block).params {
            let Some(&float) = floats.get(param) else { continue };
            let kind = InstKind::Op { op: &ops::TO_BITS, args: vec![float.into()] };
            bits.push(Inst { result: std::mem::replace(param, float), kind, span });
        }
        editor.body(block).insts.splice(0..0, bits);
    }
    true
}

/// The float whose bits an operand is.
fn float_of(editor: &FuncEditor<'_>, defs: &Defs, bits: &Operand) -> Option<Operand> {
    match defs.inst(&editor.func, bits)? {
        InstKind::Op { op, args } if **op == ops::TO_BITS => args.first().cloned(),
        _ => None,
    }
}

/// The parameters to replace, with the new ones.
fn floats_of_params(editor: &mut FuncEditor<'_>) -> HashMap<Var, Var> {
    let mut chosen = HashMap::new();
    if !editor.has_op(|op| *op == ops::FROM_BITS) || !editor.has_op(|op| *op == ops::TO_BITS) {
        return chosen;
    }
    let mut used: HashMap<Var, Var> = HashMap::new();
    for inst in editor.func.blocks.iter().flat_map(|body| &body.insts) {
        if let InstKind::Op { op, args } = &inst.kind
            && **op == ops::FROM_BITS
            && let Some(bits) = args.first().and_then(Operand::var)
        {
            used.insert(bits, inst.result);
        }
    }
    let defs = Defs::of(&editor.func);
    let (mut unfit, mut fit): (HashSet<Var>, HashSet<Var>) = (HashSet::new(), HashSet::new());
    for body in &editor.func.blocks {
        for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
            for (param, arg) in editor.func.block(target.block).params.iter().zip(&target.args) {
                let Some(float) = used.get(param) else { continue };
                let is_constant = matches!(arg, Operand::Const(_))
                    || matches!(defs.inst(&editor.func, arg), Some(InstKind::Const(_)));
                match float_of(editor, &defs, arg) {
                    Some(from) if editor.ty(&from) == editor.func.ty(*float) => {
                        fit.insert(*param);
                    }
                    None if is_constant || arg.var() == Some(*param) => {}
                    _ => {
                        unfit.insert(*param);
                    }
                }
            }
        }
    }
    let entry: HashSet<Var> = editor.func.block(Block::ENTRY).params.iter().copied().collect();
    for param in fit.into_iter().filter(|param| !unfit.contains(param) && !entry.contains(param)) {
        let is_bits = matches!(editor.func.ty(param).kind(), TyKind::Int(_));
        if let Some(&float) = used.get(&param).filter(|_| is_bits) {
            let ty = editor.func.ty(float);
            chosen.insert(param, editor.new_var(ty));
        }
    }
    chosen
}
