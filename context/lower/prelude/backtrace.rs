//! Backtraces, which are never captured: a failure names the calls that led to it.

use crate::fmt;

pub struct Backtrace {
    never__: (),
}

#[non_exhaustive]
#[derive(Debug, PartialEq, Eq)]
pub enum BacktraceStatus {
    Unsupported,
    Disabled,
    Captured,
}

impl Backtrace {
    pub fn capture() -> Backtrace {
        Backtrace { never__: () }
    }

    pub fn force_capture() -> Backtrace {
        Backtrace { never__: () }
    }

    pub fn disabled() -> Backtrace {
        Backtrace { never__: () }
    }

    pub fn status(&self) -> BacktraceStatus {
        BacktraceStatus::Disabled
    }
}

impl fmt::Debug for Backtrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<disabled>")
    }
}

impl fmt::Display for Backtrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("disabled backtrace")
    }
}
