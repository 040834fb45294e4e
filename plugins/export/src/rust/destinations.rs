//! Slices of the caller to which results are written.

use overdub_context::Span;

use super::Printer;
use crate::ast::Local;
use crate::error::ExportError;

impl Printer<'_> {
    /// A local as a reference by which it is changed.
    pub(super) fn changed(&self, local: Local) -> String {
        let name = self.name(local);
        if self.locals[local.0 as usize].is_ref { name } else { format!("&mut {name}") }
    }

    /// Writes all elements of a slice by a helper, which fails if they are of another number.
    pub(super) fn written(
        &mut self,
        helper: &'static str,
        args: Vec<String>,
        span: Span,
    ) -> Result<(), ExportError> {
        self.comment(span);
        let call = self.failing(helper, args, span);
        self.put("", call, ";");
        Ok(())
    }
}
