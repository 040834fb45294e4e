//! Edits: each pass alone, and the pipelines, preserve what a structurally edited program does.
//!
//! The program is one of the golden cases or a generated one. Edits that do not verify are undone.

mod base;
mod edit;
mod law;

use base::Base;
use edit::{Choices, edited};

/// The law for a program and edits of it: the number of edits, four bytes for each, and the rest selects the
/// program.
pub fn check(bytes: &[u8]) {
    let Some((&count, rest)) = bytes.split_first() else { return };
    let edits = usize::from(count % 9) * Choices::LEN;
    let Some((edits, rest)) = rest.split_at_checked(edits) else { return };
    let Some(mut base) = Base::of_bytes(rest) else { return };
    for choices in edits.chunks_exact(Choices::LEN) {
        if let Some(listing) = edited(&base.listing, Choices::new(choices)) {
            base.listing = listing;
        }
    }
    law::check(&base);
}
