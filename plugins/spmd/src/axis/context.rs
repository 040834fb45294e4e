//! The context under which collectives of an axis run: it types every value as varying or replicated, and casts.
//!
//! - AXIS3 collectives that the context has seen are marked as typed. Others fail on a bound axis.
//! - AXIS4 ranks that call different collectives fail, instead of waiting for each other.

use std::sync::Arc;

use hashbrown::HashMap;
use overdub_context::engine::{Body, Context, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::{Callee, Func, Inst, InstKind, Operand};
use overdub_context::ops::OpDef;
use overdub_context::{Span, Symbol, codes};
use overdub_passes::{Limits, Scope, optimise};

use super::cast::Cast;
use super::ops::{ALL, communicates, is_transpose, shown};
use super::varying::Varying;

/// Lets collectives of one axis communicate with the ranks that it is [bound](crate::bind) to.
///
/// Arguments vary, each rank has its own, unless they are said to be [replicated](OnAxis::replicated). Each value in the
/// function is then varying or replicated, and derivatives are right by construction: the cotangent of what is replicated
/// is summed over the ranks, and is the same on all. The gradient of a result that varies is that of its sum over the ranks.
///
/// A collective under a branch whose condition varies is an error, since ranks would wait for others forever. Functions that
/// use collectives are inlined into the one that is called, and may not call themselves.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Communicator, OnAxis, bind, pmax, psum, ranks};
///
/// /// A weighted sum over all ranks, relative to the greatest weight.
/// #[dub]
/// fn weighted(x: f64, weight: f64, scale: f64) -> f64 {
///     psum(x * weight * scale, "ranks") / pmax(weight, "ranks") + scale * scale
/// }
///
/// let found = ranks(2, |rank| {
///     let (x, weight) = [(3.0, 0.5), (5.0, 2.0)][rank.index()];
///     let on_axis = OnAxis::new("ranks").replicated(["scale"]);
///     bind("ranks", &rank, || value_and_gradient(under(on_axis, weighted), (x, weight, 2.0)))
/// })?;
/// // (3 · 0.5 + 5 · 2) · 2 / 2 + 2²; the derivative by the scale counts the square once.
/// assert_eq!(found[0], (15.5, (0.5, 3.0, 5.75 + 4.0)));
/// assert_eq!(found[1], (15.5, (2.0, 5.0 - 5.75, 5.75 + 4.0)));
/// # Ok::<(), overdub::spmd::RanksError<overdub::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OnAxis {
    axis: Arc<str>,
    replicated: Vec<String>,
    result_is_replicated: bool,
}

impl OnAxis {
    /// The collectives of the axis of this name; all arguments vary.
    pub fn new(axis: &str) -> OnAxis {
        OnAxis { axis: axis.into(), replicated: Vec::new(), result_is_replicated: false }
    }

    /// All ranks pass the same for these arguments, by name or number from 0: a run fails if they do not.
    #[must_use]
    pub fn replicated<N: Into<String>>(mut self, arguments: impl IntoIterator<Item = N>) -> OnAxis {
        self.replicated.extend(arguments.into_iter().map(N::into));
        self
    }

    /// Refuses the function unless its result is the same on all ranks, as that of a loss should be.
    #[must_use]
    pub fn result_is_replicated(mut self) -> OnAxis {
        self.result_is_replicated = true;
        self
    }

    /// For each parameter, whether it varies.
    fn params(&self, func: &Func) -> Result<Vec<bool>, PassError> {
        let names: Vec<String> =
            func.params().iter().map(|param| func.var_label(*param).to_string()).collect();
        let names: Vec<&str> = names.iter().map(|name| name.trim_start_matches('%')).collect();
        let mut vary = vec![true; names.len()];
        for argument in &self.replicated {
            let at = argument.parse().ok().or_else(|| names.iter().position(|name| name == argument));
            let place = at.and_then(|at: usize| vary.get_mut(at)).ok_or_else(|| PassError {
                code: codes::CONTEXT,
                message: format!("there is no argument `{argument}` that could be replicated"),
                span: func.span,
                help: Some(format!("the arguments are: {}", names.join(", "))),
            })?;
            *place = false;
        }
        Ok(vary)
    }

    /// Whether an instruction is a collective of this axis; fails if its axis is not a constant.
    fn is_collective(&self, inst: &Inst) -> Result<bool, PassError> {
        let Some((op, args)) = collective(inst) else { return Ok(false) };
        let axis = args.len().checked_sub(2).and_then(|at| args.get(at)).and_then(Operand::constant);
        let Some(axis) = axis.and_then(|axis| axis.value().as_str()) else {
            return Err(PassError {
                code: codes::CONTEXT,
                message: format!("the axis of `{}` is not a constant", shown(op)),
                span: inst.span,
                help: Some("name the axis in the function that is called under `OnAxis`".to_owned()),
            });
        };
        if *axis != *self.axis {
            return Ok(false);
        }
        let is_typed = args.last().and_then(Operand::constant).and_then(|last| last.value().as_bool());
        if is_transpose(op) && is_typed != Some(true) {
            // It was differentiated before its values were typed: no cotangent is summed over the ranks (AXIS1).
            return Err(PassError {
                code: codes::CONTEXT,
                message: format!("a derivative inside communicates on the axis `{axis}`"),
                span: inst.span,
                help: Some(
                    "differentiate the whole function under the context, as by `(ADCtx, OnAxis)`".to_owned(),
                ),
            });
        }
        Ok(true)
    }
}

/// A collective with its operands.
fn collective(inst: &Inst) -> Option<(&'static OpDef, &[Operand])> {
    match &inst.kind {
        InstKind::Op { op, args } if ALL.contains(op) => Some((op, args)),
        _ => None,
    }
}

/// The limits of inlining: what uses collectives has to be seen.
const INLINED: Limits = Limits { callee: 2000, total: 40_000 };

impl Context for OnAxis {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<OnAxis>().with(self)
    }

    fn runs_as(&self, other: &OnAxis) -> bool {
        self == other
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let lookup = |name: Symbol| body.callee(name).ok().flatten();
        let func = optimise(body.func(), &Scope::new(&lookup).with_limits(INLINED));
        let vary = self.params(&func)?;
        let mut callees = Callees { lookup: &lookup, seen: HashMap::new() };
        let mut on_axis = vec![false; func.vars.len()];
        for inst in func.blocks.iter().flat_map(|body| &body.insts) {
            on_axis[inst.result.index()] = self.is_collective(inst)?;
            if let InstKind::Call { callee: Callee::Func(name), .. } = &inst.kind
                && callees.communicate(*name)
            {
                return Err(PassError {
                    code: codes::CONTEXT,
                    message: format!(
                        "collectives in `{name}` cannot be typed, since it calls itself or is too large"
                    ),
                    span: inst.span,
                    help: Some("call them outside of it".to_owned()),
                });
            }
        }
        let varying = Varying::new(&func, &vary, &|inst| on_axis[inst.result.index()]);
        self.check(&func, &varying, &on_axis)?;
        let cast = Cast { axis: &self.axis, func: &func, varying: &varying, on_axis: &on_axis };
        Ok(Pass::Replace(cast.all(&vary)?))
    }
}

/// Functions that use collectives, themselves or by what they call.
struct Callees<'l> {
    lookup: &'l dyn Fn(Symbol) -> Option<Arc<Func>>,
    seen: HashMap<Symbol, bool>,
}

impl Callees<'_> {
    fn communicate(&mut self, name: Symbol) -> bool {
        let mut waiting = vec![name];
        let mut found = false;
        while let Some(name) = waiting.pop() {
            match self.seen.get(&name) {
                Some(known) => found |= *known,
                None => {
                    self.seen.insert(name, false);
                    let Some(func) = (self.lookup)(name) else { continue };
                    let mut insts = func.blocks.iter().flat_map(|body| &body.insts);
                    found |= insts.any(|inst| collective(inst).is_some());
                    waiting.extend(func.mentioned());
                }
            }
        }
        if found {
            self.seen.insert(name, true);
        }
        found
    }
}

impl OnAxis {
    /// Refuses what would hang, and what has no type.
    fn check(&self, func: &Func, varying: &Varying, on_axis: &[bool]) -> Result<(), PassError> {
        for (block, body) in func.iter_blocks() {
            let Some(branch) = varying.divergent(block) else { continue };
            for inst in body.insts.iter().filter(|inst| on_axis[inst.result.index()]) {
                let Some((op, _)) = collective(inst).filter(|(op, _)| communicates(op)) else { continue };
                let at = func.block(branch).terminator.as_ref().map_or(func.span, |end| end.span);
                let at = in_user_code(func, at);
                return Err(PassError {
                    code: codes::CONTEXT,
                    message: format!(
                        "`{}` is under the branch at {at}, whose condition varies on the axis `{}`: ranks that do not reach \
                         it leave the others waiting",
                        shown(op),
                        self.axis
                    ),
                    span: inst.span,
                    help: Some(
                        "let the condition depend on replicated values alone, by `psum` or `pmax`".to_owned(),
                    ),
                });
            }
        }
        if self.result_is_replicated && varying.result {
            return Err(PassError {
                code: codes::CONTEXT,
                message: format!("the result varies on the axis `{}`: each rank has its own", self.axis),
                span: func.span,
                help: Some("a sum over the ranks, `psum`, is the same on all".to_owned()),
            });
        }
        Ok(())
    }
}

/// The innermost place in the user's program that a place is in or was inlined into.
fn in_user_code(func: &Func, span: Span) -> Span {
    let is_users = |span: &Span| span.is_known() && !span.file.starts_with('<');
    span.open_calls(func.name).map(|(_, span)| span).find(is_users).unwrap_or(span)
}
