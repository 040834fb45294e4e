//! Changing variables: from there on a run takes a different course.

use overdub_context::ir::Operand;

use crate::edits::Edit;
use crate::error::DebugError;
use crate::frames;
use crate::moved;
use crate::session::Session;

impl Session {
    /// Assigns to a variable or a part of it (`y`, `xs[3]`, `point.x`); the run continues with the new value,
    /// and what came after this moment is forgotten. The change is recorded and made again if the run comes
    /// to this moment again; it takes memory of the [history](Session::limit_history).
    ///
    /// # Errors
    /// If there is no such variable, the expression does not fit, or the history has no room for the change.
    pub fn set(&mut self, frame: usize, path: &str, text: &str) -> Result<(), DebugError> {
        if self.machine.differentiated.is_some() {
            return Err(DebugError::Differentiated);
        }
        let variables = self.variables(frame)?;
        let found = frames::named(&variables, path);
        let (variable, rest) = found.ok_or_else(|| frames::missing(&variables, path))?;
        let name = &*variable.name;
        if moved::is_moved(&variable.value) {
            return Err(DebugError::Moved(name.to_owned()));
        }
        let value = self.points.evaluator.assigned(&variables, variable, rest, text)?;
        let misplaced = || DebugError::NotAPlace(name.to_owned());
        let (number, view) = frames::frame(&self.state, frame)?;
        let steps = frames::steps(&view, &variable.location).ok_or_else(misplaced)?;
        let Operand::Var(root) = variable.location.root else { return Err(misplaced()) };
        let edit = Edit { frame: number, root, in_cell: variable.location.in_cell, steps, value };
        let before = self.state.copy();
        let applied = edit.apply(&mut self.state).map_err(|error| match error {
            DebugError::NotAPlace(_) => misplaced(),
            error => error,
        });
        let branched = applied.and_then(|()| self.branch(edit));
        if branched.is_err() {
            self.state = before;
        }
        branched
    }

    /// Makes the run take a different course from here on, by a change that has been made.
    fn branch(&mut self, edit: Edit) -> Result<(), DebugError> {
        self.history.branch(&self.state, edit)?;
        (self.pending, self.interrupted_command) = (None, None);
        self.machine.journal.forget_after(self.moment);
        if let Some(delegation) = &self.machine.delegation {
            delegation.forget_after(self.moment);
        }
        let moment = self.moment;
        for point in &mut self.points.list {
            point.moments.retain(|&hit| hit <= moment);
        }
        Ok(())
    }
}
