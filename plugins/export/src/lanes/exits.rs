//! Where control leaves statements.

use hashbrown::HashSet;

use crate::ast::{Label, Local, Stmt, StmtKind};

/// The ways out of statements.
#[derive(Default)]
pub(super) struct Exits {
    pub(super) breaks: HashSet<Label>,
    pub(super) continues: HashSet<Label>,
    pub(super) returns: bool,
}

/// The ways out of statements, and of loops and blocks among them.
pub(super) fn exits(list: &[Stmt]) -> Exits {
    let mut found = Exits::default();
    find(list, &mut found);
    found
}

fn find(list: &[Stmt], found: &mut Exits) {
    for stmt in list {
        match &stmt.kind {
            StmtKind::Break(label) => {
                found.breaks.insert(*label);
            }
            StmtKind::Continue(label) => {
                found.continues.insert(*label);
            }
            StmtKind::Return(_) => found.returns = true,
            _ => {}
        }
        stmt.lists().into_iter().for_each(|inner| find(inner, found));
    }
}

impl Exits {
    /// Whether some lead beyond a loop with this label and body.
    pub(super) fn leaves_beyond(&self, label: Label, body: &[Stmt]) -> bool {
        let mut inner = HashSet::from([label]);
        labels(body, &mut inner);
        self.breaks.union(&self.continues).any(|exit| !inner.contains(exit))
    }
}

fn labels(list: &[Stmt], found: &mut HashSet<Label>) {
    for stmt in list {
        if let StmtKind::Loop { label, .. } | StmtKind::Block { label, .. } = &stmt.kind {
            found.insert(*label);
        }
        stmt.lists().into_iter().for_each(|inner| labels(inner, found));
    }
}

/// Whether a function returns elsewhere than at its end.
pub(super) fn early_returns(body: &[Stmt]) -> bool {
    let rest = match body.last() {
        Some(Stmt { kind: StmtKind::Return(_), .. }) => &body[..body.len() - 1],
        _ => body,
    };
    exits(rest).returns
}

/// The locals that statements mention.
pub(super) fn mentioned(list: &[Stmt]) -> HashSet<Local> {
    let mut found = HashSet::new();
    for stmt in list {
        stmt.for_each_local(&mut |local| {
            found.insert(local);
        });
        stmt.lists().into_iter().for_each(|inner| found.extend(mentioned(inner)));
    }
    found
}

/// The locals that statements of a list declare, not those in its statements.
pub(super) fn declared(list: &[Stmt]) -> HashSet<Local> {
    let declared = list.iter().flat_map(|stmt| match &stmt.kind {
        StmtKind::Declare(local) => vec![*local],
        StmtKind::Assign { targets, declares: true, .. } => targets.iter().flatten().copied().collect(),
        _ => Vec::new(),
    });
    declared.collect()
}

/// The locals that statements assign.
pub(super) fn assigned(list: &[Stmt]) -> HashSet<Local> {
    let mut found = HashSet::new();
    for stmt in list {
        if let StmtKind::Assign { targets, .. } = &stmt.kind {
            found.extend(targets.iter().flatten());
        }
        stmt.lists().into_iter().for_each(|inner| found.extend(assigned(inner)));
    }
    found
}
