//! Cells that nobody else sees become values.
//!
//! ```text
//!   %r: ref i64 = cell 0                           br ^loop(0, 0)
//!   br ^loop(0)                                  ^loop(%i: i64, %1: i64):
//! ^loop(%i: i64):                                  %t: i64 = add %1, %i
//!   %s: i64 = ref.get %r                   →       …
//!   %t: i64 = add %s, %i                           br_if %c, ^loop(%j, %t), ^done
//!   %u: unit = ref.set %r, %t
//!   …
//!   br_if %c, ^loop(%j), ^done
//! ```
//!
//! - A cell is taken apart where all that is done with it is to read, write and take its content, or a field of it.
//! - A hole that `ref.take` leaves is never read, so it may hold what was taken.
//! - A reference to an element checks its bounds where it is made, and a cell that is handed on is another's: both
//!   stay as they are.

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops;

use crate::scope::Scope;
use crate::work::{Reach, Work};

/// Makes values of cells.
pub(crate) fn run(work: &mut Work<'_>, _: &Scope<'_>) -> bool {
    let cells = private_cells(work);
    for &(cell, block) in &cells {
        make_value(work, cell, block);
    }
    work.carry_out();
    !cells.is_empty()
}

/// The cells that are only read, written and taken, each with the block that makes it.
fn private_cells(work: &Work<'_>) -> Vec<(Var, Block)> {
    let mut cells: Vec<(Var, Block)> = Vec::new();
    let mut seen_by_others: HashSet<Var> = HashSet::new();
    // A reference to a field is as private as the cell: what is seen of it is seen of the cell.
    let mut fields: HashMap<Var, Var> = HashMap::new();
    for (block, body) in work.func.iter_blocks() {
        for inst in &body.insts {
            let InstKind::Op { op, args } = &inst.kind else {
                seen_by_others.extend(inst.kind.operands().filter_map(Operand::var));
                continue;
            };
            if **op == ops::CELL {
                cells.push((inst.result, block));
            }
            let through = **op == ops::REF_GET
                || **op == ops::REF_SET
                || **op == ops::REF_TAKE
                || **op == ops::REF_FIELD
                || **op == ops::REF_LEN
                || **op == ops::REF_TAG;
            if **op == ops::REF_FIELD
                && let Some(Operand::Var(whole)) = args.first()
            {
                fields.insert(inst.result, *whole);
            }
            seen_by_others.extend(args.iter().skip(usize::from(through)).filter_map(Operand::var));
        }
        let end = body.terminator.iter().flat_map(|end| end.kind.operands());
        seen_by_others.extend(end.filter_map(Operand::var));
    }
    let cell_of = |mut var: Var| {
        while let Some(&whole) = fields.get(&var) {
            var = whole;
        }
        var
    };
    let seen: HashSet<Var> = seen_by_others.iter().map(|&var| cell_of(var)).collect();
    cells.retain(|(cell, _)| !seen.contains(cell));
    cells
}

/// What a cell holds, and the references to its fields, while its block is walked.
struct Content<'w> {
    cell: Var,
    /// The way from the cell to the field that a reference points to.
    ways: &'w mut HashMap<Var, Vec<Operand>>,
}

fn make_value(work: &mut Work<'_>, cell: Var, made_in: Block) {
    let TyKind::Ref(ty) = *work.func.ty(cell).kind() else { return };
    let mut ways: HashMap<Var, Vec<Operand>> = HashMap::from_iter([(cell, Vec::new())]);
    // References to fields, wherever they are made: definitions come before uses in reverse postorder.
    let cfg = Cfg::new(&work.func);
    let order = cfg.reverse_postorder().to_vec();
    let mut touched: Vec<Block> = Vec::new();
    for &block in &order {
        for inst in &work.func.block(block).insts {
            let InstKind::Op { op, args } = &inst.kind else { continue };
            let Some(way) = args.first().and_then(Operand::var).and_then(|var| ways.get(&var)) else {
                continue;
            };
            if **op == ops::REF_FIELD {
                let mut way = way.clone();
                way.push(args[1].clone());
                ways.insert(inst.result, way);
            }
            if touched.last() != Some(&block) {
                touched.push(block);
            }
        }
    }
    if !touched.contains(&made_in) {
        touched.push(made_in);
    }
    // Where a block begins, the cell holds what stands for this variable.
    let mut begins: HashMap<Block, Var> = HashMap::new();
    let mut ends: HashMap<Block, Operand> = HashMap::new();
    for &block in &touched {
        let begin = work.new_var(ty);
        let mut content = Content { cell, ways: &mut ways };
        let end = content.walk(work, block, begin.into());
        begins.insert(block, begin);
        if end != Operand::Var(begin) {
            ends.insert(block, end);
        }
    }
    let mut reach = Reach::new(&cfg, ty, ends);
    for &block in touched.iter().filter(|&&block| block != made_in) {
        let value = reach.at_start(work, block);
        work.replace(begins[&block], value);
    }
    reach.finish(work);
}

impl Content<'_> {
    /// Replaces what a block does with the cell; what the cell holds where the block ends.
    fn walk(&mut self, work: &mut Work<'_>, block: Block, begin: Operand) -> Operand {
        let mut now = begin;
        let old = std::mem::take(&mut work.body(block).insts);
        let mut insts = Vec::with_capacity(old.len());
        for inst in old {
            let InstKind::Op { op, args } = &inst.kind else {
                insts.push(inst);
                continue;
            };
            if inst.result == self.cell {
                now = args[0].clone();
                continue;
            }
            let Some(way) = args.first().and_then(Operand::var).and_then(|var| self.ways.get(&var)) else {
                insts.push(inst);
                continue;
            };
            if **op == ops::REF_SET {
                now = written(work, &mut insts, now, way, &args[1], &inst);
                work.replace(inst.result, Operand::unit());
            } else if **op != ops::REF_FIELD {
                let read = read(work, &mut insts, now.clone(), way, &inst);
                let value = match &inst.kind {
                    InstKind::Op { op, .. } if **op == ops::REF_LEN => {
                        work.op(&mut insts, &ops::LEN, vec![read], Ty::usize(), inst.span).into()
                    }
                    InstKind::Op { op, .. } if **op == ops::REF_TAG => {
                        work.op(&mut insts, &ops::TAG, vec![read], Ty::i64(), inst.span).into()
                    }
                    _ => read,
                };
                work.replace(inst.result, value);
            }
        }
        work.body(block).insts = insts;
        now
    }
}

fn field_ty(ty: Ty, k: &Operand) -> Ty {
    let k = k.constant().and_then(|k| k.value().as_index()).unwrap_or_default();
    let field = match ty.kind() {
        TyKind::Tuple(parts) => parts.get(k).copied(),
        TyKind::Struct(nominal) => nominal.fields().and_then(|fields| fields.get(k)).map(|field| field.ty),
        _ => None,
    };
    field.expect("V2: a reference to a field is to one that there is")
}

/// The part of a value at the end of a way.
fn read(work: &mut Work<'_>, insts: &mut Vec<Inst>, mut now: Operand, way: &[Operand], at: &Inst) -> Operand {
    for k in way {
        let ty = field_ty(work.ty(&now), k);
        now = work.op(insts, &ops::FIELD, vec![now, k.clone()], ty, at.span).into();
    }
    now
}

/// The value with another part at the end of a way; what is on the way is taken out, so that it has one owner.
fn written(
    work: &mut Work<'_>,
    insts: &mut Vec<Inst>,
    now: Operand,
    way: &[Operand],
    new: &Operand,
    at: &Inst,
) -> Operand {
    let mut wholes = Vec::with_capacity(way.len());
    let mut inner = now;
    for (depth, k) in way.iter().enumerate() {
        let whole_ty = work.ty(&inner);
        if depth + 1 == way.len() {
            wholes.push((inner.clone(), k));
            break;
        }
        let ty = field_ty(whole_ty, k);
        let taken =
            work.op(insts, &ops::TAKE_FIELD, vec![inner, k.clone()], Ty::tuple([ty, whole_ty]), at.span);
        let rest = work.op(insts, &ops::FIELD, vec![taken.into(), 1_i64.into()], whole_ty, at.span);
        wholes.push((rest.into(), k));
        inner = work.op(insts, &ops::FIELD, vec![taken.into(), 0_i64.into()], ty, at.span).into();
    }
    let mut value = new.clone();
    while let Some((whole, k)) = wholes.pop() {
        let ty = work.ty(&whole);
        value = work.op(insts, &ops::WITH_FIELD, vec![whole, k.clone(), value], ty, at.span).into();
    }
    value
}
