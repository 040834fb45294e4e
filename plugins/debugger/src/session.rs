//! A debugged run, driven by commands.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use overdub_context::engine::{Engine, Executor, Sink};
use overdub_context::interp::{Codes, Interpreter, Journal, Mark, Marks, Paused};
use overdub_context::ir::{Func, Module};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Span, Symbol};
use overdub_lower::{Function, Loaded};

use crate::delegation::Delegation;
use crate::derivative::{Derivative, Differentiated};
use crate::error::DebugError;
use crate::frames;
use crate::history::{History, HistoryInfo};
use crate::lines::{Lines, source_name};
use crate::machine::{Machine, Outcome};
use crate::points::{Extra, Logs, Points};
use crate::source::Source;
use crate::stepping::{Goal, InterruptedCommand};
use crate::stop::{Reason, Stop};

/// The default limit of the snapshots of a session, in bytes.
const HISTORY_BYTES: usize = 256 << 20;

/// A command that moves the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Runs to the next breakpoint, failure or end.
    Continue,
    /// Runs to the next statement, which may be in a function that is called.
    Step,
    /// Runs to the next statement of this call, or of its caller.
    Next,
    /// Runs until this call has returned.
    Finish,
    /// Runs to a line of this call that is not before the current one.
    Until(u32),
    /// Goes back to the previous statement, which may be in a function that was called.
    Back,
    /// Goes back to the previous statement of this call, or of its caller.
    ReverseNext,
    /// Goes back to the place where this call was made.
    ReverseFinish,
    /// Goes back to the last hit of a breakpoint.
    ReverseContinue,
    /// Goes to a moment that was reached before.
    Goto(u64),
    /// Begins a call again, with its original arguments.
    RestartFrame(usize),
    /// Ends the run with the failure `aborted`.
    Abort,
}

/// A debugged run.
pub struct Session {
    pub(crate) machine: Machine,
    pub(crate) history: History,
    /// The current state; after the end of the run, the one before it.
    pub(crate) state: Paused,
    /// The number of instructions that have been run.
    pub(crate) moment: u64,
    /// Whether the run has ended.
    pub(crate) ended: bool,
    /// Whether it has ended as a whole in the other executor, so that the moment of its end is not known yet.
    pub(crate) ends_uncounted: bool,
    /// Whether the breakpoints at its start have been checked.
    pub(crate) start_checked: bool,
    /// The failure of the next instruction.
    pub(crate) pending: Option<Failure>,
    source: Source,
    loaded: Loaded,
    function: Function,
    pub(crate) lines: Lines,
    pub(crate) points: Points,
    /// The number of the breakpoint that was set last.
    pub(crate) last_id: usize,
    pub(crate) logs: Logs,
    /// Where steps stop.
    focus: Arc<[String]>,
    /// The command that was interrupted (GOAL1).
    pub(crate) interrupted_command: Option<InterruptedCommand>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("moment", &self.moment).finish_non_exhaustive()
    }
}

impl Session {
    /// Begins to debug a function of a source with these arguments; the position is the start of the
    /// function.
    ///
    /// # Errors
    /// If the source cannot be loaded, or has no such function.
    pub fn open(source: &Source, function: &str, args: Vec<Value<'static>>) -> Result<Session, DebugError> {
        let loaded = Loaded::with_debug_info(source.program("")?);
        let function = loaded.function(function)?;
        Session::of(source, loaded, function, args)
    }

    /// As [`Session::open`], for a program that was loaded with debug information from that source.
    ///
    /// # Errors
    /// If the function cannot be lowered.
    pub fn of(
        source: &Source,
        loaded: Loaded,
        function: Function,
        args: Vec<Value<'static>>,
    ) -> Result<Session, DebugError> {
        let module = loaded.shared_module();
        let entry = (function.symbol, args);
        Session::from_parts((source, loaded, function), module, entry, None)
    }

    /// As [`Session::of`], while a derivative is computed: the run stops in the forward sweep, and for a
    /// gradient in the reverse sweep, at lines of the program, and variables have tangents or cotangents.
    ///
    /// ```
    /// use overdub_context::value::Value;
    /// use overdub_debugger::{Command, Derivative, Reason, Session, Source, Sweep};
    /// let source = Source::text("f.rs", "fn f(x: f64) -> f64 {\n    let y = x * x;\n    y * x\n}");
    /// let loaded = overdub_lower::Loaded::with_debug_info(source.program("")?);
    /// let f = loaded.function("f")?;
    /// let args = vec![Value::F64(2.0)];
    /// let mut session = Session::differentiating(&source, loaded, f, args, Derivative::Gradient)?;
    /// session.break_at_line("f.rs", 3)?;
    /// assert_eq!(session.run(Command::Continue)?.sweep, Some(Sweep::Forward));
    /// assert_eq!(session.run(Command::Continue)?.sweep, Some(Sweep::Reverse));
    /// // Line 3 has been gone through: what it multiplies `y` by is the cotangent of `y`.
    /// let y = session.variables(0)?.pop().unwrap();
    /// assert_eq!((y.value.as_f64(), y.cotangent.unwrap().as_f64()), (Some(4.0), Some(2.0)));
    /// let stop = session.run(Command::Continue)?;
    /// let Reason::Differentiated { value, derivative } = stop.reason else { panic!("{stop:?}") };
    /// assert_eq!((value.as_f64(), derivative[0].as_f64()), (Some(8.0), Some(12.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the function cannot be lowered, or has no such derivative.
    pub fn differentiating(
        source: &Source,
        loaded: Loaded,
        function: Function,
        args: Vec<Value<'static>>,
        derivative: Derivative,
    ) -> Result<Session, DebugError> {
        // There is no optimiser, so the program remains as it is written.
        let engine = Engine::new(loaded.shared_module());
        let of = Differentiated::new(&engine, function.symbol, function.ir_ret, args, derivative)?;
        let entry = of.entry();
        Session::from_parts((source, loaded, function), engine.module(), entry, Some(of))
    }

    fn from_parts(
        (source, loaded, function): (&Source, Loaded, Function),
        module: Arc<Module>,
        (entry, args): (Symbol, Vec<Value<'static>>),
        differentiated: Option<Differentiated>,
    ) -> Result<Session, DebugError> {
        let funcs = loaded.closure_of(function.instance).map_err(overdub_lower::FunctionError::from)?;
        let started = Interpreter::new(&module).start(entry, args).map(|run| run.pause());
        let state = started.map_err(|failure| DebugError::Failed(failure.report().message.clone()))?;
        let machine = Machine {
            module,
            codes: Codes::default(),
            journal: Journal::new(),
            output: None,
            interrupted: Arc::new(AtomicBool::new(false)),
            stops_in_callbacks: Cell::new(false),
            pauses_below: Cell::new(0),
            differentiated,
            delegation: None,
            interprets: Cell::new(false),
        };
        Ok(Session {
            machine,
            history: History::new(&state, HISTORY_BYTES),
            state,
            moment: 0,
            ended: false,
            ends_uncounted: false,
            start_checked: false,
            pending: None,
            lines: Lines::of(&funcs),
            points: Points::new(source),
            source: source.clone(),
            loaded,
            function,
            last_id: 0,
            logs: Logs::default(),
            focus: Arc::new([]),
            interrupted_command: None,
        })
    }

    /// Sends what the program prints to this function.
    pub fn print_to(&mut self, sink: Sink) {
        self.machine.output = Some(sink);
    }

    /// Lets another executor, such as machine code, evaluate calls in which nothing stops: of functions, and
    /// closures, that compute their result from their arguments alone, and that contain no breakpoint,
    /// watchpoint or statement of the focus. They are stepped over as fast as the executor runs; moments,
    /// values and failures are the same with and without it, and a call that it evaluated is interpreted if
    /// the user goes back into it. A run in which nothing at all stops is one such call.
    ///
    /// While a derivative is debugged, everything is interpreted.
    ///
    /// ```
    /// use overdub_context::engine::Interpreting;
    /// use overdub_context::value::Value;
    /// use overdub_debugger::{Command, Reason, Session, Source};
    /// use std::sync::Arc;
    /// let text = "fn f(n: u64) -> u64 {\n    let s = g(n);\n    s + 1\n}
    /// fn g(n: u64) -> u64 {\n    let mut s = 0;\n    for i in 0..n { s += i; }\n    s\n}";
    /// let mut session = Session::open(&Source::text("f.rs", text), "f", vec![Value::from(100_u64)])?;
    /// session.delegate_to(Arc::new(Interpreting::new()));
    /// session.break_at_line("f.rs", 3)?;
    /// session.run(Command::Continue)?;
    /// // Now that there is a breakpoint in `g`, going back stops at it.
    /// session.break_at_line("f.rs", 8)?;
    /// let stop = session.run(Command::ReverseContinue)?;
    /// assert!(matches!(stop.reason, Reason::Breakpoint(2)));
    /// assert_eq!(session.evaluate(0, "s")?.as_int().map(|(_, s)| s), Some(4950));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn delegate_to(&mut self, executor: Arc<dyn Executor>) {
        if self.machine.differentiated.is_none() {
            let (module, interrupted) = (self.machine.module.clone(), self.machine.interrupted.clone());
            self.machine.delegation = Some(Arc::new(Delegation::new(executor, module, interrupted)));
        }
    }

    /// Sets the limit of the history in bytes: snapshots, and changes that were made to variables. When it is
    /// exceeded, snapshots are dropped, except that of the beginning, from which everything can be run again;
    /// changes are not, and one for which there is no room is refused.
    pub fn limit_history(&mut self, bytes: usize) {
        self.history.set_limit(bytes);
    }

    /// Steps stop only in these modules, types and functions (`solver`, `Mesh::refine`), and closures that
    /// are written in them; everything else is stepped over, but its breakpoints are hit. If none are given,
    /// steps stop in all of the source; never in the standard library.
    pub fn focus_on(&mut self, paths: &[&str]) {
        self.focus = paths.iter().map(|&path| path.to_owned()).collect();
    }

    pub(crate) fn focus_marks(&self) -> Extra {
        Extra::Focus(self.focus.clone())
    }

    /// A flag that makes a running command pause: to be set from another thread.
    pub fn interrupter(&self) -> Arc<AtomicBool> {
        self.machine.interrupted.clone()
    }

    /// The program.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The function that is debugged.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The source of the program.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The number of instructions that have been executed.
    ///
    /// After a run that the other executor evaluated as a whole they are counted now, by running once more.
    pub fn moment(&mut self) -> u64 {
        self.count_to_end();
        self.moment
    }

    /// The contents of the history.
    pub fn history(&mut self) -> HistoryInfo {
        self.count_to_end();
        HistoryInfo { reached: self.history.reached.max(self.moment), ..self.history.info() }
    }

    /// The output of logpoints since the last call, unless it is sent elsewhere.
    pub fn take_logs(&mut self) -> Vec<String> {
        self.logs.take()
    }

    /// Sends the output of logpoints to this function from now on, one text without its end of line at a
    /// time.
    pub fn log_to(&mut self, sink: Sink) {
        self.logs.send_to(sink);
    }

    pub(crate) fn take_points(&mut self) -> Points {
        std::mem::replace(&mut self.points, Points::new(&self.source))
    }

    /// Carries a command out.
    ///
    /// # Errors
    /// If it cannot be carried out; the session is unchanged.
    pub fn run(&mut self, command: Command) -> Result<Stop, DebugError> {
        match &self.machine.differentiated {
            Some(of) if of.is_reverse => self.sweep_reverse(command),
            Some(_) => self.sweep_forward(command),
            None => self.carry_out(command),
        }
    }

    /// Carries a command out, with forward meaning forward in the program, unlike in a reverse sweep.
    pub(crate) fn carry_out(&mut self, command: Command) -> Result<Stop, DebugError> {
        match command {
            Command::Continue => self.forward(Vec::new(), Goal::Breakpoint),
            Command::Step => self.step_in(),
            Command::Next => self.next(),
            Command::Finish => self.finish(),
            Command::Until(line) => self.until(line),
            Command::Back => self.reverse_step(),
            Command::ReverseNext => self.reverse_next(),
            Command::ReverseFinish => self.reverse_finish(),
            Command::ReverseContinue => self.reverse_continue(),
            Command::Goto(moment) => self.goto(moment),
            Command::RestartFrame(frame) => self.restart(frame),
            Command::Abort => {
                let failure = Failure::new(FailureKind::Panic, "aborted");
                self.ended = true;
                Ok(self.stop(Reason::Failed(failure)))
            }
        }
    }

    pub(crate) fn stop_at(&mut self, state: Paused) {
        self.moment = state.steps();
        self.history.reached = self.history.reached.max(self.moment);
        self.state = state;
        (self.ended, self.ends_uncounted) = (false, false);
        self.pending = None;
        self.interrupted_command = None;
    }

    /// Restores a moment that was reached before.
    pub(crate) fn replay(&mut self, moment: u64) {
        match self.machine.run_to(moment, &self.history) {
            Outcome::Reached(state)
            | Outcome::Interrupted(state)
            | Outcome::Returned(state)
            | Outcome::Found(state, ()) => self.stop_at(state),
            // This only happens if nothing comes before that instruction: the run begins there.
            Outcome::Done { .. } | Outcome::Failed { .. } => {
                let state = self.history.before(moment);
                self.stop_at(state);
            }
        }
    }

    /// Goes to a moment.
    pub(crate) fn goto(&mut self, moment: u64) -> Result<Stop, DebugError> {
        self.count_to_end();
        let reached = self.history.reached;
        if moment > reached {
            return Err(DebugError::NoMoment(moment, reached));
        }
        self.replay(moment);
        self.points.hits.clear();
        Ok(self.stop(Reason::Moment))
    }

    /// The report of the current position.
    pub(crate) fn stop(&self, reason: Reason) -> Stop {
        let innermost = if self.ended { None } else { frames::of_source(&self.state).next() };
        let (function, mut span) = match &innermost {
            Some((number, frame)) => (Some(source_name(frame.func().name)), frames::span(*number, frame)),
            None => (None, Span::unknown()),
        };
        // In a function of the library, the user sees the call of it.
        if let (Reason::NotFinite { .. }, Some((0, frame))) = (&reason, &innermost) {
            let previous = &frame.func().block(frame.block()).insts.get(frame.at().wrapping_sub(1));
            span = previous.map_or(span, |inst| inst.span);
        }
        let sweep = self.machine.differentiated.as_ref().map(Differentiated::sweep);
        let breakpoints = if self.ended { Vec::new() } else { self.points.hits.clone() };
        Stop { reason, function, span, moment: self.moment, breakpoints, sweep }
    }

    /// The marks of the breakpoints and of additional places.
    pub(crate) fn marks(&self, extra: &[Extra]) -> Marks {
        let points = self.points.list.clone();
        let extra: Vec<Extra> = extra.iter().map(|extra| extra.for_calls(&self.state)).collect();
        Arc::new(move |func: &Func| {
            let mut marks: Vec<Mark> = points.iter().flat_map(|point| point.marks(func)).collect();
            marks.extend(extra.iter().flat_map(|extra| extra.marks(func)));
            marks
        })
    }
}
