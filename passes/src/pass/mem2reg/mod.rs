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
//! - A cell is taken apart where all that is done with it is to read, write and take its content, or parts of it:
//!   fields, elements, payloads; a slice may be read, and its elements written. A cell that is handed on is another's.
//! - A reference to an element, a slice or a payload checks that it is there where it is made: it is read there.
//! - A hole that `ref.take` leaves is never read, so it may hold what was taken; what a reference points into is not
//!   changed but by way of the reference, as Rust's borrows have it.

mod projections;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Block, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::func_editor::FuncEditor;
use crate::support::scope::Scope;
use crate::support::ssa_repair::Reach;
use projections::{Projection, check, read, written};

/// Makes values of cells.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    if !editor.has_op(|op| *op == ops::CELL) {
        return false;
    }
    let cells = private_cells(editor);
    for &(cell, block) in &cells {
        make_value(editor, cell, block);
    }
    editor.carry_out();
    !cells.is_empty()
}

/// The cells that are only read, written and taken, each with the block that makes it.
fn private_cells(editor: &FuncEditor<'_>) -> Vec<(Var, Block)> {
    let mut cells: Vec<(Var, Block)> = Vec::new();
    let mut seen_by_others: HashSet<Var> = HashSet::new();
    // A reference to a part is as private as the cell: what is seen of it is seen of the cell.
    let mut wholes: HashMap<Var, (Var, Projection)> = HashMap::new();
    for (block, body) in editor.func.iter_blocks() {
        for inst in &body.insts {
            let InstKind::Op { op, args } = &inst.kind else {
                seen_by_others.extend(inst.kind.operands().filter_map(Operand::var));
                continue;
            };
            if **op == ops::CELL {
                cells.push((inst.result, block));
            }
            let part = Projection::of(editor, inst);
            let through = part.is_some() || READS_AND_WRITES.contains(op);
            if let (Some(part), Some(Operand::Var(whole))) = (part, args.first()) {
                wholes.insert(inst.result, (*whole, part));
            }
            seen_by_others.extend(args.iter().skip(usize::from(through)).filter_map(Operand::var));
        }
        let end = body.terminator.iter().flat_map(|end| end.kind.operands());
        seen_by_others.extend(end.filter_map(Operand::var));
    }
    seen_by_others.extend(slices_that_are_written(editor, &wholes));
    let cell_of = |mut var: Var| {
        while let Some((whole, _)) = wholes.get(&var) {
            var = *whole;
        }
        var
    };
    let seen: HashSet<Var> = seen_by_others.iter().map(|&var| cell_of(var)).collect();
    cells.retain(|(cell, _)| !seen.contains(cell));
    cells
}

/// What may be done with a private cell, beside references to parts of it.
static READS_AND_WRITES: &[&OpDef] =
    &[&ops::REF_GET, &ops::REF_SET, &ops::REF_TAKE, &ops::REF_LEN, &ops::REF_TAG];

/// References to slices through which the whole slice is written: it has to have the right length.
fn slices_that_are_written<'w>(
    editor: &'w FuncEditor<'_>,
    wholes: &'w HashMap<Var, (Var, Projection)>,
) -> impl Iterator<Item = Var> + 'w {
    let insts = editor.func.blocks.iter().flat_map(|body| &body.insts);
    insts
        .filter_map(|inst| match &inst.kind {
            InstKind::Op { op, args } if **op == ops::REF_SET => args.first()?.var(),
            _ => None,
        })
        .filter(|var| matches!(wholes.get(var), Some((_, Projection::Slice(..)))))
}

/// What a cell holds, and the references to its parts, while its block is walked.
struct Content<'w> {
    cell: Var,
    /// The way from the cell to the part that a reference points to.
    ways: &'w mut HashMap<Var, Vec<Projection>>,
}

fn make_value(editor: &mut FuncEditor<'_>, cell: Var, made_in: Block) {
    let TyKind::Ref(ty) = *editor.func.ty(cell).kind() else { return };
    let mut ways: HashMap<Var, Vec<Projection>> = HashMap::from_iter([(cell, Vec::new())]);
    // References to parts, wherever they are made: definitions come before uses in reverse postorder.
    let analyses = editor.cfg_analyses();
    let (cfg, order) = (&analyses.cfg, analyses.cfg.reverse_postorder());
    let mut touched: Vec<Block> = Vec::new();
    for &block in order {
        for inst in &editor.func.block(block).insts {
            let InstKind::Op { args, .. } = &inst.kind else { continue };
            let Some(way) = args.first().and_then(Operand::var).and_then(|var| ways.get(&var)) else {
                continue;
            };
            if let Some(part) = Projection::of(editor, inst) {
                let way = way.iter().cloned().chain([part]).collect();
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
    let mut ends: Vec<(Block, Operand)> = Vec::new();
    for &block in &touched {
        let begin = editor.new_var(ty);
        let mut content = Content { cell, ways: &mut ways };
        let end = content.walk(editor, block, begin.into());
        begins.insert(block, begin);
        if end != Operand::Var(begin) {
            ends.push((block, end));
        }
    }
    ends.sort_unstable_by_key(|(block, _)| *block);
    let mut reach = Reach::new(cfg, ty, ends);
    for &block in touched.iter().filter(|&&block| block != made_in) {
        let value = reach.at_start(editor, block);
        editor.replace(begins[&block], value);
    }
    reach.finish(editor);
}

impl Content<'_> {
    /// Replaces what a block does with the cell; what the cell holds where the block ends.
    fn walk(&mut self, editor: &mut FuncEditor<'_>, block: Block, begin: Operand) -> Operand {
        let mut now = begin;
        let old = std::mem::take(&mut editor.body(block).insts);
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
                now = written(editor, &mut insts, now, way, &args[1], &inst);
                editor.replace(inst.result, Operand::unit());
            } else if let Some(part) = Projection::of(editor, &inst) {
                check(editor, &mut insts, now.clone(), way, &part, &inst);
            } else {
                let read = read(editor, &mut insts, now.clone(), way, &inst);
                let value = match &inst.kind {
                    InstKind::Op { op, .. } if **op == ops::REF_LEN => {
                        editor.op(&mut insts, &ops::LEN, vec![read], Ty::usize(), inst.span).into()
                    }
                    InstKind::Op { op, .. } if **op == ops::REF_TAG => {
                        editor.op(&mut insts, &ops::TAG, vec![read], Ty::i64(), inst.span).into()
                    }
                    _ => read,
                };
                editor.replace(inst.result, value);
            }
        }
        editor.body(block).insts = insts;
        now
    }
}
