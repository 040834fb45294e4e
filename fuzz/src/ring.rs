//! Selection by name among a changing list of things.

/// The thing that two bytes select: the one whose name hashes to the next number on a ring. If a thing is
/// added or removed, bytes that selected another one still select it, so seeds keep their meaning.
pub(crate) fn chosen<T>(items: &[T], name: impl Fn(&T) -> &str, choice: [u8; 2]) -> Option<&T> {
    let at = u16::from_le_bytes(choice);
    items.iter().min_by_key(|item| hash(name(item)).wrapping_sub(at))
}

/// FNV-1a, which never changes, folded to 16 bits.
fn hash(name: &str) -> u16 {
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash >> 16) as u16 ^ hash as u16
}
