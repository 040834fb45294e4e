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

use hashbrown::HashMap;
use overdub_context::Span;
use overdub_context::ir::{Const, FloatTy, Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use crate::ast::{Apply, Arg, Callee, Expr, Function, Local, Stmt, StmtKind, each_local};

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
    let mut tapes: HashMap<Local, Tape> =
        function.body.iter().filter_map(declared).map(|tape| (tape, Tape::default())).collect();
    if tapes.is_empty() {
        return;
    }
    for stmt in &function.body {
        match &stmt.kind {
            StmtKind::Records { local, tape, count, is_new } => {
                let Some(found) = tapes.get_mut(tape) else { continue };
                found.is_ordered &= found.aliases.is_empty() == *is_new;
                found.aliases.push(*local);
                found.made.get_or_insert_with(|| (count.clone(), stmt.span));
                found.all += 1;
            }
            StmtKind::Reserve { list: tape, .. } | StmtKind::DropRecords { tape, .. } => {
                tapes.entry(*tape).and_modify(|found| found.all += 1);
            }
            _ => {}
        }
    }
    each_local(&function.body, &mut |local| {
        tapes.entry(local).and_modify(|found| found.mentions += 1);
    });
    let mut values: HashMap<Local, Option<Expr>> = HashMap::new();
    let mut renamed: HashMap<Local, Local> = HashMap::new();
    for (tape, found) in tapes {
        if let Some(value) = found.vector(function.locals[tape.0 as usize].ty) {
            values.insert(tape, Some(value));
            renamed.extend(found.aliases.iter().map(|alias| (*alias, tape)));
        }
    }
    if values.is_empty() {
        return;
    }
    function.body.retain_mut(|stmt| match &stmt.kind {
        StmtKind::Assign { targets, .. } => {
            !matches!(targets[..], [Some(tape)] if values.contains_key(&tape))
        }
        StmtKind::Reserve { list: tape, .. } | StmtKind::DropRecords { tape, .. } => {
            !values.contains_key(tape)
        }
        StmtKind::Records { tape, .. } => match values.get_mut(tape).map(|value| (*tape, value.take())) {
            Some((tape, Some(value))) => {
                let (targets, value) = (vec![Some(tape)], Arg::read(value));
                stmt.kind = StmtKind::Assign { targets, splits: false, value, declares: true };
                true
            }
            Some((_, None)) => false,
            None => true,
        },
        _ => true,
    });
    function.body.iter_mut().for_each(|stmt| rename(stmt, &renamed));
}

/// What a function does with a tape.
struct Tape {
    /// The records that it makes and those that it reads.
    aliases: Vec<Local>,
    /// Whether it makes records once, before it reads any.
    is_ordered: bool,
    /// The number of the first records.
    made: Option<(Expr, Span)>,
    /// The statements that a vector replaces.
    all: usize,
    mentions: usize,
}

impl Default for Tape {
    fn default() -> Tape {
        Tape { aliases: Vec::new(), is_ordered: true, made: None, all: 0, mentions: 0 }
    }
}

impl Tape {
    /// The vector of a tape of this type, if it can be one (TAPEVECTOR1).
    fn vector(&self, ty: Ty) -> Option<Expr> {
        let TyKind::Stack(record) = ty.kind() else { return None };
        let (count, span) = self.made.clone()?;
        // The declaration, and these.
        let is_alone = self.aliases.len() == 2 && self.mentions == self.all + 1;
        (self.is_ordered && is_alone).then_some(repeated(zero(*record)?, *record, count, span))
    }
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

/// Calls the records of tapes by the names of the tapes.
fn rename(stmt: &mut Stmt, renamed: &HashMap<Local, Local>) {
    if let StmtKind::Update { local, .. } = &mut stmt.kind
        && let Some(tape) = renamed.get(local)
    {
        *local = *tape;
    }
    stmt.exprs_mut().into_iter().for_each(|expr| rename_in(expr, renamed));
    stmt.lists_mut().into_iter().flatten().for_each(|inner| rename(inner, renamed));
}

fn rename_in(expr: &mut Expr, renamed: &HashMap<Local, Local>) {
    match expr {
        Expr::Const(..) => {}
        Expr::Local(local) => {
            if let Some(tape) = renamed.get(local) {
                *local = *tape;
            }
        }
        Expr::Apply(apply) => apply.args.iter_mut().for_each(|arg| rename_in(&mut arg.expr, renamed)),
    }
}
