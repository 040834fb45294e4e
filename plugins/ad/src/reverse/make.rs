//! From a function to the functions that go there and back.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Callee, Func, InstKind, LoadError, Module, Ty, TyKind};
use overdub_context::{Span, Symbol, ops};
use overdub_passes::{Limits, Scope};

use super::backward::Hands;
use super::cotangent::{Helpers, cotangent};
use super::forward::{Ending, There, forward};
use super::plan::Plan;
use super::primal::{Back, Becomes, Flows, Primal};
use super::ruled::Ruled;
use super::together::together;
use super::{Cause, Refusal, backward, direct};
use crate::bits::rounded;
use crate::custom::{Call, Own};
use crate::nd::{Keeps, expanded};
use crate::sorted::ordered;
use crate::tangent;
use crate::transform::Names;

/// A function that takes its own way back.
#[derive(Clone, Debug)]
pub struct Reversed {
    /// `(args, dy) -> (y, dargs)`: the value and, for a cotangent of the result, those of the wanted arguments.
    pub gradient: Symbol,
    /// `args -> (y, pullback)`: the value and a closure from a cotangent of the result to those of the wanted arguments.
    pub split: Symbol,
    /// The type of the cotangents of the result.
    pub seed: Ty,
    /// All functions that were made.
    pub funcs: Vec<Arc<Func>>,
}

impl Reversed {
    /// Defines the functions in a module.
    pub fn define(&self, module: &Module) {
        self.funcs.iter().for_each(|func| module.define(func.clone()));
    }
}

/// Makes the way back of a function, with respect to the parameters of `wanted`, and of all that it calls.
///
/// # Errors
/// Where derivatives flow in a way that this transformation does not follow.
///
/// ```
/// use overdub_ad::reverse::reverse;
/// use overdub_context::interp::Interpreter;
/// use overdub_context::{text, value::Value};
///
/// let module = text::parse("fn @f(%x: f64) -> f64 {\n %y: f64 = mul %x, %x\n ret %y\n}")?.module();
/// let reversed = reverse(&|name| module.func(name), "f".into(), &[true])?;
/// reversed.define(&module);
/// let args = vec![Value::F64(3.0), Value::F64(1.0)];
/// let both = Interpreter::new(&module).run(reversed.gradient, args)?;
/// assert_eq!(both.to_string(), "(9.0, (6.0,))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reverse(
    lookup: &dyn Fn(Symbol) -> Result<Option<Arc<Func>>, LoadError>,
    func: Symbol,
    wanted: &[bool],
) -> Result<Reversed, Refusal> {
    let name = |func: Symbol, what: &str| Symbol::new(&format!("{func}{{{what}}}"));
    let lookup = |name: Symbol| lookup(name).ok().flatten();
    let maker = Maker { names: Names { lookup: &lookup, name: &name }, limit: None };
    let endings = [Ending::Joined, Ending::Closure];
    let missing = || Cause::Missing(func).refuse(func, Span::unknown());
    let made = maker.all(&lookup(func).ok_or_else(missing)?, wanted, &endings)?;
    let root = |ending: Ending| name(func, &ending.what(wanted));
    let (gradient, split) = (root(Ending::Joined), root(Ending::Closure));
    Ok(Reversed { gradient, split, seed: made.seed, funcs: made.funcs })
}

/// What is inlined before a way back is made: more than elsewhere, since a call that stays takes a closure for its way
/// back each time.
const INLINED: Limits = Limits { callee: 600, total: 8000 };

/// Makes functions.
pub(super) struct Maker<'m> {
    pub(super) names: Names<'m>,
    /// The bytes that a tape may take, if somebody says so.
    pub(super) limit: Option<usize>,
}

/// What was made of a function.
pub(super) struct Made {
    /// The type of the cotangents of its result.
    pub(super) seed: Ty,
    pub(super) funcs: Vec<Arc<Func>>,
}

/// What is being made, and what is still asked for.
struct Making<'m> {
    maker: &'m Maker<'m>,
    helpers: Helpers,
    asked: Vec<Asked>,
    known: HashSet<Asked>,
    /// The functions with a tangent that calls become, where one could be made.
    slopes: HashMap<(Symbol, Vec<bool>), Option<Symbol>>,
    /// Functions with a tangent, and ways there and back of what has a rule of its own.
    others: Vec<Func>,
}

/// A function of the program, the arguments that vary, and what its way there ends in.
type Asked = (Symbol, Vec<bool>, Ending);

impl Maker<'_> {
    /// The functions for a function with these endings, and for all that it calls.
    pub(super) fn all(&self, root: &Arc<Func>, wanted: &[bool], endings: &[Ending]) -> Result<Made, Refusal> {
        let refused = |cause: Cause| cause.refuse(root.name, root.span);
        let seed = cotangent(root.ret).map_err(refused)?;
        let mut making = Making {
            maker: self,
            helpers: Helpers::default(),
            asked: Vec::new(),
            known: HashSet::new(),
            slopes: HashMap::new(),
            others: Vec::new(),
        };
        let mut funcs = making.make(root, wanted, endings).map_err(refused)?;
        let mut next = 0;
        while let Some((name, wanted, ending)) = making.asked.get(next).cloned() {
            next += 1;
            let func = (self.names.lookup)(name).ok_or_else(|| refused(Cause::Missing(name)))?;
            let made = making.make(&func, &wanted, &[ending]);
            // What calls itself has its way back already.
            for func in made.map_err(|cause| cause.refuse(name, root.span))? {
                if funcs.iter().all(|known| known.name != func.name) {
                    funcs.push(func);
                }
            }
        }
        funcs.extend(making.others);
        funcs.extend(making.helpers.into_funcs());
        Ok(Made { seed, funcs: self.optimised(funcs) })
    }

    /// The functions optimised, with ways back and what makes zeros and sums inlined.
    fn optimised(&self, funcs: Vec<Func>) -> Vec<Arc<Func>> {
        let funcs: Vec<Arc<Func>> = funcs.into_iter().map(Arc::new).collect();
        let own = |name: Symbol| funcs.iter().find(|func| func.name == name).cloned();
        let callee = |name: Symbol| own(name).or_else(|| (self.names.lookup)(name));
        let optimised = |func: &Arc<Func>| {
            let insts: usize = func.blocks.iter().map(|body| body.insts.len()).sum();
            // A way back is as long as its way there, twice perhaps.
            let limits = Limits { callee: usize::MAX, total: Limits::default().total + 4 * insts };
            let scope = Scope::new(&callee).with_limits(limits);
            let optimised = overdub_passes::optimise(func, &scope);
            let together = together(&optimised).map(|func| overdub_passes::optimise(&func, &scope));
            Arc::new(together.unwrap_or(optimised))
        };
        funcs.iter().map(optimised).collect()
    }
}

impl Making<'_> {
    fn make(&mut self, func: &Func, wanted: &[bool], endings: &[Ending]) -> Result<Vec<Func>, Cause> {
        let name = func.name;
        let scope = Scope::new(self.maker.names.lookup).with_limits(INLINED);
        let optimised = overdub_passes::optimise(func, &scope);
        let rounded = rounded(&optimised).map_err(|_| Cause::Hidden(ops::FROM_BITS.name))?;
        let rounded = rounded.unwrap_or(optimised);
        let expanded = expanded(&rounded, Keeps::Back, &scope);
        let expanded = expanded.map_err(|error| Cause::Expands(error.message))?;
        let direct = direct::direct(&ordered(&expanded.unwrap_or(rounded)));
        let hands = if endings == [Ending::Onto] { Hands::All } else { Hands::Arrays };
        let primal = Primal::of(direct, wanted, hands, &mut |flows| self.callee(flows))?;
        let demands = backward::demands(&primal, &mut self.helpers)?;
        let plan = Plan::new(&primal, &demands);
        let what = if hands == Hands::All { "BackOnto" } else { "Back" };
        let back = self.name(name, &format!("{what}{}", digits(wanted)));
        let backward = backward::backward(&primal, &plan, &mut self.helpers, back)?;
        let mut funcs = Vec::new();
        for ending in endings {
            let name = self.name(name, &ending.what(wanted));
            let there = There { primal: &primal, plan: &plan, backward: &backward, limit: self.maker.limit };
            funcs.push(forward(there, &mut self.helpers, name, *ending)?);
        }
        funcs.push(backward.func);
        Ok(funcs)
    }

    fn name(&self, func: Symbol, what: &str) -> Symbol {
        (self.maker.names.name)(func, what)
    }

    /// What a call becomes.
    fn callee(&mut self, flows: &Flows) -> Result<Becomes, Cause> {
        let Flows { call, wanted, is_again } = flows;
        if *is_again {
            return self.again(call, wanted);
        }
        if let Some(own) = call.own() {
            return self.ruled(call, &own, wanted);
        }
        let func = (self.maker.names.lookup)(call.func).ok_or(Cause::Missing(call.func))?;
        if let Some(slope) = self.slope(&func, wanted) {
            return Ok(Becomes { func: slope, back: func.ret, is: Back::Slope, hands: Hands::Arrays });
        }
        let there = self.name(call.func, &Ending::Split.what(wanted));
        self.ask((call.func, wanted.clone(), Ending::Split));
        becomes(call, wanted, there, Hands::Arrays)
    }

    fn ask(&mut self, asked: Asked) {
        if self.known.insert(asked.clone()) {
            self.asked.push(asked);
        }
    }

    /// What a call becomes whose function has a rule of its own.
    fn ruled(&mut self, call: &Call, own: &Own, wanted: &[bool]) -> Result<Becomes, Cause> {
        let named = |what: &str| self.name(call.func, &format!("{what}{}", digits(wanted)));
        let (there, back) = (named("RuledThere"), named("RuledBack"));
        if self.others.iter().all(|known| known.name != there) {
            let made = Ruled { call, wanted, there, back }.made(own, &mut self.helpers)?;
            for func in made {
                if self.others.iter().all(|known| known.name != func.name) {
                    self.others.push(func);
                }
            }
        }
        becomes(call, wanted, there, Hands::Arrays)
    }

    /// What a call becomes that is run again on the way back.
    fn again(&mut self, call: &Call, wanted: &[bool]) -> Result<Becomes, Cause> {
        let there = self.name(call.func, &format!("AgainThere{}", digits(wanted)));
        let back = self.name(call.func, &Ending::Onto.what(wanted));
        if self.others.iter().all(|known| known.name != there) {
            self.others.push(Ruled { call, wanted, there, back }.again(back)?);
            self.ask((call.func, wanted.to_vec(), Ending::Onto));
        }
        becomes(call, wanted, there, Hands::All)
    }

    /// The function with a tangent that a call becomes whose result is a float, and of whose arguments one float varies,
    /// if it calls itself: a way back would be a closure for each call, a slope is a number.
    fn slope(&mut self, func: &Func, wanted: &[bool]) -> Option<Symbol> {
        let mut varies = func.param_tys().zip(wanted).filter(|(_, wanted)| **wanted);
        let is_float = matches!(func.ret.kind(), TyKind::Float(_));
        if !is_float || varies.next()?.0 != func.ret || varies.next().is_some() || !calls_itself(func) {
            return None;
        }
        let key = (func.name, wanted.to_vec());
        if let Some(known) = self.slopes.get(&key) {
            return *known;
        }
        let made = tangent::Maker::new(self.maker.names).all(func, wanted).ok();
        let name = made.as_ref().and_then(|made| made.first()).map(|func| func.name);
        for func in made.into_iter().flatten() {
            if self.others.iter().all(|known| known.name != func.name) {
                self.others.push(func);
            }
        }
        self.slopes.insert(key, name);
        name
    }
}

/// What a call becomes whose way back is a function value.
fn becomes(call: &Call, wanted: &[bool], func: Symbol, hands: Hands) -> Result<Becomes, Cause> {
    let (takes, gives) = backward::signature(&call.params, wanted, call.ret, hands)?;
    Ok(Becomes { func, back: Ty::func(takes, gives), is: Back::Function, hands })
}

fn calls_itself(func: &Func) -> bool {
    let mut insts = func.blocks.iter().flat_map(|body| &body.insts);
    insts.any(
        |inst| matches!(&inst.kind, InstKind::Call { callee: Callee::Func(name), .. } if *name == func.name),
    )
}

impl Ending {
    /// What the function with this ending is, with respect to these arguments.
    pub(super) fn what(self, wanted: &[bool]) -> String {
        let what = match self {
            Ending::Split => "There",
            Ending::Closure => "Reverse",
            Ending::Joined => "Gradient",
            Ending::OfOne => "GradientOfOne",
            Ending::Onto => "Onto",
        };
        format!("{what}{}", digits(wanted))
    }
}

fn digits(wanted: &[bool]) -> String {
    wanted.iter().map(|wanted| if *wanted { '1' } else { '0' }).collect()
}
