//! Calls of the kernels for matrix products.

use overdub_context::Span;
use overdub_context::ops;

use super::Printer;
use super::exprs::Text;
use super::literals::Known;
use super::stmts::Tail;
use crate::ast::{Expr, Local, MatrixProduct, Reduction, Stmt};
use crate::error::ExportError;
use crate::slices::apply;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    /// The products, if kernels can add them all, or else what adds them otherwise.
    pub(super) fn matrix_products(
        &mut self,
        products: &[MatrixProduct],
        (resets, otherwise): (&[Stmt], &[Stmt]),
    ) -> Done {
        for product in products {
            let [to, a, b] = [product.to, product.a, product.b].map(|of| self.length(of));
            let mut args = vec![format!("[{}, {}, {}]", to?, a?, b?)];
            args.extend(self.places(product)?);
            let test = Text::call(self.helpers.call("is_matrix_product"), args);
            self.put(&format!("let {} = ", self.name(product.fits)), test, ";");
        }
        let all: Vec<String> = products.iter().map(|product| self.name(product.fits)).collect();
        self.line(&format!("if {} {{", all.join(" && ")));
        self.indent += 1;
        products.iter().try_for_each(|product| self.matrix_product(product))?;
        self.indent -= 1;
        self.nested(resets, Tail::Statement)?;
        self.line("} else {");
        self.nested(otherwise, Tail::Statement)?;
        self.line("}");
        Ok(())
    }

    fn matrix_product(&mut self, product: &MatrixProduct) -> Done {
        let is_strong = match product.is_strong {
            true if self.is_generic => "STRONG",
            true => "true",
            false => "false",
        };
        let helper = match product.reduction {
            Reduction::InPlace => "add_matrix_product",
            Reduction::Sum { is_added: true, .. } => "add_sums_of_products",
            Reduction::Sum { is_added: false, .. } => "store_sums_of_products",
        };
        let name = format!("{}::<{is_strong}, {}>", self.helpers.call(helper), product.is_reversed);
        let [a, b] = [product.a, product.b].map(|of| self.reference(&Expr::Local(of)));
        let [to_at, a_at, b_at, sizes] = self.places(product)?;
        let mut args = vec![self.changed(product.to), to_at, a?.text, a_at, b?.text, b_at, sizes];
        if let Reduction::Sum { first, .. } = &product.reduction {
            args.push(self.expr(first, Known::Type)?.text);
        }
        self.put("", Text::call(name, args), ";");
        Ok(())
    }

    /// The places and sizes of the matrices.
    fn places(&mut self, product: &MatrixProduct) -> Result<[String; 4], ExportError> {
        let MatrixProduct { to_at, a_at, b_at, sizes, .. } = product;
        Ok([self.numbers(to_at)?, self.numbers(a_at)?, self.numbers(b_at)?, self.numbers(sizes)?])
    }

    fn length(&mut self, of: Local) -> Result<String, ExportError> {
        let ty = self.locals[of.0 as usize].ty;
        let len = apply(&ops::LEN, ty, [Expr::Local(of)], Span::unknown());
        Ok(self.expr(&len, Known::Type)?.text)
    }

    /// An array of numbers.
    fn numbers(&mut self, all: &[Expr]) -> Result<String, ExportError> {
        let all = all.iter().map(|expr| Ok(self.expr(expr, Known::Type)?.text));
        Ok(format!("[{}]", all.collect::<Result<Vec<_>, ExportError>>()?.join(", ")))
    }
}
