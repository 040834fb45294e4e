//! Calls and function values.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::{Span, Symbol};

use super::exprs::{Printed, Text};
use super::types::{canonical, declared, has_slice};
use super::{Callable, Printer};
use crate::ast::{Apply, Arg};
use crate::error::ExportError;
use crate::ownership::is_copied;

impl Printer<'_> {
    fn callable(&self, name: Symbol, span: Span) -> Result<Callable, ExportError> {
        let known = self.functions.get(&name).cloned();
        known.ok_or_else(|| self.unsupported(format!("it calls `{name}`, which has no body"), span))
    }

    /// The arguments of a function, as many in C as it takes there.
    fn arguments(
        &mut self,
        callee: &Callable,
        refs: &[bool],
        args: &[Arg],
    ) -> Result<Vec<String>, ExportError> {
        let mut texts = Vec::new();
        for (arg, is_ref) in args.iter().zip(refs) {
            match (is_ref, callee.is_public && has_slice(self.ty(&arg.expr))) {
                (true, true) => {
                    let (data, len) = self.data_and_len(&arg.expr)?;
                    texts.extend([data, len]);
                }
                (true, false) => texts.push(self.reference(&arg.expr)?),
                (false, _) => texts.push(self.value(arg)?.text),
            }
        }
        Ok(texts)
    }

    pub(super) fn call(&mut self, name: Symbol, args: &[Arg], span: Span) -> Printed {
        let callee = self.callable(name, span)?;
        let texts = self.arguments(&callee, &callee.refs, args)?;
        Ok(Text::call(&callee.name, &texts))
    }

    /// A call of a closure, whose code is known: the captured values come first.
    pub(super) fn call_of_closure(&mut self, apply: &Apply) -> Printed {
        let place = match Self::captures(apply.tys[0]).is_empty() {
            true => String::new(),
            false => self.addressable(&apply.args[0].expr)?,
        };
        let (callee, mut texts, refs) = self.captured(&place, apply.tys[0], apply.span)?;
        texts.extend(self.arguments(&callee, &refs, &apply.args[1..])?);
        Ok(Text::call(&callee.name, &texts))
    }

    fn captures(ty: Ty) -> Vec<Ty> {
        match ty.kind() {
            TyKind::Closure(closure) => closure.captures.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The code of a closure in a place, its captured values as arguments, and which further arguments are references.
    pub(super) fn captured(
        &mut self,
        place: &str,
        ty: Ty,
        span: Span,
    ) -> Result<(Callable, Vec<String>, Vec<bool>), ExportError> {
        let TyKind::Closure(of) = ty.kind() else {
            return Err(self.unsupported("a call of no function", span));
        };
        let callee = self.callable(of.code, span)?;
        let mut texts = Vec::new();
        for ((number, &ty), is_ref) in of.captures.iter().enumerate().zip(&callee.refs) {
            let part = match place.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
                Some(pointer) if pointer.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                    format!("{pointer}->f{number}")
                }
                _ => format!("{place}.f{number}"),
            };
            texts.extend(self.passed(&callee, *is_ref, ty, &part)?);
        }
        let rest = callee.refs[of.captures.len().min(callee.refs.len())..].to_vec();
        Ok((callee, texts, rest))
    }

    /// The value in a place as an argument.
    pub(super) fn passed(
        &mut self,
        callee: &Callable,
        is_ref: bool,
        ty: Ty,
        place: &str,
    ) -> Result<Vec<String>, ExportError> {
        Ok(match is_ref {
            true if has_slice(ty) && callee.is_public => {
                vec![format!("{place}.data"), format!("{place}.len")]
            }
            true if has_slice(ty) => {
                let slice = self.borrowed_ty(ty, self.span)?;
                vec![format!("({slice}){{{place}.data, {place}.len}}")]
            }
            true if super::is_function(ty) => vec![place.to_owned()],
            true => vec![super::values::address(place)],
            false => vec![self.cloned(ty, place)?],
        })
    }

    /// A call of a function value whose code is not known.
    pub(super) fn call_of_value(&mut self, apply: &Apply) -> Printed {
        let callee = self.addressable(&apply.args[0].expr)?;
        let mut texts = vec![callee.clone()];
        texts.extend(self.values(&apply.args[1..])?);
        Ok(Text::call(format!("{callee}->call"), &texts))
    }

    /// A closure as a function value: a function that passes on what the closure captured.
    pub(super) fn erased(&mut self, apply: &Apply) -> Printed {
        let value = self.value(&apply.args[0])?;
        self.function_value(apply.tys[0], apply.ty, value, apply.span)
    }

    /// A function value of what a closure captured.
    pub(super) fn function_value(&mut self, closure_ty: Ty, ty: Ty, value: Text, span: Span) -> Printed {
        let (TyKind::Closure(closure), TyKind::Fn(of)) = (closure_ty.kind(), ty.kind()) else {
            return Ok(value);
        };
        let pointer = self.owned(ty, span)?;
        let object = pointer.trim_end_matches(" *").to_owned();
        let captures = canonical(closure_ty);
        let captured = self.owned(captures, span)?;
        let wanted = format!("make_{}", super::names::function_name(&closure.code));
        let key = format!("erase {} {ty}", closure.code);
        let name = self.made(key, &wanted, |this, name| {
            // Variables may not hide the functions that are called.
            let mut scope = this.names.clone();
            let [this_, captured_, result] = ["self", "captured", "result"].map(|name| scope.unique(name));
            let place = format!("{captured_}->captured");
            let (callee, mut args, refs) = this.captured(&place, closure_ty, span)?;
            let mut params = vec![format!("{pointer}{this_}")];
            let mut ends = String::new();
            for (number, (&ty, is_ref)) in of.params.iter().zip(refs).enumerate() {
                let (text, x) = (this.owned(ty, span)?, scope.unique(&format!("x{number}")));
                params.push(declared(&text, &x));
                if is_ref {
                    args.extend(this.passed(&callee, true, ty, &x)?);
                    if !is_copied(ty) {
                        ends.push_str(&format!("    {};\n", this.dropped(ty, &x)?));
                    }
                } else {
                    args.push(x);
                }
            }
            let ret = this.types.returned(of.ret, &mut this.names).map_err(|error| this.no_type(error, span))?;
            let code = format!("{}({})", callee.name, args.join(", "));
            let body = match (ret == "void", ends.is_empty()) {
                (true, _) => format!("    {code};\n{ends}"),
                (false, true) => format!("    return {code};\n"),
                (false, false) => format!("    {} = {code};\n{ends}    return {result};\n", declared(&ret, &result)),
            };
            let closure = this.global(&format!("{name}_captured"));
            let call = this.global(&format!("{name}_call"));
            let drop = this.global(&format!("{name}_drop"));
            let end = match is_copied(captures) {
                true => String::new(),
                false => format!("    {};\n", this.dropped(captures, &place)?),
            };
            let unused = |text: &str| match text.contains(&format!("{captured_}->")) {
                true => format!("    {closure} *{captured_} = ({closure} *){this_};\n"),
                false => format!("    (void){this_};\n"),
            };
            let allocated = this.plain("allocated")?;
            let thunk = declared(&ret, &format!("{call}({})", params.join(", ")));
            this.late.push_str(&format!("\nstatic {thunk} {{\n{}{body}}}\n", unused(&body)));
            let before = unused(&end);
            Ok(format!(
                "/* A function value with what it captured. */\ntypedef struct {{\n    {object} function;\n    {};\n}} {closure};\n\n\
                 static {thunk};\n\nstatic void {drop}({pointer}{this_}) {{\n{before}{end}    free({this_});\n}}\n\n\
                 static {pointer}{name}({}) {{\n    {closure} *made = {allocated}(NULL, 1, sizeof *made);\n    \
                 made->function = ({object}){{{call}, {drop}, 1}};\n    made->captured = captured;\n    \
                 return &made->function;\n}}\n",
                declared(&captured, "captured"),
                declared(&captured, "captured"),
            ))
        })?;
        Ok(Text::call(name, &[value.text]))
    }
}
