//! Formulas of rules: small terms over an operation's operands and result.
//!
//! - EXPR1 a formula applies to `f64` and `f32`; its constants take the type of the operation's floats.
//! - EXPR2 a formula is built from the engine's own operations, so the result can be differentiated again.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::rc::Rc;

use overdub_context::Failure;
use overdub_context::interp::Interpreter;
use overdub_context::ir::{BuildError, FloatTy, FuncBuilder, Module, Operand, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

/// A formula over the operands and the result of an operation.
///
/// ```
/// use overdub_ad::expr::{Expr, cos};
///
/// let x = Expr::operand(0);
/// let formula = cos(x.clone()) * (x - 1.0);
/// assert_eq!(formula.eval(&[3.0], 0.0)?, 3.0_f64.cos() * 2.0);
/// # Ok::<(), overdub_context::Failure>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expr(Rc<Node>);

/// A term of a formula.
#[derive(Debug)]
pub(crate) enum Node {
    Operand(usize),
    Result,
    Float(f64),
    Int(i32),
    Op(&'static OpDef, Vec<Expr>),
    /// An integer as a float of the operation's type.
    ToFloat(Expr),
}

impl Expr {
    /// The operand at a position.
    pub fn operand(at: usize) -> Expr {
        Expr(Rc::new(Node::Operand(at)))
    }

    /// The result of the operation.
    pub fn result() -> Expr {
        Expr(Rc::new(Node::Result))
    }

    /// A number.
    pub fn float(x: f64) -> Expr {
        Expr(Rc::new(Node::Float(x)))
    }

    /// An `i32`.
    pub fn int(n: i32) -> Expr {
        Expr(Rc::new(Node::Int(n)))
    }

    /// An operation on formulas.
    pub fn op(op: &'static OpDef, args: impl IntoIterator<Item = Expr>) -> Expr {
        Expr(Rc::new(Node::Op(op, args.into_iter().collect())))
    }

    /// The outermost term of the formula.
    pub(crate) fn node(&self) -> &Node {
        &self.0
    }

    /// The value of the formula, if it is a constant.
    pub fn as_float(&self) -> Option<f64> {
        match &*self.0 {
            Node::Float(x) => Some(*x),
            Node::Operand(_) | Node::Result | Node::Int(_) | Node::Op(..) | Node::ToFloat(_) => None,
        }
    }

    /// Whether the formula mentions the operand at a position.
    pub fn mentions(&self, operand: usize) -> bool {
        match &*self.0 {
            Node::Operand(at) => *at == operand,
            Node::Op(_, args) => args.iter().any(|arg| arg.mentions(operand)),
            Node::ToFloat(arg) => arg.mentions(operand),
            Node::Result | Node::Float(_) | Node::Int(_) => false,
        }
    }

    /// Whether the formula mentions the result.
    pub fn mentions_result(&self) -> bool {
        match &*self.0 {
            Node::Result => true,
            Node::Op(_, args) => args.iter().any(Expr::mentions_result),
            Node::ToFloat(arg) => arg.mentions_result(),
            Node::Operand(_) | Node::Float(_) | Node::Int(_) => false,
        }
    }

    /// Appends the instructions that compute the formula, for an operation whose floats are of type `float`.
    ///
    /// # Errors
    /// If the operands do not have the types that the formula's operations take.
    pub fn emit(
        &self,
        build: &mut FuncBuilder,
        operands: &[Operand],
        result: &Operand,
        float: Ty,
    ) -> Result<Operand, BuildError> {
        Emitter { build, operands, result, float, known: Vec::new() }.emit(self)
    }

    /// The value of the formula for these operands, a float each, and this result.
    ///
    /// # Errors
    /// If one of its operations fails, or takes an integer.
    pub fn eval(&self, operands: &[f64], result: f64) -> Result<f64, Failure> {
        let mut build = FuncBuilder::new("formula", Ty::f64());
        let operands: Vec<Operand> = operands.iter().copied().map(Operand::from).collect();
        let built = self.emit(&mut build, &operands, &result.into(), Ty::f64());
        let failed = |error: BuildError| Failure::new(overdub_context::FailureKind::Type, error.to_string());
        build.ret(built.map_err(failed)?).map_err(failed)?;
        let module = Module::new();
        module.define(build.finish().map_err(failed)?);
        let value = Interpreter::new(&module).run("formula", Vec::new())?;
        Ok(value.as_f64().unwrap_or(f64::NAN))
    }
}

struct Emitter<'e> {
    build: &'e mut FuncBuilder,
    operands: &'e [Operand],
    result: &'e Operand,
    float: Ty,
    /// The results of shared terms that have been emitted.
    known: Vec<(*const Node, Operand)>,
}

impl Emitter<'_> {
    fn emit(&mut self, expr: &Expr) -> Result<Operand, BuildError> {
        let node = Rc::as_ptr(&expr.0);
        if let Some((_, operand)) = self.known.iter().find(|(known, _)| *known == node) {
            return Ok(operand.clone());
        }
        let operand = match &*expr.0 {
            Node::Operand(at) => return Ok(self.operands[*at].clone()),
            Node::Result => return Ok(self.result.clone()),
            Node::Float(x) => return Ok(float_constant(*x, self.float)),
            Node::Int(n) => return Ok(Operand::from(*n)),
            Node::Op(op, args) => {
                let args = args.iter().map(|arg| self.emit(arg)).collect::<Result<Vec<_>, _>>()?;
                self.build.op(op, args)?
            }
            Node::ToFloat(arg) => {
                let arg = self.emit(arg)?;
                self.build.op_as(&ops::CAST, [arg], self.float)?
            }
        };
        self.known.push((node, operand.into()));
        Ok(operand.into())
    }
}

/// A number as a constant of a float type.
pub fn float_constant(x: f64, ty: Ty) -> Operand {
    match ty.kind() {
        // Constants are rounded once, to the float type.
        TyKind::Float(FloatTy::F32) => Operand::from(x as f32),
        _ => Operand::from(x),
    }
}

/// Whether a product with this factor is zero exactly if the other factor is: the factor is a finite constant
/// other than zero.
pub(crate) fn is_finite_nonzero(factor: &Operand) -> bool {
    let known = factor.constant().and_then(|constant| constant.value().as_f64());
    known.is_some_and(|known| known.is_finite() && known != 0.0)
}

/// A number as a value of a float type.
pub fn float_value(x: f64, ty: Ty) -> Value<'static> {
    match ty.kind() {
        TyKind::Float(FloatTy::F32) => Value::F32(x as f32),
        _ => Value::F64(x),
    }
}

impl From<f64> for Expr {
    fn from(x: f64) -> Expr {
        Expr::float(x)
    }
}

impl From<&Expr> for Expr {
    fn from(expr: &Expr) -> Expr {
        expr.clone()
    }
}

macro_rules! operators {
    ($($Trait:ident $method:ident $op:ident;)*) => {$(
        impl<E: Into<Expr>> $Trait<E> for Expr {
            type Output = Expr;

            fn $method(self, other: E) -> Expr {
                Expr::op(&ops::$op, [self, other.into()])
            }
        }

        impl<E: Into<Expr>> $Trait<E> for &Expr {
            type Output = Expr;

            fn $method(self, other: E) -> Expr {
                Expr::op(&ops::$op, [self.clone(), other.into()])
            }
        }

        impl $Trait<Expr> for f64 {
            type Output = Expr;

            fn $method(self, other: Expr) -> Expr {
                Expr::op(&ops::$op, [Expr::float(self), other])
            }
        }

        impl $Trait<&Expr> for f64 {
            type Output = Expr;

            fn $method(self, other: &Expr) -> Expr {
                Expr::op(&ops::$op, [Expr::float(self), other.clone()])
            }
        }
    )*};
}

operators! {
    Add add ADD;
    Sub sub SUB;
    Mul mul MUL;
    Div div DIV;
}

impl Neg for Expr {
    type Output = Expr;

    fn neg(self) -> Expr {
        Expr::op(&ops::NEG, [self])
    }
}

impl Neg for &Expr {
    type Output = Expr;

    fn neg(self) -> Expr {
        Expr::op(&ops::NEG, [self.clone()])
    }
}

macro_rules! functions {
    ($($name:ident($($x:ident),+) $op:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of formulas.")]
        pub fn $name($($x: impl Into<Expr>),+) -> Expr {
            Expr::op(&ops::$op, [$($x.into()),+])
        }
    )*};
}

functions! {
    sin(x) SIN;
    cos(x) COS;
    exp(x) EXP;
    ln(x) LN;
    sqrt(x) SQRT;
    sinh(x) SINH;
    cosh(x) COSH;
    hypot(x, y) HYPOT;
    powf(x, y) POWF;
    powi(x, n) POWI;
    mul_add(x, y, z) MUL_ADD;
    signum(x) SIGNUM;
    trunc(x) TRUNC;
    round_ties_even(x) ROUND_TIES_EVEN;
    div_euclid(x, y) DIV_EUCLID;
    is_nan(x) IS_NAN;
    gt(x, y) GT;
    ge(x, y) GE;
    lt(x, y) LT;
    le(x, y) LE;
    eq(x, y) EQ;
    or(x, y) OR;
    and(x, y) AND;
    select(condition, then, otherwise) SELECT;
    mul_zero(x, y) MUL_ZERO;
    sub_saturating(x, y) SUB_SATURATING;
}

/// An integer as a float.
pub fn to_float(n: impl Into<Expr>) -> Expr {
    Expr(Rc::new(Node::ToFloat(n.into())))
}
