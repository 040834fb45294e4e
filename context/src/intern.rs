//! Interning: equal values are represented by one object, so that they are compared by address.

use std::hash::Hash;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread::LocalKey;

use hashbrown::HashSet;
use typed_arena::Arena;

/// The nodes interned by a thread. Their arena is never freed, because each node lives as long as the
/// process.
pub type Nodes<T> = &'static Arena<T>;

/// The initial capacity of a thread's arena.
const FIRST_NODES: usize = 16;

/// The addresses of all arenas. A thread that ends drops its reference to its arena; leak checkers still find
/// the arena through these.
static ARENAS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// An empty arena that is never freed.
#[must_use]
pub fn nodes<T>() -> Nodes<T> {
    let arena: Nodes<T> = Box::leak(Box::new(Arena::with_capacity(FIRST_NODES)));
    ARENAS.lock().unwrap_or_else(PoisonError::into_inner).push(std::ptr::from_ref(arena).expose_provenance());
    arena
}

/// A table with one representative of each set of equal values, allocated in arenas that live as long as the
/// process.
///
/// [`interner!`] declares one:
///
/// ```
/// overdub_context::intern::interner!(static WORDS: String);
///
/// let word = WORDS.intern("loop".to_owned());
/// assert!(std::ptr::eq(word, WORDS.intern("loop".to_owned())));
/// ```
pub struct Interner<T: 'static> {
    known: LazyLock<Mutex<HashSet<&'static T>>>,
    nodes: &'static LocalKey<Nodes<T>>,
}

impl<T> std::fmt::Debug for Interner<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("Interner").field("len", &known).finish_non_exhaustive()
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// An empty table backed by the arenas of all threads.
    #[must_use]
    pub const fn new(nodes: &'static LocalKey<Nodes<T>>) -> Interner<T> {
        Interner { known: LazyLock::new(Mutex::default), nodes }
    }

    /// The representative equal to this value.
    pub fn intern(&self, value: T) -> &'static T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&value) {
            return known;
        }
        let interned: &'static T = self.nodes.with(|nodes| nodes.alloc(value));
        known.insert(interned);
        interned
    }
}

/// Declares a static [`Interner`](crate::intern::Interner).
#[macro_export]
macro_rules! interner {
    ($(#[$attribute:meta])* $visibility:vis static $NAME:ident: $T:ty) => {
        $(#[$attribute])*
        $visibility static $NAME: $crate::intern::Interner<$T> = {
            ::std::thread_local! {
                static NODES: $crate::intern::Nodes<$T> = $crate::intern::nodes();
            }
            $crate::intern::Interner::new(&NODES)
        };
    };
}

#[doc(inline)]
pub use interner;
