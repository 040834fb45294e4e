//! What to do about functions that cannot be lowered.

use crate::registry;

/// The general advice for a function that cannot be lowered.
const MISSING: &str = "is all that it names annotated with `#[dub]`: functions, constants, `impl` blocks? \
                       `overdub::source!(crate)` does without annotations";

/// The general advice if all functions of a crate are known.
const ADVICE_NOT_LOWERED: &str =
    "compute it outside and pass it as an argument, or say what it means by a rule or a replacement";

/// The advice for a function that cannot be lowered.
pub(super) fn advice(specific: Option<String>) -> String {
    let has_sources = registry::program().program().has_sources();
    let general = || if has_sources { ADVICE_NOT_LOWERED } else { MISSING }.to_owned();
    rebuild_advice().or(specific).unwrap_or_else(general)
}

/// The advice if files are ignored because they changed after the program was built.
pub(super) fn rebuild_advice() -> Option<String> {
    let files = registry::program().program().changed_files();
    (!files.is_empty())
        .then(|| format!("build again: {} changed after this program was built", files.join(", ")))
}
