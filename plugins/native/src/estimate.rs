//! Whether a function is worth compiling: what a run of it takes, before it runs.
//!
//! Interpreting a step takes some tens of nanoseconds, compiling an instruction some microseconds, and a run of compiled
//! code next to nothing (`cargo bench --bench native` prints where they meet). So a function is compiled once the
//! steps that its runs have taken, and the run at hand is thought to take, are worth what compiling it takes.

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Callee, Func, InstKind, Module, TyKind};
use overdub_context::value::Value;

/// Interpreted steps that take as long as compiling a function without any instructions.
const STEPS_PER_FUNCTION: u64 = 20_000;

/// Interpreted steps that take as long as compiling one instruction.
const STEPS_PER_INST: u64 = 150;

/// How often a loop runs of which nothing is known.
const ROUNDS: u64 = 8;

/// More steps than anybody waits for.
const MANY: u64 = 1 << 40;

/// The steps that pay for compiling a function of this size.
pub(crate) fn price(size: usize) -> u64 {
    STEPS_PER_FUNCTION.saturating_add(STEPS_PER_INST.saturating_mul(size as u64))
}

/// The number of instructions and terminators.
pub(crate) fn size(func: &Func) -> usize {
    func.blocks.iter().map(|body| body.insts.len() + 1).sum()
}

/// How often loops run that these arguments decide: as often as the longest array or the largest integer says.
pub(crate) fn rounds_of(args: &[Value<'_>]) -> u64 {
    args.iter().map(rounds).max().unwrap_or(0).max(ROUNDS)
}

/// How many steps a run takes, roughly, whose loops run so often.
pub(crate) fn steps(module: &Module, func: &Func, rounds: u64) -> u64 {
    Estimate { module, rounds, open: HashSet::new() }.func(func)
}

/// How often a loop over a value runs.
fn rounds(value: &Value<'_>) -> u64 {
    match value {
        Value::Array(array) => array.len() as u64,
        Value::Int(int) => u64::try_from(int.value().unsigned_abs()).unwrap_or(MANY).min(MANY),
        Value::Composite(composite) => composite.parts.iter().map(rounds).max().unwrap_or(0),
        Value::Closure(closure) => closure.captures.iter().map(rounds).max().unwrap_or(0),
        Value::Stack(elems) => elems.len() as u64,
        _ => 0,
    }
}

struct Estimate<'e> {
    module: &'e Module,
    rounds: u64,
    open: HashSet<Symbol>,
}

impl Estimate<'_> {
    fn func(&mut self, func: &Func) -> u64 {
        // What calls itself may do so often.
        if !self.open.insert(func.name) {
            return self.rounds.saturating_mul(ROUNDS);
        }
        let cfg = Cfg::new(func);
        let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
        let mut steps: u64 = 0;
        for (block, body) in func.iter_blocks() {
            let mut own = body.insts.len() as u64 + 1;
            for inst in &body.insts {
                own = own.saturating_add(self.callee(func, &inst.kind));
            }
            let times =
                (0..nest.depth(block).min(8)).fold(1_u64, |times, _| times.saturating_mul(self.rounds));
            steps = steps.saturating_add(own.saturating_mul(times));
        }
        self.open.remove(&func.name);
        steps.min(MANY)
    }

    /// The steps of what is called; only functions that are loaded already are looked into.
    fn callee(&mut self, func: &Func, kind: &InstKind) -> u64 {
        /// Calls are followed so far.
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
            return ROUNDS;
        }
        name.and_then(|name| self.module.defined(name)).map_or(ROUNDS, |callee| self.func(&callee))
    }
}
