//! `continue`, `next`, `stepIn`, `stepOut`, `stepBack`, `reverseContinue`, `restartFrame`, `goto`, `pause`, `terminate`.
//!
//! - GOTO1 nothing is skipped: going to a line means going back to the last moment at which it was about to
//!   run.

use dapts::{
    ContinueArguments, ContinueResponse, GotoArguments, GotoTarget, GotoTargetsArguments,
    GotoTargetsResponse, NextArguments, PauseArguments, RestartFrameArguments, ReverseContinueArguments,
    StepBackArguments, StepInArguments, StepOutArguments,
};
use overdub_debugger::Command;

use crate::client::Conventions;
use crate::program::{Program, Resume, Then, check_thread};
use crate::references::Referent;
use crate::refusal::Refusal;
use crate::sources::{self, Nothing};

type MotionResult = Result<((), Then), Refusal>;

fn resume_with(thread: u64, command: Command) -> MotionResult {
    check_thread(thread)?;
    Ok(((), Then::Go(Resume::Command(command))))
}

/// `configurationDone`
pub(crate) fn begin(program: &mut Program, _: Conventions, _: Nothing) -> MotionResult {
    Ok(((), Then::Go(program.beginning.clone())))
}

/// `continue`
pub(crate) fn on(
    _: &mut Program,
    _: Conventions,
    args: ContinueArguments,
) -> Result<(ContinueResponse, Then), Refusal> {
    let ((), then) = resume_with(args.thread_id, Command::Continue)?;
    Ok((ContinueResponse { all_threads_continued: Some(true) }, then))
}

/// `next`
pub(crate) fn next(_: &mut Program, _: Conventions, args: NextArguments) -> MotionResult {
    resume_with(args.thread_id, Command::Next)
}

/// `stepIn`
pub(crate) fn step_in(_: &mut Program, _: Conventions, args: StepInArguments) -> MotionResult {
    resume_with(args.thread_id, Command::Step)
}

/// `stepOut`
pub(crate) fn step_out(_: &mut Program, _: Conventions, args: StepOutArguments) -> MotionResult {
    resume_with(args.thread_id, Command::Finish)
}

/// `stepBack`: the inverse of `next`.
pub(crate) fn step_back(_: &mut Program, _: Conventions, args: StepBackArguments) -> MotionResult {
    resume_with(args.thread_id, Command::ReverseNext)
}

/// `reverseContinue`
pub(crate) fn reverse_continue(
    _: &mut Program,
    _: Conventions,
    args: ReverseContinueArguments,
) -> MotionResult {
    resume_with(args.thread_id, Command::ReverseContinue)
}

/// `restartFrame`
pub(crate) fn restart_frame(
    program: &mut Program,
    _: Conventions,
    args: RestartFrameArguments,
) -> MotionResult {
    let frame = program.references.frame_of(args.frame_id)?;
    Ok(((), Then::Go(Resume::Command(Command::RestartFrame(frame)))))
}

/// `gotoTargets`
pub(crate) fn targets(
    program: &mut Program,
    conventions: Conventions,
    args: GotoTargetsArguments,
) -> Result<(GotoTargetsResponse, Then), Refusal> {
    let none = || Refusal::NoSource(sources::shown(&args.source));
    let file = program.sources.find(&args.source).ok_or_else(none)?;
    // GOTO1
    let moment = program.session().last_at_line(&file, conventions.line_in(args.line))?;
    let target = |moment| {
        Ok::<_, Refusal>(GotoTarget {
            id: program.references.add(Referent::Moment(moment))?.into(),
            label: format!("back to moment {moment}, when line {} was about to run", args.line),
            line: args.line,
            column: None,
            end_line: None,
            end_column: None,
            instruction_pointer_reference: None,
        })
    };
    let targets = moment.map(target).transpose()?.into_iter().collect();
    Ok((GotoTargetsResponse { targets }, Then::Nothing))
}

/// `goto`
pub(crate) fn goto(program: &mut Program, _: Conventions, args: GotoArguments) -> MotionResult {
    let moment = program.references.moment_of(args.target_id)?;
    resume_with(args.thread_id, Command::Goto(moment))
}

/// `pause`
pub(crate) fn pause(_: &mut Program, _: Conventions, args: PauseArguments) -> MotionResult {
    check_thread(args.thread_id)?;
    Ok(((), Then::Pause))
}

/// `terminate`
pub(crate) fn terminate(_: &mut Program, _: Conventions, _: Nothing) -> MotionResult {
    Ok(((), Then::Terminate))
}
