//! Promotion of cells to values: a cell that does not escape becomes SSA values (LLVM: mem2reg).
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
//! - M2R1 a cell is promoted if it and the references to its parts (fields, elements, payloads, slices) are
//!   only read, written and moved out of. An element of a slice may be written, a whole slice may not. A cell
//!   that is passed on escapes.
//! - M2R2 creating a reference to an element, slice or payload checks that it exists; the promoted code reads
//!   it at that place, so that it fails at that place, too.
//! - M2R4 a cell with a raw pointer to it is not promoted if a part is moved out of it, or if it is used after its
//!   content was moved out, because a read through the pointer would have to fail. Nor is a read-only one
//!   (`ref.shared`) if something is written to it.
//! - M2R3 a cell is not promoted if its content may be read after `ref.take` moved it out and before it is written, because
//!   that would have to fail; the referent of a reference is changed only through the reference, as Rust's borrows guarantee.
//! - M2R6 a number that is read or written through a pointer to another number of its width is read or written itself, and
//!   converted.
//! - M2R7 a block parameter that holds the bits of a float on every way holds the float.
//! - M2R5 a cell is not promoted if it is used after the end of its life (`ref.end`), because that would have to fail.

mod bitcasts;
mod bits_of_params;
mod projections;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Block, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::lifetime::{Access, is_used_after_end};
use crate::support::moved::{Event, Events};
use crate::support::scope::Scope;
use crate::support::ssa_repair::SsaRepair;
use overdub_context::edit::FuncEditor;
use projections::{Projection, check, read, written};

/// Promotes cells.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let changed = bitcasts::run(editor) | bits_of_params::run(editor);
    if !editor.has_op(creates_cell) {
        return changed;
    }
    let cells = promotable_cells(editor);
    for &(cell, block) in &cells {
        promote(editor, cell, block);
    }
    editor.apply_replacements();
    changed || !cells.is_empty()
}

/// The cells that can be promoted (M2R1), each with the block that creates it.
fn promotable_cells(editor: &mut FuncEditor<'_>) -> Vec<(Var, Block)> {
    let mut cells: Vec<(Var, Block)> = Vec::new();
    let mut escaping: HashSet<Var> = HashSet::new();
    // A cell escapes if a reference to one of its parts does.
    let mut wholes: HashMap<Var, (Var, Projection)> = HashMap::new();
    let (mut raw, mut moved_out, mut set, mut shared) = (Vec::new(), Vec::new(), Vec::new(), HashSet::new());
    let (mut ends, mut accesses): (Vec<Access>, Vec<Access>) = (Vec::new(), Vec::new());
    let mut events: Vec<(Access, Event)> = Vec::new();
    for (block, body) in editor.func.iter_blocks() {
        for (at, inst) in body.insts.iter().enumerate() {
            let InstKind::Op { op, args } = &inst.kind else {
                escaping.extend(inst.kind.operands().filter_map(Operand::var));
                continue;
            };
            if creates_cell(op) {
                cells.push((inst.result, block));
            }
            if let Some(Operand::Var(reference)) = args.first() {
                match op {
                    op if **op == ops::REF_RAW || **op == ops::REF_VARIABLE => raw.push(*reference),
                    op if **op == ops::REF_TAKE => moved_out.push((*reference, block, at)),
                    op if **op == ops::REF_SET => set.push(*reference),
                    _ => {}
                }
            }
            if **op == ops::REF_SHARED {
                shared.insert(inst.result);
            }
            let part = Projection::of(editor, inst);
            let is_access = part.is_some() || ACCESSES.contains(op);
            match args.first() {
                Some(Operand::Var(cell)) if **op == ops::REF_END => ends.push((*cell, block, at)),
                Some(Operand::Var(place)) if is_access => {
                    accesses.push((*place, block, at));
                    let event = match op {
                        op if **op == ops::REF_TAKE => Event::Move,
                        op if **op == ops::REF_SET => Event::Write,
                        _ => Event::Read,
                    };
                    events.push(((*place, block, at), event));
                }
                _ => {}
            }
            if let (Some(part), Some(Operand::Var(composite))) = (part, args.first()) {
                wholes.insert(inst.result, (*composite, part));
            }
            escaping.extend(args.iter().skip(usize::from(is_access)).filter_map(Operand::var));
        }
        let end = body.terminator.iter().flat_map(|end| end.kind.operands());
        escaping.extend(end.filter_map(Operand::var));
    }
    escaping.extend(written_slices(editor, &wholes));
    let cell_of = |mut var: Var| {
        while let Some((composite, _)) = wholes.get(&var) {
            var = *composite;
        }
        var
    };
    let cells_of = |vars: Vec<Var>| -> HashSet<Var> { vars.into_iter().map(cell_of).collect() };
    let (moved_whole, moved_parts): (Vec<Access>, Vec<Access>) =
        moved_out.into_iter().partition(|(var, ..)| cell_of(*var) == *var);
    let moved_out = moved_whole.iter().chain(&moved_parts).map(|(var, ..)| *var).collect();
    let parts_moved_out = cells_of(moved_parts.into_iter().map(|(var, ..)| var).collect());
    let escaping_cells = cells_of(escaping.into_iter().collect());
    let (raw, moved_out, set) = (cells_of(raw), cells_of(moved_out), cells_of(set));
    let analyses = editor.cfg_analyses();
    let accesses: Vec<Access> =
        accesses.into_iter().map(|(var, block, at)| (cell_of(var), block, at)).collect();
    let ends: Vec<Access> = ends.into_iter().map(|(var, block, at)| (cell_of(var), block, at)).collect();
    let is_used_after = |cell: Var, block: Block, ends: &[Access]| {
        is_used_after_end(&analyses.cfg, (cell, block), ends, &accesses)
    };
    let mut events_of_cells = Events::default();
    for ((var, block, at), event) in events {
        let cell = cell_of(var);
        // A part is moved or written where the whole is read.
        events_of_cells.push(cell, block, at, if cell == var { event } else { Event::Read });
    }
    // M2R4
    let is_moved_behind_pointer = |cell: Var, block: Block| {
        raw.contains(&cell) && (parts_moved_out.contains(&cell) || is_used_after(cell, block, &moved_whole))
    };
    let is_written = |cell: &Var| shared.contains(cell) && (moved_out.contains(cell) || set.contains(cell));
    cells.retain(|&(cell, defined_in)| {
        !escaping_cells.contains(&cell)
            && !is_moved_behind_pointer(cell, defined_in)
            // M2R3
            && !events_of_cells.is_read_when_moved(&analyses.cfg, (cell, defined_in))
            && !is_written(&cell)
            // M2R5
            && !is_used_after(cell, defined_in, &ends)
    });
    cells
}

/// Whether an operation creates a cell that holds its operand.
fn creates_cell(op: &OpDef) -> bool {
    *op == ops::CELL || *op == ops::REF_SHARED
}

/// The operations on a promotable cell besides references to its parts.
static ACCESSES: &[&OpDef] =
    &[&ops::REF_GET, &ops::REF_SET, &ops::REF_TAKE, &ops::REF_LEN, &ops::REF_TAG, &ops::REF_END];

/// The references to slices through which a whole slice is written: the write checks the length, which has no equivalent
/// for values.
fn written_slices<'w>(
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

/// Rewrites the accesses to a cell.
struct Promotion<'w> {
    cell: Var,
    /// The access path of each reference: the projections from the cell to its referent.
    paths: &'w mut HashMap<Var, Vec<Projection>>,
}

/// Replaces the accesses to a cell by operations on its value.
fn promote(editor: &mut FuncEditor<'_>, cell: Var, defined_in: Block) {
    let TyKind::Ref(ty) = *editor.func.ty(cell).kind() else { return };
    let mut paths: HashMap<Var, Vec<Projection>> = HashMap::from_iter([(cell, Vec::new())]);
    // In reverse postorder, the definitions of references precede their uses.
    let analyses = editor.cfg_analyses();
    let (cfg, order) = (&analyses.cfg, analyses.cfg.reverse_postorder());
    let mut accessing: Vec<Block> = Vec::new();
    for &block in order {
        for inst in &editor.func.block(block).insts {
            let InstKind::Op { args, .. } = &inst.kind else { continue };
            let Some(path) = args.first().and_then(Operand::var).and_then(|var| paths.get(&var)) else {
                continue;
            };
            if let Some(part) = Projection::of(editor, inst) {
                let path = path.iter().cloned().chain([part]).collect();
                paths.insert(inst.result, path);
            }
            if accessing.last() != Some(&block) {
                accessing.push(block);
            }
        }
    }
    if !accessing.contains(&defined_in) {
        accessing.push(defined_in);
    }
    // A placeholder for the value of the cell at the start of each block.
    let mut starts: HashMap<Block, Var> = HashMap::new();
    let mut ends: Vec<(Block, Operand)> = Vec::new();
    for &block in &accessing {
        let start = editor.new_var(ty);
        let mut promotion = Promotion { cell, paths: &mut paths };
        let end = promotion.rewrite(editor, block, start.into());
        starts.insert(block, start);
        if end != Operand::Var(start) {
            ends.push((block, end));
        }
    }
    ends.sort_unstable_by_key(|(block, _)| *block);
    let mut repair = SsaRepair::new(cfg, ty, ends);
    for &block in accessing.iter().filter(|&&block| block != defined_in) {
        let value = repair.at_start(editor, block);
        editor.replace(starts[&block], value);
    }
    repair.finish(editor);
}

impl Promotion<'_> {
    /// Rewrites the accesses in a block; returns the value of the cell at its end.
    fn rewrite(&mut self, editor: &mut FuncEditor<'_>, block: Block, start: Operand) -> Operand {
        let mut current = start;
        let old = std::mem::take(&mut editor.body(block).insts);
        let mut insts = Vec::with_capacity(old.len());
        for inst in old {
            let InstKind::Op { op, args } = &inst.kind else {
                insts.push(inst);
                continue;
            };
            if inst.result == self.cell {
                current = args[0].clone();
                continue;
            }
            let Some(path) = args.first().and_then(Operand::var).and_then(|var| self.paths.get(&var)) else {
                insts.push(inst);
                continue;
            };
            if **op == ops::REF_END {
                editor.replace(inst.result, Operand::unit());
            } else if **op == ops::REF_SET {
                current = written(editor, &mut insts, current, path, &args[1], &inst);
                editor.replace(inst.result, Operand::unit());
            } else if let Some(part) = Projection::of(editor, &inst) {
                check(editor, &mut insts, current.clone(), path, &part, &inst);
            } else {
                let read = read(editor, &mut insts, current.clone(), path, &inst);
                let value = match &inst.kind {
                    InstKind::Op { op, .. } if **op == ops::REF_LEN => {
                        editor.func.push_op(&mut insts, &ops::LEN, vec![read], Ty::usize(), inst.span).into()
                    }
                    InstKind::Op { op, .. } if **op == ops::REF_TAG => {
                        editor.func.push_op(&mut insts, &ops::TAG, vec![read], Ty::i64(), inst.span).into()
                    }
                    _ => read,
                };
                editor.replace(inst.result, value);
            }
        }
        editor.body(block).insts = insts;
        current
    }
}
