//! `--static NAME=VALUE`: arguments of an exported function that are constants.

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_export::{static_doc, with_static_arguments};
use overdub_lower::lower::PassedBy;
use overdub_lower::{Function, Loaded};
use serde_json::Value as Json;

use crate::report::{Diagnostic, Failed};
use crate::{codes, inputs, json, load, wrt};

/// The constants, with the numbers and names of their parameters, in order.
pub(crate) struct StaticArguments(Vec<(usize, String, Json)>);

impl StaticArguments {
    /// Those that a command line gives for the function that a path names.
    pub(crate) fn of(loaded: &Loaded, path: &str, texts: &[String]) -> Result<StaticArguments, Failed> {
        if texts.is_empty() {
            return Ok(StaticArguments(Vec::new()));
        }
        let params = load::param_names(loaded, path)?;
        let mut found: Vec<(usize, String, Json)> = Vec::new();
        for text in texts {
            let Some((name, value)) = text.split_once('=') else {
                let message = format!("`--static {text}` has no value");
                return Err(Failed::usage(Diagnostic::new(message).with_help("write `--static NAME=VALUE`")));
            };
            let at = wrt::position(path, &params, name.trim())?;
            if found.iter().any(|(known, ..)| *known == at) {
                let message = format!("`--static` gives `{}` two values", params[at]);
                return Err(Failed::usage(Diagnostic::new(message)));
            }
            let value = inputs::value("the value of a static argument", value)?;
            found.push((at, params[at].clone(), value));
        }
        found.sort_by_key(|(at, ..)| *at);
        Ok(StaticArguments(found))
    }

    /// All arguments, of which the others are given.
    pub(crate) fn among(&self, others: &[Json]) -> Vec<Json> {
        let mut all = others.to_vec();
        for (at, _, value) in &self.0 {
            all.insert((*at).min(all.len()), value.clone());
        }
        all
    }

    /// The name of the function that takes the other arguments, whose parameters `function` then has.
    pub(crate) fn applied(
        &self,
        loaded: &Loaded,
        engine: &Engine,
        function: &mut Function,
    ) -> Result<Symbol, Failed> {
        if self.0.is_empty() {
            return Ok(function.symbol);
        }
        let usage = |message: String| Failed::usage(Diagnostic::new(message).coded(codes::ARGUMENT));
        let mut values = Vec::new();
        for (at, _, value) in self.0.iter().rev() {
            let param = function.params.remove(*at);
            if param.by != PassedBy::Value {
                return Err(usage(format!(
                    "`{}` is a `&mut` parameter, which has no constant value",
                    param.name
                )));
            }
            let place = param.name.as_str();
            let value = json::check_lengths(value, param.ty, loaded.types(), place)
                .and_then(|()| json::read(value, param.ir_ty, place))
                .map_err(|error| usage(error.to_string()))?;
            values.push((*at, value));
        }
        let made = with_static_arguments(engine, function.symbol, &values);
        made.map_err(|error| usage(error.to_string()))
    }

    /// What the documentation of the function says of them.
    pub(crate) fn doc(&self) -> String {
        static_doc(self.0.iter().map(|(_, name, value)| (name.as_str(), value.to_string())))
    }
}
