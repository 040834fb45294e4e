//! Ownership of reference counts: the variables that the function owns at the current position.

use std::collections::BTreeSet;
use std::sync::Arc;

use cranelift_codegen::ir;
use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, BlockBody, Func, Var};

use crate::abi::layout::Layout;
use crate::codegen::analysis::last_use::{self, BlockUses, LiveMarks, LiveSets};
use crate::codegen::analysis::{result_placement, uniqueness};
use crate::codegen::operands::VarComponents;

/// The ownership of counts.
pub(in crate::codegen) struct Ownership {
    pub(in crate::codegen) live_sets: LiveSets,
    marks: LiveMarks,
    /// The components of each variable that has been defined so far.
    pub(in crate::codegen) vals: Vec<VarComponents>,
    /// The variables whose counts the function holds at the current position (OWN1).
    pub(in crate::codegen) owned: BTreeSet<Var>,
    /// Variables whose uniqueness flag changes during their life (OWN2).
    pub(in crate::codegen) flag_changes: HashSet<Var>,
    /// Variables without counts of their own (BORROW1).
    pub(in crate::codegen) borrowed: HashSet<Var>,
    /// Stacks with one owner (UNIQ1).
    pub(in crate::codegen) unique_stacks: HashSet<Var>,
    /// Variables whose fields are moved out of them.
    pub(in crate::codegen) split: HashSet<Var>,
    /// Whether the function pushes to vectors.
    pub(in crate::codegen) pushes: bool,
    /// Vectors that become part of the result, with the first component of that part.
    pub(in crate::codegen) result_vectors: HashMap<Var, usize>,
    /// Vectors whose elements need no first values (NOFILL1).
    pub(in crate::codegen) overwritten: HashSet<Var>,
    /// Values that are known to be null or a hole, and own nothing.
    nulls: HashSet<ir::Value>,
}

impl Ownership {
    pub(in crate::codegen) fn of(func: &Func, layouts: &[Arc<Layout>], ret: &Layout) -> Ownership {
        let live_sets = LiveSets::of(func, layouts);
        Ownership {
            borrowed: live_sets.borrowed(func, layouts),
            live_sets,
            marks: LiveMarks::of(func),
            vals: vec![VarComponents::new(); func.vars.len()],
            owned: BTreeSet::new(),
            flag_changes: last_use::shared(func, layouts),
            unique_stacks: HashSet::new(),
            split: last_use::split(func, layouts),
            pushes: last_use::pushes(func),
            result_vectors: result_placement::result_vectors(func, ret),
            overwritten: HashSet::new(),
            nulls: HashSet::new(),
        }
    }

    /// Finds the stacks with one owner.
    pub(in crate::codegen) fn find_unique_stacks(&mut self, func: &Func, layouts: &[Arc<Layout>], cfg: &Cfg) {
        self.unique_stacks = uniqueness::unique_stacks(func, layouts, self, cfg);
    }

    /// The uses in a block.
    pub(in crate::codegen) fn block_uses(&mut self, body: &BlockBody, block: Block) -> BlockUses {
        last_use::block_uses(body, block, &self.live_sets, &mut self.marks)
    }

    /// Begins a block: the function owns the variables that are live into it.
    pub(in crate::codegen) fn begin_block(&mut self, block: Block, layouts: &[Arc<Layout>]) {
        let is_owned = |var: &Var| layouts[var.index()].is_counted() && !self.borrowed.contains(var);
        self.owned = self.live_sets.live_in(block).iter().copied().filter(is_owned).collect();
    }

    pub(in crate::codegen) fn is_borrowed(&self, var: Var) -> bool {
        self.borrowed.contains(&var)
    }

    /// Whether a value is known to own nothing.
    pub(in crate::codegen) fn is_null(&self, value: ir::Value) -> bool {
        self.nulls.contains(&value)
    }

    /// Records that a value owns nothing.
    pub(in crate::codegen) fn note_null(&mut self, value: ir::Value) {
        self.nulls.insert(value);
    }
}
