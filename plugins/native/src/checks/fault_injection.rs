//! Faults that tests have the compiler put into its code, to see that the checking mode finds them.

/// What is wrong with the code that is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// What is not used any more is not given up.
    Leak,
    /// It is given up twice.
    ReleaseTwice,
    /// It is given up before it is used for the last time.
    ReleaseEarly,
    /// A vector is written in place, whoever else holds it.
    WriteShared,
    /// What a row held is not given up where the row is written.
    LoseRow,
}

#[cfg(test)]
thread_local! {
    static INJECTED: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}

/// Whether the code that this thread compiles is to have this fault.
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
