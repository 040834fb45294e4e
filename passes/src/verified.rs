//! How much of the work of passes a build verifies.

/// What is verified (PIPE1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verified {
    Nothing,
    Result,
    EachPass,
}

impl Verified {
    /// What this build verifies. To verify after each pass is to copy and check the whole function each time: who changes
    /// passes builds in the folder of overdub, whose `.cargo/config.toml` sets the variable; debug builds of programs that
    /// use it do not.
    pub(crate) const BY_DEFAULT: Verified =
        match (cfg!(debug_assertions), option_env!("OVERDUB_VERIFY_EACH_PASS").is_some()) {
            (false, _) => Verified::Nothing,
            (true, false) => Verified::Result,
            (true, true) => Verified::EachPass,
        };
}
