//! The bits and the digits of floats.

use overdub_context::ops::*;

use crate::bit_provenance::ROUNDED;
use crate::text_provenance::{FORMATTED, PARSED};

use super::{Row, zero};

pub(super) fn rows() -> Vec<Row> {
    vec![
        (&TO_BITS, zero()),
        (&STR_PARSE_FLOAT, zero()),
        (&PARSED, zero()),
        (&FORMATTED, zero()),
        (&ROUNDED, zero()),
    ]
}
