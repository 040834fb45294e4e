//! Functions of `libm`, which compute on bits: the value is that of the function, the derivative is given by
//! a formula.
//!
//! - LIBM1 such a function is called unchanged, so its value is equal to the bit with and without a
//!   derivative.
//! - LIBM2 a function that is known only by its path, `math::sqrt::sqrt`, is compared with the operation at
//!   each call; if it returns a tuple, the floats in it are.
//! - LIBM3 a result that is a tuple has a row for each component: floats of the type of the operands, and integers,
//!   which have no derivative.

use std::borrow::Cow;

use overdub_context::Symbol;
use overdub_context::ir::{BuildError, FuncBuilder, Operand, Ty, TyKind};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use super::library_rows::{ComponentRow, Row, row};
use super::{Partials, Rule, rule};
use crate::Expr;
use crate::expr::float_constant;
use crate::float_pair::is_float;

/// A library function with the derivatives of the components of its result.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    row: &'static Row,
    ret: Ty,
    /// Whether the value is compared with references (LIBM2).
    pub(crate) is_compared: bool,
}

impl Library {
    /// The components of the result (LIBM3); the result itself if it is no tuple.
    pub(crate) fn components(self) -> impl Iterator<Item = Component> {
        let is_tuple = matches!(self.ret.kind(), TyKind::Tuple(_));
        let rows = (0_i64..).zip(self.row.components());
        rows.zip(component_tys(self.ret)).map(move |((k, row), ty)| Component {
            field: is_tuple.then_some(k),
            ty,
            row,
        })
    }

    /// Whether no component has a derivative.
    pub(crate) fn is_constant(self) -> bool {
        self.components().all(|component| component.partials().is_none())
    }

    /// A value with these components.
    pub(crate) fn joined(self, build: &mut FuncBuilder, parts: Vec<Operand>) -> Result<Operand, BuildError> {
        match (self.ret.kind(), parts.as_slice()) {
            (TyKind::Tuple(_), _) | (_, [] | [_, _, ..]) => build.op(&ops::TUPLE, parts).map(Operand::from),
            (_, [whole]) => Ok(whole.clone()),
        }
    }

    /// Calls the function; its value is compared with the references for it (LIBM2).
    pub(crate) fn call(
        self,
        build: &mut FuncBuilder,
        func: Symbol,
        args: &[Operand],
    ) -> Result<Operand, BuildError> {
        let y: Operand = build.call(func, args.iter().cloned(), self.ret)?.into();
        if !self.is_compared {
            return Ok(y);
        }
        let mut parts = Vec::new();
        for component in self.components() {
            let part = component.of(build, &y)?;
            parts.push(match component.reference(build, args)? {
                Some(reference) => build.op(&CHECKED_AGAINST, [part, reference])?.into(),
                None => part,
            });
        }
        self.joined(build, parts)
    }
}

/// A component of the result of a library function.
#[derive(Clone, Copy)]
pub(crate) struct Component {
    /// Its place in the tuple; `None` for the result itself.
    pub(crate) field: Option<i64>,
    pub(crate) ty: Ty,
    row: &'static ComponentRow,
}

impl Component {
    /// The partial derivatives, in which [`Expr::result`] is the component; `None` if it is piecewise constant.
    pub(crate) fn partials(self) -> Option<&'static Partials> {
        let rule = match self.row {
            ComponentRow::Op(op) => rule(op)?,
            ComponentRow::Float(rule, _) => rule,
            ComponentRow::Discrete => return None,
        };
        match rule {
            Rule::Partials(partials) => Some(partials),
            _ => None,
        }
    }

    /// The component of a result, or of its tangent or cotangent.
    pub(crate) fn of(self, build: &mut FuncBuilder, whole: &Operand) -> Result<Operand, BuildError> {
        match self.field {
            Some(k) => build.op(&ops::FIELD, [whole.clone(), k.into()]).map(Operand::from),
            None => Ok(whole.clone()),
        }
    }

    /// The tangent of a component that is piecewise constant.
    pub(crate) fn zero_tangent(self) -> Operand {
        if is_float(self.ty) { float_constant(0.0, self.ty) } else { Operand::unit() }
    }

    /// The reference value for these operands.
    fn reference(self, build: &mut FuncBuilder, args: &[Operand]) -> Result<Option<Operand>, BuildError> {
        match self.row {
            ComponentRow::Op(op) => Ok(Some(build.op(op, args.iter().cloned())?.into())),
            ComponentRow::Float(_, Some(formula)) => {
                let symbols: Vec<Expr> = (0..args.len()).map(Expr::operand).collect();
                formula(&symbols).emit(build, args, &Operand::unit(), self.ty).map(Some)
            }
            ComponentRow::Float(_, None) | ComponentRow::Discrete => Ok(None),
        }
    }
}

fn component_tys(ret: Ty) -> Vec<Ty> {
    match ret.kind() {
        TyKind::Tuple(parts) => parts.to_vec(),
        _ => vec![ret],
    }
}

/// The derivative of a function of these types, if it is a library function.
pub(crate) fn library(func: Symbol, params: &[Ty], ret: Ty) -> Option<Library> {
    let mut segments = func.as_str().rsplit("::");
    let (name, _file, folder) = (segments.next()?, segments.next()?, segments.next()?);
    let float = *params.first()?;
    if folder != "math" || !is_float(float) || params.iter().any(|param| *param != float) {
        return None;
    }
    let name = if float == Ty::f32() { double(name)? } else { Cow::Borrowed(name) };
    let row = row(&name)?;
    let is_compared = !func.starts_with("libm::");
    let fits = |(component, ty): (&ComponentRow, &Ty)| match component {
        ComponentRow::Op(op) => *ty == float && matches!(rule(op), Some(Rule::Partials(_) | Rule::Zero)),
        ComponentRow::Float(_, formula) => *ty == float && (formula.is_some() || !is_compared),
        ComponentRow::Discrete => matches!(ty.kind(), TyKind::Int(_)),
    };
    let tys = component_tys(ret);
    let is_it = row.arity() == Arity::Exactly(params.len())
        && row.components().len() == tys.len()
        && row.components().iter().zip(&tys).all(fits);
    is_it.then_some(Library { row, ret, is_compared })
}

/// The name of the `f64` function for that of the `f32` function: `lgamma_r` for `lgammaf_r`.
fn double(name: &str) -> Option<Cow<'_, str>> {
    match name.strip_suffix("f_r") {
        Some(stem) => Some(Cow::Owned(format!("{stem}_r"))),
        None => name.strip_suffix('f').map(Cow::Borrowed),
    }
}

/// A value, compared with that of an operation (LIBM2).
pub(crate) static CHECKED_AGAINST: OpDef = OpDef {
    name: "ad.alike",
    arity: Arity::Exactly(2),
    ty: two_floats,
    effects: Effects::FAILS,
    eval: checked_against,
    doc: "A value, compared with the result of a reference operation.",
};

fn two_floats(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [x, y] if x == y && is_float(*x) => Ok(*x),
        _ => Err(TypeFault::takes("two floats of one type")),
    }
}

fn checked_against<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let near = |x: f64, y: f64, units: f64| {
        let within = units * x.abs().max(y.abs()) + f64::MIN_POSITIVE;
        x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= within
    };
    let is_near = match args {
        [Value::F64(x), Value::F64(y)] => near(*x, *y, 16.0 * f64::EPSILON),
        [Value::F32(x), Value::F32(y)] => near(f64::from(*x), f64::from(*y), 16.0 * f64::from(f32::EPSILON)),
        _ => false,
    };
    if is_near { Ok(args[0].take()) } else { Err(unlike(args)) }
}

#[cold]
fn unlike(args: &[Value<'_>]) -> Failure {
    let message = format!(
        "a function of the name that `libm` has gives {:?} where that gives {:?}: its derivative is unknown",
        args.first(),
        args.get(1)
    );
    let help = "write a rule for the function, or give it another name";
    Failure::new(FailureKind::Domain, message).with_help(Some(help.to_owned()))
}
