//! The forward transformer: from a function to its pushforward, and those of all callees.

use std::sync::Arc;

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::ir::{Func, Ty};
use overdub_passes::{Limits, Scope};

use super::custom_rules::ruled;
use super::directions::{Directions, ForwardOutputs};
use super::pushforward::Pushforward;
use crate::cotangent_sums::Helpers;
use crate::custom::{CustomRule, TypedCall};
use crate::nd::{KeepArrayOps, expanded};
use crate::sort::ordered;
use crate::transform::Names;
use crate::transform::reverse::{Cause, Refusal, devirtualize};

/// The forward transformer: looks up functions of the program and names the generated ones.
pub(crate) struct ForwardTransformer<'m> {
    names: Names<'m>,
    directions: Directions,
    helpers: Helpers,
    requests: Vec<(Symbol, Vec<bool>)>,
    seen: HashSet<(Symbol, Vec<bool>)>,
    rule_funcs: Vec<Func>,
}

impl<'m> ForwardTransformer<'m> {
    pub(crate) fn new(names: Names<'m>) -> ForwardTransformer<'m> {
        let (requests, seen) = (Vec::new(), HashSet::new());
        let (directions, helpers) = (Directions::ONE, Helpers::default());
        ForwardTransformer { names, directions, helpers, requests, seen, rule_funcs: Vec::new() }
    }

    /// The transformer along these directions at once.
    pub(super) fn with_directions(self, directions: Directions) -> ForwardTransformer<'m> {
        ForwardTransformer { directions, ..self }
    }

    /// The pushforward with tangents of these parameters, followed by those of all callees.
    pub(crate) fn all(mut self, func: &Func, wrt: &[bool]) -> Result<Vec<Func>, Refusal> {
        let refused = |name: Symbol, cause: Cause| cause.refuse(name, func.span);
        let directions = self.directions;
        if directions.outputs == ForwardOutputs::Both {
            self.seen.insert((func.name, wrt.to_vec()));
        }
        let pushforward = self.transform(func, wrt, directions).map_err(|cause| refused(func.name, cause))?;
        let mut funcs = vec![pushforward];
        let mut next = 0;
        while let Some((name, wrt)) = self.requests.get(next).cloned() {
            next += 1;
            let callee = (self.names.lookup)(name).ok_or_else(|| refused(name, Cause::Missing(name)))?;
            let pushforward = self.transform(&callee, &wrt, directions.of_callee());
            funcs.push(pushforward.map_err(|cause| refused(name, cause))?);
        }
        let ForwardTransformer { names, helpers, rule_funcs, .. } = self;
        funcs.extend(rule_funcs);
        funcs.extend(helpers.into_funcs());
        Ok(optimised(funcs, names.lookup))
    }

    fn transform(&mut self, func: &Func, wrt: &[bool], directions: Directions) -> Result<Func, Cause> {
        let scope = Scope::new(self.names.lookup);
        let optimised = overdub_passes::optimise(func, &scope);
        let expanded = expanded(&optimised, KeepArrayOps::Forward, &scope);
        let expanded = expanded.map_err(|error| Cause::Expands(error.message))?;
        let direct = devirtualize(&ordered(&expanded.unwrap_or(optimised))).func;
        let new_name = self.named(func.name, wrt, directions);
        let mut helpers = std::mem::take(&mut self.helpers);
        let pushforward =
            Pushforward::new(&direct, (wrt, directions), &mut helpers, &mut |call, wrt, helpers| {
                self.callee(call, wrt, helpers)
            })
            .all(new_name);
        self.helpers = helpers;
        pushforward
    }

    /// The replacement of an active call: a function, and the type of its result and tangents.
    fn callee(
        &mut self,
        call: &TypedCall,
        wrt: Vec<bool>,
        helpers: &mut Helpers,
    ) -> Result<(Symbol, Ty), Cause> {
        let directions = self.directions.of_callee();
        let returned = directions.returned(call.ret)?;
        if let Some(custom_rule) = call.custom_rule() {
            let name = (self.names.name)(call.func, &label("RuleTangent", &wrt, directions));
            if self.rule_funcs.iter().all(|seen| seen.name != name) {
                self.rule_funcs.push(ruled(call, &custom_rule, (&wrt, directions), name, helpers)?);
                if let CustomRule::Array(rule) = &custom_rule {
                    let seen = |func: &Func| self.rule_funcs.iter().any(|seen| seen.name == func.name);
                    let new = rule.funcs.iter().filter(|func| !seen(func)).map(|func| Func::clone(func));
                    let new: Vec<Func> = new.collect();
                    self.rule_funcs.extend(new);
                }
            }
            return Ok((name, returned));
        }
        if (self.names.lookup)(call.func).is_none() {
            return Err(Cause::Missing(call.func));
        }
        let name = self.named(call.func, &wrt, directions);
        if self.seen.insert((call.func, wrt.clone())) {
            self.requests.push((call.func, wrt));
        }
        Ok((name, returned))
    }

    fn named(&self, func: Symbol, wrt: &[bool], directions: Directions) -> Symbol {
        (self.names.name)(func, &label("Tangent", wrt, directions))
    }
}

fn label(what: &str, wrt: &[bool], directions: Directions) -> String {
    let digits: String = wrt.iter().map(|wrt| if *wrt { '1' } else { '0' }).collect();
    format!("{what}{digits}{}", directions.label())
}

/// Optimises the functions, with the zero functions inlined.
fn optimised(funcs: Vec<Func>, lookup: &dyn Fn(Symbol) -> Option<Arc<Func>>) -> Vec<Func> {
    let funcs: Vec<Arc<Func>> = funcs.into_iter().map(Arc::new).collect();
    let generated = |name: Symbol| funcs.iter().find(|func| func.name == name).cloned();
    let callee = |name: Symbol| generated(name).or_else(|| lookup(name));
    let scope = Scope::new(&callee).with_limits(Limits { callee: 600, total: 20_000 });
    funcs.iter().map(|func| overdub_passes::optimise(func, &scope)).collect()
}
