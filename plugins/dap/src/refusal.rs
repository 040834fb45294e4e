//! The reasons for which a request is answered with an error.

use dapts::Message;
use overdub_debugger::DebugError;
use serde_json::{Value as Json, json};
use thiserror::Error;

use crate::launch::LaunchError;

/// Why a request cannot be carried out; the state is unchanged.
#[derive(Debug, Error)]
pub(crate) enum Refusal {
    #[error("the message is not JSON: {0}")]
    NotJson(String),
    #[error("the message is no request: {0}")]
    NoRequest(&'static str),
    #[error("there is no request `{0}`")]
    Unknown(String),
    #[error("wrong arguments: {0}")]
    Arguments(String),
    #[error("`initialize` comes first")]
    NotInitialized,
    #[error("`initialize` was answered before")]
    InitializedBefore,
    #[error("paths as URIs are not supported: `pathFormat` has to be `path`")]
    Uris,
    #[error("there is no program: `launch` comes first")]
    NotLaunched,
    #[error("a program is launched; it takes another connection to launch a second one")]
    LaunchedBefore,
    #[error("the program has not begun: `configurationDone` comes first")]
    NotStarted,
    #[error("the program has begun")]
    AlreadyStarted,
    #[error("the program is running; `pause` it first")]
    Running,
    #[error("the program is not running")]
    NotRunning,
    #[error("the program has ended")]
    Ended,
    #[error("there is no thread {0}; the program has the thread 1")]
    NoThread(u64),
    #[error("the reference {0} is of an earlier stop; ask for the stack again")]
    Stale(u64),
    #[error("there is no {what} {id}")]
    NoReference { what: &'static str, id: u64 },
    #[error("too many values were asked for at one stop")]
    TooMany,
    #[error("`{0}` cannot be changed: it is no variable or part of one")]
    NotAPlace(String),
    #[error("there is no source `{0}` in the program")]
    NoSource(String),
    #[error("the program did not stop for a failure, a NaN or an infinity")]
    NoException,
    #[error("`{0}` is no address of an instruction")]
    NoAddress(String),
    #[error("{0}")]
    Debugger(#[from] DebugError),
    #[error("{0}")]
    Launch(#[from] LaunchError),
}

impl Refusal {
    /// The number by which programs distinguish refusals.
    fn id(&self) -> u64 {
        match self {
            Refusal::NotJson(_) => 1,
            Refusal::NoRequest(_) => 2,
            Refusal::Unknown(_) => 3,
            Refusal::Arguments(_) => 4,
            Refusal::NotInitialized => 10,
            Refusal::InitializedBefore => 11,
            Refusal::Uris => 12,
            Refusal::NotLaunched => 13,
            Refusal::LaunchedBefore => 14,
            Refusal::NotStarted => 16,
            Refusal::AlreadyStarted => 17,
            Refusal::Running => 18,
            Refusal::NotRunning => 19,
            Refusal::Ended => 20,
            Refusal::NoThread(_) => 30,
            Refusal::Stale(_) => 31,
            Refusal::NoReference { .. } => 32,
            Refusal::TooMany => 33,
            Refusal::NotAPlace(_) => 34,
            Refusal::NoSource(_) => 35,
            Refusal::NoException => 36,
            Refusal::NoAddress(_) => 37,
            Refusal::Debugger(_) => 50,
            Refusal::Launch(_) => 51,
        }
    }

    /// The body of the response. In its text `{why}` stands for the message, which may contain braces.
    pub(crate) fn body(&self) -> Json {
        let error = Message {
            id: self.id(),
            format: "{why}".to_owned(),
            variables: Some(json!({ "why": self.to_string() })),
            show_user: Some(matches!(self, Refusal::Launch(_))),
            send_telemetry: None,
            url: None,
            url_label: None,
        };
        json!({ "error": error })
    }
}
