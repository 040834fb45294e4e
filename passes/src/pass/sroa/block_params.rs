//! Splitting of composite block parameters: one parameter for each part (SROA2).

use hashbrown::HashMap;
use overdub_context::ir::{Inst, InstKind, Operand, Ty, TyKind, Var};

use super::{construct, is_projection, part_tys, read_part};
use crate::support::branch_target::known_switch_value;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// Splits composite block parameters into one parameter for each part.
pub(super) fn split_params(editor: &mut FuncEditor<'_>) -> bool {
    let split = params_to_split(editor);
    if split.is_empty() {
        return false;
    }
    // Rewrite the arguments first: the predecessor reads their parts.
    let has_split_param: Vec<bool> = editor
        .func
        .blocks
        .iter()
        .map(|body| body.params.iter().any(|param| split.contains_key(param)))
        .collect();
    for block in editor.blocks() {
        if !editor.terminator(block).kind.targets().any(|target| has_split_param[target.block.index()]) {
            continue;
        }
        let mut insts = std::mem::take(&mut editor.body(block).insts);
        let mut end = editor.terminator(block).clone();
        for target in end.kind.targets_mut().filter(|target| has_split_param[target.block.index()]) {
            let mut args = Vec::with_capacity(target.args.len());
            for (k, arg) in std::mem::take(&mut target.args).into_iter().enumerate() {
                let param = editor.func.block(target.block).params[k];
                let Some(&tag) = split.get(&param) else {
                    args.push(arg);
                    continue;
                };
                let ty = editor.func.ty(param);
                for (k, part_ty) in part_tys(ty, tag)
                    .expect("SROA2: the type of a split parameter has parts")
                    .into_iter()
                    .enumerate()
                {
                    let result = editor.new_var(part_ty);
                    insts.push(Inst { result, kind: read_part(ty, tag, arg.clone(), k), span: end.span });
                    args.push(result.into());
                }
            }
            target.args = args;
        }
        editor.body(block).insts = insts;
        *editor.terminator_mut(block) = end;
    }
    for block in editor.blocks().into_iter().filter(|block| has_split_param[block.index()]) {
        let span =
            editor.func.block(block).insts.first().map_or(editor.terminator(block).span, |inst| inst.span);
        let (mut params, mut insts) = (Vec::new(), Vec::new());
        for param in std::mem::take(&mut editor.body(block).params) {
            let Some(&tag) = split.get(&param) else {
                params.push(param);
                continue;
            };
            let ty = editor.func.ty(param);
            let tys = part_tys(ty, tag).expect("SROA2: the type of a split parameter has parts");
            let parts: Vec<Var> = tys.into_iter().map(|part_ty| editor.new_var(part_ty)).collect();
            params.extend(&parts);
            let parts = parts.into_iter().map(Operand::Var).collect();
            let kind = construct(ty, tag, parts).expect("SROA2: the type of a split parameter has parts");
            insts.push(Inst { result: param, kind, span });
        }
        let body = editor.body(block);
        body.params = params;
        insts.append(&mut body.insts);
        body.insts = insts;
    }
    true
}

/// The parameters to split; for an enum, with the variant of all its arguments.
fn params_to_split(editor: &FuncEditor<'_>) -> HashMap<Var, Option<i128>> {
    if !has_composites(editor) {
        return HashMap::new();
    }
    let func = &editor.func;
    let may_split = |param: &Var| is_composite(func.ty(*param));
    let defs = Defs::of(func);
    let mut splittable: HashMap<Var, Option<i128>> = HashMap::new();
    let mut args_of: HashMap<Var, Vec<&Operand>> = HashMap::new();
    for body in &func.blocks {
        for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
            for (arg, &param) in target.args.iter().zip(&func.block(target.block).params) {
                if may_split(&param) {
                    args_of.entry(param).or_default().push(arg);
                }
            }
        }
    }
    for &param in func.blocks.iter().skip(1).flat_map(|body| &body.params) {
        let ty = func.ty(param);
        match ty.kind() {
            TyKind::Enum(_) => {
                let args = args_of.get(&param).map_or(&[] as &[&Operand], Vec::as_slice);
                let others = args.iter().filter(|arg| arg.var() != Some(param));
                let mut tags = others.map(|arg| known_switch_value(editor, &defs, arg));
                if let Some(Some(tag)) = tags.next()
                    && tags.all(|other| other == Some(tag))
                    && part_tys(ty, Some(tag)).is_some()
                {
                    splittable.insert(param, Some(tag));
                }
            }
            _ if part_tys(ty, None).is_some() => {
                splittable.insert(param, None);
            }
            _ => {}
        }
    }
    let mut split: HashMap<Var, Option<i128>> = HashMap::new();
    let mut pending: Vec<Var> = Vec::new();
    let mut request = |var: Var, pending: &mut Vec<Var>| {
        if let Some(&tag) = splittable.get(&var)
            && split.insert(var, tag).is_none()
        {
            pending.push(var);
        }
    };
    for (&param, &tag) in &splittable {
        if tag.is_some() || matches!(func.ty(param).kind(), TyKind::Closure(_)) {
            request(param, &mut pending);
        }
    }
    for body in &func.blocks {
        for inst in &body.insts {
            if let InstKind::Op { op, args } = &inst.kind
                && is_projection(op)
                && let Some(Operand::Var(whole)) = args.first()
            {
                request(*whole, &mut pending);
            }
        }
    }
    while let Some(param) = pending.pop() {
        for arg in args_of.get(&param).into_iter().flatten() {
            if let Operand::Var(var) = arg {
                request(*var, &mut pending);
            }
        }
    }
    split
}

/// Whether a block has a composite parameter.
fn has_composites(editor: &FuncEditor<'_>) -> bool {
    let composite = |param: &Var| is_composite(editor.func.ty(*param));
    editor.func.blocks.iter().skip(1).any(|body| body.params.iter().any(composite))
}

/// Whether parameters of this type may be split.
fn is_composite(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Closure(_) | TyKind::Enum(_))
}
