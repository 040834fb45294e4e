//! The workspace of exported functions: its type, and what takes memory from it (WORK1 in `crate::workspace`).

use overdub_context::Span;

use super::Printer;
use super::exprs::Text;
use super::literals::Known;
use crate::ast::{Expr, Local, Stmt, StmtKind};
use crate::error::ExportError;
use crate::local_names::WORKSPACE;

/// Whether statements take memory from the workspace.
pub(super) fn uses_workspace(list: &[Stmt]) -> bool {
    list.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Reuse { .. })
            || stmt.lists().into_iter().any(|inner| uses_workspace(inner))
    })
}

impl Printer<'_> {
    /// Takes a vector from the workspace.
    pub(super) fn reuse(
        &mut self,
        local: Local,
        fill: Option<&(Expr, Expr)>,
        span: Span,
    ) -> Result<(), ExportError> {
        self.comment(span);
        let ty = self.owned(self.locals[local.0 as usize].ty, span)?;
        let vector = format!("&mut {WORKSPACE}.{}", self.field(local, ty));
        let text = match fill {
            None => Text::call(self.helpers.call("cleared"), vec![vector]),
            Some((value, len)) => {
                let (value, len) = (self.expr(value, Known::Nothing)?.text, self.index(len)?);
                match self.returns_failures() {
                    true => self.failing("refilled", vec![vector, value, len], span),
                    false => Text::call(self.helpers.call("filled"), vec![vector, value, len]),
                }
            }
        };
        self.put(&format!("let {} = ", self.name(local)), text, ";");
        Ok(())
    }

    /// The field for a local of this type: that of its name. Functions share fields, since none runs in another one.
    fn field(&mut self, local: Local, ty: String) -> String {
        let name = self.name(local);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        for candidate in std::iter::once(name.clone()).chain(numbered) {
            match self.fields.iter().find(|(field, _)| *field == candidate) {
                Some((_, of)) if *of == ty => return candidate,
                Some(_) => {}
                None => {
                    self.fields.push((candidate.clone(), ty));
                    return candidate;
                }
            }
        }
        name
    }

    /// The declaration of the workspace.
    pub(super) fn workspace(&self) -> String {
        let doc = "/// Memory that functions use again: for one call after the other.";
        let fields: String = self.fields.iter().map(|(name, ty)| format!("    {name}: {ty},\n")).collect();
        let body = if fields.is_empty() { "{}".to_owned() } else { format!("{{\n{fields}}}") };
        format!("\n{doc}\n#[derive(Clone, Debug, Default)]\npub struct Workspace {body}\n")
    }
}
