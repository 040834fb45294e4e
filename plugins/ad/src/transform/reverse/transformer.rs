//! The reverse transformer: from a function to its augmented primal and reverse sweep, and those of all callees.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::is_pure;
use overdub_context::ir::{Callee, Func, InstKind, LoadError, Module, Ty, TyKind};
use overdub_context::{Span, Symbol, ops};
use overdub_passes::{Limits, Scope};

use super::accumulators::Accumulators;
use super::checkpoint_plan::{CheckpointPlan, Demands};
use super::custom_rules::RuledCall;
use super::devirtualize::{Devirtualized, Kept};
use super::forward_sweep::{AugmentedPrimal, forward};
use super::loop_fusion::fuse_loops;
use super::memory::{InnerLoop, LoopCall, LoopFuncs, LoopSweeps, Within, outlined_loops};
use super::output::{ReverseOutput, digits};
use super::primal::{ActiveCall, AugmentedCall, CallPullback, CallReplacement, Primal};
use super::recomputation::Recomputation;
use super::recorded_partials::{candidates, with_partials, without_records};
use super::unread::without_unread;
use super::zero_cotangents::without_zeros;
use super::{Cause, Refusal, accumulators, devirtualize, reverse_sweep};
use crate::TapeBound;
use crate::bit_provenance::rounded;
use crate::cotangent::cotangent;
use crate::cotangent_sums::Helpers;
use crate::custom::{CustomRule, TypedCall};
use crate::nd::{KeepArrayOps, expanded};
use crate::sort::ordered;
use crate::transform::Names;
use crate::transform::forward::ForwardTransformer;

/// A function with its reverse transformation.
#[derive(Clone, Debug)]
pub struct Reversed {
    /// `(args, dy) -> (y, dargs)`: the value and, for a cotangent of the result, those of the active arguments.
    pub gradient: Symbol,
    /// `args -> (y, pullback)`: the value and a closure from a cotangent of the result to those of the active
    /// arguments.
    pub split: Symbol,
    /// The type of the cotangents of the result.
    pub seed: Ty,
    /// All generated functions.
    pub funcs: Vec<Arc<Func>>,
}

impl Reversed {
    /// Defines the functions in a module.
    pub fn define(&self, module: &Module) {
        self.funcs.iter().for_each(|func| module.define(func.clone()));
    }
}

/// Transforms a function for reverse mode, with respect to the parameters in `wrt`, and all that it calls.
///
/// # Errors
/// If derivatives flow through something that this transformation does not support.
///
/// ```
/// use overdub_ad::transform::reverse::reverse;
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
    wrt: &[bool],
) -> Result<Reversed, Refusal> {
    let name = |func: Symbol, what: &str| Symbol::new(&format!("{func}{{{what}}}"));
    let lookup = |name: Symbol| lookup(name).ok().flatten();
    let transformer = ReverseTransformer::new(Names { lookup: &lookup, name: &name });
    let outputs = [ReverseOutput::Vjp, ReverseOutput::Pullback];
    let missing = || Cause::Missing(func).refuse(func, Span::unknown());
    let reversed = transformer.all(&lookup(func).ok_or_else(missing)?, wrt, &outputs)?;
    let root = |output: ReverseOutput| name(func, &output.label(wrt));
    let (gradient, split) = (root(ReverseOutput::Vjp), root(ReverseOutput::Pullback));
    Ok(Reversed { gradient, split, seed: reversed.seed, funcs: reversed.funcs })
}

/// The inlining limits before the transformation: higher than elsewhere, since each remaining call allocates
/// a closure for its reverse sweep.
pub(super) const INLINED: Limits = Limits { callee: 600, total: 8000 };

/// The reverse transformer: looks up functions of the program and names the generated ones.
pub(super) struct ReverseTransformer<'m> {
    pub(super) names: Names<'m>,
    pub(super) bound: TapeBound,
    /// Whether loops that are checkpointed count the bytes that they keep.
    pub(super) counts: bool,
    pub(super) recomputation: Recomputation,
}

/// The generated functions of a root function.
pub(super) struct TransformedFuncs {
    /// The type of the cotangents of its result.
    pub(super) seed: Ty,
    pub(super) funcs: Vec<Arc<Func>>,
}

/// The worklist of functions that still have to be transformed.
pub(super) struct Worklist<'m> {
    pub(super) transformer: &'m ReverseTransformer<'m>,
    helpers: Helpers,
    requests: Vec<Request>,
    seen: HashSet<Request>,
    /// The forward transformations of self-recursive callees that could be transformed.
    scalar_forward: HashMap<(Symbol, Vec<bool>), Option<Symbol>>,
    /// Forward transformations of callees, and the sweeps of calls with custom rules.
    rule_funcs: Vec<Func>,
    /// The loops that are called, by the names of their chunks.
    loops: HashMap<Symbol, Rc<LoopCall>>,
    /// The checkpoints' codes that read what was kept, and what that is, by their names.
    pub(super) reading: HashMap<Symbol, (Arc<Func>, Ty)>,
    /// How the run of the loop around a called loop measures it, by the names of their forward sweeps.
    measured: HashMap<Symbol, InnerLoop>,
}

/// The analyses of a function, and its checkpoint plan.
pub(super) struct Planned {
    pub(super) primal: Primal,
    demands: Demands,
    pub(super) plan: CheckpointPlan,
}

impl Planned {
    /// With records of a minimum cut.
    fn by_cut(self) -> Planned {
        let plan = CheckpointPlan::by_cut(&self.primal, &self.demands, self.plan);
        Planned { plan, ..self }
    }
}

/// A function of the program, its active arguments, and the output of its augmented primal.
type Request = (Symbol, Vec<bool>, ReverseOutput);

impl<'m> ReverseTransformer<'m> {
    /// Without a limit of the tape, and with records of what is not cheap to recompute.
    pub(super) fn new(names: Names<'m>) -> ReverseTransformer<'m> {
        ReverseTransformer {
            names,
            bound: TapeBound::Unbounded,
            counts: false,
            recomputation: Recomputation::Cheap,
        }
    }

    /// Transforms a function with these outputs, and all that it calls.
    pub(super) fn all(
        &self,
        root: &Arc<Func>,
        wrt: &[bool],
        outputs: &[ReverseOutput],
    ) -> Result<TransformedFuncs, Refusal> {
        let refused = |cause: Cause| cause.refuse(root.name, root.span);
        let seed = cotangent(root.ret).map_err(refused)?;
        let mut worklist = Worklist {
            transformer: self,
            helpers: Helpers::default(),
            requests: Vec::new(),
            seen: HashSet::new(),
            scalar_forward: HashMap::new(),
            rule_funcs: Vec::new(),
            loops: HashMap::new(),
            reading: HashMap::new(),
            measured: HashMap::new(),
        };
        let mut funcs = worklist.transform(root, wrt, outputs, self.bound.memory()).map_err(refused)?;
        let mut next = 0;
        while let Some((name, wrt, output)) = worklist.requests.get(next).cloned() {
            next += 1;
            let reading = worklist.reading.get(&name).map(|(func, _)| func.clone());
            let func = reading.or_else(|| (self.names.lookup)(name));
            let func = func.ok_or_else(|| refused(Cause::Missing(name)))?;
            let generated = worklist.transform(&func, &wrt, &[output], None);
            // The reverse sweep of a recursive function exists already.
            for func in generated.map_err(|cause| cause.refuse(name, root.span))? {
                if funcs.iter().all(|seen| seen.name != func.name) {
                    funcs.push(func);
                }
            }
        }
        funcs.extend(worklist.rule_funcs);
        funcs.extend(worklist.helpers.into_funcs());
        let has_zeros = outputs == [ReverseOutput::Gradients];
        Ok(TransformedFuncs { seed, funcs: self.optimised(funcs, has_zeros) })
    }

    /// Optimises the functions, with the reverse sweeps and the zero and sum functions inlined, and without cotangents that are
    /// always zero, if there may be some.
    fn optimised(&self, funcs: Vec<Func>, has_zeros: bool) -> Vec<Arc<Func>> {
        let funcs: Vec<Arc<Func>> = funcs.into_iter().map(Arc::new).collect();
        let generated = |name: Symbol| funcs.iter().find(|func| func.name == name).cloned();
        let callee = |name: Symbol| generated(name).or_else(|| (self.names.lookup)(name));
        let optimised = |func: &Arc<Func>| {
            let insts: usize = func.blocks.iter().map(|body| body.insts.len()).sum();
            // A reverse sweep is as long as its forward sweep, or up to twice as long.
            let limits = Limits { callee: usize::MAX, total: Limits::default().total + 4 * insts };
            let scope = Scope::new(&callee).with_limits(limits);
            let mut optimised = overdub_passes::optimise(func, &scope);
            while has_zeros && let Some(shorter) = without_zeros(&optimised) {
                optimised = overdub_passes::optimise(&shorter, &scope);
            }
            let fused = fuse_loops(&optimised).map(|func| overdub_passes::optimise(&func, &scope));
            Arc::new(fused.unwrap_or(optimised))
        };
        funcs.iter().map(optimised).collect()
    }
}

impl Worklist<'_> {
    fn transform(
        &mut self,
        func: &Func,
        wrt: &[bool],
        outputs: &[ReverseOutput],
        memory: Option<usize>,
    ) -> Result<Vec<Func>, Cause> {
        let name = func.name;
        let scope = Scope::new(self.transformer.names.lookup).with_limits(INLINED);
        let optimised = overdub_passes::optimise(func, &scope);
        let rounded = rounded(&optimised).map_err(|_| Cause::Hidden(ops::FROM_BITS.name))?;
        let rounded = rounded.unwrap_or(optimised);
        let expanded = expanded(&rounded, KeepArrayOps::Reverse, &scope);
        let expanded = expanded.map_err(|error| Cause::Expands(error.message))?;
        let direct = devirtualize::devirtualize(&ordered(&expanded.unwrap_or(rounded)));
        let accumulators =
            if outputs == [ReverseOutput::Accumulate] { Accumulators::All } else { Accumulators::Arrays };
        let planned = match memory {
            None => self.planned(direct, wrt, accumulators)?,
            Some(memory) => self.within(memory, direct, wrt, accumulators)?,
        };
        let Planned { primal, plan, .. } = planned;
        let directions = outputs.first().map_or(Ok(1), |output| output.directions(func.ret))?;
        let what = match (accumulators, directions) {
            (Accumulators::All, _) => "AccumulatingSweep".to_owned(),
            (_, 1) => "ReverseSweep".to_owned(),
            (_, several) => format!("ReverseSweepOf{several}"),
        };
        let pullback = self.name(name, &format!("{what}{}", digits(wrt)));
        let backward = reverse_sweep::backward((&primal, directions), &plan, &mut self.helpers, pullback)?;
        let mut funcs = Vec::new();
        for output in outputs {
            let name = self.name(name, &output.label(wrt));
            let augmented = AugmentedPrimal {
                primal: &primal,
                plan: &plan,
                backward: &backward,
                bound: self.transformer.bound,
            };
            let forward = forward(augmented, &mut self.helpers, name, *output)?;
            funcs.push(match output {
                ReverseOutput::Accumulate => {
                    let optimised = overdub_passes::optimise(&forward, &Scope::none());
                    without_unread(&optimised, &|name| self.is_pure(name))
                }
                _ => forward,
            });
        }
        funcs.push(backward.func);
        Ok(funcs)
    }

    /// Whether a function of the program only computes.
    fn is_pure(&self, func: Symbol) -> bool {
        is_pure(&|name| (self.transformer.names.lookup)(name), func)
    }

    /// The function with calls of chunks in place of its long loops.
    fn within(
        &mut self,
        memory: usize,
        direct: Devirtualized,
        wrt: &[bool],
        accumulators: Accumulators,
    ) -> Result<Planned, Cause> {
        let planned = self.planned_as_is(direct.clone(), wrt, accumulators)?;
        let Devirtualized { func, checkpointed } = direct;
        let chunk =
            |number: usize| self.name(func.name, &format!("Chunk{number}of{memory}by{}", digits(wrt)));
        let names = self.transformer.names;
        let of = (&planned.primal, &planned.plan);
        let found = outlined_loops(&func, of, Within::Function, names, &chunk)?;
        let Some(outlined) = found else {
            return self.planned(Devirtualized { func, checkpointed }, wrt, accumulators);
        };
        let counts = self.transformer.counts;
        for chunk in outlined.chunks {
            self.add_loop(LoopCall { chunk, within: Within::Function, memory, counts });
        }
        self.planned(Devirtualized { func: outlined.func, checkpointed }, wrt, accumulators)
    }

    /// The analyses of a function and its plan, with partial derivatives recorded where that replaces a record (PARTIAL1).
    fn planned(
        &mut self,
        direct: Devirtualized,
        wrt: &[bool],
        accumulators: Accumulators,
    ) -> Result<Planned, Cause> {
        let program = direct.func.clone();
        let planned = self.planned_as_is(direct.clone(), wrt, accumulators)?;
        if self.transformer.recomputation == Recomputation::Most {
            return Ok(planned);
        }
        let mut paired = candidates(&program, &planned.primal, &planned.plan);
        while !paired.is_empty() {
            let direct = Devirtualized { func: with_partials(&program, &paired), ..direct.clone() };
            let by_partials = self.planned_as_is(direct, wrt, accumulators)?;
            let replaced = without_records(&paired, &by_partials.plan);
            if replaced.len() == paired.len() {
                return Ok(by_partials.by_cut());
            }
            paired = replaced;
        }
        Ok(planned.by_cut())
    }

    fn planned_as_is(
        &mut self,
        direct: Devirtualized,
        wrt: &[bool],
        accumulators: Accumulators,
    ) -> Result<Planned, Cause> {
        let primal = Primal::of(direct, wrt, accumulators, &mut |flows| self.callee(flows))?;
        let demands = reverse_sweep::demands(&primal, &mut self.helpers)?;
        let plan = CheckpointPlan::new(&primal, &demands, self.transformer.recomputation);
        Ok(Planned { primal, demands, plan })
    }

    /// The replacement of a call of a chunk (WITHIN3).
    fn of_loop(&mut self, call: &TypedCall, of: &LoopCall) -> Result<CallReplacement, Cause> {
        let direct = Devirtualized { func: of.chunk.func.clone(), checkpointed: HashMap::new() };
        let planned = self.planned_as_is(direct, &of.chunk.wrt, of.accumulators())?.by_cut();
        let inner = self.inner_loops(of, &planned)?;
        let names = self.transformer.names;
        let inner = inner.as_ref().map(|inner| (inner, self.measured.clone()));
        let LoopSweeps { sweeps, least, funcs } =
            LoopFuncs { call: of, planned: &planned, inner, names }.all(&mut self.helpers)?;
        self.measured.insert(sweeps, of.measured_as(least));
        for func in funcs {
            self.add_func(func);
        }
        let replacement = becomes(call, &of.chunk.wrt, sweeps, of.accumulators())?;
        Ok(CallReplacement { wrt: Some(of.chunk.wrt.clone()), ..replacement })
    }

    /// A chunk with calls of the loops inside, if it has any.
    fn inner_loops(&mut self, of: &LoopCall, planned: &Planned) -> Result<Option<Planned>, Cause> {
        let func = &of.chunk.func;
        let chunk = |number: usize| self.name(func.name, &format!("Chunk{number}"));
        let names = self.transformer.names;
        let found = outlined_loops(func, (&planned.primal, &planned.plan), Within::Iteration, names, &chunk)?;
        let Some(outlined) = found else { return Ok(None) };
        for chunk in outlined.chunks {
            let (memory, counts) = (of.memory, of.counts);
            self.add_loop(LoopCall { chunk, within: Within::Iteration, memory, counts });
        }
        let direct = Devirtualized { func: outlined.func, checkpointed: HashMap::new() };
        Ok(Some(self.planned_as_is(direct, &of.chunk.wrt, of.accumulators())?.by_cut()))
    }

    /// Adds a loop whose calls are replaced. A call through which no derivative flows stays, so the chunk itself is
    /// needed too.
    fn add_loop(&mut self, call: LoopCall) {
        self.add_func(call.chunk.func.clone());
        self.loops.insert(call.chunk.func.name, Rc::new(call));
    }

    pub(super) fn add_func(&mut self, func: Func) {
        if self.rule_funcs.iter().all(|seen| seen.name != func.name) {
            self.rule_funcs.push(func);
        }
    }

    pub(super) fn name(&self, func: Symbol, what: &str) -> Symbol {
        (self.transformer.names.name)(func, what)
    }

    /// The replacement of an active call.
    fn callee(&mut self, flows: &ActiveCall) -> Result<CallReplacement, Cause> {
        let ActiveCall { call, wrt, checkpoint } = flows;
        if let Some(of) = self.loops.get(&call.func).cloned() {
            return self.of_loop(call, &of);
        }
        match checkpoint {
            None => {}
            Some(Kept::Args) => return Ok(self.checkpointed(call, wrt)),
            Some(Kept::Named(names)) => return self.checkpointed_with(names, call, wrt),
            Some(Kept::Unknown) => return Err(Cause::UnknownNames),
        }
        if let Some(rule) = call.custom_rule() {
            return self.by_custom_rule(call, &rule, wrt);
        }
        let func = (self.transformer.names.lookup)(call.func).ok_or(Cause::Missing(call.func))?;
        if let Some(tangent) = self.scalar_forward_of(&func, wrt) {
            let augmented = AugmentedCall { func: tangent, pullback: func.ret };
            return Ok(CallReplacement {
                pullback: CallPullback::Slope(augmented),
                accumulators: Accumulators::Arrays,
                wrt: None,
            });
        }
        let augmented = self.name(call.func, &ReverseOutput::Sweeps.label(wrt));
        self.request((call.func, wrt.clone(), ReverseOutput::Sweeps));
        becomes(call, wrt, augmented, Accumulators::Arrays)
    }

    pub(super) fn request(&mut self, request: Request) {
        if self.seen.insert(request.clone()) {
            self.requests.push(request);
        }
    }

    /// The replacement of a call with a custom rule.
    fn by_custom_rule(
        &mut self,
        call: &TypedCall,
        rule: &CustomRule,
        wrt: &[bool],
    ) -> Result<CallReplacement, Cause> {
        let named = |what: &str| self.name(call.func, &format!("{what}{}", digits(wrt)));
        let (augmented, pullback) = (named("RuleForward"), named("RuleReverse"));
        if self.rule_funcs.iter().all(|seen| seen.name != augmented) {
            let sweeps = RuledCall { call, wrt, augmented, pullback }.sweeps(rule, &mut self.helpers)?;
            for func in sweeps {
                self.add_func(func);
            }
        }
        becomes(call, wrt, augmented, Accumulators::Arrays)
    }

    /// The forward transformation of a callee that returns a float, is active in one float argument, and
    /// calls itself: a reverse sweep would allocate a closure for each call, whereas a derivative is one
    /// number.
    fn scalar_forward_of(&mut self, func: &Func, wrt: &[bool]) -> Option<Symbol> {
        let mut varies = func.param_tys().zip(wrt).filter(|(_, wrt)| **wrt);
        let is_float = matches!(func.ret.kind(), TyKind::Float(_));
        if !is_float || varies.next()?.0 != func.ret || varies.next().is_some() || !calls_itself(func) {
            return None;
        }
        let key = (func.name, wrt.to_vec());
        if let Some(seen) = self.scalar_forward.get(&key) {
            return *seen;
        }
        let pushforward = ForwardTransformer::new(self.transformer.names).all(func, wrt).ok();
        let name = pushforward.as_ref().and_then(|pushforward| pushforward.first()).map(|func| func.name);
        for func in pushforward.into_iter().flatten() {
            if self.rule_funcs.iter().all(|seen| seen.name != func.name) {
                self.rule_funcs.push(func);
            }
        }
        self.scalar_forward.insert(key, name);
        name
    }
}

/// The replacement of a call whose reverse sweep is a function value.
fn becomes(
    call: &TypedCall,
    wrt: &[bool],
    func: Symbol,
    accumulators: Accumulators,
) -> Result<CallReplacement, Cause> {
    let (params, ret) = accumulators::signature(&call.params, wrt, call.ret, accumulators)?;
    let augmented = AugmentedCall { func, pullback: Ty::func(params, ret) };
    Ok(CallReplacement { pullback: CallPullback::Function(augmented), accumulators, wrt: None })
}

fn calls_itself(func: &Func) -> bool {
    let mut insts = func.blocks.iter().flat_map(|body| &body.insts);
    insts.any(
        |inst| matches!(&inst.kind, InstKind::Call { callee: Callee::Func(name), .. } if *name == func.name),
    )
}
