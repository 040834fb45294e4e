//! Branches on enums and numbers.

use overdub_context::ir::{Ty, TyKind};

use super::Printer;
use super::stmts::Around;
use super::types::{declared, field_name, variant_member};
use crate::ast::{Arm, Expr, Stmt, diverge};
use crate::error::ExportError;
use crate::nominal::is_boxed;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    pub(super) fn switch(&mut self, on: &Expr, ty: Ty, arms: &[Arm], otherwise: Option<&[Stmt]>) -> Done {
        let is_enum = matches!(ty.kind(), TyKind::Enum(_));
        let subject = if is_enum { self.tag_of(on)?.text } else { self.expr(on)?.text };
        // `switch` takes no integers of 128 bits, and a list of one branch needs none.
        let is_wide = matches!(ty.kind(), TyKind::Int(int) if int.bits() > 64);
        if is_wide || ty == Ty::bool() {
            return self.chain(on, ty, arms, otherwise);
        }
        let variants = ty.as_nominal().and_then(|nominal| nominal.variants());
        let covers_all = variants.is_some_and(|variants| {
            (0..variants.len() as i128).all(|tag| arms.iter().any(|arm| arm.values.contains(&tag)))
        });
        let otherwise = if covers_all { None } else { otherwise };
        self.line(&format!("switch ({subject}) {{"));
        self.around.push(Around::Switch);
        for (number, arm) in arms.iter().enumerate() {
            let is_last = number + 1 == arms.len() && otherwise.is_none();
            for value in &arm.values {
                let case = match () {
                    () if is_enum => self.variant(ty, *value as usize)?,
                    () => self.case(*value, ty),
                };
                self.line(&format!("case {case}:"));
            }
            if is_last {
                self.line("default:");
            }
            self.arm(on, ty, arm)?;
        }
        if let Some(body) = otherwise {
            self.line("default:");
            self.branch(body, |_| Ok(()))?;
        }
        self.around.pop();
        self.line("}");
        Ok(())
    }

    fn case(&mut self, value: i128, ty: Ty) -> String {
        match ty.kind() {
            TyKind::Char => u32::try_from(value)
                .ok()
                .and_then(char::from_u32)
                .map_or(value.to_string(), super::literals::character),
            TyKind::Int(int) if int.is_signed() && value == -1 << (int.bits() - 1) => {
                super::support::bound(*int, "MIN")
            }
            TyKind::Int(_) if value > i128::from(i64::MAX) => format!("{value}u"),
            _ => value.to_string(),
        }
    }

    fn arm(&mut self, on: &Expr, ty: Ty, arm: &Arm) -> Done {
        let known = self.variants.len();
        if let (Expr::Local(local), [tag], TyKind::Enum(_)) = (on, &arm.values[..], ty.kind())
            && !self.locals[local.0 as usize].is_mut
        {
            self.variants.push((*local, *tag as usize));
        }
        let done = self.branch(&arm.body, |this| {
            for (number, local) in &arm.bound {
                let (name, tag) = (this.name(*local), arm.values.first().map_or(0, |tag| *tag as usize));
                let of = this.member_of(on)?;
                let text = format!("{of}as.{}.{}", variant_member(ty, tag), field_name(ty, tag, *number));
                let text = if is_boxed(ty, tag, *number) { format!("*{text}") } else { text };
                let owned = this.owned(this.locals[local.0 as usize].ty, this.span)?;
                this.line(&format!("{} = {text};", declared(&owned, &name)));
                this.mark_unread(*local);
            }
            Ok(())
        });
        self.variants.truncate(known);
        done
    }

    /// A branch of a `switch`.
    fn branch(&mut self, body: &[Stmt], first: impl FnOnce(&mut Self) -> Done) -> Done {
        self.line("{");
        self.indent += 1;
        first(self)?;
        self.list(body)?;
        if !diverge(body) {
            self.line("break;");
        }
        self.indent -= 1;
        self.line("}");
        Ok(())
    }

    /// A branch on a number that `switch` does not take.
    fn chain(&mut self, on: &Expr, ty: Ty, arms: &[Arm], otherwise: Option<&[Stmt]>) -> Done {
        let subject = self.addressable(on)?;
        for (number, arm) in arms.iter().enumerate() {
            let is_last = number + 1 == arms.len() && otherwise.is_none();
            let each: Vec<String> = arm
                .values
                .iter()
                .map(|value| match (ty == Ty::bool(), *value) {
                    (true, 0) => format!("!{subject}"),
                    (true, _) => subject.clone(),
                    _ => format!("{subject} == {}", self.case(*value, ty)),
                })
                .collect();
            let head = match (number, is_last) {
                (0, true) => "{".to_owned(),
                (0, false) => format!("if ({}) {{", each.join(" || ")),
                (_, true) => "} else {".to_owned(),
                (_, false) => format!("}} else if ({}) {{", each.join(" || ")),
            };
            self.line(&head);
            self.indent += 1;
            self.list(&arm.body)?;
            self.indent -= 1;
        }
        if let Some(body) = otherwise {
            self.line(if arms.is_empty() { "{" } else { "} else {" });
            self.indent += 1;
            self.list(body)?;
            self.indent -= 1;
        }
        self.line("}");
        Ok(())
    }
}
