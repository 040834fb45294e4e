//! The arguments that are differentiated: by name, or by number.

use overdub_lower::Function;

use crate::report::{Diagnostic, Failed};

/// The positions of the parameters that `--wrt` names.
pub(crate) fn positions(function: &Function, names: &[String]) -> Result<Vec<usize>, Failed> {
    names.iter().map(|name| position(function, name.trim())).collect()
}

fn position(function: &Function, name: &str) -> Result<usize, Failed> {
    let params = &function.params;
    if let Some(at) = params.iter().position(|param| param.name.as_str() == name) {
        return Ok(at);
    }
    if let Ok(at) = name.parse::<usize>()
        && at < params.len()
    {
        return Ok(at);
    }
    let known: Vec<String> =
        params.iter().enumerate().map(|(at, param)| format!("`{}` ({at})", param.name)).collect();
    let message = format!("`{}` has no argument `{name}`", function.symbol);
    let help = match known.as_slice() {
        [] => "it takes none".to_owned(),
        known => format!("its arguments are {}", known.join(", ")),
    };
    Err(Failed::usage(Diagnostic::new(message).with_help(help)))
}
