//! Jacobians: a loop over the columns or rows of the unit matrix, each of which is pushed forward or pulled back.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{Block, BuildError, Func, FuncBuilder, Module, Operand, Target, Ty, TyKind, Var};
use overdub_context::ops;

use crate::derivative::{Derivative, Made, derive};
use crate::error::ExportError;

/// Defines the Jacobian of a function as a function that returns its rows: one for each float of the result, with one
/// number for each float of the arguments in `wrt`.
///
/// It pushes tangents forward if the number of floats of the arguments is known and not larger than that of the result,
/// and otherwise pulls cotangents back.
pub(crate) fn jacobian(engine: &Engine, of: Symbol, wrt: &[bool]) -> Result<Made, ExportError> {
    let forward = derive(engine, of, Derivative::Jvp, wrt);
    let prefers_forward =
        forward.as_ref().is_ok_and(|made| is_narrow(&engine.module(), made.symbol, wrt.len()));
    let made = match (forward, prefers_forward) {
        (Ok(forward), true) => (forward, Derivative::Jvp),
        (forward, _) => match (derive(engine, of, Derivative::Vjp, wrt), forward) {
            (Ok(reverse), _) => (reverse, Derivative::Vjp),
            (Err(_), Ok(forward)) => (forward, Derivative::Jvp),
            (Err(error), Err(_)) => return Err(error),
        },
    };
    let (Made { symbol, returned, kept }, by) = made;
    let module = engine.module();
    let load = |name: Symbol| {
        let func = module.func(name).map_err(|cause| ExportError::Load { func: name, cause })?;
        func.ok_or(ExportError::Missing(name))
    };
    let (primal, product) = (load(of)?, load(symbol)?);
    let name = Symbol::new(&format!("{symbol}.jacobian"));
    let mut loops = Loops { module: &module, name, made: HashMap::new(), primal: &primal, product: &product };
    let built = match by {
        Derivative::Jvp => loops.by_columns(wrt),
        _ => loops.by_rows(),
    };
    module.define(built.map_err(|why| ExportError::Unsupported {
        func: of,
        construct: match why {
            Unsupported::Type(ty) => format!("a Jacobian with derivatives of type `{ty}`"),
            Unsupported::Build(error) => format!("its Jacobian has an unexpected form: {error}"),
        },
        span: primal.span,
    })?);
    Ok(Made { symbol: name, returned, kept })
}

/// Whether a function has no more floats in its arguments than in its result, by the types of tangents.
fn is_narrow(module: &Module, jvp: Symbol, own: usize) -> bool {
    let Ok(Some(func)) = module.func(jvp) else { return false };
    let args: Option<usize> = func.params().iter().skip(own).map(|param| count(func.ty(*param))).sum();
    let result = match func.ret.kind() {
        TyKind::Tuple(parts) => parts.get(1).copied().and_then(count),
        _ => None,
    };
    args.is_some_and(|args| result.is_none_or(|result| args <= result))
}

/// The number of floats in a derivative, if its type tells.
fn count(dty: Ty) -> Option<usize> {
    match dty.kind() {
        TyKind::Float(_) => Some(1),
        TyKind::Unit => Some(0),
        TyKind::Tuple(parts) => parts.iter().map(|part| count(*part)).sum(),
        _ => None,
    }
}

/// Why there is no Jacobian.
enum Unsupported {
    /// Derivatives of this type are not a list of floats.
    Type(Ty),
    Build(BuildError),
}

impl From<BuildError> for Unsupported {
    fn from(error: BuildError) -> Unsupported {
        Unsupported::Build(error)
    }
}

/// What a function of derivatives does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    /// Appends the floats of a derivative to a list.
    Flatten,
    /// Makes the derivative of a value that is one at the float of a number, and zero at the others.
    Unit,
}

struct Loops<'m> {
    module: &'m Module,
    name: Symbol,
    /// By the role, the type of the value and that of its derivatives.
    made: HashMap<(Role, Ty, Ty), Symbol>,
    primal: &'m Func,
    /// The function that multiplies by the Jacobian.
    product: &'m Func,
}

/// The loop over the floats of values: it goes on with the next number and a longer list.
struct Loop {
    head: Block,
    done: Block,
    number: Var,
    list: Var,
}

impl Loops<'_> {
    /// The rows by reverse mode.
    fn by_rows(&mut self) -> Result<Func, Unsupported> {
        let (mut build, args) = self.open();
        let value = build.call(self.primal.name, args.clone(), self.primal.ret)?;
        let dty = match self.product.params().last() {
            Some(param) => self.product.ty(*param),
            None => Ty::unit(),
        };
        let rows = begin(&mut build)?;
        let seeded = self.unit(&mut build, (value.into(), dty), rows.number.into(), 0_usize.into())?;
        step(&mut build, &rows, &seeded.1)?;
        let all = args.into_iter().chain([seeded.0]);
        let products = build.call(self.product.name, all, self.product.ret)?;
        // The value comes first.
        let parts = parts(&mut build, products.into())?;
        let row = self.flattened(&mut build, parts.into_iter().skip(1))?;
        next(&mut build, &rows, row)?;
        build.ret(rows.list)?;
        Ok(build.finish()?)
    }

    /// The rows by forward mode, from the columns.
    fn by_columns(&mut self, wrt: &[bool]) -> Result<Func, Unsupported> {
        let (mut build, args) = self.open();
        let columns = begin(&mut build)?;
        let mut tangents = Vec::new();
        let mut count = Operand::from(0_usize);
        let mut dtys = self.product.params().iter().skip(wrt.len()).map(|param| self.product.ty(*param));
        for arg in args.iter().zip(wrt).filter(|(_, is_active)| **is_active).map(|(arg, _)| arg) {
            let has_tangent = build.ty(arg)?.contains(|part| matches!(part.kind(), TyKind::Float(_)));
            let Some(dty) = has_tangent.then(|| dtys.next()).flatten() else { continue };
            let (tangent, after) = self.unit(&mut build, (arg.clone(), dty), columns.number.into(), count)?;
            tangents.push(tangent);
            count = after;
        }
        step(&mut build, &columns, &count)?;
        let products = build.call(self.product.name, args.into_iter().chain(tangents), self.product.ret)?;
        let tangent = parts(&mut build, products.into())?.into_iter().nth(1);
        let column = self.flattened(&mut build, tangent)?;
        next(&mut build, &columns, column)?;
        let rows = self.transposed(&mut build, columns.list)?;
        build.ret(rows)?;
        Ok(build.finish()?)
    }

    fn open(&self) -> (FuncBuilder, Vec<Operand>) {
        let mut build = FuncBuilder::new(self.name, list_of_rows());
        build.set_func_span(self.primal.span);
        build.set_span(self.primal.span);
        let params = self.primal.params().iter();
        let args = params.map(|&param| {
            build.param(&self.primal.var_label(param).to_string(), self.primal.ty(param)).into()
        });
        let args = args.collect();
        (build, args)
    }

    /// The floats of derivatives as one list.
    fn flattened(
        &mut self,
        build: &mut FuncBuilder,
        derivatives: impl IntoIterator<Item = Operand>,
    ) -> Result<Operand, Unsupported> {
        let mut list: Operand = empty(build, Ty::array(Ty::f64(), 1))?.into();
        for dx in derivatives {
            list = self.flatten(build, dx, list)?;
        }
        Ok(list)
    }

    fn flatten(
        &mut self,
        build: &mut FuncBuilder,
        dx: Operand,
        list: Operand,
    ) -> Result<Operand, Unsupported> {
        let dty = build.ty(&dx)?;
        match dty.kind() {
            TyKind::Unit => Ok(list),
            TyKind::Float(_) => {
                let wide =
                    if dty == Ty::f64() { dx } else { build.op_as(&ops::CAST, [dx], Ty::f64())?.into() };
                Ok(build.op(&ops::PUSH, [list, wide])?.into())
            }
            TyKind::Tuple(_) => {
                parts(build, dx)?.into_iter().try_fold(list, |list, part| self.flatten(build, part, list))
            }
            TyKind::Array(array) if array.rank == 1 => {
                let callee = self.function(Role::Flatten, dty, dty, |loops, inner| {
                    let dx: Operand = inner.param("dx", dty).into();
                    let list = inner.param("list", Ty::array(Ty::f64(), 1));
                    let elems = over(inner, &dx, list.into())?;
                    let elem = inner.op(&ops::GET_UNCHECKED, [dx, elems.number.into()])?;
                    let longer = loops.flatten(inner, elem.into(), elems.list.into())?;
                    continued(inner, &elems, longer)?;
                    Ok(elems.list.into())
                })?;
                Ok(build.call(callee, [dx, list], Ty::array(Ty::f64(), 1))?.into())
            }
            _ => Err(Unsupported::Type(dty)),
        }
    }

    /// The derivative of `x` of type `dty` that is one at the float of number `at`, if floats are counted from `from`; and
    /// the number after its last float.
    fn unit(
        &mut self,
        build: &mut FuncBuilder,
        (x, dty): (Operand, Ty),
        at: Operand,
        from: Operand,
    ) -> Result<(Operand, Operand), Unsupported> {
        let ty = build.ty(&x)?;
        match dty.kind() {
            TyKind::Unit => Ok((Operand::unit(), from)),
            TyKind::Float(_) => {
                let is_here = build.op(&ops::EQ, [at, from.clone()])?;
                let number = |x: f64| -> Result<Operand, BuildError> {
                    Ok(if dty == Ty::f64() { x.into() } else { (x as f32).into() })
                };
                let (one, zero) = (number(1.0)?, number(0.0)?);
                let dx = build.op(&ops::SELECT, [is_here.into(), one, zero])?;
                Ok((dx.into(), build.op(&ops::ADD, [from, 1_usize.into()])?.into()))
            }
            TyKind::Tuple(dtys) => {
                let (mut derivatives, mut from) = (Vec::new(), from);
                for (number, &dty) in (0_i64..).zip(dtys.iter()) {
                    let part = build.op(&ops::FIELD, [x.clone(), number.into()])?;
                    let (dx, after) = self.unit(build, (part.into(), dty), at.clone(), from)?;
                    derivatives.push(dx);
                    from = after;
                }
                Ok((build.op(&ops::TUPLE, derivatives)?.into(), from))
            }
            TyKind::Array(array) if array.rank == 1 && ty.as_array().is_some() => {
                let both = Ty::tuple([dty, Ty::usize()]);
                let callee = self.function(Role::Unit, ty, dty, |loops, inner| {
                    let x: Operand = inner.param("x", ty).into();
                    let [at, from] = ["at", "from"].map(|name| inner.param(name, Ty::usize()));
                    loops.unit_array(inner, (x, array.elem, dty), at.into(), from.into())
                })?;
                let found = build.call(callee, [x, at, from], both)?;
                let mut part = |number: i64| build.op(&ops::FIELD, [found.into(), Operand::from(number)]);
                Ok((part(0)?.into(), part(1)?.into()))
            }
            _ => Err(Unsupported::Type(dty)),
        }
    }

    /// As [`Loops::unit`], for an array: the derivative and the number in a tuple.
    fn unit_array(
        &mut self,
        build: &mut FuncBuilder,
        (x, delem, dty): (Operand, Ty, Ty),
        at: Operand,
        from: Operand,
    ) -> Result<Operand, Unsupported> {
        let empty: Operand = empty(build, dty)?.into();
        let len = build.op(&ops::LEN, [x.clone()])?;
        let [head, body, done] = [(); 3].map(|()| build.new_block());
        let [i, from_here] = [(); 2].map(|()| build.block_param(head, Ty::usize()));
        let derivatives = build.block_param(head, dty);
        build.br(head, [0_usize.into(), from, empty])?;
        build.switch_to(head)?;
        let more = build.op(&ops::LT, [i, len])?;
        build.br_if(more, Target::from(body), Target::from(done))?;
        build.switch_to(body)?;
        let elem = build.op(&ops::GET_UNCHECKED, [x, i.into()])?;
        let (dx, after) = self.unit(build, (elem.into(), delem), at, from_here.into())?;
        let longer = build.op(&ops::PUSH, [derivatives.into(), dx])?;
        let following = build.op(&ops::ADD_WRAPPING, [Operand::from(i), 1_usize.into()])?;
        build.br(head, [following.into(), after, longer.into()])?;
        build.switch_to(done)?;
        Ok(build.op(&ops::TUPLE, [derivatives, from_here])?.into())
    }

    /// A function of a role for a type, which is defined when it is first needed.
    fn function(
        &mut self,
        role: Role,
        ty: Ty,
        dty: Ty,
        body: impl FnOnce(&mut Self, &mut FuncBuilder) -> Result<Operand, Unsupported>,
    ) -> Result<Symbol, Unsupported> {
        if let Some(known) = self.made.get(&(role, ty, dty)) {
            return Ok(*known);
        }
        let word = if role == Role::Unit { "unit" } else { "flattened" };
        let name = Symbol::new(&format!("{}{}::{word}", self.name, self.made.len()));
        self.made.insert((role, ty, dty), name);
        let ret = match role {
            Role::Flatten => Ty::array(Ty::f64(), 1),
            Role::Unit => Ty::tuple([dty, Ty::usize()]),
        };
        let mut build = FuncBuilder::new(name, ret);
        let result = body(self, &mut build)?;
        build.ret(result)?;
        self.module.define(build.finish()?);
        Ok(name)
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

/// An array without elements.
fn empty(build: &mut FuncBuilder, ty: Ty) -> Result<Var, BuildError> {
    build.op_as(&ops::ARRAY, Vec::<Operand>::new(), ty)
}

fn list_of_rows() -> Ty {
    Ty::array(Ty::array(Ty::f64(), 1), 1)
}

/// The parts of a tuple; a value that is none is its own part.
fn parts(build: &mut FuncBuilder, of: Operand) -> Result<Vec<Operand>, BuildError> {
    let TyKind::Tuple(tys) = build.ty(&of)?.kind() else { return Ok(vec![of]) };
    (0..tys.len() as i64)
        .map(|number| Ok(build.op(&ops::FIELD, [of.clone(), number.into()])?.into()))
        .collect()
}

/// Opens a loop over numbers from zero, with a list that grows; its head is open.
fn begin_with(build: &mut FuncBuilder, list: Operand) -> Result<Loop, BuildError> {
    let [head, done] = [(); 2].map(|()| build.new_block());
    let ty = build.ty(&list)?;
    let (number, longer) = (build.block_param(head, Ty::usize()), build.block_param(head, ty));
    build.br(head, [0_usize.into(), list])?;
    build.switch_to(head)?;
    Ok(Loop { head, done, number, list: longer })
}

fn begin(build: &mut FuncBuilder) -> Result<Loop, BuildError> {
    let none = empty(build, list_of_rows())?;
    begin_with(build, none.into())
}

/// Leaves a loop at a count, otherwise enters its body, which is open.
fn step(build: &mut FuncBuilder, of: &Loop, count: &Operand) -> Result<(), BuildError> {
    let body = build.new_block();
    let more = build.op(&ops::LT, [of.number.into(), count.clone()])?;
    build.br_if(more, Target::from(body), Target::from(of.done))?;
    build.switch_to(body)
}

/// A loop up to a count.
fn counted(build: &mut FuncBuilder, count: Operand, list: Operand) -> Result<Loop, BuildError> {
    let opened = begin_with(build, list)?;
    step(build, &opened, &count)?;
    Ok(opened)
}

/// A loop over the elements of an array.
fn over(build: &mut FuncBuilder, array: &Operand, list: Operand) -> Result<Loop, BuildError> {
    let len = build.op(&ops::LEN, [array.clone()])?;
    counted(build, len.into(), list)
}

/// Goes on with the next number; what follows the loop is open.
fn continued(build: &mut FuncBuilder, of: &Loop, list: Operand) -> Result<(), BuildError> {
    let following = build.op(&ops::ADD_WRAPPING, [Operand::from(of.number), 1_usize.into()])?;
    build.br(of.head, [following.into(), list])?;
    build.switch_to(of.done)
}

/// As [`continued`], with a row appended.
fn next(build: &mut FuncBuilder, of: &Loop, row: Operand) -> Result<(), BuildError> {
    let longer = build.op(&ops::PUSH, [of.list.into(), row])?;
    continued(build, of, longer.into())
}
