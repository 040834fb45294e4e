//! Block parameters that need not be: those that are the same thing on every way in, and those that equal another one.
//!
//! Which ones always are the same thing is found optimistically, for all at once: parameters that only hand each other
//! around what came in once stand for that, however many blocks the circle goes through.

use std::collections::VecDeque;

use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Block, Operand, Var};

use crate::work::Work;

/// Leaves out the block parameters that something else stands for; says whether there were any.
pub(crate) fn same(work: &mut Work<'_>) -> bool {
    let handed = handed(work);
    for (param, operand) in Standing::of(work, &handed).found() {
        work.replace(param, operand);
    }
    let mut kept = HashMap::new();
    for block in work.blocks().into_iter().filter(|&block| block != Block::ENTRY) {
        let ways = &handed[block.index()];
        let params = work.func.block(block).params.clone();
        let mut stays = vec![true; params.len()];
        let mut columns: HashMap<Vec<Operand>, Var> = HashMap::new();
        for (at, &param) in params.iter().enumerate() {
            let itself = Operand::Var(param);
            if work.resolve(&itself) != itself {
                stays[at] = false;
                continue;
            }
            // Two parameters that hand on themselves are equal if they are elsewhere.
            let marked = |arg: Operand| if arg == itself { Operand::unit() } else { arg };
            let column = ways.iter().map(|args| marked(work.resolve(&args[at]))).collect();
            match columns.entry(column) {
                Entry::Occupied(twin) => {
                    work.replace(param, (*twin.get()).into());
                    stays[at] = false;
                }
                Entry::Vacant(slot) => {
                    slot.insert(param);
                }
            }
        }
        if stays.contains(&false) {
            kept.insert(block, stays);
        }
    }
    drop_params(work, &kept);
    work.carry_out();
    !kept.is_empty()
}

/// Leaves out parameters of blocks, and what is handed to them.
fn drop_params(work: &mut Work<'_>, kept: &HashMap<Block, Vec<bool>>) {
    if kept.is_empty() {
        return;
    }
    for block in work.blocks() {
        if let Some(stays) = kept.get(&block) {
            let mut stays = stays.iter();
            work.body(block).params.retain(|_| stays.next() != Some(&false));
        }
        for target in work.end_mut(block).kind.targets_mut() {
            if let Some(stays) = kept.get(&target.block) {
                let mut stays = stays.iter();
                target.args.retain(|_| stays.next() != Some(&false));
            }
        }
    }
}

/// What each block is handed, by each way in.
fn handed(work: &Work<'_>) -> Vec<Vec<Vec<Operand>>> {
    let mut handed = vec![Vec::new(); work.func.blocks.len()];
    for block in work.blocks() {
        for target in work.end(block).kind.targets() {
            handed[target.block.index()].push(target.args.clone());
        }
    }
    handed
}

/// What parameters stand for: nothing is known of those that are not in it yet.
struct Standing<'h> {
    columns: HashMap<Var, Vec<&'h Operand>>,
    /// In the order of the function.
    params: Vec<Var>,
    /// Who is handed a parameter.
    users: HashMap<Var, Vec<Var>>,
    stands: HashMap<Var, Operand>,
}

impl<'h> Standing<'h> {
    fn of(work: &Work<'_>, handed: &'h [Vec<Vec<Operand>>]) -> Standing<'h> {
        let mut new = Standing {
            columns: HashMap::new(),
            params: Vec::new(),
            users: HashMap::new(),
            stands: HashMap::new(),
        };
        for block in work.blocks().into_iter().filter(|&block| block != Block::ENTRY) {
            for (at, &param) in work.func.block(block).params.iter().enumerate() {
                let column: Vec<&Operand> = handed[block.index()].iter().map(|args| &args[at]).collect();
                for var in column.iter().filter_map(|arg| arg.var()) {
                    new.users.entry(var).or_default().push(param);
                }
                new.columns.insert(param, column);
                new.params.push(param);
            }
        }
        new.solve();
        new
    }

    fn solve(&mut self) {
        let mut pending: VecDeque<Var> = self.params.iter().copied().collect();
        let mut queued: HashSet<Var> = pending.iter().copied().collect();
        while let Some(param) = pending.pop_front() {
            queued.remove(&param);
            let itself = Operand::Var(param);
            if self.stands.get(&param) == Some(&itself) {
                continue;
            }
            let Some(now) = self.meet(param) else { continue };
            if self.stands.get(&param) != Some(&now) {
                self.stands.insert(param, now);
                let users = self.users.get(&param).map_or(&[][..], Vec::as_slice);
                pending.extend(users.iter().filter(|&&user| queued.insert(user)));
            }
        }
    }

    /// What all ways in agree on that are known of; the parameter itself if they do not.
    fn meet(&self, param: Var) -> Option<Operand> {
        let mut agreed: Option<&Operand> = None;
        for &arg in &self.columns[&param] {
            let value = match arg.var().filter(|var| self.columns.contains_key(var)) {
                Some(var) => match self.stands.get(&var) {
                    Some(value) => value,
                    None => continue,
                },
                None => arg,
            };
            match agreed {
                None => agreed = Some(value),
                Some(before) if before == value => {}
                Some(_) => return Some(param.into()),
            }
        }
        agreed.cloned()
    }

    /// The parameters that something else stands for.
    fn found(self) -> impl Iterator<Item = (Var, Operand)> {
        let mut stands = self.stands;
        let found = self.params.into_iter().filter_map(move |param| Some((param, stands.remove(&param)?)));
        found.filter(|(param, operand)| operand.var() != Some(*param))
    }
}
