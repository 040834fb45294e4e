//! Locations in source files.
//!
//! - SPAN1 a location that was inlined into a function records the function in which it is written and the
//!   call for which it was inlined; such chains are stored once per process, like names, so that a span stays
//!   small.

use std::fmt;
use std::sync::{LazyLock, PoisonError, RwLock};

use hashbrown::HashMap;

use crate::Symbol;

/// A source location: where an instruction, a type or an error comes from.
///
/// Lines and columns count from 1 (columns in characters); line 0 means that the location is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file as the user named it.
    pub file: Symbol,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The number of characters covered, on the first line.
    pub len: u32,
    inlined: Option<Number>,
}

/// The origin of an inlined location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inlined {
    /// The function in which it is written.
    pub func: Symbol,
    /// The inlined call of that function, which may itself have been inlined.
    pub call: Span,
}

/// The number of an [`Inlined`], from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Number(std::num::NonZeroU32);

/// All inlined locations, and the numbers by which spans refer to them.
#[derive(Default)]
struct Table {
    all: Vec<Inlined>,
    numbers: HashMap<Inlined, Number>,
}

static INLINED: LazyLock<RwLock<Table>> = LazyLock::new(RwLock::default);

impl Span {
    /// The span of something that is in no source file.
    pub fn unknown() -> Span {
        Span::new(Symbol::new(""), 0, 0, 0)
    }

    /// A span of `len` characters.
    pub fn new(file: Symbol, line: u32, column: u32, len: u32) -> Span {
        Span { file, line, column, len, inlined: None }
    }

    /// Whether the location is known.
    pub fn is_known(self) -> bool {
        self.line != 0
    }

    /// This location of the function `func`, inlined for a call at `call`.
    ///
    /// ```
    /// use overdub_context::{Span, Symbol};
    /// let at = |line| Span::new(Symbol::new("f.rs"), line, 1, 1);
    /// let [f, g, h] = ["f", "g", "h"].map(Symbol::new);
    /// // `h` was inlined into `g` at line 2, and `g` into `f` at line 3.
    /// let place = at(1).inlined_for(h, at(2)).inlined_for(g, at(3));
    /// assert_eq!(place.open_calls(f).collect::<Vec<_>>(), [(h, at(1)), (g, at(2)), (f, at(3))]);
    /// ```
    #[must_use]
    pub fn inlined_for(self, func: Symbol, call: Span) -> Span {
        Inlining::new(func, call).place(self)
    }

    /// The origin, if the location was inlined into its function.
    pub fn inlined(self) -> Option<Inlined> {
        let number = self.inlined?;
        let table = INLINED.read().unwrap_or_else(PoisonError::into_inner);
        table.all.get(number.0.get() as usize - 1).copied()
    }

    /// The location as written, without its inlining.
    #[must_use]
    pub fn as_written(self) -> Span {
        Span { inlined: None, ..self }
    }

    /// The open calls at this location in the body of `func`, as written, the innermost first: each function,
    /// and its location.
    pub fn open_calls(self, func: Symbol) -> impl Iterator<Item = (Symbol, Span)> {
        let mut next = Some(self);
        std::iter::from_fn(move || {
            let span = next?;
            let inlined = span.inlined();
            next = inlined.map(|inlined| inlined.call);
            Some((inlined.map_or(func, |inlined| inlined.func), span.as_written()))
        })
    }
}

/// The mapping of locations when a function is inlined for a call.
#[derive(Clone, Debug)]
pub struct Inlining {
    outermost: Inlined,
    /// The chains already inlined into the function, each with its extended chain.
    known: HashMap<Option<Number>, Number>,
}

impl Inlining {
    /// The mapping for `func` inlined for a call at `call`.
    pub fn new(func: Symbol, call: Span) -> Inlining {
        Inlining { outermost: Inlined { func, call }, known: HashMap::new() }
    }

    /// The location after inlining: [`Span::inlined_for`].
    pub fn place(&mut self, span: Span) -> Span {
        if let Some(&number) = self.known.get(&span.inlined) {
            return Span { inlined: Some(number), ..span };
        }
        let mut within = Vec::new();
        let mut at = span;
        while let Some(inlined) = at.inlined() {
            within.push(inlined);
            at = inlined.call;
        }
        let placed = within.into_iter().rev().fold(self.outermost, |outer, inner| Inlined {
            func: inner.func,
            call: Span { inlined: Some(outer.number()), ..inner.call },
        });
        let number = placed.number();
        self.known.insert(span.inlined, number);
        Span { inlined: Some(number), ..span }
    }
}

impl Inlined {
    fn number(self) -> Number {
        if let Some(&number) = INLINED.read().unwrap_or_else(PoisonError::into_inner).numbers.get(&self) {
            return number;
        }
        let mut table = INLINED.write().unwrap_or_else(PoisonError::into_inner);
        let Table { all, numbers } = &mut *table;
        *numbers.entry(self).or_insert_with(|| {
            all.push(self);
            let count = u32::try_from(all.len()).ok().and_then(std::num::NonZeroU32::new);
            Number(count.expect("fewer than 2^32 calls are inlined"))
        })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_known() {
            write!(f, "{}:{}:{}", self.file, self.line, self.column)
        } else {
            f.write_str("an unknown place")
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        match self.inlined() {
            Some(Inlined { func, call }) => write!(f, " in {func} at {call:?}"),
            None => Ok(()),
        }
    }
}
