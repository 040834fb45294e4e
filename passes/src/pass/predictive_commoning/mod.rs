//! Predictive commoning: what a round of a loop stores into an array for the next round to load is passed on in a
//! variable (O'Brien, *Predictive Commoning*, 1990; `-fpredictive-commoning` of GCC).
//!
//! ```text
//! for i in 0..n {                          let mut carried = if 0 < dx.len() { dx[0] } else { 0.0 };
//!     dx[i] = dx[i] + a(i);          →     for i in 0..n {
//!     dx[i + 1] = dx[i + 1] + b(i);            dx[i] = carried + a(i);
//! }                                            carried = dx[i + 1] + b(i);
//!                                              dx[i + 1] = carried;
//!                                          }
//! ```
//!
//! A load that follows a store to the same place, of another width once a vectoriser has joined stores, waits for it.

mod known_elements;
mod moved_addition;
mod sunk_stores;
#[cfg(test)]
mod tests;
mod updated_array;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, Defs, Dominators, LoopNest};
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{
    Block, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, Var,
};
use overdub_context::ops::{self, OpDef};

use self::known_elements::{known_element, with_known_elements};
use self::moved_addition::with_moved_additions;
use self::sunk_stores::with_sunk_stores;
use self::updated_array::Finder;
use crate::support::named::{new_block, new_var};
use crate::support::scope::Scope;

/// Replaces loads by values of the round before.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let Some(func) = commoned(&editor.func) else { return false };
    editor.func = func;
    editor.analyses = None;
    true
}

/// The function with loads replaced by values of the round before, if there are any.
fn commoned(func: &Func) -> Option<Func> {
    let mut known = with_known_elements(func);
    let before = known.as_ref().unwrap_or(func);
    let found = analysed(before, |finder| carried(&finder));
    if found.is_empty() {
        return known;
    }
    let mut func = known.take().unwrap_or_else(|| func.clone());
    let mut replaced: HashMap<Var, Operand> = HashMap::new();
    for carried in &found {
        let param = new_var(&mut func, carried.ty, "carried");
        replaced.extend(carried.loads.iter().map(|load| (*load, param.into())));
        func.blocks[carried.header.index()].params.push(param);
        let initial = match &carried.known {
            Some(constant) => (entry_of(&mut func, carried), constant.clone()),
            None => load_before(&mut func, carried),
        };
        for (pred, value) in [(carried.latch, carried.stored.clone()), initial] {
            for target in targets_to(&mut func, pred, carried.header) {
                target.args.push(value.clone());
            }
        }
    }
    replace(&mut func, &replaced);
    with_sunk_stores(&mut func);
    with_moved_additions(&mut func);
    Some(func)
}

/// Analyses a function.
fn analysed<R>(func: &Func, find: impl FnOnce(Finder<'_>) -> R) -> R {
    let cfg = Cfg::new(func);
    let loops = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let defs = Defs::of(func);
    find(Finder { func, cfg: &cfg, loops: &loops, defs: &defs })
}

/// A value that a loop stores in one round and loads in the next.
struct Carried {
    header: Block,
    /// The block that enters the loop, and that which repeats it.
    entry: Block,
    latch: Block,
    /// The loads that give it.
    loads: Vec<Var>,
    /// What is stored.
    stored: Operand,
    ty: Ty,
    /// What the first round loads, if that is a constant.
    known: Option<Operand>,
    /// The array and the index of the first load.
    array: Operand,
    index: (Operand, i128),
}

/// The values that loops store in one round and load in the next.
fn carried(finder: &Finder<'_>) -> Vec<Carried> {
    let mut found: Vec<Carried> = Vec::new();
    // A load may be an element by several counters.
    let mut seen = HashSet::new();
    for of in finder.all() {
        let mut by_offset: Vec<(i128, Vec<Var>)> = Vec::new();
        for load in finder.loads(&of).iter().filter(|load| !of.is_stored_before(load)) {
            match by_offset.iter_mut().find(|(offset, _)| *offset == load.offset) {
                Some((_, loads)) => loads.push(load.result),
                None => by_offset.push((load.offset, vec![load.result])),
            }
        }
        for (offset, loads) in by_offset {
            let next = of.stores.iter().rev().find(|store| store.offset == offset + of.step);
            let Some(next) = next else { continue };
            if !loads.iter().all(|load| seen.insert(*load)) {
                continue;
            }
            found.push(Carried {
                header: of.header,
                entry: of.entry,
                latch: of.latch,
                loads,
                stored: next.value.clone(),
                ty: of.elem,
                known: known_element(finder, &of.first_array),
                array: of.first_array.clone(),
                index: (of.first_count.clone(), offset),
            });
        }
    }
    found
}

/// The edges from one block to another.
fn targets_to(func: &mut Func, from: Block, to: Block) -> impl Iterator<Item = &mut Target> {
    let terminator = func.blocks[from.index()].terminator.as_mut();
    let targets = terminator.into_iter().flat_map(|terminator| terminator.kind.targets_mut());
    targets.filter(move |target| target.block == to)
}

/// Loads the value of the first round before the loop, if there is such an element; the block that enters the loop then, and
/// the value.
fn load_before(func: &mut Func, carried: &Carried) -> (Block, Operand) {
    let zero = if carried.ty == Ty::f64() { Operand::from(0.0) } else { Operand::from(0.0_f32) };
    if let (Operand::Const(first), offset) = &carried.index
        && first.value().as_int().is_none_or(|(_, first)| first + offset < 0)
    {
        // The first round loads no such element.
        return (entry_of(func, carried), zero);
    }
    let span = func.span;
    let [guard, load, join] = [0, 1, 2].map(|number| Block((func.blocks.len() + number) as u32));
    // Other values of the loop may have come before.
    let entry = entry_of(func, carried);
    let target = targets_to(func, entry, carried.header).next();
    let args = target.map(|target| std::mem::replace(target, Target::from(guard)).args).unwrap_or_default();
    let mut insts = Vec::new();
    let mut apply = |func: &mut Func, op: &'static OpDef, args: Vec<Operand>, ty: Ty| -> Operand {
        let result = new_var(func, ty, "carried");
        insts.push(Inst { result, kind: InstKind::Op { op, args }, span });
        result.into()
    };
    let index = match carried.index.clone() {
        (index, 0) => index,
        (index, offset) => {
            let op = if offset > 0 { &ops::ADD_WRAPPING } else { &ops::SUB_WRAPPING };
            apply(func, op, vec![index, (offset.unsigned_abs() as usize).into()], Ty::usize())
        }
    };
    let len = apply(func, &ops::LEN, vec![carried.array.clone()], Ty::usize());
    let cond = apply(func, &ops::LT, vec![index.clone(), len], Ty::bool());
    let branch =
        TerminatorKind::BrIf { cond, then: Target::from(load), otherwise: Target::new(join, [zero]) };
    push(func, insts, branch);
    let elem = new_var(func, carried.ty, "carried");
    let kind = InstKind::Op { op: &ops::GET_UNCHECKED, args: vec![carried.array.clone(), index] };
    let loaded = Inst { result: elem, kind, span };
    push(func, vec![loaded], TerminatorKind::Br(Target::new(join, [elem])));
    let value = new_var(func, carried.ty, "carried");
    push(func, Vec::new(), TerminatorKind::Br(Target { block: carried.header, args }));
    func.blocks[join.index()].params.push(value);
    (join, value.into())
}

/// The block that enters the loop now.
fn entry_of(func: &mut Func, carried: &Carried) -> Block {
    let preds = (0..func.blocks.len() as u32).map(Block);
    let preds: Vec<Block> = preds.filter(|pred| *pred != carried.latch).collect();
    preds
        .into_iter()
        .find(|pred| targets_to(func, *pred, carried.header).next().is_some())
        .unwrap_or(carried.entry)
}

fn push(func: &mut Func, insts: Vec<Inst>, kind: TerminatorKind) {
    let block = new_block(func, Vec::new(), "carried");
    let terminator = Some(Terminator { kind, span: func.span });
    let body = func.block_mut(block);
    (body.insts, body.terminator) = (insts, terminator);
}

/// Replaces variables, whose definitions are removed.
fn replace(func: &mut Func, by: &HashMap<Var, Operand>) {
    let replaced = |operand: &mut Operand| {
        if let Operand::Var(var) = operand
            && let Some(new) = by.get(var)
        {
            *operand = new.clone();
        }
    };
    for body in &mut func.blocks {
        body.insts.retain(|inst| !by.contains_key(&inst.result));
        body.insts.iter_mut().flat_map(|inst| inst.kind.operands_mut()).for_each(replaced);
        let Some(terminator) = &mut body.terminator else { continue };
        terminator.kind.operand_mut().into_iter().for_each(replaced);
        terminator.kind.targets_mut().flat_map(|target| &mut target.args).for_each(replaced);
    }
}
