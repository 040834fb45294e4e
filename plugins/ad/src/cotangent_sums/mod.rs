//! Zeros and sums of cotangents.

mod enums;

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand, Ty, TyKind};
use overdub_context::ops;

use crate::cotangent::{cotangent, holds_array, parts_of};
use crate::expr::float_constant;
use crate::refusal::Cause;
pub(crate) use enums::fields_of;

/// Generated functions for the zeros and sums of cotangents that need loops.
#[derive(Default)]
pub(crate) struct Helpers {
    pub(crate) funcs: HashMap<Symbol, Func>,
}

impl Helpers {
    /// The functions, by name.
    pub(crate) fn into_funcs(self) -> Vec<Func> {
        let mut funcs: Vec<Func> = self.funcs.into_values().collect();
        funcs.sort_by_key(|func| func.name);
        funcs
    }

    /// Whether a function of this name has been generated.
    pub(crate) fn has(&self, name: Symbol) -> bool {
        self.funcs.contains_key(&name)
    }

    /// Adds a function.
    pub(crate) fn add(&mut self, func: Func) {
        self.funcs.insert(func.name, func);
    }

    /// Appends the zero of a cotangent type without arrays.
    pub(crate) fn scalar_zero(build: &mut FuncBuilder, dty: Ty) -> Result<Operand, Cause> {
        match dty.kind() {
            TyKind::Float(_) => Ok(float_constant(0.0, dty)),
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| Helpers::scalar_zero(build, *part));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok(build.op(&ops::TUPLE, parts)?.into())
            }
            TyKind::Enum(_) => Ok(build.op_as(&ops::VARIANT, [0_i64], dty)?.into()),
            _ => Ok(Operand::unit()),
        }
    }

    /// Appends the zero cotangent of a value of type `ty`.
    pub(crate) fn zero(
        &mut self,
        build: &mut FuncBuilder,
        value: &Operand,
        ty: Ty,
    ) -> Result<Operand, Cause> {
        let dty = cotangent(ty)?;
        match dty.kind() {
            TyKind::Float(_) => Ok(float_constant(0.0, dty)),
            TyKind::Tuple(_) => {
                let op = if let TyKind::Closure(_) = ty.kind() { &ops::CAPTURED } else { &ops::FIELD };
                let mut parts = Vec::new();
                for (k, part) in (0_i64..).zip(parts_of(ty)) {
                    parts.push(if cotangent(part)? == Ty::unit() {
                        Operand::unit()
                    } else {
                        let part_of = build.op(op, [value.clone(), k.into()])?;
                        self.zero(build, &part_of.into(), part)?
                    });
                }
                Ok(build.op(&ops::TUPLE, parts)?.into())
            }
            TyKind::Array(array) if matches!(array.elem.kind(), TyKind::Float(_)) => {
                let zero = float_constant(0.0, array.elem);
                if array.rank == 1 {
                    let len = build.op(&ops::LEN, [value.clone()])?;
                    return Ok(build.op(&ops::REPEAT, [zero, len.into()])?.into());
                }
                let shape = build.op(&ops::ND_SHAPE, [value.clone()])?;
                Ok(build.op_as(&ops::ND_FULL, [Operand::from(shape), zero], dty)?.into())
            }
            TyKind::Array(_) => {
                let name = self.zero_of_array(ty, dty)?;
                Ok(build.call(name, [value.clone()], dty)?.into())
            }
            TyKind::Stack(_) => {
                let len = build.op(&ops::STACK_LEN, [value.clone()])?;
                self.zeros_on_stack(build, len.into(), dty)
            }
            TyKind::Enum(_) => Helpers::scalar_zero(build, dty),
            _ => Ok(Operand::unit()),
        }
    }

    /// Appends a stack of zeros of this length.
    pub(crate) fn zeros_on_stack(
        &mut self,
        build: &mut FuncBuilder,
        len: Operand,
        dty: Ty,
    ) -> Result<Operand, Cause> {
        let elem = match dty.kind() {
            TyKind::Stack(elem) if !holds_array(*elem) => *elem,
            _ => return Err(Cause::Type(dty)),
        };
        let name = Symbol::new(&format!("zeros{{{dty}}}"));
        if !self.has(name) {
            let mut builder = FuncBuilder::new(name, dty);
            let len = builder.param("len", Ty::usize());
            let empty = builder.op_as(&ops::STACK_NEW, [] as [Operand; 0], dty)?;
            let counted = Operand::from(len);
            let func = counting(builder, counted, empty.into(), |build, zeros, _| {
                let zero = Helpers::scalar_zero(build, elem)?;
                Ok(build.op(&ops::STACK_PUSH, [zeros, zero])?.into())
            })?;
            self.funcs.insert(name, func);
        }
        Ok(build.call(name, [len], dty)?.into())
    }

    /// Appends the sum of two cotangents.
    pub(crate) fn sum(
        &mut self,
        build: &mut FuncBuilder,
        a: &Operand,
        b: &Operand,
        dty: Ty,
    ) -> Result<Operand, Cause> {
        match dty.kind() {
            TyKind::Tuple(tys) => {
                let mut parts = Vec::new();
                for (k, part) in (0_i64..).zip(tys) {
                    let x = build.op(&ops::FIELD, [a.clone(), k.into()])?;
                    let y = build.op(&ops::FIELD, [b.clone(), k.into()])?;
                    parts.push(self.sum(build, &x.into(), &y.into(), *part)?);
                }
                Ok(build.op(&ops::TUPLE, parts)?.into())
            }
            TyKind::Array(array) if !matches!(array.elem.kind(), TyKind::Float(_)) => {
                let name = self.sum_of_arrays(array.elem, dty)?;
                Ok(build.call(name, [a.clone(), b.clone()], dty)?.into())
            }
            TyKind::Float(_) | TyKind::Array(_) => Ok(build.op(&ops::ADD, [a.clone(), b.clone()])?.into()),
            TyKind::Enum(_) => {
                let name = self.sum_of_enums(dty)?;
                Ok(build.call(name, [a.clone(), b.clone()], dty)?.into())
            }
            TyKind::Stack(_) => Err(Cause::Type(dty)),
            _ => Ok(Operand::unit()),
        }
    }

    fn zero_of_array(&mut self, ty: Ty, dty: Ty) -> Result<Symbol, Cause> {
        let name = Symbol::new(&format!("zero{{{ty}}}"));
        let elem = ty.as_array().map_or(ty, |array| array.elem);
        self.looped(name, &[ty], dty, |helpers, build, zeros, params, i| {
            let value = build.op(&ops::GET_UNCHECKED, [params[0].clone(), i.clone()])?;
            let zero = helpers.zero(build, &value.into(), elem)?;
            Ok(build.op(&ops::PUSH, [zeros, zero])?.into())
        })
    }

    fn sum_of_arrays(&mut self, elem: Ty, dty: Ty) -> Result<Symbol, Cause> {
        let name = Symbol::new(&format!("sum{{{dty}}}"));
        self.looped(name, &[dty, dty], dty, |helpers, build, sum, params, i| {
            let moved_out = build.op(&ops::TAKE_ELEM, [sum, i.clone()])?;
            let x = build.op(&ops::FIELD, [Operand::from(moved_out), 0_i64.into()])?;
            let rest = build.op(&ops::FIELD, [Operand::from(moved_out), 1_i64.into()])?;
            let y = build.op(&ops::GET_UNCHECKED, [params[1].clone(), i.clone()])?;
            let both = helpers.sum(build, &x.into(), &y.into(), elem)?;
            Ok(build.op(&ops::SET_UNCHECKED, [Operand::from(rest), i, both])?.into())
        })
    }

    /// The function that adds all elements of an array of cotangents together.
    pub(crate) fn sum_of_elems(&mut self, elem: Ty) -> Result<Symbol, Cause> {
        let name = Symbol::new(&format!("total{{{elem}}}"));
        if !self.has(name) {
            let mut build = FuncBuilder::new(name, elem);
            let all = Operand::from(build.param("all", Ty::array(elem, 1)));
            let first = Operand::from(build.param("first", elem));
            let len = build.op(&ops::LEN, [all.clone()])?;
            let func = counting(build, len.into(), first, |build, sum, i| {
                let next = build.op(&ops::GET_UNCHECKED, [all, i])?;
                self.sum(build, &sum, &next.into(), elem)
            })?;
            self.funcs.insert(name, func);
        }
        Ok(name)
    }

    /// Builds a function over arrays that loops over the indices of the first array. With one parameter the
    /// result starts empty, otherwise as the first array.
    fn looped(
        &mut self,
        name: Symbol,
        tys: &[Ty],
        ret: Ty,
        step: impl FnOnce(&mut Helpers, &mut FuncBuilder, Operand, &[Operand], Operand) -> Result<Operand, Cause>,
    ) -> Result<Symbol, Cause> {
        if self.has(name) {
            return Ok(name);
        }
        let mut build = FuncBuilder::new(name, ret);
        let params: Vec<Operand> = tys.iter().map(|ty| build.param("v", *ty).into()).collect();
        let len = build.op(&ops::LEN, [params[0].clone()])?;
        let first = match params.len() {
            1 => build.op_as(&ops::ARRAY, [] as [Operand; 0], ret)?.into(),
            _ => params[0].clone(),
        };
        let step = |build: &mut FuncBuilder, sum, i| step(self, build, sum, &params, i);
        let func = counting(build, len.into(), first, step)?;
        self.funcs.insert(name, func);
        Ok(name)
    }
}

/// Ends a function with a loop of this many iterations from the accumulator `first`, and returns the last accumulator.
fn counting(
    mut build: FuncBuilder,
    len: Operand,
    first: Operand,
    step: impl FnOnce(&mut FuncBuilder, Operand, Operand) -> Result<Operand, Cause>,
) -> Result<Func, Cause> {
    let ret = build.func().ret;
    let (head, body, done) = (build.new_block(), build.new_block(), build.new_block());
    let i = build.block_param(head, Ty::usize());
    let result = build.block_param(head, ret);
    build.br(head, [0_usize.into(), first])?;
    build.switch_to(head)?;
    let more = build.op(&ops::LT, [Operand::from(i), len])?;
    build.br_if(more, body.into(), done.into())?;
    build.switch_to(body)?;
    let next = step(&mut build, result.into(), i.into())?;
    let following = build.op(&ops::ADD_WRAPPING, [Operand::from(i), 1_usize.into()])?;
    build.br(head, [following.into(), next])?;
    build.switch_to(done)?;
    build.ret(result)?;
    Ok(build.finish()?)
}

impl From<BuildError> for Cause {
    fn from(error: BuildError) -> Cause {
        Cause::Build(error)
    }
}
