//! The arguments of `launch`, and the interface to what opens the function.

use std::path::PathBuf;

use overdub_context::value::Value;
use overdub_debugger::{DebugError, Session};
use overdub_lower::Function;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;
use thiserror::Error;

/// The arguments of a `launch` request; further ones that editors send are ignored.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaunchArguments {
    /// A `.rs` file, or the folder of a crate.
    pub source: PathBuf,
    /// A path such as `function::gamma::ln_gamma`; a method is `Type::name` or `Trait::name`.
    pub function: String,
    /// One entry for each parameter; or their JSON as a text, for editors that can only send texts.
    #[serde(default, deserialize_with = "list")]
    pub args: Vec<Json>,
    /// Whether to stop at the start of the function.
    #[serde(default)]
    pub stop_on_entry: Option<bool>,
    /// Whether to stop at the end of the program, so that it can be stepped back from there; the session ends
    /// at the next `continue`. Otherwise the session ends with the program.
    #[serde(default)]
    pub stop_at_end: Option<bool>,
    /// The derivative of the function to debug; `None` to debug the function itself.
    #[serde(default)]
    pub derivative: Option<Derivative>,
    /// For `jvp`, the tangent of each argument in its shape; by default all are 1.
    #[serde(default)]
    pub tangents: Option<Vec<Json>>,
    /// Steps stop only in these modules, types and functions; by default in all of the source.
    #[serde(default)]
    pub focus: Option<Vec<String>>,
    /// Whether to run without breakpoints.
    #[serde(default)]
    pub no_debug: Option<bool>,
}

fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Json>, D::Error> {
    let parsed = match Json::deserialize(deserializer)? {
        Json::String(text) => serde_json::from_str(&text).map_err(D::Error::custom)?,
        single => single,
    };
    match parsed {
        Json::Null => Ok(Vec::new()),
        Json::Array(list) => Ok(list),
        other => Err(D::Error::custom(format!("`args` is no list of arguments: {other}"))),
    }
}

/// A derivative of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Derivative {
    /// With respect to each argument, in reverse mode.
    Gradient,
    /// Along a direction of the arguments, in forward mode.
    Jvp,
}

/// Why a function cannot be launched, or its result not be shown.
#[derive(Clone, Debug, Error)]
#[error("{message}")]
pub struct LaunchError {
    /// What is wrong, and where.
    pub message: String,
}

impl From<DebugError> for LaunchError {
    fn from(error: DebugError) -> LaunchError {
        LaunchError { message: error.to_string() }
    }
}

/// Opens functions with the arguments that a user wrote, and describes what they return.
pub trait Launch {
    /// A session on the function with its arguments.
    ///
    /// # Errors
    /// If the source cannot be loaded, has no such function, or the arguments do not fit.
    fn open(&mut self, launch: &LaunchArguments) -> Result<Session, LaunchError>;

    /// The returned value of a function, as an object with `value`.
    ///
    /// # Errors
    /// If the function returned an error.
    fn result(&mut self, function: &Function, value: Value<'static>) -> Result<Json, LaunchError>;

    /// The returned value of a function and its derivative, as an object with `value`, and `gradient`, an
    /// entry for each argument, or `tangent`, that of the value.
    fn derivative(
        &mut self,
        value: &Value<'static>,
        derivative: &[Value<'static>],
        is_gradient: bool,
    ) -> Json;
}
