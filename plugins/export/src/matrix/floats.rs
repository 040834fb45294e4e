//! The floats of derivatives: a list of them, and the derivative that is one at one of them, or at those of a color.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{BuildError, FuncBuilder, Module, Operand, Target, Ty, TyKind};
use overdub_context::ops;

use super::Unsupported;
use super::loops::{continued, empty, over, table};

/// What a function of derivatives does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    /// Appends the floats of a derivative to a list.
    Flatten,
    /// Makes the derivative of a value that is one at the floats of a number or color, and zero at the others.
    Unit,
}

/// Functions of derivatives, by the types for which they were needed.
pub(super) struct Floats<'m> {
    module: &'m Module,
    /// The names of the functions begin with it.
    prefix: Symbol,
    /// By the role, the type of the value and that of its derivatives.
    made: HashMap<(Role, Ty, Ty), Symbol>,
    colors: Option<Colors>,
}

/// The colors of floats: derivatives are one at those of a color.
struct Colors {
    of: Vec<usize>,
    count: FloatCount,
}

/// Whether there may be more floats than have colors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FloatCount {
    Known,
    Unknown,
}

impl<'m> Floats<'m> {
    pub(super) fn new(module: &'m Module, prefix: Symbol) -> Floats<'m> {
        Floats { module, prefix, made: HashMap::new(), colors: None }
    }

    /// From now on, the derivatives of [`Floats::unit`] are one at the floats of a color. If the number of floats is not
    /// known to be that of colors, they are zero at further ones.
    pub(super) fn color(&mut self, of: Vec<usize>, count: FloatCount) {
        self.colors = Some(Colors { of, count });
    }

    /// The floats of derivatives as one list.
    pub(super) fn flattened(
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

    /// A list of floats, followed by those of a derivative.
    pub(super) fn flatten(
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
                let callee = self.function(Role::Flatten, dty, dty, |floats, inner| {
                    let dx: Operand = inner.param("dx", dty).into();
                    let list = inner.param("list", Ty::array(Ty::f64(), 1));
                    let elems = over(inner, &dx, list.into())?;
                    let elem = inner.op(&ops::GET_UNCHECKED, [dx, elems.number.into()])?;
                    let longer = floats.flatten(inner, elem.into(), elems.list.into())?;
                    continued(inner, &elems, longer)?;
                    Ok(elems.list.into())
                })?;
                Ok(build.call(callee, [dx, list], Ty::array(Ty::f64(), 1))?.into())
            }
            _ => Err(Unsupported::Type(dty)),
        }
    }

    /// The derivative of `x` of type `dty` that is one at the float of number `at`, or at those of this color, if floats are
    /// counted from `from`; and the number after its last float.
    pub(super) fn unit(
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
                let here = self.number_or_color(build, from.clone())?;
                let is_here = build.op(&ops::EQ, [at, here])?;
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
                let callee = self.function(Role::Unit, ty, dty, |floats, inner| {
                    let x: Operand = inner.param("x", ty).into();
                    let [at, from] = ["at", "from"].map(|name| inner.param(name, Ty::usize()));
                    floats.unit_array(inner, (x, array.elem, dty), at.into(), from.into())
                })?;
                let found = build.call(callee, [x, at, from], both)?;
                let mut part = |number: i64| build.op(&ops::FIELD, [found.into(), Operand::from(number)]);
                Ok((part(0)?.into(), part(1)?.into()))
            }
            _ => Err(Unsupported::Type(dty)),
        }
    }

    /// The number of a float, or its color.
    fn number_or_color(&self, build: &mut FuncBuilder, number: Operand) -> Result<Operand, BuildError> {
        let Some(colors) = &self.colors else { return Ok(number) };
        if colors.count == FloatCount::Known {
            let of = table(build, colors.of.clone())?;
            return Ok(build.op(&ops::GET_UNCHECKED, [of, number])?.into());
        }
        let last = colors.of.len();
        let of = table(build, colors.of.iter().copied().chain([usize::MAX]).collect())?;
        let number = build.op(&ops::MIN, [number, last.into()])?;
        Ok(build.op(&ops::GET_UNCHECKED, [of, number.into()])?.into())
    }

    /// As [`Floats::unit`], for an array: the derivative and the number in a tuple.
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
        let name = Symbol::new(&format!("{}{}::{word}", self.prefix, self.made.len()));
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
}

/// The parts of a tuple; a value that is none is its own part.
pub(super) fn parts(build: &mut FuncBuilder, of: Operand) -> Result<Vec<Operand>, BuildError> {
    let TyKind::Tuple(tys) = build.ty(&of)?.kind() else { return Ok(vec![of]) };
    (0..tys.len() as i64)
        .map(|number| Ok(build.op(&ops::FIELD, [of.clone(), number.into()])?.into()))
        .collect()
}
