//! Forward mode by dual numbers.
//!
//! - DUAL1 `N` tangents are a tuple; a single tangent is the number itself.

pub(crate) mod batched;
mod linear;

use overdub_context::engine::Layers;
use overdub_context::engine::{CallSite, Engine, Key, Lift, Lifted};
use overdub_context::ir::{BuildError, FuncBuilder, Operand, Ty};
use overdub_context::ops::OpDef;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol, ops};

use crate::augment::{self, Augment, Augmented, Term};
use crate::domain_call::{DomainCall, checked};
use crate::float_pair::pair_value;
use crate::matrix_product::product_of_duals;
use crate::{custom, flatten};

/// The domain of dual numbers with `width` tangents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Duals {
    width: usize,
}

impl Duals {
    /// One tangent.
    pub const ONE: Duals = Duals { width: 1 };

    /// Dual numbers with this many tangents, at least one.
    pub fn with_width(width: usize) -> Duals {
        Duals { width: width.max(1) }
    }

    /// The context, to be passed to [`Engine::overdub`].
    pub fn context(self) -> Lift {
        augment::context(self)
    }
}

impl Augment for Duals {
    fn name(&self) -> String {
        if self.width == 1 { "Dual".to_owned() } else { format!("Dual{}", self.width) }
    }

    fn key(&self) -> Key {
        Key::of::<Duals>().with(&self.width)
    }

    fn carried(&self, float: Ty) -> Ty {
        if self.width == 1 { float } else { Ty::tuple((0..self.width).map(|_| float)) }
    }

    fn combine(&self, build: &mut FuncBuilder, _: Ty, terms: &[Term]) -> Result<Operand, BuildError> {
        self.each(build, |build, at| {
            let mut sum: Option<Operand> = None;
            for term in terms {
                let dx = at.of(build, &term.carried)?;
                let part = scaled(build, term, dx)?;
                sum = Some(match sum {
                    Some(sum) => build.op(&ops::ADD, [sum, part])?.into(),
                    None => part,
                });
            }
            Ok(sum.unwrap_or_else(|| Operand::from(0.0)))
        })
    }

    fn mode(&self) -> custom::Mode {
        custom::Mode::Forward
    }

    fn by_rule(&self) -> &'static OpDef {
        &custom::FORWARD
    }

    fn product(
        &self,
        build: &mut FuncBuilder,
        op: &'static OpDef,
        float: Ty,
        of: [Operand; 2],
    ) -> Result<Operand, BuildError> {
        product_of_duals(build, op, (float, self.width), of)
    }

    fn linear(&self, call: &CallSite, op: &'static OpDef, lifted: Ty) -> Lifted {
        linear::linear(call, op, self.width, lifted)
    }

    fn converted(&self, build: &mut FuncBuilder, carried: Operand, to: Ty) -> Result<Operand, BuildError> {
        self.each(build, |build, at| {
            let dx = at.of(build, &carried)?;
            build.op_as(&ops::CAST, [dx], to).map(Operand::from)
        })
    }
}

/// A tangent: the only one, or one of a tuple.
#[derive(Clone, Copy)]
enum At {
    Only,
    Part(i64),
}

impl At {
    fn of(self, build: &mut FuncBuilder, carried: &Operand) -> Result<Operand, BuildError> {
        match self {
            At::Only => Ok(carried.clone()),
            At::Part(k) => build.op(&ops::FIELD, [carried.clone(), k.into()]).map(Operand::from),
        }
    }
}

impl Duals {
    fn each(
        &self,
        build: &mut FuncBuilder,
        mut one: impl FnMut(&mut FuncBuilder, At) -> Result<Operand, BuildError>,
    ) -> Result<Operand, BuildError> {
        if self.width == 1 {
            return one(build, At::Only);
        }
        let parts = (0_i64..).take(self.width).map(|k| one(build, At::Part(k)));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        build.op(&ops::TUPLE, parts).map(Operand::from)
    }
}

/// A tangent times a partial derivative; by AD3 if the latter may be infinite.
fn scaled(build: &mut FuncBuilder, term: &Term, dx: Operand) -> Result<Operand, BuildError> {
    match term.known {
        Some(1.0) => Ok(dx),
        Some(-1.0) => build.op(&ops::NEG, [dx]).map(Operand::from),
        Some(c) if c.is_finite() => build.op(&ops::MUL, [term.partial.clone(), dx]).map(Operand::from),
        _ => build.op(&ops::MUL_ZERO, [term.partial.clone(), dx]).map(Operand::from),
    }
}

/// The value of a function and its tangent: a Jacobian-vector product.
///
/// Tangents have the shape of their values, with a derivative in place of each float.
///
/// # Errors
/// If the program fails, a function has no derivative, or the tangents do not have the shape of the
/// arguments.
///
/// ```
/// use overdub_ad::dual::jvp;
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> f64 { x * y.sin() }")?;
/// let f = loaded.function("f")?.symbol;
/// let (args, tangents) = ([2.0, 0.5], [1.0, 10.0]);
/// let (y, dy) = jvp(&loaded.engine(), f, args.map(Value::F64).into(), tangents.map(Value::F64).into())?;
/// assert_eq!(y.as_f64(), Some(2.0 * 0.5_f64.sin()));
/// assert_eq!(dy.as_f64(), Some(0.5_f64.sin() + 2.0 * 0.5_f64.cos() * 10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn jvp(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
    tangents: Vec<Value<'static>>,
) -> Result<(Value<'static>, Value<'static>), Failure> {
    jvp_in(engine, &(), (func.into(), args), tangents, |y, dy| Ok((y, dy)))
}

/// As [`jvp`], with contexts around. `read` turns value and tangent into what the contexts return.
pub(crate) fn jvp_in<O: Layers, X>(
    engine: &Engine,
    enclosing: &O,
    (func, args): (Symbol, Vec<Value<'static>>),
    tangents: Vec<Value<'static>>,
    read: impl FnOnce(Value<'static>, Value<'static>) -> Result<X, Failure>,
) -> Result<O::Of<X>, Failure> {
    let cx = (enclosing.clone(), Duals::ONE.context());
    let mapped = DomainCall::new(engine, &cx, func)?;
    let directions: Vec<f64> = tangents.iter().flat_map(flatten::floats).collect();
    let count: usize = args.iter().map(|arg| flatten::floats(arg).len()).sum();
    checked(count, directions.len())?;
    let mut directions = directions.into_iter();
    let args = mapped.lift(args, &mut |x, ty| {
        let dx = directions.next().unwrap_or(0.0);
        Ok(seeded(x, ty, dx))
    })?;
    let ran = mapped.run(args)?;
    mapped.close(ran, |result| {
        let y = flatten::without_attachments(result.clone(), mapped.primal_ret)?;
        let mut slopes = Vec::new();
        flatten::each_pair(&result, &is_dual, &mut |pair| slopes.extend(pair.get(1).and_then(number)));
        let dy = flatten::with_floats(&y, &mut slopes.into_iter())?;
        read(y, dy)
    })
}

/// A dual number with the tangent `dx`.
pub(crate) fn seeded(x: Value<'static>, ty: Ty, dx: f64) -> Value<'static> {
    let dx = match x {
        Value::F32(_) => Value::F32(dx as f32),
        _ => Value::F64(dx),
    };
    pair_value(ty, x, dx)
}

/// Whether this is the type of dual numbers with one tangent.
pub(crate) fn is_dual(ty: Ty) -> bool {
    let duals = Augmented::new(Duals::ONE);
    ty == duals.pair(Ty::f64()) || ty == duals.pair(Ty::f32())
}

fn number(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::F64(x) => Some(*x),
        Value::F32(x) => Some(f64::from(*x)),
        _ => None,
    }
}
