//! Sorts by a comparison of the program: merge sorts, which keep equal elements in order.

use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};

use super::Printer;
use super::exprs::{Printed, Text};
use super::types::{declared, elem};
use crate::ast::{Apply, Expr, Local};
use crate::error::ExportError;
use crate::ownership::is_copied;
use crate::scopes::constant_index;

impl Printer<'_> {
    /// Sorts a vector in place.
    pub(super) fn sort(&mut self, local: Local, apply: &Apply) -> Result<(), ExportError> {
        let plan = apply.args.get(1).map_or(Some(0), |plan| constant_index(&plan.expr)).map(|plan| plan & 3);
        if !matches!(plan, Some(0 | 1)) {
            return Err(self.unsupported("a partial sort", apply.span));
        }
        let of = elem(apply.tys[0]).unwrap_or(Ty::unit());
        let (name, function) = self.sorting(&apply.args[0].expr, apply.tys[1], of, false, apply.span)?;
        let vec = self.name(local);
        self.line(&format!("{name}({vec}.data, {vec}.len, {function});"));
        Ok(())
    }

    /// The indices of elements in the order of a comparison.
    pub(super) fn sort_order(&mut self, apply: &Apply) -> Printed {
        if let Some(plan) = apply.args.get(2)
            && constant_index(&plan.expr).is_none_or(|plan| plan & 3 != 0)
        {
            return Err(self.unsupported("the order of a sort that is not stable", apply.span));
        }
        let of = elem(apply.tys[0]).unwrap_or(Ty::unit());
        let (data, len) = self.data_and_len(&apply.args[0].expr)?;
        let (name, function) = self.sorting(&apply.args[1].expr, apply.tys[1], of, true, apply.span)?;
        let (order, counter) = (self.fresh_name("order"), self.fresh_name("k"));
        let (ty, with_len) = (self.owned(apply.ty, apply.span)?, self.of_vec(Ty::usize(), "with_len")?);
        self.line(&format!("{ty} {order} = {with_len}({len});"));
        self.line(&format!("for (size_t {counter} = 0; {counter} < {order}.len; {counter}++) {{"));
        self.line(&format!("    {order}.data[{counter}] = {counter};"));
        self.line("}");
        self.line(&format!("{name}({order}.data, {order}.len, {data}, {function});"));
        Ok(Text::atom(order))
    }

    /// The function that sorts by a comparison, and the comparison as its last argument.
    fn sorting(
        &mut self,
        function: &Expr,
        ty: Ty,
        of: Ty,
        by_index: bool,
        span: Span,
    ) -> Result<(String, String), ExportError> {
        let owned = self.owned(ty, span)?;
        let is_value = !Self::is_closure(ty);
        let place = self.addressable(function)?;
        let argument = if is_value { place } else { super::values::address(&place) };
        let key = format!("sort {by_index} {of} {ty}");
        let name = self.made(key, if by_index { "sorted_order" } else { "sorted" }, |this, name| {
            // Variables may not hide the functions that are called.
            let mut scope = this.names.clone();
            let [f, values, from, to, low, high] =
                ["f", "values", "from", "to", "low", "high"].map(|name| scope.unique(name));
            let [middle, left, right, k, is_right, copy, len] =
                ["middle", "left", "right", "k", "is_right", "copy", "len"].map(|name| scope.unique(name));
            let elem = this.owned(of, span)?;
            let pointer_of = |ty: &str| if ty.ends_with('*') { format!("{ty}*") } else { format!("{ty} *") };
            let (moved, extra, pass) = match by_index {
                true => {
                    let elems = pointer_of(super::types::constant(&elem).trim_end());
                    ("size_t *".to_owned(), format!("{elems}{values}, "), format!("{values}, "))
                }
                false => (pointer_of(&elem), String::new(), String::new()),
            };
            let place = |at: &str| match by_index {
                true => format!("{values}[{from}[{at}]]"),
                false => format!("{from}[{at}]"),
            };
            let function = if is_value { declared(&owned, &f) } else { format!("const {owned} *{f}") };
            let runs = this.global(&format!("{name}_runs"));
            let less = this.comparison(ty, of, (&f, &place(&right), &place(&left)), span)?;
            let allocated = this.plain("allocated")?;
            this.late.push_str(&format!(
                "\nstatic void {runs}({moved}{from}, {moved}{to}, size_t {low}, size_t {high}, {extra}{function}) {{\n    \
                 if ({high} - {low} < 2) {{\n        return;\n    }}\n    \
                 size_t {middle} = {low} + ({high} - {low}) / 2;\n    \
                 {runs}({to}, {from}, {low}, {middle}, {pass}{f});\n    \
                 {runs}({to}, {from}, {middle}, {high}, {pass}{f});\n    \
                 size_t {left} = {low}, {right} = {middle};\n    \
                 for (size_t {k} = {low}; {k} < {high}; {k}++) {{\n        \
                 bool {is_right} = {left} == {middle} || ({right} < {high} && {less});\n        \
                 {to}[{k}] = {is_right} ? {from}[{right}++] : {from}[{left}++];\n    }}\n}}\n\n\
                 static void {name}({moved}{to}, size_t {len}, {extra}{function}) {{\n    \
                 if ({len} < 2) {{\n        return;\n    }}\n    \
                 {moved}{copy} = {allocated}(NULL, {len}, sizeof *{copy});\n    \
                 memcpy({copy}, {to}, {len} * sizeof *{copy});\n    \
                 {runs}({copy}, {to}, 0, {len}, {pass}{f});\n    free({copy});\n}}\n",
            ));
            Ok(format!(
                "/* Sorts by a comparison; equal elements keep their order. */\n\
                 static void {name}({moved}{to}, size_t {len}, {extra}{function});\n",
            ))
        })?;
        Ok((name, argument))
    }

    /// Whether the element in one place is less than that in another one, by a function value.
    fn comparison(
        &mut self,
        ty: Ty,
        of: Ty,
        (f, x, y): (&str, &str, &str),
        span: Span,
    ) -> Result<String, ExportError> {
        let value = |this: &mut Self, place: &str| match is_copied(of) {
            true => Ok(place.to_owned()),
            false => this.cloned(of, place),
        };
        let (code, ret) = if let TyKind::Closure(_) = ty.kind() {
            let (callee, mut texts, refs) = self.captured(&format!("(*{f})"), ty, span)?;
            for (place, is_ref) in [x, y].into_iter().zip(refs) {
                match is_ref {
                    true => texts.extend(self.passed(&callee, true, of, place)?),
                    false => texts.push(value(self, place)?),
                }
            }
            (format!("{}({})", callee.name, texts.join(", ")), self.less()?)
        } else {
            let args = [value(self, x)?, value(self, y)?];
            (format!("{f}->call({f}, {})", args.join(", ")), self.less()?)
        };
        Ok(format!("{code} == {ret}"))
    }

    /// The number of `Less`.
    fn less(&mut self) -> Result<String, ExportError> {
        let ty = Ty::ordering();
        self.owned(ty, self.span)?;
        self.variant(ty, 0)
    }
}
