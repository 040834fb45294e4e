//! Why the program stopped, as an event.

use dapts::{StoppedEvent, StoppedEventReason};
use overdub_debugger::{Kind, Reason, Stop};

use crate::program::{Program, THREAD};

/// The event of a stop.
pub(crate) fn stopped(program: &mut Program, stop: &Stop) -> StoppedEvent {
    let points = program.session().breakpoints();
    let is_function =
        |id: usize| points.iter().any(|point| point.id == id && matches!(point.kind, Kind::Function(_)));
    let (reason, description) = match &stop.reason {
        Reason::Entry => (StoppedEventReason::Entry, "at the entry"),
        Reason::Breakpoint(id) if is_function(*id) => {
            (StoppedEventReason::FunctionBreakpoint, "at a breakpoint")
        }
        Reason::Breakpoint(_) => (StoppedEventReason::Breakpoint, "at a breakpoint"),
        Reason::Step => (StoppedEventReason::Step, "after a step"),
        Reason::Changed { .. } => (StoppedEventReason::DataBreakpoint, "a watched place changed"),
        Reason::NotFinite { .. } => {
            (StoppedEventReason::Exception, "an operation made a number that is not finite")
        }
        Reason::Failure(_) => (StoppedEventReason::Exception, "the program fails here"),
        Reason::Condition { .. } => {
            (StoppedEventReason::Breakpoint, "the condition of a breakpoint cannot be evaluated")
        }
        Reason::Moment => (StoppedEventReason::Goto, "at the moment that was asked for"),
        Reason::LastWrite => (StoppedEventReason::Goto, "before the last write"),
        Reason::Start => (StoppedEventReason::Entry, "at the start: there is nothing before"),
        Reason::Interrupted => (StoppedEventReason::Pause, "paused"),
        Reason::Exited(_) | Reason::Differentiated { .. } | Reason::Failed(_) => {
            (StoppedEventReason::Pause, "at the end: step back, or go on to end the session")
        }
    };
    StoppedEvent {
        reason,
        description: Some(description.to_owned()),
        text: stop.reason.details(),
        thread_id: Some(THREAD),
        all_threads_stopped: Some(true),
        preserve_focus_hint: None,
        hit_breakpoint_ids: (!stop.breakpoints.is_empty())
            .then(|| stop.breakpoints.iter().map(|&id| id as u64).collect()),
    }
}
