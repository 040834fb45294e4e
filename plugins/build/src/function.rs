//! What is asked of one function.

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_export::{Derivative, Results, static_doc, with_static_arguments};
use overdub_lower::error::Cause as Fault;
use overdub_lower::lower::PassedBy;
use overdub_lower::{Function as Lowered, FunctionError, Loaded, ResolveError};

use crate::error::{Cause, Error};
use crate::package::Package;

/// A function, and what is asked of it.
///
/// ```
/// use overdub_build::Function;
///
/// let asked = Function::gradient("model::loss").with_respect_to(["weights"]).named("slope");
/// assert_eq!(asked.name(), "slope");
/// assert_eq!(Function::hvp("model::loss").name(), "loss_hvp");
/// ```
#[derive(Clone, Debug)]
pub struct Function {
    path: String,
    derivative: Option<Derivative>,
    wrt: Option<Vec<String>>,
    name: Option<String>,
    types: Option<String>,
    statics: Vec<(String, Value<'static>)>,
}

impl Function {
    /// This of the function of this path from the root of the crate, `model::loss`; the function itself if nothing is
    /// asked of it.
    pub fn new(path: impl Into<String>, derivative: Option<Derivative>) -> Function {
        Function { path: path.into(), derivative, wrt: None, name: None, types: None, statics: Vec::new() }
    }

    /// The function itself.
    pub fn value(path: impl Into<String>) -> Function {
        Function::new(path, None)
    }

    /// Its derivatives with respect to its arguments.
    pub fn gradient(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::Gradient))
    }

    /// Its value, followed by these.
    pub fn value_and_gradient(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::ValueAndGradient))
    }

    /// The derivatives of each float of its result, of which there are several, with respect to its arguments.
    pub fn gradients(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::Gradients))
    }

    /// Its value, followed by these.
    pub fn value_and_gradients(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::ValueAndGradients))
    }

    /// Its value and the tangent of that; the tangents of the arguments follow the arguments.
    pub fn jvp(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::Jvp))
    }

    /// Its value and the cotangents of its arguments; a cotangent of the value follows the arguments.
    pub fn vjp(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::Vjp))
    }

    /// The product of its Hessian with a direction, which follows the arguments.
    pub fn hvp(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::Hvp))
    }

    /// The derivatives of each float of its result with respect to each float of its arguments, as rows.
    pub fn jacobian(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::Jacobian))
    }

    /// The second derivatives of a function that returns a float, as rows: one for each float of its arguments.
    pub fn hessian(path: impl Into<String>) -> Function {
        Function::new(path, Some(Derivative::Hessian))
    }

    /// Differentiates with respect to the parameters of these names only.
    #[must_use]
    pub fn with_respect_to<S: Into<String>>(mut self, params: impl IntoIterator<Item = S>) -> Function {
        self.wrt = Some(params.into_iter().map(Into::into).collect());
        self
    }

    /// Calls the result by this name. Without it, it has the name of the function, followed by what was asked.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Function {
        self.name = Some(name.into());
        self
    }

    /// Gives the types of its parameters, if it is generic: `"&[f32], f32"`. Without them, floats are `f64`.
    #[must_use]
    pub fn with_types(mut self, types: impl Into<String>) -> Function {
        self.types = Some(types.into());
        self
    }

    /// Makes the parameter of this name a constant, which must have its type: `with_static("dims", 10_usize)`. Loops over it are
    /// unrolled.
    #[must_use]
    pub fn with_static(mut self, param: impl Into<String>, value: impl Into<Value<'static>>) -> Function {
        self.statics.push((param.into(), value.into()));
        self
    }

    /// What is asked; none for the function itself.
    pub fn derivative(&self) -> Option<Derivative> {
        self.derivative
    }

    /// The name of the result.
    pub fn name(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None => overdub_export::result_name(&self.path, self.derivative),
        }
    }

    /// As [`Function::name`], where vectors are handed over in this way.
    pub(crate) fn name_for(&self, results: Results) -> String {
        self.name() + if self.name.is_none() { results.ending() } else { "" }
    }

    /// The function in a program.
    pub(crate) fn find(&self, package: &Package) -> Result<Lowered, Error> {
        let loaded = package.loaded();
        let find = |path: &str| match &self.types {
            Some(types) => loaded.function_with(path, types),
            None => loaded.function(path),
        };
        // A module may have the name of its crate, with which paths may begin.
        let found = find(&self.path).or_else(|error| match error {
            FunctionError::Lookup(_) => find(&format!("crate::{}", self.path)).map_err(|_| error),
            FunctionError::Lower(_) => Err(error),
        });
        found.map_err(|error| {
            // A file that is missing, or not Rust, is why its functions are not known.
            let is_cause =
                |fault: &ResolveError| matches!(fault.cause, Fault::Read { .. } | Fault::Syntax(_));
            let fault = match &error {
                FunctionError::Lookup(_) => loaded.program().faults().into_iter().find(is_cause),
                FunctionError::Lower(_) => None,
            };
            Error::new(fault.map_or(Cause::Function(error), Cause::Source)).in_program(loaded)
        })
    }

    /// For each parameter, whether it is one of those that are asked for.
    pub(crate) fn selected(&self, function: &Lowered) -> Result<Vec<bool>, Error> {
        let Some(names) = &self.wrt else { return Ok(vec![true; function.params.len()]) };
        let mut selected = vec![false; function.params.len()];
        for name in names {
            selected[position(function, name)?] = true;
        }
        Ok(selected)
    }

    /// What the documentation says of static arguments.
    pub(crate) fn static_doc(&self) -> String {
        static_doc(self.statics.iter().map(|(name, value)| (name.as_str(), value.to_string())))
    }

    /// The name of the function in which static arguments are constants; `function` loses their parameters.
    pub(crate) fn applied(
        &self,
        loaded: &Loaded,
        engine: &Engine,
        function: &mut Lowered,
    ) -> Result<Symbol, Error> {
        if self.statics.is_empty() {
            return Ok(function.symbol);
        }
        let mut values: Vec<(usize, Value<'static>)> = Vec::new();
        for (name, value) in &self.statics {
            let at = position(function, name)?;
            let is_changed = function.params[at].by != PassedBy::Value;
            if is_changed || values.iter().any(|(known, _)| *known == at) {
                let cause = Cause::Static { function: function.symbol, name: name.clone() };
                return Err(Error::new(cause));
            }
            values.push((at, value.clone()));
        }
        let made = with_static_arguments(engine, function.symbol, &values);
        let mut numbers = 0..;
        function.params.retain(|_| {
            let number = numbers.next();
            !values.iter().any(|(at, _)| Some(*at) == number)
        });
        made.map_err(|error| Error::from_export(error, loaded))
    }
}

/// The number of the parameter with this name.
fn position(function: &Lowered, name: &str) -> Result<usize, Error> {
    let found = function.params.iter().position(|param| param.name.as_str() == name);
    found.ok_or_else(|| {
        let known: Vec<String> = function.params.iter().map(|param| format!("`{}`", param.name)).collect();
        let help = match &known[..] {
            [] => "it takes none".to_owned(),
            known => format!("its arguments are {}", known.join(", ")),
        };
        let cause = Cause::Parameter { function: function.symbol, name: name.to_owned() };
        Error::new(cause).with_help(help)
    })
}
