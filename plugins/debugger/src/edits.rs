//! Changes that the user made to variables: a run that comes to their moments again makes them again.
//!
//! - CHANGE1 a change is recorded as the value that was assigned, if that holds no cell and thus means the
//!   same in each repetition. Otherwise the snapshot after it is kept permanently.

use std::collections::BTreeMap;

use overdub_context::interp::{Paused, bytes_of};
use overdub_context::ir::Var;
use overdub_context::value::{PathElem, Value};

use crate::error::DebugError;
use crate::frames;

/// A change of a variable or a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    /// The number of the call, from the innermost.
    pub(crate) frame: usize,
    /// The variable that holds the place, itself or through the cell that it refers to.
    pub(crate) root: Var,
    pub(crate) in_cell: bool,
    /// The steps from there to the place.
    pub(crate) steps: Vec<PathElem>,
    pub(crate) value: Value<'static>,
}

impl Edit {
    /// Makes the change.
    pub(crate) fn apply(&self, state: &mut Paused) -> Result<(), DebugError> {
        let misplaced = || DebugError::NotAPlace("the variable".to_owned());
        let slot = state.value_mut(self.frame, self.root).ok_or_else(misplaced)?;
        match slot {
            Value::Ref(reference) if self.in_cell => {
                let place = self.steps.iter().fold((**reference).clone(), |place, &step| place.step(step));
                let set = place.set(self.value.clone());
                set.map_err(|failure| DebugError::Failed(failure.report().message.clone()))
            }
            slot => frames::put(slot, &self.steps, self.value.clone()).ok_or_else(misplaced),
        }
    }

    /// Whether the change means the same in each repetition of the run (CHANGE1).
    pub(crate) fn is_repeatable(&self) -> bool {
        !holds_cell(&self.value)
    }

    fn bytes(&self) -> usize {
        size_of::<Edit>() + bytes_of(std::slice::from_ref(&self.value))
    }
}

fn holds_cell(value: &Value<'static>) -> bool {
    match value {
        Value::Ref(_) | Value::Opaque(_) => true,
        Value::Composite(composite) => composite.parts.iter().any(holds_cell),
        Value::Closure(closure) => closure.captures.iter().any(holds_cell),
        Value::Stack(elems) => elems.iter().any(holds_cell),
        Value::Array(array) => array.as_values().is_some_and(|elems| elems.iter().any(holds_cell)),
        _ => false,
    }
}

/// The changes of a run, by their moments.
#[derive(Clone, Default, Debug)]
pub(crate) struct Edits(BTreeMap<u64, Vec<Edit>>);

impl Edits {
    /// The moment of the next change after `moment`.
    pub(crate) fn next(&self, moment: u64) -> Option<u64> {
        self.0.range(moment.saturating_add(1)..).next().map(|(moment, _)| *moment)
    }

    /// Makes the changes of the moment of a state.
    pub(crate) fn apply(&self, state: &mut Paused) {
        for edit in self.0.get(&state.steps()).into_iter().flatten() {
            // The change was made in the same state before.
            let applied = edit.apply(state);
            debug_assert!(applied.is_ok(), "CHANGE1");
        }
    }

    pub(crate) fn add(&mut self, moment: u64, edit: Edit) {
        self.0.entry(moment).or_default().push(edit);
    }

    /// Forgets the changes after a moment.
    pub(crate) fn forget_after(&mut self, moment: u64) {
        self.0.split_off(&moment.saturating_add(1));
    }

    /// Forgets the changes of a moment: a snapshot that is kept permanently contains them.
    pub(crate) fn forget_at(&mut self, moment: u64) {
        self.0.remove(&moment);
    }

    /// The number of bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        self.0.values().flatten().map(Edit::bytes).sum()
    }
}
