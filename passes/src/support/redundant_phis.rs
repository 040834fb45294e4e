//! Block parameters that need not be: those that are the same thing on every way in, and those that equal another one.
//!
//! Which ones always are the same thing is found optimistically, for all at once: parameters that only hand each other
//! around what came in once stand for that, however many blocks the circle goes through.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{DefaultHashBuilder, HashTable};
use overdub_context::ir::{Block, Const, Operand, Var};

use crate::support::func_editor::FuncEditor;
use crate::support::incoming_args::IncomingArgs;

/// Leaves out the block parameters that something else stands for, which is still to be carried out; says whether there
/// were any.
pub(crate) fn same(editor: &mut FuncEditor<'_>) -> bool {
    if editor.func.blocks.iter().skip(1).all(|body| body.params.is_empty()) {
        return false;
    }
    let ways = IncomingArgs::of(&editor.func);
    let mut standing = Standing::of(editor, &ways);
    standing.solve();
    standing.twins();
    let found: Vec<(Var, Operand)> = standing.found().collect();
    if found.is_empty() {
        return false;
    }
    let mut goes = vec![false; editor.func.vars.len()];
    for (param, operand) in found {
        goes[param.index()] = true;
        editor.replace(param, operand);
    }
    editor.drop_params(|param| !goes[param.index()]);
    true
}

/// What stands for a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stand<'h> {
    Var(Var),
    Const(&'h Const),
}

impl<'h> Stand<'h> {
    fn of(operand: &'h Operand) -> Stand<'h> {
        match operand {
            Operand::Var(var) => Stand::Var(*var),
            Operand::Const(constant) => Stand::Const(constant),
        }
    }

    fn operand(self) -> Operand {
        match self {
            Stand::Var(var) => var.into(),
            Stand::Const(constant) => Operand::Const(constant.clone()),
        }
    }
}

/// A parameter: its variable, its block, and which of the block's it is.
#[derive(Clone, Copy)]
struct Param {
    var: Var,
    block: Block,
    at: usize,
}

/// What parameters stand for: nothing is known of those that are not in it yet.
struct Standing<'w, 'h> {
    ways: &'w IncomingArgs<'h>,
    /// In the order of the function.
    params: Vec<Param>,
    /// Which parameter each variable is, or [`NONE`].
    numbers: Vec<u32>,
    stands: Vec<Option<Stand<'h>>>,
}

const NONE: u32 = u32::MAX;

impl<'w, 'h> Standing<'w, 'h> {
    fn of(editor: &FuncEditor<'_>, ways: &'w IncomingArgs<'h>) -> Standing<'w, 'h> {
        let (mut params, mut numbers) = (Vec::new(), vec![NONE; editor.func.vars.len()]);
        for (block, body) in editor.func.iter_blocks().skip(1).filter(|(_, body)| body.terminator.is_some()) {
            for (at, &var) in body.params.iter().enumerate() {
                numbers[var.index()] = params.len() as u32;
                params.push(Param { var, block, at });
            }
        }
        Standing { ways, stands: vec![None; params.len()], params, numbers }
    }

    /// What a parameter is handed, by each way.
    fn column(&self, param: Param) -> impl Iterator<Item = &'h Operand> + use<'w, 'h> {
        self.ways.to(param.block).iter().map(move |args| &args[param.at])
    }

    /// The number of the parameter that a variable is.
    fn number(&self, var: Var) -> Option<usize> {
        self.numbers.get(var.index()).filter(|number| **number != NONE).map(|number| *number as usize)
    }

    fn solve(&mut self) {
        let mut pending = VecDeque::new();
        for at in 0..self.params.len() {
            match self.differs(self.params[at]) {
                true => self.stands[at] = Some(Stand::Var(self.params[at].var)),
                false => pending.push_back(at as u32),
            }
        }
        if pending.is_empty() {
            return;
        }
        let users = Users::of(self);
        let mut queued: Vec<bool> = self.stands.iter().map(Option::is_none).collect();
        while let Some(at) = pending.pop_front() {
            queued[at as usize] = false;
            let param = self.params[at as usize];
            if self.stands[at as usize] == Some(Stand::Var(param.var)) {
                continue;
            }
            let Some(now) = self.meet(param) else { continue };
            if self.stands[at as usize] != Some(now) {
                self.stands[at as usize] = Some(now);
                let users =
                    users.of_param(at).filter(|&user| !std::mem::replace(&mut queued[user as usize], true));
                pending.extend(users);
            }
        }
    }

    /// Whether a parameter is handed two things that cannot be the same, for they are no parameters.
    fn differs(&self, param: Param) -> bool {
        let mut others =
            self.column(param).filter(|arg| arg.var().is_none_or(|var| self.number(var).is_none()));
        let Some(first) = others.next() else { return false };
        others.any(|other| other != first)
    }

    /// What all ways in agree on that are known of; the parameter itself if they do not.
    fn meet(&self, param: Param) -> Option<Stand<'h>> {
        let mut agreed = None;
        for arg in self.column(param) {
            let value = match arg.var().and_then(|var| self.number(var)) {
                Some(number) => match self.stands[number] {
                    Some(value) => value,
                    None => continue,
                },
                None => Stand::of(arg),
            };
            match agreed {
                None => agreed = Some(value),
                Some(before) if before == value => {}
                Some(_) => return Some(Stand::Var(param.var)),
            }
        }
        agreed
    }

    /// What stands for an operand in the end.
    fn resolve(&self, operand: &'h Operand) -> Stand<'h> {
        let mut stand = Stand::of(operand);
        while let Stand::Var(var) = stand
            && let Some(next) = self.number(var).and_then(|number| self.stands[number])
            && next != stand
        {
            stand = next;
        }
        stand
    }

    /// Of the parameters of a block that are always equal, one stands for the others.
    fn twins(&mut self) {
        let hashes = DefaultHashBuilder::default();
        let mut of_block = HashTable::new();
        let mut begin = 0;
        while begin < self.params.len() {
            let block = self.params[begin].block;
            let end = begin + self.params[begin..].iter().take_while(|param| param.block == block).count();
            of_block.clear();
            for at in (begin..end).filter(|_| end - begin > 1) {
                let param = self.params[at];
                if self.stands[at].is_some_and(|stand| stand != Stand::Var(param.var)) {
                    continue;
                }
                let mut state = hashes.build_hasher();
                self.marked(param).for_each(|stand| stand.hash(&mut state));
                let hash = state.finish();
                let is_twin = |(_, other): &(u64, Param)| self.marked(*other).eq(self.marked(param));
                match of_block.find(hash, is_twin) {
                    Some((_, twin)) => self.stands[at] = Some(Stand::Var(twin.var)),
                    None => drop(of_block.insert_unique(hash, (hash, param), |(hash, _)| *hash)),
                }
            }
            begin = end;
        }
    }

    /// What a parameter is handed, nothing where it hands on itself: two that do are equal if they are elsewhere.
    fn marked(&self, param: Param) -> impl Iterator<Item = Option<Stand<'h>>> {
        let resolved = self.column(param).map(|arg| self.resolve(arg));
        resolved.map(move |stand| (stand != Stand::Var(param.var)).then_some(stand))
    }

    /// The parameters that something else stands for.
    fn found(self) -> impl Iterator<Item = (Var, Operand)> {
        let all = self.params.into_iter().zip(self.stands);
        let others = all.filter(|(param, stand)| stand.is_some_and(|stand| stand != Stand::Var(param.var)));
        others.filter_map(|(param, stand)| Some((param.var, stand?.operand())))
    }
}

/// Who of those of which nothing is known is handed each parameter, as lists of links.
struct Users {
    /// The first link of each parameter, or [`NONE`].
    first: Vec<u32>,
    /// The user, and the next link.
    links: Vec<(u32, u32)>,
}

impl Users {
    fn of(standing: &Standing<'_, '_>) -> Users {
        let mut users = Users { first: vec![NONE; standing.params.len()], links: Vec::new() };
        // The last one is linked first, so that the lists are in the order of the function.
        let unknown = |user: &u32| standing.stands[*user as usize].is_none();
        for user in (0..standing.params.len() as u32).rev().filter(unknown) {
            let handed = standing.column(standing.params[user as usize]).filter_map(Operand::var);
            for number in handed.filter_map(|var| standing.number(var)) {
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
