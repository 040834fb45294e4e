//! Bounds checks that a check before them makes needless.
//!
//! ```text
//!   %n: usize = len %xs                            %n: usize = len %xs
//!   …                                              …
//! ^loop(%i: usize):                              ^loop(%i: usize):
//!   %c: bool = lt %i, %n                   →       %c: bool = lt %i, %n
//!   br_if %c, ^body, ^done                         br_if %c, ^body, ^done
//! ^body:                                         ^body:
//!   %x: f64 = get %xs, %i                          %x: f64 = get.unchecked %xs, %i
//! ```
//!
//! - Indices of type `usize` only: they are not negative.
//! - Arrays that are made by `set` from one another have one length; so has a block parameter whose arguments do.
//! - What `repeat _, n` makes has length `n`, and a list of elements as many as there are.
//! - `i < n` is known where the only way in is the branch that found it; `i + 1 < n` follows from `i < n - 1`.
//! - An index that was checked is in bounds wherever that check dominates.
//! - The interpreter checks all the same: a wrong proof is a failure there, and not the end of the process.

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, InstKind, Operand, Target, TerminatorKind, Ty, Var};
use overdub_context::ops;

use crate::scope::Scope;
use crate::simplify::int_of;
use crate::work::{Defs, Work};

/// Replaces checked accesses by unchecked ones where a check before them proves them in bounds.
pub(crate) fn run(work: &mut Work<'_>, _: &Scope<'_>) -> bool {
    let accesses =
        |kind: &InstKind| matches!(kind, InstKind::Op { op, .. } if **op == ops::GET || **op == ops::SET);
    if !work.func.blocks.iter().flat_map(|body| &body.insts).any(|inst| accesses(&inst.kind)) {
        return false;
    }
    let cfg = Cfg::new(&work.func);
    let dominators = Dominators::new(&cfg);
    let defs = Defs::of(&work.func);
    let roots = Roots::of(work, &defs);
    let mut facts: Vec<(Operand, Operand)> = Vec::new();
    let mut proven: Vec<(Block, usize)> = Vec::new();
    let mut checked = Checked::default();
    let mut pending = vec![(Block::ENTRY, None)];
    while let Some((block, left)) = pending.pop() {
        if let Some((known, done)) = left {
            facts.truncate(known);
            checked.forget_from(done);
            continue;
        }
        pending.push((block, Some((facts.len(), checked.order.len()))));
        if let [pred] = cfg.preds(block) {
            facts.extend(less(work, &defs, *pred, block));
        }
        for (i, inst) in
            work.func.block(block).insts.iter().enumerate().filter(|(_, inst)| accesses(&inst.kind))
        {
            let InstKind::Op { args, .. } = &inst.kind else { continue };
            let (Operand::Var(array), at) = (&args[0], &args[1]) else { continue };
            if work.ty(at) != Ty::usize() {
                continue;
            }
            if checked.holds(roots.root(*array), at) || in_bounds(work, &defs, &roots, &facts, *array, at) {
                proven.push((block, i));
            } else {
                checked.add(roots.root(*array), at);
            }
        }
        pending.extend(dominators.children(block).map(|child| (child, None)));
    }
    let changed = !proven.is_empty();
    for (block, i) in proven {
        if let InstKind::Op { op, .. } = &mut work.body(block).insts[i].kind {
            *op = if **op == ops::GET { &ops::GET_UNCHECKED } else { &ops::SET_UNCHECKED };
        }
    }
    changed
}

/// The indices that were checked on the way to a block, each with the array whose length it was held to.
#[derive(Default)]
struct Checked {
    all: HashSet<(Var, Operand)>,
    order: Vec<(Var, Operand)>,
}

impl Checked {
    fn holds(&self, root: Var, at: &Operand) -> bool {
        self.all.contains(&(root, at.clone()))
    }

    fn add(&mut self, root: Var, at: &Operand) {
        self.all.insert((root, at.clone()));
        self.order.push((root, at.clone()));
    }

    fn forget_from(&mut self, done: usize) {
        for gone in self.order.drain(done..) {
            self.all.remove(&gone);
        }
    }
}

/// What is less than what where `block` is entered from `pred`, its only way in.
pub(crate) fn less(work: &Work<'_>, defs: &Defs, pred: Block, block: Block) -> Option<(Operand, Operand)> {
    let TerminatorKind::BrIf { cond, then, otherwise } = &work.end(pred).kind else { return None };
    let here = |target: &Target| target.block == block;
    if here(then) == here(otherwise) {
        return None;
    }
    let InstKind::Op { op, args } = defs.inst(&work.func, cond)? else { return None };
    let [x, y] = args.as_slice() else { return None };
    let holds = here(then);
    if (**op == ops::LT && holds) || (**op == ops::GE && !holds) {
        Some((x.clone(), y.clone()))
    } else if (**op == ops::GT && holds) || (**op == ops::LE && !holds) {
        Some((y.clone(), x.clone()))
    } else {
        None
    }
}

fn in_bounds(
    work: &Work<'_>,
    defs: &Defs,
    roots: &Roots,
    facts: &[(Operand, Operand)],
    array: Var,
    at: &Operand,
) -> bool {
    let root = roots.root(array);
    let made_so_long = match defs.inst(&work.func, &root.into()) {
        Some(InstKind::Op { op, args }) if **op == ops::REPEAT => args.get(1).cloned(),
        Some(InstKind::Op { op, args }) if **op == ops::ARRAY => {
            if int_of(at).is_some_and(|at| (0..args.len() as i128).contains(&at)) {
                return true;
            }
            None
        }
        _ => None,
    };
    // How much is known to lie between `bound` and the length: `bound + spare <= len`.
    let spare = |bound: &Operand| -> Option<i128> {
        let (bound, spare) = match defs.inst(&work.func, bound) {
            Some(InstKind::Op { op, args }) if **op == ops::SUB => (&args[0], int_of(&args[1])?),
            _ => (bound, 0),
        };
        if made_so_long.as_ref() == Some(bound) {
            return Some(spare);
        }
        match defs.inst(&work.func, bound)? {
            InstKind::Op { op, args } if **op == ops::LEN && roots.root(args[0].var()?) == root => {
                Some(spare)
            }
            _ => None,
        }
    };
    let added = match defs.inst(&work.func, at) {
        Some(InstKind::Op { op, args }) if **op == ops::ADD => int_of(&args[1]).map(|n| (&args[0], n)),
        _ => None,
    };
    facts.iter().any(|(x, y)| {
        let Some(spare) = spare(y) else { return false };
        x == at || added.is_some_and(|(base, n)| x == base && (0..=spare).contains(&n))
    })
}

/// Arrays are followed through loops so deep in each other.
const DEEPEST: usize = 8;

/// Of each array the one whose length it has.
struct Roots(HashMap<Var, Var>);

impl Roots {
    fn of(work: &Work<'_>, defs: &Defs) -> Roots {
        let mut handed: HashMap<Var, Vec<Operand>> = HashMap::new();
        for block in work.blocks() {
            for target in work.end(block).kind.targets() {
                for (arg, &param) in target.args.iter().zip(&work.func.block(target.block).params) {
                    if work.func.ty(param).as_array().is_some() {
                        handed.entry(param).or_default().push(arg.clone());
                    }
                }
            }
        }
        let mut roots = Roots(HashMap::new());
        for body in &work.func.blocks {
            for inst in &body.insts {
                if let InstKind::Op { op, args } = &inst.kind
                    && (**op == ops::SET || **op == ops::SET_UNCHECKED || **op == ops::SWAP)
                    && let Some(Operand::Var(array)) = args.first()
                {
                    roots.0.insert(inst.result, *array);
                }
            }
        }
        let mut params: Vec<(Var, Vec<Operand>)> = handed.into_iter().collect();
        params.sort_unstable_by_key(|(param, _)| *param);
        // What an inner loop hands back to an outer one is known after the inner one is.
        for _ in 0..DEEPEST {
            let known = roots.0.len();
            params.retain(|(param, args)| !roots.hand(defs, *param, args));
            if roots.0.len() == known {
                break;
            }
        }
        roots
    }

    /// Whether all that is handed to a block parameter has one length, which the parameter has then, too.
    fn hand(&mut self, defs: &Defs, param: Var, args: &[Operand]) -> bool {
        // What comes back in a circle has the length that went in.
        let ends = args.iter().map(|arg| arg.var().map(|var| self.root(var)));
        let mut others = ends.filter(|root| *root != Some(param));
        let Some(Some(first)) = others.next() else { return false };
        let same = others.all(|other| other == Some(first)) && defs.place(first).is_some();
        if same {
            self.0.insert(param, first);
        }
        same
    }

    fn root(&self, mut var: Var) -> Var {
        while let Some(&next) = self.0.get(&var) {
            var = next;
        }
        var
    }
}
