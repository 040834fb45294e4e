//! Items as they are cut out of a text, with their names.

use std::borrow::Cow;

use overdub_context::Symbol;

use super::outline::Outline;
use super::skim;
pub(crate) use super::skim::{RawKind, Skimmed};
use crate::expand::bare;

/// An item and where its parts are in its text.
#[derive(Clone, Debug)]
pub(crate) struct RawItem {
    pub(crate) kind: RawKind,
    /// Its name; of a macro call, the last segment of the macro's path.
    pub(crate) name: Symbol,
    pub(crate) name_lo: u32,
    /// The insides of `#[…]`.
    pub(crate) attrs: Cow<'static, [(u32, u32)]>,
    pub(crate) public: bool,
    /// Behind attributes and visibility.
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    /// The inside of its braces; of a macro, of its delimiters.
    pub(crate) body: Option<(u32, u32)>,
    /// Of an impl.
    pub(crate) outline: Option<Outline<Symbol>>,
}

impl RawItem {
    pub(crate) fn of(text: &str, item: Skimmed) -> RawItem {
        let Skimmed { kind, name: (name_lo, name_hi), attrs, public, lo, hi, body, outline } = item;
        let read = |(lo, hi): (u32, u32)| bare(&text[lo as usize..hi as usize]);
        let outline = outline.map(|outline| outline.map(read));
        RawItem { kind, name: read((name_lo, name_hi)), name_lo, attrs, public, lo, hi, body, outline }
    }
}

/// The items of a text, and the inner attributes at its start.
pub(crate) type Items = (Vec<RawItem>, Vec<(u32, u32)>);

/// Those of a text from `lo` to `hi`.
pub(crate) fn skim(text: &str, lo: usize, hi: usize) -> Items {
    let (items, inner) = skim::skim(text, lo, hi);
    (items.into_iter().map(|item| RawItem::of(text, item)).collect(), inner)
}
