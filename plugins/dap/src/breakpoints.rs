//! `setBreakpoints`, `setFunctionBreakpoints`, `setDataBreakpoints`, `setExceptionBreakpoints`, `dataBreakpointInfo`.
//!
//! - BP1 a request replaces all breakpoints of its kind; one that was set before is kept, with its count of
//!   hits.

use std::collections::HashMap;

use dapts::{
    Breakpoint, BreakpointReason, DataBreakpoint, DataBreakpointAccessType as Access,
    DataBreakpointInfoArguments, DataBreakpointInfoResponse, ExceptionFilterOptions, FunctionBreakpoint,
    SetBreakpointsArguments, SetBreakpointsResponse, SetDataBreakpointsArguments, SetDataBreakpointsResponse,
    SetExceptionBreakpointsArguments, SetExceptionBreakpointsResponse, SetFunctionBreakpointsArguments,
    SetFunctionBreakpointsResponse, SourceBreakpoint,
};
use overdub_context::{Span, Symbol};
use overdub_debugger::{HitCondition, Kind, Session};

use crate::client::{Conventions, FAILURE, INFINITY, NAN};
use crate::program::{Program, Then};
use crate::references::{Root, VariablePart};
use crate::refusal::Refusal;
use crate::sources::{self, Sources};
use crate::variables;

/// The breakpoints that the client set, as requested, with their numbers.
#[derive(Debug)]
pub(crate) struct Breakpoints {
    /// Whether breakpoints are enabled: not if a program is only run.
    is_on: bool,
    lines: HashMap<Symbol, Placed<SourceBreakpoint>>,
    functions: Placed<FunctionBreakpoint>,
    data: Placed<DataBreakpoint>,
    exceptions: Placed<ExceptionFilterOptions>,
    /// Whether failures stop the run.
    pub(crate) stops_at_failures: bool,
}

type Placed<A> = Vec<(A, usize)>;

/// The reason why a breakpoint cannot be set.
type Unplaced = String;

impl Breakpoints {
    pub(crate) fn new(is_on: bool) -> Breakpoints {
        Breakpoints {
            is_on,
            lines: HashMap::new(),
            functions: Vec::new(),
            data: Vec::new(),
            exceptions: Vec::new(),
            stops_at_failures: is_on,
        }
    }
}

/// Replaces the breakpoints of a kind (BP1).
fn replace<A: PartialEq>(
    session: &mut Session,
    placed: &mut Placed<A>,
    requested: Vec<A>,
    mut place: impl FnMut(&mut Session, &A) -> Result<usize, Unplaced>,
) -> Vec<Result<usize, Unplaced>> {
    let mut old = std::mem::take(placed);
    // The user may have deleted some by a command.
    old.retain(|(_, id)| session.breakpoints().iter().any(|point| point.id == *id));
    let mut found = Vec::new();
    for request in requested {
        let known = old.iter().position(|(before, _)| *before == request);
        let id = match known {
            Some(at) => Ok(old.swap_remove(at).1),
            None => place(session, &request),
        };
        if let Ok(id) = id {
            placed.push((request, id));
        }
        found.push(id);
    }
    for (_, id) in old {
        // It exists, as checked above.
        drop(session.delete(id));
    }
    found
}

/// Sets the conditions of a breakpoint, or deletes it again if a condition cannot be parsed.
fn conditioned(
    session: &mut Session,
    id: usize,
    condition: &Option<String>,
    hits: &Option<String>,
) -> Result<usize, Unplaced> {
    let point = session.breakpoint_mut(id).map_err(|error| error.to_string())?;
    if let Some(condition) = condition.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        point.set_condition(condition);
    }
    let Some(hits) = hits.as_deref().map(str::trim).filter(|text| !text.is_empty()) else { return Ok(id) };
    match HitCondition::parse(hits) {
        Some(hits) => point.set_hits(hits),
        None => {
            drop(session.delete(id));
            return Err(format!("`{hits}` is no hit condition such as `3`, `>= 1000`, `% 100 == 0`"));
        }
    }
    Ok(id)
}

/// The description of a breakpoint for the client.
pub(crate) fn described(
    session: &Session,
    sources: &Sources,
    conventions: Conventions,
    placed: Result<usize, Unplaced>,
) -> Breakpoint {
    let id = match placed {
        Ok(id) => id,
        Err(why) => {
            let reason = Some(BreakpointReason::Failed);
            return Breakpoint { verified: false, message: Some(why), reason, ..Breakpoint::default() };
        }
    };
    let mut description = Breakpoint { id: Some(id as u64), verified: true, ..Breakpoint::default() };
    let point = session.breakpoints().iter().find(|point| point.id == id);
    if let Some(Kind::Line { file, requested: requested_line, line }) = point.map(|point| &point.kind) {
        description.line = Some(conventions.line_out(*line));
        description.source = sources.at(Span::new(*file, *line, 1, 1));
        description.message = (requested_line != line)
            .then(|| format!("line {} has no code", conventions.line_out(*requested_line)));
    }
    description
}

fn described_all(
    program: &mut Program,
    conventions: Conventions,
    placed: Vec<Result<usize, Unplaced>>,
) -> Vec<Breakpoint> {
    let Program { script, sources, .. } = program;
    let session = script.session();
    placed.into_iter().map(|placed| described(session, sources, conventions, placed)).collect()
}

/// The response if a program is only run.
fn off(count: usize) -> Vec<Breakpoint> {
    let message = Some("the program is run without the debugger".to_owned());
    vec![Breakpoint { verified: false, message, ..Breakpoint::default() }; count]
}

/// `setBreakpoints`
pub(crate) fn set_lines(
    program: &mut Program,
    conventions: Conventions,
    args: SetBreakpointsArguments,
) -> Result<(SetBreakpointsResponse, Then), Refusal> {
    let SetBreakpointsArguments { breakpoints, lines, source, .. } = args;
    let requested: Vec<SourceBreakpoint> = breakpoints.unwrap_or_else(|| {
        let line = |line: u64| SourceBreakpoint {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: None,
            condition: None,
            hit_condition: None,
            log_message: None,
            mode: None,
        };
        lines.unwrap_or_default().into_iter().map(line).collect()
    });
    if !program.breakpoints.is_on {
        return Ok((SetBreakpointsResponse { breakpoints: off(requested.len()) }, Then::Nothing));
    }
    let requested_lines: Vec<u32> = requested.iter().map(|args| args.line).collect();
    let placed = match program.sources.find(&source) {
        Some(file) => {
            let Program { script, breakpoints, .. } = program;
            let old = breakpoints.lines.entry(file).or_default();
            replace(script.session(), old, requested, |session, request| {
                let id = session.break_at_line(&file, conventions.line_in(request.line));
                let id = id.map_err(|error| error.to_string())?;
                let id = conditioned(session, id, &request.condition, &request.hit_condition)?;
                if let Some(text) = &request.log_message {
                    let point = session.breakpoint_mut(id).map_err(|error| error.to_string())?;
                    point.log = Some(text.clone());
                }
                Ok(id)
            })
        }
        None => {
            let name = sources::shown(&source);
            let why = format!("what is debugged reaches no code of `{name}`");
            requested.iter().map(|_| Err(why.clone())).collect()
        }
    };
    let mut breakpoints = described_all(program, conventions, placed);
    for (description, line) in breakpoints.iter_mut().zip(requested_lines) {
        description.line = description.line.or(Some(line));
    }
    Ok((SetBreakpointsResponse { breakpoints }, Then::Nothing))
}

/// `setFunctionBreakpoints`
pub(crate) fn set_functions(
    program: &mut Program,
    conventions: Conventions,
    args: SetFunctionBreakpointsArguments,
) -> Result<(SetFunctionBreakpointsResponse, Then), Refusal> {
    let requested = args.breakpoints;
    if !program.breakpoints.is_on {
        return Ok((SetFunctionBreakpointsResponse { breakpoints: off(requested.len()) }, Then::Nothing));
    }
    let Program { script, breakpoints, .. } = program;
    let placed = replace(script.session(), &mut breakpoints.functions, requested, |session, request| {
        let id = session.break_at_function(request.name.trim()).map_err(|error| error.to_string())?;
        conditioned(session, id, &request.condition, &request.hit_condition)
    });
    let breakpoints = described_all(program, conventions, placed);
    Ok((SetFunctionBreakpointsResponse { breakpoints }, Then::Nothing))
}

/// `setDataBreakpoints`
pub(crate) fn set_data(
    program: &mut Program,
    conventions: Conventions,
    args: SetDataBreakpointsArguments,
) -> Result<(SetDataBreakpointsResponse, Then), Refusal> {
    let requested = args.breakpoints;
    if !program.breakpoints.is_on {
        return Ok((SetDataBreakpointsResponse { breakpoints: off(requested.len()) }, Then::Nothing));
    }
    let Program { script, breakpoints, .. } = program;
    let placed = replace(script.session(), &mut breakpoints.data, requested, |session, request| {
        if !matches!(request.access_type, None | Some(Access::Write)) {
            return Err("only writes stop a run".to_owned());
        }
        let unknown = || format!("`{}` is no place that `dataBreakpointInfo` gave", request.data_id);
        let (func, path) = request.data_id.split_once(SEPARATOR).ok_or_else(unknown)?;
        let id = session.watch_in(func, path).map_err(|error| error.to_string())?;
        conditioned(session, id, &request.condition, &request.hit_condition)
    });
    let breakpoints = described_all(program, conventions, placed);
    Ok((SetDataBreakpointsResponse { breakpoints }, Then::Nothing))
}

/// `setExceptionBreakpoints`
pub(crate) fn set_exceptions(
    program: &mut Program,
    conventions: Conventions,
    args: SetExceptionBreakpointsArguments,
) -> Result<(SetExceptionBreakpointsResponse, Then), Refusal> {
    let filters = args.filters.into_iter();
    let filters = filters.map(|filter_id| ExceptionFilterOptions { filter_id, condition: None, mode: None });
    let requested: Vec<_> = filters.chain(args.filter_options.unwrap_or_default()).collect();
    if !program.breakpoints.is_on {
        let breakpoints = Some(off(requested.len()));
        return Ok((SetExceptionBreakpointsResponse { breakpoints }, Then::Nothing));
    }
    let is_failure = |filter: &ExceptionFilterOptions| filter.filter_id == FAILURE;
    program.breakpoints.stops_at_failures = requested.iter().any(is_failure);
    let failures: Vec<bool> = requested.iter().map(is_failure).collect();
    let others = requested.into_iter().filter(|filter| !is_failure(filter)).collect();
    let Program { script, breakpoints, .. } = program;
    let placed = replace(script.session(), &mut breakpoints.exceptions, others, |session, request| {
        let id = match request.filter_id.as_str() {
            NAN => session.catch_nan(),
            INFINITY => session.catch_infinity(),
            other => return Err(format!("`{other}` is none of `{FAILURE}`, `{NAN}`, `{INFINITY}`")),
        };
        conditioned(session, id, &request.condition, &None)
    });
    let mut others = described_all(program, conventions, placed).into_iter();
    let failure = Breakpoint { verified: true, ..Breakpoint::default() };
    let one = |is_failure: bool| if is_failure { Some(failure.clone()) } else { others.next() };
    let breakpoints = Some(failures.into_iter().filter_map(one).collect());
    Ok((SetExceptionBreakpointsResponse { breakpoints }, Then::Nothing))
}

/// The separator between the function and the path in the name of a place.
const SEPARATOR: char = '\n';

/// `dataBreakpointInfo`
pub(crate) fn data_info(
    program: &mut Program,
    _: Conventions,
    args: DataBreakpointInfoArguments,
) -> Result<(DataBreakpointInfoResponse, Then), Refusal> {
    let DataBreakpointInfoArguments { name, variables_reference, frame_id, .. } = args;
    let place = match variables_reference.filter(|&number| number > 0) {
        Some(number) => match variables::named(program, number, &name)? {
            Some(VariablePart { root: Root::Variable(frame, _), path: Some(path), .. }) => {
                Some((frame, path))
            }
            _ => None,
        },
        None => Some((program.references.frame_or_innermost(frame_id)?, name.clone())),
    };
    let session = program.session();
    let watched = place.and_then(|(frame, path)| {
        session.place(frame, &path).ok()?;
        let func = session.frames_from(frame, 1).first()?.function;
        Some((format!("{func}{SEPARATOR}{path}"), format!("{path} in {func}")))
    });
    let response = match watched {
        Some((data_id, description)) => DataBreakpointInfoResponse {
            data_id: Some(data_id),
            description,
            access_types: Some(vec![Access::Write]),
            can_persist: Some(false),
        },
        None => DataBreakpointInfoResponse {
            description: format!("`{name}` is no variable, element or field such as `x`, `xs[3]`, `point.x`"),
            ..DataBreakpointInfoResponse::default()
        },
    };
    Ok((response, Then::Nothing))
}
