//! Reverse mode by source transformation: a function becomes one that also gives its way back.
//!
//! After Innes, *Don't Unroll Adjoint* (2019), on inlined and optimised code as Enzyme does it: each block has a way
//! back, how blocks were entered and what is needed of repeated ones is kept on typed stacks, what is cheap is
//! computed again. What comes out is ordinary IR: arithmetic, structure, stacks, and so it is differentiated again.
//!
//! Programs that keep derivatives where no type shows them (in cells, behind function values) are refused with a
//! reason; the recording reverse mode takes them.

mod activity;
mod add;
mod adjoint;
mod alive;
mod arrays;
mod backward;
mod cotangent;
mod direct;
mod enums;
mod forward;
mod plan;
mod primal;
mod shape;
mod values;
mod ways;

use std::sync::Arc;

use hashbrown::HashSet;
use overdub_context::ir::{BuildError, Func, LoadError, Module, Ty};
use overdub_context::{Span, Symbol};
use overdub_passes::{Limits, Scope};

use cotangent::Helpers;
use forward::Ending;
use plan::Plan;
use primal::Primal;

/// Where functions are looked up.
pub type Lookup<'l> = dyn Fn(Symbol) -> Result<Option<Arc<Func>>, LoadError> + 'l;

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

/// Why a function has no way back by source transformation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{func}` at {span}: {cause}")]
pub struct Refusal {
    /// The function.
    pub func: Symbol,
    /// The place in it.
    pub span: Span,
    /// The reason.
    pub cause: Cause,
}

/// Reasons for which a function has no way back by source transformation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Cause {
    /// A function is not there, or cannot be had.
    #[error("there is no function `{0}` to go into")]
    Missing(Symbol),
    /// No way through the function returns.
    #[error("the function never returns")]
    NeverReturns,
    /// A loop is entered in two places.
    #[error("a loop is entered in two places")]
    Irreducible,
    /// Derivatives flow through values of a type whose cotangents have no type yet.
    #[error("derivatives flow through values of type `{0}`")]
    Type(Ty),
    /// Derivatives flow where no type shows them.
    #[error("derivatives flow through `{0}` into what no type shows")]
    Hidden(&'static str),
    /// Derivatives flow through the call of a function value.
    #[error("derivatives flow through the call of a function value")]
    Call,
    /// An operation has no derivative.
    #[error("`{0}` has no derivative: {1}")]
    Refused(&'static str, &'static str),
    /// An operation has no rule here.
    #[error("`{0}` has no rule for the way back")]
    NoRule(&'static str),
    /// What was built does not fit together.
    #[error(transparent)]
    Build(BuildError),
    /// A reason with its place.
    #[error("{0}")]
    At(Box<Cause>, Span),
}

impl Cause {
    fn at(self, span: Span) -> Cause {
        match self {
            Cause::At(..) => self,
            cause if span.is_known() => Cause::At(Box::new(cause), span),
            cause => cause,
        }
    }

    fn refuse(self, func: Symbol, span: Span) -> Refusal {
        match self {
            Cause::At(cause, span) => Refusal { func, span, cause: *cause },
            cause => Refusal { func, span, cause },
        }
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
pub fn reverse(lookup: &Lookup<'_>, func: Symbol, wanted: &[bool]) -> Result<Reversed, Refusal> {
    let mut maker =
        Reverser { lookup, helpers: Helpers::default(), asked: Vec::new(), known: HashSet::new() };
    let names = Names::of(func, wanted);
    let (root, seed) = maker.signature(func).map_err(|cause| cause.refuse(func, Span::unknown()))?;
    maker.ask(func, wanted.to_vec());
    let mut funcs = Vec::new();
    let mut next = 0;
    while let Some((name, wanted)) = maker.asked.get(next).cloned() {
        next += 1;
        let made = maker.make(name, &wanted, name == func && next == 1);
        funcs.extend(made.map_err(|cause| cause.refuse(name, root.span))?);
    }
    funcs.extend(maker.helpers.into_funcs());
    let funcs = optimised(funcs, lookup);
    Ok(Reversed { gradient: names.gradient, split: names.closure, seed, funcs })
}

struct Reverser<'r> {
    lookup: &'r Lookup<'r>,
    helpers: Helpers,
    asked: Vec<(Symbol, Vec<bool>)>,
    known: HashSet<(Symbol, Vec<bool>)>,
}

/// What the functions that are made of one are called.
struct Names {
    gradient: Symbol,
    closure: Symbol,
    split: Symbol,
    back: Symbol,
}

impl Names {
    fn of(func: Symbol, wanted: &[bool]) -> Names {
        let which: String = wanted.iter().map(|wanted| if *wanted { '1' } else { '0' }).collect();
        let name = |what: &str| Symbol::new(&format!("{func}{{{what}#{which}}}"));
        Names {
            gradient: name("Gradient"),
            closure: name("Reverse"),
            split: name("There"),
            back: name("Back"),
        }
    }
}

impl Reverser<'_> {
    fn func(&self, name: Symbol) -> Result<Arc<Func>, Cause> {
        (self.lookup)(name).ok().flatten().ok_or(Cause::Missing(name))
    }

    fn signature(&self, name: Symbol) -> Result<(Arc<Func>, Ty), Cause> {
        let func = self.func(name)?;
        let seed = cotangent::cotangent(func.ret)?;
        Ok((func, seed))
    }

    fn ask(&mut self, name: Symbol, wanted: Vec<bool>) {
        if self.known.insert((name, wanted.clone())) {
            self.asked.push((name, wanted));
        }
    }

    fn make(&mut self, name: Symbol, wanted: &[bool], outermost: bool) -> Result<Vec<Func>, Cause> {
        let func = self.func(name)?;
        let callee = |name| (self.lookup)(name).ok().flatten();
        let optimised = overdub_passes::optimise(&func, &Scope::new(&callee));
        let names = Names::of(name, wanted);
        let direct = direct::direct(&optimised);
        let primal = Primal::of(&direct, wanted, &mut |callee, wanted| self.callee(callee, wanted))?;
        let demands = backward::demands(&primal, &mut self.helpers)?;
        let plan = Plan::new(&primal, &demands);
        let backward = backward::backward(&primal, &plan, &mut self.helpers, names.back)?;
        let mut funcs = Vec::new();
        let split = [(Ending::Split, names.split)];
        let whole = [(Ending::Joined, names.gradient), (Ending::Closure, names.closure)];
        for (ending, name) in split.iter().chain(whole.iter().filter(|_| outermost)) {
            funcs.push(forward::forward(&primal, &plan, &backward, &mut self.helpers, *name, *ending)?);
        }
        funcs.push(backward.func);
        Ok(funcs)
    }

    /// What a call becomes.
    fn callee(&mut self, name: Symbol, wanted: Vec<bool>) -> Result<(Symbol, Ty), Cause> {
        let func = self.func(name)?;
        let params: Vec<Ty> = func.param_tys().collect();
        let (takes, gives) = backward::signature(&params, &wanted, func.ret)?;
        let names = Names::of(name, &wanted);
        self.ask(name, wanted);
        Ok((names.split, Ty::func(takes, gives)))
    }
}

/// The functions optimised, with ways back and what makes zeros and sums inlined.
fn optimised(funcs: Vec<Func>, lookup: &Lookup<'_>) -> Vec<Arc<Func>> {
    let funcs: Vec<Arc<Func>> = funcs.into_iter().map(Arc::new).collect();
    let own = |name: Symbol| funcs.iter().find(|func| func.name == name).cloned();
    let callee = |name: Symbol| own(name).or_else(|| lookup(name).ok().flatten());
    let limits = Limits { callee: usize::MAX, total: usize::MAX };
    let scope = Scope::new(&callee).with_limits(limits);
    funcs.iter().map(|func| Arc::new(overdub_passes::optimise(func, &scope))).collect()
}
