//! A store that the next round of a loop overwrites is made once, after the loop (LLVM: store sinking by `LICM`).
//!
//! ```text
//! for i in 0..n {                          for i in 0..n {
//!     dx[i] = carried + a(i);                  dx[i] = carried + a(i);
//!     carried = b(i);                →         carried = b(i);
//!     dx[i + 1] = carried;                 }
//! }                                        if n < dx.len() { dx[n] = carried; }
//! ```
//!
//! Without such a store and without loads from the array, compilers vectorise the loop.
//!
//! - SINK1 all stores of a round are known and made in each round, and nothing in the loop reads the place after the store, the
//!   next round before it overwrites it included.
//! - SINK2 the loop is left by its header alone, and what follows uses the array after the store. If the loop has run no round, the
//!   variable is the element that is stored.

use hashbrown::HashSet;
use overdub_context::ir::{
    Block, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, Var,
};
use overdub_context::ops::{self, OpDef};

use super::analysed;
use super::updated_array::{Finder, UpdatedArray};
use crate::support::counted_loop::{CountedLoop, counted};
use crate::support::named::{new_block, new_var};

/// Sinks such stores, at most one of each loop at a time: it changes the others of the loop.
pub(super) fn with_sunk_stores(func: &mut Func) {
    loop {
        let mut headers = HashSet::new();
        let found: Vec<Sunk> = analysed(func, |finder| {
            let sinkable = finder.all().filter_map(|of| sinkable(&finder, of));
            sinkable.filter(|sunk| headers.insert(sunk.header)).collect()
        });
        if found.is_empty() {
            return;
        }
        found.into_iter().for_each(|sunk| sink(func, sunk));
    }
}

/// A store that is made after its loop.
struct Sunk {
    header: Block,
    exit: Block,
    /// The blocks of the loop.
    inside: Vec<Block>,
    /// The array at the start of a round.
    array: Var,
    /// The state after the store, and before it.
    removed: Var,
    before: Var,
    /// The value that the last round stores.
    value: Operand,
    elem_index: (Operand, i128),
}

fn sinkable(finder: &Finder<'_>, of: UpdatedArray) -> Option<Sunk> {
    let CountedLoop { var, bound, from, exit, .. } =
        counted(finder.func, (finder.cfg, finder.loops, finder.defs), of.id, finder.loops.get(of.id))?;
    let starts_at_zero = from.constant().is_some_and(|from| from.value().as_index() == Some(0));
    if var != of.counter || of.step != 1 || !starts_at_zero {
        return None;
    }
    let inside: Vec<Block> = finder
        .func
        .iter_blocks()
        .map(|(block, _)| block)
        .filter(|block| finder.loops.contains(of.id, *block))
        .collect();
    // SINK2: what follows the loop uses the array after the store.
    let is_array = |operand: &Operand| operand.var() == Some(of.array);
    let is_used_after =
        finder.func.iter_blocks().filter(|(block, _)| !inside.contains(block)).any(|(_, body)| {
            let insts = body.insts.iter().flat_map(|inst| inst.kind.operands());
            insts.chain(body.terminator.iter().flat_map(|end| end.kind.operands())).any(is_array)
        });
    if is_used_after && finder.cfg.preds(exit) != [of.header] {
        return None;
    }
    let reads = reads(finder, &of, &inside)?;
    for (at, store) in of.stores.iter().enumerate() {
        let next_offset = store.offset - of.step;
        let overwritten_by = of.stores.iter().position(|other| other.offset == next_offset);
        let is_last = of.stores[at + 1..].iter().all(|other| other.offset != store.offset);
        let (Some(overwritten_by), true, true) = (overwritten_by, is_last, store.is_in_bounds) else {
            continue;
        };
        // SINK1
        let is_read = reads.iter().any(|(offset, stores_before)| {
            *offset == store.offset && *stores_before > at
                || *offset == next_offset && *stores_before <= overwritten_by
        });
        let Some(value) = carried_in(finder, &of, &store.value, next_offset).filter(|_| !is_read) else {
            continue;
        };
        let before = if at == 0 { of.array } else { of.stores[at - 1].after };
        return Some(Sunk {
            header: of.header,
            exit,
            inside,
            array: of.array,
            removed: store.after,
            before,
            value,
            elem_index: (bound, next_offset),
        });
    }
    None
}

/// The reads of elements by a loop: the offsets of their indices, and how many stores precede each in its round; none if it uses
/// the array in another way.
fn reads(finder: &Finder<'_>, of: &UpdatedArray, inside: &[Block]) -> Option<Vec<(i128, usize)>> {
    let state = |operand: &Operand| operand.var().and_then(|var| of.stores_before(var));
    let mut found = Vec::new();
    for block in inside {
        let body = finder.func.block(*block);
        for inst in &body.insts {
            match &inst.kind {
                InstKind::Op { op, args } if [&ops::GET, &ops::GET_UNCHECKED].contains(op) => {
                    let Some(stores_before) = state(&args[0]) else { continue };
                    let (base, offset) = finder.affine(&args[1])?;
                    if base != of.counter {
                        return None;
                    }
                    found.push((offset, stores_before));
                }
                InstKind::Op { op, .. } if *op == &ops::LEN => {}
                InstKind::Op { .. } if of.stores.iter().any(|store| store.after == inst.result) => {}
                kind if kind.operands().any(|operand| state(operand).is_some()) => return None,
                _ => {}
            }
        }
        for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
            // The next round gets the array once, and what follows the loop may get it.
            let allowed = usize::from(target.block == of.header);
            let passed = target.args.iter().filter(|arg| state(arg).is_some()).count();
            if passed > allowed && inside.contains(&target.block) {
                return None;
            }
        }
    }
    Some(found)
}

/// The parameter of the header that is what the round before stored, or the element before the loop if there was none (SINK2).
fn carried_in(finder: &Finder<'_>, of: &UpdatedArray, stored: &Operand, offset: i128) -> Option<Operand> {
    let args = |from: Block| {
        let end = finder.func.block(from).terminator.as_ref()?;
        end.kind.targets().find(|target| target.block == of.header).map(|target| &target.args)
    };
    let (again, first) = (args(of.latch)?, args(of.entry)?);
    let is_element = |first: &Operand| is_element(finder, &of.first_array, offset, first);
    let params = finder.func.block(of.header).params.iter().zip(again.iter().zip(first));
    let mut carried = params.filter(|(_, (again, first))| *again == stored && is_element(first));
    carried.next().map(|(param, _)| (*param).into())
}

/// Whether an operand is the element of an array at this index, if there is such an element.
fn is_element(finder: &Finder<'_>, array: &Operand, index: i128, operand: &Operand) -> bool {
    if index < 0 {
        return true;
    }
    if let Some(constant) = super::known_element(finder, array) {
        return constant == *operand;
    }
    // What [`super::load_before`] made: a parameter that is the loaded element, or any number if there is no such element.
    let Some(block) = operand.var().and_then(|var| finder.defs.block(var)) else { return false };
    let at = finder.func.block(block).params.iter().position(|param| Some(*param) == operand.var());
    let Some(at) = at else { return false };
    let mut loaded = finder.cfg.preds(block).iter().map(|pred| {
        let end = finder.func.block(*pred).terminator.as_ref()?;
        let arg = end.kind.targets().find(|target| target.block == block)?.args.get(at)?;
        Some(match finder.defs.inst(finder.func, arg) {
            Some(InstKind::Op { op, args }) if *op == &ops::GET_UNCHECKED => {
                args[0] == *array
                    && args[1]
                        .constant()
                        .and_then(|at| at.value().as_index())
                        .is_some_and(|at| at as i128 == index)
            }
            _ => is_guard(finder, *pred, array, index),
        })
    });
    loaded.all(|is_so| is_so == Some(true))
}

/// Whether a block branches by whether an array has an element of this index.
fn is_guard(finder: &Finder<'_>, block: Block, array: &Operand, index: i128) -> bool {
    let end = finder.func.block(block).terminator.as_ref();
    let Some(TerminatorKind::BrIf { cond, .. }) = end.map(|end| &end.kind) else { return false };
    let Some(InstKind::Op { op, args }) = finder.defs.inst(finder.func, cond) else { return false };
    let is_index =
        args[0].constant().and_then(|at| at.value().as_index()).is_some_and(|at| at as i128 == index);
    let len = finder.defs.inst(finder.func, &args[1]);
    let is_len = matches!(len, Some(InstKind::Op { op, args }) if *op == &ops::LEN && args[0] == *array);
    *op == &ops::LT && is_index && is_len
}

/// Removes the store from the loop, and makes it on the edge by which the loop is left.
fn sink(func: &mut Func, sunk: Sunk) {
    let span = func.span;
    let Sunk { header, exit, inside, array, removed, before, value, elem_index } = sunk;
    let ty = func.ty(array);
    let [index, len, is_there, stored, joined] =
        [Ty::usize(), Ty::usize(), Ty::bool(), ty, ty].map(|ty| new_var(func, ty, "sunk"));
    // What follows the loop uses the array after the store.
    let after = |operand: &mut Operand| {
        if operand.var() == Some(array) {
            *operand = joined.into();
        }
    };
    for number in 0..func.blocks.len() {
        if inside.contains(&Block(number as u32)) {
            continue;
        }
        let body = &mut func.blocks[number];
        body.insts.iter_mut().flat_map(|inst| inst.kind.operands_mut()).for_each(after);
        let Some(terminator) = &mut body.terminator else { continue };
        terminator.kind.operand_mut().into_iter().for_each(after);
        terminator.kind.targets_mut().flat_map(|target| &mut target.args).for_each(after);
    }
    let [test, store, join] = [(); 3].map(|()| new_block(func, Vec::new(), "sunk"));
    let mut leaving = Target::from(exit);
    for target in super::targets_to(func, header, exit) {
        leaving = std::mem::replace(target, Target::from(test));
    }
    leaving.args.iter_mut().for_each(after);
    let (bound, offset) = elem_index;
    let (op, distance) =
        if offset < 0 { (&ops::SUB_WRAPPING, -offset) } else { (&ops::ADD_WRAPPING, offset) };
    let distance = Operand::from(usize::try_from(distance).unwrap_or(usize::MAX));
    let mut define = |block: Block, rows: Vec<(Var, &'static OpDef, Vec<Operand>)>, kind| {
        let insts =
            rows.into_iter().map(|(result, op, args)| Inst { result, kind: InstKind::Op { op, args }, span });
        let body = func.block_mut(block);
        body.insts.extend(insts);
        body.terminator = Some(Terminator { kind, span });
    };
    let mut rows = vec![(len, &ops::LEN, vec![array.into()])];
    let index: Operand = match offset {
        0 => bound,
        _ => {
            rows.push((index, op, vec![bound, distance]));
            index.into()
        }
    };
    rows.push((is_there, &ops::LT, vec![index.clone(), len.into()]));
    let otherwise = Target::new(join, [array]);
    define(test, rows, TerminatorKind::BrIf { cond: is_there.into(), then: Target::from(store), otherwise });
    let rows = vec![(stored, &ops::SET_UNCHECKED, vec![array.into(), index, value])];
    define(store, rows, TerminatorKind::Br(Target::new(join, [stored])));
    define(join, Vec::new(), TerminatorKind::Br(leaving));
    func.block_mut(join).params.push(joined);
    super::replace(func, &[(removed, before.into())].into_iter().collect());
}
