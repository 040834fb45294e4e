//! Loops over slices of arrays, and what runs if some of their elements do not exist.

use super::Printer;
use super::exprs::Text;
use super::literals::Known;
use super::rows::binds;
use super::stmts::Tail;
use crate::ast::{Stmt, StmtKind};
use crate::error::ExportError;

impl Printer<'_> {
    /// The slices, and a branch (SLICES4).
    pub(super) fn sliced(
        &mut self,
        slices: &[Stmt],
        over: &[Stmt],
        otherwise: &[Stmt],
    ) -> Result<(), ExportError> {
        let mut tests: Vec<String> = self.is_generic.then(|| "!STRONG".to_owned()).into_iter().collect();
        for stmt in slices {
            self.stmt(stmt, Tail::Statement)?;
            if let StmtKind::Slice { local, len, .. } = &stmt.kind {
                tests.push(format!("{}.len() == {}", self.name(*local), self.expr(len, Known::Type)?.text));
            }
        }
        self.condition("", &Text::with(tests.join(" && "), binds::AND));
        self.nested(over, Tail::Statement)?;
        self.line("} else {");
        self.nested(otherwise, Tail::Statement)?;
        self.line("}");
        Ok(())
    }
}
