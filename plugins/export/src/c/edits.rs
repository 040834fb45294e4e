//! Operations that change the elements of a vector in place.

use overdub_context::ir::Ty;
use overdub_context::ops;

use super::Printer;
use super::exprs::Text;
use crate::ast::Apply;
use crate::error::ExportError;
use crate::ownership::is_copied;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    /// Operations that change the elements of a vector.
    pub(super) fn edit(&mut self, op: &'static ops::OpDef, name: &str, elem: Ty, apply: &Apply) -> Done {
        let (args, at) = (&apply.args, self.place(apply.span));
        let line = match () {
            () if op == &ops::PUSH || op == &ops::STACK_PUSH => {
                let value = self.value(&args[0])?.text;
                format!("{}(&{name}, {value});", self.of_vec(elem, "push")?)
            }
            () if op == &ops::INSERT => {
                let index = self.index(&args[0].expr)?;
                let value = self.value(&args[1])?.text;
                format!("{}(&{name}, {index}, {value}, {at});", self.of_vec(elem, "insert")?)
            }
            () if op == &ops::TRUNCATE => {
                format!("{}(&{name}, {});", self.of_vec(elem, "truncate")?, self.index(&args[0].expr)?)
            }
            () if op == &ops::RESIZE => {
                let len = self.index(&args[0].expr)?;
                let value = self.value(&args[1])?.text;
                format!("{}(&{name}, {len}, {value});", self.of_vec(elem, "resize")?)
            }
            () if op == &ops::FILL => {
                let value = self.value(&args[0])?.text;
                format!("{}(&{name}, {value});", self.of_vec(elem, "fill")?)
            }
            () if op == &ops::WITH_ROOM => {
                format!("{}(&{name}, {});", self.of_vec(elem, "reserve")?, self.index(&args[0].expr)?)
            }
            () if op == &ops::SWAP => {
                let (i, j) = (self.index(&args[0].expr)?, self.index(&args[1].expr)?);
                format!("{}(&{name}, {i}, {j}, {at});", self.of_vec(elem, "swap")?)
            }
            () if op == &ops::REVERSE => {
                format!("{}(&{name}, 0, {name}.len);", self.of_vec(elem, "reverse_range")?)
            }
            () if op == &ops::ARRAY_ROTATE_LEFT || op == &ops::ARRAY_ROTATE_RIGHT => {
                let is_left = op == &ops::ARRAY_ROTATE_LEFT;
                let message =
                    format!("\"assertion failed: {} <= self.len()\"", if is_left { "mid" } else { "k" });
                let count = self.addressable(&args[0].expr)?;
                // Too many to the right are too many to the left.
                let count = match is_left {
                    true => count,
                    false => format!("{count} > {name}.len ? {count} : {name}.len - {count}"),
                };
                format!("{}(&{name}, {count}, {message}, {at});", self.of_vec(elem, "rotate")?)
            }
            () if op == &ops::COPY_WITHIN && is_copied(elem) => {
                let mut texts = vec![format!("&{name}")];
                for arg in args {
                    texts.push(self.index(&arg.expr)?);
                }
                texts.push(at);
                format!("{};", Text::call(self.of_vec(elem, "copy_within")?, &texts).text)
            }
            () if op == &ops::SET_SLICE => {
                let index = self.index(&args[0].expr)?;
                let values = self.slice(&args[1].expr)?;
                format!("{}(&{name}, {index}, {values}, {at});", self.of_vec(elem, "set_slice")?)
            }
            () => return Err(self.unsupported(format!("the operation `{}`", op.name), apply.span)),
        };
        self.line(&line);
        Ok(())
    }

    /// The function that takes out the last element, if there is one.
    pub(super) fn pop(&mut self, elem: Ty, option: Ty) -> Result<String, ExportError> {
        let (vec, ret) = (self.owned(Ty::array(elem, 1), self.span)?, self.owned(option, self.span)?);
        let wanted = format!("{}_pop", self.word(Ty::array(elem, 1))?);
        self.made(format!("pop {}", super::types::canonical(elem)), &wanted, |this, name| {
            let (some, none) =
                (this.option(option, Some("v->data[--v->len]".to_owned()))?, this.option(option, None)?);
            Ok(format!(
                "/* Takes out the last element, if there is one. */\nstatic inline {ret} {name}({vec} *v) {{\n    \
                 if (v->len == 0) {{\n        return {none};\n    }}\n    return {some};\n}}\n"
            ))
        })
    }
}
