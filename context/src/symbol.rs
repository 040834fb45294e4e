//! Interned names.
//!
//! - A symbol's text is never freed: programs contain few names, and equal texts are stored once.
//! - Symbols compare by identity and order by text, so sorted output does not depend on interning order.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{LazyLock, Mutex, PoisonError};

use hashbrown::HashSet;

/// A name that is stored once for the whole process; copying and comparing it is free.
///
/// ```
/// use overdub_context::Symbol;
/// let a = Symbol::new("pow");
/// assert_eq!(a, Symbol::new("pow"));
/// assert_eq!(&*a, "pow");
/// ```
#[derive(Clone, Copy)]
pub struct Symbol(&'static str);

static EMPTY: &str = "";

static NAMES: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);

static NUMBERS: Mutex<Vec<Option<Symbol>>> = Mutex::new(Vec::new());

impl Symbol {
    /// The symbol of `text`.
    pub fn new(text: &str) -> Symbol {
        // Empty names are frequent; they take no lock.
        if text.is_empty() {
            return Symbol(EMPTY);
        }
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        Symbol(names.get_or_insert_with(text, |text| Box::leak(Box::from(text))))
    }

    /// The symbol of the decimal digits of a number.
    ///
    /// ```
    /// # use overdub_context::Symbol;
    /// assert_eq!(Symbol::of_number(12), Symbol::new("12"));
    /// ```
    pub fn of_number(number: u32) -> Symbol {
        /// Numbers from which on symbols are not kept by number.
        const KEPT: usize = 1 << 16;
        let at = number as usize;
        if at >= KEPT {
            return Symbol::new(&number.to_string());
        }
        let mut numbers = NUMBERS.lock().unwrap_or_else(PoisonError::into_inner);
        if at >= numbers.len() {
            numbers.resize(at + 1, None);
        }
        *numbers[at].get_or_insert_with(|| Symbol::new(&number.to_string()))
    }

    /// The text of the symbol.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> Ordering {
        self.0.cmp(other.0)
    }
}

impl Deref for Symbol {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Symbol {
        Symbol::new(text)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
