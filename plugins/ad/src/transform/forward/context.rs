//! The forward transformation as a context.

use std::sync::Arc;

use overdub_context::engine::{Body, Context, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::Func;

use super::directions::{Directions, ForwardOutputs};
use super::transformer::ForwardTransformer;
use crate::custom::{self, ActiveRules};
use crate::transform::Names;
use crate::transform::products::Products;
use crate::transform::reverse::Cause;

/// The context under which a function takes, after all arguments, a tangent of each argument that has one,
/// and returns its result with its tangent.
///
/// ```
/// use overdub_ad::transform::forward::ForwardTransform;
/// use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};
/// use overdub_context::value::Value;
///
/// let source = "pub fn f(x: &[f64]) -> f64 { x[0] * x[0] * x[1] }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
/// let (x, dx) = (Value::floats(vec![3.0, 5.0]), Value::floats(vec![1.0, 0.0]));
/// let slope = engine.overdub(&ForwardTransform::new(), f, vec![x.clone(), dx.clone()])?;
/// assert_eq!(slope.to_string(), "(45.0, 30.0)");
/// // Over the gradient: the gradient, and how it changes.
/// let curved = (ForwardTransform::new(), ReverseTransform::new(ReverseOutput::Gradient));
/// let both = engine.overdub(&curved, f, vec![x, dx])?;
/// assert_eq!(both.to_string(), "((45.0, ([30.0, 9.0],)), (30.0, ([10.0, 6.0],)))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ForwardTransform {
    wrt: Option<Vec<bool>>,
    directions: Directions,
    products: Products,
    rules: ActiveRules,
}

impl Default for ForwardTransform {
    fn default() -> ForwardTransform {
        let (products, rules) = (Products::default(), ActiveRules::current());
        ForwardTransform { wrt: None, directions: Directions::ONE, products, rules }
    }
}

impl ForwardTransform {
    /// With tangents of all arguments that hold floats.
    pub fn new() -> ForwardTransform {
        ForwardTransform::default()
    }

    /// With tangents of these arguments only; those of the others are zero.
    #[must_use]
    pub fn with_respect_to(self, wrt: Vec<bool>) -> ForwardTransform {
        ForwardTransform { wrt: Some(wrt), ..self }
    }

    /// Along this many directions in one run, at least one: the tangents of each argument are adjacent
    /// parameters, and the result is followed by as many tangents. The primal is computed once for all of
    /// them.
    ///
    /// ```
    /// use overdub_ad::transform::forward::ForwardTransform;
    /// use overdub_context::value::Value;
    ///
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64, y: f64) -> f64 { x * y }")?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let (x, y) = ([3.0, 1.0, 0.0], [5.0, 0.0, 1.0]);
    /// let args = [x[0], y[0], x[1], x[2], y[1], y[2]].map(Value::F64).to_vec();
    /// assert_eq!(engine.overdub(&ForwardTransform::new().along(2), f, args)?.to_string(), "(15.0, 5.0, 3.0)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn along(self, directions: usize) -> ForwardTransform {
        let directions = Directions { count: directions.max(1), ..self.directions };
        ForwardTransform { directions, ..self }
    }

    /// With these products; plain ones are refused in some functions (ZEROS3).
    #[must_use]
    pub(crate) fn by_products(self, products: Products) -> ForwardTransform {
        ForwardTransform { products, ..self }
    }

    /// Returns only the tuple of the tangents. Code that only the result needs is then removed.
    #[must_use]
    pub fn tangents_alone(self) -> ForwardTransform {
        ForwardTransform {
            directions: Directions { outputs: ForwardOutputs::Tangents, ..self.directions },
            ..self
        }
    }

    /// Returns only the tuple of the tangents of one part of the result, which is a tuple or a struct.
    #[must_use]
    pub fn tangents_of_part(self, part: usize) -> ForwardTransform {
        ForwardTransform {
            directions: Directions { outputs: ForwardOutputs::Part(part), ..self.directions },
            ..self
        }
    }
}

impl Context for ForwardTransform {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        custom::keyed(Key::of::<ForwardTransform>().with(self), &self.rules)
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let transform = |names: Names<'_>, func: &Arc<Func>, wrt: &[bool]| {
            let funcs = ForwardTransformer::new(names).with_directions(self.directions).all(func, wrt)?;
            let pushforward =
                funcs.first().ok_or_else(|| Cause::Missing(func.name).refuse(func.name, func.span))?;
            let pushforward = pushforward.name;
            Ok((pushforward, funcs.into_iter().map(Arc::new).collect()))
        };
        let otherwise = "take dual numbers: they follow derivatives anywhere";
        self.rules.during(|| self.products.pass(body, self.wrt.as_ref(), &transform, otherwise))
    }
}
