//! Reads the steps of an elementwise loop.

use hashbrown::HashMap;
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Position, TerminatorKind, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::recognize::{Bound, Elementwise, Index, LoopArray, LoopOp};

/// Whether a loop counts down: it subtracts 1 from a parameter of its header.
fn falls(func: &Func, header: Block, blocks: &[Block]) -> bool {
    let params = &func.block(header).params;
    let is_less = |inst: &Inst| match &inst.kind {
        InstKind::Op { op, args } if [&ops::SUB, &ops::SUB_WRAPPING].contains(op) => {
            func.ty(inst.result) == Ty::usize()
                && args.first().and_then(Operand::var).is_some_and(|var| params.contains(&var))
        }
        _ => false,
    };
    blocks.iter().flat_map(|block| &func.block(*block).insts).any(is_less)
}

/// The meaning of a variable of the loop.
#[derive(Clone, Copy, Debug)]
enum LoopValue {
    Index(Index),
    /// The result of a step.
    Step(usize),
    /// The array of a parameter, before or after it is written.
    Array(usize),
    /// A comparison that is among the bounds and holds while the loop continues.
    Continues,
    /// A comparison that holds when the loop ends.
    Ends,
}

/// The state of reading a loop.
pub(in crate::codegen) struct LoopReader<'f> {
    func: &'f Func,
    places: &'f [Option<Position>],
    blocks: &'f [Block],
    header: Block,
    known: HashMap<Var, LoopValue>,
    same: HashMap<Operand, usize>,
    /// The indices at which written arrays are read.
    reads: Vec<(usize, Index)>,
    found: Elementwise,
}

impl<'f> LoopReader<'f> {
    pub(in crate::codegen) fn new(
        func: &'f Func,
        places: &'f [Option<Position>],
        header: Block,
        blocks: &'f [Block],
    ) -> Option<LoopReader<'f>> {
        let mut known = HashMap::new();
        for (param, &var) in func.block(header).params.iter().enumerate() {
            let ty = func.ty(var);
            if ty == Ty::usize() {
                known.insert(var, LoopValue::Index(Index { param, plus: 0, base: None }));
            } else if is_floats(ty) {
                known.insert(var, LoopValue::Array(param));
            } else {
                return None;
            }
        }
        let falls = falls(func, header, blocks);
        let found = Elementwise { blocks: blocks.to_vec(), falls, ..Elementwise::default() };
        let (same, reads) = (HashMap::new(), Vec::new());
        Some(LoopReader { func, places, blocks, header, known, same, reads, found })
    }

    pub(in crate::codegen) fn read(mut self) -> Option<Elementwise> {
        let blocks = self.blocks;
        for (k, &block) in blocks.iter().enumerate() {
            for inst in &self.func.block(block).insts {
                let known = self.inst(inst)?;
                self.known.insert(inst.result, known);
            }
            let next = blocks.get(k + 1).copied().unwrap_or(self.header);
            self.end(block, next)?;
        }
        let at_store = |param: usize| {
            self.found.steps.iter().find_map(|step| match step {
                LoopOp::Store(to, at, _) if *to == param => Some(*at),
                _ => None,
            })
        };
        // SIMD2
        let fits = self.reads.iter().all(|(param, at)| at_store(*param).is_none_or(|store| store == *at));
        let mut bounds = self.found.bounds.iter();
        let ends = bounds.any(|(bound, _)| matches!(bound, Bound::Last(_)) || !self.found.falls);
        (fits && ends && !self.found.written.is_empty()).then_some(self.found)
    }

    fn end(&mut self, block: Block, next: Block) -> Option<()> {
        let kind = &self.func.block(block).terminator.as_ref()?.kind;
        if let TerminatorKind::BrIf { cond, then, otherwise } = kind
            && !match self.known.get(&cond.var()?)? {
                LoopValue::Continues => then.block == next && otherwise.block != next,
                LoopValue::Ends => otherwise.block == next && then.block != next,
                _ => false,
            }
        {
            return None;
        }
        let target = kind.targets().find(|target| target.block == next)?;
        let params = &self.func.block(next).params;
        for (at, (arg, &param)) in target.args.iter().zip(params).enumerate() {
            let known = *self.known.get(&arg.var()?)?;
            if next != self.header {
                self.known.insert(param, known);
                continue;
            }
            match known {
                LoopValue::Index(index)
                    if index == (Index { param: at, plus: self.step_of(), base: None }) =>
                {
                    self.found.counters.push(at)
                }
                LoopValue::Array(array) if array == at => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn inst(&mut self, inst: &Inst) -> Option<LoopValue> {
        let InstKind::Op { op, args } = &inst.kind else { return None };
        let is = |ops: &[&'static OpDef]| ops.contains(op);
        let is_index = self.func.ty(inst.result) == Ty::usize();
        match args.as_slice() {
            [x, n] if is_index && is(&[&ops::ADD, &ops::ADD_WRAPPING]) => self.index_sum(op, x, n),
            [x, n] if self.found.falls && is_index && is(&[&ops::SUB, &ops::SUB_WRAPPING]) => {
                self.index_before(x, n)
            }
            [x, last] if self.found.falls && is(&[&ops::EQ]) => {
                let LoopValue::Index(index) = *self.known.get(&x.var()?)? else { return None };
                let last = self.before(last, Ty::usize())?;
                self.found.bounds.push((Bound::Last(last), index));
                Some(LoopValue::Ends)
            }
            [x, bound] if !self.found.falls && is(&[&ops::LT]) => {
                let LoopValue::Index(index) = *self.known.get(&x.var()?)? else { return None };
                let bound = self.before(bound, Ty::usize())?;
                self.found.bounds.push((Bound::Of(bound), index));
                Some(LoopValue::Continues)
            }
            [array, at] if is(&[&ops::GET, &ops::GET_UNCHECKED]) => {
                let (source, at) = (self.source(array)?, self.index(at, op)?);
                if let LoopArray::Param(param) = source {
                    // An element that was written in this iteration is not read again.
                    if self.found.written.contains(&param) {
                        return None;
                    }
                    self.reads.push((param, at));
                }
                self.within(source, at);
                Some(self.step(LoopOp::Load(source, at)))
            }
            [array, at, value] if is(&[&ops::SET, &ops::SET_UNCHECKED]) => {
                let LoopArray::Param(param) = self.source(array)? else { return None };
                let (at, value) = (self.index(at, op)?, self.float(value)?);
                if self.found.written.contains(&param) {
                    return None;
                }
                self.found.written.push(param);
                self.within(LoopArray::Param(param), at);
                self.step(LoopOp::Store(param, at, value));
                Some(LoopValue::Array(param))
            }
            [x] if is(&[&ops::NEG, &ops::ABS, &ops::SQRT]) => {
                let x = self.float(x)?;
                Some(self.step(LoopOp::Unary(op, x)))
            }
            [x, y] if is(&[&ops::ADD, &ops::SUB, &ops::MUL, &ops::DIV, &ops::MUL_ZERO]) => {
                let (x, y) = (self.float(x)?, self.float(y)?);
                Some(self.step(LoopOp::Binary(op, x, y)))
            }
            _ => None,
        }
    }

    /// The change of a counter in an iteration.
    fn step_of(&self) -> i64 {
        if self.found.falls { -1 } else { 1 }
    }

    /// Adds the bound of an index; an index with a base was proven to be in bounds.
    fn within(&mut self, source: LoopArray, at: Index) {
        if at.base.is_none() {
            self.found.bounds.push((Bound::Length(source), at));
        }
    }

    fn index_sum(&mut self, op: &OpDef, x: &Operand, n: &Operand) -> Option<LoopValue> {
        let known = |operand: &Operand| self.known.get(&operand.var()?).copied();
        let (index, n) = match (known(x), known(n)) {
            (Some(LoopValue::Index(index)), None) => (index, n),
            (None, Some(LoopValue::Index(index))) => (index, x),
            _ => return None,
        };
        if n.var().is_some() {
            let base = self.before(n, Ty::usize())?.var();
            let is_first = *op == ops::ADD_WRAPPING && index.base.is_none();
            return is_first.then_some(LoopValue::Index(Index { base, ..index }));
        }
        let (_, n) = n.constant()?.value().as_int()?;
        let n = i64::try_from(n).ok().filter(|n| (0..1 << 20).contains(n))?;
        let index = Index { plus: index.plus + n, ..index };
        if *op == ops::ADD {
            // Below this bound the sum does not overflow.
            self.found.bounds.push((Bound::Of((usize::MAX >> 1).into()), index));
        }
        Some(LoopValue::Index(index))
    }

    /// The counter after this iteration.
    fn index_before(&mut self, x: &Operand, n: &Operand) -> Option<LoopValue> {
        let LoopValue::Index(index) = *self.known.get(&x.var()?)? else { return None };
        let (_, n) = n.constant()?.value().as_int()?;
        if n != 1 || index.plus != 0 || index.base.is_some() {
            return None;
        }
        let index = Index { plus: -1, ..index };
        // The counter does not start at 0.
        self.found.bounds.push((Bound::Of((usize::MAX >> 1).into()), index));
        Some(LoopValue::Index(index))
    }

    fn step(&mut self, step: LoopOp) -> LoopValue {
        self.found.steps.push(step);
        LoopValue::Step(self.found.steps.len() - 1)
    }

    /// The index of an access; one with a base has to be proven to be in bounds.
    fn index(&self, at: &Operand, op: &OpDef) -> Option<Index> {
        let is_proven = [&ops::GET_UNCHECKED, &ops::SET_UNCHECKED].iter().any(|proven| **proven == *op);
        match self.known.get(&at.var()?)? {
            LoopValue::Index(index) if index.base.is_none() || is_proven => Some(*index),
            _ => None,
        }
    }

    /// The step that computes a float.
    fn float(&mut self, x: &Operand) -> Option<usize> {
        if let Some(LoopValue::Step(step)) = x.var().and_then(|var| self.known.get(&var)) {
            return Some(*step);
        }
        let x = self.before(x, Ty::f64())?;
        if let Some(step) = self.same.get(&x) {
            return Some(*step);
        }
        self.found.steps.push(LoopOp::Splat(x.clone()));
        self.same.insert(x, self.found.steps.len() - 1);
        Some(self.found.steps.len() - 1)
    }

    fn source(&self, array: &Operand) -> Option<LoopArray> {
        match self.known.get(&array.var()?) {
            Some(LoopValue::Array(param)) => Some(LoopArray::Param(*param)),
            Some(_) => None,
            None => match self.before(array, Ty::array(Ty::f64(), 1))? {
                Operand::Var(var) => Some(LoopArray::Before(var)),
                Operand::Const(_) => None,
            },
        }
    }

    /// A loop-invariant operand of this type.
    fn before(&self, operand: &Operand, ty: Ty) -> Option<Operand> {
        let is_before = match operand {
            Operand::Const(constant) => constant.value().ty() == ty,
            Operand::Var(var) => {
                let def_block = match self.places.get(var.index()).copied().flatten()? {
                    Position::Head => None,
                    Position::Block(block) | Position::Inst(block, _) => Some(block),
                    Position::Terminator(_) => return None,
                };
                self.func.ty(*var) == ty && def_block.is_none_or(|home| !self.blocks.contains(&home))
            }
        };
        is_before.then(|| operand.clone())
    }
}

fn is_floats(ty: Ty) -> bool {
    ty.as_array().is_some_and(|array| array.rank == 1 && array.elem == Ty::f64())
}
