//! The crate `memchr` as programs see it: searches of bytes and of sequences of bytes, whose original reads a word at a time
//! from aligned addresses.

mod bytes;
pub mod memmem;

pub use bytes::*;

/// What the crate offers beside its searches, for any platform.
pub mod arch {
    pub mod all {
        pub fn is_prefix(haystack: &[u8], needle: &[u8]) -> bool {
            haystack.starts_with(needle)
        }

        pub fn is_suffix(haystack: &[u8], needle: &[u8]) -> bool {
            haystack.ends_with(needle)
        }

        pub fn is_equal(x: &[u8], y: &[u8]) -> bool {
            x == y
        }
    }
}
