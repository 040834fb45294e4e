//! Tuples and structs of scalars: a local for each scalar.

use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;

use super::build::Builder;
use super::exprs::apply;
use super::{is_scalar, refused};
use crate::ast::{Callee, Expr, Local};
use crate::error::ExportError;
use crate::scopes::constant_index;

/// The scalars of a type that is made of scalars alone.
pub(super) fn scalars(ty: Ty) -> Option<Vec<Ty>> {
    match ty.kind() {
        TyKind::Unit => Some(Vec::new()),
        TyKind::Tuple(_) | TyKind::Struct(_) => {
            let parts = ty.parts(0)?.into_iter().map(scalars).collect::<Option<Vec<_>>>()?;
            Some(parts.concat())
        }
        _ => is_scalar(ty).then(|| vec![ty]),
    }
}

impl Builder<'_> {
    /// The locals for the scalars of one that is a tuple or a struct.
    pub(super) fn parts_of(&mut self, local: Local) -> Option<Vec<Local>> {
        if let Some(parts) = self.parts.get(&local) {
            return Some(parts.clone());
        }
        let info = self.locals[local.0 as usize].clone();
        let tys = scalars(info.ty)?;
        let depth = self.scopes.len();
        let parts: Vec<Local> = tys.into_iter().map(|ty| self.new_local(ty, info.name.as_deref())).collect();
        for part in &parts {
            let depth = self.declared.get(&local).copied().unwrap_or(depth);
            self.declared.insert(*part, depth);
        }
        self.parts.insert(local, parts.clone());
        Some(parts)
    }

    /// The scalars of a value.
    pub(super) fn scalars_of(&mut self, value: &Expr) -> Result<Vec<Expr>, ExportError> {
        let ty = self.ty(value);
        if is_scalar(ty) {
            return Ok(vec![self.expr(value)?]);
        }
        let found = match value {
            Expr::Local(local) if self.arrays.contains(local) || !self.function.params.contains(local) => {
                let parts = self.parts_of(*local);
                parts.map(|parts| parts.into_iter().map(Expr::Local).collect())
            }
            Expr::Apply(of) => match of.callee {
                Callee::Op(op) if op == &ops::TUPLE || op == &ops::STRUCT => {
                    let mut all = Vec::new();
                    for arg in &of.args {
                        all.extend(self.scalars_of(&arg.expr)?);
                    }
                    Some(all)
                }
                Callee::Op(op) if op == &ops::FIELD => Some(self.field(&of.args[0].expr, &of.args[1].expr)?),
                Callee::Op(op) if op == &ops::STACK_PEEK => match &of.args[0].expr {
                    Expr::Local(tape) => Some(self.read_tape(*tape, false, of.span)?),
                    _ => None,
                },
                Callee::Op(op) if op == &ops::SELECT => {
                    let cond = self.expr(&of.args[0].expr)?;
                    let cond = self.bound(cond, of.span);
                    let (then, otherwise) =
                        (self.scalars_of(&of.args[1].expr)?, self.scalars_of(&of.args[2].expr)?);
                    let both = then.into_iter().zip(otherwise).map(|(then, otherwise)| {
                        let ty = self.ty(&then);
                        let args = vec![(cond.clone(), Ty::bool()), (then, ty), (otherwise, ty)];
                        apply(&ops::SELECT, ty, args, of.span)
                    });
                    Some(both.collect())
                }
                _ => None,
            },
            _ => None,
        };
        found.ok_or_else(|| refused(self.function, format!("it has values of type `{ty}`"), self.span))
    }

    /// The scalars of a field.
    pub(super) fn field(&mut self, of: &Expr, number: &Expr) -> Result<Vec<Expr>, ExportError> {
        let ty = self.ty(of);
        let fields = ty.parts(0).unwrap_or_default();
        let number = constant_index(number).unwrap_or(0);
        let count = |ty: &Ty| scalars(*ty).map(|scalars| scalars.len());
        let counts: Option<Vec<usize>> = fields.iter().map(count).collect();
        let (Some(counts), true) = (counts, number < fields.len()) else {
            return Err(refused(self.function, format!("it has values of type `{ty}`"), self.span));
        };
        let from: usize = counts[..number].iter().sum();
        let all = self.scalars_of(of)?;
        Ok(all[from..from + counts[number]].to_vec())
    }

    /// Gives locals the scalars of a value, all at once.
    pub(super) fn set_all(&mut self, locals: Vec<Local>, values: Vec<Expr>, span: Span) {
        let values: Vec<Expr> = match values.len() {
            1 => values,
            // One may be computed from what another one was.
            _ => values.into_iter().map(|value| self.bound(value, span)).collect(),
        };
        for (local, value) in locals.into_iter().zip(values) {
            self.set(local, value, span);
        }
    }
}
