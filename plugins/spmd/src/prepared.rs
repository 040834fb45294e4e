//! Prepared calls of one thread, which cost little more than the code that they run.

use overdub_context::engine::PreparedCall;

/// The number of elements between two requests for a prepared call: an executor may compile a function only after it has
/// run for a while.
const PERIOD: u32 = 64;

/// A prepared call, if the executor has one.
pub(crate) struct Ready {
    call: Option<Box<dyn PreparedCall>>,
    /// The number of elements before the next request; none if there is no use in asking.
    wait: Option<u32>,
}

impl Ready {
    /// Asks for a prepared call at the first element.
    pub(crate) fn new() -> Ready {
        Ready { call: None, wait: Some(0) }
    }

    /// The call, made by `make` if it is time to ask.
    pub(crate) fn call(
        &mut self,
        make: impl FnOnce() -> Option<Box<dyn PreparedCall>>,
    ) -> Option<&mut Box<dyn PreparedCall>> {
        let wait = self.wait.as_mut()?;
        if self.call.is_none() {
            if *wait > 0 {
                *wait -= 1;
                return None;
            }
            *wait = PERIOD;
            self.call = make();
        }
        self.call.as_mut()
    }

    /// Never asks again: the call cannot take these arguments.
    pub(crate) fn give_up(&mut self) {
        *self = Ready { call: None, wait: None };
    }
}
