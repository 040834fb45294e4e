//! The bits and the digits of floats.

use overdub_context::ops::*;

use crate::bit_provenance::ROUNDED;
use crate::text_provenance::{FORMATTED, PARSED};

use super::{Row, Rule, zero};

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&TO_BITS, zero()),
        (&FROM_BITS, Rule::Refuse("the bits of a float do not vary smoothly; compute with the float itself")),
        (&STR_PARSE_FLOAT, zero()),
        (&PARSED, zero()),
        (&FORMATTED, zero()),
        (&ROUNDED, zero()),
    ]
}
