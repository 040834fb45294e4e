//! The values of a sparse matrix: a loop over the colors of its columns or rows, whose products contain each entry.

use overdub_context::ir::{Func, FuncBuilder, Operand, Ty, Var};
use overdub_context::ops;

use super::Unsupported;
use super::floats::{FloatCount, parts};
use super::loops::{continued, counted, empty, fail_unless_equal, table};
use super::rows::Rows;
use super::same_shape::SameShape;
use crate::compression::{Compression, Products, Side};
use crate::derivative::Derivative;

/// Products with columns, which tangents compute.
struct ByColumns<'w> {
    /// The arguments that are differentiated.
    wrt: &'w [bool],
    is_hessian: bool,
    height: usize,
}

impl Rows<'_> {
    /// A function that returns the values of the entries, row by row, of a matrix with respect to the arguments in `wrt`.
    pub(super) fn sparse(
        &mut self,
        compression: &Compression,
        products: &Products,
        (derivative, wrt): (Derivative, &[bool]),
    ) -> Result<Func, Unsupported> {
        let (mut build, args) = self.open(Ty::array(Ty::f64(), 1));
        self.check_shapes(&mut build, &args, compression)?;
        // The shapes of arguments are checked, that of the result is not.
        let count = match products.side() {
            Side::Columns => FloatCount::Known,
            Side::Rows => FloatCount::Unknown,
        };
        self.floats.color(products.colors().to_vec(), count);
        let compressed = match products.side() {
            Side::Columns => {
                let is_hessian = derivative == Derivative::SparseHessian;
                let by = ByColumns { wrt, is_hessian, height: compression.rows() };
                self.sums_of_columns(&mut build, args, products.count(), &by)?
            }
            Side::Rows => self.sums_of_rows(&mut build, args, products.count(), compression.rows())?,
        };
        let each = match products.side() {
            Side::Columns => compression.rows(),
            Side::Rows => compression.cols(),
        };
        let is_in_order = products.sources().iter().enumerate().all(|(entry, source)| entry == *source);
        let values = if is_in_order && products.sources().len() == products.count() * each {
            compressed
        } else {
            decompressed(&mut build, compressed, products.sources())?
        };
        build.ret(values)?;
        Ok(build.finish()?)
    }

    /// Fails unless the arguments have the shapes of the example.
    pub(super) fn check_shapes(
        &self,
        build: &mut FuncBuilder,
        args: &[Operand],
        compression: &Compression,
    ) -> Result<(), Unsupported> {
        let mut shapes = SameShape::new(self.module, self.name);
        let params = self.primal.params().iter();
        for ((arg, param), example) in args.iter().zip(params).zip(compression.example()) {
            let name = self.primal.var_label(*param).to_string();
            shapes.check(build, (&name, arg.clone()), example)?;
        }
        Ok(())
    }

    /// For each color, the sum of its columns.
    fn sums_of_columns(
        &mut self,
        build: &mut FuncBuilder,
        args: Vec<Operand>,
        count: usize,
        by: &ByColumns<'_>,
    ) -> Result<Var, Unsupported> {
        let none = empty(build, Ty::array(Ty::f64(), 1))?;
        let colors = counted(build, count.into(), none.into())?;
        let (tangents, _) = self.tangents(build, &args, by.wrt, colors.number.into())?;
        let found = build.call(self.product.name, args.into_iter().chain(tangents), self.product.ret)?;
        let tangent = match by.is_hessian {
            true => Some(found.into()),
            false => parts(build, found.into())?.into_iter().nth(1),
        };
        let mut longer = Operand::from(colors.list);
        if let Some(dx) = tangent {
            longer = self.floats.flatten(build, dx, longer)?;
        }
        continued(build, &colors, longer)?;
        // Only the length of the result may differ.
        let len = build.op(&ops::LEN, [colors.list])?;
        fail_unless_equal(build, len.into(), (count * by.height).into(), &other_result(by.height))?;
        Ok(colors.list)
    }

    /// For each color, the sum of its rows.
    fn sums_of_rows(
        &mut self,
        build: &mut FuncBuilder,
        args: Vec<Operand>,
        count: usize,
        height: usize,
    ) -> Result<Var, Unsupported> {
        let value = build.call(self.primal.name, args.clone(), self.primal.ret)?;
        let none = empty(build, Ty::array(Ty::f64(), 1))?;
        let colors = counted(build, count.into(), none.into())?;
        let (cotangent, floats) = self.cotangent(build, value.into(), colors.number.into())?;
        fail_unless_equal(build, floats, height.into(), &other_result(height))?;
        let mut longer = Operand::from(colors.list);
        for dx in self.pulled_back(build, args, cotangent)? {
            longer = self.floats.flatten(build, dx, longer)?;
        }
        continued(build, &colors, longer)?;
        Ok(colors.list)
    }
}

fn other_result(floats: usize) -> String {
    format!("the result must hold {floats} floats, for which the sparsity pattern was found")
}

/// The values at these positions.
fn decompressed(build: &mut FuncBuilder, compressed: Var, sources: &[usize]) -> Result<Var, Unsupported> {
    let of = table(build, sources.to_vec())?;
    let none = empty(build, Ty::array(Ty::f64(), 1))?;
    let entries = counted(build, sources.len().into(), none.into())?;
    let source = build.op(&ops::GET_UNCHECKED, [of, entries.number.into()])?;
    let value = build.op(&ops::GET_UNCHECKED, [compressed, source])?;
    let longer = build.op(&ops::PUSH, [entries.list, value])?;
    continued(build, &entries, longer.into())?;
    Ok(entries.list)
}
