//! Functions in the form in which the analysis runs them: with resolved operands, last uses, and joins of
//! branches.

use std::sync::Arc;

use overdub_ad::custom::{CustomDerivative, custom_derivative};
use overdub_context::analysis::{Cfg, Dominators, Liveness, LoopNest, PostDominators};
use overdub_context::ir::{Block, Callee, Func, Inst, InstKind, Operand, Target, TerminatorKind, Ty, Var};
use overdub_context::ops::OpDef;
use overdub_context::value::Value;
use overdub_context::{Span, Symbol};

use super::operation::OpKind;

/// A function.
pub(crate) struct Code {
    pub(crate) func: Symbol,
    pub(crate) custom_derivative: Option<CustomDerivative>,
    pub(crate) params: Vec<u32>,
    pub(crate) ret: Ty,
    pub(crate) blocks: Vec<BlockCode>,
    pub(crate) tys: Vec<Ty>,
    pub(crate) consts: Vec<Value<'static>>,
    pub(crate) loops: usize,
}

/// A block.
pub(crate) struct BlockCode {
    pub(crate) params: Vec<u32>,
    pub(crate) insts: Vec<InstCode>,
    pub(crate) end: End,
    pub(crate) span: Span,
    /// The variables that are live at the start of the block, including its parameters.
    pub(crate) live: Vec<u32>,
    /// The block where the paths of its branch join: all paths pass it, except those that fail or do not end.
    pub(crate) join: Option<u32>,
    /// The innermost loop that contains the block.
    pub(crate) innermost: Option<u32>,
    /// The loops that the block's branch may leave.
    pub(crate) exited_loops: Vec<u32>,
}

/// An instruction.
pub(crate) struct InstCode {
    pub(crate) what: What,
    pub(crate) args: Box<[Arg]>,
    pub(crate) result: u32,
    pub(crate) ret: Ty,
    pub(crate) span: Span,
}

/// What an instruction does.
pub(crate) enum What {
    Const(u32),
    Op(&'static OpDef, OpKind),
    Call(Symbol),
    /// Calls the first operand.
    CallValue,
}

/// An operand.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    Copy(u32),
    /// The variable is not used after this.
    Move(u32),
    Const(u32),
}

/// The terminator of a block.
pub(crate) enum End {
    Br(Edge),
    BrIf(Arg, Edge, Edge),
    Switch(Arg, Vec<(i128, Edge)>, Option<Edge>),
    Ret(Arg),
    Fail(Arg),
}

/// An edge of a branch.
pub(crate) struct Edge {
    pub(crate) block: u32,
    pub(crate) args: Box<[Arg]>,
    /// The variables that are live before the edge but not after it.
    pub(crate) dying: Box<[u32]>,
}

impl Code {
    pub(crate) fn new(func: &Func) -> Code {
        let cfg = Cfg::new(func);
        let liveness = Liveness::new(func);
        let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
        let post_dominators = PostDominators::new(&Cfg::new(&without_failures(func)));
        let mut code = Code {
            func: func.name,
            custom_derivative: custom_derivative(func.name),
            ret: func.ret,
            params: func.params().iter().map(|var| var.0).collect(),
            blocks: Vec::with_capacity(func.blocks.len()),
            tys: func.vars.iter().map(|def| def.ty).collect(),
            consts: Vec::new(),
            loops: nest.iter().count(),
        };
        for (block, body) in func.iter_blocks() {
            let last_uses = liveness.last_uses(func, block);
            let insts = body.insts.iter().zip(&last_uses).map(|(inst, last)| code.inst(func, inst, last));
            let insts = insts.collect();
            let terminator = body.terminator.as_ref().expect("V3: a verified block ends in a terminator");
            let mut before: Vec<Var> = liveness.live_out(block).to_vec();
            before.extend(terminator.kind.operands().filter_map(Operand::var));
            let end = code.end(&terminator.kind, &before, &liveness);
            let params: Vec<u32> = body.params.iter().map(|var| var.0).collect();
            let live = liveness.live_in(block).iter().map(|var| var.0).chain(params.iter().copied());
            let exited = nest.iter().filter(|(id, _)| {
                nest.contains(*id, block) && cfg.succs(block).iter().any(|&to| !nest.contains(*id, to))
            });
            code.blocks.push(BlockCode {
                live: live.collect(),
                params,
                insts,
                end,
                span: terminator.span,
                join: post_dominators.ipdom(block).map(|block| block.0),
                innermost: nest.innermost(block).map(|id| id.0),
                exited_loops: exited.map(|(id, _)| id.0).collect(),
            });
        }
        code
    }

    fn inst(&mut self, func: &Func, inst: &Inst, last: &[Var]) -> InstCode {
        let ret = func.ty(inst.result);
        let (what, args): (What, Vec<&Operand>) = match &inst.kind {
            InstKind::Const(value) => {
                self.consts.push(super::operation::ordinary(value.value().clone()));
                (What::Const(self.consts.len() as u32 - 1), Vec::new())
            }
            InstKind::Op { op, args } => {
                let scalars = args.len();
                (What::Op(op, OpKind::of(op, scalars, ret)), args.iter().collect())
            }
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => match callee {
                Callee::Func(name) => (What::Call(*name), args.iter().collect()),
                Callee::Value(value) => (What::CallValue, [value].into_iter().chain(args).collect()),
            },
        };
        InstCode { what, args: self.args(&args, last), result: inst.result.0, ret, span: inst.span }
    }

    fn args(&mut self, operands: &[&Operand], last: &[Var]) -> Box<[Arg]> {
        let is_last = |at: usize, var: Var| {
            last.contains(&var) && operands[at + 1..].iter().all(|later| later.var() != Some(var))
        };
        let mut args = Vec::with_capacity(operands.len());
        for (at, operand) in operands.iter().enumerate() {
            args.push(match operand {
                Operand::Var(var) if is_last(at, *var) => Arg::Move(var.0),
                Operand::Var(var) => Arg::Copy(var.0),
                Operand::Const(value) => {
                    self.consts.push(super::operation::ordinary(value.value().clone()));
                    Arg::Const(self.consts.len() as u32 - 1)
                }
            });
        }
        args.into()
    }

    fn edge(&mut self, target: &Target, before: &[Var], liveness: &Liveness) -> Edge {
        let live_after = liveness.live_in(target.block);
        let mut dying: Vec<u32> =
            before.iter().filter(|var| live_after.binary_search(var).is_err()).map(|var| var.0).collect();
        dying.sort_unstable();
        dying.dedup();
        let args: Vec<&Operand> = target.args.iter().collect();
        Edge { block: target.block.0, args: self.args(&args, &[]), dying: dying.into() }
    }

    fn end(&mut self, kind: &TerminatorKind, before: &[Var], liveness: &Liveness) -> End {
        let one = |code: &mut Code, operand: &Operand| code.args(&[operand], &[])[0];
        match kind {
            TerminatorKind::Br(target) => End::Br(self.edge(target, before, liveness)),
            TerminatorKind::BrIf { cond, then, otherwise } => {
                let cond = one(self, cond);
                End::BrIf(cond, self.edge(then, before, liveness), self.edge(otherwise, before, liveness))
            }
            TerminatorKind::Switch { on, cases, otherwise } => {
                let on = one(self, on);
                let cases = cases
                    .iter()
                    .map(|case| (case.value, self.edge(&case.target, before, liveness)))
                    .collect();
                End::Switch(on, cases, otherwise.as_ref().map(|target| self.edge(target, before, liveness)))
            }
            TerminatorKind::Ret(operand) => End::Ret(one(self, operand)),
            TerminatorKind::Fail(operand) => End::Fail(one(self, operand)),
        }
    }
}

/// The function with each failure replaced by an endless loop, so that failing paths do not join the others.
fn without_failures(func: &Func) -> Func {
    let mut copy = func.clone();
    for (at, body) in (0..).zip(&mut copy.blocks) {
        if let Some(end) = &mut body.terminator
            && matches!(end.kind, TerminatorKind::Fail(_))
        {
            end.kind = TerminatorKind::Br(Target { block: Block(at), args: Vec::new() });
        }
    }
    copy
}

/// The code of a function, shared.
pub(crate) type Shared = Arc<Code>;
