//! Tapes in lanes: rows with a place for each lane, for each scalar of a record.
//!
//! Where all lanes push and pop together, one number says how many rows there are. Otherwise each lane has its own, and its top is
//! in another row than those of others.

use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::build::Builder;
use super::composites::scalars;
use super::exprs::{apply, number_of};
use super::{Lane, Step, refused};
use crate::ast::{Apply, Callee, Expr, Local, LocalInfo};
use crate::error::ExportError;

/// A tape.
#[derive(Clone)]
pub(super) struct Tape {
    /// The rows of each scalar of a record.
    rows: Vec<Local>,
    tys: Vec<Ty>,
    /// The number of records: of each lane, or of all.
    depth: Local,
    is_uniform: bool,
}

impl Builder<'_> {
    fn tape(&mut self, local: Local) -> Result<Tape, ExportError> {
        if let Some(tape) = self.tapes.get(&local) {
            return Ok(tape.clone());
        }
        let info = self.locals[local.0 as usize].clone();
        let record = match info.ty.kind() {
            TyKind::Stack(record) => scalars(*record),
            _ => None,
        };
        let Some(tys) = record else {
            let construct = format!("it has values of type `{}`", info.ty);
            return Err(refused(self.function, construct, self.span));
        };
        let name = info.name.as_deref().unwrap_or("tape").to_owned();
        let rows = tys.iter().map(|ty| {
            let info = LocalInfo { ty: *ty, name: Some(name.clone()), is_ref: false, is_mut: true };
            self.add(info)
        });
        let rows: Vec<Local> = rows.collect();
        self.tape_rows.extend(&rows);
        let depth = self.new_local(Ty::usize(), Some("depth"));
        self.declared.insert(depth, 0);
        let is_uniform = self.uniform_stacks.contains(&local);
        if is_uniform {
            self.make_uniform(depth);
            self.uniform_depths.push(depth);
        }
        let tape = Tape { rows, tys, depth, is_uniform };
        self.tapes.insert(local, tape.clone());
        Ok(tape)
    }

    /// A tape without records.
    pub(super) fn new_tape(&mut self, local: Local, span: Span) -> Result<(), ExportError> {
        let tape = self.tape(local)?;
        let zero = number_of(Ty::usize(), 0).expect("it is a number");
        match tape.is_uniform {
            true => self.set_uniform(tape.depth, zero, span),
            false => self.set(tape.depth, zero, span),
        }
        Ok(())
    }

    /// A push or a pop.
    pub(super) fn update_tape(
        &mut self,
        local: Local,
        of: &Apply,
        part: Option<Local>,
        span: Span,
    ) -> Result<(), ExportError> {
        let tape = self.tape(local)?;
        match of.callee {
            Callee::Op(op) if op == &ops::STACK_PUSH => {
                let values = self.scalars_of(&of.args[0].expr)?;
                self.push(&tape, values, span);
                Ok(())
            }
            Callee::Op(op) if op == &ops::STACK_POP => {
                let depth = self.stepped(&tape, &ops::SUB_WRAPPING, span);
                match tape.is_uniform {
                    true => self.set_uniform(tape.depth, depth, span),
                    false => self.set(tape.depth, depth, span),
                }
                let values = self.record(&tape, Expr::Local(tape.depth), span);
                let Some(part) = part else { return Ok(()) };
                let depth = self.scopes.len();
                self.declared.entry(part).or_insert(depth);
                let parts = match scalars(self.locals[part.0 as usize].ty) {
                    Some(tys) if tys.len() == 1 && super::is_scalar(self.locals[part.0 as usize].ty) => {
                        vec![part]
                    }
                    _ => self.parts_of(part).unwrap_or_default(),
                };
                self.set_all(parts, values, span);
                Ok(())
            }
            _ => Err(refused(self.function, "it changes a list in place", span)),
        }
    }

    /// The last record, or the number of records.
    pub(super) fn read_tape(
        &mut self,
        local: Local,
        is_len: bool,
        span: Span,
    ) -> Result<Vec<Expr>, ExportError> {
        let tape = self.tape(local)?;
        if is_len {
            return Ok(vec![Expr::Local(tape.depth)]);
        }
        let top = self.stepped(&tape, &ops::SUB_WRAPPING, span);
        Ok(self.record(&tape, top, span))
    }

    /// The next number of records.
    fn stepped(&self, tape: &Tape, op: &'static overdub_context::ops::OpDef, span: Span) -> Expr {
        let one = number_of(Ty::usize(), 1).expect("it is a number");
        apply(op, Ty::usize(), vec![(Expr::Local(tape.depth), Ty::usize()), (one, Ty::usize())], span)
    }

    fn push(&mut self, tape: &Tape, values: Vec<Expr>, span: Span) {
        // What is pushed is computed before the rows are borrowed.
        let values: Vec<Expr> = values.into_iter().map(|value| self.bound(value, span)).collect();
        let next = self.stepped(tape, &ops::ADD_WRAPPING, span);
        self.flush();
        if tape.is_uniform {
            let rows = self.rows(tape, Expr::Local(tape.depth), true);
            for (row, value) in rows.into_iter().zip(values) {
                self.put(Lane::Set { local: row, value, span });
            }
            self.set_uniform(tape.depth, next, span);
            return;
        }
        for rows in &tape.rows {
            self.steps.push(Step::MakeRow { rows: *rows, depth: tape.depth });
        }
        for (rows, value) in tape.rows.iter().zip(values) {
            self.put(Lane::Push { rows: *rows, depth: tape.depth, value, span });
        }
        self.set(tape.depth, next, span);
    }

    /// The rows with this number.
    fn rows(&mut self, tape: &Tape, at: Expr, is_new: bool) -> Vec<Local> {
        let named: Vec<(Local, Ty)> = tape.rows.iter().copied().zip(tape.tys.iter().copied()).collect();
        let mut found = Vec::new();
        for (rows, ty) in named {
            let row = self.new_local(ty, Some("row"));
            self.steps.push(Step::Row { row, rows, at: at.clone(), is_new });
            self.borrowed.insert(row);
            found.push(row);
        }
        found
    }

    /// The scalars of a record.
    fn record(&mut self, tape: &Tape, at: Expr, span: Span) -> Vec<Expr> {
        if tape.is_uniform {
            self.flush();
            let rows = self.rows(tape, at, false);
            // The rows may change before the values are used.
            return rows.into_iter().map(|row| self.bound_copy(Expr::Local(row), span)).collect();
        }
        let at = self.bound(at, span);
        let named: Vec<(Local, Ty)> = tape.rows.iter().copied().zip(tape.tys.iter().copied()).collect();
        let mut found = Vec::new();
        for (rows, ty) in named {
            let local = self.new_local(ty, None);
            self.put(Lane::Record { local, rows, at: at.clone(), span });
            found.push(Expr::Local(local));
        }
        found
    }

    /// A copy of a value.
    fn bound_copy(&mut self, value: Expr, span: Span) -> Expr {
        let local = self.new_local(self.ty(&value), None);
        self.put(Lane::Set { local, value, span });
        Expr::Local(local)
    }

    /// Gives a local that is the same for all lanes another value.
    pub(super) fn set_uniform(&mut self, local: Local, value: Expr, span: Span) {
        self.flush();
        self.steps.push(Step::Assign(local, value, span));
    }
}
