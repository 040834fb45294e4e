//! The definitions and uses of variables.

use crate::ir::{Block, BlockBody, Func, InstKind, Operand, Position, Var};

/// Calls `f` with every variable that a block uses, once for each use.
pub fn for_each_use(body: &BlockBody, mut f: impl FnMut(Var)) {
    let mut used = |operand: &Operand| operand.var().into_iter().for_each(&mut f);
    body.insts.iter().for_each(|inst| inst.kind.operands().for_each(&mut used));
    if let Some(end) = &body.terminator {
        end.kind.operand().into_iter().for_each(&mut used);
        end.kind.targets().for_each(|target| target.args.iter().for_each(&mut used));
    }
}

/// The number of uses of each variable, by instructions, terminators and as block arguments.
pub fn use_counts(func: &Func) -> Vec<u32> {
    let mut counts = vec![0; func.vars.len()];
    func.blocks.iter().for_each(|body| for_each_use(body, |var| counts[var.index()] += 1));
    counts
}

/// The places that define the variables of a function.
#[derive(Clone, Debug)]
pub struct Defs {
    /// The block and the position within it: the index of an instruction, [`PARAM`] and the index of a
    /// parameter, or [`UNDEFINED`].
    places: Vec<(Block, u32)>,
}

const PARAM: u32 = 1 << 31;

const UNDEFINED: u32 = u32::MAX;

impl Defs {
    /// The places in a function.
    pub fn of(func: &Func) -> Defs {
        let mut places = vec![(Block::ENTRY, UNDEFINED); func.vars.len()];
        for (block, body) in func.iter_blocks() {
            (PARAM..).zip(&body.params).for_each(|(k, param)| places[param.index()] = (block, k));
            for (i, inst) in (0..).zip(&body.insts) {
                places[inst.result.index()] = (block, i);
            }
        }
        Defs { places }
    }

    /// The place that defines a variable.
    pub fn place(&self, var: Var) -> Option<Position> {
        match *self.places.get(var.index())? {
            (_, UNDEFINED) => None,
            (block, PARAM..) => Some(Position::of_block(block)),
            (block, i) => Some(Position::Inst(block, i as usize)),
        }
    }

    /// The block that has a variable as its parameter, and the parameter's index.
    pub fn param(&self, var: Var) -> Option<(Block, usize)> {
        let (block, k) = *self.places.get(var.index())?;
        (PARAM..UNDEFINED).contains(&k).then(|| (block, (k - PARAM) as usize))
    }

    /// The block that defines a variable.
    pub fn block(&self, var: Var) -> Option<Block> {
        self.places.get(var.index()).filter(|(_, i)| *i != UNDEFINED).map(|(block, _)| *block)
    }

    /// The instruction that defines an operand, provided that no instruction has moved since.
    pub fn inst<'w>(&self, func: &'w Func, operand: &Operand) -> Option<&'w InstKind> {
        let var = operand.var()?;
        let (block, i) = *self.places.get(var.index())?;
        let inst = func.block(block).insts.get(i as usize)?;
        (inst.result == var).then_some(&inst.kind)
    }
}
