//! Finds loops whose exit test compares an induction variable with an invariant bound: the test can also
//! check the fuel.
//!
//! - INDUCT1 the variable changes by 1 or by -1 in each iteration, or is a 64-bit integer to which a loop-invariant stride
//!   is added, and the bound is loop-invariant.
//! - INDUCT2 every iteration makes the test: in the header, before any other branch, or in the only latch.
//! - INDUCT3 the loop is innermost, contains no calls of functions, and is entered through its header only.

use cranelift_codegen::ir::condcodes::{CondCode as _, IntCC};
use cranelift_codegen::ir::{self, types};
use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, Loop, LoopId, LoopNest};
use overdub_context::ir::{
    Block, Func, Inst, InstKind, IntTy, Operand, Position, TerminatorKind, TyKind, Var,
};
use overdub_context::ops::{self, OpDef};

/// The block in which a loop makes its exit test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TestPosition {
    /// The header: the test belongs to the iteration that it decides about.
    Header,
    /// The latch: the test decides about the next iteration.
    Latch,
}

/// How the induction variable approaches the bound, which determines the comparison with a limit before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Approach {
    /// It rises: the loop continues while it is less.
    Rising,
    /// It falls: the loop continues while it is greater.
    Falling,
    /// It rises or falls: the loop continues while it differs.
    Equality,
}

/// What an iteration adds to the induction variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum InductionStride {
    /// 1 or -1.
    Unit(i64),
    /// A loop-invariant number.
    Stride(Operand),
}

/// The exit test of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ExitTest {
    pub(super) header: Block,
    /// The block whose terminator is the test.
    pub(super) at: Block,
    pub(super) tested: TestPosition,
    /// The position of the induction variable among the parameters of the header.
    pub(super) param: usize,
    pub(super) ty: IntTy,
    pub(super) step: InductionStride,
    /// The variable that is compared: the induction variable, or its value in the next iteration.
    pub(super) compared: Var,
    /// Whether that is its value in the next iteration.
    pub(super) is_next: bool,
    pub(super) bound: Operand,
    /// The comparison with the bound that holds while the loop continues.
    pub(super) continues_if: IntCC,
    pub(super) approach: Approach,
}

impl ExitTest {
    /// The Cranelift type of the induction variable.
    pub(super) fn register(&self) -> ir::Type {
        if self.ty.bits() == 32 { types::I32 } else { types::I64 }
    }
}

/// The exit tests of the loops of a function that have one (INDUCT1–3).
pub(super) fn find(func: &Func, cfg: &Cfg, nest: &LoopNest) -> Vec<ExitTest> {
    if nest.iter().next().is_none() || !nest.irreducible().is_empty() {
        return Vec::new();
    }
    let outer: HashSet<LoopId> = nest.iter().filter_map(|(_, this)| this.parent).collect();
    let mut calling = HashSet::new();
    for (block, body) in func.iter_blocks() {
        let calls = |inst: &Inst| matches!(inst.kind, InstKind::Call { .. } | InstKind::Overdub { .. });
        if body.insts.iter().any(calls) {
            calling.extend(nest.innermost(block));
        }
    }
    let finder = Finder { func, nest, places: func.definitions() };
    let innermost = nest.iter().filter(|(id, this)| {
        let is_entered_once = this.header != Block::ENTRY && cfg.is_reachable(this.header);
        is_entered_once && !outer.contains(id) && !calling.contains(id)
    });
    innermost.filter_map(|(id, this)| finder.exit_test(id, this)).collect()
}

/// The variable that an exit test compares: an induction variable, or its value in the next iteration.
struct ComparedVar {
    var: Var,
    param: usize,
    step: InductionStride,
    is_next: bool,
}

/// The induction variables of a loop: the position among the header's parameters, and the step.
type Inductions = HashMap<Var, (usize, InductionStride)>;

struct Finder<'f> {
    func: &'f Func,
    nest: &'f LoopNest,
    places: Vec<Option<Position>>,
}

impl Finder<'_> {
    fn exit_test(&self, id: LoopId, this: &Loop) -> Option<ExitTest> {
        let inductions = self.inductions(id, this);
        let at_latch = match this.latches[..] {
            [latch] => self.test(id, this.header, latch, TestPosition::Latch, &inductions),
            _ => None,
        };
        at_latch.or_else(|| self.test(id, this.header, this.header, TestPosition::Header, &inductions))
    }

    /// The parameters of a header to which each iteration adds the same.
    fn inductions(&self, id: LoopId, this: &Loop) -> Inductions {
        let params = self.func.block(this.header).params.iter().enumerate();
        let of_param = |(at, &param): (usize, &Var)| {
            let steps = this.latches.iter().flat_map(|latch| {
                let end = self.func.block(*latch).terminator.as_ref();
                end.into_iter().flat_map(|end| end.kind.targets()).filter(|to| to.block == this.header)
            });
            let mut steps = steps.map(|target| self.step_from(id, param, target.args.get(at)?.var()?));
            let step = steps.next()??;
            steps.all(|other| other.as_ref() == Some(&step)).then_some((param, (at, step)))
        };
        params.filter_map(of_param).collect()
    }

    /// The difference of a variable of the loop to `from`, if it is a step.
    fn step_from(&self, id: LoopId, from: Var, var: Var) -> Option<InductionStride> {
        let (block, inst) = self.defining_inst(var)?;
        let InstKind::Op { op, args } = &inst.kind else { return None };
        let [x, y] = &args[..] else { return None };
        let adds = is_one_of(op, [&ops::ADD, &ops::ADD_WRAPPING]);
        let subtracts = is_one_of(op, [&ops::SUB, &ops::SUB_WRAPPING]);
        let (x, y) = if adds && x.var() != Some(from) { (y, x) } else { (x, y) };
        if x.var() != Some(from) || !self.nest.contains(id, block) {
            return None;
        }
        match y.constant().and_then(|number| number.value().as_int()) {
            Some((_, 1)) if adds => Some(InductionStride::Unit(1)),
            Some((_, 1)) if subtracts => Some(InductionStride::Unit(-1)),
            Some((_, -1)) if adds => Some(InductionStride::Unit(-1)),
            _ if adds && matches!(self.func.ty(from).kind(), TyKind::Int(ty) if ty.bits() == 64) => {
                Some(InductionStride::Stride(self.invariant(id, y)?))
            }
            _ => None,
        }
    }

    fn defining_inst(&self, var: Var) -> Option<(Block, &Inst)> {
        match self.places.get(var.index()).copied().flatten()? {
            Position::Inst(block, at) => Some((block, &self.func.block(block).insts[at])),
            _ => None,
        }
    }

    /// The test at the end of a block, if it is one between an induction variable and a bound.
    fn test(
        &self,
        id: LoopId,
        header: Block,
        at: Block,
        tested: TestPosition,
        inductions: &Inductions,
    ) -> Option<ExitTest> {
        let kind = &self.func.block(at).terminator.as_ref()?.kind;
        let TerminatorKind::BrIf { cond, then, otherwise } = kind else { return None };
        let [then_in_loop, otherwise_in_loop] =
            [then, otherwise].map(|target| self.nest.contains(id, target.block));
        let is_latch = then.block == header || otherwise.block == header;
        if then_in_loop == otherwise_in_loop || is_latch != (tested == TestPosition::Latch) {
            return None;
        }
        let (_, inst) = self.defining_inst(cond.var()?)?;
        let InstKind::Op { op, args } = &inst.kind else { return None };
        let [x, y] = &args[..] else { return None };
        let found = |operand: &Operand, bound: &Operand| {
            Some((self.compared(id, operand, inductions)?, self.invariant(id, bound)?))
        };
        let ((ComparedVar { var: compared, param, step, is_next }, bound), is_swapped) =
            found(x, y).map(|found| (found, false)).or_else(|| Some((found(y, x)?, true)))?;
        let TyKind::Int(ty) = *self.func.ty(compared).kind() else { return None };
        let cond = comparison(op, ty)?;
        let cond = if is_swapped { cond.swap_args() } else { cond };
        let continues_if = if then_in_loop { cond } else { cond.complement() };
        let approach = approach(continues_if, &step)?;
        // Code after a test in the header may set a limit at which the next test has to fail. This requires a
        // strict order: after `i != n` the next value also differs from a limit that it has passed, and after
        // `i <= n` it may wrap to a value before the limit.
        let is_strict =
            matches!(continues_if.unsigned(), IntCC::UnsignedLessThan | IntCC::UnsignedGreaterThan);
        let is_strided = matches!(step, InductionStride::Stride(_));
        if tested == TestPosition::Header && (is_strided || !is_strict) {
            return None;
        }
        Some(ExitTest {
            header,
            at,
            tested,
            param,
            ty,
            step,
            compared,
            is_next,
            bound,
            continues_if,
            approach,
        })
    }

    /// The induction variable that an operand is, or whose next value it is.
    fn compared(&self, id: LoopId, operand: &Operand, inductions: &Inductions) -> Option<ComparedVar> {
        let var = operand.var()?;
        if let Some((param, step)) = inductions.get(&var) {
            return Some(ComparedVar { var, param: *param, step: step.clone(), is_next: false });
        }
        let is_next = |(from, (_, step)): &(&Var, &(usize, InductionStride))| {
            self.step_from(id, **from, var).as_ref() == Some(step)
        };
        // The instruction that defines `var` adds to one variable, so at most one matches.
        let (_, (param, step)) = inductions.iter().find(is_next)?;
        Some(ComparedVar { var, param: *param, step: step.clone(), is_next: true })
    }

    /// The operand, if it is loop-invariant.
    fn invariant(&self, id: LoopId, operand: &Operand) -> Option<Operand> {
        let is_before = match operand {
            Operand::Const(_) => true,
            Operand::Var(var) => match self.places.get(var.index()).copied().flatten()? {
                Position::Head => true,
                Position::Block(block) | Position::Inst(block, _) => !self.nest.contains(id, block),
                Position::Terminator(_) => false,
            },
        };
        is_before.then(|| operand.clone())
    }
}

fn is_one_of<const N: usize>(op: &OpDef, ops: [&OpDef; N]) -> bool {
    ops.contains(&op)
}

/// A comparison of integers of 32 or 64 bits.
fn comparison(op: &OpDef, ty: IntTy) -> Option<IntCC> {
    if !matches!(ty.bits(), 32 | 64) {
        return None;
    }
    let signed = [
        (&ops::EQ, IntCC::Equal),
        (&ops::NE, IntCC::NotEqual),
        (&ops::LT, IntCC::SignedLessThan),
        (&ops::LE, IntCC::SignedLessThanOrEqual),
        (&ops::GT, IntCC::SignedGreaterThan),
        (&ops::GE, IntCC::SignedGreaterThanOrEqual),
    ];
    let (_, cond) = signed.into_iter().find(|(known, _)| *known == op)?;
    Some(if ty.is_signed() { cond } else { cond.unsigned() })
}

/// How a variable that changes by `step` approaches its bound, if the loop continues while `continues_if` holds.
fn approach(continues_if: IntCC, step: &InductionStride) -> Option<Approach> {
    use IntCC::*;
    let sign = match step {
        InductionStride::Unit(step) => *step,
        // A stride that is not positive makes every iteration check (MERGE4).
        InductionStride::Stride(_) if matches!(continues_if, NotEqual) => return None,
        InductionStride::Stride(_) => 1,
    };
    match (continues_if, sign) {
        (SignedLessThan | SignedLessThanOrEqual | UnsignedLessThan | UnsignedLessThanOrEqual, 1) => {
            Some(Approach::Rising)
        }
        (
            SignedGreaterThan | SignedGreaterThanOrEqual | UnsignedGreaterThan | UnsignedGreaterThanOrEqual,
            -1,
        ) => Some(Approach::Falling),
        (NotEqual, _) => Some(Approach::Equality),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use overdub_context::analysis::Dominators;
    use overdub_context::{Symbol, text};

    use super::*;

    fn tests_of(text: &str) -> Vec<ExitTest> {
        let module = text::parse(text).expect("it is well formed").module();
        let func = module.func(Symbol::new("f")).expect("nothing is loaded").expect("it is there");
        let cfg = Cfg::new(&func);
        find(&func, &cfg, &LoopNest::new(&cfg, &Dominators::new(&cfg)))
    }

    /// A loop that tests in its latch.
    fn at_latch(body: &str, end: &str) -> Vec<ExitTest> {
        tests_of(&format!(
            "fn @f(%n: usize, %k: usize) -> usize {{
  br ^loop(0_usize)
^loop(%i: usize):
  {body}
  {end}
^done:
  ret %i
}}"
        ))
    }

    #[test]
    fn a_test_behind_each_round_decides_on_the_next_one() {
        let rises = "%j: usize = add.wrapping %i, 1_usize\n  %c: bool = lt %j, %n";
        let found = at_latch(rises, "br_if %c, ^loop(%j), ^done");
        let [test] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            (test.tested, &test.step, test.is_next, test.approach),
            (TestPosition::Latch, &InductionStride::Unit(1), true, Approach::Rising)
        );
        assert_eq!(test.continues_if, IntCC::UnsignedLessThan);
        let falls = "%j: usize = sub %i, 1_usize\n  %c: bool = eq 0_usize, %j";
        let found = at_latch(falls, "br_if %c, ^done, ^loop(%j)");
        let [test] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            (&test.step, test.approach, test.continues_if),
            (&InductionStride::Unit(-1), Approach::Equality, IntCC::NotEqual)
        );
    }

    #[test]
    fn a_test_at_the_header_decides_on_its_own_round() {
        let text = "fn @f(%n: i32) -> i32 {
  br ^loop(0_i32)
^loop(%i: i32):
  %c: bool = ge %i, %n
  br_if %c, ^done, ^round
^round:
  %j: i32 = add %i, 1_i32
  %even: bool = eq %j, 7_i32
  br_if %even, ^loop(%j), ^other
^other:
  br ^loop(%j)
^done:
  ret %i
}";
        let found = tests_of(text);
        let [test] = &found[..] else { panic!("{found:?}") };
        assert_eq!((test.tested, test.is_next, test.register()), (TestPosition::Header, false, types::I32));
        assert_eq!((test.continues_if, test.approach), (IntCC::SignedLessThan, Approach::Rising));
        assert!(tests_of(&text.replace("ge %i, %n", "gt %i, %n")).is_empty(), "`<=` may wrap");
        assert!(tests_of(&text.replace("br ^loop(%j)", "br ^loop(%i)")).is_empty());
        assert!(tests_of(&text.replace("add %i, 1", "add %i, 2")).is_empty());
    }

    #[test]
    fn what_changes_in_the_loop_is_no_bound() {
        let moves = "%j: usize = add.wrapping %i, 1_usize\n  %m: usize = add.wrapping %n, %i
  %c: bool = lt %j, %m";
        assert!(at_latch(moves, "br_if %c, ^loop(%j), ^done").is_empty());
        let grows = "%s: usize = add.wrapping %i, %k\n  %j: usize = add %i, %s\n  %c: bool = lt %j, %n";
        assert!(at_latch(grows, "br_if %c, ^loop(%j), ^done").is_empty());
        let body = "%j: usize = add.wrapping %i, 1_usize\n  %c: bool = gt %j, %n";
        assert!(at_latch(body, "br_if %c, ^loop(%j), ^done").is_empty());
    }

    #[test]
    fn a_stride_is_added_before_a_test_at_the_latch() {
        for (add, stride) in
            [("add %i, %k", "%k"), ("add.wrapping %k, %i", "%k"), ("add %i, 3_usize", "3_usize")]
        {
            let strides = format!("%j: usize = {add}\n  %c: bool = lt %j, %n");
            let found = at_latch(&strides, "br_if %c, ^loop(%j), ^done");
            let [
                ExitTest {
                    step: InductionStride::Stride(found),
                    is_next: true,
                    approach: Approach::Rising,
                    ..
                },
            ] = &found[..]
            else {
                panic!("{add}: {found:?}")
            };
            assert_eq!(found.constant().map_or("%k", |_| "3_usize"), stride);
            let differs = strides.replace("lt", "ne");
            assert!(at_latch(&differs, "br_if %c, ^loop(%j), ^done").is_empty());
        }
    }

    #[test]
    fn loops_that_call_count_each_round() {
        let calls =
            "%j: usize = add.wrapping %i, 1_usize\n  %y: usize = call @f(%j, %k)\n  %c: bool = lt %j, %n";
        assert!(at_latch(calls, "br_if %c, ^loop(%j), ^done").is_empty());
    }
}
