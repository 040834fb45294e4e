//! The function that a dynamic library in C offers to its host: it reads packed arguments, and writes the packed result.
//!
//! - CLIB1 a call that fails leaves by `longjmp`, so the memory of a call is a list of blocks, which are freed when it ends.

use overdub_context::Symbol;
use overdub_context::ir::Ty;

use super::kernel::Called;
use super::records::is_number;
use super::types::{declared, elem, passed};
use super::{Dialect, Printer};
use crate::ast::Function;
use crate::error::ExportError;
use crate::packed::Lists;
use crate::rust::Signature;

pub(super) const HEAD: &str = include_str!("support/dynamic_library.c");

/// What follows the function that reads arguments, calls, and sends the result.
const TAIL: &str = include_str!("support/dynamic_library_tail.c");

/// The text of a dynamic library.
pub(crate) fn dynamic_library(
    functions: &mut Vec<(Function, Signature)>,
    source: &dyn Fn(Symbol, u32) -> Option<String>,
) -> Result<String, ExportError> {
    let text = super::print_in(Dialect::Library, functions, None, (source, &[]))?;
    Ok(text + TAIL)
}

impl Printer<'_> {
    /// The function that calls the one that was asked for.
    pub(super) fn entry_of_library(
        &mut self,
        functions: &[(Function, Signature)],
    ) -> Result<(), ExportError> {
        let Some(Called { function, callable, tys }) = self.called_by_host(functions) else { return Ok(()) };
        let read_word = self.word_packing("read")?;
        self.line("");
        self.line("/* Calls the function, and sends the result to the host while it lasts. */");
        self.line("static void overdub_run(const unsigned char *args, OverdubSend send, void *host) {");
        self.indent += 1;
        self.line("const unsigned char **at = &args;");
        let mut args = Vec::new();
        for (number, (ty, is_ref)) in tys.into_iter().zip(&callable.refs).enumerate() {
            let name = format!("x{number}");
            let shared = match elem(ty) {
                Some(elem) if is_number(elem) => Some(self.owned(elem, self.span)?),
                _ if ty == Ty::str() => Some("char".to_owned()),
                _ => None,
            };
            if let (true, Some(elem)) = (*is_ref, shared) {
                self.line(&format!("size_t {name}_len = {read_word}(at);"));
                self.line(&format!("const {elem} *{name} = (const {elem} *)(uintptr_t){read_word}(at);"));
                args.extend([name.clone(), format!("{name}_len")]);
                continue;
            }
            let (owned, value) = (self.owned(ty, self.span)?, self.read_packed(ty, Lists::Shared, "at")?);
            self.line(&format!("{} = {value};", declared(&owned, &name)));
            args.extend(passed(ty, *is_ref, name));
        }
        self.line("(void)at;");
        let returned = self.types.returned(function.ret, &mut self.names);
        let returned = returned.map_err(|error| self.no_type(error, function.span))?;
        self.line("OverdubResult result;");
        self.line("result.data = (unsigned char *)result.room;");
        self.line("result.len = 0;");
        self.line("result.cap = sizeof result.room;");
        let call = format!("{}({})", callable.name, args.join(", "));
        if returned == "void" {
            self.line(&format!("{call};"));
        } else {
            self.line(&format!("{} = {call};", declared(&returned, "value")));
            let write = self.write_packed(function.ret, Lists::Shared, "&result", "value")?;
            self.line(&write);
        }
        self.line("send(host, result.data, result.len);");
        self.indent -= 1;
        self.line("}");
        Ok(())
    }
}
