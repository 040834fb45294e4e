//! Conversions between kinds of numbers.

use overdub_context::ops::*;

use crate::bit_provenance::ROUNDED;
use crate::text_provenance::{READ, TOLD};

use super::{Row, Rule, zero};

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&CAST, Rule::Cast),
        (&TO_BITS, zero()),
        (&FROM_BITS, Rule::Refuse("the bits of a float do not vary smoothly; compute with the float itself")),
        (&STR_PARSE_FLOAT, zero()),
        (&READ, zero()),
        (&TOLD, zero()),
        (&ROUNDED, zero()),
    ]
}
