//! Removal of redundant block parameters: those that have the same value on every incoming edge, and those that equal
//! another parameter of the block.
//!
//! All parameters are solved at once and optimistically, so that a cycle of parameters that only pass each
//! other one incoming value is found redundant, however many blocks it spans. Cranelift calls the pass
//! `remove_constant_phis`.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{DefaultHashBuilder, HashTable};
use overdub_context::ir::{Block, Const, Operand, Var};

use crate::support::incoming_args::IncomingArgs;
use overdub_context::edit::FuncEditor;

/// Removes the redundant block parameters and records their replacements, which the caller has to apply;
/// returns whether there were any.
pub(crate) fn remove(editor: &mut FuncEditor<'_>) -> bool {
    if editor.func.blocks.iter().skip(1).all(|body| body.params.is_empty()) {
        return false;
    }
    let incoming = IncomingArgs::of(&editor.func);
    let mut solver = Solver::of(editor, &incoming);
    solver.solve();
    solver.merge_equal();
    let found: Vec<(Var, Operand)> = solver.redundant().collect();
    if found.is_empty() {
        return false;
    }
    let mut removed = vec![false; editor.func.vars.len()];
    for (param, operand) in found {
        removed[param.index()] = true;
        editor.replace(param, operand);
    }
    editor.retain_params(|param| !removed[param.index()]);
    true
}

/// The value of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PhiValue<'h> {
    Var(Var),
    Const(&'h Const),
}

impl<'h> PhiValue<'h> {
    fn of(operand: &'h Operand) -> PhiValue<'h> {
        match operand {
            Operand::Var(var) => PhiValue::Var(*var),
            Operand::Const(constant) => PhiValue::Const(constant),
        }
    }

    fn operand(self) -> Operand {
        match self {
            PhiValue::Var(var) => var.into(),
            PhiValue::Const(constant) => Operand::Const(constant.clone()),
        }
    }
}

/// A parameter of a block.
#[derive(Clone, Copy)]
struct Param {
    var: Var,
    block: Block,
    index: usize,
}

/// The solver for the values of parameters.
struct Solver<'w, 'h> {
    incoming: &'w IncomingArgs<'h>,
    /// The parameters, in the order of the function.
    params: Vec<Param>,
    /// The index in `params` of each variable, or [`NONE`].
    numbers: Vec<u32>,
    /// The value of each parameter: none while it is undetermined, the parameter itself if it is not redundant.
    values: Vec<Option<PhiValue<'h>>>,
}

const NONE: u32 = u32::MAX;

impl<'w, 'h> Solver<'w, 'h> {
    fn of(editor: &FuncEditor<'_>, incoming: &'w IncomingArgs<'h>) -> Solver<'w, 'h> {
        let (mut params, mut numbers) = (Vec::new(), vec![NONE; editor.func.vars.len()]);
        for (block, body) in editor.func.iter_blocks().skip(1).filter(|(_, body)| body.terminator.is_some()) {
            for (index, &var) in body.params.iter().enumerate() {
                numbers[var.index()] = params.len() as u32;
                params.push(Param { var, block, index });
            }
        }
        Solver { incoming, values: vec![None; params.len()], params, numbers }
    }

    /// The arguments for a parameter, by incoming edge.
    fn args(&self, param: Param) -> impl Iterator<Item = &'h Operand> + use<'w, 'h> {
        self.incoming.to(param.block).iter().map(move |args| &args[param.index])
    }

    /// The index in `params` of a variable.
    fn number(&self, var: Var) -> Option<usize> {
        self.numbers.get(var.index()).filter(|number| **number != NONE).map(|number| *number as usize)
    }

    /// Propagates values along the edges until they no longer change.
    fn solve(&mut self) {
        let mut pending = VecDeque::new();
        for at in 0..self.params.len() {
            match self.differs(self.params[at]) {
                true => self.values[at] = Some(PhiValue::Var(self.params[at].var)),
                false => pending.push_back(at as u32),
            }
        }
        if pending.is_empty() {
            return;
        }
        let users = Users::of(self);
        let mut queued: Vec<bool> = self.values.iter().map(Option::is_none).collect();
        while let Some(at) = pending.pop_front() {
            queued[at as usize] = false;
            let param = self.params[at as usize];
            if self.values[at as usize] == Some(PhiValue::Var(param.var)) {
                continue;
            }
            let Some(value) = self.join_args(param) else { continue };
            if self.values[at as usize] != Some(value) {
                self.values[at as usize] = Some(value);
                let users =
                    users.of_param(at).filter(|&user| !std::mem::replace(&mut queued[user as usize], true));
                pending.extend(users);
            }
        }
    }

    /// Whether two of the arguments for a parameter that are not parameters themselves differ.
    fn differs(&self, param: Param) -> bool {
        let mut others =
            self.args(param).filter(|arg| arg.var().is_none_or(|var| self.number(var).is_none()));
        let Some(first) = others.next() else { return false };
        others.any(|other| other != first)
    }

    /// The common value of the determined arguments for a parameter, or the parameter itself if they differ.
    fn join_args(&self, param: Param) -> Option<PhiValue<'h>> {
        let mut agreed = None;
        for arg in self.args(param) {
            let value = match arg.var().and_then(|var| self.number(var)) {
                Some(number) => match self.values[number] {
                    Some(value) => value,
                    None => continue,
                },
                None => PhiValue::of(arg),
            };
            match agreed {
                None => agreed = Some(value),
                Some(before) if before == value => {}
                Some(_) => return Some(PhiValue::Var(param.var)),
            }
        }
        agreed
    }

    /// The value of an operand after solving.
    fn resolve(&self, operand: &'h Operand) -> PhiValue<'h> {
        let mut value = PhiValue::of(operand);
        while let PhiValue::Var(var) = value
            && let Some(next) = self.number(var).and_then(|number| self.values[number])
            && next != value
        {
            value = next;
        }
        value
    }

    /// Replaces parameters that always equal an earlier parameter of their block.
    fn merge_equal(&mut self) {
        let hashes = DefaultHashBuilder::default();
        let mut of_block = HashTable::new();
        let mut begin = 0;
        while begin < self.params.len() {
            let block = self.params[begin].block;
            let end = begin + self.params[begin..].iter().take_while(|param| param.block == block).count();
            of_block.clear();
            for at in (begin..end).filter(|_| end - begin > 1) {
                let param = self.params[at];
                if self.values[at].is_some_and(|value| value != PhiValue::Var(param.var)) {
                    continue;
                }
                let mut state = hashes.build_hasher();
                self.signature(param).for_each(|value| value.hash(&mut state));
                let hash = state.finish();
                let is_equal = |(_, other): &(u64, Param)| self.signature(*other).eq(self.signature(param));
                match of_block.find(hash, is_equal) {
                    Some((_, equal)) => self.values[at] = Some(PhiValue::Var(equal.var)),
                    None => drop(of_block.insert_unique(hash, (hash, param), |(hash, _)| *hash)),
                }
            }
            begin = end;
        }
    }

    /// The values of the arguments for a parameter, none where it is passed to itself: parameters with equal
    /// signatures are always equal.
    fn signature(&self, param: Param) -> impl Iterator<Item = Option<PhiValue<'h>>> {
        let resolved = self.args(param).map(|arg| self.resolve(arg));
        resolved.map(move |value| (value != PhiValue::Var(param.var)).then_some(value))
    }

    /// The redundant parameters and their values.
    fn redundant(self) -> impl Iterator<Item = (Var, Operand)> {
        let all = self.params.into_iter().zip(self.values);
        let others =
            all.filter(|(param, value)| value.is_some_and(|value| value != PhiValue::Var(param.var)));
        others.filter_map(|(param, value)| Some((param.var, value?.operand())))
    }
}

/// The undetermined parameters to which each parameter is passed, as linked lists.
struct Users {
    /// The first link of each parameter's list, or [`NONE`].
    first: Vec<u32>,
    /// The user, and the next link.
    links: Vec<(u32, u32)>,
}

impl Users {
    fn of(solver: &Solver<'_, '_>) -> Users {
        let mut users = Users { first: vec![NONE; solver.params.len()], links: Vec::new() };
        // Links are prepended: the users are visited in reverse so that the lists are in the order of the function.
        let undetermined = |user: &u32| solver.values[*user as usize].is_none();
        for user in (0..solver.params.len() as u32).rev().filter(undetermined) {
            let passed = solver.args(solver.params[user as usize]).filter_map(Operand::var);
            for number in passed.filter_map(|var| solver.number(var)) {
                let next = std::mem::replace(&mut users.first[number], users.links.len() as u32);
                users.links.push((user, next));
            }
        }
        users
    }

    fn of_param(&self, param: u32) -> impl Iterator<Item = u32> {
        let link = |at: u32| (at != NONE).then(|| self.links[at as usize]);
        std::iter::successors(link(self.first[param as usize]), move |(_, next)| link(*next))
            .map(|(user, _)| user)
    }
}
