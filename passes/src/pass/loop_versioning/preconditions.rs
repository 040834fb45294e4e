//! What a loop's integers are at most, computed before it.

use hashbrown::{HashMap, HashSet};
use overdub_context::Span;
use overdub_context::ir::{Block, BlockBody, Inst, InstKind, Operand, TerminatorKind, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::Checks;
use crate::support::consts::int_of;
use crate::support::func_editor::{Defs, FuncEditor};
use crate::support::inequalities::less;

/// What goes into the computation has so many bits, and nothing in it more than 64.
const BITS: u32 = 31;

/// A step of a counter that nobody computes from one is less than this.
const FARTHEST: i128 = 1 << 16;

/// What is asked before a loop of one block, entered from `before`, so that nothing in it has to be checked: nothing where
/// no access can be freed.
pub(super) fn checks(
    editor: &mut FuncEditor<'_>,
    defs: &Defs,
    block: Block,
    before: Block,
) -> Option<Checks> {
    let body = editor.func.block(block).clone();
    let TerminatorKind::Br(enter) = &editor.end(before).kind else { return None };
    let mut maker = Maker {
        first: body.params.iter().copied().zip(enter.args.clone()).collect(),
        next: HashMap::new(),
        insts: body.insts.iter().enumerate().map(|(at, inst)| (inst.result, at)).collect(),
        span: editor.end(block).span,
        editor,
        defs,
        block,
        body,
        made: Vec::new(),
        asked: HashSet::new(),
        holds: None,
        known: HashMap::new(),
        rounds: None,
    };
    maker.counter()?;
    maker.all()
}

/// A number, and how many bits it has at most.
type Number = (Operand, u32);

struct Maker<'w, 'f> {
    editor: &'w mut FuncEditor<'f>,
    defs: &'w Defs,
    block: Block,
    body: BlockBody,
    /// What the parameters are at first, and in the next round.
    first: HashMap<Var, Operand>,
    next: HashMap<Var, Operand>,
    /// The places of what the instructions define.
    insts: HashMap<Var, usize>,
    span: Span,
    made: Vec<Inst>,
    asked: HashSet<(&'static str, Operand, Operand)>,
    holds: Option<Operand>,
    known: HashMap<Var, Option<Number>>,
    /// How many rounds there are.
    rounds: Option<Number>,
}

impl Maker<'_, '_> {
    /// The variable by which the loop ends, from its first value to its last.
    fn counter(&mut self) -> Option<()> {
        let TerminatorKind::BrIf { cond, then, otherwise } = self.editor.end(self.block).kind.clone() else {
            return None;
        };
        let stays = then.block == self.block;
        if stays == (otherwise.block == self.block) {
            return None;
        }
        let again = if stays { then } else { otherwise };
        self.next = self.body.params.iter().copied().zip(again.args).collect();
        if let Some((next, limit)) = less(self.editor, self.defs, self.block, self.block) {
            return self.rising(next.var()?, &limit);
        }
        let InstKind::Op { op, args } = self.inst(cond.var()?)? else { return None };
        let ends = if stays { **op == ops::NE } else { **op == ops::EQ };
        let (next, last) = (args[0].var()?, args[1].clone());
        ends.then(|| self.falling(next, &last)).flatten()
    }

    /// It grows by one as long as it is less than `limit`.
    fn rising(&mut self, next: Var, limit: &Operand) -> Option<()> {
        let (param, 1) = self.step(next)? else { return None };
        let first = self.first.get(&param)?.clone();
        if self.next.get(&param)?.var() != Some(next) || self.editor.func.ty(param) != Ty::usize() {
            return None;
        }
        let (limit, bits) = self.small(limit)?;
        self.ask(&ops::LT, first.clone(), limit.clone());
        let last = self.op(&ops::SUB_WRAPPING, limit.clone(), 1_usize.into());
        let rounds =
            if int_of(&first) == Some(0) { limit } else { self.op(&ops::SUB_WRAPPING, limit, first) };
        self.known.insert(param, Some((last, bits)));
        self.rounds = Some((rounds, bits));
        Some(())
    }

    /// It falls by one as long as it is not `last`.
    fn falling(&mut self, next: Var, last: &Operand) -> Option<()> {
        let (param, -1) = self.step(next)? else { return None };
        let first = self.first.get(&param)?.clone();
        let stops = int_of(last).filter(|last| (0..FARTHEST).contains(last))?;
        if self.next.get(&param)?.var() != Some(next) || self.editor.func.ty(param) != Ty::usize() {
            return None;
        }
        let (first, bits) = self.small(&first)?;
        self.ask(&ops::LT, last.clone(), first.clone());
        let less = self.op(&ops::SUB_WRAPPING, first.clone(), 1_usize.into());
        let rounds =
            if stops == 0 { first.clone() } else { self.op(&ops::SUB_WRAPPING, first.clone(), last.clone()) };
        self.known.insert(param, Some((first, bits)));
        self.known.insert(next, Some((less, bits)));
        self.rounds = Some((rounds, bits));
        Some(())
    }

    /// The parameter that a variable is one step on from, and how far.
    fn step(&self, next: Var) -> Option<(Var, i128)> {
        let InstKind::Op { op, args } = self.inst(next)? else { return None };
        let (Some(param), Some(by)) = (args.first()?.var(), int_of(args.get(1)?)) else { return None };
        let rises = **op == ops::ADD || **op == ops::ADD_WRAPPING;
        let falls = **op == ops::SUB || **op == ops::SUB_WRAPPING;
        let is_param = self.first.contains_key(&param) && (1..FARTHEST).contains(&by);
        (is_param && (rises || falls)).then_some((param, if rises { by } else { -by }))
    }

    /// Frees what can be freed.
    fn all(mut self) -> Option<Checks> {
        let mut unchecked: HashMap<usize, &'static OpDef> = HashMap::new();
        let mut accesses = 0;
        for (at, inst) in self.body.insts.clone().iter().enumerate() {
            let InstKind::Op { op, args } = &inst.kind else { continue };
            let free = match self.freed(op) {
                Some(free) if args.len() == 2 && self.editor.func.ty(inst.result) == Ty::usize() => {
                    self.largest(&inst.result.into()).map(|_| free)
                }
                _ => self.access(op, args).inspect(|_| accesses += 1),
            };
            unchecked.extend(free.map(|free| (at, free)));
        }
        let holds = self.holds?;
        (accesses > 0).then_some(Checks { insts: self.made, holds, unchecked })
    }

    /// The operation that does not check for overflow.
    fn freed(&self, op: &OpDef) -> Option<&'static OpDef> {
        match op {
            op if *op == ops::ADD => Some(&ops::ADD_WRAPPING),
            op if *op == ops::SUB => Some(&ops::SUB_WRAPPING),
            op if *op == ops::MUL => Some(&ops::MUL_WRAPPING),
            _ => None,
        }
    }

    /// The access that does not check an index that is less than the length whenever the largest is.
    fn access(&mut self, op: &OpDef, args: &[Operand]) -> Option<&'static OpDef> {
        let free = match op {
            op if *op == ops::GET => &ops::GET_UNCHECKED,
            op if *op == ops::SET => &ops::SET_UNCHECKED,
            _ => return None,
        };
        if self.editor.ty(&args[1]) != Ty::usize() {
            return None;
        }
        let array = self.as_long_as(args[0].var()?)?;
        let (largest, _) = self.largest(&args[1])?;
        let len = self.made.iter().find_map(|inst| match &inst.kind {
            InstKind::Op { op, args } if **op == ops::LEN && args[0] == array => Some(inst.result.into()),
            _ => None,
        });
        let len = len.unwrap_or_else(|| self.one(&ops::LEN, vec![array], Ty::usize()));
        self.ask(&ops::LT, largest, len);
        Some(free)
    }

    /// An array from before the loop that is as long as one in it.
    fn as_long_as(&self, array: Var) -> Option<Operand> {
        let root = self.root(array)?;
        let Some(first) = self.first.get(&root) else { return Some(root.into()) };
        (self.root(self.next.get(&root)?.var()?)? == root).then(|| first.clone())
    }

    /// What an array was before elements of it were set.
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

    /// What an operand is, where a parameter that hands on itself is what it was at first.
    fn settled(&self, operand: &Operand) -> Operand {
        let handed = operand.var().and_then(|var| self.next.get(&var));
        match operand.var().and_then(|var| self.first.get(&var)) {
            Some(first) if handed == Some(operand) => first.clone(),
            _ => operand.clone(),
        }
    }

    /// What a number of the loop is at most (W1).
    fn largest(&mut self, operand: &Operand) -> Option<Number> {
        let operand = &self.settled(operand);
        let Some(var) = operand.var().filter(|var| self.is_inside(*var)) else { return self.small(operand) };
        if let Some(known) = self.known.get(&var) {
            return known.clone();
        }
        // What is asked for while it is being found has none.
        self.known.insert(var, None);
        let found =
            if self.first.contains_key(&var) { self.largest_param(var) } else { self.largest_of_op(var) };
        self.known.insert(var, found.clone());
        found
    }

    fn largest_of_op(&mut self, var: Var) -> Option<Number> {
        if self.editor.func.ty(var) != Ty::usize() {
            return None;
        }
        let InstKind::Op { op, args } = self.inst(var)?.clone() else { return None };
        if *op == ops::SUB || *op == ops::SUB_WRAPPING {
            let (param, by) = self.step(var).filter(|_| self.next_is(var))?;
            let (largest, bits) = self.largest(&param.into())?;
            let by = usize::try_from(-by).ok()?;
            return Some((self.op(&ops::SUB_WRAPPING, largest, by.into()), bits));
        }
        let sum = *op == ops::ADD || *op == ops::ADD_WRAPPING;
        if !sum && *op != ops::MUL && *op != ops::MUL_WRAPPING {
            return None;
        }
        let ((a, a_bits), (b, b_bits)) = (self.largest(&args[0])?, self.largest(&args[1])?);
        let bits = if sum { a_bits.max(b_bits) + 1 } else { a_bits + b_bits };
        let op = if sum { &ops::ADD_WRAPPING } else { &ops::MUL_WRAPPING };
        (bits < 64).then(|| (self.op(op, a, b), bits))
    }

    /// Whether a variable is what a parameter is in the next round.
    fn next_is(&self, var: Var) -> bool {
        self.step(var).is_some_and(|(param, _)| self.next.get(&param).and_then(Operand::var) == Some(var))
    }

    /// A parameter that goes the same step in each round.
    fn largest_param(&mut self, param: Var) -> Option<Number> {
        let next = self.next.get(&param)?.var().filter(|next| self.next_is(*next))?;
        if self.editor.func.ty(param) != Ty::usize() {
            return None;
        }
        let (_, by) = self.step(next)?;
        let (rounds, bits) = self.rounds.clone()?;
        let first = self.first.get(&param)?.clone();
        let (first, first_bits) = self.small(&first)?;
        let size = usize::try_from(by.abs()).ok()?;
        if by < 0 {
            let way = self.op(&ops::MUL_WRAPPING, rounds, size.into());
            self.ask(&ops::LE, way, first.clone());
            return Some((first, first_bits));
        }
        let steps = self.op(&ops::SUB_WRAPPING, rounds, 1_usize.into());
        let way = self.op(&ops::MUL_WRAPPING, steps, size.into());
        Some((self.op(&ops::ADD_WRAPPING, first, way), (bits + 16).max(first_bits) + 1))
    }

    /// A number from before the loop, held to be small (W1).
    fn small(&mut self, operand: &Operand) -> Option<Number> {
        let operand = &self.settled(operand);
        if let Some(n) = int_of(operand) {
            let bits = 128 - n.leading_zeros();
            return (n >= 0 && bits <= BITS && self.editor.ty(operand) == Ty::usize())
                .then(|| (operand.clone(), bits));
        }
        if operand.var().is_none_or(|var| self.is_inside(var)) || self.editor.ty(operand) != Ty::usize() {
            return None;
        }
        self.ask(&ops::LT, operand.clone(), (1_usize << BITS).into());
        Some((operand.clone(), BITS))
    }

    fn is_inside(&self, var: Var) -> bool {
        self.first.contains_key(&var) || self.insts.contains_key(&var)
    }

    fn inst(&self, var: Var) -> Option<&InstKind> {
        self.insts.get(&var).map(|at| &self.body.insts[*at].kind)
    }

    /// Asks one thing more before the loop.
    fn ask(&mut self, op: &'static OpDef, a: Operand, b: Operand) {
        if !self.asked.insert((op.name, a.clone(), b.clone())) {
            return;
        }
        let holds = self.one(op, vec![a, b], Ty::bool());
        self.holds = Some(match self.holds.take() {
            Some(others) => self.one(&ops::AND, vec![others, holds], Ty::bool()),
            None => holds,
        });
    }

    fn op(&mut self, op: &'static OpDef, a: Operand, b: Operand) -> Operand {
        self.one(op, vec![a, b], Ty::usize())
    }

    fn one(&mut self, op: &'static OpDef, args: Vec<Operand>, ty: Ty) -> Operand {
        let known = self.made.iter().find(
            |inst| matches!(&inst.kind, InstKind::Op { op: of, args: with } if **of == *op && *with == args),
        );
        if let Some(known) = known {
            return known.result.into();
        }
        let span = self.span;
        let mut made = std::mem::take(&mut self.made);
        let var = self.editor.op(&mut made, op, args, ty, span);
        self.made = made;
        var.into()
    }
}
