//! Tapes that one loop fills and another one empties are vectors, which are made with their length before the first loop.
//!
//! ```text
//!   let mut tape = Vec::new();
//!   let records = new_records(&mut tape, n);         let mut tape = vec![0.0; n];
//!   for i in 0..n {                                  for i in 0..n {
//!       records[i] = x;                       →          tape[i] = x;
//!   }                                                }
//!   let records = last_records(&tape, n);
//!   for i in (0..n).rev() {                          for i in (0..n).rev() {
//!       let x = records[i];                              let x = tape[i];
//!   }                                                }
//!   drop_records(&mut tape, n);
//! ```
//!
//! - TAPEVECTOR1 the function mentions the tape nowhere else, and both loops are in no other, in the list that declares it.

use overdub_context::Span;
use overdub_context::ir::{Const, FloatTy, Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::ast::{Apply, Arg, Callee, Expr, Function, Local, LocalInfo, Stmt, StmtKind, mentions};

/// Makes vectors of tapes of a function.
pub(crate) fn make_vectors(function: &mut Function) {
    let declared = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Assign { targets, value, declares: true, .. } => match (&targets[..], &value.expr) {
            ([Some(tape)], Expr::Apply(apply)) => {
                (apply.callee == Callee::Op(&ops::STACK_NEW)).then_some(*tape)
            }
            _ => None,
        },
        _ => None,
    };
    let tapes: Vec<Local> = function.body.iter().filter_map(declared).collect();
    for tape in tapes {
        make_vector(&mut function.body, tape, &function.locals);
    }
}

/// Makes a vector of a tape, if it is one (TAPEVECTOR1).
fn make_vector(list: &mut Vec<Stmt>, tape: Local, locals: &[LocalInfo]) -> Option<()> {
    let record = match locals[tape.0 as usize].ty.kind() {
        TyKind::Stack(record) => *record,
        _ => return None,
    };
    let zero = zero(record)?;
    let (mut all, mut aliases, mut made) = (0, Vec::new(), None);
    for stmt in &*list {
        match &stmt.kind {
            StmtKind::Records { local, tape: of, count, is_new } if *of == tape => {
                if aliases.is_empty() != *is_new {
                    return None;
                }
                aliases.push(*local);
                made = made.or_else(|| Some((count.clone(), stmt.span)));
                all += 1;
            }
            StmtKind::Reserve { list: of, .. } | StmtKind::DropRecords { tape: of, .. } if *of == tape => {
                all += 1
            }
            _ => {}
        }
    }
    let (count, span) = made?;
    // The declaration, and these.
    if aliases.len() != 2 || mentions(list, tape) != all + 1 {
        return None;
    }
    let mut value = Some(repeated(zero, record, count, span));
    list.retain_mut(|stmt| match &stmt.kind {
        StmtKind::Assign { targets, .. } if targets[..] == [Some(tape)] => false,
        StmtKind::Reserve { list: of, .. } | StmtKind::DropRecords { tape: of, .. } => *of != tape,
        StmtKind::Records { tape: of, .. } if *of == tape => match value.take() {
            Some(value) => {
                let (targets, value) = (vec![Some(tape)], Arg::read(value));
                stmt.kind = StmtKind::Assign { targets, splits: false, value, declares: true };
                true
            }
            None => false,
        },
        _ => true,
    });
    list.iter_mut().for_each(|stmt| rename(stmt, &aliases, tape));
    Some(())
}

/// A vector of a value.
fn repeated(value: Const, ty: Ty, count: Expr, span: Span) -> Expr {
    Expr::Apply(Box::new(Apply {
        callee: Callee::Op(&ops::REPEAT),
        args: vec![Arg::read(Expr::Const(value, ty)), Arg::read(count)],
        tys: vec![ty, Ty::usize()],
        ty: Ty::array(ty, 1),
        span,
        is_exact: true,
    }))
}

/// A record whose numbers are all zero.
fn zero(ty: Ty) -> Option<Const> {
    fn value(ty: Ty) -> Option<Value<'static>> {
        Some(match ty.kind() {
            TyKind::Int(int) => Value::int(*int, 0),
            TyKind::Float(FloatTy::F64) => Value::F64(0.0),
            TyKind::Float(FloatTy::F32) => Value::F32(0.0),
            TyKind::Bool => Value::Bool(false),
            TyKind::Tuple(parts) => {
                Value::tuple(parts.iter().copied().map(value).collect::<Option<Vec<_>>>()?)
            }
            _ => return None,
        })
    }
    Const::new(value(ty)?)
}

/// Calls the records of a tape by the name of the tape.
fn rename(stmt: &mut Stmt, aliases: &[Local], tape: Local) {
    if let StmtKind::Update { local, .. } = &mut stmt.kind
        && aliases.contains(local)
    {
        *local = tape;
    }
    stmt.exprs_mut().into_iter().for_each(|expr| rename_in(expr, aliases, tape));
    stmt.lists_mut().into_iter().flatten().for_each(|inner| rename(inner, aliases, tape));
}

fn rename_in(expr: &mut Expr, aliases: &[Local], tape: Local) {
    match expr {
        Expr::Const(..) => {}
        Expr::Local(local) => {
            if aliases.contains(local) {
                *local = tape;
            }
        }
        Expr::Apply(apply) => apply.args.iter_mut().for_each(|arg| rename_in(&mut arg.expr, aliases, tape)),
    }
}
