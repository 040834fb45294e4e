//! Cases of Rust source: what a function is lowered to, and what its gradient is.
//!
//! Claims are lines like `// run: f(2.0, [1.0]) == 3.0` and `// grad: f(2.0, [1.0]) == [1.0, [2.0]]`, with arguments and
//! results as JSON, as the command takes and prints them. A function that fails is claimed as `fails "message"`.

use overdub_cli::{Color, Named, arguments, closure_of, json, name_under};
use overdub_context::Failure;
use overdub_context::engine::Engine;
use overdub_context::text::Listing;
use overdub_lower::{Function, Loaded};
use overdub_passes::Optimising;
use serde_json::Value as Json;

use crate::case::{Case, Outcome};

/// The function as it is lowered, before any pass.
pub(crate) fn lowered(case: &Case, name: &str) -> Outcome {
    of_function(case, name, |loaded, function| {
        let func = loaded.shared_module().func(function.symbol).map_err(|error| error.to_string())?;
        let mut listing = Listing::of(func);
        listing.types.clear();
        Ok(listing.to_string())
    })
}

/// The function with its pullback, as the reverse transformation makes it of the optimised function, and the functions
/// that this calls; where the transformation refuses it, why.
pub(crate) fn gradient(case: &Case, name: &str) -> Outcome {
    of_function(case, name, |loaded, function| {
        let engine = engine(loaded);
        let made = name_under(&engine, function.symbol, &[Named::Reverse]);
        let funcs = closure_of(&engine, made).map_err(|error| error.to_string())?;
        let mut listing = Listing::of(funcs);
        listing.types.clear();
        Ok(listing.to_string())
    })
}

fn engine(loaded: &Loaded) -> Engine {
    loaded.engine_builder().optimizer(Optimising).build()
}

fn of_function(
    case: &Case,
    name: &str,
    output: impl FnOnce(&Loaded, &Function) -> Result<String, String>,
) -> Outcome {
    let loaded = match Loaded::from_source("case.rs", &case.text()) {
        Ok(loaded) => loaded,
        Err(error) => return Outcome { output: format!("{error}\n"), failures: Vec::new() },
    };
    let output = loaded
        .function(name)
        .map_err(|error| error.to_string())
        .and_then(|function| output(&loaded, &function))
        .unwrap_or_else(|error| format!("{error}\n"));
    Outcome { output, failures: broken_claims(&loaded, &case.text()) }
}

/// The claims that do not hold, by the number of their line.
fn broken_claims(loaded: &Loaded, text: &str) -> Vec<String> {
    let engine = engine(loaded);
    let broken = |(number, line): (usize, &str)| {
        let (is_gradient, claim) = match (line.strip_prefix("// run: "), line.strip_prefix("// grad: ")) {
            (Some(claim), _) => (false, claim),
            (_, Some(claim)) => (true, claim),
            _ => return None,
        };
        let reason = check(loaded, &engine, is_gradient, claim).err()?;
        Some(format!("line {number}: {claim}: {reason}"))
    };
    (1..).zip(text.lines()).filter_map(broken).collect()
}

fn check(loaded: &Loaded, engine: &Engine, is_gradient: bool, claim: &str) -> Result<(), String> {
    let malformed = "a claim is `f(ARGUMENTS) == JSON` or `f(ARGUMENTS) fails \"message\"`";
    let (call, expected, fails) = match (claim.split_once(") == "), claim.split_once(") fails ")) {
        (Some((call, value)), _) => (call, value, false),
        (None, Some((call, message))) => (call, message, true),
        (None, None) => return Err(malformed.to_owned()),
    };
    let (name, args) = call.split_once('(').ok_or(malformed)?;
    let parse = |text: &str| serde_json::from_str::<Json>(text).map_err(|error| error.to_string());
    let (parts, expected) = (parse(&format!("[{args}]"))?, parse(expected)?);
    let function = loaded.function(name).map_err(|error| error.to_string())?;
    let args = arguments(loaded, &function, parts.as_array().ok_or(malformed)?);
    let args = args.map_err(|failed| failed.render(Color::Never))?;
    let got: Result<Json, Failure> = match is_gradient {
        false => engine.run(function.symbol, args).map(|value| json::write(&value)),
        true => overdub_ad::gradient(engine, function.symbol, args, function.ir_ret)
            .map(|(_, parts)| Json::Array(parts.iter().map(json::write_floats).collect())),
    };
    match got {
        Ok(got) if !fails && got == expected => Ok(()),
        Err(failure) if fails && expected.as_str() == Some(&*failure.report().message) => Ok(()),
        Ok(got) => Err(format!("gives {got}")),
        Err(failure) => Err(format!("fails: {failure}")),
    }
}
