//! Functions of two 8-bit integers that are a single path: sums, comparisons that have to hold, and sums at
//! the end.
//!
//! Each sum fails where it overflows. A sum that a pass makes wrapping must not overflow on any input that reaches it.

use overdub_context::ir::{Const, Func, FuncBuilder, InstKind, IntTy, Operand, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;
use overdub_passes::{Scope, by_name};

/// An operand of a sum or a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Term {
    X,
    Y,
    /// The result of the step of this index.
    Step(usize),
    Is(i32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sum {
    Add,
    Sub,
    /// A wrapping subtraction.
    SubWrapping,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cmp {
    Lt,
    Le,
    Gt,
    Ge,
}

pub(crate) const COMPARISONS: [Cmp; 4] = [Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge];

/// A step of the path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Sum(Sum, Term, Term),
    /// The result of the comparison with which the path continues.
    Holds(Cmp, Term, Term, bool),
}

/// A path, followed by independent sums.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) int: IntTy,
    pub(crate) steps: Vec<Step>,
    pub(crate) claims: Vec<(Sum, Term, Term)>,
}

/// The minimum and the maximum of an 8-bit type.
pub(crate) fn range(int: IntTy) -> std::ops::RangeInclusive<i32> {
    if int.is_signed() { i8::MIN.into()..=i8::MAX.into() } else { 0..=u8::MAX.into() }
}

impl Sum {
    fn op(self) -> &'static OpDef {
        match self {
            Sum::Add => &ops::ADD,
            Sum::Sub => &ops::SUB,
            Sum::SubWrapping => &ops::SUB_WRAPPING,
        }
    }

    /// The exact result, wrapped for wrapping operations.
    fn of(self, int: IntTy, a: i32, b: i32) -> i32 {
        match self {
            Sum::Add => a + b,
            Sum::Sub => a - b,
            Sum::SubWrapping if int.is_signed() => (a as i8).wrapping_sub(b as i8).into(),
            Sum::SubWrapping => (a as u8).wrapping_sub(b as u8).into(),
        }
    }
}

impl Cmp {
    fn op(self) -> &'static OpDef {
        match self {
            Cmp::Lt => &ops::LT,
            Cmp::Le => &ops::LE,
            Cmp::Gt => &ops::GT,
            Cmp::Ge => &ops::GE,
        }
    }

    fn of(self, a: i32, b: i32) -> bool {
        match self {
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
        }
    }
}

impl Path {
    /// The path as a function: a block after each comparison, and a common one where any comparison fails.
    fn func(&self) -> Func {
        let ty = Ty::int(self.int);
        let mut build = FuncBuilder::new("f", ty);
        let [x, y] = ["x", "y"].map(|name| Operand::from(build.param(name, ty)));
        let out = build.new_block();
        let mut steps: Vec<Operand> = Vec::new();
        let constant = |n: i32| {
            Operand::Const(Const::new(Value::int(self.int, n.into())).expect("an integer is a constant"))
        };
        let term = |steps: &[Operand], term: Term| match term {
            Term::X => x.clone(),
            Term::Y => y.clone(),
            Term::Step(k) => steps[k].clone(),
            Term::Is(n) => constant(n),
        };
        for step in &self.steps {
            let computed: Operand = match *step {
                Step::Sum(sum, a, b) => build
                    .op(sum.op(), [term(&steps, a), term(&steps, b)])
                    .expect("they are of one type")
                    .into(),
                Step::Holds(cmp, a, b, holds) => {
                    let cond =
                        build.op(cmp.op(), [term(&steps, a), term(&steps, b)]).expect("they are of one type");
                    let next = build.new_block();
                    let (then, otherwise) = if holds { (next, out) } else { (out, next) };
                    build.br_if(cond, then.into(), otherwise.into()).expect("the block is open");
                    build.switch_to(next).expect("it is a new one");
                    cond.into()
                }
            };
            steps.push(computed);
        }
        for &(sum, a, b) in &self.claims {
            build.op(sum.op(), [term(&steps, a), term(&steps, b)]).expect("they are of one type");
        }
        build.ret(constant(0)).expect("the block is open");
        build.switch_to(out).expect("it is a new one");
        build.ret(constant(1)).expect("the block is open");
        build.finish().expect("all blocks end")
    }

    fn has_y(&self) -> bool {
        let steps = self.steps.iter().map(|step| match *step {
            Step::Sum(_, a, b) | Step::Holds(_, a, b, _) => [a, b],
        });
        let claims = self.claims.iter().map(|&(_, a, b)| [a, b]);
        steps.chain(claims).flatten().any(|term| matches!(term, Term::Y))
    }

    /// The sums that `overflow_check_elim` makes wrapping, in order.
    fn wrapping(&self) -> Vec<bool> {
        let func = by_name("overflow_check_elim").expect("it is a pass").apply(&self.func(), &Scope::none());
        let ops = func.blocks.iter().flat_map(|body| &body.insts).filter_map(|inst| match &inst.kind {
            InstKind::Op { op, .. } => Some(*op),
            _ => None,
        });
        let is_sum =
            |op: &&OpDef| [&ops::ADD, &ops::SUB, &ops::ADD_WRAPPING, &ops::SUB_WRAPPING].contains(op);
        ops.filter(is_sum).map(|op| *op == ops::ADD_WRAPPING || *op == ops::SUB_WRAPPING).collect()
    }

    /// Tries all pairs of inputs if a sum became wrapping; returns the number of wrapping sums.
    pub(crate) fn check(&self) -> usize {
        let wrapping = self.wrapping();
        let sums = self.steps.iter().filter(|step| matches!(step, Step::Sum(..))).count();
        assert_eq!(wrapping.len(), sums + self.claims.len(), "{self:?}");
        let asked = self.steps.iter().filter(|step| matches!(step, Step::Sum(Sum::SubWrapping, ..))).count();
        let freed = wrapping.iter().filter(|wraps| **wraps).count() - asked;
        if freed > 0 {
            let all = range(self.int);
            let ys = if self.has_y() { all.clone() } else { 0..=0 };
            all.for_each(|x| ys.clone().for_each(|y| self.check_at(x, y, &wrapping)));
        }
        freed
    }

    fn check_at(&self, x: i32, y: i32, wrapping: &[bool]) {
        let mut known = [0; 8];
        let mut nth_sum = 0;
        let value = |known: &[i32; 8], term: Term| match term {
            Term::X => x,
            Term::Y => y,
            Term::Step(k) => known[k],
            Term::Is(n) => n,
        };
        let all = range(self.int);
        for (k, step) in self.steps.iter().enumerate() {
            match *step {
                Step::Sum(sum, a, b) => {
                    known[k] = sum.of(self.int, value(&known, a), value(&known, b));
                    let fits = all.contains(&known[k]);
                    assert!(fits || !wrapping[nth_sum], "{self:?}: step {k} overflows for {x} and {y}");
                    if !fits {
                        return;
                    }
                    nth_sum += 1;
                }
                Step::Holds(cmp, a, b, holds) => {
                    if cmp.of(value(&known, a), value(&known, b)) != holds {
                        return;
                    }
                }
            }
        }
        for (&(sum, a, b), _) in self.claims.iter().zip(&wrapping[nth_sum..]).filter(|(_, wraps)| **wraps) {
            let exact = sum.of(self.int, value(&known, a), value(&known, b));
            assert!(all.contains(&exact), "{self:?}: {sum:?} of {a:?} and {b:?} overflows for {x} and {y}");
        }
    }
}
