//! Inlining: the body of a callee in the place of a call.
//!
//! ```text
//! fn @f(%x: f64) -> f64 {                        fn @f(%x: f64) -> f64 {
//!   %y: f64 = call @square(%x)                     br ^1(%x)
//!   ret %y                                 →     ^1(%a: f64):
//! }                                                %b: f64 = mul %a, %a
//! fn @square(%a: f64) -> f64 {                     br ^2(%b)
//!   %b: f64 = mul %a, %a                         ^2(%y: f64):
//!   ret %b                                         ret %y
//! }                                              }
//! ```
//!
//! - The code of a closure follows from its type, so calls of closures are inlined as calls by name are.
//! - What calls itself, however far around, is not inlined; how much a function may grow is limited.
//! - Each instruction knows the call that it stands for, so call stacks are those of the calls as written.
//! - `overdub` calls stay: a context still has to give them their meaning.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{
    Block, BlockBody, Callee, Func, Inst, InstKind, Operand, Terminator, TerminatorKind, Ty, TyKind, Var,
};
use overdub_context::ops;
use overdub_context::value::{Code, Value};
use overdub_context::{Inlining, Symbol};

use crate::scope::Scope;
use crate::work::{Defs, Work, br};

/// A call that can be inlined.
struct Inlinable {
    func: Arc<Func>,
    size: usize,
    /// What the callee gets before the arguments: what is taken out of this closure.
    closure: Option<Operand>,
    args: Vec<Operand>,
}

/// Inlines calls, and the calls in what was inlined.
pub(crate) fn run(work: &mut Work<'_>, scope: &Scope<'_>) -> bool {
    let is_call = |inst: &Inst| matches!(inst.kind, InstKind::Call { .. });
    if !work.func.blocks.iter().any(|body| body.insts.iter().any(is_call)) {
        return false;
    }
    let defs = Defs::of(&work.func);
    let mut callees = Callees { scope, before: size_of(work.source), known: HashMap::new() };
    let mut size = work.size();
    let mut pending: Vec<Block> = work.blocks();
    pending.reverse();
    let mut changed = false;
    while let Some(block) = pending.pop() {
        let mut at = work.func.block(block).insts.len();
        while at > 0 {
            at -= 1;
            let inst = &work.func.block(block).insts[at];
            let Some(call) = inlinable(work, &mut callees, &defs, inst, size) else { continue };
            size += call.size;
            let first = work.func.blocks.len() as u32;
            put_in_place(work, block, at, call);
            // The callee's own calls come later: what they are inlined from is known now.
            pending.extend((first..work.func.blocks.len() as u32).rev().map(Block));
            at = work.func.block(block).insts.len();
            changed = true;
        }
    }
    work.prune();
    changed
}

/// The functions that are called, each looked at once.
struct Callees<'s> {
    scope: &'s Scope<'s>,
    /// How many instructions the caller began with.
    before: usize,
    known: HashMap<Symbol, Option<CalleeInfo>>,
}

/// A function that may be inlined, as far as it alone decides that.
#[derive(Clone)]
struct CalleeInfo {
    func: Arc<Func>,
    size: usize,
    /// Up to how many instructions the caller may grow by it.
    most: usize,
}

impl Callees<'_> {
    /// The function of this name, unless it is too large or calls itself.
    fn get(&mut self, name: Symbol) -> Option<CalleeInfo> {
        if let Some(known) = self.known.get(&name) {
            return known.clone();
        }
        let limits = self.scope.limits();
        let info = self.scope.callee(name).and_then(|func| {
            let size = size_of(&func);
            let fits = size <= limits.callee && !self.calls_itself(name);
            fits.then(|| CalleeInfo { func, size, most: limits.most(self.before, size) })
        });
        self.known.insert(name, info.clone());
        info
    }

    /// Whether a function calls itself by way of functions that would be inlined.
    fn calls_itself(&self, name: Symbol) -> bool {
        let mut seen: HashSet<Symbol> = HashSet::new();
        let mut pending = vec![name];
        while let Some(at) = pending.pop() {
            let small = |func: &Arc<Func>| size_of(func) <= self.scope.limits().callee;
            let Some(func) = self.scope.callee(at).filter(small) else { continue };
            for callee in called(&func) {
                if callee == name {
                    return true;
                }
                if seen.insert(callee) {
                    pending.push(callee);
                }
            }
        }
        false
    }
}

/// What a function calls by name, or may call since it has it as a value.
fn called(func: &Func) -> impl Iterator<Item = Symbol> {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    let by_name = insts.filter_map(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Func(name), .. } => Some(*name),
        _ => None,
    });
    let by_value = func.vars.iter().filter_map(|var| match var.ty.kind() {
        TyKind::Closure(closure) => Some(closure.code),
        _ => None,
    });
    by_name.chain(by_value)
}

/// How many instructions and terminators a function has.
pub(crate) fn size_of(func: &Func) -> usize {
    func.blocks.iter().map(|body| body.insts.len() + 1).sum()
}

fn inlinable(
    work: &Work<'_>,
    callees: &mut Callees<'_>,
    defs: &Defs,
    inst: &Inst,
    size: usize,
) -> Option<Inlinable> {
    let InstKind::Call { callee, args } = &inst.kind else { return None };
    let (name, closure) = match callee {
        Callee::Func(name) => (*name, None),
        Callee::Value(value) => code(work, defs, value)?,
    };
    let from = work.inlined_from.get(&inst.result).map_or(&[] as &[Symbol], Vec::as_slice);
    if name == work.func.name || from.contains(&name) || callees.scope.keeps(&work.func, inst) {
        return None;
    }
    let CalleeInfo { func, size: callee_size, most } = callees.get(name)?;
    if size + callee_size > most {
        return None;
    }
    let captures = closure.as_ref().map(|closure| work.ty(closure)).and_then(captures);
    let takes = captures.into_iter().flatten().copied().chain(work.tys(args));
    let fits = takes.eq(func.param_tys()) && func.ret == work.func.ty(inst.result);
    fits.then(|| Inlinable { func, size: callee_size, closure, args: args.clone() })
}

/// The code of a function value and the closure that holds what it captured, if its code is known.
pub(crate) fn code(work: &Work<'_>, defs: &Defs, value: &Operand) -> Option<(Symbol, Option<Operand>)> {
    if let TyKind::Closure(closure) = work.ty(value).kind() {
        return Some((closure.code, Some(value.clone())));
    }
    match defs.inst(&work.func, value)? {
        InstKind::Op { op, args } if **op == ops::ERASE => match work.ty(&args[0]).kind() {
            TyKind::Closure(closure) => Some((closure.code, Some(args[0].clone()))),
            _ => None,
        },
        InstKind::Const(constant) => match constant.value() {
            Value::Closure(closure) => match &closure.code {
                Code::Func(name) => Some((*name, None)),
                Code::Host(_) => None,
            },
            _ => None,
        },
        InstKind::Op { .. } | InstKind::Call { .. } | InstKind::Overdub { .. } => None,
    }
}

fn captures(ty: Ty) -> Option<&'static [Ty]> {
    match ty.kind() {
        TyKind::Closure(closure) => Some(&closure.captures),
        _ => None,
    }
}

/// Puts a callee in the place of the call at `at`.
fn put_in_place(work: &mut Work<'_>, block: Block, at: usize, call: Inlinable) {
    let rest = work.new_block(None);
    let body = work.body(block);
    let tail = body.insts.split_off(at + 1);
    let terminator = body.terminator.take();
    let inst = body.insts.pop().expect("the call is at this place");
    *work.body(rest) = BlockBody { name: None, params: vec![inst.result], insts: tail, terminator };
    let mut from = work.inlined_from.get(&inst.result).cloned().unwrap_or_default();
    from.push(call.func.name);
    let mut args = Vec::new();
    if let Some(closure) = call.closure {
        let tys = captures(work.ty(&closure)).unwrap_or_default();
        let mut insts = std::mem::take(&mut work.body(block).insts);
        for (k, &ty) in (0_i64..).zip(tys) {
            let captured =
                work.op(&mut insts, &ops::CAPTURED, vec![closure.clone(), k.into()], ty, inst.span);
            args.push(captured.into());
        }
        work.body(block).insts = insts;
    }
    args.extend(call.args);
    let inlining = Inlining::new(call.func.name, inst.span);
    Copy { callee: &call.func, from, inlining }.put(work, block, rest, args);
}

/// A callee on its way into a function.
struct Copy<'c> {
    callee: &'c Func,
    from: Vec<Symbol>,
    inlining: Inlining,
}

impl Copy<'_> {
    /// Copies the blocks; the entry is appended to `entry`, and what returned goes to `rest`.
    fn put(mut self, work: &mut Work<'_>, entry: Block, rest: Block, args: Vec<Operand>) {
        let callee = self.callee;
        let mut vars: Vec<Option<Operand>> = vec![None; callee.vars.len()];
        for (param, arg) in callee.params().iter().zip(args) {
            vars[param.index()] = Some(arg);
        }
        let blocks = define(work, callee, entry, &mut vars);
        let operand = |operand: &mut Operand| {
            if let Operand::Var(var) = operand {
                *operand = vars[var.index()].clone().expect("V1: what is used is defined");
            }
        };
        for (body, &new) in callee.blocks.iter().zip(&blocks) {
            for inst in &body.insts {
                let Some(Operand::Var(result)) = vars[inst.result.index()] else { continue };
                let mut kind = inst.kind.clone();
                kind.operands_mut().for_each(operand);
                if let InstKind::Call { .. } | InstKind::Overdub { .. } = kind {
                    work.inlined_from.insert(result, self.from.clone());
                }
                let span = self.inlining.place(inst.span);
                work.body(new).insts.push(Inst { result, kind, span });
            }
            let Some(end) = &body.terminator else { continue };
            let mut kind = end.kind.clone();
            kind.operand_mut().into_iter().for_each(operand);
            for target in kind.targets_mut() {
                target.block = blocks[target.block.index()];
                target.args.iter_mut().for_each(operand);
            }
            let span = self.inlining.place(end.span);
            work.body(new).terminator = Some(match kind {
                TerminatorKind::Ret(value) => br(rest, vec![value], span),
                kind => Terminator { kind, span },
            });
        }
    }
}

/// New blocks and variables for those of a callee, the entry excepted, which becomes `entry`.
fn define(work: &mut Work<'_>, callee: &Func, entry: Block, vars: &mut [Option<Operand>]) -> Vec<Block> {
    let mut blocks = Vec::with_capacity(callee.blocks.len());
    for (block, body) in callee.iter_blocks() {
        let new = if block == Block::ENTRY { entry } else { work.new_block(body.name) };
        blocks.push(new);
        let params: &[Var] = if block == Block::ENTRY { &[] } else { &body.params };
        for &param in params {
            let new_param = work.new_var_like(callee.vars[param.index()]);
            work.body(new).params.push(new_param);
            vars[param.index()] = Some(new_param.into());
        }
        for inst in &body.insts {
            vars[inst.result.index()] = Some(work.new_var_like(callee.vars[inst.result.index()]).into());
        }
    }
    blocks
}
