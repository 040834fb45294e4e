//! What the locals of a function are called.

use hashbrown::HashSet;

use crate::ast::{Function, Local, LoopKind, Stmt, StmtKind};
use crate::names::Names;

/// The parameter for the workspace.
pub(crate) const WORKSPACE: &str = "workspace";

/// The names of the locals of a function: by the source, otherwise by numbers, counters of loops by letters.
pub(crate) fn local_names(function: &Function, taken: &Names) -> Vec<String> {
    let mut names = taken.clone();
    if function.has_workspace {
        names.unique(WORKSPACE);
    }
    let mut found = vec![String::new(); function.locals.len()];
    let mut order = function.params.clone();
    order.extend(function.destinations.iter().map(|to| to.slice));
    let before = order.len();
    in_order(&function.body, &mut order);
    let mut counters = HashSet::new();
    counters_of(&function.body, &mut counters);
    let used: HashSet<Local> = order[before..].iter().copied().collect();
    let mut seen = HashSet::new();
    order.retain(|local| seen.insert(*local));
    // Names of the source come before invented ones.
    for &local in &order {
        let name = match &function.locals[local.0 as usize].name {
            Some(name) => name.clone(),
            None => match function.params.iter().position(|param| *param == local) {
                Some(number) => format!("x{number}"),
                None => continue,
            },
        };
        let prefix = if used.contains(&local) || name.starts_with('_') { "" } else { "_" };
        found[local.0 as usize] = names.unique(&format!("{prefix}{name}"));
    }
    let mut temporaries = 0;
    for &local in &order {
        let name = &mut found[local.0 as usize];
        if !name.is_empty() {
            continue;
        }
        *name = if counters.contains(&local) {
            names.unique("i")
        } else {
            temporaries += 1;
            names.unique(&format!("t{temporaries}"))
        };
    }
    found
}

fn in_order(list: &[Stmt], order: &mut Vec<Local>) {
    for stmt in list {
        if let StmtKind::Loop { kind: LoopKind::For { counter, .. }, .. } = &stmt.kind {
            order.push(*counter);
        }
        stmt.for_each_local(&mut |local| order.push(local));
        if let StmtKind::Switch { arms, .. } = &stmt.kind {
            order.extend(arms.iter().flat_map(|arm| &arm.bound).map(|(_, local)| *local));
        }
        stmt.lists().into_iter().for_each(|inner| in_order(inner, order));
    }
}

fn counters_of(list: &[Stmt], found: &mut HashSet<Local>) {
    for stmt in list {
        if let StmtKind::Loop { kind: LoopKind::For { counter, .. }, .. } | StmtKind::Sum { counter, .. } =
            &stmt.kind
        {
            found.insert(*counter);
        }
        stmt.lists().into_iter().for_each(|inner| counters_of(inner, found));
    }
}
