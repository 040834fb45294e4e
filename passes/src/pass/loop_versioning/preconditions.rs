//! The preconditions of a loop version: the maxima of the loop's indices, computed and checked before the loop.

use hashbrown::{HashMap, HashSet};
use overdub_context::Span;
use overdub_context::ir::{Block, BlockBody, Inst, InstKind, Operand, TerminatorKind, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::Preconditions;
use crate::support::consts::int_of;
use crate::support::inequalities::less;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// The number of bits of an input of the computation (VERSION2); intermediate results have fewer than 64.
const INPUT_BITS: u32 = 31;

/// The exclusive upper bound of constant steps and end values.
const MAX_STEP: i128 = 1 << 16;

/// The preconditions under which a loop of one block needs no checks; none if no access would become unchecked.
pub(super) fn preconditions(
    editor: &mut FuncEditor<'_>,
    defs: &Defs,
    block: Block,
    preheader: Block,
) -> Option<Preconditions> {
    let body = editor.func.block(block).clone();
    let TerminatorKind::Br(enter) = &editor.terminator(preheader).kind else { return None };
    let mut builder = Builder {
        first: body.params.iter().copied().zip(enter.args.clone()).collect(),
        next: HashMap::new(),
        inst_index: body.insts.iter().enumerate().map(|(at, inst)| (inst.result, at)).collect(),
        span: editor.terminator(block).span,
        editor,
        defs,
        block,
        body,
        insts: Vec::new(),
        checked: HashSet::new(),
        holds: None,
        maxima: HashMap::new(),
        trip_count: None,
    };
    builder.counter()?;
    builder.all()
}

/// A value before the loop, and an upper bound of its number of bits.
type Bounded = (Operand, u32);

/// Builds the preconditions of a loop.
struct Builder<'w, 'f> {
    editor: &'w mut FuncEditor<'f>,
    defs: &'w Defs,
    block: Block,
    body: BlockBody,
    /// The values of the parameters in the first iteration.
    first: HashMap<Var, Operand>,
    /// The values of the parameters in the next iteration.
    next: HashMap<Var, Operand>,
    /// The index of the instruction that defines a variable.
    inst_index: HashMap<Var, usize>,
    span: Span,
    /// The instructions of the preconditions.
    insts: Vec<Inst>,
    /// The checks that were added.
    checked: HashSet<(&'static str, Operand, Operand)>,
    /// The conjunction of all checks.
    holds: Option<Operand>,
    /// The computed maxima; none if there is no maximum, or while it is being computed.
    maxima: HashMap<Var, Option<Bounded>>,
    /// The trip count.
    trip_count: Option<Bounded>,
}

impl Builder<'_, '_> {
    /// Finds the counter that the loop's condition tests, its maximum and the trip count.
    fn counter(&mut self) -> Option<()> {
        let TerminatorKind::BrIf { cond, then, otherwise } = self.editor.terminator(self.block).kind.clone()
        else {
            return None;
        };
        let then_continues = then.block == self.block;
        if then_continues == (otherwise.block == self.block) {
            return None;
        }
        let back_edge = if then_continues { then } else { otherwise };
        self.next = self.body.params.iter().copied().zip(back_edge.args).collect();
        if let Some((next, limit)) = less(self.editor, self.defs, self.block, self.block) {
            return self.counts_up(next.var()?, &limit);
        }
        let InstKind::Op { op, args } = self.inst(cond.var()?)? else { return None };
        let ends = if then_continues { **op == ops::NE } else { **op == ops::EQ };
        let (next, last) = (args[0].var()?, args[1].clone());
        ends.then(|| self.counts_down(next, &last)).flatten()
    }

    /// The counter increases by one while it is less than `limit`.
    fn counts_up(&mut self, next: Var, limit: &Operand) -> Option<()> {
        let (param, 1) = self.step(next)? else { return None };
        let first = self.first.get(&param)?.clone();
        if self.next.get(&param)?.var() != Some(next) || self.editor.func.ty(param) != Ty::usize() {
            return None;
        }
        let (limit, bits) = self.small(limit)?;
        self.require(&ops::LT, first.clone(), limit.clone());
        let last = self.op(&ops::SUB_WRAPPING, limit.clone(), 1_usize.into());
        let trip_count =
            if int_of(&first) == Some(0) { limit } else { self.op(&ops::SUB_WRAPPING, limit, first) };
        self.maxima.insert(param, Some((last, bits)));
        self.trip_count = Some((trip_count, bits));
        Some(())
    }

    /// The counter decreases by one until it is `last`.
    fn counts_down(&mut self, next: Var, last: &Operand) -> Option<()> {
        let (param, -1) = self.step(next)? else { return None };
        let first = self.first.get(&param)?.clone();
        let stops = int_of(last).filter(|last| (0..MAX_STEP).contains(last))?;
        if self.next.get(&param)?.var() != Some(next) || self.editor.func.ty(param) != Ty::usize() {
            return None;
        }
        let (first, bits) = self.small(&first)?;
        self.require(&ops::LT, last.clone(), first.clone());
        let less = self.op(&ops::SUB_WRAPPING, first.clone(), 1_usize.into());
        let trip_count =
            if stops == 0 { first.clone() } else { self.op(&ops::SUB_WRAPPING, first.clone(), last.clone()) };
        self.maxima.insert(param, Some((first, bits)));
        self.maxima.insert(next, Some((less, bits)));
        self.trip_count = Some((trip_count, bits));
        Some(())
    }

    /// The parameter to which a variable adds a constant, and the constant.
    fn step(&self, next: Var) -> Option<(Var, i128)> {
        let InstKind::Op { op, args } = self.inst(next)? else { return None };
        let (Some(param), Some(by)) = (args.first()?.var(), int_of(args.get(1)?)) else { return None };
        let adds = **op == ops::ADD || **op == ops::ADD_WRAPPING;
        let subtracts = **op == ops::SUB || **op == ops::SUB_WRAPPING;
        let is_param = self.first.contains_key(&param) && (1..MAX_STEP).contains(&by);
        (is_param && (adds || subtracts)).then_some((param, if adds { by } else { -by }))
    }

    /// Replaces all operations by unchecked ones whose check the preconditions can cover.
    fn all(mut self) -> Option<Preconditions> {
        let mut unchecked: HashMap<usize, &'static OpDef> = HashMap::new();
        let mut accesses = 0;
        for (at, inst) in self.body.insts.clone().iter().enumerate() {
            let InstKind::Op { op, args } = &inst.kind else { continue };
            let unchecked_op = match self.wrapping(op) {
                Some(unchecked_op) if args.len() == 2 && self.editor.func.ty(inst.result) == Ty::usize() => {
                    self.max(&inst.result.into()).map(|_| unchecked_op)
                }
                _ => self.access(op, args).inspect(|_| accesses += 1),
            };
            unchecked.extend(unchecked_op.map(|unchecked_op| (at, unchecked_op)));
        }
        let holds = self.holds?;
        (accesses > 0).then_some(Preconditions { insts: self.insts, holds, unchecked })
    }

    /// The operation without an overflow check.
    fn wrapping(&self, op: &OpDef) -> Option<&'static OpDef> {
        match op {
            op if *op == ops::ADD => Some(&ops::ADD_WRAPPING),
            op if *op == ops::SUB => Some(&ops::SUB_WRAPPING),
            op if *op == ops::MUL => Some(&ops::MUL_WRAPPING),
            _ => None,
        }
    }

    /// The unchecked access for an access whose largest index is less than the length, which becomes a precondition.
    fn access(&mut self, op: &OpDef, args: &[Operand]) -> Option<&'static OpDef> {
        let unchecked_op = match op {
            op if *op == ops::GET => &ops::GET_UNCHECKED,
            op if *op == ops::SET => &ops::SET_UNCHECKED,
            _ => return None,
        };
        if self.editor.ty(&args[1]) != Ty::usize() {
            return None;
        }
        let array = self.array_of_same_length(args[0].var()?)?;
        let (max, _) = self.max(&args[1])?;
        let len = self.insts.iter().find_map(|inst| match &inst.kind {
            InstKind::Op { op, args } if **op == ops::LEN && args[0] == array => Some(inst.result.into()),
            _ => None,
        });
        let len = len.unwrap_or_else(|| self.op_of_type(&ops::LEN, vec![array], Ty::usize()));
        self.require(&ops::LT, max, len);
        Some(unchecked_op)
    }

    /// An array from before the loop that has the same length as one in it.
    fn array_of_same_length(&self, array: Var) -> Option<Operand> {
        let root = self.root(array)?;
        let Some(first) = self.first.get(&root) else { return Some(root.into()) };
        (self.root(self.next.get(&root)?.var()?)? == root).then(|| first.clone())
    }

    /// The array from which an array was created by setting elements.
    fn root(&self, mut array: Var) -> Option<Var> {
        while let Some(kind) = self.inst(array) {
            let InstKind::Op { op, args } = kind else { return None };
            if **op != ops::SET && **op != ops::SET_UNCHECKED && **op != ops::SWAP {
                return None;
            }
            array = args[0].var()?;
        }
        Some(array)
    }

    /// The initial value of a parameter that is passed to itself; otherwise the operand.
    fn without_invariant_params(&self, operand: &Operand) -> Operand {
        let next = operand.var().and_then(|var| self.next.get(&var));
        match operand.var().and_then(|var| self.first.get(&var)) {
            Some(first) if next == Some(operand) => first.clone(),
            _ => operand.clone(),
        }
    }

    /// The maximum of an integer over all iterations (VERSION2).
    fn max(&mut self, operand: &Operand) -> Option<Bounded> {
        let operand = &self.without_invariant_params(operand);
        let Some(var) = operand.var().filter(|var| self.is_inside(*var)) else { return self.small(operand) };
        if let Some(known) = self.maxima.get(&var) {
            return known.clone();
        }
        // A value that depends on itself has no maximum; this entry records that until one is found.
        self.maxima.insert(var, None);
        let found = if self.first.contains_key(&var) { self.max_of_param(var) } else { self.max_of_op(var) };
        self.maxima.insert(var, found.clone());
        found
    }

    /// The maximum of the result of an operation.
    fn max_of_op(&mut self, var: Var) -> Option<Bounded> {
        if self.editor.func.ty(var) != Ty::usize() {
            return None;
        }
        let InstKind::Op { op, args } = self.inst(var)?.clone() else { return None };
        if *op == ops::SUB || *op == ops::SUB_WRAPPING {
            let (param, by) = self.step(var).filter(|_| self.next_is(var))?;
            let (max, bits) = self.max(&param.into())?;
            let by = usize::try_from(-by).ok()?;
            return Some((self.op(&ops::SUB_WRAPPING, max, by.into()), bits));
        }
        let sum = *op == ops::ADD || *op == ops::ADD_WRAPPING;
        if !sum && *op != ops::MUL && *op != ops::MUL_WRAPPING {
            return None;
        }
        let ((a, a_bits), (b, b_bits)) = (self.max(&args[0])?, self.max(&args[1])?);
        let bits = if sum { a_bits.max(b_bits) + 1 } else { a_bits + b_bits };
        let op = if sum { &ops::ADD_WRAPPING } else { &ops::MUL_WRAPPING };
        (bits < 64).then(|| (self.op(op, a, b), bits))
    }

    /// Whether a variable is the next value of a parameter.
    fn next_is(&self, var: Var) -> bool {
        self.step(var).is_some_and(|(param, _)| self.next.get(&param).and_then(Operand::var) == Some(var))
    }

    /// The maximum of a parameter that changes by the same constant in each iteration.
    fn max_of_param(&mut self, param: Var) -> Option<Bounded> {
        let next = self.next.get(&param)?.var().filter(|next| self.next_is(*next))?;
        if self.editor.func.ty(param) != Ty::usize() {
            return None;
        }
        let (_, by) = self.step(next)?;
        let (trip_count, bits) = self.trip_count.clone()?;
        let first = self.first.get(&param)?.clone();
        let (first, first_bits) = self.small(&first)?;
        let size = usize::try_from(by.abs()).ok()?;
        if by < 0 {
            let distance = self.op(&ops::MUL_WRAPPING, trip_count, size.into());
            self.require(&ops::LE, distance, first.clone());
            return Some((first, first_bits));
        }
        let steps = self.op(&ops::SUB_WRAPPING, trip_count, 1_usize.into());
        let distance = self.op(&ops::MUL_WRAPPING, steps, size.into());
        Some((self.op(&ops::ADD_WRAPPING, first, distance), (bits + 16).max(first_bits) + 1))
    }

    /// A value from before the loop that is checked to be small (VERSION2).
    fn small(&mut self, operand: &Operand) -> Option<Bounded> {
        let operand = &self.without_invariant_params(operand);
        if let Some(n) = int_of(operand) {
            let bits = 128 - n.leading_zeros();
            return (n >= 0 && bits <= INPUT_BITS && self.editor.ty(operand) == Ty::usize())
                .then(|| (operand.clone(), bits));
        }
        if operand.var().is_none_or(|var| self.is_inside(var)) || self.editor.ty(operand) != Ty::usize() {
            return None;
        }
        self.require(&ops::LT, operand.clone(), (1_usize << INPUT_BITS).into());
        Some((operand.clone(), INPUT_BITS))
    }

    /// Whether the loop defines a variable.
    fn is_inside(&self, var: Var) -> bool {
        self.first.contains_key(&var) || self.inst_index.contains_key(&var)
    }

    /// The instruction of the loop that defines a variable.
    fn inst(&self, var: Var) -> Option<&InstKind> {
        self.inst_index.get(&var).map(|at| &self.body.insts[*at].kind)
    }

    /// Adds a check before the loop.
    fn require(&mut self, op: &'static OpDef, a: Operand, b: Operand) {
        if !self.checked.insert((op.name, a.clone(), b.clone())) {
            return;
        }
        let holds = self.op_of_type(op, vec![a, b], Ty::bool());
        self.holds = Some(match self.holds.take() {
            Some(others) => self.op_of_type(&ops::AND, vec![others, holds], Ty::bool()),
            None => holds,
        });
    }

    /// The result of an operation on two `usize` before the loop.
    fn op(&mut self, op: &'static OpDef, a: Operand, b: Operand) -> Operand {
        self.op_of_type(op, vec![a, b], Ty::usize())
    }

    /// The result of an operation before the loop, which is computed once.
    fn op_of_type(&mut self, op: &'static OpDef, args: Vec<Operand>, ty: Ty) -> Operand {
        let known = self.insts.iter().find(
            |inst| matches!(&inst.kind, InstKind::Op { op: of, args: with } if **of == *op && *with == args),
        );
        if let Some(known) = known {
            return known.result.into();
        }
        let span = self.span;
        let mut insts = std::mem::take(&mut self.insts);
        let var = self.editor.func.push_op(&mut insts, op, args, ty, span);
        self.insts = insts;
        var.into()
    }
}
