//! Indices of elements as functions of loop counters: whether iterations reach elements of their own.

use hashbrown::HashMap;
use overdub_context::analysis::{LoopId, LoopNest};
use overdub_context::ir::{Func, Operand, Position, Var};

use super::counted_loop::{CountedLoop, TripCount, is_add, is_mul, is_sub, op_of};
use super::reassociation::AddSite;

/// Analyses indices in terms of loop counters.
pub(super) struct IndexAnalysis<'f> {
    pub(super) func: &'f Func,
    pub(super) nest: &'f LoopNest,
    pub(super) places: &'f [Option<Position>],
    pub(super) loops: &'f HashMap<LoopId, CountedLoop>,
}

/// The greatest depth of nested operations through which an index is analysed.
const DEPTH: u32 = 6;

/// The greatest stride of ranges: with it, an index wraps around only after 2^48 iterations.
const MOST_STRIDE: usize = 1 << 16;

/// A loop's counter, possibly times a loop invariant.
type Term = (LoopId, Option<Operand>);

impl IndexAnalysis<'_> {
    /// Whether each iteration reaches a different element (SUM2): `i + k`, or `i * n + j` with `j` less than
    /// `n`.
    pub(super) fn differ(&self, site: &AddSite) -> bool {
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

    /// Whether each iteration of a loop reaches a range of elements of its own (SUM3).
    pub(super) fn have_own_ranges(&self, sites: &[AddSite]) -> bool {
        let mut ranges = sites.iter().map(|site| {
            let id = self.nest.innermost(site.block).filter(|id| self.nest.get(*id).parent.is_none())?;
            let (stride, offset) = self.in_range(&site.at, id)?;
            (offset < stride).then_some((id, stride))
        });
        let Some(Some(first)) = ranges.next() else { return false };
        ranges.all(|range| range == Some(first))
    }

    /// The stride and the offset of an index `stride * i + offset`, where `i` counts the iterations of this loop.
    fn in_range(&self, at: &Operand, id: LoopId) -> Option<(usize, usize)> {
        let constant = |operand: &Operand| operand.constant()?.value().as_index();
        let is_counter = |operand: &Operand| match &self.loops.get(&id)?.counts {
            TripCount::Up { .. } => (operand.var()? == self.counter(&self.loops[&id])).then_some(()),
            TripCount::Down { less, .. } => (operand.var()? == *less).then_some(()),
        };
        if is_counter(at).is_some() {
            return Some((1, 0));
        }
        let (op, [x, y]) = op_of(self.func, self.places, at)? else { return None };
        let (term, constant) = constant(y).map(|y| (x, y)).or_else(|| constant(x).map(|x| (y, x)))?;
        if is_add(op) {
            let (stride, offset) = self.in_range(term, id)?;
            return Some((stride, offset.checked_add(constant)?));
        }
        (is_mul(op) && constant <= MOST_STRIDE && is_counter(term).is_some()).then_some((constant, 0))
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
