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
use crate::program::{Going, Program, Then, check_thread};
use crate::references::Referent;
use crate::refusal::Refusal;
use crate::sources::{self, Nothing};

type Gone = Result<((), Then), Refusal>;

fn go(thread: u64, command: Command) -> Gone {
    check_thread(thread)?;
    Ok(((), Then::Go(Going::Command(command))))
}

/// `configurationDone`
pub(crate) fn begin(program: &mut Program, _: Conventions, _: Nothing) -> Gone {
    Ok(((), Then::Go(program.beginning.clone())))
}

/// `continue`
pub(crate) fn on(
    _: &mut Program,
    _: Conventions,
    asked: ContinueArguments,
) -> Result<(ContinueResponse, Then), Refusal> {
    let ((), then) = go(asked.thread_id, Command::Continue)?;
    Ok((ContinueResponse { all_threads_continued: Some(true) }, then))
}

/// `next`
pub(crate) fn next(_: &mut Program, _: Conventions, asked: NextArguments) -> Gone {
    go(asked.thread_id, Command::Next)
}

/// `stepIn`
pub(crate) fn step_in(_: &mut Program, _: Conventions, asked: StepInArguments) -> Gone {
    go(asked.thread_id, Command::Step)
}

/// `stepOut`
pub(crate) fn step_out(_: &mut Program, _: Conventions, asked: StepOutArguments) -> Gone {
    go(asked.thread_id, Command::Finish)
}

/// `stepBack`: the inverse of `next`.
pub(crate) fn step_back(_: &mut Program, _: Conventions, asked: StepBackArguments) -> Gone {
    go(asked.thread_id, Command::ReverseNext)
}

/// `reverseContinue`
pub(crate) fn back(_: &mut Program, _: Conventions, asked: ReverseContinueArguments) -> Gone {
    go(asked.thread_id, Command::ReverseContinue)
}

/// `restartFrame`
pub(crate) fn restart_frame(program: &mut Program, _: Conventions, asked: RestartFrameArguments) -> Gone {
    let frame = program.references.frame_of(asked.frame_id)?;
    Ok(((), Then::Go(Going::Command(Command::RestartFrame(frame)))))
}

/// `gotoTargets`
pub(crate) fn targets(
    program: &mut Program,
    conventions: Conventions,
    asked: GotoTargetsArguments,
) -> Result<(GotoTargetsResponse, Then), Refusal> {
    let none = || Refusal::NoSource(sources::shown(&asked.source));
    let file = program.sources.find(&asked.source).ok_or_else(none)?;
    // GOTO1
    let moment = program.session().last_at_line(&file, conventions.line_in(asked.line))?;
    let target = |moment| {
        Ok::<_, Refusal>(GotoTarget {
            id: program.references.add(Referent::Moment(moment))?.into(),
            label: format!("back to moment {moment}, when line {} was about to run", asked.line),
            line: asked.line,
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
pub(crate) fn goto(program: &mut Program, _: Conventions, asked: GotoArguments) -> Gone {
    let moment = program.references.moment_of(asked.target_id)?;
    go(asked.thread_id, Command::Goto(moment))
}

/// `pause`
pub(crate) fn pause(_: &mut Program, _: Conventions, asked: PauseArguments) -> Gone {
    check_thread(asked.thread_id)?;
    Ok(((), Then::Pause))
}

/// `terminate`
pub(crate) fn terminate(_: &mut Program, _: Conventions, _: Nothing) -> Gone {
    Ok(((), Then::Terminate))
}
