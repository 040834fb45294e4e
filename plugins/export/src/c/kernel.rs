//! Kernels: a function of C that is called for many elements by a device, one thread each.

use overdub_context::Symbol;
use overdub_context::ir::Ty;

use super::records::is_aligned;
use super::types::{declared, elem, passed};
use super::{Callable, Dialect, Printer};
use crate::ast::Function;
use crate::error::ExportError;
use crate::packed::Lists;
use crate::rust::Signature;

const HEAD: &str = include_str!("support/kernel_head.cu");
const TAIL: &str = include_str!("support/kernel_tail.cu");

/// The text of a kernel, and whether it allocates memory.
pub(crate) fn kernel(
    functions: &mut Vec<(Function, Signature)>,
    source: &dyn Fn(Symbol, u32) -> Option<String>,
) -> Result<(String, bool), ExportError> {
    let text = super::print_in(Dialect::Kernel, functions, None, (source, &[]))?;
    let allocates = text.contains("allocated(") || text.contains(FRAME);
    let text = as_cpp(&text);
    Ok((format!("{HEAD}{text}{TAIL}"), allocates))
}

/// What keeps calls that nest from using more than the stack of a device's thread.
pub(super) const FRAME: &str = "OverdubFrame overdub_frame;";

/// The function that a host calls, and the types of its parameters.
pub(super) struct Called<'f> {
    pub(super) function: &'f Function,
    pub(super) callable: Callable,
    pub(super) tys: Vec<Ty>,
}

impl Printer<'_> {
    /// Begins the function that calls the one that was asked for.
    pub(super) fn called_by_host<'f>(
        &mut self,
        functions: &'f [(Function, Signature)],
    ) -> Option<Called<'f>> {
        let (function, _) = functions.iter().find(|(_, signature)| signature.name.is_some())?;
        self.locals.clone_from(&function.locals);
        self.scope = self.names.clone();
        self.span = function.span;
        let tys = function.params.iter().map(|param| self.locals[param.0 as usize].ty).collect();
        Some(Called { function, callable: self.functions[&function.symbol].clone(), tys })
    }

    /// The function of one element, which calls the function that was asked for, and the kernel.
    pub(super) fn entry_of_kernel(&mut self, functions: &[(Function, Signature)]) -> Result<(), ExportError> {
        let Some(Called { function, callable, tys }) = self.called_by_host(functions) else { return Ok(()) };
        self.line("");
        self.line("/* The call for this element. */");
        self.line("static void overdub_call() {");
        self.indent += 1;
        let mut args = Vec::new();
        for (number, (ty, is_ref)) in tys.into_iter().zip(&callable.refs).enumerate() {
            let (at, name) = (format!("at{number}"), format!("x{number}"));
            self.line(&format!("const unsigned char *{at} = overdub_argument({number});"));
            match elem(ty) {
                Some(elem) if *is_ref && is_aligned(elem) => {
                    let elem = self.owned(elem, self.span)?;
                    self.line(&format!("size_t {name}_len = overdub_read<uint64_t>(&{at});"));
                    args.extend([format!("(const {elem} *){at}"), format!("{name}_len")]);
                    continue;
                }
                _ => {}
            }
            let (owned, value) =
                (self.owned(ty, self.span)?, self.read_packed(ty, Lists::Inline, &format!("&{at}"))?);
            self.line(&format!("{} = {value};", declared(&owned, &name)));
            args.extend(passed(ty, *is_ref, name));
        }
        let returned = self.types.returned(function.ret, &mut self.names);
        let returned = returned.map_err(|error| self.no_type(error, function.span))?;
        let call = format!("{}({})", callable.name, args.join(", "));
        if returned == "void" {
            self.line(&format!("{call};"));
        } else {
            self.line(&format!("{} = {call};", declared(&returned, "value")));
            self.line(
                "unsigned char *begin = overdub_launch.results + overdub_element() * overdub_launch.room;",
            );
            self.line("OverdubResult result = {begin, begin + overdub_launch.room};");
            let write = self.write_packed(function.ret, Lists::Inline, "&result", "value")?;
            self.line(&write);
        }
        self.line("overdub_launch.status[overdub_element()] = OVERDUB_DONE;");
        self.indent -= 1;
        self.line("}");
        Ok(())
    }
}

/// Text of C, without the expressions that C++ writes in another way: `(T){…}`.
fn as_cpp(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'/' if text[at..].starts_with("/*") => at += text[at..].find("*/").map_or(1, |end| end + 2),
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'(' => {
                let name = text[at + 1..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
                let name = name.unwrap_or_default();
                let end = at + 1 + name.len();
                let follows_name = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
                if !name.is_empty() && text[end..].starts_with("){") && !follows_name {
                    out.push_str(&text[from..at]);
                    out.push_str(name);
                    from = end + 1;
                    at = end + 1;
                } else {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
    out.push_str(&text[from..]);
    out
}
