//! The calls that another executor can evaluate instead of the interpreter, without an observable difference.
//!
//! - REACH1 a plain function is pure, with everything that it reaches (PURE1), and no cell, function or host value is
//!   passed by its parameters.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::analysis::{Cfg, Dominators, LoopNest, is_pure_body};
use overdub_context::ir::{Func, Module, Ty, TyKind};

/// Properties of a function and all that it reaches.
pub(crate) struct Reach {
    /// The functions that it reaches, including itself.
    pub(crate) funcs: HashSet<Symbol>,
    /// Whether all of them are plain (REACH1).
    pub(crate) is_pure: bool,
    /// Whether one of them has a loop or a recursion: others are short.
    pub(crate) repeats: bool,
}

/// The properties of the functions of a module.
pub(crate) struct Reaches {
    module: Arc<Module>,
    known: Mutex<HashMap<Symbol, Arc<Reach>>>,
}

impl Reaches {
    pub(crate) fn new(module: Arc<Module>) -> Reaches {
        Reaches { module, known: Mutex::default() }
    }

    /// The properties of a function.
    pub(crate) fn of(&self, func: &Func) -> Arc<Reach> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&func.name).cloned();
        known.unwrap_or_else(|| {
            let found = Arc::new(self.find(func));
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.entry(func.name).or_insert(found).clone()
        })
    }

    /// The function of this name.
    pub(crate) fn func(&self, name: Symbol) -> Option<Arc<Func>> {
        self.module.func(name).ok().flatten()
    }

    fn find(&self, func: &Func) -> Reach {
        let is_data = func.param_tys().all(is_data);
        let mut found = Reach {
            funcs: HashSet::from([func.name]),
            is_pure: is_data && is_pure_body(func),
            repeats: false,
        };
        found.repeats = has_loop(func);
        let mut pending: Vec<Symbol> = func.mentioned().collect();
        while let Some(name) = pending.pop() {
            // The function calls itself.
            found.repeats |= name == func.name;
            if !found.funcs.insert(name) {
                continue;
            }
            let Some(func) = self.func(name) else {
                found.is_pure = false;
                continue;
            };
            found.is_pure &= is_pure_body(&func);
            found.repeats |= has_loop(&func);
            pending.extend(func.mentioned());
        }
        found
    }
}

/// Whether values of a type hold no cell, function of unknown code, or value of the host.
fn is_data(ty: Ty) -> bool {
    !ty.contains(|part| match part.kind() {
        TyKind::Ref(_) | TyKind::Fn(_) | TyKind::Opaque(_) => true,
        _ => part.as_nominal().is_some_and(|nominal| nominal.body().is_none()),
    })
}

fn has_loop(func: &Func) -> bool {
    let cfg = Cfg::new(func);
    let loops = LoopNest::new(&cfg, &Dominators::new(&cfg));
    loops.iter().next().is_some() || !loops.irreducible().is_empty()
}
