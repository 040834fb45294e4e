//! Keys of contexts: code is shared between contexts with equal keys.

use std::any::{TypeId, type_name};
use std::hash::{Hash, Hasher};

/// The identity of a context's decisions: contexts with equal keys share the code that was generated for one
/// of them.
///
/// The key contains everything on which `method`, `hooks`, `filter`, `pass`, `domain`, `needs_handle`,
/// `names` and `name` of the [`Context`](super::Context) depend. State that is only used while a program
/// runs, by `prehook`, `posthook`, `call` and `metadata`, is not part of it: each run, and each name that
/// [`Engine::nested`](super::Engine::nested) returns, has its own context.
///
/// Code is kept for contexts that are held by a run, a prepared function or a handle in a value, and for the
/// most recently used others, as many as [`EngineBuilder::contexts`](super::EngineBuilder::contexts)
/// specifies: a context with a new key for each run costs the time to generate its code, but no lasting
/// memory. A name that the engine returned ([`Engine::nested`](super::Engine::nested),
/// [`Engine::overdubbed`](super::Engine::overdubbed), [`Prepared::name`](super::Prepared::name)), a name that
/// was run, and a function value that leaves a run of a context without a handle keep their contexts for as
/// long as the engine lives. [`Engine::forget`](super::Engine::forget) immediately frees what is not held.
/// Names in failures and call sites are for display only: a later context may have the same label.
///
/// ```
/// use overdub_context::engine::Key;
/// struct Replace(&'static str);
/// let key = |cx: &Replace| Key::of::<Replace>().with(&cx.0);
/// assert_eq!(key(&Replace("sin")), key(&Replace("sin")));
/// assert_ne!(key(&Replace("sin")), key(&Replace("cos")));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    ty: TypeId,
    name: &'static str,
    /// The hashed bytes themselves, so that keys are equal only if all parts are.
    parts: Vec<u8>,
}

impl Key {
    /// The key of a context that is identified by its type alone.
    pub fn of<C: 'static>() -> Key {
        Key { ty: TypeId::of::<C>(), name: type_name::<C>(), parts: Vec::new() }
    }

    /// The key of contexts whose decisions also depend on `part`.
    #[must_use]
    pub fn with(mut self, part: &(impl Hash + ?Sized)) -> Key {
        let mut recorder = Recorder(std::mem::take(&mut self.parts));
        part.hash(&mut recorder);
        self.parts = recorder.0;
        self
    }
}

/// Records the hashed bytes.
struct Recorder(Vec<u8>);

impl Hasher for Recorder {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        self.0.len() as u64
    }
}
