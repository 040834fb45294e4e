//! Inlining: the body of a callee in the place of a call.
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
//! - A callee of one block goes into the block of the call; behind another one, what follows the call is a block.
//! - The code of a closure follows from its type, so calls of closures are inlined as calls by name are.
//! - What calls itself, however far around, is not inlined; how much a function may grow is limited.
//! - Each instruction knows the call that it stands for, so call stacks are those of the calls as written.
//! - `overdub` calls stay: a context still has to give them their meaning.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{
    Block, BlockBody, Callee, Func, Inst, InstKind, Operand, Terminator, TerminatorKind, Ty, TyKind,
};
use overdub_context::ops;
use overdub_context::value::{Code, Value};
use overdub_context::{Inlining, Symbol};

use crate::support::func_editor::{Defs, FuncEditor, br};
use crate::support::scope::{Scope, size_of};

/// A call that can be inlined.
struct Inlinable {
    func: Arc<Func>,
    size: usize,
    /// What the callee gets before the arguments: what is taken out of this closure.
    closure: Option<Operand>,
    args: Vec<Operand>,
}

/// Inlines calls, and the calls in what was inlined.
pub(crate) fn run(editor: &mut FuncEditor<'_>, scope: &Scope<'_>) -> bool {
    let is_call = |inst: &Inst| matches!(inst.kind, InstKind::Call { .. });
    if !editor.func.blocks.iter().any(|body| body.insts.iter().any(is_call)) {
        return false;
    }
    let defs = Defs::of(&editor.func);
    let mut callees = Callees { scope, before: size_of(editor.source), known: HashMap::new() };
    let mut size = editor.size();
    let mut pending: Vec<Block> = editor.blocks();
    pending.reverse();
    let mut changed = false;
    while let Some(block) = pending.pop() {
        // From the end, so that what follows a call is there when that becomes a block.
        let mut behind: Vec<Inst> = Vec::new();
        while let Some(inst) = editor.body(block).insts.pop() {
            let Some(call) = inlinable(editor, &mut callees, &defs, &inst, size) else {
                behind.push(inst);
                continue;
            };
            size += call.size;
            changed = true;
            let first = editor.func.blocks.len() as u32;
            let func = call.func.clone();
            let copy = Copy::new(editor, block, &inst, &func, call);
            match returned(&func) {
                Some(value) => {
                    let value = copy.append(editor, block, value);
                    editor.replace(inst.result, value);
                }
                None => {
                    behind.reverse();
                    let insts = std::mem::take(&mut behind);
                    let terminator = editor.body(block).terminator.take();
                    copy.put(
                        editor,
                        block,
                        BlockBody { name: None, params: vec![inst.result], insts, terminator },
                    );
                }
            }
            // The callee's own calls come later: what they are inlined from is known now. What is behind has been looked at.
            pending.extend((first + 1..editor.func.blocks.len() as u32).rev().map(Block));
        }
        behind.reverse();
        editor.body(block).insts = behind;
    }
    editor.carry_out();
    editor.prune();
    changed
}

/// What a function returns that is one block.
fn returned(func: &Func) -> Option<&Operand> {
    let [body] = func.blocks.as_slice() else { return None };
    match &body.terminator.as_ref()?.kind {
        TerminatorKind::Ret(value) => Some(value),
        _ => None,
    }
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

fn inlinable(
    editor: &FuncEditor<'_>,
    callees: &mut Callees<'_>,
    defs: &Defs,
    inst: &Inst,
    size: usize,
) -> Option<Inlinable> {
    let InstKind::Call { callee, args } = &inst.kind else { return None };
    let (name, closure) = match callee {
        Callee::Func(name) => (*name, None),
        Callee::Value(value) => code(editor, defs, value)?,
    };
    let from = editor.inlined_from.get(&inst.result).map_or(&[] as &[Symbol], Vec::as_slice);
    if name == editor.func.name || from.contains(&name) || callees.scope.keeps(&editor.func, inst) {
        return None;
    }
    let CalleeInfo { func, size: callee_size, most } = callees.get(name)?;
    if size + callee_size > most {
        return None;
    }
    let captures = closure.as_ref().map(|closure| editor.ty(closure)).and_then(captures);
    let takes = captures.into_iter().flatten().copied().chain(editor.tys(args));
    let fits = takes.eq(func.param_tys()) && func.ret == editor.func.ty(inst.result);
    fits.then(|| Inlinable { func, size: callee_size, closure, args: args.clone() })
}

/// The code of a function value and the closure that holds what it captured, if its code is known.
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

fn captures(ty: Ty) -> Option<&'static [Ty]> {
    match ty.kind() {
        TyKind::Closure(closure) => Some(&closure.captures),
        _ => None,
    }
}

/// A callee on its way into a function.
struct Copy<'c> {
    callee: &'c Func,
    from: Vec<Symbol>,
    inlining: Inlining,
    /// What stands for its variables.
    vars: Vec<Option<Operand>>,
}

impl<'c> Copy<'c> {
    /// Hands a callee what the call at the end of a block, which is taken out of it, hands it.
    fn new(
        editor: &mut FuncEditor<'_>,
        block: Block,
        inst: &Inst,
        callee: &'c Func,
        call: Inlinable,
    ) -> Copy<'c> {
        let mut from = editor.inlined_from.get(&inst.result).cloned().unwrap_or_default();
        from.push(callee.name);
        let mut vars: Vec<Option<Operand>> = vec![None; callee.vars.len()];
        let mut params = callee.params().iter();
        if let Some(closure) = call.closure {
            let tys = captures(editor.ty(&closure)).unwrap_or_default();
            let mut insts = std::mem::take(&mut editor.body(block).insts);
            for ((k, &ty), param) in (0_i64..).zip(tys).zip(&mut params) {
                let captured =
                    editor.op(&mut insts, &ops::CAPTURED, vec![closure.clone(), k.into()], ty, inst.span);
                vars[param.index()] = Some(captured.into());
            }
            editor.body(block).insts = insts;
        }
        for (param, arg) in params.zip(call.args) {
            vars[param.index()] = Some(arg);
        }
        Copy { callee, from, inlining: Inlining::new(callee.name, inst.span), vars }
    }

    /// Appends the only block of the callee to a block; what stands for `value`.
    fn append(mut self, editor: &mut FuncEditor<'_>, block: Block, value: &Operand) -> Operand {
        self.define(editor, &self.callee.blocks[0]);
        self.insts(editor, &self.callee.blocks[0], block);
        let mut value = value.clone();
        self.operand(&mut value);
        value
    }

    /// Copies the blocks; the entry is appended to `entry`, and what returned goes to `rest`, which is made first.
    fn put(mut self, editor: &mut FuncEditor<'_>, entry: Block, rest: BlockBody) {
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

    /// New blocks and variables for those of the callee, the entry excepted, which becomes `entry`.
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

    /// New variables for those that the instructions of a block define.
    fn define(&mut self, editor: &mut FuncEditor<'_>, body: &BlockBody) {
        for inst in &body.insts {
            let result = editor.new_var_like(self.callee.vars[inst.result.index()]);
            self.vars[inst.result.index()] = Some(result.into());
        }
    }

    fn operand(&self, operand: &mut Operand) {
        if let Operand::Var(var) = operand {
            *operand = self.vars[var.index()].clone().expect("V1: what is used is defined");
        }
    }

    /// Appends the instructions of a block of the callee to `to`.
    fn insts(&mut self, editor: &mut FuncEditor<'_>, body: &BlockBody, to: Block) {
        for inst in &body.insts {
            let Some(Operand::Var(result)) = self.vars[inst.result.index()] else { continue };
            let mut kind = inst.kind.clone();
            kind.operands_mut().for_each(|operand| self.operand(operand));
            if let InstKind::Call { .. } | InstKind::Overdub { .. } = kind {
                editor.inlined_from.insert(result, self.from.clone());
            }
            let span = self.inlining.place(inst.span);
            editor.body(to).insts.push(Inst { result, kind, span });
        }
    }
}
