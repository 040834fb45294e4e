//! Calls and function values.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::{Span, Symbol};

use super::Printer;
use super::exprs::{Printed, Text};
use super::literals::Known;
use super::rows::binds;
use crate::ast::{Apply, Arg, Expr};
use crate::error::ExportError;
use crate::ownership::is_copied;

impl Printer<'_> {
    pub(super) fn call(&mut self, name: Symbol, args: &[Arg], span: Span) -> Printed {
        let Some(callee) = self.functions.get(&name) else {
            return Err(self.unsupported(format!("it calls `{name}`, which has no body"), span));
        };
        let (callee, refs) = (callee.name.clone(), callee.refs.clone());
        let mut texts = Vec::new();
        for (arg, is_ref) in args.iter().zip(refs) {
            let text = if is_ref { self.reference(&arg.expr)? } else { self.value(arg, Known::Type)? };
            texts.push(text.text);
        }
        Ok(Text::call(callee, texts))
    }

    /// A call of a closure, whose code is known: the captured values come first.
    pub(super) fn call_of_closure(&mut self, apply: &Apply) -> Printed {
        let place = self.expr(&apply.args[0].expr, Known::Nothing)?.tight(binds::ATOM);
        let (name, mut texts, refs) = self.captured(&place, apply.tys[0], apply.span)?;
        for (arg, is_ref) in apply.args[1..].iter().zip(refs) {
            let text = if is_ref { self.reference(&arg.expr)? } else { self.value(arg, Known::Type)? };
            texts.push(text.text);
        }
        Ok(Text::call(name, texts))
    }

    /// The code of a closure in a place, its captured values as arguments, and which further arguments are references.
    pub(super) fn captured(
        &mut self,
        place: &str,
        ty: Ty,
        span: Span,
    ) -> Result<(String, Vec<String>, Vec<bool>), ExportError> {
        let TyKind::Closure(of) = ty.kind() else {
            return Err(self.unsupported("a call of no function", span));
        };
        let Some(code) = self.functions.get(&of.code) else {
            return Err(self.unsupported(format!("`{}` has no body", of.code), span));
        };
        let (name, refs) = (code.name.clone(), code.refs.clone());
        let captures = of.captures.iter().enumerate().zip(&refs).map(|((number, &ty), is_ref)| {
            match (is_ref, is_copied(ty)) {
                (true, _) => format!("&{place}.{number}"),
                (false, true) => format!("{place}.{number}"),
                (false, false) => format!("{place}.{number}.clone()"),
            }
        });
        let captures: Vec<String> = captures.collect();
        let rest = refs[captures.len().min(refs.len())..].to_vec();
        Ok((name, captures, rest))
    }

    /// A comparison of two elements, to which `a` and `b` are references, by a function value.
    pub(super) fn comparison(
        &mut self,
        function: &Expr,
        ty: Ty,
        elem: Ty,
        span: Span,
    ) -> Result<String, ExportError> {
        let value = |name: &str| if is_copied(elem) { format!("*{name}") } else { format!("{name}.clone()") };
        if let TyKind::Closure(_) = ty.kind() {
            let place = self.expr(function, Known::Nothing)?.tight(binds::ATOM);
            let (name, mut texts, refs) = self.captured(&place, ty, span)?;
            for (name, is_ref) in ["a", "b"].into_iter().zip(refs) {
                texts.push(if is_ref { name.to_owned() } else { value(name) });
            }
            return Ok(format!("{name}({})", texts.join(", ")));
        }
        let f = self.expr(function, Known::Nothing)?.tight(binds::ATOM);
        Ok(format!("{f}({}, {})", value("a"), value("b")))
    }

    /// A closure as a function value.
    pub(super) fn erased(&mut self, apply: &Apply) -> Printed {
        let (TyKind::Closure(closure), TyKind::Fn(of)) = (apply.tys[0].kind(), apply.ty.kind()) else {
            return self.value(&apply.args[0], Known::Nothing);
        };
        self.types.uses_rc = true;
        let dynamic = self.owned(apply.ty, apply.span)?;
        let (name, mut args, refs) = self.captured("f", apply.tys[0], apply.span)?;
        if closure.captures.is_empty() && refs.iter().all(|is_ref| !is_ref) {
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
        if closure.captures.is_empty() {
            return Ok(Text::with(format!("Rc::new(|{params}| {call}) as {dynamic}"), binds::CAST));
        }
        let value = self.value(&apply.args[0], Known::Nothing)?.text;
        Ok(Text::atom(format!(
            "{{\n    let f = {value};\n    Rc::new(move |{params}| {call}) as {dynamic}\n}}"
        )))
    }
}
