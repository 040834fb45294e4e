//! The call stack of a failure, which compiled code adds to frame by frame (H18).

use std::collections::VecDeque;

use overdub_context::{Failure, Span, Symbol};

/// The numbers of innermost and outermost calls that a failure keeps of a deep call stack.
const KEPT_INNERMOST: usize = 64;
const KEPT_OUTERMOST: usize = 16;

/// The calls through which a failure was returned, the innermost first.
#[derive(Default)]
pub(super) struct FailureTrace {
    innermost: Vec<(Symbol, Span)>,
    outermost: VecDeque<(Symbol, Span)>,
}

impl FailureTrace {
    pub(super) fn add_call(&mut self, call: (Symbol, Span)) {
        if self.innermost.len() < KEPT_INNERMOST {
            return self.innermost.push(call);
        }
        if self.outermost.len() == KEPT_OUTERMOST {
            self.outermost.pop_front();
        }
        self.outermost.push_back(call);
    }

    /// The failure with its call stack.
    pub(super) fn attach_to(self, failure: Failure) -> Failure {
        let calls = self.innermost.into_iter().chain(self.outermost);
        calls.fold(failure, |failure, (func, span)| failure.at(span).through(func, span))
    }
}
