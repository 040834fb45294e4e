//! Tiering: whether a function is worth compiling, by an estimate of its cost before it runs.
//!
//! Interpreting a step takes tens of nanoseconds, compiling an instruction takes microseconds, and running compiled
//! code is much faster than both (`cargo bench --bench native` prints the break-even). A function is compiled once
//! the steps of its past runs and of the current one, as estimated, are worth its compilation.

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::analysis::{Cfg, Dominators, LoopId, LoopNest};
use overdub_context::ir::{Block, Callee, Func, Inst, InstKind, Module, Operand, TerminatorKind, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

/// The cost of compiling an empty function, in interpreted steps.
const STEPS_PER_FUNCTION: u64 = 20_000;

/// The cost of compiling one instruction, in interpreted steps.
const STEPS_PER_INST: u64 = 150;

/// The trip count of a loop of which nothing is known.
const DEFAULT_TRIP_COUNT: u64 = 8;

/// An upper bound of estimates.
const MANY: u64 = 1 << 40;

/// The cost of compiling a function of this size, in steps.
pub(crate) fn price(size: usize) -> u64 {
    STEPS_PER_FUNCTION.saturating_add(STEPS_PER_INST.saturating_mul(size as u64))
}

/// The number of instructions and terminators.
pub(crate) fn size(func: &Func) -> usize {
    func.blocks.iter().map(|body| body.insts.len() + 1).sum()
}

/// The assumed trip count of loops over these arguments: the length of the longest array or the largest integer.
pub(crate) fn trip_count_of(args: &[Value<'_>]) -> u64 {
    args.iter().map(trip_count_of_value).max().unwrap_or(0).max(DEFAULT_TRIP_COUNT)
}

/// Estimates the steps of a run whose loops have this trip count.
pub(crate) fn steps(module: &Module, func: &Func, trip_count: u64) -> u64 {
    Estimate { module, trip_count, open: HashSet::new() }.func(func)
}

/// The assumed trip count of a loop over a value.
fn trip_count_of_value(value: &Value<'_>) -> u64 {
    match value {
        Value::Array(array) => array.len() as u64,
        Value::Int(int) => u64::try_from(int.value().unsigned_abs()).unwrap_or(MANY).min(MANY),
        Value::Composite(composite) => composite.parts.iter().map(trip_count_of_value).max().unwrap_or(0),
        Value::Closure(closure) => closure.captures.iter().map(trip_count_of_value).max().unwrap_or(0),
        Value::Stack(elems) => elems.len() as u64,
        _ => 0,
    }
}

struct Estimate<'e> {
    module: &'e Module,
    trip_count: u64,
    open: HashSet<Symbol>,
}

impl Estimate<'_> {
    fn func(&mut self, func: &Func) -> u64 {
        // A recursive call is assumed to repeat.
        if !self.open.insert(func.name) {
            return self.trip_count.saturating_mul(DEFAULT_TRIP_COUNT);
        }
        let cfg = Cfg::new(func);
        let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
        let mut steps: u64 = 0;
        let mut times = self.trip_counts(func, &cfg, &nest);
        // A loop has a smaller index than the loop around it, so outer loops are visited first.
        for id in (0..times.len()).rev() {
            let outer_times =
                nest.get(LoopId(id as u32)).parent.map_or(1, |LoopId(outer)| times[outer as usize]);
            times[id] = times[id].saturating_mul(outer_times).min(MANY);
        }
        for (block, body) in func.iter_blocks() {
            let mut block_steps = body.insts.len() as u64 + 1;
            for inst in &body.insts {
                block_steps = block_steps.saturating_add(self.callee(func, &inst.kind));
            }
            let times = nest.innermost(block).map_or(1, |LoopId(id)| times[id as usize]);
            steps = steps.saturating_add(block_steps.saturating_mul(times));
        }
        self.open.remove(&func.name);
        steps.min(MANY)
    }

    /// The trip count of each loop: that implied by the arguments, unless an exit condition bounds it.
    fn trip_counts(&self, func: &Func, cfg: &Cfg, nest: &LoopNest) -> Vec<u64> {
        let mut counts = vec![self.trip_count; nest.iter().count()];
        for &block in cfg.reverse_postorder().iter().filter(|block| nest.innermost(**block).is_some()) {
            let Some(of_exit) = trip_count_of_exit(func, block) else { continue };
            let mut current = nest.innermost(block);
            while let Some(id) = current
                && cfg.succs(block).iter().any(|&succ| !nest.contains(id, succ))
            {
                let known = &mut counts[id.0 as usize];
                *known = of_exit.min(*known).max(1);
                current = nest.get(id).parent;
            }
        }
        counts
    }

    /// The steps of a callee; only functions that are already loaded are estimated.
    fn callee(&mut self, func: &Func, kind: &InstKind) -> u64 {
        /// The depth up to which calls are followed.
        const DEEP: usize = 4;
        let (InstKind::Call { callee, .. } | InstKind::Overdub { callee, .. }) = kind else { return 0 };
        let name = match callee {
            Callee::Func(name) => Some(*name),
            Callee::Value(value) => value.var().and_then(|var| match func.ty(var).kind() {
                TyKind::Closure(closure) => Some(closure.code),
                _ => None,
            }),
        };
        if self.open.len() >= DEEP {
            return DEFAULT_TRIP_COUNT;
        }
        name.and_then(|name| self.module.defined(name))
            .map_or(DEFAULT_TRIP_COUNT, |callee| self.func(&callee))
    }
}

/// The trip count that an exit condition implies by itself: a small default for a comparison of floats, the
/// constant for a comparison with a constant integer.
fn trip_count_of_exit(func: &Func, block: Block) -> Option<u64> {
    let body = func.block(block);
    let TerminatorKind::BrIf { cond: Operand::Var(cond), .. } = &body.terminator.as_ref()?.kind else {
        return None;
    };
    let comparison = body.insts.iter().find(|inst| inst.result == *cond);
    let Some(Inst { kind: InstKind::Op { op, args }, .. }) = comparison else { return None };
    const COMPARISONS: &[&OpDef] = &[&ops::LT, &ops::LE, &ops::GT, &ops::GE, &ops::NE, &ops::EQ];
    if !COMPARISONS.contains(op) {
        return None;
    }
    let is_float = |operand: &Operand| match operand {
        Operand::Var(var) => matches!(func.ty(*var).kind(), TyKind::Float(_)),
        Operand::Const(constant) => matches!(constant.value(), Value::F64(_) | Value::F32(_)),
    };
    if args.iter().any(is_float) {
        return Some(DEFAULT_TRIP_COUNT);
    }
    // A comparison with 0, or for equality, implies no trip count.
    let limit = args.iter().filter_map(Operand::constant).find_map(|limit| limit.value().as_int());
    let limit = limit.filter(|(_, n)| *n > 1 && **op != ops::EQ)?;
    u64::try_from(limit.1).ok()
}

#[cfg(test)]
mod tests {
    use overdub_context::{text, value::Value};

    use super::{steps, trip_count_of};

    #[test]
    fn a_loop_that_floats_end_is_not_thought_to_run_as_often_as_the_arguments_say() {
        let source = "fn @f(%n: usize) -> f64 {
            br ^outer(0_usize, 1.0)
          ^outer(%i: usize, %x: f64):
            %c: bool = lt %i, %n
            br_if %c, ^inner(%x), ^done
          ^inner(%y: f64):
            %z: f64 = mul %y, 0.5
            %d: bool = gt %z, 0.1
            br_if %d, ^inner(%z), ^next
          ^next:
            %j: usize = add %i, 1_usize
            br ^outer(%j, %z)
          ^done:
            ret %x
        }";
        let module = text::parse(source).expect("it is a function").module();
        let func = module.func("f".into()).expect("it is defined").expect("there is one");
        let of = |n: usize| steps(&module, &func, trip_count_of(&[Value::from(n)]));
        assert!(of(1000) < 50 * 1000, "{}", of(1000));
        assert!(of(1000) > 10 * 1000, "{}", of(1000));
    }
}
