//! The main loop: requests in the order of their arrival, and pieces of the run between them.
//!
//! - LOOP1 a running program is interrupted for each request and continues after it, so the thread that owns
//!   it answers all of them, and in order.
//! - LOOP2 a backward motion restarts after an interruption; only requests that end it may interrupt it.
//! - LOOP3 a request that is queued just before a run begins is either seen by the last poll of the queue, or
//!   sees that the run listens.

use std::io::{BufReader, Read, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvError, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};

use dapts::event::{Breakpoint, Continued, Exited, Initialized, Invalidated, Stopped, Terminated};
use dapts::{
    ContinuedEvent, ExitedEvent, InitializeRequestArguments, InvalidatedAreas, InvalidatedEvent,
    OutputEventCategory as Category, TerminatedEvent,
};
use overdub_debugger::{Command, DebugError, Reason, Script, Stop, Sweep};
use serde_json::{Value as Json, json};
use thiserror::Error;

use crate::breakpoints::Breakpoints;
use crate::client::{Conventions, capabilities};
use crate::launch::{Launch, LaunchArguments};
use crate::listening::{Listening, ends_runs, read};
use crate::message::{Client, Incoming, Request};
use crate::program::{Phase, Program, Resume, THREAD, Then};
use crate::references::References;
use crate::refusal::Refusal;
use crate::requests::{self, Reply};
use crate::sources::Sources;
use crate::stops::stopped;
use crate::wire::WireError;

/// The capacity of the queue of requests.
const QUEUE: usize = 256;

/// Why a connection ended without a request of the client.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The client's messages cannot be parsed.
    #[error("cannot read what the client sends: {0}")]
    Wire(#[from] WireError),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// Serves one client, until it disconnects or closes its end of the connection.
///
/// The program runs on this thread; another one reads.
///
/// # Errors
/// If the client's messages can no longer be parsed.
pub fn serve<R, W, L>(from: R, to: W, launch: L) -> Result<(), ServeError>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
    L: Launch,
{
    let listening = Arc::new(Listening::default());
    let (send, queue) = sync_channel(QUEUE);
    let listening_copy = listening.clone();
    let reader = std::thread::Builder::new().name("dap reader".to_owned());
    reader
        .spawn(move || read(&mut BufReader::new(from), &send, &listening_copy))
        .map_err(ServeError::Thread)?;
    let client = Client::new(to);
    Server { client, launch, listening, queue, conventions: None, program: None }.serve()
}

struct Server<L> {
    client: Client,
    launch: L,
    listening: Arc<Listening>,
    queue: Receiver<Incoming>,
    /// The contents of `initialize`.
    conventions: Option<Conventions>,
    program: Option<Program>,
}

/// The number of requests that are answered before the run continues.
const TURN: usize = 64;

impl<L: Launch> Server<L> {
    fn serve(mut self) -> Result<(), ServeError> {
        let mut replies = 0;
        while !self.client.is_disconnected() {
            let is_running = self.program.as_ref().is_some_and(|p| matches!(p.phase, Phase::Running(_)));
            let next = if !is_running {
                self.queue.recv().map_err(|RecvError| TryRecvError::Disconnected)
            } else if replies < TURN {
                // LOOP3
                self.listening.to_all.store(self.runs_forwards(), Ordering::SeqCst);
                self.queue.try_recv()
            } else {
                // A short piece: the waiting requests have interrupted already.
                self.listening.interrupt();
                Err(TryRecvError::Empty)
            };
            let message = match next {
                Ok(message) => message,
                Err(TryRecvError::Empty) => {
                    replies = 0;
                    self.run();
                    continue;
                }
                Err(TryRecvError::Disconnected) => return Ok(()),
            };
            replies += 1;
            self.listening.to_all.store(false, Ordering::SeqCst);
            if ends_runs(&message) {
                self.listening.ends.fetch_sub(1, Ordering::SeqCst);
            }
            self.listening.forget_old();
            match message {
                Incoming::Request(request) => {
                    if self.request(&request) == Next::End {
                        return Ok(());
                    }
                }
                Incoming::Malformed(request, refusal) => self.client.respond(&request, Err(refusal)),
                Incoming::Ignored => {}
                Incoming::End => return Ok(()),
                Incoming::Broken(error) => {
                    self.client.send_output(Category::Important, &format!("the connection ends: {error}"));
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }
}

/// The continuation after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Further requests.
    Requests,
    /// The end of the connection.
    End,
}

impl<L: Launch> Server<L> {
    fn request(&mut self, request: &Request) -> Next {
        if request.command == "disconnect" {
            // Succeeds regardless of the arguments and of what the program does.
            self.client.respond(request, Ok(Json::Null));
            return Next::End;
        }
        match self.answer(request) {
            Ok((body, then)) => {
                self.client.respond(request, Ok(body));
                self.then(then);
                if request.command == "launch" {
                    self.client.send_event::<Initialized>(&None);
                }
            }
            Err(refusal) => self.client.respond(request, Err(refusal)),
        }
        Next::Requests
    }

    fn answer(&mut self, request: &Request) -> Result<Reply, Refusal> {
        match request.command.as_str() {
            "initialize" => self.initialize(request),
            "launch" => self.launch(request),
            command if !requests::is_known(command) => Err(Refusal::Unknown(command.to_owned())),
            _ => {
                let conventions = self.conventions.ok_or(Refusal::NotInitialized)?;
                let program = self.program.as_mut().ok_or(Refusal::NotLaunched)?;
                requests::answer(program, conventions, request)
            }
        }
    }

    fn initialize(&mut self, request: &Request) -> Result<Reply, Refusal> {
        if self.conventions.is_some() {
            return Err(Refusal::InitializedBefore);
        }
        let args: InitializeRequestArguments = request.arguments()?;
        self.conventions = Some(Conventions::of(&args)?);
        Ok((json!(capabilities()), Then::Nothing))
    }

    fn launch(&mut self, request: &Request) -> Result<Reply, Refusal> {
        if self.conventions.is_none() {
            return Err(Refusal::NotInitialized);
        }
        if self.program.is_some() {
            return Err(Refusal::LaunchedBefore);
        }
        let args: LaunchArguments = request.arguments()?;
        let mut session = self.launch.open(&args)?;
        let focus = args.focus.unwrap_or_default();
        session.focus_on(&focus.iter().map(String::as_str).collect::<Vec<_>>());
        let printed = self.client.clone();
        session.print_to(Arc::new(Mutex::new(move |text: &str| printed.print(text))));
        let logged = self.client.clone();
        session.log_to(Arc::new(Mutex::new(move |text: &str| logged.send_output(Category::Console, text))));
        self.listening.set(session.interrupter());
        let stops_on_entry = args.stop_on_entry.unwrap_or(false);
        self.program = Some(Program {
            sources: Sources::of(&session),
            script: Script::new(session),
            phase: Phase::Configuring,
            breakpoints: Breakpoints::new(!args.no_debug.unwrap_or(false)),
            references: References::new(),
            // Without breakpoints the user does not expect it to stop.
            stops_at_end: args.stop_at_end.unwrap_or(false) && !args.no_debug.unwrap_or(false),
            exit_code: None,
            beginning: if stops_on_entry { Resume::Entry } else { Resume::Command(Command::Continue) },
        });
        Ok((Json::Null, Then::Nothing))
    }

    fn then(&mut self, then: Then) {
        let Some(program) = &mut self.program else { return };
        match then {
            Then::Nothing => {}
            Then::Go(resume) => {
                program.references.forget();
                program.phase = Phase::Running(resume);
            }
            Then::Continue(resume) => {
                program.references.forget();
                program.phase = Phase::Running(resume);
                self.continued();
            }
            Then::Pause => {
                let has_moved = matches!(&program.phase, Phase::Running(resume) if is_forward(resume));
                let session = program.session();
                let stop = if has_moved { session.run_to_statement().ok() } else { None };
                let stop = stop.unwrap_or_else(|| session.stop_now(Reason::Interrupted));
                self.stopped(stop);
            }
            Then::Terminate => {
                program.phase = Phase::Ended;
                self.ended(1);
            }
            Then::Moved(stop) => {
                let all_threads_continued = Some(true);
                self.client
                    .send_event::<Continued>(&ContinuedEvent { thread_id: THREAD, all_threads_continued });
                self.stopped_or_continue(stop, Resume::On);
            }
            Then::Changed(events) => {
                for event in events {
                    self.client.send_event::<Breakpoint>(&event);
                }
                if self.conventions.is_some_and(|conventions| conventions.invalidates) {
                    let areas = Some(vec![InvalidatedAreas::Variables]);
                    self.client.send_event::<Invalidated>(&InvalidatedEvent { areas, ..Default::default() });
                }
            }
        }
    }

    fn runs_forwards(&self) -> bool {
        match self.program.as_ref().map(|program| &program.phase) {
            Some(Phase::Running(resume)) => is_forward(resume),
            _ => false,
        }
    }

    /// Runs the program until something stops or interrupts it.
    fn run(&mut self) {
        let Some(program) = &mut self.program else { return };
        let Phase::Running(resume) = &program.phase else { return };
        let resume = resume.clone();
        let exit_code = program.exit_code;
        let session = program.session();
        let stop = match &resume {
            Resume::Entry => session.start(),
            Resume::Command(command) => session.run(command.clone()),
            Resume::On => session.resume(),
        };
        match stop {
            // LOOP2
            Ok(stop) if is_forward(&resume) => self.stopped_or_continue(stop, Resume::On),
            Ok(stop) => self.stopped_or_continue(stop, resume),
            Err(DebugError::Ended) if let Some(exit_code) = exit_code => self.ended(exit_code),
            // A console command that runs backwards cannot be continued.
            Err(DebugError::NotInterrupted) => {
                let stop = session.stop_now(Reason::Interrupted);
                self.stopped(stop);
            }
            Err(error) => {
                let stop = session.stop_now(Reason::Interrupted);
                self.client.send_output(Category::Important, &error.to_string());
                self.stopped(stop);
            }
        }
    }

    /// Continues after an interruption (LOOP1), or reports the stop.
    fn stopped_or_continue(&mut self, stop: Stop, resume: Resume) {
        match (&stop.reason, &mut self.program) {
            (Reason::Interrupted, Some(program)) => {
                program.references.forget();
                program.phase = Phase::Running(resume);
            }
            _ => self.stopped(stop),
        }
    }

    /// Reports where the program stopped, or how it ended.
    fn stopped(&mut self, stop: Stop) {
        let Some(program) = &mut self.program else { return };
        program.references.forget();
        let stop = match stop.reason {
            Reason::Failure(_) if !program.breakpoints.stops_at_failures => {
                program.session().run(Command::Continue).unwrap_or(stop)
            }
            _ => stop,
        };
        match &stop.reason {
            Reason::Exited(value) => {
                let function = program.session().function().clone();
                let status = match self.launch.result(&function, value.clone()) {
                    Ok(result) => {
                        self.client.send_output(Category::Stdout, &result.to_string());
                        0
                    }
                    Err(error) => {
                        self.client.send_output(Category::Stderr, &format!("error: {error}"));
                        1
                    }
                };
                self.at_end(stop, status);
            }
            Reason::Differentiated { value, derivative } => {
                let result = self.launch.derivative(value, derivative, stop.sweep == Some(Sweep::Reverse));
                self.client.send_output(Category::Stdout, &result.to_string());
                self.at_end(stop, 0);
            }
            Reason::Failed(failure) => {
                let report = failure.report();
                let place = overdub_lower::user_span(report);
                let place = if place.is_known() { format!(" at {place}") } else { String::new() };
                self.client.send_output(Category::Stderr, &format!("error: {}{place}", report.message));
                self.at_end(stop, 1);
            }
            _ => {
                let event = stopped(program, &stop);
                (program.phase, program.exit_code) = (Phase::Stopped(stop), None);
                self.client.send_event::<Stopped>(&event);
            }
        }
    }

    fn continued(&self) {
        let all_threads_continued = Some(true);
        self.client.send_event::<Continued>(&ContinuedEvent { thread_id: THREAD, all_threads_continued });
    }

    /// The program has ended: it stops at its end, or the session ends.
    fn at_end(&mut self, stop: Stop, exit_code: u64) {
        match &mut self.program {
            Some(program) if program.stops_at_end => {
                program.exit_code = Some(exit_code);
                let event = stopped(program, &stop);
                program.phase = Phase::Stopped(stop);
                self.client.send_event::<Stopped>(&event);
            }
            _ => self.ended(exit_code),
        }
    }

    fn ended(&mut self, exit_code: u64) {
        if let Some(program) = &mut self.program {
            program.phase = Phase::Ended;
        }
        self.client.send_event::<Exited>(&ExitedEvent { exit_code });
        self.client.send_event::<Terminated>(&TerminatedEvent::default());
    }
}

fn is_forward(resume: &Resume) -> bool {
    match resume {
        Resume::Entry | Resume::On => true,
        Resume::Command(command) => matches!(
            command,
            Command::Continue | Command::Step | Command::Next | Command::Finish | Command::Until(_)
        ),
    }
}
