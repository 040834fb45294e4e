//! The arguments that are differentiated: by name, or by number.

use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_lower::Function;
use overdub_sparsity::Detector;

use crate::report::{Diagnostic, Failed};

/// The positions of the parameters that `--wrt` names.
fn positions(function: &Function, names: &[String]) -> Result<Vec<usize>, Failed> {
    let params: Vec<String> = function.params.iter().map(|param| param.name.to_string()).collect();
    names.iter().map(|name| position(function.name(), &params, name.trim())).collect()
}

/// Which arguments are differentiated.
pub(crate) struct Selection(Option<Vec<usize>>);

impl Selection {
    /// The arguments that `--wrt` names; without it, all.
    pub(crate) fn of(function: &Function, names: Option<&[String]>) -> Result<Selection, Failed> {
        Ok(Selection(names.map(|names| positions(function, names)).transpose()?))
    }

    pub(crate) fn contains(&self, argument: usize) -> bool {
        self.0.as_ref().is_none_or(|chosen| chosen.contains(&argument))
    }

    /// The numbers of the arguments that `--wrt` names.
    pub(crate) fn numbers(&self) -> Option<impl Iterator<Item = String>> {
        self.0.as_ref().map(|chosen| chosen.iter().map(usize::to_string))
    }

    /// For each float of all arguments, whether it is one of a chosen argument.
    pub(crate) fn floats(&self, arguments: &[Value<'static>]) -> Vec<bool> {
        let each = arguments.iter().enumerate();
        each.flat_map(|(at, value)| std::iter::repeat_n(self.contains(at), floats(value).len())).collect()
    }

    /// Finds the pattern of the chosen arguments alone.
    pub(crate) fn detector<'e>(&self, detector: Detector<'e>) -> Detector<'e> {
        match &self.0 {
            Some(chosen) => detector.with_respect_to(chosen.clone()),
            None => detector,
        }
    }
}

/// The number of the parameter with this name or number, of a function with these parameters.
pub(crate) fn position(function: &str, params: &[String], name: &str) -> Result<usize, Failed> {
    if let Some(at) = params.iter().position(|param| param == name) {
        return Ok(at);
    }
    if let Ok(at) = name.parse::<usize>()
        && at < params.len()
    {
        return Ok(at);
    }
    let known: Vec<String> =
        params.iter().enumerate().map(|(at, param)| format!("`{param}` ({at})")).collect();
    let message = format!("`{function}` has no argument `{name}`");
    let help = match known.as_slice() {
        [] => "it takes none".to_owned(),
        known => format!("its arguments are {}", known.join(", ")),
    };
    Err(Failed::usage(Diagnostic::new(message).with_help(help)))
}
