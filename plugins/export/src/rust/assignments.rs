//! Assignments, and the declarations of new locals.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;

use super::Printer;
use super::literals::Known;
use crate::ast::{Arg, Callee, Expr, Local};
use crate::error::ExportError;

impl Printer<'_> {
    pub(super) fn assign(
        &mut self,
        targets: &[Option<Local>],
        splits: bool,
        value: &Arg,
        declares: bool,
    ) -> Result<(), ExportError> {
        let before = match targets {
            [Some(target)] if declares && !splits => {
                self.remember_length(*target, &value.expr);
                format!("let {} = ", self.declared(*target, value))
            }
            [Some(target)] if !splits => {
                if let Some(done) = self.compound(*target, value) {
                    return done;
                }
                format!("{} = ", self.name(*target))
            }
            targets => {
                let each = targets.iter().map(|target| match target {
                    Some(target) if declares => self.pattern(*target),
                    Some(target) => self.name(*target),
                    None => "_".to_owned(),
                });
                let each: Vec<String> = each.collect();
                let tuple = match &each[..] {
                    [one] => format!("({one},)"),
                    each => format!("({})", each.join(", ")),
                };
                format!("{}{tuple} = ", if declares { "let " } else { "" })
            }
        };
        if let ([Some(target)], Expr::Apply(apply)) = (targets, &value.expr) {
            if apply.callee == Callee::Op(&ops::PAYLOAD) {
                return self.payload(*target, apply, declares);
            }
            if self.locals[target.0 as usize].is_ref {
                let text = self.reference(&value.expr)?;
                self.put(&before, text, ";");
                return Ok(());
            }
        }
        let known = match targets {
            [Some(_)] if declares && !before.contains(':') && matches!(value.expr, Expr::Const(..)) => {
                Known::Nothing
            }
            _ => Known::Type,
        };
        let text = self.value(value, known)?;
        self.put_value(&before, &value.expr, text, ";")
    }

    /// The pattern of a new local, with its type where a constant leaves it open.
    pub(super) fn declared(&mut self, target: Local, value: &Arg) -> String {
        let pattern = self.pattern(target);
        let ty = self.locals[target.0 as usize].ty;
        let is_empty = match &value.expr {
            Expr::Apply(apply) => {
                let is_constant = |arg: &Arg| matches!(arg.expr, Expr::Const(..));
                let of_constants = apply.args.iter().all(is_constant);
                matches!(apply.callee, Callee::Op(op)
                    if op == &ops::STACK_NEW
                        || op == &ops::ARRAY && of_constants
                        || op == &ops::SELECT && apply.args[1..].iter().all(is_constant)
                        || op == &ops::VARIANT)
            }
            Expr::Const(constant, ty) => {
                matches!(ty.kind(), TyKind::Array(_) | TyKind::Stack(_) | TyKind::Enum(_) | TyKind::Tuple(_))
                    || self.locals[target.0 as usize].is_mut && ty.is_number()
                    || matches!(ty.kind(), TyKind::Int(_)) && *ty != Ty::i32()
                    || matches!(constant.value(), Value::F32(_))
            }
            Expr::Local(_) => false,
        };
        match (is_empty, self.types.owned(ty, &mut self.names)) {
            (true, Ok(ty)) => format!("{pattern}: {ty}"),
            _ => pattern,
        }
    }
}
