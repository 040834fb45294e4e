//! Calls and function values.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::{Span, Symbol};

use super::exprs::{Printed, Text};
use super::literals::Known;
use super::rows::binds;
use super::{Callable, Printer};
use crate::ast::{Apply, Arg, Expr};
use crate::error::ExportError;
use crate::ownership::is_copied;

impl Printer<'_> {
    pub(super) fn call(&mut self, name: Symbol, args: &[Arg], span: Span) -> Printed {
        let Some(callee) = self.callable(&name) else {
            return Err(self.unsupported(format!("it calls `{name}`, which has no body"), span));
        };
        let Callable { name: callee, refs, returns_failures: is_tried, .. } = callee;
        let mut texts = Vec::new();
        for (arg, is_ref) in args.iter().zip(refs) {
            let text = if is_ref { self.reference(&arg.expr)? } else { self.value(arg, Known::Type)? };
            texts.push(text.text);
        }
        let call = Text::call(callee, texts);
        Ok(if is_tried { self.tried(call) } else { call })
    }

    /// A call of a closure, whose code is known: the captured values come first.
    pub(super) fn call_of_closure(&mut self, apply: &Apply) -> Printed {
        let place = self.expr(&apply.args[0].expr, Known::Nothing)?.tight(binds::ATOM);
        let (code, mut texts) = self.captured(&place, apply.tys[0], apply.span)?;
        for (arg, is_ref) in apply.args[1..].iter().zip(code.refs) {
            let text = if is_ref { self.reference(&arg.expr)? } else { self.value(arg, Known::Type)? };
            texts.push(text.text);
        }
        let call = Text::call(code.name, texts);
        Ok(if code.returns_failures { self.tried(call) } else { call })
    }

    /// The code of a closure in a place, as a function of what follows its captured values, and these values as arguments.
    pub(super) fn captured(
        &mut self,
        place: &str,
        ty: Ty,
        span: Span,
    ) -> Result<(Callable, Vec<String>), ExportError> {
        let TyKind::Closure(of) = ty.kind() else {
            return Err(self.unsupported("a call of no function", span));
        };
        let Some(mut code) = self.callable(&of.code) else {
            return Err(self.unsupported(format!("`{}` has no body", of.code), span));
        };
        let captures = of.captures.iter().enumerate().zip(&code.refs).map(|((number, &ty), is_ref)| {
            match (is_ref, is_copied(ty)) {
                (true, _) => format!("&{place}.{number}"),
                (false, true) => format!("{place}.{number}"),
                (false, false) => format!("{place}.{number}.clone()"),
            }
        });
        let captures: Vec<String> = captures.collect();
        code.refs.drain(..captures.len().min(code.refs.len()));
        Ok((code, captures))
    }

    /// A comparison of two elements, to which `a` and `b` are references, by a function value; and whether it is a `Result`.
    pub(super) fn comparison(
        &mut self,
        function: &Expr,
        ty: Ty,
        elem: Ty,
        span: Span,
    ) -> Result<(String, bool), ExportError> {
        let value = |name: &str| if is_copied(elem) { format!("*{name}") } else { format!("{name}.clone()") };
        if let TyKind::Closure(_) = ty.kind() {
            let place = self.expr(function, Known::Nothing)?.tight(binds::ATOM);
            let (code, mut texts) = self.captured(&place, ty, span)?;
            for (name, is_ref) in ["a", "b"].into_iter().zip(code.refs) {
                texts.push(if is_ref { name.to_owned() } else { value(name) });
            }
            return Ok((format!("{}({})", code.name, texts.join(", ")), code.returns_failures));
        }
        let f = self.expr(function, Known::Nothing)?.tight(binds::ATOM);
        Ok((format!("{f}({}, {})", value("a"), value("b")), self.returns_failures()))
    }

    /// A closure as a function value.
    pub(super) fn erased(&mut self, apply: &Apply) -> Printed {
        let (TyKind::Closure(closure), TyKind::Fn(of)) = (apply.tys[0].kind(), apply.ty.kind()) else {
            return self.value(&apply.args[0], Known::Nothing);
        };
        let dynamic = self.owned(apply.ty, apply.span)?;
        let (Callable { name, refs, returns_failures, .. }, mut args) =
            self.captured("f", apply.tys[0], apply.span)?;
        let is_wrapped = self.returns_failures() && !returns_failures;
        if closure.captures.is_empty() && refs.iter().all(|is_ref| !is_ref) && !is_wrapped {
            return Ok(Text::with(format!("Rc::new({name}) as {dynamic}"), binds::CAST));
        }
        let mut params = Vec::new();
        for (number, (&ty, is_ref)) in of.params.iter().zip(refs).enumerate() {
            // A vector that is passed on as a slice does not tell its own type.
            let ty = self.owned(ty, apply.span)?;
            params.push(if is_ref { format!("x{number}: {ty}") } else { format!("x{number}") });
            args.push(if is_ref { format!("&x{number}") } else { format!("x{number}") });
        }
        let (call, params) = (format!("{name}({})", args.join(", ")), params.join(", "));
        let call = if is_wrapped { format!("Ok({call})") } else { call };
        if closure.captures.is_empty() {
            return Ok(Text::with(format!("Rc::new(|{params}| {call}) as {dynamic}"), binds::CAST));
        }
        let value = self.value(&apply.args[0], Known::Nothing)?.text;
        Ok(Text::atom(format!(
            "{{\n    let f = {value};\n    Rc::new(move |{params}| {call}) as {dynamic}\n}}"
        )))
    }
}
