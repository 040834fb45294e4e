//! Faults that tests have the compiler put into its code, to see that the checking mode finds them.

/// What is wrong with the code that is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Break {
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
    static BROKEN: std::cell::Cell<Option<Break>> = const { std::cell::Cell::new(None) };
}

/// Whether the code that this thread compiles is to have this fault.
#[inline(always)]
pub(crate) fn is_broken(what: Break) -> bool {
    #[cfg(test)]
    return BROKEN.get() == Some(what);
    #[cfg(not(test))]
    {
        let _ = what;
        false
    }
}

/// Runs `f`, which compiles code with this fault.
#[cfg(test)]
pub(super) fn broken<R>(what: Option<Break>, f: impl FnOnce() -> R) -> R {
    let before = BROKEN.replace(what);
    let result = f();
    BROKEN.set(before);
    result
}
