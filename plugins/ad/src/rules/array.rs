//! Arrays: operations of this crate that move elements; those of the engine are structural.

use super::{Row, moves};
use crate::sort::SCATTER;

pub(super) fn rows() -> Vec<Row> {
    vec![(&SCATTER, moves())]
}
