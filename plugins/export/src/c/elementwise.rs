//! Operations on the elements of vectors, as loops.

use overdub_context::ops::{self, OpDef};

use super::Printer;
use super::exprs::{Printed, Text};
use super::types::declared;
use crate::ast::{Apply, Arg, Expr, Local, LocalInfo};

/// Whether operands of a type are computed element by element.
pub(super) fn is_elementwise(op: &OpDef) -> bool {
    super::rows::is_of_numbers(op) && op != &ops::EQ && op != &ops::NE
}

impl Printer<'_> {
    /// An operation on the elements of vectors, of which those of length 1 are repeated.
    pub(super) fn elementwise(&mut self, op: &'static OpDef, apply: &Apply) -> Printed {
        let elem = apply.ty.as_array().filter(|array| array.rank == 1).map(|array| array.elem);
        let Some(elem) = elem else {
            return Err(self.unsupported(format!("`{}` of arrays with several axes", op.name), apply.span));
        };
        let counter = self.fresh_name("k");
        let (mut args, mut tys, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
        for (arg, ty) in apply.args.iter().zip(&apply.tys) {
            let Some(array) = ty.as_array() else {
                args.push(arg.clone());
                tys.push(*ty);
                continue;
            };
            let place = self.data_and_len(&arg.expr)?;
            let name = self.fresh_name(if vectors.is_empty() { "x" } else { "y" });
            self.locals.push(LocalInfo { ty: array.elem, name: None, is_ref: false, is_mut: false });
            self.local_names.push(name.clone());
            args.push(Arg::read(Expr::Local(Local(self.locals.len() as u32 - 1))));
            tys.push(array.elem);
            vectors.push((place, name, array.elem));
        }
        let result = self.fresh_name("values");
        let vec = self.owned(apply.ty, apply.span)?;
        let with_len = self.of_vec(elem, "with_len")?;
        let len = match &vectors[..] {
            [((_, len), ..)] => len.clone(),
            [((_, x), ..), ((_, y), ..)] => {
                let name = self.plain("broadcast_len")?;
                format!("{name}({x}, {y}, {})", self.place(apply.span))
            }
            _ => return Err(self.unsupported(format!("`{}` of three arrays", op.name), apply.span)),
        };
        self.line(&format!("{vec} {result} = {with_len}({len});"));
        self.line(&format!("for (size_t {counter} = 0; {counter} < {result}.len; {counter}++) {{"));
        self.indent += 1;
        for ((data, len), name, elem) in &vectors {
            let ty = self.owned(*elem, apply.span)?;
            let at = if vectors.len() == 1 { counter.clone() } else { format!("{len} == 1 ? 0 : {counter}") };
            self.line(&format!("{} = {data}[{at}];", declared(&ty, name)));
        }
        let scalar =
            Apply { callee: apply.callee, args, tys, ty: elem, span: apply.span, is_exact: apply.is_exact };
        let value = self.expr(&Expr::Apply(Box::new(scalar)))?.text;
        self.line(&format!("{result}.data[{counter}] = {value};"));
        self.indent -= 1;
        self.line("}");
        Ok(Text::atom(result))
    }
}
