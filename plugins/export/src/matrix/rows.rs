//! The rows of a matrix: a loop over the products of a function with unit vectors.

use overdub_ad::transform::reverse::few_floats;
use overdub_context::Symbol;
use overdub_context::ir::{Func, FuncBuilder, Module, Operand, Target, Ty, TyKind, Var};
use overdub_context::ops;

use super::Unsupported;
use super::floats::{Floats, parts};
use super::loops::{Loop, begin, continued, counted, empty, list_of_rows, next, step};

pub(super) struct Rows<'m> {
    pub(super) module: &'m Module,
    pub(super) floats: Floats<'m>,
    pub(super) name: Symbol,
    pub(super) primal: &'m Func,
    /// The function that multiplies by the matrix.
    pub(super) product: &'m Func,
}

impl<'m> Rows<'m> {
    pub(super) fn new(module: &'m Module, name: Symbol, primal: &'m Func, product: &'m Func) -> Rows<'m> {
        Rows { module, floats: Floats::new(module, name), name, primal, product }
    }

    /// The rows by reverse mode.
    pub(super) fn by_rows(&mut self) -> Result<Func, Unsupported> {
        let (mut build, args) = self.open(list_of_rows());
        let value = build.call(self.primal.name, args.clone(), self.primal.ret)?;
        let rows = begin(&mut build)?;
        let (cotangent, count) = self.cotangent(&mut build, value.into(), rows.number.into())?;
        step(&mut build, &rows, &count)?;
        let cotangents = self.pulled_back(&mut build, args, cotangent)?;
        let row = self.floats.flattened(&mut build, cotangents)?;
        next(&mut build, &rows, row)?;
        build.ret(rows.list)?;
        Ok(build.finish()?)
    }

    /// The cotangent of a value that is one at the float of this number or color; and the number of floats.
    pub(super) fn cotangent(
        &mut self,
        build: &mut FuncBuilder,
        value: Operand,
        at: Operand,
    ) -> Result<(Operand, Operand), Unsupported> {
        let dty = match self.product.params().last() {
            Some(param) => self.product.ty(*param),
            None => Ty::unit(),
        };
        self.floats.unit(build, (value, dty), at, 0_usize.into())
    }

    /// The cotangents of the arguments for one of the result.
    pub(super) fn pulled_back(
        &self,
        build: &mut FuncBuilder,
        args: Vec<Operand>,
        cotangent: Operand,
    ) -> Result<impl Iterator<Item = Operand> + use<>, Unsupported> {
        let all = args.into_iter().chain([cotangent]);
        let products = build.call(self.product.name, all, self.product.ret)?;
        // The value comes first.
        Ok(parts(build, products.into())?.into_iter().skip(1))
    }

    /// The rows by forward mode, from the columns.
    pub(super) fn by_columns(&mut self, wrt: &[bool]) -> Result<Func, Unsupported> {
        let (mut build, columns, products) = self.along_units(wrt)?;
        let tangent = parts(&mut build, products)?.into_iter().nth(1);
        let column = self.floats.flattened(&mut build, tangent)?;
        next(&mut build, &columns, column)?;
        let rows = self.transposed(&mut build, columns.list)?;
        build.ret(rows)?;
        Ok(build.finish()?)
    }

    /// The rows of a symmetric matrix: its products with unit vectors.
    pub(super) fn of_products(&mut self, wrt: &[bool]) -> Result<Func, Unsupported> {
        let (mut build, rows, product) = self.along_units(wrt)?;
        let row = self.floats.flattened(&mut build, [product])?;
        next(&mut build, &rows, row)?;
        build.ret(rows.list)?;
        Ok(build.finish()?)
    }

    /// The rows from the gradients of all floats of the result.
    pub(super) fn of_gradients(&mut self) -> Result<Func, Unsupported> {
        let (mut build, args) = self.open(list_of_rows());
        let found = build.call(self.product.name, args, self.product.ret)?;
        let all: Vec<Operand> = parts(&mut build, found.into())?.into_iter().collect();
        let count = few_floats(self.primal.ret).unwrap_or(1);
        let mut rows: Operand = empty(&mut build, list_of_rows())?.into();
        for gradient in all.chunks(all.len().div_ceil(count).max(1)) {
            let row = self.floats.flattened(&mut build, gradient.iter().cloned())?;
            rows = build.op(&ops::PUSH, [rows, row])?.into();
        }
        build.ret(rows)?;
        Ok(build.finish()?)
    }

    /// The floats of a gradient.
    pub(super) fn gradient(&mut self) -> Result<Func, Unsupported> {
        let (mut build, args) = self.open(Ty::array(Ty::f64(), 1));
        let found = build.call(self.product.name, args, self.product.ret)?;
        let row = self.floats.flattened(&mut build, [found.into()])?;
        build.ret(row)?;
        Ok(build.finish()?)
    }

    /// An open loop over the unit vectors of the arguments in `wrt`, and what the product with one is.
    fn along_units(&mut self, wrt: &[bool]) -> Result<(FuncBuilder, Loop, Operand), Unsupported> {
        let (mut build, args) = self.open(list_of_rows());
        let units = begin(&mut build)?;
        let (tangents, count) = self.tangents(&mut build, &args, wrt, units.number.into())?;
        step(&mut build, &units, &count)?;
        let product = build.call(self.product.name, args.into_iter().chain(tangents), self.product.ret)?;
        Ok((build, units, product.into()))
    }

    /// The tangents of the arguments in `wrt` that are one at the float of this number or color; and the number of floats.
    pub(super) fn tangents(
        &mut self,
        build: &mut FuncBuilder,
        args: &[Operand],
        wrt: &[bool],
        at: Operand,
    ) -> Result<(Vec<Operand>, Operand), Unsupported> {
        let mut tangents = Vec::new();
        let mut count = Operand::from(0_usize);
        let mut dtys = self.product.params().iter().skip(wrt.len()).map(|param| self.product.ty(*param));
        for arg in args.iter().zip(wrt).filter(|(_, is_active)| **is_active).map(|(arg, _)| arg) {
            let has_tangent = build.ty(arg)?.contains(|part| matches!(part.kind(), TyKind::Float(_)));
            let Some(dty) = has_tangent.then(|| dtys.next()).flatten() else { continue };
            let (tangent, after) = self.floats.unit(build, (arg.clone(), dty), at.clone(), count)?;
            tangents.push(tangent);
            count = after;
        }
        Ok((tangents, count))
    }

    pub(super) fn open(&self, ret: Ty) -> (FuncBuilder, Vec<Operand>) {
        let mut build = FuncBuilder::new(self.name, ret);
        build.set_func_span(self.primal.span);
        build.set_span(self.primal.span);
        let params = self.primal.params().iter();
        let args = params.map(|&param| {
            build.param(&self.primal.var_label(param).to_string(), self.primal.ty(param)).into()
        });
        let args = args.collect();
        (build, args)
    }

    /// The rows of a matrix from its columns.
    fn transposed(&mut self, build: &mut FuncBuilder, columns: Var) -> Result<Operand, Unsupported> {
        let width = build.op(&ops::LEN, [columns])?;
        let none = empty(build, list_of_rows())?;
        let [some, none_here, rest] = [(); 3].map(|()| build.new_block());
        let height = build.block_param(rest, Ty::usize());
        let is_some = build.op(&ops::LT, [Operand::from(0_usize), width.into()])?;
        build.br_if(is_some, Target::from(some), Target::from(none_here))?;
        build.switch_to(none_here)?;
        build.br(rest, [Operand::from(0_usize)])?;
        build.switch_to(some)?;
        let first = build.op(&ops::GET, [columns.into(), Operand::from(0_usize)])?;
        let len = build.op(&ops::LEN, [first])?;
        build.br(rest, [len])?;
        build.switch_to(rest)?;
        let rows = counted(build, height.into(), none.into())?;
        let row = empty(build, Ty::array(Ty::f64(), 1))?;
        let numbers = counted(build, width.into(), row.into())?;
        let column = build.op(&ops::GET, [columns, numbers.number])?;
        let number = build.op(&ops::GET, [column, rows.number])?;
        let longer = build.op(&ops::PUSH, [numbers.list, number])?;
        continued(build, &numbers, longer.into())?;
        let longer = build.op(&ops::PUSH, [rows.list, numbers.list])?;
        continued(build, &rows, longer.into())?;
        Ok(rows.list.into())
    }
}
