//! Functions that try plain products first (PLAINFIRST1 and PLAINFIRST2 in `crate::plain_first`).

use overdub_context::Symbol;
use overdub_context::ir::Ty;

use super::exprs::Text;
use super::layout::MAX_WIDTH;
use super::{Callable, Printer};
use crate::ast::{Function, Local};
use crate::local_names::WORKSPACE;

/// How a function takes part.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Role {
    /// Its products are as they are.
    #[default]
    None,
    /// It has the constant parameter, or passes it on.
    Generic,
    /// It calls itself with one and the other, and tells by these expressions of `found`, and by slices of the caller, whether a
    /// derivative is NaN.
    Chooses { tests: Vec<String>, slices: Vec<Local> },
}

impl Printer<'_> {
    /// The function with this symbol, as the current one calls it.
    pub(super) fn callable(&self, symbol: &Symbol) -> Option<Callable> {
        let mut found = self.functions.get(symbol)?.clone();
        if found.is_generic {
            found.name.push_str(self.strong());
        }
        Some(found)
    }

    /// The constant argument for what has the parameter.
    fn strong(&self) -> &'static str {
        if self.is_generic { "::<STRONG>" } else { "::<true>" }
    }

    /// The function for a product with a strong zero.
    pub(super) fn strong_product(&mut self, is_f32: bool) -> String {
        let helper = match (self.is_generic, is_f32) {
            (false, false) => "mul_zero",
            (false, true) => "mul_zero_f32",
            (true, false) => "mul_zero_if",
            (true, true) => "mul_zero_if_f32",
        };
        let name = self.helpers.call(helper);
        if self.is_generic { format!("{name}{}", self.strong()) } else { name }
    }

    /// The rest of a function that calls `inner` by plain products, and again with strong zeros if a test holds.
    pub(super) fn choice(
        &mut self,
        inner: &str,
        function: &Function,
        (tests, slices): (&[String], &[Local]),
    ) {
        let destinations = function.destinations.iter().map(|to| to.slice);
        let all = function.params.iter().copied().chain(destinations);
        let mut params: Vec<String> = all.map(|param| self.name(param)).collect();
        params.extend(function.has_workspace.then(|| WORKSPACE.to_owned()));
        let of_slices = slices.iter().map(|&slice| format!("any_nan({})", self.name(slice)));
        let tests: Vec<String> = tests.iter().cloned().chain(of_slices).collect();
        let (is_tried, is_unit) = (self.returns_result(), function.ret == Ty::unit());
        if tests.iter().any(|test| test.contains("any_nan(")) {
            self.helpers.call("any_nan");
        }
        self.indent += 1;
        self.line("// Plain products are NaN where zero meets infinity; such a product is zero.");
        let call = |strong: bool| Text::call(format!("{inner}::<{strong}>"), params.clone());
        let plain = if is_tried { self.tried(call(false)) } else { call(false) };
        self.put(if is_unit { "" } else { "let found = " }, plain, ";");
        let all = format!("if {} {{", tests.join(" || "));
        if self.indent * 4 + all.chars().count() <= MAX_WIDTH {
            self.line(&all);
        } else {
            for (number, test) in tests.iter().enumerate() {
                let how = if number == 0 { "let mut has_nan =" } else { "has_nan |=" };
                self.line(&format!("{how} {test};"));
            }
            self.line("if has_nan {");
        }
        self.indent += 1;
        if is_unit {
            let again = if is_tried { self.tried(call(true)) } else { call(true) };
            self.put("", again, ";");
        } else {
            self.put("", call(true), "");
        }
        self.indent -= 1;
        match (is_unit, is_tried) {
            (true, _) => self.line("}"),
            (false, _) => {
                self.line("} else {");
                self.line(if is_tried { "    Ok(found)" } else { "    found" });
                self.line("}");
            }
        }
        if is_unit && is_tried {
            self.line("Ok(())");
        }
        self.indent -= 1;
        self.line("}");
    }
}
