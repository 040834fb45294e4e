//! Scalar replacement of aggregates: tuples, structs, closures and enums are replaced by their parts.
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
//! - SROA1 reading a part of a composite whose parts are known gives that part; updating one gives a new composite of
//!   the parts.
//! - SROA2 a block parameter of tuple, struct or closure type whose parts are accessed becomes one parameter per
//!   part; one of enum type does if its arguments have the same variant on every edge.
//! - SROA3 the place that `take.field` moves out of is not read before it is written, so it may keep the
//!   moved value, provided that the parts of the composite are known, so that the value has no other owner.

mod block_params;

use hashbrown::HashSet;
use overdub_context::ir::{Block, Const, Func, Inst, InstKind, Operand, Position, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use crate::support::branch_target::known_switch_value;
use crate::support::consts::{constant_of, int_of};
use crate::support::scope::Scope;
use block_params::split_params;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// The number of nested levels that one run of the pass replaces.
const MAX_LEVELS: usize = 6;

/// Replaces composites level by level: the parts of a nested one are exposed by replacing the outer one.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let mut changed = false;
    for _ in 0..MAX_LEVELS {
        if !replace_level(editor) {
            break;
        }
        changed = true;
    }
    changed
}

/// Replaces the outermost level.
fn replace_level(editor: &mut FuncEditor<'_>) -> bool {
    let mut changed = expose_opaque(editor);
    changed |= split_params(editor);
    changed |= simplify_projections(editor);
    changed
}

/// What is known about a part of a composite.
enum PartValue {
    Known(Operand),
    /// The same part of this composite, of which the composite is an update.
    Of(Operand),
    /// Unknown: the composite is defined elsewhere.
    Opaque,
}

/// Part `k` of `composite`, of variant `tag` if it is an enum: follows the updates of the composite backwards (SROA1).
fn part(editor: &FuncEditor<'_>, defs: &Defs, composite: &Operand, tag: Option<i128>, k: usize) -> PartValue {
    let mut at = editor.resolve(composite);
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
                [moved_out, one] if **op == ops::FIELD && int_of(one) == Some(1) => {
                    match moved_out_of(editor, defs, moved_out) {
                        // The value of a moved-out part must be known (SROA3).
                        Some((older, j)) => {
                            let older = editor.resolve(older);
                            if j == k {
                                return match part(editor, defs, &older, tag, k) {
                                    PartValue::Known(known) => PartValue::Known(known),
                                    PartValue::Of(_) | PartValue::Opaque if moved => PartValue::Of(at),
                                    PartValue::Of(_) | PartValue::Opaque => PartValue::Opaque,
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
            Some(known) => PartValue::Known(editor.resolve(&known)),
            None if moved => PartValue::Of(at),
            None => PartValue::Opaque,
        };
    }
}

/// The composite out of which `take.field` or `take.payload` moves a part, and the index of the part.
fn moved_out_of<'w>(
    editor: &'w FuncEditor<'_>,
    defs: &Defs,
    moved_out: &Operand,
) -> Option<(&'w Operand, usize)> {
    let InstKind::Op { op, args } = defs.inst(&editor.func, &editor.resolve(moved_out))? else { return None };
    match args.as_slice() {
        [composite, k] if **op == ops::TAKE_FIELD => Some((composite, usize::try_from(int_of(k)?).ok()?)),
        [composite, _, k] if **op == ops::TAKE_PAYLOAD => {
            Some((composite, usize::try_from(int_of(k)?).ok()?))
        }
        _ => None,
    }
}

/// Part `k` of a constant composite, if it is a scalar.
fn scalar_part(constant: &Const, tag: Option<i128>, k: usize) -> Option<Operand> {
    let composite = constant.value().as_composite()?;
    if tag.is_some_and(|tag| tag != i128::from(composite.tag)) {
        return None;
    }
    let part = composite.parts.get(k)?.clone();
    let part = Const::new(part)?;
    part.scalar_ty().map(|_| Operand::Const(part))
}

/// The types of the parts of a composite, of variant `tag` if it is an enum.
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

/// The instruction that constructs a composite from its parts.
fn construct(ty: Ty, tag: Option<i128>, parts: Vec<Operand>) -> Option<InstKind> {
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

/// The instruction that reads a part.
fn read_part(ty: Ty, tag: Option<i128>, composite: Operand, k: usize) -> InstKind {
    let k = Operand::from(k as i64);
    match (ty.kind(), tag) {
        (TyKind::Closure(_), _) => InstKind::Op { op: &ops::CAPTURED, args: vec![composite, k] },
        (TyKind::Enum(_), Some(tag)) => {
            InstKind::Op { op: &ops::PAYLOAD, args: vec![composite, (tag as i64).into(), k] }
        }
        _ => InstKind::Op { op: &ops::FIELD, args: vec![composite, k] },
    }
}

/// Simplifies the operations that read and update parts.
fn simplify_projections(editor: &mut FuncEditor<'_>) -> bool {
    if !editor.has_op(|op| is_projection(op) || ENUM_PROJECTIONS.contains(&op)) {
        return false;
    }
    let defs = Defs::of(&editor.func);
    let analyses = editor.cfg_analyses();
    let mut removed = vec![false; editor.func.vars.len()];
    let mut changed = false;
    for &block in analyses.cfg.reverse_postorder() {
        for i in 0..editor.func.block(block).insts.len() {
            let inst = &editor.func.block(block).insts[i];
            let InstKind::Op { op, args } = &inst.kind else { continue };
            let result = inst.result;
            match projected(editor, &defs, op, args, editor.func.ty(result)) {
                Some(ProjectionResult::Operand(operand)) => {
                    editor.replace(result, operand);
                    removed[result.index()] = true;
                    changed = true;
                }
                Some(ProjectionResult::Inst(kind)) => {
                    editor.body(block).insts[i].kind = kind;
                    changed = true;
                }
                None => {}
            }
        }
    }
    editor.remove_insts(&removed);
    editor.apply_replacements();
    changed
}

/// The enum operations on parts, besides [`is_projection`].
static ENUM_PROJECTIONS: &[&OpDef] = &[&ops::PAYLOAD, &ops::WITH_PAYLOAD, &ops::TAG];

/// The simplification of an operation on a part.
enum ProjectionResult {
    Operand(Operand),
    Inst(InstKind),
}

/// The simplification of an operation on a part, if there is one.
fn projected(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    op: &OpDef,
    args: &[Operand],
    ty: Ty,
) -> Option<ProjectionResult> {
    let index = |operand: &Operand| int_of(operand).and_then(|n| usize::try_from(n).ok());
    match args {
        [composite, k] if *op == ops::FIELD || *op == ops::CAPTURED => {
            let k = index(k)?;
            if let Some((from, j)) = moved_out_of(editor, defs, composite)
                && k == 0
            {
                let tag = moved_out_tag(editor, defs, composite);
                return match part(editor, defs, from, tag, j) {
                    PartValue::Known(known) => Some(ProjectionResult::Operand(known)),
                    PartValue::Of(_) | PartValue::Opaque => None,
                };
            }
            read(editor, defs, composite, None, k)
        }
        [composite, tag, k] if *op == ops::PAYLOAD => {
            read(editor, defs, composite, Some(int_of(tag)?), index(k)?)
        }
        [composite] if *op == ops::TAG => {
            let tag = known_switch_value(editor, defs, &editor.resolve(composite))?;
            Some(ProjectionResult::Operand(i64::try_from(tag).ok()?.into()))
        }
        [composite, k, new] if *op == ops::WITH_FIELD => {
            rebuilt(editor, defs, composite, None, index(k)?, new, ty)
        }
        [composite, tag, k, new] if *op == ops::WITH_PAYLOAD => {
            let tag = int_of(tag)?;
            let is = known_switch_value(editor, defs, &editor.resolve(&original(editor, defs, composite)))?;
            if is == tag { rebuilt(editor, defs, composite, Some(tag), index(k)?, new, ty) } else { None }
        }
        _ => None,
    }
}

/// The composite of which `composite` is the remainder after a part was moved out; otherwise `composite`.
fn original(editor: &FuncEditor<'_>, defs: &Defs, composite: &Operand) -> Operand {
    let composite = editor.resolve(composite);
    match defs.inst(&editor.func, &composite) {
        Some(InstKind::Op { op, args }) if **op == ops::FIELD && int_of(&args[1]) == Some(1) => {
            moved_out_of(editor, defs, &args[0]).map_or(composite.clone(), |(from, _)| from.clone())
        }
        _ => composite,
    }
}

/// The tag of the variant out of which `take.payload` moves a part.
fn moved_out_tag(editor: &FuncEditor<'_>, defs: &Defs, moved_out: &Operand) -> Option<i128> {
    match defs.inst(&editor.func, &editor.resolve(moved_out))? {
        InstKind::Op { op, args } if **op == ops::TAKE_PAYLOAD => int_of(&args[1]),
        _ => None,
    }
}

/// The simplification of a read of a part.
fn read(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    composite: &Operand,
    tag: Option<i128>,
    k: usize,
) -> Option<ProjectionResult> {
    match part(editor, defs, composite, tag, k) {
        PartValue::Known(known) => Some(ProjectionResult::Operand(known)),
        PartValue::Of(older) => {
            let ty = editor.ty(&older);
            Some(ProjectionResult::Inst(read_part(ty, tag, older, k)))
        }
        PartValue::Opaque => None,
    }
}

/// A composite with one part updated, constructed from its parts if all are known.
fn rebuilt(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    composite: &Operand,
    tag: Option<i128>,
    k: usize,
    new: &Operand,
    ty: Ty,
) -> Option<ProjectionResult> {
    let count = part_tys(ty, tag)?.len();
    let parts: Option<Vec<Operand>> = (0..count)
        .map(|j| {
            if j == k {
                return Some(editor.resolve(new));
            }
            match part(editor, defs, composite, tag, j) {
                PartValue::Known(known) => Some(known),
                PartValue::Of(_) | PartValue::Opaque => None,
            }
        })
        .collect();
    construct(ty, tag, parts?).map(ProjectionResult::Inst)
}

/// Whether an operation reads or updates a part of its first operand.
fn is_projection(op: &OpDef) -> bool {
    *op == ops::FIELD || *op == ops::CAPTURED || updates_part(op)
}

/// Whether an operation updates or moves out a part of its first operand.
fn updates_part(op: &OpDef) -> bool {
    *op == ops::WITH_FIELD || *op == ops::TAKE_FIELD
}

/// Takes apart and reconstructs, at their definitions, the opaque composites of which parts are updated, so
/// that their parts are known from there on.
fn expose_opaque(editor: &mut FuncEditor<'_>) -> bool {
    if !editor.has_op(updates_part) {
        return false;
    }
    let defs = Defs::of(&editor.func);
    let mut found: HashSet<Var> = HashSet::new();
    for body in &editor.func.blocks {
        for inst in &body.insts {
            if let InstKind::Op { op, args } = &inst.kind
                && updates_part(op)
                && let Some(Operand::Var(composite)) = args.first()
                && is_opaque(&editor.func, &defs, *composite)
                && part_tys(editor.func.ty(*composite), None).is_some()
            {
                found.insert(*composite);
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
        let composite = editor.new_var(editor.func.ty(param));
        editor.replace(param, composite.into());
        head.push((param, composite));
    }
    editor.apply_replacements();
    let mut insts = Vec::new();
    for (param, composite) in head {
        reconstruct(editor, &mut insts, param, composite, span);
    }
    for block in editor.blocks() {
        let old = std::mem::take(&mut editor.body(block).insts);
        if block != Block::ENTRY {
            insts = Vec::with_capacity(old.len());
        }
        for mut inst in old {
            if found.contains(&inst.result) {
                let composite = inst.result;
                let span = inst.span;
                inst.result = editor.new_var(editor.func.ty(composite));
                if let Some(from) = editor.inlined_from.remove(&composite) {
                    editor.inlined_from.insert(inst.result, from);
                }
                let opaque = inst.result;
                insts.push(inst);
                reconstruct(editor, &mut insts, opaque, composite, span);
            } else {
                insts.push(inst);
            }
        }
        editor.body(block).insts = std::mem::take(&mut insts);
    }
    true
}

/// Whether the parts of a composite are unknown: an argument, the result of a call, an element, a payload.
fn is_opaque(func: &Func, defs: &Defs, var: Var) -> bool {
    match defs.place(var) {
        Some(Position::Head) => true,
        Some(Position::Inst(block, i)) => match &func.block(block).insts[i].kind {
            InstKind::Call { .. } | InstKind::Overdub { .. } => true,
            InstKind::Op { op, .. } => **op == ops::GET || **op == ops::PAYLOAD,
            InstKind::Const(_) => false,
        },
        Some(Position::Block(_) | Position::Terminator(_)) | None => false,
    }
}

/// Defines `composite` as a reconstruction from the parts of `opaque`.
fn reconstruct(
    editor: &mut FuncEditor<'_>,
    insts: &mut Vec<Inst>,
    opaque: Var,
    composite: Var,
    span: overdub_context::Span,
) {
    let ty = editor.func.ty(opaque);
    let tys = part_tys(ty, None).expect("SROA1: an exposed composite has parts");
    let mut parts = Vec::with_capacity(tys.len());
    for (k, part_ty) in tys.into_iter().enumerate() {
        let result = editor.new_var(part_ty);
        insts.push(Inst { result, kind: read_part(ty, None, opaque.into(), k), span });
        parts.push(result.into());
    }
    let kind = construct(ty, None, parts).expect("SROA1: an exposed composite has parts");
    insts.push(Inst { result: composite, kind, span });
}
