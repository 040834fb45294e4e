//! How the values of a struct, an enum or a union are laid out in memory.

use super::Prim;

/// What `#[repr(…)]` says of a type.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Repr {
    /// `C`: fields lie in the order in which they are written.
    pub is_c: bool,
    /// `u8`, `i32`, …: the type of an enum's tag.
    pub tag: Option<Prim>,
    /// `align(n)`: the least alignment in bytes.
    pub align: Option<u64>,
    /// `packed(n)`: the greatest alignment of a field in bytes.
    pub packed: Option<u64>,
}

impl Repr {
    /// The bytes of an enum's tag, if they are prescribed.
    pub(crate) fn tag_bytes(self) -> Option<u64> {
        Some(match self.tag? {
            Prim::U8 | Prim::I8 => 1,
            Prim::U16 | Prim::I16 => 2,
            Prim::U32 | Prim::I32 => 4,
            Prim::U128 | Prim::I128 => 16,
            _ => 8,
        })
    }

    /// Adds what one `#[repr(…)]` says.
    pub(crate) fn read(&mut self, words: &str) {
        for word in words.split(',').map(str::trim) {
            let (name, number) = match word.split_once('(') {
                Some((name, number)) => (name.trim(), alignment(number.trim().trim_end_matches(')'))),
                None => (word, None),
            };
            match name {
                "C" => self.is_c = true,
                "align" => self.align = self.align.max(number),
                "packed" => self.packed = Some(number.unwrap_or(1)),
                "u8" => self.tag = Some(Prim::U8),
                "i8" => self.tag = Some(Prim::I8),
                "u16" => self.tag = Some(Prim::U16),
                "i16" => self.tag = Some(Prim::I16),
                "u32" => self.tag = Some(Prim::U32),
                "i32" => self.tag = Some(Prim::I32),
                "u64" => self.tag = Some(Prim::U64),
                "i64" => self.tag = Some(Prim::I64),
                "usize" => self.tag = Some(Prim::Usize),
                "isize" => self.tag = Some(Prim::Isize),
                "u128" => self.tag = Some(Prim::U128),
                "i128" => self.tag = Some(Prim::I128),
                _ => {}
            }
        }
    }
}

/// A number of bytes that rustc takes as an alignment.
fn alignment(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|bytes: &u64| bytes.is_power_of_two() && *bytes <= 1 << 29)
}
