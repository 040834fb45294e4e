//! Results in lanes: how many lists they are, or the reason why there are none.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::{Failure, FailureKind, Span};

/// The number of lists that lanes give for values of a type; none if that is not known, or values of an enum are among them,
/// whose derivatives do not fit.
pub(crate) fn part_count(ty: Ty) -> Option<usize> {
    let has_enum = ty.contains(|part| matches!(part.kind(), TyKind::Enum(_)));
    overdub_lanes::part_count(ty).filter(|_| !has_enum)
}

/// The reason why products do not run in lanes.
#[cold]
pub(crate) fn not_in_lanes(why: &str, at: Span) -> Failure {
    let help = "one element runs after the other instead".to_owned();
    let message = format!("the products do not run in lanes: {why}");
    Failure::new(FailureKind::Load, message).at(at).with_help(Some(help))
}
