//! The engine's word on what only moves values about agrees with the rules of derivatives, which were written apart.

use overdub_ad::rules::{Rule, rule};
use overdub_context::ops;

/// Structural operations that have a rule for another reason: what they give holds no float, or a static is refused.
const COUNTS: &[&str] =
    &["tag", "len", "ref.len", "ref.tag", "ref.same", "stack.len", "nd.shape", "global", "capacity"];

#[test]
fn what_moves_values_by_the_rules_of_derivatives_is_structural_and_nothing_else_is() {
    for op in ops::ALL.iter().copied().flatten().copied() {
        let moves = matches!(rule(op), Some(Rule::Moves)) || COUNTS.contains(&op.name);
        assert_eq!(op.is_structural(), moves, "`{}`", op.name);
        assert!(!(op.is_structural() && op.compares()), "`{}`", op.name);
    }
}
