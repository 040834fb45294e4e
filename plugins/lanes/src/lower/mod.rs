//! From a function to steps.
//!
//! - STEPS1 values of tuples, structs and enums are the registers of their parts: making them and taking them apart costs nothing.
//! - STEPS2 a stack is one place with a value for each lane, changed in place. So each stack has one use after another, and is
//!   made at one place.
//! - STEPS3 an array is one that all lanes share, or each element has its own (LOCAL1).
//! - STEPS4 a block from which no way leads to a return fails at once: the text of a panic is not made in lanes (LANES4).

mod arrays;
mod composites;
mod exits;
mod stacks;

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators, Liveness, LoopNest};
use overdub_context::ir::{Block as IrBlock, Const, Func, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops::OpDef;
use overdub_context::value::Value;

use crate::assign::assign;
use crate::layout::{Leaf, leaves};
use crate::program::{Block, Eval, Exit, Origin, Place, Planned, Program, Step};
use crate::select::{Selected, select};
use crate::uniform::hoist;
use crate::unsupported::{Reason, Unsupported};
use crate::words::word_of;

/// The registers of a function that is being lowered.
pub(crate) struct Lowering<'f> {
    func: &'f Func,
    cfg: Cfg,
    liveness: Liveness,
    loops: LoopNest,
    /// For each block, whether a way leads to a return (STEPS4).
    returns: Vec<bool>,
    places: HashMap<Var, Vec<Place>>,
    pub(crate) program: Program,
    constants: HashMap<u64, u32>,
    constant_masks: HashMap<bool, u32>,
    pub(crate) steps: Vec<Step>,
    block: IrBlock,
}

/// The steps of a function. `mapped` says for each parameter whether each element has its own argument.
pub(crate) fn lower(func: &Func, mapped: &[bool]) -> Result<Program, Unsupported> {
    let is_returned = |leaf: &Leaf| leaf.is_scalar() || matches!(leaf, Leaf::Array(_));
    let returns = leaves(func.ret).filter(|all| all.iter().all(is_returned));
    let Some(returns) = returns else {
        return Err(Unsupported { reason: Reason::Result(func.ret), span: func.span });
    };
    let cfg = Cfg::new(func);
    let mut lowering = Lowering {
        func,
        returns: exits::returning(func, &cfg),
        loops: LoopNest::new(&cfg, &Dominators::new(&cfg)),
        cfg,
        liveness: Liveness::new(func),
        places: HashMap::new(),
        program: Program {
            blocks: Vec::new(),
            words: 0,
            shared: 0,
            masks: 0,
            stacks: 0,
            constants: Vec::new(),
            constant_masks: Vec::new(),
            uniform: Vec::new(),
            arrays: Vec::new(),
            params: Vec::new(),
            returns,
        },
        constants: HashMap::new(),
        constant_masks: HashMap::new(),
        steps: Vec::new(),
        block: IrBlock::ENTRY,
    };
    lowering.params(mapped)?;
    let order = lowering.cfg.reverse_postorder().to_vec();
    for block in &order[1..] {
        lowering.block_params(*block)?;
    }
    for block in order {
        let body = lowering.block(block)?;
        lowering.program.blocks.push(body);
    }
    hoist(&mut lowering.program);
    assign(&mut lowering.program);
    Ok(lowering.program)
}

impl Lowering<'_> {
    pub(crate) fn word(&mut self) -> u32 {
        self.program.words += 1;
        self.program.words as u32 - 1
    }

    pub(crate) fn mask(&mut self) -> u32 {
        self.program.masks += 1;
        self.program.masks as u32 - 1
    }

    fn constant(&mut self, bits: u64) -> u32 {
        if let Some(known) = self.constants.get(&bits) {
            return *known;
        }
        let word = self.word();
        self.constants.insert(bits, word);
        self.program.constants.push((word, bits));
        word
    }

    fn constant_mask(&mut self, is: bool) -> u32 {
        if let Some(known) = self.constant_masks.get(&is) {
            return *known;
        }
        let mask = self.mask();
        self.constant_masks.insert(is, mask);
        self.program.constant_masks.push((mask, if is { u64::MAX } else { 0 }));
        mask
    }

    /// New registers for the parts of a value.
    pub(crate) fn fresh(&mut self, leaves: &[Leaf]) -> Option<Vec<Place>> {
        let place = |leaf: &Leaf| match leaf {
            Leaf::Word(_) => Some(Place::Word(self.word())),
            Leaf::Bool => Some(Place::Mask(self.mask())),
            Leaf::Array(_) | Leaf::Stack => None,
        };
        leaves.iter().map(place).collect()
    }

    fn unsupported(&self, reason: Reason, inst: Option<&Inst>) -> Unsupported {
        let end = self.func.block(self.block).terminator.as_ref().map(|end| end.span);
        Unsupported { reason, span: inst.map(|inst| inst.span).or(end).unwrap_or(self.func.span) }
    }

    fn params(&mut self, mapped: &[bool]) -> Result<(), Unsupported> {
        for (at, &param) in self.func.params().iter().enumerate() {
            let ty = self.func.ty(param);
            let is_mapped = mapped.get(at).copied().unwrap_or(false);
            let unsupported = || Unsupported { reason: Reason::Param(ty), span: self.func.span };
            let parts = leaves(ty).ok_or_else(unsupported)?;
            let places = match parts[..] {
                [Leaf::Array(_)] if !is_mapped => {
                    self.program.arrays.push(Origin::Param(at));
                    vec![Place::Array(self.program.arrays.len() as u32 - 1)]
                }
                [Leaf::Array(_)] => self.own_array(ty).ok_or_else(unsupported)?,
                _ => self.fresh(&parts).ok_or_else(unsupported)?,
            };
            self.program.params.push((ty, places.clone(), is_mapped));
            self.places.insert(param, places);
        }
        Ok(())
    }

    fn block_params(&mut self, block: IrBlock) -> Result<(), Unsupported> {
        self.block = block;
        if !self.returns[block.index()] {
            return Ok(());
        }
        for &param in &self.func.block(block).params {
            let ty = self.func.ty(param);
            let parts = leaves(ty).ok_or_else(|| self.unsupported(Reason::Type(ty), None))?;
            let places = match parts[..] {
                // On all ways the same one.
                [Leaf::Array(_) | Leaf::Stack] => self.same(param, &mut Vec::new()),
                _ => self.fresh(&parts),
            };
            let places = places.ok_or_else(|| self.unsupported(Reason::Type(ty), None))?;
            self.places.insert(param, places);
        }
        Ok(())
    }

    pub(crate) fn read(&mut self, operand: &Operand) -> Option<Vec<Place>> {
        match operand {
            Operand::Var(var) => self.places.get(var).cloned(),
            Operand::Const(constant) => self.read_const(constant),
        }
    }

    fn read_const(&mut self, constant: &Const) -> Option<Vec<Place>> {
        let value = constant.value();
        match value {
            Value::Unit => Some(Vec::new()),
            Value::Bool(is) => Some(vec![Place::Mask(self.constant_mask(*is))]),
            Value::Array(_) => {
                leaves(value.ty())?;
                self.program.arrays.push(Origin::Const(value.clone()));
                Some(vec![Place::Array(self.program.arrays.len() as u32 - 1)])
            }
            Value::Composite(composite) if composite.ty.is_none() => {
                let mut all = Vec::new();
                for part in composite.parts.iter() {
                    all.extend(self.read_const(&Const::new(part.clone())?)?);
                }
                Some(all)
            }
            scalar => Some(vec![Place::Word(self.constant(word_of(scalar)?))]),
        }
    }

    pub(crate) fn ty(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Var(var) => self.func.ty(*var),
            Operand::Const(constant) => constant.value().ty(),
        }
    }

    fn block(&mut self, block: IrBlock) -> Result<Block, Unsupported> {
        self.block = block;
        let func = self.func;
        if !self.returns[block.index()] {
            return Ok(Block { steps: Vec::new(), exit: Exit::Fail, is_masked: false, depth: 0 });
        }
        for (at, inst) in func.block(block).insts.iter().enumerate() {
            let places = self.inst(inst, at)?;
            self.places.insert(inst.result, places);
        }
        let exit = self.exit()?;
        let steps = std::mem::take(&mut self.steps);
        Ok(Block {
            steps: steps.into_iter().map(|step| Planned { step, is_masked: false }).collect(),
            exit,
            is_masked: false,
            depth: self.loops.depth(block),
        })
    }

    fn inst(&mut self, inst: &Inst, at: usize) -> Result<Vec<Place>, Unsupported> {
        match &inst.kind {
            InstKind::Const(constant) => {
                let ty = constant.value().ty();
                self.read_const(constant).ok_or_else(|| self.unsupported(Reason::Type(ty), Some(inst)))
            }
            InstKind::Op { op, args } => self.op(op, args, inst, at),
            InstKind::Call { .. } | InstKind::Overdub { .. } => {
                Err(self.unsupported(Reason::Call, Some(inst)))
            }
        }
    }

    fn op(
        &mut self,
        op: &'static OpDef,
        args: &[Operand],
        inst: &Inst,
        at: usize,
    ) -> Result<Vec<Place>, Unsupported> {
        let ret = self.func.ty(inst.result);
        let mut places = Vec::with_capacity(args.len());
        for arg in args {
            let ty = self.ty(arg);
            places.push(self.read(arg).ok_or_else(|| self.unsupported(Reason::Type(ty), Some(inst)))?);
        }
        let unsupported = |lowering: &Self| lowering.unsupported(Reason::Op(op), Some(inst));
        if let Some(found) = self.on_own_arrays(op, args, &places, (inst, at)) {
            return found.ok_or_else(|| unsupported(self));
        }
        if let Some(found) = self.on_composites(op, args, &places, ret) {
            return Ok(found);
        }
        if let Some(found) = self.on_stacks(op, args, &places, (inst, at)) {
            return found.ok_or_else(|| unsupported(self));
        }
        if let Some(Selected { steps, result }) = select(self, op, args, &places, ret) {
            self.steps.extend(steps);
            return Ok(result);
        }
        let effects = op.effects;
        let is_alone = !(effects.reads || effects.writes || effects.allocates);
        let result = leaves(ret).and_then(|parts| self.fresh(&parts));
        match result {
            Some(result)
                if is_alone && !places.iter().flatten().any(|place| matches!(place, Place::Stack(_))) =>
            {
                let args = args.iter().map(|arg| self.ty(arg)).zip(places).collect();
                self.steps.push(Step::Eval(Box::new(Eval { op, args, ret, result: result.clone() })));
                Ok(result)
            }
            _ => Err(unsupported(self)),
        }
    }
}
