//! Texts with parts deleted, duplicated, exchanged and overwritten, as bytes.

use proptest::prelude::*;
use proptest::sample::Index;

/// A change of a text, as bytes.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Delete(Index, usize),
    Double(Index, usize),
    Overwrite(Index, u8),
    Insert(Index, String),
    Swap(Index, Index),
}

/// A change; an inserted part is a token.
pub(crate) fn change(token: impl Strategy<Value = String>) -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<Index>(), 1usize..20).prop_map(|(at, len)| Change::Delete(at, len)),
        (any::<Index>(), 1usize..40).prop_map(|(at, len)| Change::Double(at, len)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Overwrite(at, byte)),
        (any::<Index>(), token).prop_map(|(at, token)| Change::Insert(at, token)),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Change::Swap(a, b)),
    ]
}

/// A text with changes applied one after the other.
pub(crate) fn changed(text: &str, changes: &[Change]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        let len = bytes.len();
        match change {
            Change::Delete(at, n) => {
                let at = at.index(len);
                bytes.drain(at..(at + n).min(len));
            }
            Change::Double(at, n) => {
                let at = at.index(len);
                let part = bytes[at..(at + n).min(len)].to_vec();
                bytes.splice(at..at, part);
            }
            Change::Overwrite(at, byte) => bytes[at.index(len)] = *byte,
            Change::Insert(at, token) => {
                let at = at.index(len);
                bytes.splice(at..at, token.bytes());
            }
            Change::Swap(a, b) => bytes.swap(a.index(len), b.index(len)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
