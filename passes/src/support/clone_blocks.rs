//! Blocks that are there more than once, and what they define where their ways meet again.

use hashbrown::HashMap;
use overdub_context::ir::{Block, Inst, Operand, Var};

use crate::support::func_editor::{FuncEditor, for_each_operand, for_each_use};
use crate::support::ssa_repair::Reach;

/// What stands for variables where blocks end that define them or copies of them.
#[derive(Default)]
pub(crate) struct Ends(Vec<(Var, Block, Operand)>);

impl Ends {
    /// Whether nothing was copied.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Orders them by variables, and each variable's by blocks.
    fn by_vars(mut self) -> Vec<(Var, Block, Operand)> {
        let place = |end: &(Var, Block, Operand)| (end.0, end.1);
        self.0.sort_unstable_by_key(place);
        debug_assert!(self.0.is_sorted_by(|a, b| place(a) < place(b)), "a block defines a variable once");
        self.0
    }
}

/// Notes that a block defines its variables itself.
pub(crate) fn defines(editor: &FuncEditor<'_>, block: Block, ends: &mut Ends) {
    let body = editor.func.block(block);
    let defined = body.params.iter().chain(body.insts.iter().map(|inst| &inst.result));
    ends.0.extend(defined.map(|&var| (var, block, var.into())));
}

/// Fills the block `copy` with what `block` does where `args` are handed to it, but for its terminator; what stands there
/// for what `block` defines. It is noted in `ends`, too.
pub(crate) fn copy_insts(
    editor: &mut FuncEditor<'_>,
    block: Block,
    args: Vec<Operand>,
    copy: Block,
    ends: &mut Ends,
) -> HashMap<Var, Operand> {
    let body = editor.func.block(block);
    let count = body.insts.len();
    let mut here = HashMap::with_capacity(body.params.len() + count);
    here.extend(body.params.iter().copied().zip(args));
    let mut insts = Vec::with_capacity(count);
    for at in 0..count {
        let Inst { result: original, mut kind, span } = editor.func.block(block).insts[at].clone();
        kind.operands_mut().for_each(|operand| put(&here, operand));
        let result = editor.new_var_like(editor.func.vars[original.index()]);
        if let Some(from) = editor.inlined_from.get(&original).cloned() {
            editor.inlined_from.insert(result, from);
        }
        here.insert(original, result.into());
        insts.push(Inst { result, kind, span });
    }
    editor.body(copy).insts.append(&mut insts);
    ends.0.extend(here.iter().map(|(&var, value)| (var, copy, value.clone())));
    here
}

/// Puts what stands for a variable in its place.
pub(crate) fn put(here: &HashMap<Var, Operand>, operand: &mut Operand) {
    if let Some(new) = operand.var().and_then(|var| here.get(&var)) {
        *operand = new.clone();
    }
}

/// No variable of which anything is known.
const NONE: u32 = u32::MAX;

/// Lets other blocks use what blocks and their copies define.
pub(crate) fn meet_again(editor: &mut FuncEditor<'_>, ends: Ends) {
    let analyses = editor.cfg_analyses();
    let ends = ends.by_vars();
    let of_vars: Vec<&[(Var, Block, Operand)]> =
        ends.chunk_by(|(var, ..), (other, ..)| var == other).collect();
    let mut numbers = vec![NONE; editor.func.vars.len()];
    (0..).zip(&of_vars).for_each(|(number, of_var)| numbers[of_var[0].0.index()] = number);
    let mut used: Vec<(Var, Block)> = Vec::new();
    for (block, body) in editor.func.iter_blocks().filter(|(block, _)| analyses.cfg.is_reachable(*block)) {
        for_each_use(body, |var| {
            let of_var = of_vars.get(numbers[var.index()] as usize);
            if of_var.is_some_and(|ends| ends.binary_search_by_key(&block, |(_, block, _)| *block).is_err()) {
                used.push((var, block));
            }
        });
    }
    used.sort_unstable();
    used.dedup();
    let mut stands: Vec<(Block, Var, Operand)> = Vec::with_capacity(used.len());
    for uses in used.chunk_by(|(var, _), (other, _)| var == other) {
        let var = uses[0].0;
        let ends = of_vars[numbers[var.index()] as usize].iter();
        let ends = ends.map(|(_, block, operand)| (*block, operand.clone())).collect();
        let mut reach = Reach::new(&analyses.cfg, editor.func.ty(var), ends);
        stands.extend(uses.iter().map(|&(_, block)| (block, var, reach.at_start(editor, block))));
        reach.finish(editor);
    }
    stands.sort_unstable_by_key(|(block, var, _)| (*block, *var));
    for here in stands.chunk_by(|(block, ..), (other, ..)| block == other) {
        for_each_operand(editor.body(here[0].0), |operand| {
            if let Operand::Var(var) = operand
                && numbers.get(var.index()).is_some_and(|number| *number != NONE)
                && let Ok(at) = here.binary_search_by_key(var, |(_, var, _)| *var)
            {
                *operand = here[at].2.clone();
            }
        });
    }
}
