//! Inlining: replaces a call by the body of the callee.
//!
//! ```text
//! fn @f(%x: f64) -> f64 {                        fn @f(%x: f64) -> f64 {
//!   %y: f64 = call @square(%x)                     %b: f64 = mul %x, %x
//!   %z: f64 = call @clip(%y)                       %c: bool = gt %b, 1.0
//!   ret %z                                 →       br_if %c, ^high, ^low
//! }                                              ^high:
//! fn @square(%a: f64) -> f64 {                     br ^rest(1.0)
//!   %b: f64 = mul %a, %a                         ^low:
//!   ret %b                                         br ^rest(%b)
//! }                                              ^rest(%z: f64):
//! fn @clip(%a: f64) -> f64 { … }                   ret %z
//!                                                }
//! ```
//!
//! - INL1 the body of a callee with one block is appended to the block of the call; for other callees, the
//!   instructions after the call become a block.
//! - INL2 the type of a closure determines its code, so calls of closures are inlined like calls by name.
//! - INL3 a function that calls itself, directly or through others, is not inlined; [`crate::Limits`] bound the
//!   growth.
//! - INL4 each instruction records the call from which it was inlined, so that call stacks are those of the source.
//! - INL5 `overdub` calls are not inlined: a context still has to interpret them.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{
    Block, BlockBody, Callee, Func, Inst, InstKind, Operand, Terminator, TerminatorKind, Ty, TyKind,
};
use overdub_context::ops;
use overdub_context::value::{Code, Value};
use overdub_context::{Inlining, Symbol};

use crate::support::scope::{Scope, size_of};
use overdub_context::analysis::Defs;
use overdub_context::edit::{FuncEditor, br};

/// How often a function may grow to its largest size: the passes between the rounds shrink it, which makes room. Each refill
/// costs the time of all passes, and gains less than the one before.
const MAX_REFILLS: usize = 3;

/// A call that is to be inlined.
struct InlineCandidate {
    func: Arc<Func>,
    size: usize,
    /// The closure whose captured values precede the arguments of the callee.
    closure: Option<Operand>,
    args: Vec<Operand>,
}

/// Inlines calls, including those in inlined bodies.
pub(crate) fn run(editor: &mut FuncEditor<'_>, scope: &Scope<'_>) -> bool {
    let is_call = |inst: &Inst| matches!(inst.kind, InstKind::Call { .. });
    let is_by_value = |inst: &Inst| matches!(inst.kind, InstKind::Call { callee: Callee::Value(_), .. });
    let mut callees = Callees { scope, before: size_of(editor.source), cache: HashMap::new() };
    let mut changed = has_inst(editor, is_call) && inline_calls(editor, &mut callees);
    // An inlined body, or the result of an inlined call, may reveal the code of a function value.
    let mut changed_last = changed;
    while changed_last && has_inst(editor, is_by_value) {
        changed_last = inline_calls(editor, &mut callees);
        changed |= changed_last;
    }
    changed
}

fn has_inst(editor: &FuncEditor<'_>, pred: impl Fn(&Inst) -> bool) -> bool {
    editor.func.blocks.iter().any(|body| body.insts.iter().any(&pred))
}

/// Inlines each call whose callee is known now, including those in inlined bodies.
fn inline_calls(editor: &mut FuncEditor<'_>, callees: &mut Callees<'_>) -> bool {
    let defs = Defs::of(&editor.func);
    let mut size = editor.size();
    let mut pending: Vec<Block> = editor.blocks();
    pending.reverse();
    let mut changed = false;
    while let Some(block) = pending.pop() {
        // Most blocks stay as they are.
        let insts = &editor.func.block(block).insts;
        if !insts.iter().any(|inst| matches!(inst.kind, InstKind::Call { .. })) {
            continue;
        }
        // From the end, so that the instructions after a call are available when they become a block.
        let mut rest: Vec<Inst> = Vec::with_capacity(insts.len());
        while let Some(inst) = editor.body(block).insts.pop() {
            let Some(call) = candidate(editor, callees, &defs, &inst, size) else {
                rest.push(inst);
                continue;
            };
            size += call.size;
            editor.inlined += call.size;
            changed = true;
            let first = editor.func.blocks.len() as u32;
            let func = call.func.clone();
            let body = BodyCloner::new(editor, block, &inst, &func, call);
            match returned(&func) {
                Some(value) => {
                    let value = body.append(editor, block, value);
                    editor.replace(inst.result, value);
                }
                None => {
                    rest.reverse();
                    let insts = std::mem::take(&mut rest);
                    let terminator = editor.body(block).terminator.take();
                    body.splice(
                        editor,
                        block,
                        BlockBody { name: None, params: vec![inst.result], insts, terminator },
                    );
                }
            }
            // The calls in the inlined blocks are considered later; those in the block after the call already
            // were.
            pending.extend((first + 1..editor.func.blocks.len() as u32).rev().map(Block));
        }
        rest.reverse();
        editor.body(block).insts = rest;
    }
    editor.apply_replacements();
    editor.clear_unreachable();
    changed
}

/// The operand that a function of a single block returns.
fn returned(func: &Func) -> Option<&Operand> {
    let [body] = func.blocks.as_slice() else { return None };
    match &body.terminator.as_ref()?.kind {
        TerminatorKind::Ret(value) => Some(value),
        _ => None,
    }
}

/// The callees, each looked up once.
struct Callees<'s> {
    scope: &'s Scope<'s>,
    /// The size of the caller before any pass.
    before: usize,
    cache: HashMap<Symbol, Option<CalleeInfo>>,
}

/// A callee that may be inlined, independently of the call.
#[derive(Clone)]
struct CalleeInfo {
    func: Arc<Func>,
    size: usize,
    /// The largest size that the caller may reach by inlining this callee.
    max_size: usize,
}

impl CalleeInfo {
    /// Whether it may be inlined into a caller of this size.
    fn fits(&self, editor: &FuncEditor<'_>, size: usize) -> bool {
        size + self.size <= self.max_size
            && editor.inlined + self.size <= self.max_size.saturating_mul(MAX_REFILLS)
    }
}

impl Callees<'_> {
    /// What was found of a function, if it was looked up.
    fn known(&self, name: Symbol) -> Option<Option<&CalleeInfo>> {
        self.cache.get(&name).map(Option::as_ref)
    }

    /// The function of this name, unless it is too large or calls itself.
    fn get(&mut self, name: Symbol) -> Option<CalleeInfo> {
        if let Some(known) = self.cache.get(&name) {
            return known.clone();
        }
        let limits = self.scope.limits();
        let info = self.scope.callee(name).and_then(|func| {
            let size = size_of(&func);
            let fits = size <= limits.callee && !self.calls_itself(name);
            fits.then(|| CalleeInfo { func, size, max_size: limits.max_size(self.before, size) })
        });
        self.cache.insert(name, info.clone());
        info
    }

    /// Whether a function calls itself, directly or through functions that may be inlined (INL3).
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

/// The functions that a function calls by name, or may call because it holds a closure of them.
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

/// The call of an instruction, if it is to be inlined.
fn candidate(
    editor: &FuncEditor<'_>,
    callees: &mut Callees<'_>,
    defs: &Defs,
    inst: &Inst,
    size: usize,
) -> Option<InlineCandidate> {
    let InstKind::Call { callee, args } = &inst.kind else { return None };
    let (name, closure) = match callee {
        Callee::Func(name) => (*name, None),
        Callee::Value(value) => code(editor, defs, value)?,
    };
    // Calls of large functions are met again in each round; whether they are to be preserved is a question to the context.
    if callees.known(name).is_some_and(|info| info.is_none_or(|info| !info.fits(editor, size))) {
        return None;
    }
    let from = editor.inlined_from.get(&inst.result).map_or(&[] as &[Symbol], Vec::as_slice);
    if name == editor.func.name || from.contains(&name) || callees.scope.keeps(&editor.func, inst) {
        return None;
    }
    let CalleeInfo { func, size: callee_size, .. } =
        callees.get(name).filter(|info| info.fits(editor, size))?;
    let captures = closure.as_ref().map(|closure| editor.ty(closure)).and_then(captures);
    let takes = captures.into_iter().flatten().copied().chain(editor.tys(args));
    let fits = takes.eq(func.param_tys()) && func.ret == editor.func.ty(inst.result);
    fits.then(|| InlineCandidate { func, size: callee_size, closure, args: args.clone() })
}

/// The code of a function value, and the closure with the captured values, if the code is known.
pub(crate) fn code(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    value: &Operand,
) -> Option<(Symbol, Option<Operand>)> {
    if let TyKind::Closure(closure) = editor.ty(value).kind() {
        return Some((closure.code, Some(value.clone())));
    }
    match defs.inst(&editor.func, value)? {
        InstKind::Op { op, args } if **op == ops::ERASE => match editor.ty(&args[0]).kind() {
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

/// The types of the values that a closure captures.
fn captures(ty: Ty) -> Option<&'static [Ty]> {
    match ty.kind() {
        TyKind::Closure(closure) => Some(&closure.captures),
        _ => None,
    }
}

/// Clones the body of a callee into a function.
struct BodyCloner<'c> {
    callee: &'c Func,
    /// The chain of inlined functions, the callee last.
    inline_chain: Vec<Symbol>,
    inlining: Inlining,
    /// The values of the callee's variables.
    vars: Vec<Option<Operand>>,
}

impl<'c> BodyCloner<'c> {
    /// Binds the parameters of the callee to the arguments of a call, which was removed from the end of `block`.
    fn new(
        editor: &mut FuncEditor<'_>,
        block: Block,
        inst: &Inst,
        callee: &'c Func,
        call: InlineCandidate,
    ) -> BodyCloner<'c> {
        let mut inline_chain = editor.inlined_from.get(&inst.result).cloned().unwrap_or_default();
        inline_chain.push(callee.name);
        let mut vars: Vec<Option<Operand>> = vec![None; callee.vars.len()];
        let mut params = callee.params().iter();
        if let Some(closure) = call.closure {
            let tys = captures(editor.ty(&closure)).unwrap_or_default();
            let mut insts = std::mem::take(&mut editor.body(block).insts);
            for ((k, &ty), param) in (0_i64..).zip(tys).zip(&mut params) {
                let captured = editor.func.push_op(
                    &mut insts,
                    &ops::CAPTURED,
                    vec![closure.clone(), k.into()],
                    ty,
                    inst.span,
                );
                vars[param.index()] = Some(captured.into());
            }
            editor.body(block).insts = insts;
        }
        for (param, arg) in params.zip(call.args) {
            vars[param.index()] = Some(arg);
        }
        BodyCloner { callee, inline_chain, inlining: Inlining::new(callee.name, inst.span), vars }
    }

    /// Appends the only block of the callee to `block`; returns the value of `value` in `block`.
    fn append(mut self, editor: &mut FuncEditor<'_>, block: Block, value: &Operand) -> Operand {
        self.define(editor, &self.callee.blocks[0]);
        self.insts(editor, &self.callee.blocks[0], block);
        let mut value = value.clone();
        self.operand(&mut value);
        value
    }

    /// Clones the blocks: the callee's entry is appended to `entry`, its returns become branches to `rest`, a new block.
    fn splice(mut self, editor: &mut FuncEditor<'_>, entry: Block, rest: BlockBody) {
        let next = editor.new_block(None);
        *editor.body(next) = rest;
        let blocks = self.blocks(editor, entry);
        for (body, &new) in self.callee.blocks.iter().zip(&blocks) {
            self.insts(editor, body, new);
            let Some(end) = &body.terminator else { continue };
            let mut kind = end.kind.clone();
            kind.operand_mut().into_iter().for_each(|operand| self.operand(operand));
            for target in kind.targets_mut() {
                target.block = blocks[target.block.index()];
                target.args.iter_mut().for_each(|operand| self.operand(operand));
            }
            let span = self.inlining.place(end.span);
            editor.body(new).terminator = Some(match kind {
                TerminatorKind::Ret(value) => br(next, vec![value], span),
                kind => Terminator { kind, span },
            });
        }
    }

    /// Creates blocks and variables for those of the callee; the callee's entry becomes `entry`.
    fn blocks(&mut self, editor: &mut FuncEditor<'_>, entry: Block) -> Vec<Block> {
        let callee = self.callee;
        let mut blocks = Vec::with_capacity(callee.blocks.len());
        for (block, body) in callee.iter_blocks() {
            if block == Block::ENTRY {
                blocks.push(entry);
            } else {
                let new = editor.new_block(body.name);
                blocks.push(new);
                for &param in &body.params {
                    let new_param = editor.new_var_like(callee.vars[param.index()]);
                    editor.body(new).params.push(new_param);
                    self.vars[param.index()] = Some(new_param.into());
                }
            }
            self.define(editor, body);
        }
        blocks
    }

    /// Creates variables for the results of a block's instructions.
    fn define(&mut self, editor: &mut FuncEditor<'_>, body: &BlockBody) {
        for inst in &body.insts {
            let result = editor.new_var_like(self.callee.vars[inst.result.index()]);
            self.vars[inst.result.index()] = Some(result.into());
        }
    }

    /// Replaces a variable of the callee by its value.
    fn operand(&self, operand: &mut Operand) {
        if let Operand::Var(var) = operand {
            *operand = self.vars[var.index()].clone().expect("V1: a used variable is defined");
        }
    }

    /// Appends clones of the instructions of a block of the callee to `to`.
    fn insts(&mut self, editor: &mut FuncEditor<'_>, body: &BlockBody, to: Block) {
        for inst in &body.insts {
            let Some(Operand::Var(result)) = self.vars[inst.result.index()] else { continue };
            let mut kind = inst.kind.clone();
            kind.operands_mut().for_each(|operand| self.operand(operand));
            if let InstKind::Call { .. } | InstKind::Overdub { .. } = kind {
                editor.inlined_from.insert(result, self.inline_chain.clone());
            }
            let span = self.inlining.place(inst.span);
            editor.body(to).insts.push(Inst { result, kind, span });
        }
    }
}
