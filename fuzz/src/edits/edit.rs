//! Structural edits of a function: each results in well-formed IR, and is verified afterwards.

use std::sync::Arc;

use overdub_context::ir::{
    Const, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, TyKind, Var, VarDef,
};
use overdub_context::ops;
use overdub_context::testing::any_value;
use overdub_context::text::Listing;
use overdub_context::verify::verify_module;

use super::base::has_conditions;

/// The kind and position of an edit, as numbers that are taken modulo the number of alternatives.
#[derive(Clone, Copy)]
pub(super) struct Choices {
    form: u8,
    func: u8,
    at: u8,
    with: u8,
}

impl Choices {
    /// The number of bytes of the choices.
    pub(super) const LEN: usize = 4;

    pub(super) fn new(bytes: &[u8]) -> Choices {
        let byte = |n: usize| bytes.get(n).copied().unwrap_or(0);
        Choices { form: byte(0), func: byte(1), at: byte(2), with: byte(3) }
    }
}

/// An edit of a function; `None` if there is no place for it.
type Edit = fn(&mut Func, Choices) -> Option<()>;

const EDITS: [Edit; 11] = [
    swap_operands,
    other_operand,
    other_constant,
    other_op,
    duplicate,
    delete,
    exchange,
    redirect,
    swap_targets,
    decide,
    other_argument,
];

/// The program with an edit; `None` if there is no place for it, or the result does not verify.
pub(super) fn edited(listing: &Listing, choices: Choices) -> Option<Listing> {
    let at = usize::from(choices.func).checked_rem(listing.funcs.len())?;
    let mut func = Func::clone(&listing.funcs[at]);
    EDITS[usize::from(choices.form) % EDITS.len()](&mut func, choices)?;
    if has_conditions(&func) {
        return None;
    }
    let mut out = listing.clone();
    out.funcs[at] = Arc::new(func);
    verify_module(&out.module()).ok().map(|()| out)
}

/// The element that a choice selects.
fn pick<T>(from: &[T], choice: u8) -> Option<&T> {
    from.get(usize::from(choice).checked_rem(from.len())?)
}

/// The block and index of the instruction that the choices select.
fn place(func: &Func, choices: Choices) -> Option<(usize, usize)> {
    let blocks = func.blocks.iter().enumerate();
    let places: Vec<(usize, usize)> =
        blocks.flat_map(|(block, body)| (0..body.insts.len()).map(move |n| (block, n))).collect();
    pick(&places, choices.at).copied()
}

fn picked(func: &mut Func, choices: Choices) -> Option<&mut Inst> {
    let (block, n) = place(func, choices)?;
    Some(&mut func.blocks[block].insts[n])
}

fn ty_of(func: &Func, operand: &Operand) -> Ty {
    match operand {
        Operand::Var(var) => func.ty(*var),
        Operand::Const(constant) => constant.value().ty(),
    }
}

/// Another operand of this type: a variable, wherever it is defined, or a scalar.
fn operand_of(func: &Func, ty: Ty, choice: u8) -> Option<Operand> {
    let vars: Vec<Var> =
        (0..).map(Var).zip(&func.vars).filter(|(_, def)| def.ty == ty).map(|(var, _)| var).collect();
    let is_scalar = matches!(
        ty.kind(),
        TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str
    );
    if is_scalar && (choice >= 192 || vars.is_empty()) {
        return Const::new(any_value(ty, choice)).map(Operand::Const);
    }
    pick(&vars, choice).copied().map(Operand::Var)
}

/// `sub %a, %b` becomes `sub %b, %a`.
fn swap_operands(func: &mut Func, choices: Choices) -> Option<()> {
    let inst = picked(func, choices)?;
    let mut operands: Vec<&mut Operand> = inst.kind.operands_mut().collect();
    let (first, rest) = operands.split_first_mut()?;
    let other = usize::from(choices.with).checked_rem(rest.len())?;
    std::mem::swap(*first, rest[other]);
    Some(())
}

/// `sub %a, %b` becomes `sub %a, %c`.
fn other_operand(func: &mut Func, choices: Choices) -> Option<()> {
    let inst = picked(func, choices)?.clone();
    let count = inst.kind.operands().count();
    let n = usize::from(choices.with).checked_rem(count)?;
    let ty = ty_of(func, inst.kind.operands().nth(n)?);
    let other = operand_of(func, ty, choices.with.rotate_left(3))?;
    *picked(func, choices)?.kind.operands_mut().nth(n)? = other;
    Some(())
}

/// `add %a, 1` becomes `add %a, 100`.
fn other_constant(func: &mut Func, choices: Choices) -> Option<()> {
    let insts = func.blocks.iter_mut().flat_map(|body| &mut body.insts);
    let constants = insts.flat_map(|inst| match &mut inst.kind {
        InstKind::Const(constant) => vec![constant],
        kind => kind
            .operands_mut()
            .filter_map(|operand| match operand {
                Operand::Const(constant) => Some(constant),
                Operand::Var(_) => None,
            })
            .collect(),
    });
    let mut constants: Vec<&mut Const> = constants.collect();
    let at = usize::from(choices.at).checked_rem(constants.len())?;
    let new = Const::new(any_value(constants[at].value().ty(), choices.with))?;
    *constants[at] = new;
    Some(())
}

/// `add %a, %b` becomes `mul %a, %b`.
fn other_op(func: &mut Func, choices: Choices) -> Option<()> {
    let InstKind::Op { op, .. } = &mut picked(func, choices)?.kind else { return None };
    let family = ops::ALL.iter().find(|family| family.iter().any(|other| other == op))?;
    *op = pick(family, choices.with)?;
    Some(())
}

/// `%b = sin %a` is duplicated; the second one is used from there on in its block.
fn duplicate(func: &mut Func, choices: Choices) -> Option<()> {
    let (block, n) = place(func, choices)?;
    let copy = func.blocks[block].insts[n].clone();
    let old = copy.result;
    let new = Var(u32::try_from(func.vars.len()).ok()?);
    func.vars.push(VarDef { ty: func.ty(old), name: None });
    let body = &mut func.blocks[block];
    // After other instructions, which may have changed what it reads.
    let at = n + 1 + usize::from(choices.with) % (body.insts.len() - n);
    for later in &mut body.insts[at..] {
        later.kind.operands_mut().for_each(|operand| replace(operand, old, &Operand::Var(new)));
    }
    body.terminator.as_mut().into_iter().for_each(|end| replace_in_end(end, old, &Operand::Var(new)));
    body.insts.insert(at, Inst { result: new, ..copy });
    Some(())
}

/// `%b = sin %a` is deleted; its uses are replaced by another variable, or a scalar.
fn delete(func: &mut Func, choices: Choices) -> Option<()> {
    let (block, n) = place(func, choices)?;
    let removed = func.blocks[block].insts.remove(n).result;
    let other = operand_of(func, func.ty(removed), choices.with).filter(|other| other.var() != Some(removed));
    let other = other.unwrap_or(Operand::unit());
    for body in &mut func.blocks {
        for inst in &mut body.insts {
            inst.kind.operands_mut().for_each(|operand| replace(operand, removed, &other));
        }
        body.terminator.as_mut().into_iter().for_each(|end| replace_in_end(end, removed, &other));
    }
    Some(())
}

/// An instruction is exchanged with the next one.
fn exchange(func: &mut Func, choices: Choices) -> Option<()> {
    let (block, n) = place(func, choices)?;
    let insts = &mut func.blocks[block].insts;
    (n + 1 < insts.len()).then(|| insts.swap(n, n + 1))
}

fn replace(operand: &mut Operand, old: Var, new: &Operand) {
    if operand.var() == Some(old) {
        *operand = new.clone();
    }
}

fn replace_in_end(end: &mut Terminator, old: Var, new: &Operand) {
    end.kind.operand_mut().into_iter().for_each(|operand| replace(operand, old, new));
    for target in end.kind.targets_mut() {
        target.args.iter_mut().for_each(|operand| replace(operand, old, new));
    }
}

/// The terminator of the block that a choice selects.
fn end(func: &mut Func, choices: Choices) -> Option<&mut TerminatorKind> {
    let at = usize::from(choices.at).checked_rem(func.blocks.len())?;
    Some(&mut func.blocks[at].terminator.as_mut()?.kind)
}

/// A branch is redirected to another block, with arbitrary arguments of its parameters' types.
fn redirect(func: &mut Func, choices: Choices) -> Option<()> {
    let blocks: Vec<_> =
        func.iter_blocks().map(|(block, body)| (block, body.params.clone())).skip(1).collect();
    let (to, params) = pick(&blocks, choices.with)?;
    let args = params
        .iter()
        .zip(0_u8..)
        .map(|(&param, n)| operand_of(func, func.ty(param), choices.with.wrapping_mul(31).wrapping_add(n)));
    let args: Vec<Operand> = args.collect::<Option<_>>()?;
    let end = end(func, choices)?;
    let count = end.targets().count();
    let n = usize::from(choices.form / 16).checked_rem(count)?;
    *end.targets_mut().nth(n)? = Target { block: *to, args };
    Some(())
}

/// `br_if %c, ^a, ^b` becomes `br_if %c, ^b, ^a`.
fn swap_targets(func: &mut Func, choices: Choices) -> Option<()> {
    let mut targets: Vec<&mut Target> = end(func, choices)?.targets_mut().collect();
    let (first, rest) = targets.split_first_mut()?;
    let other = usize::from(choices.with).checked_rem(rest.len())?;
    std::mem::swap(*first, rest[other]);
    Some(())
}

/// `br_if %c, ^a, ^b` becomes `br ^a`, or branches on another variable.
fn decide(func: &mut Func, choices: Choices) -> Option<()> {
    if choices.form >= 128 {
        let kind = end(func, choices)?;
        let count = kind.targets().count();
        let target = kind.targets().nth(usize::from(choices.with).checked_rem(count)?)?.clone();
        *kind = TerminatorKind::Br(target);
        return Some(());
    }
    let old = end(func, choices)?.operand()?.clone();
    let new = operand_of(func, ty_of(func, &old), choices.with)?;
    *end(func, choices)?.operand_mut()? = new;
    Some(())
}

/// `br ^a(%x)` becomes `br ^a(%y)`.
fn other_argument(func: &mut Func, choices: Choices) -> Option<()> {
    let args = end(func, choices)?.targets().flat_map(|target| &target.args);
    let args: Vec<Operand> = args.cloned().collect();
    let n = usize::from(choices.form / 16).checked_rem(args.len())?;
    let new = operand_of(func, ty_of(func, &args[n]), choices.with)?;
    *end(func, choices)?.targets_mut().flat_map(|target| &mut target.args).nth(n)? = new;
    Some(())
}
