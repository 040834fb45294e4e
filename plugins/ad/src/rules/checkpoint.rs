//! Values that a checkpoint kept.

use super::moves::reads;
use super::{Row, adjoint, pushforward};
use crate::annotations::RESTORED;

pub(super) fn rows() -> Vec<Row> {
    // The second run of a checkpoint is made for the reverse sweep alone.
    vec![(&RESTORED, reads(pushforward::none, adjoint::first))]
}
