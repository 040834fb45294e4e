//! How exported functions are called by what they are compiled to.

use overdub_context::ir::{Const, Ty};
use overdub_context::value::Value;
use overdub_context::{Span, Symbol};

use super::exprs::Text;
use super::literals::Known;
use super::{Printer, Signature};
use crate::ast::{Arg, Expr};
use crate::error::ExportError;

/// What calls exported functions, besides other Rust.
pub(crate) enum Entry<'m> {
    Main(Main<'m>),
    /// The host of a dynamic library, which calls the first.
    DynamicLibrary,
}

/// The function that `main` calls, and the arguments.
pub(crate) struct Main<'m> {
    pub(crate) args: &'m [(Value<'static>, Ty)],
    pub(crate) calls: Symbol,
    /// Whether the result is text to be printed as it is.
    pub(crate) is_text: bool,
}

impl Printer<'_> {
    /// A `main` that prints what a function returns for these arguments.
    pub(super) fn main(&mut self, main: &Main<'_>, signature: &Signature) -> Result<(), ExportError> {
        let mut texts = Vec::new();
        for ((value, ty), is_ref) in main.args.iter().zip(&signature.refs) {
            let constant = Const::new(value.clone());
            let constant =
                constant.ok_or_else(|| self.unsupported("an argument that is no data", Span::unknown()))?;
            let expr = Expr::Const(constant, *ty);
            let text =
                if *is_ref { self.reference(&expr)? } else { self.value(&Arg::read(expr), Known::Nothing)? };
            texts.push(text.text);
        }
        let name = self.functions[&signature.symbol].name.clone();
        self.line("");
        // Literals of structs are broken in many ways.
        if texts.iter().any(|text| text.contains(['{', '\n'])) {
            self.line("#[rustfmt::skip]");
        }
        self.line("fn main() {");
        self.indent += 1;
        let call = Text::call(name, texts);
        let printed = if main.is_text { "println!(\"{result}\")" } else { "println!(\"{result:?}\")" };
        if self.functions[&signature.symbol].returns_failures {
            self.put("match ", call, " {");
            self.line(&format!("    Ok(result) => {printed},"));
            self.line("    Err(failure) => {");
            self.line("        eprintln!(\"{failure}\");");
            self.line("        std::process::exit(101);");
            self.line("    }");
            self.line("}");
        } else {
            self.put("let result = ", call, ";");
            self.line(&format!("{printed};"));
        }
        self.indent -= 1;
        self.line("}");
        Ok(())
    }
}
