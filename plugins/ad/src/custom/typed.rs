//! The builder of custom rules, with typed Rust closures.

use std::fmt;
use std::sync::Arc;

use overdub_context::ir::{Module, TyKind};
use overdub_context::value::{Floats, FromValue, IntoValue, Mismatch, Value};
use overdub_context::{Code, Failure, FailureKind};
use overdub_lower::api::{Error, engine};
use overdub_lower::{Function, Loaded, registry};
use thiserror::Error as ThisError;

use super::named::{Named, RuleFor, Scope, resolved};
use super::table::{Partials, Rule, WithPullback, register};
use crate::codes;
use crate::shape::check_shape;

/// Why a rule cannot be registered.
#[derive(Clone, Debug, ThisError)]
#[non_exhaustive]
pub enum RuleError {
    /// No function has this path.
    #[error("there is no function `{path}` for a rule{}", did_you_mean(similar))]
    Unknown {
        /// The path.
        path: String,
        /// The paths of functions with similar names, the most similar first.
        similar: Vec<String>,
    },
    /// Several functions have this path.
    #[error("a rule is for one function, `{path}` is any of `{}`: give more of the path, or the function itself", functions.join("`, `"))]
    Ambiguous {
        /// The path.
        path: String,
        /// The functions.
        functions: Vec<String>,
    },
    /// The source of the function is not known.
    #[error("a rule for a function whose source is not known: {error}")]
    NotAnnotated {
        /// The cause.
        #[source]
        error: Box<Error>,
    },
    /// The rule has no derivative.
    #[error(
        "the rule for `{0}` says nothing about its derivative: give `pullback`, `reverse`, `forward` or `partials`"
    )]
    Empty(String),
    /// The function of the partial derivatives cannot be loaded.
    #[error("the partial derivatives of `{path}` cannot be loaded: {error}")]
    Partials {
        /// The function that the rule is for.
        path: String,
        /// The cause.
        #[source]
        error: Box<Error>,
    },
    /// The function of the result and the pullback cannot be loaded.
    #[error("the pullback of `{path}` cannot be loaded: {error}")]
    Pullback {
        /// The function that the rule is for.
        path: String,
        /// The cause.
        #[source]
        error: Box<Error>,
    },
    /// The function of the partial derivatives does not return one for each argument.
    #[error(
        "the partial derivatives of `{path}` are `{ret}` for {params} numbers: give one for each, as a tuple"
    )]
    Shape {
        /// The function that the rule is for.
        path: String,
        /// The type of the partial derivatives.
        ret: overdub_context::ir::Ty,
        /// The number of the function's parameters.
        params: usize,
    },
}

impl RuleError {
    /// The code, by which documentation refers to the error.
    pub fn code(&self) -> Code {
        match self {
            RuleError::Unknown { .. } => codes::RULE_UNKNOWN,
            RuleError::Ambiguous { .. } => codes::RULE_AMBIGUOUS,
            RuleError::Empty(_) => codes::RULE_EMPTY,
            RuleError::Shape { .. } => codes::RULE_MISFIT,
            RuleError::NotAnnotated { error }
            | RuleError::Partials { error, .. }
            | RuleError::Pullback { error, .. } => error.code(),
        }
    }
}

/// The end of a sentence that suggests names.
fn did_you_mean(similar: &[String]) -> String {
    if similar.is_empty() { String::new() } else { format!(", did you mean `{}`?", similar.join("`, `")) }
}

/// Begins a rule for a function: from then on derivatives of its calls are those of the rule, whatever its body
/// does.
///
/// The function is given itself, or by its path, of which the last segments are enough. A generic function is given
/// with any types; the rule holds for all that fit it.
///
/// A rule in closures of the host works for any function, including one that overdub cannot see into (give
/// its [`value`](RuleBuilder::value) too). One by [`partials`](RuleBuilder::partials) is differentiated
/// again.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::{derivative, gradient, rule};
///
/// #[dub]
/// fn clipped(x: f64) -> f64 { x } // as it is, but what comes back is at most 1
/// #[dub]
/// fn loss(x: f64, k: f64) -> f64 { k * clipped(x * x) }
///
/// rule(clipped).reverse(|(_x,): (f64,), _y: f64, dy: f64| (dy.clamp(-1.0, 1.0),)).register()?;
/// let (dx, _) = gradient(loss, (3.0, 100.0))?;
/// assert_eq!(dx, 6.0);
///
/// let misspelt = rule("cliped").reverse(|(_x,): (f64,), _y: f64, dy: f64| (dy,)).register();
/// assert!(misspelt.is_err_and(|error| error.to_string().contains("did you mean")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rule<Kind>(function: impl RuleFor<Kind>) -> RuleBuilder {
    match function.named() {
        Named::Path(path) => RuleBuilder { rule: Rule::for_path(path), failed: None, program: None },
        Named::Function(Ok(name)) => {
            let rule = Rule { scope: Scope::Function, ..Rule::for_path(name) };
            RuleBuilder { rule, failed: None, program: None }
        }
        Named::Function(Err(error)) => {
            let failed = Some(RuleError::NotAnnotated { error: Box::new(error) });
            RuleBuilder { rule: Rule::for_path(String::new()), failed, program: None }
        }
    }
}

/// A rule under construction.
#[must_use = "a rule holds once it is registered, or in the scope of `Rules`"]
pub struct RuleBuilder {
    rule: Rule,
    failed: Option<RuleError>,
    /// The program whose functions a path names, unless it is that of all annotated functions.
    program: Option<Arc<Module>>,
}

impl RuleBuilder {
    /// The path names a function of a loaded program, not an annotated one.
    ///
    /// ```
    /// use overdub_ad::custom::rule;
    /// use overdub_lower::Loaded;
    ///
    /// let loaded = Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { g(x) } fn g(x: f64) -> f64 { x }")?;
    /// rule("g").in_program(&loaded).reverse(|(_x,): (f64,), _y: f64, dy: f64| (3.0 * dy,)).register()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_program(mut self, loaded: &Loaded) -> RuleBuilder {
        self.program = Some(loaded.shared_module());
        self
    }

    /// What the function returns, if overdub cannot or need not see into it. Outside of derivatives, the
    /// function is run in this way under [`ByRules`](super::ByRules).
    pub fn value<Args, R>(mut self, value: impl Fn(Args) -> R + Send + Sync + 'static) -> RuleBuilder
    where
        Args: FromValue,
        R: for<'v> IntoValue<'v>,
    {
        let path = self.rule.path.clone();
        self.rule.value = Some(Arc::new(move |args| {
            let args = read(&path, Args::from_value(tuple(args)))?;
            Ok(value(args).into_value().into_owned())
        }));
        self
    }

    /// What the function returns, and its tangent along tangents of its arguments:
    /// `|args, tangents| (y, dy)`.
    pub fn forward<Args, R>(
        mut self,
        forward: impl Fn(Args, Args::Of) -> (R, R::Of) + Send + Sync + 'static,
    ) -> RuleBuilder
    where
        Args: FromValue + Floats,
        R: for<'v> IntoValue<'v> + Floats,
    {
        let path = self.rule.path.clone();
        self.rule.forward = Some(Arc::new(move |args, tangents| {
            let x = read(&path, Args::from_value(tuple(args)))?;
            let dx = read(&path, Args::floats_of(tuple(tangents)))?;
            let (y, dy) = forward(x, dx);
            let (y, dy) = (y.into_value().into_owned(), R::value_of(dy));
            shaped(&path, "the tangent of the result", &y, &dy)?;
            Ok((y, dy))
        }));
        self
    }

    /// The cotangents of the arguments, for a result and its cotangent: `|args, y, dy| dargs`.
    pub fn reverse<Args, R>(
        mut self,
        reverse: impl Fn(Args, R, R::Of) -> Args::Of + Send + Sync + 'static,
    ) -> RuleBuilder
    where
        Args: FromValue + Floats,
        R: FromValue + Floats,
    {
        let path = self.rule.path.clone();
        self.rule.reverse = Some(Arc::new(move |args, y, dy| {
            let x = read(&path, Args::from_value(tuple(args)))?;
            let y = read(&path, R::from_value(y.clone()))?;
            let dx = reverse(x, y, read(&path, R::floats_of(dy.clone()))?);
            let dx = Args::value_of(dx);
            shaped(&path, "the cotangent of the arguments", &tuple(args), &dx)?;
            Ok(dx)
        }));
        self
    }

    /// The partial derivatives as an annotated function of the same numbers, which returns one number, or a
    /// tuple of one for each argument. Both modes follow from it, to any order.
    pub fn partials<D: 'static>(mut self, _: D) -> RuleBuilder {
        let found = registry::instance_of::<D>().and_then(|at| registry::program().function_at(at));
        match found {
            Ok(function) => {
                let params: Vec<_> = function.params.iter().map(|param| param.ir_ty).collect();
                self.rule.partials = Some(Partials { func: function.symbol, ret: function.ir_ret, params });
            }
            Err(error) => {
                let path = self.rule.path.clone();
                self.failed = Some(RuleError::Partials { path, error: Box::new(error.into()) });
            }
        }
        self
    }

    /// The result and its pullback as an annotated function of the same arguments:
    /// `fn(args) -> (y, impl Fn(dy) -> dargs)`. The cotangent of a single argument is returned as it is, those
    /// of several as a tuple.
    ///
    /// It is differentiated again, to any order. A cotangent has the type of the value that it belongs to; a
    /// slice and its cotangent are passed as vectors.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::ad::{hessian, rule};
    ///
    /// #[dub]
    /// fn cube(x: f64) -> f64 { x * x * x }
    /// #[dub]
    /// fn cube_back(x: f64) -> (f64, impl Fn(f64) -> f64) { (x * x * x, move |dy| 3.0 * x * x * dy) }
    /// #[dub]
    /// fn loss(x: f64, k: f64) -> f64 { k * cube(x) }
    ///
    /// rule(cube).pullback(cube_back).register()?;
    /// assert_eq!(gradient(loss, (2.0, 5.0))?, (60.0, 8.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pullback<D: 'static>(mut self, _: D) -> RuleBuilder {
        let path = self.rule.path.clone();
        let found = registry::instance_of::<D>().and_then(|at| registry::program().function_at(at));
        let found = found.map_err(Error::from).and_then(|function| with_pullback(&function));
        match found {
            Ok(pullback) => {
                let func = pullback.func;
                let several = pullback.params.len() != 1;
                // Under dual and recorded numbers, the pullback is called as it was written.
                self.rule.reverse = Some(Arc::new(move |args, _, dy| {
                    let both = engine().run(func, args.to_vec())?;
                    let parts = both.as_composite().map(|both| both.parts.clone()).unwrap_or_default();
                    let missing = || Failure::new(FailureKind::Host, "a rule gives no pullback");
                    let dx = engine().call(parts.get(1).ok_or_else(missing)?, vec![dy.clone()])?;
                    Ok(if several { dx } else { Value::tuple([dx]) })
                }));
                self.rule.pullback = Some(pullback);
            }
            Err(error) => self.failed = Some(RuleError::Pullback { path, error: Box::new(error) }),
        }
        self
    }

    /// Registers the rule: it holds for every derivative taken from now on in this process, and replaces an earlier one for
    /// the same function. [`Rules`](super::Rules) are for some derivatives only.
    ///
    /// # Errors
    /// If the path fits no annotated function or several, the rule has no derivative, or its partial derivatives do not
    /// fit the function.
    pub fn register(self) -> Result<(), RuleError> {
        self.checked().map(register)
    }

    /// The rule, if it says something about one function.
    pub(super) fn checked(mut self) -> Result<Rule, RuleError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let Rule { forward, reverse, partials, path, .. } = &self.rule;
        match partials {
            None if forward.is_none() && reverse.is_none() => return Err(RuleError::Empty(path.clone())),
            Some(partials) if !partials.fit() => {
                let (path, ret, params) = (path.clone(), partials.ret, partials.params.len());
                return Err(RuleError::Shape { path, ret, params });
            }
            _ => {}
        }
        let module = self.program.as_deref().unwrap_or_else(|| registry::program().module());
        if self.rule.scope == Scope::Path
            && let Some(function) = resolved(&self.rule.path, module)?
        {
            self.rule.path = function;
            self.rule.scope = Scope::Function;
        }
        Ok(self.rule)
    }
}

/// The types of a function that returns a result and its pullback.
fn with_pullback(function: &Function) -> Result<WithPullback, Error> {
    let program = registry::program();
    let closure = match function.ir_ret.kind() {
        TyKind::Tuple(parts) => match parts.get(1).map(|part| part.kind()) {
            Some(TyKind::Closure(closure)) => Some(closure.code),
            _ => None,
        },
        _ => None,
    };
    let no_closure = || {
        Error::new(format!("`{}` does not give a result and a closure", function.symbol))
            .with_help("return `(y, move |dy| …)`, the closure as `impl Fn(…) -> …`")
    };
    let code = closure.ok_or_else(no_closure)?;
    let code =
        program.module().func(code).map_err(|error| Error::new(error.message))?.ok_or_else(no_closure)?;
    let params = function.params.iter().map(|param| param.ir_ty).collect();
    Ok(WithPullback { func: function.symbol, params, ret: function.ir_ret, pullback_ret: code.ret })
}

impl Partials {
    /// Whether there is one for each number.
    fn fit(&self) -> bool {
        use overdub_context::ir::TyKind;
        let of_tuple = match self.ret.kind() {
            TyKind::Tuple(parts) => parts.to_vec() == self.params,
            _ => self.params == [self.ret],
        };
        of_tuple && self.params.iter().all(|ty| crate::float_pair::is_float(*ty))
    }
}

impl fmt::Debug for RuleBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleBuilder").field("path", &self.rule.path).finish_non_exhaustive()
    }
}

fn tuple(values: &[Value<'static>]) -> Value<'static> {
    Value::tuple(values.iter().cloned())
}

/// Converts the arguments of a rule's closure, or fails naming the rule's path.
fn read<T>(path: &str, found: Result<T, Mismatch>) -> Result<T, Failure> {
    found.map_err(|error| {
        let help = "give the closure's parameters the types of the function's, a slice as a `Vec`".to_owned();
        Failure::new(FailureKind::Host, format!("the rule for `{path}` does not fit: {error}"))
            .coded(codes::RULE_MISFIT)
            .with_help(Some(help))
    })
}

fn shaped(path: &str, what: &str, primal: &Value<'_>, derivative: &Value<'_>) -> Result<(), Failure> {
    let what = format!("{what}, by the rule for `{path}`,");
    check_shape(&what, primal, derivative).map_err(|error| {
        let help = error.help().map(str::to_owned);
        Failure::new(FailureKind::Host, error.message()).coded(codes::RULE_MISFIT).with_help(help)
    })
}
