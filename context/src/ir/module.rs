//! Modules: functions by name, each with a version, and sources for functions that are loaded on demand.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;

use super::{Func, Ty};
use crate::failure::{Failure, FailureKind};
use crate::value::HostFn;
use crate::{Code, Span, Symbol, codes, path};

/// Loads functions when they are first called, as a source loader does.
pub trait FuncSource: Send + Sync {
    /// The function of this name, `None` if there is none.
    ///
    /// # Errors
    /// If there is one, but it cannot be loaded.
    fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError>;

    /// Resolves a path that a user gave as the replacement of a call to the name of a function; `None` if
    /// there is none. The function need not have been called before.
    ///
    /// # Errors
    /// If there is such a function, but its type arguments do not follow from the call.
    fn resolve(&self, _path: &str, _instead: &Instead<'_>) -> Result<Option<Symbol>, LoadError> {
        Ok(None)
    }

    /// The functions of the source that a user's name refers to, called before or not; `None` if the source
    /// cannot determine them.
    fn search(&self, _name: &str) -> Option<Matches> {
        None
    }

    /// Paths of functions with a similar name, called before or not, most similar first.
    fn similar(&self, _name: &str) -> Vec<String> {
        Vec::new()
    }

    /// Whether a function, type, trait or module of this name may contain functions.
    fn search_within(&self, _name: &str) -> bool {
        true
    }

    /// The host function of this name, `None` if there is none; used by operations that look up host
    /// functions in the machine.
    fn host(&self, _name: Symbol) -> Option<Box<dyn HostFn>> {
        None
    }
}

/// An error for a function that exists but cannot be loaded: the unsupported construct, and its location.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct LoadError {
    /// The code, by which documentation refers to it.
    pub code: Code,
    /// The obstacle.
    pub message: String,
    /// The source location.
    pub span: Span,
    /// Advice.
    pub help: Option<String>,
}

impl LoadError {
    /// The error that a module has no function of this name.
    pub fn missing(func: Symbol) -> LoadError {
        let message = format!("there is no function `@{func}`");
        LoadError { code: codes::MISSING, message, span: Span::unknown(), help: None }
    }
}

impl From<LoadError> for Failure {
    fn from(LoadError { code, message, span, help }: LoadError) -> Failure {
        Failure::new(FailureKind::Load, message).coded(code).at(span).with_help(help)
    }
}

/// The call for which a replacement is looked up.
#[derive(Clone, Copy, Debug)]
pub struct Instead<'c> {
    /// The current callee.
    pub called: Symbol,
    /// The types of the arguments.
    pub args: &'c [Ty],
    /// The type of the result.
    pub ret: Ty,
}

/// The matches of a user's name, by the rules of [`crate::path`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Matches {
    /// The paths of the functions that the name refers to.
    pub functions: Vec<String>,
    /// Whether there may be further matches: in libraries, or in bodies that were not examined yet.
    pub maybe_more: bool,
}

/// A set of functions that call each other by name.
///
/// Functions are shared and immutable. Redefining a name gives it a new version, which later lookups return.
#[derive(Default)]
pub struct Module {
    funcs: RwLock<HashMap<Symbol, Versioned>>,
    sources: Vec<Box<dyn FuncSource>>,
    epoch: AtomicU64,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("epoch", &self.epoch()).finish_non_exhaustive()
    }
}

#[derive(Clone)]
struct Versioned {
    func: Arc<Func>,
    version: u64,
}

impl Module {
    /// A module without functions.
    pub fn new() -> Module {
        Module::default()
    }

    /// Adds `source` for functions that are not defined; it is queried after the sources added before.
    pub fn add_source(&mut self, source: Box<dyn FuncSource>) {
        self.sources.push(source);
    }

    /// Defines a function; a later definition of a name replaces the earlier one, here and for all callers.
    pub fn define(&self, func: impl Into<Arc<Func>>) {
        let func = func.into();
        let mut funcs = self.funcs.write().unwrap_or_else(PoisonError::into_inner);
        let version = funcs.get(&func.name).map_or(0, |known| known.version + 1);
        funcs.insert(func.name, Versioned { func, version });
        self.epoch.fetch_add(1, Ordering::Release);
    }

    /// The number of definitions so far: as long as it is unchanged, no function has changed.
    #[inline]
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// The function of this name, `None` if there is none.
    ///
    /// # Errors
    /// If there is one, but its source cannot make it.
    pub fn func(&self, name: Symbol) -> Result<Option<Arc<Func>>, LoadError> {
        if let Some(known) = self.known(name) {
            return Ok(Some(known.func));
        }
        for source in &self.sources {
            if let Some(func) = source.func(name)? {
                let mut funcs = self.funcs.write().unwrap_or_else(PoisonError::into_inner);
                let kept = funcs.entry(name).or_insert(Versioned { func, version: 0 });
                return Ok(Some(kept.func.clone()));
            }
        }
        Ok(None)
    }

    /// Resolves the path that a user gave as the replacement of a call: a function that is defined, or one
    /// that a source finds before it is first called.
    ///
    /// # Errors
    /// If there is one, but it cannot be loaded.
    pub fn resolve(&self, path: &str, instead: &Instead<'_>) -> Result<Option<Symbol>, LoadError> {
        let name = Symbol::new(path);
        if self.func(name)?.is_some() {
            return Ok(Some(name));
        }
        for source in &self.sources {
            if let Some(found) = source.resolve(path, instead)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The matches of a user's name; `None` if a source cannot determine them.
    pub fn search(&self, name: &str) -> Option<Matches> {
        let names = self.names();
        let called = names.iter().filter(|path| path::is_called(path, name));
        let functions = called.map(|path| path.to_string()).collect();
        let mut all = Matches { functions, maybe_more: false };
        for source in &self.sources {
            let Matches { functions, maybe_more } = source.search(name)?;
            all.functions.extend(functions);
            all.maybe_more |= maybe_more;
        }
        all.functions.sort();
        all.functions.dedup();
        Some(all)
    }

    /// Paths of functions with a similar name, called before or not, most similar first.
    pub fn similar(&self, name: &str) -> Vec<String> {
        let names = self.names();
        let mut found = path::similar(name, names.iter().map(|path| path.as_str()));
        for source in &self.sources {
            found.extend(source.similar(name));
        }
        path::similar(name, found.iter().map(String::as_str))
    }

    /// Whether a function, type, trait or module of this name may contain functions.
    pub fn search_within(&self, name: &str) -> bool {
        self.names().iter().any(|path| path::is_within(path, name))
            || self.sources.iter().any(|source| source.search_within(name))
    }

    /// The host function of this name, if a source has one.
    pub fn host(&self, name: Symbol) -> Option<Box<dyn HostFn>> {
        self.sources.iter().find_map(|source| source.host(name))
    }

    /// The number of defined functions.
    pub fn count(&self) -> usize {
        self.funcs.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The function of this name if it is defined, without querying the sources.
    pub fn defined(&self, name: Symbol) -> Option<Arc<Func>> {
        self.known(name).map(|known| known.func)
    }

    /// The number of times a name has been redefined; `None` if it is not defined.
    pub fn version(&self, name: Symbol) -> Option<u64> {
        self.known(name).map(|known| known.version)
    }

    /// The defined names, sorted.
    pub fn names(&self) -> Vec<Symbol> {
        let funcs = self.funcs.read().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<Symbol> = funcs.keys().copied().collect();
        names.sort();
        names
    }

    fn known(&self, name: Symbol) -> Option<Versioned> {
        self.funcs.read().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }
}
