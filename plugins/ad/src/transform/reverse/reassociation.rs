//! Which sums may be reassociated: they are equal to the bit in any order of the loop iterations that add to
//! them.
//!
//! - SUM1 the array of such sums is zero initially, and its only updates add to an element.
//! - SUM2 at most two sites add to it, and each reaches any element at most once: the sum of two terms does
//!   not depend on their order.

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Position, Target, TerminatorKind, Ty, Var};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

/// A counted loop whose only exit is its header.
#[derive(Debug)]
pub(super) struct CountedLoop {
    pub(super) header: Block,
    /// The position of the counter among the header's parameters.
    pub(super) at: usize,
    pub(super) counts: TripCount,
    /// Its preheader.
    pub(super) entry: Block,
    /// Its latches.
    pub(super) latches: Vec<Block>,
    /// The header's branch into the body.
    pub(super) enters: Target,
    /// The header's branch out of the loop.
    pub(super) exit: Target,
}

/// The trip count of a loop.
#[derive(Debug)]
pub(super) enum TripCount {
    /// Up from 0 by ones while less than the limit.
    Up { limit: Operand },
    /// Down from `init` by ones to 0; the body uses `less`, the counter minus one.
    Down { init: Operand, less: Var },
}

/// Finds the counted loops.
pub(super) fn counted(
    func: &Func,
    cfg: &Cfg,
    nest: &LoopNest,
    places: &[Option<Position>],
) -> HashMap<LoopId, CountedLoop> {
    let finder = CountedLoopFinder { func, cfg, nest, places };
    nest.iter().filter_map(|(id, each)| Some((id, finder.counted(id, each.header)?))).collect()
}

struct CountedLoopFinder<'f> {
    func: &'f Func,
    cfg: &'f Cfg,
    nest: &'f LoopNest,
    places: &'f [Option<Position>],
}

impl CountedLoopFinder<'_> {
    fn counted(&self, id: LoopId, header: Block) -> Option<CountedLoop> {
        let [(from, _)] = self.nest.exits(self.cfg, id)[..] else { return None };
        let (latches, entries): (Vec<Block>, Vec<Block>) =
            self.cfg.preds(header).iter().partition(|pred| self.nest.contains(id, **pred));
        let [entry] = entries[..] else { return None };
        if from != header {
            return None;
        }
        let end = &self.func.block(header).terminator.as_ref()?.kind;
        let TerminatorKind::BrIf { cond, then, otherwise } = end else { return None };
        let (op, [x, bound]) = self.op(cond)? else { return None };
        let params = &self.func.block(header).params;
        let at = params.iter().position(|param| Some(*param) == x.var())?;
        let is_usize = self.func.ty(params[at]) == Ty::usize();
        let (begin, next) = (self.arg(entry, header, at)?, self.arg(*latches.first()?, header, at)?);
        let step = self.step(next, x)?;
        let is_same = |latch: &Block| self.arg(*latch, header, at).is_some_and(|other| other == next);
        if !is_usize || !latches.iter().all(is_same) {
            return None;
        }
        let is_inside = self.nest.contains(id, then.block);
        let up = *op == ops::LT && is_inside && is_add(step) && is_int(begin, 0);
        let down = *op == ops::EQ && !is_inside && is_sub(step) && is_int(bound, 0);
        let (counts, enters, exit) = if up && self.is_outside(id, bound) {
            (TripCount::Up { limit: bound.clone() }, then, otherwise)
        } else if down {
            (TripCount::Down { init: begin.clone(), less: next.var()? }, otherwise, then)
        } else {
            return None;
        };
        Some(CountedLoop { header, at, counts, entry, latches, enters: enters.clone(), exit: exit.clone() })
    }

    /// The operation by which a value is a step from another one, if it is.
    fn step(&self, next: &Operand, than: &Operand) -> Option<&'static OpDef> {
        match self.op(next)? {
            (step, [x, one]) if is_add(step) || is_sub(step) => (x == than && is_int(one, 1)).then_some(step),
            _ => None,
        }
    }

    /// The operation that defines a value.
    fn op(&self, operand: &Operand) -> Option<(&'static OpDef, &[Operand])> {
        op_of(self.func, self.places, operand)
    }

    /// The argument that a block passes to a parameter of another block, if there is one edge between them.
    fn arg(&self, from: Block, to: Block, at: usize) -> Option<&Operand> {
        let end = self.func.block(from).terminator.as_ref()?;
        let mut targets = end.kind.targets().filter(|target| target.block == to);
        let target = targets.next()?;
        if targets.next().is_some() {
            return None;
        }
        target.args.get(at)
    }

    fn is_outside(&self, id: LoopId, operand: &Operand) -> bool {
        operand.var().is_none_or(|var| match self.places[var.index()] {
            Some(Position::Head) => true,
            Some(Position::Block(block) | Position::Inst(block, _)) => !self.nest.contains(id, block),
            Some(Position::Terminator(_)) | None => false,
        })
    }
}

fn is_int(operand: &Operand, n: i128) -> bool {
    operand.constant().and_then(|constant| constant.value().as_int()).is_some_and(|(_, is)| is == n)
}

/// The operation that defines a value, and its operands.
fn op_of<'f>(
    func: &'f Func,
    places: &[Option<Position>],
    operand: &Operand,
) -> Option<(&'static OpDef, &'f [Operand])> {
    let Some(Position::Inst(block, at)) = places[operand.var()?.index()] else { return None };
    match &func.block(block).insts[at].kind {
        InstKind::Op { op, args } => Some((*op, args)),
        _ => None,
    }
}

fn is_add(op: &OpDef) -> bool {
    *op == ops::ADD || *op == ops::ADD_WRAPPING
}

fn is_sub(op: &OpDef) -> bool {
    *op == ops::SUB || *op == ops::SUB_WRAPPING
}

fn is_mul(op: &OpDef) -> bool {
    *op == ops::MUL || *op == ops::MUL_WRAPPING
}

fn is_get(op: &OpDef) -> bool {
    *op == ops::GET || *op == ops::GET_UNCHECKED
}

fn is_set(op: &OpDef) -> bool {
    *op == ops::SET || *op == ops::SET_UNCHECKED
}

/// The arrays whose sums may be reassociated.
pub(super) struct FreeOrders {
    /// For each variable the first variable that may be the same array: the representative of its class.
    same: Vec<usize>,
    /// The representatives whose order of additions matters.
    bound: HashSet<usize>,
}

/// An instruction that adds to an element.
struct AddSite {
    block: Block,
    at: Operand,
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
                && sites.len() <= 2
                && (first != var.index() || sites.iter().all(|site| index_analysis.differ(site)));
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

/// The number of uses of each variable.
pub(super) fn uses(func: &Func) -> Vec<u32> {
    let mut uses = vec![0; func.vars.len()];
    for body in &func.blocks {
        let of_end = body.terminator.iter().flat_map(|end| end.kind.operands());
        let all = body.insts.iter().flat_map(|inst| inst.kind.operands()).chain(of_end);
        all.filter_map(Operand::var).for_each(|var| uses[var.index()] += 1);
    }
    uses
}

fn is_floats(ty: Ty) -> bool {
    ty.as_array().is_some_and(|array| array.rank == 1 && array.elem == Ty::f64())
}

/// Analyses indices in terms of loop counters.
struct IndexAnalysis<'f> {
    func: &'f Func,
    nest: &'f LoopNest,
    places: &'f [Option<Position>],
    loops: &'f HashMap<LoopId, CountedLoop>,
}

/// The greatest depth of nested operations through which an index is analysed.
const DEPTH: u32 = 6;

/// A loop's counter, possibly times a loop invariant.
type Term = (LoopId, Option<Operand>);

impl IndexAnalysis<'_> {
    /// Whether each iteration reaches a different element (SUM2): `i + k`, or `i * n + j` with `j` less than
    /// `n`.
    fn differ(&self, site: &AddSite) -> bool {
        let mut loops = Vec::new();
        let mut next = self.nest.innermost(site.block);
        while let Some(id) = next {
            loops.push(id);
            next = self.nest.get(id).parent;
        }
        let Some(outermost) = loops.last().copied() else { return true };
        let Some(terms) = self.terms(&site.at, outermost, DEPTH) else { return false };
        if loops.iter().any(|id| !terms.iter().any(|(of, _)| of == id)) || terms.len() != loops.len() {
            return false;
        }
        match terms.as_slice() {
            [(_, None)] => true,
            [(_, Some(times)), (id, None)] | [(id, None), (_, Some(times))] => self.limit(*id) == Some(times),
            _ => false,
        }
    }

    /// The exclusive bound of a loop's counter.
    fn limit(&self, id: LoopId) -> Option<&Operand> {
        match &self.loops.get(&id)?.counts {
            TripCount::Up { limit } => Some(limit),
            TripCount::Down { init, .. } => {
                let ups = self.loops.values().find_map(|up| match &up.counts {
                    TripCount::Up { limit } if init.var() == Some(self.counter(up)) => Some(limit),
                    _ => None,
                });
                Some(ups.unwrap_or(init))
            }
        }
    }

    fn counter(&self, counted: &CountedLoop) -> Var {
        self.func.block(counted.header).params[counted.at]
    }

    /// The terms of an index, if it is a sum of terms within this depth.
    fn terms(&self, at: &Operand, outermost: LoopId, depth: u32) -> Option<Vec<Term>> {
        let Some(var) = at.var() else { return Some(Vec::new()) };
        let is_number = |counted: &CountedLoop| match &counted.counts {
            TripCount::Up { .. } => var == self.counter(counted),
            TripCount::Down { less, .. } => var == *less,
        };
        let block = match self.places[var.index()]? {
            Position::Head => return Some(Vec::new()),
            Position::Block(block) | Position::Inst(block, _) => block,
            Position::Terminator(_) => return None,
        };
        if !self.nest.contains(outermost, block) {
            return Some(Vec::new());
        }
        if let Some((id, _)) = self.loops.iter().find(|(_, counted)| is_number(counted)) {
            return Some(vec![(*id, None)]);
        }
        let (op, [x, y]) = op_of(self.func, self.places, at)? else { return None };
        let depth = depth.checked_sub(1)?;
        let (mut of_x, of_y) = (self.terms(x, outermost, depth)?, self.terms(y, outermost, depth)?);
        if is_add(op) {
            of_x.extend(of_y);
        } else if is_mul(op) {
            match (of_x.as_slice(), of_y.as_slice()) {
                ([(id, None)], []) => of_x = vec![(*id, Some(y.clone()))],
                ([], [(id, None)]) => of_x = vec![(*id, Some(x.clone()))],
                ([], []) => {}
                _ => return None,
            }
        } else if !is_sub(op) || !of_y.is_empty() {
            return None;
        }
        Some(of_x)
    }
}
