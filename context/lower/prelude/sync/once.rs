//! Initialisation that runs once.

use crate::cell::Cell;
use crate::fmt;

#[derive(Clone, Copy, PartialEq)]
enum Progress {
    Incomplete,
    Running,
    Complete,
}

pub struct Once {
    progress: Cell<Progress>,
}

pub const ONCE_INIT: Once = Once::new();

impl Once {
    pub const fn new() -> Once {
        Once { progress: Cell::new(Progress::Incomplete) }
    }

    pub fn call_once<F: FnOnce()>(&self, f: F) {
        self.call_once_force(|_| f());
    }

    /// There are no poisoned `Once`s: a panic ends the program.
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        match self.progress.get() {
            Progress::Complete => {}
            Progress::Running => crate::macros::fail("a `Once` waits for the initialisation that it is in, without end"),
            Progress::Incomplete => {
                self.progress.set(Progress::Running);
                f(&OnceState {});
                self.progress.set(Progress::Complete);
            }
        }
    }

    pub fn is_completed(&self) -> bool {
        self.progress.get() == Progress::Complete
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Once { .. }")
    }
}

/// What `Once::call_once_force` tells its function.
pub struct OnceState {}

impl OnceState {
    pub fn is_poisoned(&self) -> bool {
        false
    }
}
