//! Checks that the names that a context refers to exist in the program.
//!
//! - NAMED1 a name that refers to nothing is an error when code is first generated for the context. A name of
//!   a function that a run does not call is accepted.
//! - NAMED2 a name is known if it names an operation, a function that is defined or that a source finds, or
//!   anything that the function under the context reaches: a plugin's operation, a closure, a library
//!   function.

use std::sync::Arc;

use hashbrown::HashSet;

use super::CallSite;
use super::error::ContextError;
use super::instance::Instance;
use super::replacement::listed;
use super::specialize::call_site;
use super::specializer::Specializer;
use crate::ir::{Callee, Func, InstKind, Matches, TyKind};
use crate::{Symbol, ops, path};

/// A name that a context refers to, by the rules of [`crate::path`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Named {
    /// A function or operation: see [`CallSite::calls`].
    Called(Symbol),
    /// A function, type, trait or module whose calls are meant: see [`crate::path::is_within`].
    Within(Symbol),
}

impl Named {
    fn name(self) -> Symbol {
        match self {
            Named::Called(name) | Named::Within(name) => name,
        }
    }

    fn fits(self, path: &str) -> bool {
        match self {
            Named::Called(name) => path::is_called(path, &name),
            Named::Within(name) => path::is_within(path, &name),
        }
    }
}

/// Refuses a context with a name that refers to nothing (NAMED1); `func` is the function to specialise.
pub(super) fn check(
    specializer: &Specializer,
    instance: &Instance,
    func: &Arc<Func>,
) -> Result<(), ContextError> {
    let names = instance.cx.names();
    let mut unknown = names.into_iter().filter(|named| !is_known(specializer, *named)).peekable();
    if unknown.peek().is_none() {
        return Ok(());
    }
    let reached = ReachableCalls::of(specializer, func);
    let is_unknown = |named: &Named| match named {
        Named::Called(_) => !reached.calls.iter().any(|path| named.fits(path)),
        Named::Within(_) => !reached.funcs.iter().any(|path| named.fits(path)),
    };
    // Lowering the reachable functions may have loaded the item that the name refers to.
    let Some(named) = unknown.find(|named| is_unknown(named) && !is_known(specializer, *named)) else {
        return Ok(());
    };
    let seen: Vec<Symbol> = reached.calls.into_iter().chain(reached.funcs).collect();
    let help = did_you_mean(specializer, &named.name(), &seen);
    Err(ContextError::Unknown { context: instance.label, named, help })
}

fn is_known(specializer: &Specializer, named: Named) -> bool {
    let name = named.name();
    let is_op = matches!(named, Named::Called(_)) && ops::by_name(&name).is_some();
    if is_op || specializer.base.defined(name).is_some() || specializer.rewritten(name).is_some() {
        return true;
    }
    match (named, specializer.base.search(&name)) {
        (_, None) => true,
        (_, Some(Matches { functions, maybe_more })) if maybe_more || !functions.is_empty() => true,
        (Named::Within(_), Some(_)) => specializer.base.search_within(&name),
        (Named::Called(_), Some(_)) => false,
    }
}

/// Advice for a name that refers to nothing: similar names.
pub(super) fn did_you_mean(specializer: &Specializer, name: &str, seen: &[Symbol]) -> Option<String> {
    let known = specializer.base.similar(name);
    let all = known.iter().map(String::as_str);
    let all = all.chain(ops::ALL.iter().copied().flatten().map(|op| op.name));
    let close = path::similar(name, all.chain(seen.iter().map(|seen| seen.as_str())));
    Some(if close.is_empty() {
        "a name is the path of a function or the end of one, or an operation".to_owned()
    } else {
        format!("did you mean {}?", listed(&close))
    })
}

/// All reachable functions and the names of all calls in them.
#[derive(Default)]
struct ReachableCalls {
    funcs: HashSet<Symbol>,
    calls: HashSet<Symbol>,
}

impl ReachableCalls {
    fn of(specializer: &Specializer, func: &Arc<Func>) -> ReachableCalls {
        let mut reached = ReachableCalls::default();
        let mut seen: HashSet<Symbol> = [func.name].into_iter().collect();
        let mut pending = vec![func.clone()];
        while let Some(func) = pending.pop() {
            reached.funcs.insert(specializer.root(func.name));
            for name in reached.record_calls(specializer, &func) {
                if seen.insert(name)
                    && let Ok(Some(callee)) = specializer.func(name)
                {
                    pending.push(callee);
                }
            }
        }
        reached
    }

    /// The functions that a function calls or uses as values.
    fn record_calls(&mut self, specializer: &Specializer, func: &Func) -> Vec<Symbol> {
        let mut names = Vec::new();
        for inst in func.blocks.iter().flat_map(|body| &body.insts) {
            if let Some(CallSite { name, .. }) = call_site(func, inst, specializer) {
                self.calls.insert(name);
            }
            match &inst.kind {
                InstKind::Call { callee: Callee::Func(name), .. }
                | InstKind::Overdub { callee: Callee::Func(name), .. } => names.push(*name),
                _ => {
                    if let TyKind::Closure(closure) = func.ty(inst.result).kind() {
                        names.push(closure.code);
                    }
                }
            }
        }
        names
    }
}
