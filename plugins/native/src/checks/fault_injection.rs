//! Fault injection: tests have the compiler emit faulty code, which the checking mode has to detect.

/// A fault in compiled code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// A variable is not released at its last use.
    Leak,
    /// A variable is released twice.
    ReleaseTwice,
    /// A variable is released before its last use.
    ReleaseEarly,
    /// A vector is written in place although it has other owners.
    WriteShared,
    /// The old contents of a row are not released by a write.
    LoseRow,
}

#[cfg(test)]
thread_local! {
    static INJECTED: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}

/// Whether this thread compiles code with this fault.
#[inline(always)]
pub(crate) fn is_injected(what: Fault) -> bool {
    #[cfg(test)]
    return INJECTED.get() == Some(what);
    #[cfg(not(test))]
    {
        let _ = what;
        false
    }
}

/// Runs `f`, which compiles code with this fault.
#[cfg(test)]
pub(super) fn with_fault<R>(what: Option<Fault>, f: impl FnOnce() -> R) -> R {
    let before = INJECTED.replace(what);
    let result = f();
    INJECTED.set(before);
    result
}
