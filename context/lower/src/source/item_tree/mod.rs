//! The item tree of a text: its items with their names and ranges, whose contents are not parsed.

mod impl_header;
mod scan;

use std::borrow::Cow;

use overdub_context::Symbol;

pub(crate) use self::impl_header::{ImplHeader, SelfTyShape};
pub(crate) use self::scan::{ItemSpans, NodeKind};
use super::hygiene::unmarked_name;
use super::lexer;

/// An item and the ranges of its parts in its text.
#[derive(Clone, Debug)]
pub(crate) struct ItemNode {
    pub(crate) kind: NodeKind,
    /// Its name; for a macro call, the last segment of the macro's path.
    pub(crate) name: Symbol,
    pub(crate) name_lo: u32,
    /// The contents of each `#[…]`.
    pub(crate) attrs: Cow<'static, [(u32, u32)]>,
    pub(crate) public: bool,
    /// The start after attributes and visibility.
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    /// The contents of its braces; for a macro, of its delimiters.
    pub(crate) body: Option<(u32, u32)>,
    /// The header, for an impl.
    pub(crate) impl_header: Option<ImplHeader<Symbol>>,
}

impl ItemNode {
    pub(crate) fn of(text: &str, item: ItemSpans) -> ItemNode {
        let ItemSpans { kind, name: (name_lo, name_hi), attrs, public, lo, hi, body, impl_header } = item;
        let read = |(lo, hi): (u32, u32)| unmarked_name(&text[lo as usize..hi as usize]);
        let impl_header = impl_header.map(|impl_header| impl_header.map(read));
        ItemNode { kind, name: read((name_lo, name_hi)), name_lo, attrs, public, lo, hi, body, impl_header }
    }

    /// The start of the first attribute in the item's text; without attributes, as `lo`.
    pub(crate) fn lo_of_attributes(&self, text: &str) -> u32 {
        let content = self.attrs.first().map(|(lo, _)| *lo as usize);
        content.and_then(|lo| text[..lo].rfind('#')).map_or(self.lo, |lo| lo as u32)
    }
}

/// The items of a text, and the inner attributes at its start.
pub(crate) type Items = (Vec<ItemNode>, Vec<(u32, u32)>);

/// The items of a text from `lo` to `hi`.
pub(crate) fn scan(text: &str, lo: usize, hi: usize) -> Items {
    let (items, inner) = scan::scan(text, lo, hi);
    (items.into_iter().map(|item| ItemNode::of(text, item)).collect(), inner)
}
