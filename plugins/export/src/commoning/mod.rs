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

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, Defs, Dominators, Loop, LoopId, LoopNest};
use overdub_context::ir::{
    Block, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, Var,
};
use overdub_context::ops::{self, OpDef};

use crate::named::{new_block, new_var};

/// The function with loads replaced by values of the round before.
pub(crate) fn commoned(func: Func) -> Func {
    let cfg = Cfg::new(&func);
    let loops = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let defs = Defs::of(&func);
    let finder = Finder { func: &func, cfg: &cfg, loops: &loops, defs: &defs };
    let found: Vec<Carried> = loops.iter().flat_map(|(id, of)| finder.carried(id, of)).collect();
    if found.is_empty() {
        return func;
    }
    let mut func = func;
    let mut replaced: HashMap<Var, Var> = HashMap::new();
    for carried in &found {
        let param = new_var(&mut func, carried.ty, "carried");
        replaced.extend(carried.loads.iter().map(|load| (*load, param)));
        func.blocks[carried.header.index()].params.push(param);
        let initial = load_before(&mut func, carried);
        for (pred, value) in [(carried.latch, carried.stored.clone()), initial] {
            for target in targets_to(&mut func, pred, carried.header) {
                target.args.push(value.clone());
            }
        }
    }
    replace(&mut func, &replaced);
    func
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
    /// The array and the index of the first load.
    array: Operand,
    index: (Operand, i128),
}

struct Finder<'f> {
    func: &'f Func,
    cfg: &'f Cfg,
    loops: &'f LoopNest,
    defs: &'f Defs,
}

/// A store into an array: the array after it, the offset of the index from the counter, and the value.
struct Store {
    after: Var,
    offset: i128,
    value: Operand,
}

impl Finder<'_> {
    fn carried(&self, id: LoopId, of: &Loop) -> Vec<Carried> {
        let header = of.header;
        let (inside, outside): (Vec<Block>, Vec<Block>) =
            self.cfg.preds(header).iter().partition(|pred| self.loops.contains(id, **pred));
        let ([latch], [entry]) = (&inside[..], &outside[..]) else { return Vec::new() };
        let (Some(again), Some(first)) = (self.only_target(*latch, header), self.only_target(*entry, header))
        else {
            return Vec::new();
        };
        let params = &self.func.block(header).params;
        let mut found: Vec<Carried> = Vec::new();
        for (number, &counter) in params.iter().enumerate() {
            let Some((base, step)) = again.args.get(number).and_then(|next| self.affine(next)) else {
                continue;
            };
            if base != counter || step == 0 || self.func.ty(counter) != Ty::usize() {
                continue;
            }
            for (number, &array) in params.iter().enumerate() {
                let elem = match self.func.ty(array).as_array() {
                    Some(array) if array.rank == 1 => array.elem,
                    _ => continue,
                };
                if elem != Ty::f64() && elem != Ty::f32() {
                    continue;
                }
                let Some(stores) = self.stores(array, counter, &again.args[number]) else { continue };
                for (offset, loads) in self.loads(id, array, counter, &stores) {
                    let next = stores.iter().rev().find(|store| store.offset == offset + step);
                    let counter_at_first = params.iter().position(|param| *param == counter);
                    let (Some(next), Some(at)) = (next, counter_at_first) else { continue };
                    let (array, index) = (first.args[number].clone(), (first.args[at].clone(), offset));
                    let stored = next.value.clone();
                    found.push(Carried {
                        header,
                        entry: *entry,
                        latch: *latch,
                        loads,
                        stored,
                        ty: elem,
                        array,
                        index,
                    });
                }
            }
        }
        // A load may be an element by several counters.
        let mut seen = HashSet::new();
        found.retain(|carried| carried.loads.iter().all(|load| seen.insert(*load)));
        found
    }

    /// The only edge from one block to another.
    fn only_target(&self, from: Block, to: Block) -> Option<&Target> {
        let terminator = self.func.block(from).terminator.as_ref()?;
        let mut targets = terminator.kind.targets().filter(|target| target.block == to);
        targets.next().filter(|_| targets.next().is_none())
    }

    /// A number as the sum of a variable and a constant.
    fn affine(&self, number: &Operand) -> Option<(Var, i128)> {
        let (mut number, mut sum) = (number.clone(), 0);
        loop {
            let var = number.var()?;
            let Some(InstKind::Op { op, args }) = self.defs.inst(self.func, &number) else {
                return Some((var, sum));
            };
            let constant = |at: usize| match &args[at] {
                Operand::Const(constant) => constant.value().as_int().map(|(_, n)| n),
                Operand::Var(_) => None,
            };
            let is_one_of = |rows: [&OpDef; 2]| rows.contains(op);
            let (rest, more) = match () {
                () if is_one_of([&ops::ADD, &ops::ADD_WRAPPING]) => match (constant(0), constant(1)) {
                    (_, Some(n)) => (&args[0], n),
                    (Some(n), _) => (&args[1], n),
                    _ => return Some((var, sum)),
                },
                () if is_one_of([&ops::SUB, &ops::SUB_WRAPPING]) => match constant(1) {
                    Some(n) => (&args[0], -n),
                    None => return Some((var, sum)),
                },
                () => return Some((var, sum)),
            };
            (number, sum) = (rest.clone(), i128::checked_add(sum, more)?);
        }
    }

    /// The stores of a round into an array, in order, if there are no others.
    fn stores(&self, array: Var, counter: Var, last: &Operand) -> Option<Vec<Store>> {
        let mut stores = Vec::new();
        let mut after = last.var()?;
        while after != array {
            let Some(InstKind::Op { op, args }) = self.defs.inst(self.func, &after.into()) else {
                return None;
            };
            if *op != &ops::SET_UNCHECKED && *op != &ops::SET {
                return None;
            }
            let (before, (base, offset)) = (args[0].var()?, self.affine(&args[1])?);
            if base != counter {
                return None;
            }
            stores.push(Store { after, offset, value: args[2].clone() });
            after = before;
        }
        stores.reverse();
        Some(stores)
    }

    /// The loads of a round that give what the round before left, by the offset of their indices.
    fn loads(&self, id: LoopId, array: Var, counter: Var, stores: &[Store]) -> Vec<(i128, Vec<Var>)> {
        let mut found: Vec<(i128, Vec<Var>)> = Vec::new();
        let blocks = self.func.iter_blocks().filter(|(block, _)| self.loops.contains(id, *block));
        for inst in blocks.flat_map(|(_, body)| &body.insts) {
            let InstKind::Op { op, args } = &inst.kind else { continue };
            if *op != &ops::GET_UNCHECKED {
                continue;
            }
            let (Some(of), Some((base, offset))) = (args[0].var(), self.affine(&args[1])) else { continue };
            let before = match stores.iter().position(|store| store.after == of) {
                Some(last) => &stores[..=last],
                None if of == array => &[],
                None => continue,
            };
            if base != counter || before.iter().any(|store| store.offset == offset) {
                continue;
            }
            match found.iter_mut().find(|(known, _)| *known == offset) {
                Some((_, loads)) => loads.push(inst.result),
                None => found.push((offset, vec![inst.result])),
            }
        }
        found
    }
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
fn replace(func: &mut Func, by: &HashMap<Var, Var>) {
    let replaced = |operand: &mut Operand| {
        if let Operand::Var(var) = operand
            && let Some(new) = by.get(var)
        {
            *var = *new;
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
