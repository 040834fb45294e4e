//! Arrays that a loop updates at places whose distance from the loop's counter is constant.

use overdub_context::analysis::{Cfg, Defs, Loop, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, InstKind, Operand, Target, Ty, Var};
use overdub_context::ops::{self, OpDef};

/// A function and its analyses.
#[derive(Clone, Copy)]
pub(super) struct Finder<'f> {
    pub(super) func: &'f Func,
    pub(super) cfg: &'f Cfg,
    pub(super) loops: &'f LoopNest,
    pub(super) defs: &'f Defs,
}

/// A store into an array: the array after it, the offset of the index from the counter, and the value.
pub(super) struct Store {
    pub(super) after: Var,
    pub(super) offset: i128,
    pub(super) value: Operand,
    /// Whether its index is known to be in bounds.
    pub(super) is_in_bounds: bool,
}

/// A load from the array in a round: its result, the offset of the index, and how many stores precede it.
pub(super) struct Load {
    pub(super) result: Var,
    pub(super) offset: i128,
    pub(super) stores_before: usize,
}

/// An array of floats that a loop updates at places whose distance from a counter is constant.
pub(super) struct UpdatedArray {
    pub(super) id: LoopId,
    pub(super) header: Block,
    /// The block that enters the loop, and that which repeats it.
    pub(super) entry: Block,
    pub(super) latch: Block,
    pub(super) counter: Var,
    /// What the counter and the array are when the loop is entered.
    pub(super) first_count: Operand,
    pub(super) first_array: Operand,
    pub(super) step: i128,
    pub(super) array: Var,
    pub(super) elem: Ty,
    /// The stores of a round, in order; there are no others.
    pub(super) stores: Vec<Store>,
}

impl<'f> Finder<'f> {
    /// All such arrays.
    pub(super) fn all(self) -> impl Iterator<Item = UpdatedArray> + 'f {
        self.loops.iter().flat_map(move |(id, of)| self.updated_arrays(id, of))
    }

    fn updated_arrays(self, id: LoopId, of: &Loop) -> Vec<UpdatedArray> {
        let header = of.header;
        let (inside, outside): (Vec<Block>, Vec<Block>) =
            self.cfg.preds(header).iter().partition(|pred| self.loops.contains(id, **pred));
        let ([latch], [entry]) = (&inside[..], &outside[..]) else { return Vec::new() };
        let (Some(again), Some(first)) = (self.only_target(*latch, header), self.only_target(*entry, header))
        else {
            return Vec::new();
        };
        let params = &self.func.block(header).params;
        let mut found = Vec::new();
        for (counter_at, &counter) in params.iter().enumerate() {
            let Some((base, step)) = again.args.get(counter_at).and_then(|next| self.affine(next)) else {
                continue;
            };
            if base != counter || step == 0 || self.func.ty(counter) != Ty::usize() {
                continue;
            }
            for (array_at, &array) in params.iter().enumerate() {
                let elem = match self.func.ty(array).as_array() {
                    Some(array) if array.rank == 1 => array.elem,
                    _ => continue,
                };
                if elem != Ty::f64() && elem != Ty::f32() {
                    continue;
                }
                let Some(stores) = self.stores(array, counter, &again.args[array_at]) else { continue };
                let (first_count, first_array) =
                    (first.args[counter_at].clone(), first.args[array_at].clone());
                let (entry, latch) = (*entry, *latch);
                found.push(UpdatedArray {
                    id,
                    header,
                    entry,
                    latch,
                    counter,
                    first_count,
                    first_array,
                    step,
                    array,
                    elem,
                    stores,
                });
            }
        }
        found
    }

    /// The only edge from one block to another.
    fn only_target(&self, from: Block, to: Block) -> Option<&'f Target> {
        let terminator = self.func.block(from).terminator.as_ref()?;
        let mut targets = terminator.kind.targets().filter(|target| target.block == to);
        targets.next().filter(|_| targets.next().is_none())
    }

    /// A number as the sum of a variable and a constant.
    pub(super) fn affine(&self, number: &Operand) -> Option<(Var, i128)> {
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
            let is_in_bounds = *op == &ops::SET_UNCHECKED;
            stores.push(Store { after, offset, value: args[2].clone(), is_in_bounds });
            after = before;
        }
        stores.reverse();
        Some(stores)
    }

    /// The loads of a round that are known to be in bounds, at places whose distance from the counter is constant.
    pub(super) fn loads(&self, of: &UpdatedArray) -> Vec<Load> {
        let mut found = Vec::new();
        let blocks = self.func.iter_blocks().filter(|(block, _)| self.loops.contains(of.id, *block));
        for inst in blocks.flat_map(|(_, body)| &body.insts) {
            let InstKind::Op { op, args } = &inst.kind else { continue };
            if *op != &ops::GET_UNCHECKED {
                continue;
            }
            let (Some(loaded), Some((base, offset))) = (args[0].var(), self.affine(&args[1])) else {
                continue;
            };
            if let Some(stores_before) = of.stores_before(loaded)
                && base == of.counter
            {
                found.push(Load { result: inst.result, offset, stores_before });
            }
        }
        found
    }
}

impl UpdatedArray {
    /// How many stores of a round precede this state of the array; none if it is none of the loop.
    pub(super) fn stores_before(&self, state: Var) -> Option<usize> {
        match self.stores.iter().position(|store| store.after == state) {
            Some(last) => Some(last + 1),
            None => (state == self.array).then_some(0),
        }
    }

    /// Whether a store of a round before this load has the load's place.
    pub(super) fn is_stored_before(&self, load: &Load) -> bool {
        self.stores[..load.stores_before].iter().any(|store| store.offset == load.offset)
    }
}
