//! Cloning of blocks, and SSA repair where the clones join.

use hashbrown::HashMap;
use overdub_context::ir::{Block, Inst, Operand, Var};

use crate::support::ssa_repair::SsaRepair;
use overdub_context::analysis::for_each_use;
use overdub_context::edit::{FuncEditor, for_each_operand};

/// The values of variables at the end of the blocks that define them, originals and clones.
#[derive(Default)]
pub(crate) struct LiveOuts(Vec<(Var, Block, Operand)>);

impl LiveOuts {
    /// Whether nothing was cloned.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sorts the values by variable, then by block.
    fn by_vars(mut self) -> Vec<(Var, Block, Operand)> {
        let key = |end: &(Var, Block, Operand)| (end.0, end.1);
        self.0.sort_unstable_by_key(key);
        debug_assert!(self.0.is_sorted_by(|a, b| key(a) < key(b)), "a block defines a variable once");
        self.0
    }
}

/// Records the definitions of a block that is to be cloned.
pub(crate) fn record_definitions(editor: &FuncEditor<'_>, block: Block, live_outs: &mut LiveOuts) {
    let body = editor.func.block(block);
    let defined = body.params.iter().chain(body.insts.iter().map(|inst| &inst.result));
    live_outs.0.extend(defined.map(|&var| (var, block, var.into())));
}

/// Appends the instructions of `block`, entered with `args`, to the block `clone`; returns the values in the
/// clone of the variables that `block` defines, and records them in `live_outs`.
pub(crate) fn clone_insts(
    editor: &mut FuncEditor<'_>,
    block: Block,
    args: Vec<Operand>,
    clone: Block,
    live_outs: &mut LiveOuts,
) -> HashMap<Var, Operand> {
    let body = editor.func.block(block);
    let count = body.insts.len();
    let mut values = HashMap::with_capacity(body.params.len() + count);
    values.extend(body.params.iter().copied().zip(args));
    let mut insts = Vec::with_capacity(count);
    for at in 0..count {
        let Inst { result: original, mut kind, span } = editor.func.block(block).insts[at].clone();
        kind.operands_mut().for_each(|operand| substitute(&values, operand));
        let result = editor.new_var_like(editor.func.vars[original.index()]);
        if let Some(from) = editor.inlined_from.get(&original).cloned() {
            editor.inlined_from.insert(result, from);
        }
        values.insert(original, result.into());
        insts.push(Inst { result, kind, span });
    }
    editor.body(clone).insts.append(&mut insts);
    live_outs.0.extend(values.iter().map(|(&var, value)| (var, clone, value.clone())));
    values
}

/// Replaces an operand by its value in `here`, if it has one.
pub(crate) fn substitute(values: &HashMap<Var, Operand>, operand: &mut Operand) {
    if let Some(new) = operand.var().and_then(|var| values.get(&var)) {
        *operand = new.clone();
    }
}

/// The index of a variable without recorded definitions.
const NONE: u32 = u32::MAX;

/// Rewrites the uses of the recorded variables in other blocks: each sees the definitions that reach it.
pub(crate) fn repair_ssa(editor: &mut FuncEditor<'_>, live_outs: LiveOuts) {
    let analyses = editor.cfg_analyses();
    let live_outs = live_outs.by_vars();
    let of_vars: Vec<&[(Var, Block, Operand)]> =
        live_outs.chunk_by(|(var, ..), (other, ..)| var == other).collect();
    let mut numbers = vec![NONE; editor.func.vars.len()];
    (0..).zip(&of_vars).for_each(|(number, of_var)| numbers[of_var[0].0.index()] = number);
    let mut used: Vec<(Var, Block)> = Vec::new();
    for (block, body) in editor.func.iter_blocks().filter(|(block, _)| analyses.cfg.is_reachable(*block)) {
        for_each_use(body, |var| {
            let of_var = of_vars.get(numbers[var.index()] as usize);
            if of_var.is_some_and(|live_outs| {
                live_outs.binary_search_by_key(&block, |(_, block, _)| *block).is_err()
            }) {
                used.push((var, block));
            }
        });
    }
    used.sort_unstable();
    used.dedup();
    let mut values: Vec<(Block, Var, Operand)> = Vec::with_capacity(used.len());
    for uses in used.chunk_by(|(var, _), (other, _)| var == other) {
        let var = uses[0].0;
        let live_outs = of_vars[numbers[var.index()] as usize].iter();
        let live_outs = live_outs.map(|(_, block, operand)| (*block, operand.clone())).collect();
        let mut repair = SsaRepair::new(&analyses.cfg, editor.func.ty(var), live_outs);
        values.extend(uses.iter().map(|&(_, block)| (block, var, repair.at_start(editor, block))));
        repair.finish(editor);
    }
    values.sort_unstable_by_key(|(block, var, _)| (*block, *var));
    for of_block in values.chunk_by(|(block, ..), (other, ..)| block == other) {
        for_each_operand(editor.body(of_block[0].0), |operand| {
            if let Operand::Var(var) = operand
                && numbers.get(var.index()).is_some_and(|number| *number != NONE)
                && let Ok(at) = of_block.binary_search_by_key(var, |(_, var, _)| *var)
            {
                *operand = of_block[at].2.clone();
            }
        });
    }
}
