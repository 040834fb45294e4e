//! The program of a connection: a debugged run, and the state that the client knows.

use dapts::BreakpointEvent;
use overdub_debugger::{Command, Script, Session, Stop};

use crate::breakpoints::Breakpoints;
use crate::references::References;
use crate::refusal::Refusal;
use crate::sources::Sources;

/// The only thread.
pub(crate) const THREAD: u64 = 1;

/// A launched program.
pub(crate) struct Program {
    pub(crate) script: Script,
    pub(crate) phase: Phase,
    pub(crate) breakpoints: Breakpoints,
    pub(crate) references: References,
    pub(crate) sources: Sources,
    /// How the run begins.
    pub(crate) beginning: Resume,
    /// Whether it stops at the end of the program.
    pub(crate) stops_at_end: bool,
    /// The exit code, if the run has stopped at its end.
    pub(crate) exit_code: Option<u64>,
}

/// The phase of a program.
#[derive(Debug)]
pub(crate) enum Phase {
    /// The client sets breakpoints; the run has not begun.
    Configuring,
    /// It runs.
    Running(Resume),
    /// It has stopped.
    Stopped(Stop),
    /// It has ended.
    Ended,
}

/// What to run next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Resume {
    /// Up to the start of the function.
    Entry,
    /// A command.
    Command(Command),
    /// The rest of what was interrupted.
    On,
}

/// The phases in which a request is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// When a program has been launched, also after its end.
    Launched,
    /// Before its end.
    Continues,
    /// Before it begins.
    Configuring,
    /// While it runs.
    Running,
    /// While it is stopped.
    Stopped,
}

/// The action after a response.
#[derive(Debug)]
pub(crate) enum Then {
    /// Nothing.
    Nothing,
    /// The program continues.
    Go(Resume),
    /// The program continues, and the client is notified.
    Continue(Resume),
    /// The program has stopped, at a request of the client.
    Pause,
    /// The program ends.
    Terminate,
    /// A command of the client moved the program, which has stopped there.
    Moved(Stop),
    /// A command of the client changed breakpoints or variables.
    Changed(Vec<BreakpointEvent>),
}

impl Program {
    pub(crate) fn session(&mut self) -> &mut Session {
        self.script.session()
    }

    /// Whether a request may be answered now.
    pub(crate) fn allows(&self, when: When) -> Result<(), Refusal> {
        match (when, &self.phase) {
            (When::Launched, _)
            | (When::Continues, Phase::Configuring | Phase::Running(_) | Phase::Stopped(_))
            | (When::Configuring, Phase::Configuring)
            | (When::Running, Phase::Running(_))
            | (When::Stopped, Phase::Stopped(_)) => Ok(()),
            (_, Phase::Ended) => Err(Refusal::Ended),
            (When::Configuring, _) => Err(Refusal::AlreadyStarted),
            (When::Running, _) => Err(Refusal::NotRunning),
            (_, Phase::Running(_)) => Err(Refusal::Running),
            (_, Phase::Configuring) => Err(Refusal::NotStarted),
        }
    }

    /// Its stop.
    pub(crate) fn stop(&self) -> Result<&Stop, Refusal> {
        match &self.phase {
            Phase::Stopped(stop) => Ok(stop),
            _ => Err(Refusal::NotRunning),
        }
    }
}

/// Whether a client's thread number is the only thread's.
pub(crate) fn check_thread(id: u64) -> Result<(), Refusal> {
    if id == THREAD { Ok(()) } else { Err(Refusal::NoThread(id)) }
}
