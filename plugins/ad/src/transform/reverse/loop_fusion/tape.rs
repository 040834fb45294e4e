//! The stacks of two fused loops: a record that an iteration pushes and its reverse iteration pops becomes a variable.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use overdub_context::edit::FuncEditor;
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::expr::float_constant;

/// A stack on which an iteration of the forward loop pushes at most one record, and its reverse iteration pops that one.
pub(super) struct Tape {
    /// Its position among the parameters of the forward loop's header, and of the reverse loop's header.
    pub(super) at: (usize, usize),
    /// The type of its records.
    ty: Ty,
    /// The forward loop's variables for it that may hold the record of the iteration, and those that do not.
    full: BTreeSet<Var>,
    empty: BTreeSet<Var>,
    /// The results of the pushes, and the records.
    pushed: BTreeMap<Var, Operand>,
    /// The reverse loop's variables for it, and the results of the pops.
    rest: BTreeSet<Var>,
    /// The records that are read from it.
    read: BTreeSet<Var>,
}

/// The use of a variable.
enum Use<'f> {
    Inst(&'f Inst),
    /// As an argument of a branch, of the block's parameter of this number.
    Param(Block, usize),
    Other,
}

/// The uses of all variables of a function.
pub(super) struct Uses<'f> {
    func: &'f Func,
    of: HashMap<Var, Vec<Use<'f>>>,
    /// What each block is passed for its parameters.
    incoming: HashMap<(Block, usize), Vec<&'f Operand>>,
}

impl<'f> Uses<'f> {
    pub(super) fn of(func: &'f Func) -> Uses<'f> {
        let mut uses = Uses { func, of: HashMap::new(), incoming: HashMap::new() };
        for body in &func.blocks {
            for inst in &body.insts {
                for var in inst.kind.operands().filter_map(Operand::var) {
                    uses.of.entry(var).or_default().push(Use::Inst(inst));
                }
            }
            let Some(end) = &body.terminator else { continue };
            if let Some(var) = end.kind.operand().and_then(Operand::var) {
                uses.of.entry(var).or_default().push(Use::Other);
            }
            for target in end.kind.targets() {
                for (at, arg) in target.args.iter().enumerate() {
                    uses.incoming.entry((target.block, at)).or_default().push(arg);
                    if let Some(var) = arg.var() {
                        uses.of.entry(var).or_default().push(Use::Param(target.block, at));
                    }
                }
            }
        }
        uses
    }

    fn uses(&self, var: Var) -> &[Use<'f>] {
        self.of.get(&var).map_or(&[], Vec::as_slice)
    }

    /// Whether all that is passed for these parameters is among these variables.
    fn is_closed(&self, params: &BTreeSet<(Block, usize)>, vars: impl Fn(Var) -> bool) -> bool {
        let mut passed = params.iter().flat_map(|param| &self.incoming[param]);
        passed.all(|operand| operand.var().is_some_and(&vars))
    }

    /// The stack at these positions of two loops' headers, if it is a tape (FUSE4).
    pub(super) fn tape(
        &self,
        (up, down): (Block, Block),
        at: (usize, usize),
        is_inside: (&dyn Fn(Block) -> bool, &dyn Fn(Block) -> bool),
    ) -> Option<Tape> {
        let param = self.func.block(down).params[at.1];
        let TyKind::Stack(ty) = self.func.ty(param).kind() else { return None };
        let mut tape = Tape {
            at,
            ty: *ty,
            full: BTreeSet::new(),
            empty: BTreeSet::new(),
            pushed: BTreeMap::new(),
            rest: BTreeSet::new(),
            read: BTreeSet::new(),
        };
        is_data(*ty).then_some(())?;
        self.pushes((up, down), is_inside.0, &mut tape)?;
        self.pops(down, is_inside.1, &mut tape)?;
        Some(tape)
    }

    /// Finds the forward loop's variables for a stack.
    fn pushes(
        &self,
        (up, down): (Block, Block),
        is_inside: &dyn Fn(Block) -> bool,
        tape: &mut Tape,
    ) -> Option<()> {
        let first = self.func.block(up).params[tape.at.0];
        let mut stacks = Vec::new();
        let mut params = BTreeSet::new();
        let (mut seen, mut pending) = (BTreeSet::from([first]), vec![first]);
        while let Some(var) = pending.pop() {
            for found in self.uses(var) {
                let next = match found {
                    Use::Inst(Inst { result, kind: InstKind::Op { op, args }, .. })
                        if *op == &ops::STACK_PUSH && args[1].var() != Some(var) =>
                    {
                        tape.pushed.insert(*result, args[1].clone());
                        stacks.push(var);
                        *result
                    }
                    Use::Param(block, at) if (*block, *at) == (up, tape.at.0) => continue,
                    // The stack at the exit of the loop.
                    Use::Param(block, at) if (*block, *at) == (down, tape.at.1) && var == first => continue,
                    Use::Param(block, at) if is_inside(*block) && *block != up => {
                        params.insert((*block, *at));
                        self.func.block(*block).params[*at]
                    }
                    _ => return None,
                };
                if seen.insert(next) {
                    pending.push(next);
                }
            }
        }
        if !self.is_closed(&params, |var| seen.contains(&var)) {
            return None;
        }
        tape.full.extend(tape.pushed.keys());
        loop {
            let is_full = |operand: &Operand| operand.var().is_some_and(|var| tape.full.contains(&var));
            let more = params.iter().filter(|param| self.incoming[*param].iter().any(|arg| is_full(arg)));
            let more: Vec<Var> = more.map(|(block, at)| self.func.block(*block).params[*at]).collect();
            if more.iter().filter(|var| tape.full.insert(**var)).count() == 0 {
                break;
            }
        }
        tape.empty = seen.difference(&tape.full).copied().collect();
        stacks.iter().all(|var| tape.empty.contains(var)).then_some(())
    }

    /// Finds the reverse loop's variables for a stack.
    fn pops(&self, down: Block, is_inside: &dyn Fn(Block) -> bool, tape: &mut Tape) -> Option<()> {
        let first = self.func.block(down).params[tape.at.1];
        let mut params = BTreeSet::new();
        // The variables, and whether the record may have been popped.
        let (mut seen, mut pending) = (BTreeMap::from([(first, false)]), vec![first]);
        while let Some(var) = pending.pop() {
            let is_popped = seen[&var];
            for found in self.uses(var) {
                let (next, is_popped) = match found {
                    Use::Inst(Inst { result, kind: InstKind::Op { op, .. }, .. })
                        if *op == &ops::STACK_POP && !is_popped =>
                    {
                        tape.rest.insert(*result);
                        match self.rest_of(*result, tape)? {
                            Some(rest) => (rest, true),
                            None => continue,
                        }
                    }
                    Use::Inst(Inst { result, kind: InstKind::Op { op, .. }, .. })
                        if *op == &ops::STACK_PEEK && !is_popped =>
                    {
                        tape.read.insert(*result);
                        continue;
                    }
                    Use::Param(block, at) if (*block, *at) == (down, tape.at.1) => continue,
                    Use::Param(block, at) if is_inside(*block) && *block != down => {
                        params.insert((*block, *at));
                        (self.func.block(*block).params[*at], is_popped)
                    }
                    _ => return None,
                };
                let known = seen.get(&next).copied();
                if known.is_none_or(|known| is_popped && !known) {
                    seen.insert(next, is_popped);
                    pending.push(next);
                }
            }
        }
        tape.rest.extend(seen.keys());
        self.is_closed(&params, |var| seen.contains_key(&var)).then_some(())
    }

    /// The stack that a pop leaves, if it is used; notes the records.
    fn rest_of(&self, popped: Var, tape: &mut Tape) -> Option<Option<Var>> {
        let mut rest = None;
        for found in self.uses(popped) {
            let Use::Inst(Inst { result, kind: InstKind::Op { op, args }, .. }) = found else { return None };
            let part = args.get(1)?.constant()?.value().as_index()?;
            if *op != &ops::FIELD || part == 1 && rest.replace(*result).is_some() {
                return None;
            }
            if part == 0 {
                tape.read.insert(*result);
            }
        }
        Some(rest)
    }
}

/// Replaces the tapes of a fused loop by variables. `records` are what an iteration passes to its reverse iteration, and
/// `entry` is the block before the loop.
pub(super) fn replace_tapes(func: Func, tapes: &[Tape], records: &[Operand], entry: Block) -> Func {
    let source = func.clone();
    let mut editor = FuncEditor::new(&source);
    editor.func = func;
    let mut removed = BTreeSet::new();
    for (tape, record) in tapes.iter().zip(records) {
        let none = placeholder(&mut editor.func, tape.ty, entry);
        for var in &tape.empty {
            editor.replace(*var, none.clone());
        }
        for (var, pushed) in &tape.pushed {
            editor.replace(*var, pushed.clone());
        }
        // The last forward block may have got a parameter for it.
        for var in tape.full.iter().copied().chain(record.var()) {
            editor.func.vars[var.index()].ty = tape.ty;
        }
        for var in tape.read.iter().chain(&tape.rest) {
            editor.replace(*var, record.clone());
        }
        removed
            .extend(tape.empty.iter().chain(tape.pushed.keys()).chain(&tape.read).chain(&tape.rest).copied());
    }
    for body in &mut editor.func.blocks {
        body.insts.retain(|inst| !removed.contains(&inst.result));
    }
    editor.retain_params(|var| !removed.contains(&var));
    editor.apply_replacements();
    editor.into_func()
}

/// Whether values of a type are numbers, or tuples of numbers.
fn is_data(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) => true,
        TyKind::Tuple(parts) => parts.iter().all(|part| is_data(*part)),
        _ => false,
    }
}

/// A value for the iterations that record nothing.
fn placeholder(func: &mut Func, ty: Ty, entry: Block) -> Operand {
    let appended = |func: &mut Func, op: &'static OpDef, args: Vec<Operand>| {
        let mut insts = Vec::new();
        let result = func.push_op(&mut insts, op, args, ty, func.span);
        func.block_mut(entry).insts.extend(insts);
        Operand::from(result)
    };
    match ty.kind() {
        TyKind::Bool => false.into(),
        TyKind::Int(_) => appended(func, &ops::CAST, vec![0_i64.into()]),
        TyKind::Tuple(parts) => {
            let parts: Vec<Operand> = parts.iter().map(|part| placeholder(func, *part, entry)).collect();
            appended(func, &ops::TUPLE, parts)
        }
        _ => float_constant(0.0, ty),
    }
}
