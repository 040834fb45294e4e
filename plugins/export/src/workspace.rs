//! A workspace that the caller passes: functions take the memory of their vectors and tapes from it, and use it again in the
//! next call.
//!
//! ```text
//!   let mut tape = vec![0.0; n];      →      let tape = filled(&mut workspace.tape, 0.0, n);
//! ```
//!
//! - WORK1 a vector of numbers is in the workspace if the function makes it at one place, reads it and changes its elements,
//!   and a tape if it is only pushed and popped; both are gone when the next one is made there.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{self, OpDef};

use crate::ast::{Callee, Expr, Function, Local, Stmt, StmtKind, mentions};
use crate::in_place::in_place_uses;

/// Takes the vectors and tapes of a function from its workspace.
pub(crate) fn use_workspace(function: &mut Function) {
    let mut made = Vec::new();
    made_in(&function.body, &mut made);
    for (local, is_tape) in made {
        let info = &function.locals[local.0 as usize];
        let of = if is_tape { tape_uses } else { in_place_uses };
        let uses: usize = function.body.iter().map(|stmt| of(stmt, local)).sum();
        let elem = match info.ty.kind() {
            TyKind::Array(array) if array.rank == 1 => array.elem,
            TyKind::Stack(record) => *record,
            _ => continue,
        };
        if info.is_ref || !is_number(elem) || mentions(&function.body, local) != 1 + uses {
            continue;
        }
        let info = &mut function.locals[local.0 as usize];
        (info.is_ref, info.is_mut) = (true, false);
        reuse(&mut function.body, local);
    }
}

/// The locals that are declared as vectors of a number, or as empty tapes; and whether they are tapes.
fn made_in(list: &[Stmt], found: &mut Vec<(Local, bool)>) {
    for stmt in list {
        if let StmtKind::Assign { targets, splits: false, value, declares: true } = &stmt.kind
            && let ([Some(local)], Expr::Apply(apply)) = (&targets[..], &value.expr)
        {
            let is_constant = || matches!(apply.args[0].expr, Expr::Const(..));
            match apply.callee {
                Callee::Op(op) if op == &ops::STACK_NEW => found.push((*local, true)),
                Callee::Op(op) if op == &ops::REPEAT && is_constant() => found.push((*local, false)),
                _ => {}
            }
        }
        stmt.lists().into_iter().for_each(|inner| made_in(inner, found));
    }
}

/// Operations that grow and shrink a tape.
const OF_TAPES: [&OpDef; 2] = [&ops::STACK_PUSH, &ops::STACK_POP];

/// How often statements mention a tape in ways that a reference to it allows.
fn tape_uses(stmt: &Stmt, tape: Local) -> usize {
    let here = match &stmt.kind {
        StmtKind::Update { local, apply, .. } => {
            *local == tape && matches!(apply.callee, Callee::Op(op) if OF_TAPES.contains(&op))
        }
        StmtKind::Records { tape: of, .. }
        | StmtKind::DropRecords { tape: of, .. }
        | StmtKind::Reserve { list: of, .. } => *of == tape,
        _ => false,
    };
    let read: usize = stmt.exprs().into_iter().map(|expr| reads(expr, tape)).sum();
    let inside = stmt.lists().into_iter().flatten().map(|inner| tape_uses(inner, tape));
    usize::from(here) + read + inside.sum::<usize>()
}

/// How often an expression reads the last record of a tape.
fn reads(expr: &Expr, tape: Local) -> usize {
    let Expr::Apply(apply) = expr else { return 0 };
    let is_read = apply.callee == Callee::Op(&ops::STACK_PEEK) && apply.args[0].expr.is_local(tape);
    usize::from(is_read) + apply.args.iter().map(|arg| reads(&arg.expr, tape)).sum::<usize>()
}

/// Whether values of a type are numbers, or tuples of them.
fn is_number(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) => true,
        TyKind::Tuple(parts) => parts.iter().all(|part| is_number(*part)),
        _ => false,
    }
}

/// Takes a local from the workspace where it was made.
fn reuse(list: &mut [Stmt], local: Local) {
    for stmt in list {
        if let StmtKind::Assign { targets, value, declares: true, .. } = &mut stmt.kind
            && targets[..] == [Some(local)]
            && let Expr::Apply(apply) = &mut value.expr
        {
            let mut args = std::mem::take(&mut apply.args).into_iter().map(|arg| arg.expr);
            let fill = args.next().zip(args.next());
            stmt.kind = StmtKind::Reuse { local, fill };
        }
        stmt.lists_mut().into_iter().for_each(|inner| reuse(inner, local));
    }
}
