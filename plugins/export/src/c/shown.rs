//! A `main` that calls a function, and prints the text that it returns, or its result as Rust's `{:?}` does.

use overdub_context::ir::{Const, Ty, TyKind};

use super::Printer;
use super::types::{canonical, declared, elem, field_name, has_slice, is_plain_enum, variant_member};
use crate::ast::{Expr, Function};
use crate::error::ExportError;
use crate::nominal::{fields, is_boxed, is_positional};
use crate::ownership::is_copied;
use crate::rust::Main;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    /// A `main` that calls the function with these arguments.
    pub(super) fn main(&mut self, main: &Main<'_>, function: &Function) -> Done {
        let callable = self.functions[&function.symbol].clone();
        self.scope = self.names.clone();
        let (ret, ret_ty) = (function.ret, self.types.returned(function.ret, &mut self.names));
        let ret_ty = ret_ty.map_err(|error| self.no_type(error, function.span))?;
        self.line("");
        self.line("int main(void) {");
        self.indent += 1;
        let (mut texts, mut types, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for ((value, ty), is_ref) in main.args.iter().zip(&callable.refs) {
            // Others than C programs pass a slice as one.
            let slice = match *is_ref && has_slice(*ty) && !callable.is_public {
                true => Some(self.borrowed_ty(*ty, self.span)?),
                false => None,
            };
            let passed = |data: String, len: String| match &slice {
                Some(slice) => vec![format!("({slice}){{{data}, {len}}}")],
                None => vec![data, len],
            };
            let constant = Const::new(value.clone());
            let constant =
                constant.ok_or_else(|| self.unsupported("an argument that is no data", self.span))?;
            let expr = Expr::Const(constant.clone(), *ty);
            if *is_ref
                && has_slice(*ty)
                && let Some((data, len)) = self.table(constant.value(), *ty)?
            {
                texts.extend(passed(data, len.to_string()));
            } else if *is_ref {
                let (name, owned) = (self.fresh_name("argument"), self.owned(*ty, self.span)?);
                let value = self.expr(&expr)?.text;
                self.line(&format!("{} = {value};", declared(&owned, &name)));
                ends.push(self.dropped(*ty, &name)?);
                match has_slice(*ty) {
                    true => texts.extend(passed(format!("{name}.data"), format!("{name}.len"))),
                    false => texts.push(format!("&{name}")),
                }
            } else {
                texts.push(self.expr(&expr)?.text);
            }
            match (is_ref, has_slice(*ty)) {
                (true, true) if slice.is_some() => types.extend(slice),
                (true, true) => {
                    let of = match elem(*ty) {
                        Some(elem) => super::types::constant(&self.owned(elem, self.span)?),
                        None => "const char".to_owned(),
                    };
                    types.extend([format!("{of} *"), "size_t".to_owned()]);
                }
                (true, false) => types.push(self.borrowed_ty(*ty, self.span)?),
                (false, _) => types.push(self.owned(*ty, self.span)?),
            }
        }
        self.line(
            "/* The pointer keeps compilers from evaluating the call by themselves, in other arithmetic. */",
        );
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let pointer = declared(&ret_ty, &format!("(*volatile call)({types})"));
        self.line(&format!("{pointer} = {};", callable.name));
        let call = format!("call({})", texts.join(", "));
        if ret_ty == "void" {
            self.line(&format!("{call};"));
            self.line("puts(\"()\");");
        } else {
            self.line(&format!("{} = {call};", declared(&ret_ty, "result")));
            let show = match main.is_text {
                true => {
                    format!("{}(stdout, (TextView){{result.data, result.len}});", self.plain("print_text")?)
                }
                false => self.show(ret, "result")?,
            };
            self.line(&show);
            self.line("puts(\"\");");
            if !is_copied(ret) {
                let end = self.dropped(ret, "result")?;
                self.line(&format!("{end};"));
            }
        }
        for end in ends {
            self.line(&format!("{end};"));
        }
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
        Ok(())
    }

    /// A statement that prints the value in a place.
    fn show(&mut self, ty: Ty, place: &str) -> Result<String, ExportError> {
        let ty = canonical(ty);
        let owned_text = |this: &mut Self, text: String| {
            let name = this.made("show text".to_owned(), "show_text", |this, name| {
                let print = this.plain("print_text")?;
                Ok(format!(
                    "/* Prints a text, which is freed. */\nstatic void {name}(Text text) {{\n    \
                     {print}(stdout, (TextView){{text.data, text.len}});\n    free(text.data);\n}}\n"
                ))
            })?;
            Ok(format!("{name}({text});"))
        };
        match ty.kind() {
            TyKind::Unit | TyKind::Never => Ok(format!("(void){place};\nfputs(\"()\", stdout);")),
            TyKind::Bool => Ok(format!("fputs({place} ? \"true\" : \"false\", stdout);")),
            TyKind::Int(_) => {
                let name = self.of_number(ty, "show_int")?;
                owned_text(self, format!("{name}({place}, 10)"))
            }
            TyKind::Float(_) => {
                let name = self.of_number(ty, "show_real")?;
                owned_text(self, format!("{name}({place}, 1, -1, false)"))
            }
            TyKind::Char | TyKind::Str => {
                let name = self.plain(if ty == Ty::str() { "show_str" } else { "show_char" })?;
                Ok(format!("{name}({place});"))
            }
            TyKind::Fn(_) => Err(self.unsupported("a function value to be printed", self.span)),
            _ => {
                let name = self.show_function(ty)?;
                Ok(format!("{name}(&{place});"))
            }
        }
    }

    /// The function that prints values of a type.
    fn show_function(&mut self, ty: Ty) -> Result<String, ExportError> {
        if let Some(name) = self.of_types.get(&(ty, "show")) {
            return Ok(name.clone());
        }
        let owned = self.owned(ty, self.span)?;
        let wanted = format!("{}_show", self.word(ty)?);
        let name = self.global(&wanted);
        self.of_types.insert((ty, "show"), name.clone());
        self.support.declared.push_str(&format!("static void {name}(const {owned} *x);\n"));
        let mut lines: Vec<String> = Vec::new();
        match ty.kind() {
            TyKind::Array(array) => {
                lines.push("fputs(\"[\", stdout);".to_owned());
                lines.push("for (size_t i = 0; i < x->len; i++) {".to_owned());
                lines.push("    fputs(i > 0 ? \", \" : \"\", stdout);".to_owned());
                let show = self.show(array.elem, "x->data[i]")?;
                lines.extend(show.lines().map(|line| format!("    {line}")));
                lines.push("}".to_owned());
                lines.push("fputs(\"]\", stdout);".to_owned());
            }
            TyKind::Tuple(parts) => {
                let each = parts.iter().enumerate().map(|(at, &part)| (None, part, format!("x->f{at}")));
                let each: Vec<_> = each.collect();
                let end = if parts.len() == 1 { ",)" } else { ")" };
                self.show_parts("(", end, each, &mut lines)?;
            }
            TyKind::Struct(nominal) => {
                let name = crate::nominal::type_name(&nominal.name());
                self.show_fields(ty, 0, &name, "x->", &mut lines)?;
            }
            _ => {
                let variants = ty.as_nominal().and_then(|nominal| nominal.variants()).unwrap_or_default();
                for (tag, variant) in variants.iter().enumerate() {
                    let number = self.variant(ty, tag)?;
                    let (of, member) = match is_plain_enum(ty) {
                        true => ("*x", String::new()),
                        false => ("x->tag", format!("x->as.{}.", variant_member(ty, tag))),
                    };
                    lines.push(format!("if ({of} == {number}) {{"));
                    let mut inner = Vec::new();
                    self.show_fields(ty, tag, &variant.name, &member, &mut inner)?;
                    lines.extend(inner.into_iter().map(|line| format!("    {line}")));
                    lines.push("}".to_owned());
                }
            }
        }
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        self.support.text.push_str(&format!(
            "\n/* Prints a value. */\nstatic void {name}(const {owned} *x) {{\n{body}}}\n"
        ));
        Ok(name)
    }

    /// Prints the fields of a struct or variant.
    fn show_fields(&mut self, ty: Ty, tag: usize, name: &str, of: &str, lines: &mut Vec<String>) -> Done {
        let fields = fields(ty, tag);
        if fields.is_empty() {
            lines.push(format!("(void)x;\nfputs(\"{name}\", stdout);"));
            return Ok(());
        }
        let is_tuple = is_positional(fields);
        let each = fields.iter().enumerate().map(|(at, field)| {
            let place = format!("{of}{}", field_name(ty, tag, at));
            let place = if is_boxed(ty, tag, at) { format!("(*{place})") } else { place };
            ((!is_tuple).then(|| field.name.to_string()), field.ty, place)
        });
        let each: Vec<_> = each.collect();
        let (start, end) = if is_tuple { (format!("{name}("), ")") } else { (format!("{name} {{ "), " }") };
        self.show_parts(&start, end, each, lines)
    }

    fn show_parts(
        &mut self,
        start: &str,
        end: &str,
        parts: Vec<(Option<String>, Ty, String)>,
        lines: &mut Vec<String>,
    ) -> Done {
        let mut before = start.to_owned();
        for (name, ty, place) in parts {
            before.push_str(&name.map(|name| format!("{name}: ")).unwrap_or_default());
            lines.push(format!("fputs(\"{before}\", stdout);"));
            lines.extend(self.show(ty, &place)?.lines().map(str::to_owned));
            before = ", ".to_owned();
        }
        lines.push(format!("fputs(\"{end}\", stdout);"));
        Ok(())
    }
}
