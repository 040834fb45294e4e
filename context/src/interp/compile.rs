//! Compiles functions to the interpreter's steps: last uses move operands, and edges drop dead values.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::code::{Arg, Args, CalleeCode, Code, CodeStep, Edge, Slot, StepKind};
use super::quicken::quicken;
use crate::Span;
use crate::analysis::Liveness;
use crate::failure::{Failure, FailureKind};
use crate::ir::{
    Block, BlockBody, Callee, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, TyKind, Var,
};

/// The steps of `func`.
pub(super) fn compile(func: Arc<Func>) -> Result<Code, Failure> {
    let liveness = Liveness::new(&func);
    let mut starts = Vec::with_capacity(func.blocks.len());
    let mut start = 0;
    for body in &func.blocks {
        starts.push(start);
        start += u32::try_from(body.insts.len()).unwrap_or(u32::MAX).saturating_add(1);
    }
    let mut kept_alive: HashMap<(Block, usize), Vec<Var>> = HashMap::new();
    for point in func.debug.iter().flat_map(|debug| &debug.points) {
        let vars = point.operands().filter_map(Operand::var);
        kept_alive.entry((point.block, point.at)).or_default().extend(vars);
    }
    let mut steps = Vec::with_capacity(start as usize);
    for (block, body) in func.iter_blocks() {
        Compiler { func: &func, liveness: &liveness, starts: &starts, kept_alive: &kept_alive, block }
            .block(body, &mut steps)?;
    }
    if steps.is_empty() {
        return Err(malformed(&func, "has no blocks"));
    }
    let params = func.params().iter().map(|&var| slot(var)).collect();
    let quick = quicken(&func, &steps);
    let slots = func.vars.len() + quick.consts.len();
    Ok(Code { func, steps: steps.into(), quick, params, slots, marked: Box::default(), is_delegated: false })
}

struct Compiler<'f> {
    func: &'f Func,
    liveness: &'f Liveness,
    starts: &'f [u32],
    /// The variables that points keep alive.
    kept_alive: &'f HashMap<(Block, usize), Vec<Var>>,
    block: Block,
}

impl Compiler<'_> {
    /// Walks the block backwards, since a use is the last one if nothing after it uses the variable.
    fn block(&self, body: &BlockBody, steps: &mut Vec<CodeStep>) -> Result<(), Failure> {
        let first = steps.len();
        let mut live: HashSet<Var> = self.liveness.live_out(self.block).iter().copied().collect();
        let Some(terminator) = &body.terminator else {
            return Err(malformed(self.func, "has a block without a terminator"));
        };
        let end = self.terminator(terminator, &mut live)?;
        steps.push(self.step(end, None, terminator.span));
        live.extend(self.kept_alive_at(body.insts.len()));
        for (at, inst) in body.insts.iter().enumerate().rev() {
            let result = live.remove(&inst.result).then(|| slot(inst.result));
            let kind = self.inst(inst, &mut live);
            steps.push(self.step(kind, result, inst.span));
            live.extend(self.kept_alive_at(at));
        }
        steps[first..].reverse();
        Ok(())
    }

    /// The variables that the points before an instruction of the block keep alive (DEBUG1).
    fn kept_alive_at(&self, at: usize) -> impl Iterator<Item = Var> {
        self.kept_alive.get(&(self.block, at)).into_iter().flatten().copied()
    }

    fn step(&self, kind: StepKind, result: Option<Slot>, span: Span) -> CodeStep {
        CodeStep { kind, result, span, block: self.block }
    }

    fn inst(&self, inst: &Inst, live: &mut HashSet<Var>) -> StepKind {
        match &inst.kind {
            InstKind::Const(constant) => StepKind::Const { value: constant.value().clone() },
            InstKind::Op { op, args } => {
                StepKind::Op { op, args: last_first(args, live), ret: self.func.ty(inst.result) }
            }
            // Outside of every context, `overdub` is an ordinary call.
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => {
                // The callee is read last.
                let callee = match callee {
                    Callee::Func(name) => CalleeCode::Func(*name),
                    Callee::Value(value) => CalleeCode::Value(arg(value, live)),
                };
                StepKind::Call { callee, args: last_first(args, live) }
            }
        }
    }

    fn terminator(&self, terminator: &Terminator, live: &mut HashSet<Var>) -> Result<StepKind, Failure> {
        // The variables read by block arguments are live when the terminator is evaluated.
        live.extend(terminator.kind.targets().flat_map(|target| &target.args).filter_map(Operand::var));
        Ok(match &terminator.kind {
            TerminatorKind::Br(target) => StepKind::Br(self.edge(target, live)?),
            TerminatorKind::BrIf { cond, then, otherwise } => {
                let (then, otherwise) = (self.edge(then, live)?, self.edge(otherwise, live)?);
                StepKind::BrIf { cond: arg(cond, live), then, otherwise }
            }
            TerminatorKind::Switch { on, cases, otherwise } => {
                let edges = cases.iter().map(|case| Ok((case.value, self.edge(&case.target, live)?)));
                let cases = edges.collect::<Result<_, Failure>>()?;
                let otherwise = otherwise.as_ref().map(|target| self.edge(target, live)).transpose()?;
                StepKind::Switch { on: arg(on, live), cases, otherwise }
            }
            TerminatorKind::Ret(value) => StepKind::Ret(arg(value, live)),
            TerminatorKind::Fail(message) => StepKind::Fail(arg(message, live)),
        })
    }

    /// An edge out of the block; `before` is the set of variables that are live when it is taken.
    fn edge(&self, target: &Target, before: &HashSet<Var>) -> Result<Edge, Failure> {
        let (Some(&start), Some(body)) =
            (self.starts.get(target.block.index()), self.func.blocks.get(target.block.index()))
        else {
            return Err(malformed(self.func, "branches to a block that it does not have"));
        };
        if body.params.len() != target.args.len() {
            return Err(malformed(self.func, "branches with a wrong number of arguments"));
        }
        let live_in: HashSet<Var> = self.liveness.live_in(target.block).iter().copied().collect();
        let args = last_first(&target.args, &mut live_in.clone());
        let moved = |slot: Slot| args.iter().any(|arg| matches!(arg, Arg::Move(moved) if *moved == slot));
        let mut dead: Vec<Slot> = before
            .iter()
            .filter(|var| {
                !live_in.contains(*var) && !body.params.contains(var) && is_counted(self.func, **var)
            })
            .map(|&var| slot(var))
            .filter(|&slot| !moved(slot))
            .collect();
        dead.sort_unstable_by_key(|slot| slot.0);
        let params = body.params.iter().map(|&var| slot(var)).collect();
        Ok(Edge { target: start, params, dead: dead.into(), args })
    }
}

fn slot(var: Var) -> Slot {
    Slot(var.0)
}

/// An operand, where `live` is the set of variables live after it: moved if it is live before it but not
/// after it.
fn arg(operand: &Operand, live: &mut HashSet<Var>) -> Arg {
    match operand {
        Operand::Var(var) if live.insert(*var) => Arg::Move(slot(*var)),
        Operand::Var(var) => Arg::Copy(slot(*var)),
        Operand::Const(constant) => Arg::Const(constant.value().clone()),
    }
}

/// Operands read from first to last: if a variable occurs twice, only the last occurrence may move it.
fn last_first(operands: &[Operand], live: &mut HashSet<Var>) -> Args {
    let mut args: Args = operands.iter().rev().map(|operand| arg(operand, live)).collect();
    args.reverse();
    args
}

/// Whether dropping the variable's value late could prevent another value from being updated in place.
pub(super) fn is_counted(func: &Func, var: Var) -> bool {
    !matches!(
        func.ty(var).kind(),
        TyKind::Unit | TyKind::Never | TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_)
    )
}

fn malformed(func: &Func, what: &str) -> Failure {
    Failure::new(FailureKind::Type, format!("`@{}` {what}", func.name))
}
