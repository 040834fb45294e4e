//! The transformation as a context.

use overdub_context::Symbol;
use overdub_context::engine::{Body, Carries, Context, Key, Pass, PassError, ValueOnly};
use overdub_context::ir::{Func, Ty};

use super::cotangent::cotangent;
use super::forward::Ending;
use super::make::Maker;
use super::{Cause, Refusal};
use crate::custom::{self, formula_for};

/// What a function gives under [`Transform`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gives {
    /// Its result, and a closure from a cotangent of that to those of the arguments.
    Pullback,
    /// Its result and the cotangents of the arguments, for a cotangent of the result that is one more argument.
    Gradient,
    /// The same for a cotangent of the first part of the result: what `&mut` parameters hold at last has none.
    GradientOfFirst,
}

/// The context that gives a function its way back, by rewriting its optimised body.
///
/// ```
/// use overdub_ad::reverse::{Gives, Transform};
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(a: f64, b: f64) -> f64 { a / (a + b * b) }")?;
/// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
/// let both = engine.overdub(&Transform::new(Gives::Pullback), f, [2.0, 3.0].map(Value::F64).into())?;
/// let parts = both.as_composite().expect("the result and the pullback").parts.clone();
/// let cotangents = engine.call(&parts[1], vec![Value::F64(1.0)])?;
/// let da = cotangents.as_composite().expect("one for each argument").parts[0].as_f64();
/// assert!((da.unwrap() - 9.0 / 121.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transform {
    gives: Gives,
    wanted: Option<Vec<bool>>,
    limit: Option<usize>,
}

impl Transform {
    /// With respect to all arguments that hold floats.
    pub fn new(gives: Gives) -> Transform {
        Transform { gives, wanted: None, limit: None }
    }

    /// The same, with respect to these arguments.
    #[must_use]
    pub fn with_respect_to(self, wanted: Vec<bool>) -> Transform {
        Transform { wanted: Some(wanted), ..self }
    }

    /// The same, with a tape of so many bytes at most: a function that keeps more for its way back fails.
    #[must_use]
    pub fn with_tape_limit(self, bytes: usize) -> Transform {
        Transform { limit: Some(bytes), ..self }
    }

    fn wanted(&self, func: &Func) -> Result<Vec<bool>, Refusal> {
        if let Some(wanted) = &self.wanted {
            return Ok(wanted.clone());
        }
        let holds = |ty: Ty| Ok(cotangent(ty)? != Ty::unit());
        let wanted: Result<Vec<bool>, Cause> = func.param_tys().map(holds).collect();
        wanted.map_err(|cause| cause.refuse(func.name, func.span))
    }

    fn ending(&self) -> Ending {
        match self.gives {
            Gives::Pullback => Ending::Closure,
            Gives::Gradient => Ending::Joined,
            Gives::GradientOfFirst => Ending::JoinedFirst,
        }
    }

    fn rewritten(&self, body: &Body<'_>) -> Result<Func, Refusal> {
        let func = body.func();
        let wanted = self.wanted(func)?;
        let name = |func: Symbol, what: &str| body.companion_name(func, what);
        // What has a rule of its own is not looked into.
        let lookup = |name: Symbol| match custom::has_rule(name) {
            true => None,
            false => body.callee(name).ok().flatten().filter(|func| !is_of_library(func)),
        };
        let maker = Maker { lookup: &lookup, name: &name, limit: self.limit };
        let made =
            maker.all(func.name, &wanted, &[self.ending()]).map_err(|refusal| match refusal.cause {
                Cause::Missing(name) if custom::has_rule(name) => {
                    Refusal { cause: Cause::Ruled(name), ..refusal }
                }
                _ => refusal,
            })?;
        let own = name(func.name, &self.ending().what(&wanted));
        let mut rewritten = None;
        for func in made.funcs {
            if func.name == own {
                rewritten = Some(Func::clone(&func));
            } else {
                body.define_companion(Func::clone(&func));
            }
        }
        rewritten.ok_or_else(|| Cause::Missing(func.name).refuse(func.name, func.span))
    }
}

/// Whether there is a formula for what a function of a library computes.
pub(crate) fn is_of_library(func: &Func) -> bool {
    let params: Vec<Ty> = func.param_tys().collect();
    formula_for(func.name, &params, func.ret).is_some()
}

impl Context for Transform {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn key(&self) -> Key {
        custom::keyed(Key::of::<Transform>().with(self))
    }

    fn carries(&self) -> Carries {
        Carries::Nothing
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        self.rewritten(body).map(Pass::Replace).map_err(|refusal| PassError {
            message: refusal.cause.to_string(),
            span: refusal.span,
            help: Some("take the reverse mode that records: it follows derivatives anywhere".to_owned()),
        })
    }
}
