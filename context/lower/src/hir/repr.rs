//! How the values of a struct, an enum or a union are laid out in memory.

use super::Prim;

/// What `#[repr(…)]` says of a type, and for types of the prelude `#[layout(…)]`.
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
    /// Of a type of the prelude.
    pub prelude: Option<PreludeLayout>,
}

/// How a type of `std` is laid out, whose fields in the prelude may be others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PreludeLayout {
    /// It is not known.
    Unknown,
    /// `#[layout]`: as its fields in the prelude say.
    AsFields,
    /// `#[layout(nonzero)]`: as its only field, which is never zero.
    NonZero,
    /// `#[layout(size, align, niche)]`: this size and alignment in bytes, and a niche.
    Given {
        /// In bytes.
        size: u64,
        /// In bytes.
        align: u64,
        /// The number of bit patterns that no value has, in the part that has most of them.
        niche: u64,
    },
}

impl Repr {
    /// Adds what one `#[repr(…)]` says.
    pub(crate) fn read(&mut self, words: &str) {
        for word in words.split(',').map(str::trim) {
            let (name, number) = match word.split_once('(') {
                Some((name, number)) => (name.trim(), number.trim_end_matches(')').trim().parse().ok()),
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

impl PreludeLayout {
    /// What `#[layout(…)]` says.
    pub(crate) fn read(words: Option<&str>) -> PreludeLayout {
        let Some(words) = words else { return PreludeLayout::AsFields };
        let mut numbers = words.split(',').map(|word| word.trim().parse::<u64>());
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(size)), Some(Ok(align)), niche) => {
                PreludeLayout::Given { size, align, niche: niche.and_then(Result::ok).unwrap_or(0) }
            }
            _ if words.trim() == "nonzero" => PreludeLayout::NonZero,
            _ => PreludeLayout::Unknown,
        }
    }
}
