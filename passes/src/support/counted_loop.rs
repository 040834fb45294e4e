//! Loops that count up to a bound, or down to zero.

use overdub_context::analysis::{Cfg, Defs, Loop, LoopId, LoopNest};
use overdub_context::ir::{Block, Func, InstKind, Operand, TerminatorKind, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

/// A loop that is left only when its counter reaches a bound.
pub(crate) struct CountedLoop {
    pub(crate) id: LoopId,
    /// The counter, its first value, and the bound.
    pub(crate) var: Var,
    pub(crate) from: Operand,
    pub(crate) bound: Operand,
    /// Where the loop continues when it is left.
    pub(crate) exit: Block,
}

/// The test by which alone a loop is left, in its header.
struct HeaderTest<'f> {
    op: &'static OpDef,
    args: &'f [Operand],
    enters_first: bool,
    exit: Block,
}

fn header_test<'f>(
    func: &'f Func,
    (cfg, loops, defs): (&Cfg, &LoopNest, &Defs),
    id: LoopId,
    header: Block,
) -> Option<HeaderTest<'f>> {
    if !loops.exits(cfg, id).iter().all(|(from, _)| *from == header) {
        return None;
    }
    let end = func.block(header).terminator.as_ref()?;
    let TerminatorKind::BrIf { cond, then, otherwise } = &end.kind else { return None };
    let enters_first = loops.contains(id, then.block);
    if enters_first == loops.contains(id, otherwise.block) {
        return None;
    }
    let InstKind::Op { op, args } = defs.inst(func, cond)? else { return None };
    let exit = if enters_first { otherwise.block } else { then.block };
    Some(HeaderTest { op, args, enters_first, exit })
}

impl<'f> HeaderTest<'f> {
    /// The number that has to be less than another for a round, and that one.
    fn less(&self) -> Option<(&'f Operand, &'f Operand)> {
        let [a, b] = self.args else { return None };
        match (self.enters_first, self.op) {
            (true, op) if *op == ops::LT => Some((a, b)),
            (true, op) if *op == ops::GT => Some((b, a)),
            (false, op) if *op == ops::GE => Some((a, b)),
            (false, op) if *op == ops::LE => Some((b, a)),
            _ => None,
        }
    }

    /// The number that has to be positive for a round.
    fn positive(&self) -> Option<&'f Operand> {
        let [a, b] = self.args else { return None };
        let differs = if self.enters_first { &ops::NE } else { &ops::EQ };
        match (self.less(), constant(a), constant(b)) {
            (Some((zero, number)), ..) => (constant(zero) == Some(0)).then_some(number),
            (None, _, Some(0)) if self.op == differs => Some(a),
            (None, Some(0), _) if self.op == differs => Some(b),
            _ => None,
        }
    }
}

/// The first value of a parameter of a header, to which each round passes itself by one of these operations with one.
fn first_value(
    func: &Func,
    (cfg, loops, defs): (&Cfg, &LoopNest, &Defs),
    (id, header): (LoopId, Block),
    var: Var,
    steps: [&OpDef; 2],
) -> Option<Operand> {
    let at = func.block(header).params.iter().position(|param| *param == var)?;
    let is_step = |next: &Operand| match defs.inst(func, next) {
        Some(InstKind::Op { op, args }) => {
            steps.contains(op) && args[0].var() == Some(var) && constant(&args[1]) == Some(1)
        }
        _ => false,
    };
    let mut from: Option<Operand> = None;
    for &pred in cfg.preds(header) {
        let end = func.block(pred).terminator.as_ref()?;
        for target in end.kind.targets().filter(|target| target.block == header) {
            let arg = &target.args[at];
            let is_next = loops.contains(id, pred) && is_step(arg);
            let is_first = !loops.contains(id, pred) && *from.get_or_insert_with(|| arg.clone()) == *arg;
            if !is_next && !is_first {
                return None;
            }
        }
    }
    from
}

/// A loop as one that is counted: its counter has no sign, starts at a number, and grows by one while it is less than a bound that does
/// not change; the loop is left by that test alone.
pub(crate) fn counted(
    func: &Func,
    analyses: (&Cfg, &LoopNest, &Defs),
    id: LoopId,
    of: &Loop,
) -> Option<CountedLoop> {
    counted_by(func, analyses, (id, of.header), |ty| ty == Ty::usize())
}

/// As [`counted`], by a counter of any type of integers.
pub(crate) fn counted_by_integer(
    func: &Func,
    analyses: (&Cfg, &LoopNest, &Defs),
    id: LoopId,
    of: &Loop,
) -> Option<CountedLoop> {
    counted_by(func, analyses, (id, of.header), |ty| matches!(ty.kind(), TyKind::Int(_)))
}

fn counted_by(
    func: &Func,
    analyses: (&Cfg, &LoopNest, &Defs),
    (id, header): (LoopId, Block),
    is_counter: impl Fn(Ty) -> bool,
) -> Option<CountedLoop> {
    let (_, loops, defs) = analyses;
    let test = header_test(func, analyses, id, header)?;
    let (counter, bound) = test.less()?;
    let var = counter.var().filter(|var| is_counter(func.ty(*var)))?;
    let is_inside = |var: Var| defs.block(var).is_some_and(|block| loops.contains(id, block));
    if bound.var().is_some_and(is_inside) {
        return None;
    }
    let from = first_value(func, analyses, (id, header), var, [&ops::ADD, &ops::ADD_WRAPPING])?;
    Some(CountedLoop { id, var, from, bound: bound.clone(), exit: test.exit })
}

/// The counter of a loop that it reduces by one while it is positive, and by whose test alone it is left: afterwards it is zero.
pub(crate) fn counted_down(
    func: &Func,
    analyses: (&Cfg, &LoopNest, &Defs),
    id: LoopId,
    of: &Loop,
) -> Option<Var> {
    let test = header_test(func, analyses, id, of.header)?;
    let var = test.positive()?.var().filter(|var| func.ty(*var) == Ty::usize())?;
    first_value(func, analyses, (id, of.header), var, [&ops::SUB, &ops::SUB_WRAPPING])?;
    Some(var)
}

/// The value of a constant that is a number of elements or rounds.
pub(crate) fn constant(operand: &Operand) -> Option<usize> {
    match operand {
        Operand::Const(constant) => constant.value().as_index(),
        Operand::Var(_) => None,
    }
}
