//! From a function to the one with tangents, and from all that it calls.

use std::sync::Arc;

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::ir::{Func, Ty};
use overdub_passes::{Limits, Scope};

use super::insts::Insts;
use crate::reverse::{Cause, Helpers, Refusal, cotangent, direct};

/// Makes functions, looking up those of the program, and naming those that it makes of them.
pub(crate) struct Maker<'m> {
    lookup: &'m dyn Fn(Symbol) -> Option<Arc<Func>>,
    name: &'m dyn Fn(Symbol, &str) -> Symbol,
    helpers: Helpers,
    asked: Vec<(Symbol, Vec<bool>)>,
    known: HashSet<(Symbol, Vec<bool>)>,
}

impl<'m> Maker<'m> {
    pub(crate) fn new(
        lookup: &'m dyn Fn(Symbol) -> Option<Arc<Func>>,
        name: &'m dyn Fn(Symbol, &str) -> Symbol,
    ) -> Maker<'m> {
        Maker { lookup, name, helpers: Helpers::default(), asked: Vec::new(), known: HashSet::new() }
    }

    /// The function with tangents of these parameters, and after it all that it calls.
    pub(crate) fn all(mut self, func: &Func, wanted: &[bool]) -> Result<Vec<Func>, Refusal> {
        let mut funcs = Vec::new();
        self.asked.push((func.name, wanted.to_vec()));
        self.known.insert((func.name, wanted.to_vec()));
        let mut next = 0;
        while let Some((name, wanted)) = self.asked.get(next).cloned() {
            next += 1;
            funcs.push(self.make(name, &wanted).map_err(|cause| cause.refuse(name, func.span))?);
        }
        let Maker { lookup, helpers, .. } = self;
        funcs.extend(helpers.into_funcs());
        Ok(optimised(funcs, lookup))
    }

    fn make(&mut self, name: Symbol, wanted: &[bool]) -> Result<Func, Cause> {
        let func = (self.lookup)(name).ok_or(Cause::Missing(name))?;
        let optimised = overdub_passes::optimise(&func, &Scope::new(self.lookup));
        let direct = direct(&optimised);
        let own = self.named(name, wanted);
        let mut helpers = std::mem::take(&mut self.helpers);
        let made = Insts::new(&direct, wanted, &mut helpers, &mut |callee, wanted| {
            let ret = (self.lookup)(callee).ok_or(Cause::Missing(callee))?.ret;
            let given = Ty::tuple([ret, cotangent(ret)?]);
            if self.known.insert((callee, wanted.clone())) {
                self.asked.push((callee, wanted.clone()));
            }
            Ok((self.named(callee, &wanted), given))
        })
        .all(own);
        self.helpers = helpers;
        made
    }

    fn named(&self, func: Symbol, wanted: &[bool]) -> Symbol {
        let digits: String = wanted.iter().map(|wanted| if *wanted { '1' } else { '0' }).collect();
        (self.name)(func, &format!("Tangent{digits}"))
    }
}

/// The functions optimised, with what makes zeros inlined.
fn optimised(funcs: Vec<Func>, lookup: &dyn Fn(Symbol) -> Option<Arc<Func>>) -> Vec<Func> {
    let funcs: Vec<Arc<Func>> = funcs.into_iter().map(Arc::new).collect();
    let own = |name: Symbol| funcs.iter().find(|func| func.name == name).cloned();
    let callee = |name: Symbol| own(name).or_else(|| lookup(name));
    let scope = Scope::new(&callee).with_limits(Limits { callee: 600, total: 20_000 });
    funcs.iter().map(|func| overdub_passes::optimise(func, &scope)).collect()
}
