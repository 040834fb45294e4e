//! All requests to a launched program: when each may be answered, and by which function.

use serde::Serialize;
use serde_json::Value as Json;

use crate::client::Conventions;
use crate::message::Request;
use crate::program::{Program, Then, When};
use crate::refusal::Refusal;
use crate::{breakpoints, listing, motion, repl, sources, stack, variables};

/// A response, and the action after it.
pub(crate) type Reply = (Json, Then);

macro_rules! requests {
    ($($command:literal $when:ident $answer:path;)*) => {
        /// Whether there is a request with this name.
        pub(crate) fn is_known(command: &str) -> bool {
            matches!(command, $($command)|*)
        }

        /// Answers a request.
        pub(crate) fn answer(
            program: &mut Program,
            conventions: Conventions,
            request: &Request,
        ) -> Result<Reply, Refusal> {
            match request.command.as_str() {
                $($command => {
                    program.allows(When::$when)?;
                    reply($answer(program, conventions, request.arguments()?)?)
                })*
                unknown => Err(Refusal::Unknown(unknown.to_owned())),
            }
        }
    };
}

requests! {
    "setBreakpoints"          Continues       breakpoints::set_lines;
    "setFunctionBreakpoints"  Continues       breakpoints::set_functions;
    "setExceptionBreakpoints" Continues       breakpoints::set_exceptions;
    "setDataBreakpoints"      Continues       breakpoints::set_data;
    "dataBreakpointInfo"      Stopped     breakpoints::data_info;
    "configurationDone"       Configuring motion::begin;
    "threads"                 Launched    stack::threads;
    "stackTrace"              Stopped     stack::trace;
    "exceptionInfo"           Stopped     stack::exception;
    "scopes"                  Stopped     variables::scopes;
    "variables"               Stopped     variables::variables;
    "setVariable"             Stopped     variables::set;
    "evaluate"                Stopped     repl::evaluate;
    "completions"             Stopped     repl::completions;
    "continue"                Stopped     motion::on;
    "next"                    Stopped     motion::next;
    "stepIn"                  Stopped     motion::step_in;
    "stepOut"                 Stopped     motion::step_out;
    "stepBack"                Stopped     motion::step_back;
    "reverseContinue"         Stopped     motion::reverse_continue;
    "restartFrame"            Stopped     motion::restart_frame;
    "gotoTargets"             Stopped     motion::targets;
    "goto"                    Stopped     motion::goto;
    "pause"                   Running     motion::pause;
    "terminate"               Continues       motion::terminate;
    "loadedSources"           Launched    sources::loaded;
    "source"                  Launched    sources::text;
    "disassemble"             Stopped     listing::disassemble;
}

fn reply<R: Serialize>((body, then): (R, Then)) -> Result<Reply, Refusal> {
    let body = serde_json::to_value(body).map_err(|error| Refusal::Arguments(error.to_string()))?;
    Ok((body, then))
}
