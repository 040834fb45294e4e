//! Borrowed variables: parts of a value that need no counts of their own, because another variable owns them
//! throughout.
//!
//! - BORROW1 (H5) the owner of a borrowed variable is live after every use of it, and is not written while it is
//!   live.
//! - BORROW2 what an instruction keeps is not borrowed: sharing it has to clear the uniqueness flags of its owner
//!   (OWN2, PACKED2).

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::Liveness;
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, TerminatorKind, Var};
use overdub_context::ops::{self, OpDef};
use smallvec::SmallVec;

use crate::abi::layout::{Counted, Layout, LayoutKind};
use crate::values::packed_layout::PackedLayout;

/// The position of a use: the block, and the number of instructions before it.
type UsePosition = (Block, usize);

struct Borrows<'f> {
    func: &'f Func,
    layouts: &'f [Arc<Layout>],
    liveness: &'f Liveness,
    /// The candidates, and the variable of which each is a part; `None` for a part of a constant.
    parts: HashMap<Var, Option<Var>>,
    /// The uses of candidates, with their definitions.
    uses: Vec<(Var, UsePosition, UseKind)>,
    /// The last use of an owner in each block.
    last: HashMap<(Var, Block), usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum UseKind {
    /// Reads without keeping a part.
    Reads,
    /// Keeps a part, unless this result is borrowed as well.
    ReadsInto(Var),
    Keeps,
}

/// The borrowed variables.
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

/// The variable that an instruction takes a part of, if the part can be borrowed.
fn borrowable_part(inst: &Inst, layouts: &[Arc<Layout>]) -> Option<Option<Var>> {
    let InstKind::Op { op, args } = &inst.kind else { return None };
    // Unreachable code may have no layouts.
    if !layouts.get(inst.result.index())?.is_counted() {
        return None;
    }
    let composite = args.first()?;
    let layout = match composite {
        Operand::Var(var) => layouts.get(var.index())?.clone(),
        Operand::Const(constant) => Layout::of(constant.value().ty()),
    };
    let fits = match &layout.shape {
        LayoutKind::Aggregate(..) => **op == ops::FIELD,
        LayoutKind::Closure(..) => **op == ops::CAPTURED,
        LayoutKind::Enum(..) => **op == ops::PAYLOAD,
        LayoutKind::Vector(_) => **op == ops::SLICE,
        LayoutKind::Packed(elem) if **op == ops::GET || **op == ops::GET_UNCHECKED => {
            PackedLayout::of(*elem).is_some_and(|layout| borrows_out(&layout))
        }
        _ => false,
    };
    fits.then(|| composite.var())
}

/// Whether elements may be borrowed: elements that are not shared by counting would be copied if they are
/// stored as values.
fn borrows_out(record: &PackedLayout) -> bool {
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
                if let Some(part) = borrowable_part(inst, self.layouts) {
                    self.parts.insert(inst.result, part);
                }
            }
        }
    }

    fn find_uses(&mut self) {
        for (block, body) in self.func.iter_blocks() {
            for (at, inst) in body.insts.iter().enumerate() {
                if self.parts.contains_key(&inst.result) {
                    self.uses.push((inst.result, (block, at), UseKind::Reads));
                }
                for (nth, operand) in inst.kind.operands().enumerate() {
                    let how = if nth == 0 { self.how(inst) } else { UseKind::Keeps };
                    self.used(operand, (block, at), how);
                }
            }
            let Some(end) = &body.terminator else { continue };
            let ends = body.insts.len();
            if let TerminatorKind::Ret(value) = &end.kind {
                self.used(value, (block, ends + 1), UseKind::Keeps);
            } else if let Some(operand) = end.kind.operand() {
                // The operand of a branch is released before the branch.
                self.used(operand, (block, ends), UseKind::Reads);
            }
            for operand in end.kind.targets().flat_map(|target| &target.args) {
                self.used(operand, (block, ends + 1), UseKind::Keeps);
            }
        }
    }

    fn used(&mut self, operand: &Operand, (block, at): UsePosition, how: UseKind) {
        let Some(var) = operand.var() else { return };
        if self.parts.contains_key(&var) {
            self.uses.push((var, (block, at), how));
        }
        if self.layouts.get(var.index()).is_some_and(|layout| layout.is_counted()) {
            let last = self.last.entry((var, block)).or_insert(at);
            *last = at.max(*last);
        }
    }

    /// How an instruction uses its first operand.
    fn how(&self, inst: &Inst) -> UseKind {
        let InstKind::Op { op, .. } = &inst.kind else { return UseKind::Keeps };
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
            return UseKind::Keeps;
        }
        match self.layouts.get(inst.result.index()) {
            Some(layout) if layout.is_counted() => UseKind::ReadsInto(inst.result),
            _ => UseKind::Reads,
        }
    }

    /// The owner of a part; `None` for constants.
    fn owner(&self, part: Var) -> Option<Var> {
        let mut var = part;
        while let Some(part) = self.parts.get(&var) {
            var = (*part)?;
        }
        Some(var)
    }

    /// Removes candidates that cannot be borrowed; returns whether there were any.
    fn reject(&mut self) -> bool {
        let mut wrong: HashSet<Var> = HashSet::new();
        for (part, place, how) in &self.uses {
            if !self.parts.contains_key(part) || wrong.contains(part) {
                continue;
            }
            let keeps = match how {
                UseKind::Reads => false,
                UseKind::ReadsInto(result) => !self.parts.contains_key(result),
                UseKind::Keeps => true,
            };
            if keeps || !self.is_live_after(self.owner(*part), *place) {
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

    fn is_live_after(&self, owner: Option<Var>, (block, at): UsePosition) -> bool {
        let Some(owner) = owner else { return true };
        let ends = self.func.block(block).insts.len();
        let last = self.last.get(&(owner, block)).copied();
        self.liveness.live_out(block).binary_search(&owner).is_ok()
            || last.is_some_and(|last| last > at || at > ends && last == at)
    }
}
