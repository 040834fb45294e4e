//! Source texts, real and made by macros, and where every piece of them was written.
//!
//! - SOURCE1 a text never changes once it is in the map, so a [`SourceId`] with an offset is a stable location.
//! - SOURCE2 a text made by a macro knows where each of its pieces came from; its spans are those of the pieces.

mod bare_trait_objects;
pub(crate) mod cargo;
pub(crate) mod cfg;
pub(crate) mod hygiene;
pub(crate) mod item_tree;
pub(crate) mod lexer;
pub(crate) mod nesting_depth;

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use overdub_context::{Span, Symbol};

/// What files of the prelude are called: `<std>/vec.rs`.
pub const PRELUDE: &str = "<std>/";

/// A text of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SourceId(u32);

/// A stretch of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SourceRange {
    pub(crate) source: SourceId,
    pub(crate) lo: u32,
    pub(crate) hi: u32,
}

/// Where a piece of a made text came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// Where the piece starts in the made text.
    pub(crate) at: u32,
    /// What it is a copy of, or, if not `copied`, stands for.
    pub(crate) place: SourceRange,
    /// Whether it is a copy, character by character.
    pub(crate) copied: bool,
}

/// A text.
#[derive(Debug)]
pub(crate) struct SourceFile {
    pub(crate) name: Symbol,
    pub(crate) text: Arc<str>,
    origins: Vec<Origin>,
    made: bool,
    lines: OnceLock<Vec<u32>>,
}

impl SourceFile {
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let ends = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
            std::iter::once(0).chain(ends).collect()
        })
    }
}

/// All texts of a program.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    sources: RwLock<Vec<Arc<SourceFile>>>,
}

impl SourceMap {
    /// Takes in a file.
    pub(crate) fn add(&self, name: &str, text: Arc<str>) -> SourceId {
        self.push(SourceFile {
            name: Symbol::new(name),
            text,
            origins: Vec::new(),
            made: false,
            lines: OnceLock::new(),
        })
    }

    /// Takes in a file of an edition; what is to be read is the text in the words of today.
    pub(crate) fn add_of_edition(&self, name: &str, text: Arc<str>, edition: u16) -> SourceId {
        let source = self.add(name, text);
        if edition < 2021 { bare_trait_objects::with_dyn(self, source) } else { source }
    }

    /// Takes in a text that a macro made.
    pub(crate) fn add_made(&self, text: String, origins: Vec<Origin>) -> SourceId {
        let (name, text) = (Symbol::new(""), text.into());
        self.push(SourceFile { name, text, origins, made: true, lines: OnceLock::new() })
    }

    fn push(&self, source: SourceFile) -> SourceId {
        let mut sources = self.sources.write().unwrap_or_else(PoisonError::into_inner);
        sources.push(Arc::new(source));
        SourceId(sources.len() as u32 - 1)
    }

    /// The text of an id.
    pub(crate) fn get(&self, id: SourceId) -> Arc<SourceFile> {
        self.sources.read().unwrap_or_else(PoisonError::into_inner)[id.0 as usize].clone()
    }

    /// The file called `name`.
    pub(crate) fn named(&self, name: Symbol) -> Option<Arc<str>> {
        let sources = self.sources.read().unwrap_or_else(PoisonError::into_inner);
        sources.iter().find(|s| !s.made && s.name == name).map(|s| s.text.clone())
    }

    /// Whether this holds of the name and text of a file.
    pub(crate) fn any_file(&self, holds: impl Fn(&str, &str) -> bool) -> bool {
        let sources = self.sources.read().unwrap_or_else(PoisonError::into_inner);
        sources.iter().any(|source| !source.made && holds(&source.name, &source.text))
    }

    /// The span of a stretch of a text, in the file that it was written in.
    pub(crate) fn span(&self, place: SourceRange) -> Span {
        let mut place = place;
        loop {
            let source = self.get(place.source);
            if source.made {
                let next = source.origins.partition_point(|o| o.at <= place.lo);
                let Some(origin) = next.checked_sub(1).map(|i| source.origins[i]) else {
                    return Span::unknown();
                };
                place = if origin.copied {
                    let lo = (origin.place.lo + (place.lo - origin.at)).min(origin.place.hi);
                    let hi = (lo + (place.hi - place.lo)).min(origin.place.hi);
                    SourceRange { source: origin.place.source, lo, hi }
                } else {
                    origin.place
                };
                continue;
            }
            let lines = source.lines();
            let line = lines.partition_point(|start| *start <= place.lo).saturating_sub(1);
            let chars = |lo: u32, hi: u32| {
                source
                    .text
                    .get(lo as usize..hi as usize)
                    .map_or(hi.saturating_sub(lo), |t| t.chars().count() as u32)
            };
            let end = lines.get(line + 1).map_or(source.text.len() as u32, |next| next - 1);
            let column = chars(lines[line], place.lo) + 1;
            let len = chars(place.lo, place.hi.min(end.max(place.lo)));
            return Span::new(source.name, line as u32 + 1, column, len);
        }
    }
}
