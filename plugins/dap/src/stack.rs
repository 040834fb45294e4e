//! `threads`, `stackTrace`, `exceptionInfo`: where the program has stopped, and why.

use dapts::{
    ExceptionBreakMode, ExceptionDetails, ExceptionInfoArguments, ExceptionInfoResponse, StackFrame,
    StackTraceArguments, StackTraceResponse, Thread, ThreadsResponse,
};
use overdub_debugger::{FrameInfo, Reason, show};

use crate::client::Conventions;
use crate::listing;
use crate::program::{Phase, Program, THREAD, Then, check_thread};
use crate::refusal::Refusal;
use crate::sources::Nothing;

/// `threads`
pub(crate) fn threads(
    program: &mut Program,
    _: Conventions,
    _: Nothing,
) -> Result<(ThreadsResponse, Then), Refusal> {
    let name = program.session().function().symbol.to_string();
    let threads = match program.phase {
        Phase::Ended => Vec::new(),
        _ => vec![Thread { id: THREAD, name }],
    };
    Ok((ThreadsResponse { threads }, Then::Nothing))
}

/// The number of calls in a response if the client does not specify it.
const LEVELS: usize = 1000;

/// `stackTrace`
pub(crate) fn trace(
    program: &mut Program,
    conventions: Conventions,
    args: StackTraceArguments,
) -> Result<(StackTraceResponse, Then), Refusal> {
    check_thread(args.thread_id)?;
    let first = args.start_frame.map_or(0, |first| usize::try_from(first).unwrap_or(usize::MAX));
    let levels = args.levels.filter(|&levels| levels > 0);
    let levels = levels.map_or(LEVELS, |levels| usize::try_from(levels).unwrap_or(usize::MAX));
    let session = program.session();
    let (page, total) = (session.frames_from(first, levels.min(LEVELS)), session.depth());
    let described_frames =
        page.iter().enumerate().map(|(at, frame)| described(program, conventions, first + at, frame));
    let stack_frames = described_frames.collect::<Result<_, _>>()?;
    Ok((StackTraceResponse { stack_frames, total_frames: Some(total as u64) }, Then::Nothing))
}

fn described(
    program: &mut Program,
    conventions: Conventions,
    number: usize,
    frame: &FrameInfo,
) -> Result<StackFrame, Refusal> {
    Ok(StackFrame {
        id: program.references.frame(number)?,
        name: frame.function.to_string(),
        source: program.sources.at(frame.span),
        line: conventions.line_out(frame.span.line),
        column: conventions.column_out(frame.span.column),
        end_line: None,
        end_column: None,
        can_restart: Some(true),
        instruction_pointer_reference: listing::address(program.session(), frame),
        module_id: None,
        presentation_hint: None,
    })
}

/// `exceptionInfo`
pub(crate) fn exception(
    program: &mut Program,
    _: Conventions,
    args: ExceptionInfoArguments,
) -> Result<(ExceptionInfoResponse, Then), Refusal> {
    check_thread(args.thread_id)?;
    let stop = program.stop()?.clone();
    let (exception_id, break_mode) = match &stop.reason {
        Reason::Failure(failure) => (format!("{:?}", failure.report().kind), ExceptionBreakMode::Unhandled),
        Reason::NotFinite { result, .. } => {
            let is_nan = show(result).contains("NaN");
            (if is_nan { "NaN" } else { "Infinity" }.to_owned(), ExceptionBreakMode::Always)
        }
        _ => return Err(Refusal::NoException),
    };
    let message = stop.reason.details();
    let mut lines: Vec<String> =
        program.session().frames_from(0, 100).iter().map(FrameInfo::to_string).collect();
    // The operation may be in a later statement than the one at which its call began.
    if let Some(first) = lines.first_mut()
        && stop.span.is_known()
        && let Some(function) = stop.function
    {
        *first = format!("{function} at {}:{}", stop.span.file, stop.span.line);
    }
    let help = match &stop.reason {
        Reason::Failure(failure) => failure.report().help.clone(),
        _ => None,
    };
    let description = message.clone().map(|message| match help {
        Some(help) => format!("{message}; {help}"),
        None => message,
    });
    let response = ExceptionInfoResponse {
        exception_id: exception_id.clone(),
        description,
        break_mode,
        details: Some(ExceptionDetails {
            message,
            type_name: Some(exception_id),
            stack_trace: Some(lines.join("\n")),
            full_type_name: None,
            evaluate_name: None,
            inner_exception: None,
        }),
    };
    Ok((response, Then::Nothing))
}
