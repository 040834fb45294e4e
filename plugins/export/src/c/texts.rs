//! Operations on texts, formats and output.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{self, OpDef};

use super::Printer;
use super::exprs::Text;
use crate::ast::{Apply, Expr};
use crate::error::ExportError;
use crate::scopes::constant_index;

/// Operations that depend on tables of Unicode: they fail on what is not ASCII.
const OF_ASCII: &[(&OpDef, &str)] = &[
    (&ops::STR_TO_UPPER, "text_to_upper"),
    (&ops::STR_TO_LOWER, "text_to_lower"),
    (&ops::CHAR_TO_UPPER, "char_to_upper"),
    (&ops::CHAR_TO_LOWER, "char_to_lower"),
    (&ops::FMT_STR_DEBUG, "text_debug"),
    (&ops::FMT_CHAR_DEBUG, "char_debug"),
    (&ops::STR_ESCAPE_DEBUG, "text_escaped"),
    (&ops::CHAR_IS_ALPHABETIC, "is_alphabetic"),
    (&ops::CHAR_IS_NUMERIC, "is_numeric"),
    (&ops::CHAR_IS_ALPHANUMERIC, "is_alphanumeric"),
    (&ops::CHAR_IS_UPPERCASE, "is_upper"),
    (&ops::CHAR_IS_LOWERCASE, "is_lower"),
];

type Printed = Result<Option<Text>, ExportError>;

impl Printer<'_> {
    /// Operations on texts and those that make them.
    pub(super) fn of_text(&mut self, op: &'static OpDef, apply: &Apply) -> Printed {
        let args = &apply.args;
        let text = match () {
            () if op == &ops::STR_CONTAINS => {
                let (text, wanted) = self.two(apply)?;
                Text::with(
                    format!("{}({text}, {wanted}, 0) != SIZE_MAX", self.plain("text_find")?),
                    super::exprs::binds::COMPARE,
                )
            }
            () if op == &ops::STR_STARTS_WITH || op == &ops::STR_ENDS_WITH => {
                let (text, other) = self.two(apply)?;
                let name = if op == &ops::STR_STARTS_WITH { "text_starts_with" } else { "text_ends_with" };
                Text::call(self.plain(name)?, &[text, other])
            }
            () if op == &ops::STR_FIND => {
                let (text, wanted) = self.two(apply)?;
                let (find, found) = (self.plain("text_find")?, self.fresh_name("found"));
                self.line(&format!("size_t {found} = {find}({text}, {wanted}, 0);"));
                let (some, none) =
                    (self.option(apply.ty, Some(found.clone()))?, self.option(apply.ty, None)?);
                Text::with(format!("{found} == SIZE_MAX ? {none} : {some}"), super::exprs::binds::CHOICE)
            }
            () if [&ops::STR_TRIM, &ops::STR_TRIM_START, &ops::STR_TRIM_END].contains(&op) => {
                let text = self.slice(&args[0].expr)?;
                let ends = match () {
                    () if op == &ops::STR_TRIM => 3,
                    () if op == &ops::STR_TRIM_START => 1,
                    () => 2,
                };
                let (trim, clone) = (self.plain("text_trimmed")?, self.plain("text_clone")?);
                Text::atom(format!("{clone}({trim}({text}, {ends}))"))
            }
            () if op == &ops::STR_SLICE => {
                let text = self.slice(&args[0].expr)?;
                let (from, to) = (self.index(&args[1].expr)?, self.index(&args[2].expr)?);
                let (part, clone) = (self.plain("text_part")?, self.plain("text_clone")?);
                Text::atom(format!("{clone}({part}({text}, {from}, {to}, {}))", self.place(apply.span)))
            }
            () if op == &ops::STR_REPEAT => {
                let text = self.slice(&args[0].expr)?;
                Text::call(self.plain("text_repeat")?, &[text, self.index(&args[1].expr)?])
            }
            () if op == &ops::STR_REPLACE => {
                let mut texts = Vec::new();
                for arg in args {
                    texts.push(self.slice(&arg.expr)?);
                }
                Text::call(self.plain("text_replace")?, &texts)
            }
            () if op == &ops::STR_BYTES => {
                let (data, len) = self.data_and_len(&args[0].expr)?;
                let from = self.of_vec(super::types::elem(apply.ty).unwrap_or(Ty::unit()), "from")?;
                Text::atom(format!("{from}((const uint8_t *){data}, {len})"))
            }
            () if op == &ops::STR_CHARS => {
                let (vec, push) = (self.owned(apply.ty, apply.span)?, self.of_vec(Ty::char(), "push")?);
                let (text, chars, at) =
                    (self.slice_name(&args[0].expr)?, self.fresh_name("chars"), self.fresh_name("at"));
                let next = self.plain("text_char")?;
                self.line(&format!("{vec} {chars} = {{0}};"));
                self.line(&format!("for (size_t {at} = 0; {at} < {text}.len;) {{"));
                self.line(&format!("    {push}(&{chars}, {next}({text}, &{at}));"));
                self.line("}");
                Text::atom(chars)
            }
            () if op == &ops::STR_FROM_CHARS => {
                let (data, len) = self.data_and_len(&args[0].expr)?;
                let (text, counter, push) =
                    (self.fresh_name("text"), self.fresh_name("k"), self.plain("text_push")?);
                self.owned(Ty::str(), apply.span)?;
                self.line(&format!("Text {text} = {{0}};"));
                self.line(&format!("for (size_t {counter} = 0; {counter} < {len}; {counter}++) {{"));
                self.line(&format!("    {push}(&{text}, {data}[{counter}]);"));
                self.line("}");
                Text::atom(text)
            }
            () if op == &ops::CHAR_IS_WHITESPACE => {
                let name = self.plain("is_white")?;
                Text::call(name, &self.scalars(args)?)
            }
            () if op == &ops::FMT_INT => {
                let name = self.of_number(apply.tys[0], "show_int")?;
                match constant_index(&args[1].expr) {
                    Some(2..=36) => Text::call(name, &self.scalars(args)?),
                    _ => return Err(self.unsupported("an integer printed to this radix", apply.span)),
                }
            }
            () if op == &ops::FMT_FLOAT => {
                let name = self.of_number(apply.tys[0], "show_real")?;
                let mut texts = self.scalars(args)?;
                if !matches!(args[2].expr, Expr::Const(..)) {
                    let check = self.plain("check_precision")?;
                    texts[2] = format!("{check}({}, {})", texts[2], self.place(apply.span));
                }
                Text::call(name, &texts)
            }
            () if op == &ops::FMT_PAD => {
                let mut texts = vec![self.slice(&args[0].expr)?];
                texts.extend(self.scalars(&args[1..])?);
                texts.push(self.place(apply.span));
                Text::call(self.plain("text_padded")?, &texts)
            }
            () if op == &ops::PRINT || op == &ops::EPRINT => {
                let file = if op == &ops::PRINT { "stdout" } else { "stderr" };
                let text = self.slice(&args[0].expr)?;
                Text::call(self.plain("print_text")?, &[file.to_owned(), text])
            }
            () if op == &ops::STR_PARSE_FLOAT || op == &ops::STR_PARSE_INT => self.parsed(apply)?,
            () if op == &ops::STR_FROM_UTF8 => {
                let (data, len) = self.data_and_len(&args[0].expr)?;
                let (valid, of) = (self.plain("is_utf8")?, self.plain("text_of")?);
                let some = self.option(apply.ty, Some(format!("{of}((const char *){data}, {len})")))?;
                let none = self.option(apply.ty, None)?;
                Text::with(format!("{valid}({data}, {len}) ? {some} : {none}"), super::exprs::binds::CHOICE)
            }
            () if let Some((_, name)) = OF_ASCII.iter().find(|(row, _)| *row == op) => {
                let is_text = apply.tys[0] == Ty::str();
                let first = if is_text { self.slice(&args[0].expr)? } else { self.expr(&args[0].expr)?.text };
                Text::call(self.plain(name)?, &[first, self.place(apply.span)])
            }
            () => return Ok(None),
        };
        Ok(Some(text))
    }

    /// Two texts.
    fn two(&mut self, apply: &Apply) -> Result<(String, String), ExportError> {
        Ok((self.slice(&apply.args[0].expr)?, self.slice(&apply.args[1].expr)?))
    }

    /// A local with a slice of a text.
    fn slice_name(&mut self, expr: &Expr) -> Result<String, ExportError> {
        let slice = self.slice(expr)?;
        let name = self.fresh_name("view");
        self.line(&format!("TextView {name} = {slice};"));
        Ok(name)
    }

    /// The number that a text is, if it is one.
    fn parsed(&mut self, apply: &Apply) -> Result<Text, ExportError> {
        let option = apply.ty;
        let ty = option.as_nominal().and_then(|option| option.args().first().copied());
        let Some(ty) = ty.filter(|ty| ty.is_number()) else {
            return Err(self.unsupported("a number of this type in a text", apply.span));
        };
        let (number, ret) = (self.owned(ty, apply.span)?, self.owned(option, apply.span)?);
        let text = self.slice(&apply.args[0].expr)?;
        let wanted = format!("parse_{ty}");
        let name = self.made(wanted.clone(), &wanted, |this, name| {
            let (some, none) = (this.option(option, Some("x".to_owned()))?, this.option(option, None)?);
            let body = if let TyKind::Int(_) = ty.kind() {
                let fits = this.of_number(ty, "parse_fits")?;
                format!("    {number} x;\n    return {fits}(text, &x) ? {some} : {none};\n")
            } else {
                let (parse, allocated) = (this.plain("parse_real")?, this.plain("allocated")?);
                let convert = if ty == Ty::f32() { "strtof" } else { "strtod" };
                format!(
                    "    char *copy = {allocated}(NULL, text.len + 1, 1);\n    bool is_real = {parse}(text, copy);\n    \
                     {number} x = is_real ? {convert}(copy, NULL) : 0;\n    free(copy);\n    \
                     return is_real ? {some} : {none};\n"
                )
            };
            Ok(format!(
                "/* The number that a text is, if it is one. */\nstatic {ret} {name}(TextView text) {{\n{body}}}\n"
            ))
        })?;
        Ok(Text::call(name, &[text]))
    }
}
