//! Variables that need no counts of their own: parts of what another variable owns for as long as they are read.
//!
//! - B1 (H5) the owner of a borrowed variable is alive after every use of it, and what is alive is not written in place.
//! - B2 what is kept anywhere is not borrowed: its owner would have to know, since it says whether what it owns may be
//!   written in place (O2, E2).

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::Liveness;
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, TerminatorKind, Var};
use overdub_context::ops::{self, OpDef};
use smallvec::SmallVec;

use crate::abi::layout::{Counted, Layout, Shape};
use crate::runtime::packed_elements::PackedLayout;

/// Where a variable is used: the block, and after how many of its instructions.
type Place = (Block, usize);

struct Borrows<'f> {
    func: &'f Func,
    layouts: &'f [Arc<Layout>],
    liveness: &'f Liveness,
    /// What may be borrowed, and what it is a part of if that is no constant.
    parts: HashMap<Var, Option<Var>>,
    /// Uses of parts, their definitions among them, and whether each only looks at the part, for the sake of what.
    uses: Vec<(Var, Place, Use)>,
    /// The last use in each block of what owns parts.
    last: HashMap<(Var, Block), usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Nothing is kept.
    Looks,
    /// Nothing is kept if this is borrowed as well.
    LooksFor(Var),
    Keeps,
}

/// The variables that are borrowed.
pub(in crate::codegen) fn borrowed(
    func: &Func,
    layouts: &[Arc<Layout>],
    liveness: &Liveness,
) -> HashSet<Var> {
    let mut borrows =
        Borrows { func, layouts, liveness, parts: HashMap::new(), uses: Vec::new(), last: HashMap::new() };
    borrows.find_parts();
    if borrows.parts.is_empty() {
        return HashSet::new();
    }
    borrows.find_uses();
    while borrows.reject() {}
    borrows.parts.into_keys().collect()
}

/// What an instruction gives a part of, if that could be borrowed.
fn gives_part(inst: &Inst, layouts: &[Arc<Layout>]) -> Option<Option<Var>> {
    let InstKind::Op { op, args } = &inst.kind else { return None };
    // What is unreachable may define nothing.
    if !layouts.get(inst.result.index())?.is_counted() {
        return None;
    }
    let whole = args.first()?;
    let layout = match whole {
        Operand::Var(var) => layouts.get(var.index())?.clone(),
        Operand::Const(constant) => Layout::of(constant.value().ty()),
    };
    let fits = match &layout.shape {
        Shape::Aggregate(..) => **op == ops::FIELD,
        Shape::Closure(..) => **op == ops::CAPTURED,
        Shape::Enum(..) => **op == ops::PAYLOAD,
        Shape::Vector(_) => **op == ops::SLICE,
        Shape::Packed(elem) if **op == ops::GET || **op == ops::GET_UNCHECKED => {
            PackedLayout::of(*elem).is_some_and(|layout| lends(&layout))
        }
        _ => false,
    };
    fits.then(|| whole.var())
}

/// Whether rows lend what they count: what is not shared by counting would be a copy, where they are values.
fn lends(record: &PackedLayout) -> bool {
    record.counted().iter().all(|(_, counted)| {
        matches!(
            counted,
            Counted::Str | Counted::Composite | Counted::Array | Counted::Closure | Counted::Stack
        )
    })
}

impl Borrows<'_> {
    fn find_parts(&mut self) {
        for body in &self.func.blocks {
            for inst in &body.insts {
                if let Some(part) = gives_part(inst, self.layouts) {
                    self.parts.insert(inst.result, part);
                }
            }
        }
    }

    fn find_uses(&mut self) {
        for (block, body) in self.func.iter_blocks() {
            for (at, inst) in body.insts.iter().enumerate() {
                if self.parts.contains_key(&inst.result) {
                    self.uses.push((inst.result, (block, at), Use::Looks));
                }
                for (nth, operand) in inst.kind.operands().enumerate() {
                    let how = if nth == 0 { self.how(inst) } else { Use::Keeps };
                    self.used(operand, (block, at), how);
                }
            }
            let Some(end) = &body.terminator else { continue };
            let ends = body.insts.len();
            if let TerminatorKind::Ret(value) = &end.kind {
                self.used(value, (block, ends + 1), Use::Keeps);
            } else if let Some(operand) = end.kind.operand() {
                // What it decides by is given up before it goes on.
                self.used(operand, (block, ends), Use::Looks);
            }
            for operand in end.kind.targets().flat_map(|target| &target.args) {
                self.used(operand, (block, ends + 1), Use::Keeps);
            }
        }
    }

    fn used(&mut self, operand: &Operand, (block, at): Place, how: Use) {
        let Some(var) = operand.var() else { return };
        if self.parts.contains_key(&var) {
            self.uses.push((var, (block, at), how));
        }
        if self.layouts.get(var.index()).is_some_and(|layout| layout.is_counted()) {
            let last = self.last.entry((var, block)).or_insert(at);
            *last = at.max(*last);
        }
    }

    /// What an instruction does with its first operand.
    fn how(&self, inst: &Inst) -> Use {
        let InstKind::Op { op, .. } = &inst.kind else { return Use::Keeps };
        const READS: &[&OpDef] = &[
            &ops::GET,
            &ops::GET_UNCHECKED,
            &ops::GET_CHECKED,
            &ops::LEN,
            &ops::FIELD,
            &ops::CAPTURED,
            &ops::PAYLOAD,
            &ops::SLICE,
            &ops::TAG,
        ];
        if !READS.contains(op) {
            return Use::Keeps;
        }
        match self.layouts.get(inst.result.index()) {
            Some(layout) if layout.is_counted() => Use::LooksFor(inst.result),
            _ => Use::Looks,
        }
    }

    /// Who owns what a variable is a part of; none for constants.
    fn owner(&self, part: Var) -> Option<Var> {
        let mut var = part;
        while let Some(part) = self.parts.get(&var) {
            var = (*part)?;
        }
        Some(var)
    }

    /// Removes parts that cannot be borrowed; whether there were any.
    fn reject(&mut self) -> bool {
        let mut wrong: HashSet<Var> = HashSet::new();
        for (part, place, how) in &self.uses {
            if !self.parts.contains_key(part) || wrong.contains(part) {
                continue;
            }
            let keeps = match how {
                Use::Looks => false,
                Use::LooksFor(result) => !self.parts.contains_key(result),
                Use::Keeps => true,
            };
            if keeps || !self.is_alive_after(self.owner(*part), *place) {
                wrong.insert(*part);
            }
        }
        for block in (0..self.func.blocks.len()).map(|at| Block(at as u32)) {
            let live = self.liveness.live_in(block);
            let parts = live.iter().filter(|var| self.parts.contains_key(*var));
            let lost =
                |part: &&Var| self.owner(**part).is_some_and(|owner| live.binary_search(&owner).is_err());
            wrong.extend(parts.filter(lost).collect::<SmallVec<[&Var; 8]>>());
        }
        self.parts.retain(|part, _| !wrong.contains(part));
        !wrong.is_empty()
    }

    fn is_alive_after(&self, owner: Option<Var>, (block, at): Place) -> bool {
        let Some(owner) = owner else { return true };
        let ends = self.func.block(block).insts.len();
        let last = self.last.get(&(owner, block)).copied();
        self.liveness.live_out(block).binary_search(&owner).is_ok()
            || last.is_some_and(|last| last > at || at > ends && last == at)
    }
}
