//! Reads and writes of numbers through pointers to other numbers of the same width, as reads and writes of the numbers
//! themselves (LLVM: InstCombine, loads and stores of pointer casts).
//!
//! ```text
//! %1: ref u64 = ref.view %0, [], true
//! %2: u64 = ref.get %1                 →    %3: f64 = ref.get %0
//!                                           %2: u64 = to_bits %3
//! ```

use hashbrown::HashMap;
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Block, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops;

use super::projections::{as_bits, bits_op};

/// A pointer to a number that is seen as another one.
#[derive(Clone)]
struct Cast {
    pointer: Operand,
    from: Ty,
    to: Ty,
    is_unaligned: bool,
}

/// Moves casts from pointers to what is read and written through them.
pub(super) fn run(editor: &mut FuncEditor<'_>) -> bool {
    let casts = casts(editor);
    if casts.is_empty() {
        return false;
    }
    let mut changed = false;
    let blocks: Vec<Block> = editor.func.iter_blocks().map(|(block, _)| block).collect();
    for block in blocks {
        let old = std::mem::take(&mut editor.body(block).insts);
        let mut insts = Vec::with_capacity(old.len());
        for inst in old {
            let cast = accessed(&inst).and_then(|pointer| casts.get(&pointer)).cloned();
            match cast {
                Some(cast) => {
                    rewrite(editor, &mut insts, inst, &cast);
                    changed = true;
                }
                None => insts.push(inst),
            }
        }
        editor.body(block).insts = insts;
    }
    changed
}

/// The pointer that an instruction reads or writes through.
fn accessed(inst: &Inst) -> Option<Var> {
    match &inst.kind {
        InstKind::Op { op, args } if **op == ops::REF_GET || **op == ops::REF_SET => args.first()?.var(),
        _ => None,
    }
}

fn casts(editor: &FuncEditor<'_>) -> HashMap<Var, Cast> {
    let mut casts: HashMap<Var, Cast> = HashMap::new();
    if !editor.has_op(|op| *op == ops::REF_VIEW) {
        return casts;
    }
    let order = editor.func.blocks.iter().flat_map(|body| &body.insts);
    for inst in order.clone() {
        let InstKind::Op { op, args } = &inst.kind else { continue };
        let Some(pointer) = args.first().filter(|_| **op == ops::REF_VIEW) else { continue };
        let (TyKind::Ref(from), TyKind::Ref(to)) =
            (editor.ty(pointer).kind(), editor.func.ty(inst.result).kind())
        else {
            continue;
        };
        if from != to && bits_op(*from, *to).is_some() && bits_op(*to, *from).is_some() {
            let cast = Cast { pointer: pointer.clone(), from: *from, to: *to, is_unaligned: false };
            casts.insert(inst.result, cast);
        }
    }
    for inst in order {
        if let InstKind::Op { op, args } = &inst.kind
            && **op == ops::REF_UNALIGNED
            && let Some(cast) = args.first().and_then(Operand::var).and_then(|var| casts.get(&var))
        {
            let cast = Cast { is_unaligned: true, ..cast.clone() };
            casts.insert(inst.result, cast);
        }
    }
    casts
}

fn rewrite(editor: &mut FuncEditor<'_>, insts: &mut Vec<Inst>, inst: Inst, cast: &Cast) {
    let mut pointer = cast.pointer.clone();
    if cast.is_unaligned {
        let ty = Ty::reference(cast.from);
        pointer = editor.func.push_op(insts, &ops::REF_UNALIGNED, vec![pointer], ty, inst.span).into();
    }
    let InstKind::Op { op, args } = &inst.kind else { return insts.push(inst) };
    let kind = match (args.get(1), bits_op(cast.from, cast.to)) {
        (Some(value), _) => {
            let value = as_bits(editor, insts, value.clone(), cast.from, &inst);
            InstKind::Op { op, args: vec![pointer, value] }
        }
        (None, Some(conversion)) => {
            let number =
                editor.func.push_op(insts, &ops::REF_GET, vec![pointer], cast.from, inst.span).into();
            let args: Vec<Operand> = vec![number];
            InstKind::Op { op: conversion, args }
        }
        (None, None) => return insts.push(inst),
    };
    insts.push(Inst { kind, ..inst });
}
