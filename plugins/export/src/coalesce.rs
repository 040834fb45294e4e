//! Out of SSA: which variables share a local.
//!
//! Variables that are connected by an update in place or by a block parameter get one local if they are never live
//! together (Boissinot et al., *Revisiting Out-of-SSA Translation for Correctness, Code Quality, and Efficiency*,
//! CGO 2009); the others are copied.

use hashbrown::HashSet;
use overdub_context::analysis::{Cfg, LoopNest};
use overdub_context::ir::{Block, Operand, Var};

use crate::ast::{Local, LocalInfo};
use crate::bits::Bits;
use crate::body::{Body, Node, NodeKind};
use crate::liveness::{Borrows, Liveness, with_owners};
use crate::ownership::{is_copied, is_projection, update_of};

/// The locals of a body.
pub(crate) struct Locals {
    pub(crate) of: Vec<Local>,
    pub(crate) infos: Vec<LocalInfo>,
}

/// The variables that are references to a part of another one: parts of what lives at least as long.
pub(crate) fn borrows(body: &Body, cfg: &Cfg, is_ref: &dyn Fn(Var) -> bool) -> Borrows {
    let mut roots: Borrows = vec![None; body.vars.len()];
    for &block in cfg.reverse_postorder() {
        for node in &body.block(block).nodes {
            let (Some(result), NodeKind::Op(op)) = (node.result(), &node.kind) else { continue };
            let root = node.args.first().and_then(Operand::var);
            if is_projection(op) && !is_copied(body.vars[result.index()].ty) {
                roots[result.index()] = root;
            }
        }
    }
    let none = vec![None; body.vars.len()];
    let live = Liveness::new(body, cfg, &none);
    let mut dropped = Bits::new(body.vars.len());
    for &block in cfg.reverse_postorder() {
        let code = body.block(block);
        live.visit(body, block, &none, |at, after| {
            let mut check = |operand: &Operand| {
                let Some(var) = operand.var() else { return };
                let Some(root) = roots[var.index()] else { return };
                if !is_ref(root) && roots[root.index()].is_none() && !after.contains(root.index()) {
                    dropped.insert(var.index());
                }
                if roots[root.index()].is_some() && !after.contains(root.index()) {
                    // The root is a reference itself if it stays one; what it is borrowed from must then live on.
                    dropped.insert(var.index());
                }
            };
            match code.nodes.get(at) {
                Some(node) => node.args.iter().for_each(&mut check),
                // What is passed on to another block is a value.
                None => code.terminator.kind.operands().for_each(&mut check),
            }
        });
    }
    dropped.iter().for_each(|var| roots[var] = None);
    // A part of a reference to a parameter is one as well, even if the reference is not used again.
    for &block in cfg.reverse_postorder() {
        for node in &body.block(block).nodes {
            let (Some(result), NodeKind::Op(op)) = (node.result(), &node.kind) else { continue };
            let Some(root) = node.args.first().and_then(Operand::var) else { continue };
            let lives_on = is_ref(root) || leads_to_ref(root, &roots, is_ref);
            if is_projection(op) && !is_copied(body.vars[result.index()].ty) && lives_on {
                roots[result.index()] = Some(root);
            }
        }
    }
    roots
}

fn leads_to_ref(var: Var, roots: &Borrows, is_ref: &dyn Fn(Var) -> bool) -> bool {
    let mut next = roots[var.index()];
    while let Some(root) = next {
        if is_ref(root) {
            return true;
        }
        next = roots[root.index()];
    }
    false
}

/// Classes of variables that share a local.
struct Classes {
    parent: Vec<u32>,
    /// The classes with a member that is live together with one of the class.
    conflicts: Vec<HashSet<u32>>,
}

impl Classes {
    /// A class for each variable.
    fn new(vars: usize) -> Classes {
        Classes { parent: (0..vars as u32).collect(), conflicts: vec![HashSet::new(); vars] }
    }

    fn find(&mut self, var: Var) -> u32 {
        let mut at = var.0;
        while self.parent[at as usize] != at {
            let up = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = up;
            at = up;
        }
        at
    }

    fn merge(&mut self, a: Var, b: Var) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b || self.conflicts[a as usize].contains(&b) {
            return;
        }
        let (kept, gone) = if self.conflicts[a as usize].len() >= self.conflicts[b as usize].len() {
            (a, b)
        } else {
            (b, a)
        };
        self.parent[gone as usize] = kept;
        for other in std::mem::take(&mut self.conflicts[gone as usize]) {
            self.conflicts[other as usize].remove(&gone);
            self.conflicts[other as usize].insert(kept);
            self.conflicts[kept as usize].insert(other);
        }
    }
}

/// The variables that may share a local with others: those that pairs connect. Only conflicts among these matter.
struct Candidates {
    /// For each variable, the number of its group.
    group: Vec<Option<u32>>,
    /// The variables of each group.
    members: Vec<Vec<u32>>,
}

impl Candidates {
    fn new(vars: usize, pairs: &[(Var, Var)]) -> Candidates {
        let mut connected = Classes::new(vars);
        pairs.iter().for_each(|(a, b)| connected.merge(*a, *b));
        let mut found = Candidates { group: vec![None; vars], members: Vec::new() };
        let mut numbers = vec![None; vars];
        for var in pairs.iter().flat_map(|(a, b)| [*a, *b]) {
            if found.group[var.index()].is_some() {
                continue;
            }
            let number = *numbers[connected.find(var) as usize].get_or_insert_with(|| {
                found.members.push(Vec::new());
                found.members.len() as u32 - 1
            });
            found.group[var.index()] = Some(number);
            found.members[number as usize].push(var.0);
        }
        found
    }

    /// The other members of the group of a variable.
    fn beside(&self, var: Var) -> impl Iterator<Item = Var> + '_ {
        let members = self.group[var.index()].map(|group| &self.members[group as usize]);
        members.into_iter().flatten().map(|&other| Var(other)).filter(move |other| *other != var)
    }
}

impl Locals {
    /// Chooses the locals. `fixed` variables share none.
    pub(crate) fn new(
        body: &Body,
        cfg: &Cfg,
        loops: &LoopNest,
        (live, borrows): (&Liveness, &Borrows),
        fixed: &dyn Fn(Var) -> bool,
        is_ref: &dyn Fn(Var) -> bool,
    ) -> Locals {
        let mut pairs = pairs(body, cfg, loops);
        pairs.retain(|(a, b)| {
            let may =
                |var: &Var| !fixed(*var) && !body.params().contains(var) && borrows[var.index()].is_none();
            may(a) && may(b) && body.vars[a.index()].ty == body.vars[b.index()].ty
        });
        let mut classes = Classes::new(body.vars.len());
        let candidates = Candidates::new(body.vars.len(), &pairs);
        conflicts(body, cfg, (live, borrows), &candidates, &mut classes);
        for (a, b) in pairs {
            classes.merge(a, b);
        }
        let mut numbers = vec![None; body.vars.len()];
        let mut locals = Locals { of: Vec::new(), infos: Vec::new() };
        for (var, info) in (0..).map(Var).zip(&body.vars) {
            let class = classes.find(var) as usize;
            let local = *numbers[class].get_or_insert_with(|| {
                let is_ref = is_ref(var) || borrows[var.index()].is_some();
                locals.infos.push(LocalInfo { ty: info.ty, name: None, is_ref, is_mut: false });
                Local(locals.infos.len() as u32 - 1)
            });
            locals.of.push(local);
            let name = &mut locals.infos[local.0 as usize].name;
            if name.is_none() {
                *name = info.name.as_deref().and_then(readable);
            }
        }
        locals
    }
}

/// The part of a printed name that is worth keeping: names that are numbers come from no source.
fn readable(name: &str) -> Option<String> {
    let name = name.split('.').next()?;
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (begins && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then(|| name.to_ascii_lowercase())
}

/// The pairs of variables that should share a local, the most important first.
fn pairs(body: &Body, cfg: &Cfg, loops: &LoopNest) -> Vec<(Var, Var)> {
    let mut updates = Vec::new();
    let mut passed = Vec::new();
    for &block in cfg.reverse_postorder() {
        let code = body.block(block);
        for node in &code.nodes {
            let NodeKind::Op(op) = &node.kind else { continue };
            if update_of(op).is_none() {
                continue;
            }
            if let (Some(before), Some(Some(after))) = (node.args[0].var(), node.results.last()) {
                updates.push((before, *after));
            }
        }
        let depth = loops.depth(block);
        for target in code.terminator.kind.targets() {
            for (param, arg) in body.block(target.block).params.iter().zip(&target.args) {
                passed.extend(arg.var().map(|arg| (depth, *param, arg)));
            }
        }
    }
    passed.sort_by_key(|(depth, ..)| std::cmp::Reverse(*depth));
    updates.extend(passed.into_iter().map(|(_, param, arg)| (param, arg)));
    updates
}

/// The operand that a node updates, if another operand is the same or borrowed from it.
fn updated_and_read(node: &Node, borrows: &Borrows) -> Option<Var> {
    let NodeKind::Op(op) = node.kind else { return None };
    update_of(op)?;
    let updated = node.args.first()?.var()?;
    let mut is_read = false;
    for var in node.args[1..].iter().filter_map(Operand::var) {
        with_owners(var, borrows, |owner| is_read |= owner == updated);
    }
    is_read.then_some(updated)
}

fn conflicts(
    body: &Body,
    cfg: &Cfg,
    (live, borrows): (&Liveness, &Borrows),
    candidates: &Candidates,
    classes: &mut Classes,
) {
    let mut note = |defined: Var, is_live: &dyn Fn(Var) -> bool| {
        for other in candidates.beside(defined).filter(|other| is_live(*other)) {
            classes.conflicts[defined.index()].insert(other.0);
            classes.conflicts[other.index()].insert(defined.0);
        }
    };
    for &block in cfg.reverse_postorder() {
        let code = body.block(block);
        live.visit(body, block, borrows, |at, after| {
            let Some(node) = code.nodes.get(at) else { return };
            let read = updated_and_read(node, borrows);
            for &result in node.results.iter().flatten() {
                note(result, &|other| {
                    after.contains(other.index())
                        || read == Some(other)
                        || node.results.contains(&Some(other))
                });
            }
        });
        let at_start = live.live_in(block);
        for &param in &code.params {
            note(param, &|other| at_start.contains(other.index()) || code.params.contains(&other));
        }
    }
}

/// For each node of a block, and its terminator, the variables that are used there for the last time.
pub(crate) fn last_uses(body: &Body, block: Block, (live, borrows): (&Liveness, &Borrows)) -> Vec<Vec<Var>> {
    let code = body.block(block);
    let mut last = vec![Vec::new(); code.nodes.len() + 1];
    live.visit(body, block, borrows, |at, after| {
        let operands: Vec<Var> = match code.nodes.get(at) {
            Some(node) => node.args.iter().filter_map(Operand::var).collect(),
            None => code.terminator.kind.operands().filter_map(Operand::var).collect(),
        };
        last[at] = operands.into_iter().filter(|var| !after.contains(var.index())).collect();
    });
    last
}
