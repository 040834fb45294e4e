//! Which sums may be reassociated: they are equal to the bit in any order of the loop iterations that add to
//! them.
//!
//! - SUM1 the array of such sums is zero initially, and its only updates add to an element.
//! - SUM2 at most two sites add to it, and each reaches any element at most once: the sum of two terms does
//!   not depend on their order.
//! - SUM3 or each iteration of one loop adds to elements of its own, those from `c * i` to `c * i + c - 1`, in the same order.

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{LoopId, LoopNest};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Position, Ty, Var};
use overdub_context::ops;
use overdub_context::value::Value;

use super::counted_loop::{CountedLoop, is_get, is_set, op_of, uses};
use super::index_analysis::IndexAnalysis;

/// The arrays whose sums may be reassociated.
pub(super) struct FreeOrders {
    /// For each variable the first variable that may be the same array: the representative of its class.
    same: Vec<usize>,
    /// The representatives whose order of additions matters.
    bound: HashSet<usize>,
}

/// An instruction that adds to an element.
pub(super) struct AddSite {
    pub(super) block: Block,
    pub(super) at: Operand,
}

/// The updates of arrays, by the representatives of their classes.
struct ArrayUses<'f> {
    func: &'f Func,
    places: &'f [Option<Position>],
    uses: Vec<u32>,
    sites: HashMap<usize, Vec<AddSite>>,
    reads: HashMap<usize, usize>,
}

impl FreeOrders {
    pub(super) fn of(
        func: &Func,
        nest: &LoopNest,
        places: &[Option<Position>],
        loops: &HashMap<LoopId, CountedLoop>,
    ) -> FreeOrders {
        let mut free_orders = FreeOrders { same: (0..func.vars.len()).collect(), bound: HashSet::new() };
        free_orders.join_all(func);
        let uses = uses(func);
        let mut array_uses = ArrayUses { func, places, uses, sites: HashMap::new(), reads: HashMap::new() };
        for (block, body) in func.iter_blocks() {
            body.insts.iter().for_each(|inst| free_orders.record_uses(block, inst, &mut array_uses));
        }
        let index_analysis = IndexAnalysis { func, nest, places, loops };
        for var in (0..func.vars.len() as u32).map(Var) {
            let first = free_orders.same[var.index()];
            let sites = array_uses.sites.get(&first).map_or(&[][..], Vec::as_slice);
            let is_param = matches!(places[var.index()], Some(Position::Head) | None);
            let is_free = is_floats(func.ty(var))
                && !is_param
                && sites.len() == array_uses.reads.get(&first).copied().unwrap_or(0)
                && (first != var.index()
                    || sites.len() <= 2 && sites.iter().all(|site| index_analysis.differ(site))
                    || index_analysis.have_own_ranges(sites));
            if !is_free {
                free_orders.bound.insert(first);
            }
        }
        free_orders
    }

    /// Whether a variable is an array whose sums may be reassociated.
    pub(super) fn is_free(&self, var: Var) -> bool {
        !self.bound.contains(&self.same[var.index()])
    }

    fn first(&mut self, mut var: usize) -> usize {
        while self.same[var] != var {
            self.same[var] = self.same[self.same[var]];
            var = self.same[var];
        }
        var
    }

    fn join(&mut self, a: Var, b: &Operand) {
        let a = self.first(a.index());
        match b.var() {
            Some(b) => {
                let b = self.first(b.index());
                self.same[a.max(b)] = a.min(b);
            }
            None => drop(self.bound.insert(a)),
        }
    }

    fn join_all(&mut self, func: &Func) {
        for body in &func.blocks {
            for inst in &body.insts {
                if let InstKind::Op { op, args } = &inst.kind
                    && is_set(op)
                {
                    self.join(inst.result, &args[0]);
                }
            }
            for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
                for (&param, arg) in func.block(target.block).params.iter().zip(&target.args) {
                    if is_floats(func.ty(param)) {
                        self.join(param, arg);
                    }
                }
            }
        }
        (0..self.same.len()).for_each(|var| self.same[var] = self.first(var));
        self.bound = self.bound.iter().map(|var| self.same[*var]).collect();
    }

    /// Records how an instruction uses arrays (SUM1).
    fn record_uses(&mut self, block: Block, inst: &Inst, array_uses: &mut ArrayUses<'_>) {
        let op = match &inst.kind {
            InstKind::Op { op, .. } => Some(*op),
            InstKind::Const(_) | InstKind::Call { .. } | InstKind::Overdub { .. } => None,
        };
        let operands: Vec<&Operand> = inst.kind.operands().collect();
        for (k, operand) in operands.iter().enumerate() {
            let Some(var) = operand.var().filter(|var| is_floats(array_uses.func.ty(*var))) else { continue };
            let first = self.same[var.index()];
            match (op, k) {
                (Some(op), _) if *op == ops::TUPLE || *op == ops::STRUCT => {}
                (Some(op), 0) if is_get(op) => *array_uses.reads.entry(first).or_default() += 1,
                (Some(op), 0) if is_set(op) && is_addition(array_uses, &operands) => {
                    array_uses
                        .sites
                        .entry(first)
                        .or_default()
                        .push(AddSite { block, at: operands[1].clone() });
                }
                _ => drop(self.bound.insert(first)),
            }
        }
        let is_zero = |operand: &&Operand| matches!(operand.constant().map(|zero| zero.value()), Some(Value::F64(x)) if x.to_bits() == 0);
        let begins =
            op.is_some_and(|op| is_set(op) || *op == ops::REPEAT && operands.first().is_some_and(is_zero));
        if is_floats(array_uses.func.ty(inst.result)) && !begins {
            self.bound.insert(self.same[inst.result.index()]);
        }
    }
}

/// Whether the value stored to an element is the old element, which has no other use, plus a term.
fn is_addition(array_uses: &ArrayUses<'_>, set: &[&Operand]) -> bool {
    let op = |operand: &Operand| op_of(array_uses.func, array_uses.places, operand);
    let Some((sum, [x, y])) = op(set[2]) else { return false };
    let is_read = |operand: &Operand| match op(operand) {
        Some((read, [array, at])) if is_get(read) => {
            array == set[0]
                && at == set[1]
                && operand.var().is_some_and(|var| array_uses.uses[var.index()] == 1)
        }
        _ => false,
    };
    *sum == ops::ADD && (is_read(x) || is_read(y)) || *sum == ops::SUB && is_read(x)
}

fn is_floats(ty: Ty) -> bool {
    ty.as_array().is_some_and(|array| array.rank == 1 && array.elem == Ty::f64())
}
