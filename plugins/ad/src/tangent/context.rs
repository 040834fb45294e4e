//! The transformation as a context.

use overdub_context::Symbol;
use overdub_context::engine::{Body, Carries, Context, Key, Pass, PassError, ValueOnly};
use overdub_context::ir::{Func, Ty};

use super::make::Maker;
use crate::custom;
use crate::reverse::{Cause, Refusal, cotangent, is_of_library};

/// The context under which a function takes, after its arguments, a tangent of each of those that have one, and gives
/// its result with its tangent.
///
/// ```
/// use overdub_ad::reverse::{Gives, Transform};
/// use overdub_ad::tangent::Tangent;
/// use overdub_context::value::Value;
///
/// let source = "pub fn f(x: &[f64]) -> f64 { x[0] * x[0] * x[1] }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
/// let (x, dx) = (Value::floats(vec![3.0, 5.0]), Value::floats(vec![1.0, 0.0]));
/// let slope = engine.overdub(&Tangent::new(), f, vec![x.clone(), dx.clone()])?;
/// assert_eq!(slope.to_string(), "(45.0, 30.0)");
/// // Over the gradient: the gradient, and how it changes.
/// let curved = (Tangent::new().with_respect_to(vec![true, false]), Transform::new(Gives::Gradient));
/// let both = engine.overdub(&curved, f, vec![x, Value::F64(1.0), dx])?;
/// assert_eq!(both.to_string(), "((45.0, ([30.0, 9.0],)), (30.0, ([10.0, 6.0],)))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Tangent {
    wanted: Option<Vec<bool>>,
}

impl Tangent {
    /// With tangents of all arguments that hold floats.
    pub fn new() -> Tangent {
        Tangent::default()
    }

    /// The same, with tangents of these arguments; those of the others are zero.
    #[must_use]
    pub fn with_respect_to(self, wanted: Vec<bool>) -> Tangent {
        Tangent { wanted: Some(wanted) }
    }

    fn wanted(&self, func: &Func) -> Result<Vec<bool>, Refusal> {
        if let Some(wanted) = &self.wanted {
            return Ok(wanted.clone());
        }
        let holds = |ty: Ty| Ok(cotangent(ty)? != Ty::unit());
        let wanted: Result<Vec<bool>, Cause> = func.param_tys().map(holds).collect();
        wanted.map_err(|cause| cause.refuse(func.name, func.span))
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
        let mut made = Maker::new(&lookup, &name).all(func, &wanted)?.into_iter();
        let own = made.next().ok_or_else(|| Cause::Missing(func.name).refuse(func.name, func.span))?;
        made.for_each(|func| body.define_companion(func));
        Ok(own)
    }
}

impl Context for Tangent {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn key(&self) -> Key {
        custom::keyed(Key::of::<Tangent>().with(self))
    }

    fn carries(&self) -> Carries {
        Carries::Nothing
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        self.rewritten(body).map(Pass::Replace).map_err(|refusal| PassError {
            message: refusal.cause.to_string(),
            span: refusal.span,
            help: Some("take dual numbers: they follow derivatives anywhere".to_owned()),
        })
    }
}
