//! Scalar replacement: composites fall apart into their parts, and nothing of them remains.
//!
//! ```text
//!   %p: (f64, i64) = tuple %x, 0                   br ^loop(%x, 0)
//!   br ^loop(%p)                                 ^loop(%0: f64, %1: i64):
//! ^loop(%q: (f64, i64)):                           %j: i64 = add %1, 1
//!   %i: i64 = field %q, 1                  →       …
//!   %j: i64 = add %i, 1                            br_if %c, ^loop(%0, %j), ^done
//!   %r: (f64, i64) = with_field %q, 1, %j
//!   …
//!   br_if %c, ^loop(%r), ^done
//! ```
//!
//! - Reading a part of a known composite is that part; changing one makes a composite of the parts.
//! - A block parameter of tuple, struct or closure type that is read in parts becomes one parameter for each; an enum
//!   does where it is the same variant on every way in.
//! - A hole that `take.field` leaves is never read, so it may hold what was taken: but only where the whole is known,
//!   and so has no owner any more.

mod block_params;

use hashbrown::HashSet;
use overdub_context::ir::{Block, Const, Func, Inst, InstKind, Operand, Place, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use crate::support::branch_target::switch_number;
use crate::support::consts::{constant_of, int_of};
use crate::support::func_editor::{Defs, FuncEditor};
use crate::support::scope::Scope;
use block_params::split_params;

/// Composites are taken apart down to so many levels at once; what is deeper waits for the next round.
const LEVELS: usize = 6;

/// Takes composites apart, and those that are their parts: nobody looks at what a part is handed before it is apart.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let mut changed = false;
    for _ in 0..LEVELS {
        let now = level(editor);
        changed |= now;
        if !now || !block_params::are_left(editor) {
            break;
        }
    }
    changed
}

fn level(editor: &mut FuncEditor<'_>) -> bool {
    let mut changed = take_apart_opaque(editor);
    changed |= split_params(editor);
    changed |= project(editor);
    changed
}

/// What a part of a composite is.
enum Part {
    Known(Operand),
    /// The part of the same number of this older composite.
    Of(Operand),
    /// The composite has no past.
    Opaque,
}

/// Part `k` of `whole`, of variant `tag` if it is an enum.
fn part(editor: &FuncEditor<'_>, defs: &Defs, whole: &Operand, tag: Option<i128>, k: usize) -> Part {
    let mut at = editor.resolve(whole);
    let mut moved = false;
    loop {
        let number = |operand: &Operand| int_of(operand).and_then(|n| usize::try_from(n).ok());
        let known = match defs.inst(&editor.func, &at) {
            Some(InstKind::Op { op, args }) => match args.as_slice() {
                parts if **op == ops::TUPLE || **op == ops::STRUCT || **op == ops::CLOSURE => {
                    parts.get(k).cloned()
                }
                [variant, parts @ ..] if **op == ops::VARIANT && int_of(variant) == tag => {
                    parts.get(k).cloned()
                }
                [_, j, new] if **op == ops::WITH_FIELD && number(j) == Some(k) => Some(new.clone()),
                [_, of, j, new] if **op == ops::WITH_PAYLOAD && int_of(of) == tag && number(j) == Some(k) => {
                    Some(new.clone())
                }
                [older, ..] if **op == ops::WITH_FIELD || **op == ops::WITH_PAYLOAD => {
                    (at, moved) = (editor.resolve(older), true);
                    continue;
                }
                [taken, one] if **op == ops::FIELD && int_of(one) == Some(1) => {
                    match taken_from(editor, defs, taken) {
                        // What is a hole now must come from somewhere that is known.
                        Some((older, j)) => {
                            let older = editor.resolve(older);
                            if j == k {
                                return match part(editor, defs, &older, tag, k) {
                                    Part::Known(known) => Part::Known(known),
                                    Part::Of(_) | Part::Opaque if moved => Part::Of(at),
                                    Part::Of(_) | Part::Opaque => Part::Opaque,
                                };
                            }
                            (at, moved) = (older, true);
                            continue;
                        }
                        None => None,
                    }
                }
                _ => None,
            },
            Some(InstKind::Const(constant)) => scalar_part(constant, tag, k),
            Some(InstKind::Call { .. } | InstKind::Overdub { .. }) | None => None,
        };
        return match known {
            Some(known) => Part::Known(editor.resolve(&known)),
            None if moved => Part::Of(at),
            None => Part::Opaque,
        };
    }
}

/// What `take.field` or `take.payload` took a part out of, and the number of the part.
fn taken_from<'w>(editor: &'w FuncEditor<'_>, defs: &Defs, taken: &Operand) -> Option<(&'w Operand, usize)> {
    let InstKind::Op { op, args } = defs.inst(&editor.func, &editor.resolve(taken))? else { return None };
    match args.as_slice() {
        [whole, k] if **op == ops::TAKE_FIELD => Some((whole, usize::try_from(int_of(k)?).ok()?)),
        [whole, _, k] if **op == ops::TAKE_PAYLOAD => Some((whole, usize::try_from(int_of(k)?).ok()?)),
        _ => None,
    }
}

fn scalar_part(constant: &Const, tag: Option<i128>, k: usize) -> Option<Operand> {
    let composite = constant.value().as_composite()?;
    if tag.is_some_and(|tag| tag != i128::from(composite.tag)) {
        return None;
    }
    let part = composite.parts.get(k)?.clone();
    let part = Const::new(part)?;
    part.scalar_ty().map(|_| Operand::Const(part))
}

/// The types of a composite's parts, of variant `tag` if it is an enum.
fn part_tys(ty: Ty, tag: Option<i128>) -> Option<Vec<Ty>> {
    match ty.kind() {
        TyKind::Tuple(parts) => Some(parts.to_vec()),
        TyKind::Struct(nominal) => Some(nominal.fields()?.iter().map(|field| field.ty).collect()),
        TyKind::Closure(closure) => Some(closure.captures.to_vec()),
        TyKind::Enum(nominal) => {
            let variant = nominal.variants()?.get(usize::try_from(tag?).ok()?)?;
            Some(variant.fields.iter().map(|field| field.ty).collect())
        }
        _ => None,
    }
}

/// The operation that makes a composite of its parts.
fn making(ty: Ty, tag: Option<i128>, parts: Vec<Operand>) -> Option<InstKind> {
    let (op, args): (&'static OpDef, _) = match ty.kind() {
        TyKind::Tuple(_) => (&ops::TUPLE, parts),
        TyKind::Struct(_) => (&ops::STRUCT, parts),
        TyKind::Closure(_) => (&ops::CLOSURE, parts),
        TyKind::Enum(_) => {
            let tag = constant_of(Value::from(i64::try_from(tag?).ok()?))?;
            (&ops::VARIANT, std::iter::once(tag).chain(parts).collect())
        }
        _ => return None,
    };
    Some(InstKind::Op { op, args })
}

/// The operation that reads a part.
fn reading(ty: Ty, tag: Option<i128>, whole: Operand, k: usize) -> InstKind {
    let k = Operand::from(k as i64);
    match (ty.kind(), tag) {
        (TyKind::Closure(_), _) => InstKind::Op { op: &ops::CAPTURED, args: vec![whole, k] },
        (TyKind::Enum(_), Some(tag)) => {
            InstKind::Op { op: &ops::PAYLOAD, args: vec![whole, (tag as i64).into(), k] }
        }
        _ => InstKind::Op { op: &ops::FIELD, args: vec![whole, k] },
    }
}

/// Puts what is known of parts in the place of what reads and changes them.
fn project(editor: &mut FuncEditor<'_>) -> bool {
    if !editor.has_op(|op| is_projection(op) || PROJECTIONS.contains(&op)) {
        return false;
    }
    let defs = Defs::of(&editor.func);
    let analyses = editor.cfg_analyses();
    let mut gone = vec![false; editor.func.vars.len()];
    let mut changed = false;
    for &block in analyses.cfg.reverse_postorder() {
        for i in 0..editor.func.block(block).insts.len() {
            let inst = &editor.func.block(block).insts[i];
            let InstKind::Op { op, args } = &inst.kind else { continue };
            let result = inst.result;
            match projected(editor, &defs, op, args, editor.func.ty(result)) {
                Some(Projected::Operand(operand)) => {
                    editor.replace(result, operand);
                    gone[result.index()] = true;
                    changed = true;
                }
                Some(Projected::Inst(kind)) => {
                    editor.body(block).insts[i].kind = kind;
                    changed = true;
                }
                None => {}
            }
        }
    }
    editor.drop_insts(&gone);
    editor.carry_out();
    changed
}

/// What reads or changes parts besides [`is_projection`].
static PROJECTIONS: &[&OpDef] = &[&ops::PAYLOAD, &ops::WITH_PAYLOAD, &ops::TAG];

enum Projected {
    Operand(Operand),
    Inst(InstKind),
}

fn projected(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    op: &OpDef,
    args: &[Operand],
    ty: Ty,
) -> Option<Projected> {
    let index = |operand: &Operand| int_of(operand).and_then(|n| usize::try_from(n).ok());
    match args {
        [whole, k] if *op == ops::FIELD || *op == ops::CAPTURED => {
            let k = index(k)?;
            if let Some((from, j)) = taken_from(editor, defs, whole)
                && k == 0
            {
                let tag = taken_tag(editor, defs, whole);
                return match part(editor, defs, from, tag, j) {
                    Part::Known(known) => Some(Projected::Operand(known)),
                    Part::Of(_) | Part::Opaque => None,
                };
            }
            read(editor, defs, whole, None, k)
        }
        [whole, tag, k] if *op == ops::PAYLOAD => read(editor, defs, whole, Some(int_of(tag)?), index(k)?),
        [whole] if *op == ops::TAG => {
            let tag = switch_number(editor, defs, &editor.resolve(whole))?;
            Some(Projected::Operand(i64::try_from(tag).ok()?.into()))
        }
        [whole, k, new] if *op == ops::WITH_FIELD => rebuilt(editor, defs, whole, None, index(k)?, new, ty),
        [whole, tag, k, new] if *op == ops::WITH_PAYLOAD => {
            let tag = int_of(tag)?;
            let is = switch_number(editor, defs, &editor.resolve(&original(editor, defs, whole)))?;
            if is == tag { rebuilt(editor, defs, whole, Some(tag), index(k)?, new, ty) } else { None }
        }
        _ => None,
    }
}

/// The composite out of which what is left of it was taken.
fn original(editor: &FuncEditor<'_>, defs: &Defs, whole: &Operand) -> Operand {
    let whole = editor.resolve(whole);
    match defs.inst(&editor.func, &whole) {
        Some(InstKind::Op { op, args }) if **op == ops::FIELD && int_of(&args[1]) == Some(1) => {
            taken_from(editor, defs, &args[0]).map_or(whole.clone(), |(from, _)| from.clone())
        }
        _ => whole,
    }
}

fn taken_tag(editor: &FuncEditor<'_>, defs: &Defs, taken: &Operand) -> Option<i128> {
    match defs.inst(&editor.func, &editor.resolve(taken))? {
        InstKind::Op { op, args } if **op == ops::TAKE_PAYLOAD => int_of(&args[1]),
        _ => None,
    }
}

fn read(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    whole: &Operand,
    tag: Option<i128>,
    k: usize,
) -> Option<Projected> {
    match part(editor, defs, whole, tag, k) {
        Part::Known(known) => Some(Projected::Operand(known)),
        Part::Of(older) => {
            let ty = editor.ty(&older);
            Some(Projected::Inst(reading(ty, tag, older, k)))
        }
        Part::Opaque => None,
    }
}

/// A composite with one part changed, made of its parts, if all are known.
fn rebuilt(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    whole: &Operand,
    tag: Option<i128>,
    k: usize,
    new: &Operand,
    ty: Ty,
) -> Option<Projected> {
    let count = part_tys(ty, tag)?.len();
    let parts: Option<Vec<Operand>> = (0..count)
        .map(|j| {
            if j == k {
                return Some(editor.resolve(new));
            }
            match part(editor, defs, whole, tag, j) {
                Part::Known(known) => Some(known),
                Part::Of(_) | Part::Opaque => None,
            }
        })
        .collect();
    making(ty, tag, parts?).map(Projected::Inst)
}

/// Whether an operation reads or changes a part of its first operand.
fn is_projection(op: &OpDef) -> bool {
    *op == ops::FIELD || *op == ops::CAPTURED || changes_part(op)
}

fn changes_part(op: &OpDef) -> bool {
    *op == ops::WITH_FIELD || *op == ops::TAKE_FIELD
}

/// Composites whose past is not known (arguments, results of calls) and of which parts are changed are taken apart
/// where they are defined, so that their parts are known from there on.
fn take_apart_opaque(editor: &mut FuncEditor<'_>) -> bool {
    if !editor.has_op(changes_part) {
        return false;
    }
    let defs = Defs::of(&editor.func);
    let mut found: HashSet<Var> = HashSet::new();
    for body in &editor.func.blocks {
        for inst in &body.insts {
            if let InstKind::Op { op, args } = &inst.kind
                && changes_part(op)
                && let Some(Operand::Var(whole)) = args.first()
                && is_opaque(&editor.func, &defs, *whole)
                && part_tys(editor.func.ty(*whole), None).is_some()
            {
                found.insert(*whole);
            }
        }
    }
    if found.is_empty() {
        return false;
    }
    let params: Vec<Var> =
        editor.func.params().iter().copied().filter(|param| found.contains(param)).collect();
    let span = editor.func.span;
    let mut head = Vec::new();
    for param in params {
        let whole = editor.new_var(editor.func.ty(param));
        editor.replace(param, whole.into());
        head.push((param, whole));
    }
    editor.carry_out();
    let mut insts = Vec::new();
    for (param, whole) in head {
        apart(editor, &mut insts, param, whole, span);
    }
    for block in editor.blocks() {
        let old = std::mem::take(&mut editor.body(block).insts);
        if block != Block::ENTRY {
            insts = Vec::with_capacity(old.len());
        }
        for mut inst in old {
            if found.contains(&inst.result) {
                let whole = inst.result;
                let span = inst.span;
                inst.result = editor.new_var(editor.func.ty(whole));
                if let Some(from) = editor.inlined_from.remove(&whole) {
                    editor.inlined_from.insert(inst.result, from);
                }
                let opaque = inst.result;
                insts.push(inst);
                apart(editor, &mut insts, opaque, whole, span);
            } else {
                insts.push(inst);
            }
        }
        editor.body(block).insts = std::mem::take(&mut insts);
    }
    true
}

fn is_opaque(func: &Func, defs: &Defs, var: Var) -> bool {
    match defs.place(var) {
        Some(Place::Head) => true,
        Some(Place::Inst(block, i)) => match &func.block(block).insts[i].kind {
            InstKind::Call { .. } | InstKind::Overdub { .. } => true,
            InstKind::Op { op, .. } => **op == ops::GET || **op == ops::PAYLOAD,
            InstKind::Const(_) => false,
        },
        Some(Place::Block(_) | Place::Terminator(_)) | None => false,
    }
}

/// `whole` is made of the parts of `opaque`.
fn apart(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    opaque: Var,
    whole: Var,
    span: overdub_context::Span,
) {
    let ty = editor.func.ty(opaque);
    let tys = part_tys(ty, None).expect("only composites are taken apart");
    let mut parts = Vec::with_capacity(tys.len());
    for (k, part_ty) in tys.into_iter().enumerate() {
        let result = editor.new_var(part_ty);
        insts.push(Inst { result, kind: reading(ty, None, opaque.into(), k), span });
        parts.push(result.into());
    }
    let kind = making(ty, None, parts).expect("only composites are taken apart");
    insts.push(Inst { result: whole, kind, span });
}
