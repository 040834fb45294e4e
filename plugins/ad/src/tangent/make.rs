//! From a function to the one with tangents, and from all that it calls.

use std::sync::Arc;

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::ir::{Func, Ty};
use overdub_passes::{Limits, Scope};

use super::insts::Insts;
use super::ruled::ruled;
use crate::custom::{Call, Own};
use crate::nd::{Keeps, expanded};
use crate::reverse::{Cause, Helpers, Refusal, cotangent, direct};
use crate::sorted::ordered;
use crate::transform::Names;

/// Makes functions, looking up those of the program, and naming those that it makes of them.
pub(crate) struct Maker<'m> {
    names: Names<'m>,
    helpers: Helpers,
    asked: Vec<(Symbol, Vec<bool>)>,
    known: HashSet<(Symbol, Vec<bool>)>,
    ruled: Vec<Func>,
}

impl<'m> Maker<'m> {
    pub(crate) fn new(names: Names<'m>) -> Maker<'m> {
        let (asked, known) = (Vec::new(), HashSet::new());
        Maker { names, helpers: Helpers::default(), asked, known, ruled: Vec::new() }
    }

    /// The function with tangents of these parameters, and after it all that it calls.
    pub(crate) fn all(mut self, func: &Func, wanted: &[bool]) -> Result<Vec<Func>, Refusal> {
        let refused = |name: Symbol, cause: Cause| cause.refuse(name, func.span);
        self.known.insert((func.name, wanted.to_vec()));
        let made = self.make(func, wanted).map_err(|cause| refused(func.name, cause))?;
        let mut funcs = vec![made];
        let mut next = 0;
        while let Some((name, wanted)) = self.asked.get(next).cloned() {
            next += 1;
            let callee = (self.names.lookup)(name).ok_or_else(|| refused(name, Cause::Missing(name)))?;
            funcs.push(self.make(&callee, &wanted).map_err(|cause| refused(name, cause))?);
        }
        let Maker { names, helpers, ruled, .. } = self;
        funcs.extend(ruled);
        funcs.extend(helpers.into_funcs());
        Ok(optimised(funcs, names.lookup))
    }

    fn make(&mut self, func: &Func, wanted: &[bool]) -> Result<Func, Cause> {
        let scope = Scope::new(self.names.lookup);
        let optimised = overdub_passes::optimise(func, &scope);
        let expanded = expanded(&optimised, Keeps::Along, &scope);
        let expanded = expanded.map_err(|error| Cause::Expands(error.message))?;
        let direct = direct(&ordered(&expanded.unwrap_or(optimised))).func;
        let own = self.named(func.name, wanted);
        let mut helpers = std::mem::take(&mut self.helpers);
        let made = Insts::new(&direct, wanted, &mut helpers, &mut |call, wanted, helpers| {
            self.callee(call, wanted, helpers)
        })
        .all(own);
        self.helpers = helpers;
        made
    }

    /// What a call becomes: a function, and the type of its result and tangent.
    fn callee(
        &mut self,
        call: &Call,
        wanted: Vec<bool>,
        helpers: &mut Helpers,
    ) -> Result<(Symbol, Ty), Cause> {
        let gives = Ty::tuple([call.ret, cotangent(call.ret)?]);
        if let Some(own) = call.own() {
            let name = (self.names.name)(call.func, &format!("RuledTangent{}", digits(&wanted)));
            if self.ruled.iter().all(|known| known.name != name) {
                self.ruled.push(ruled(call, &own, &wanted, name, helpers)?);
                if let Own::Array(rule) = &own {
                    let known = |func: &Func| self.ruled.iter().any(|known| known.name == func.name);
                    let new = rule.funcs.iter().filter(|func| !known(func)).map(|func| Func::clone(func));
                    let new: Vec<Func> = new.collect();
                    self.ruled.extend(new);
                }
            }
            return Ok((name, gives));
        }
        if (self.names.lookup)(call.func).is_none() {
            return Err(Cause::Missing(call.func));
        }
        let name = self.named(call.func, &wanted);
        if self.known.insert((call.func, wanted.clone())) {
            self.asked.push((call.func, wanted));
        }
        Ok((name, gives))
    }

    fn named(&self, func: Symbol, wanted: &[bool]) -> Symbol {
        (self.names.name)(func, &format!("Tangent{}", digits(wanted)))
    }
}

fn digits(wanted: &[bool]) -> String {
    wanted.iter().map(|wanted| if *wanted { '1' } else { '0' }).collect()
}

/// The functions optimised, with what makes zeros inlined.
fn optimised(funcs: Vec<Func>, lookup: &dyn Fn(Symbol) -> Option<Arc<Func>>) -> Vec<Func> {
    let funcs: Vec<Arc<Func>> = funcs.into_iter().map(Arc::new).collect();
    let own = |name: Symbol| funcs.iter().find(|func| func.name == name).cloned();
    let callee = |name: Symbol| own(name).or_else(|| lookup(name));
    let scope = Scope::new(&callee).with_limits(Limits { callee: 600, total: 20_000 });
    funcs.iter().map(|func| overdub_passes::optimise(func, &scope)).collect()
}
