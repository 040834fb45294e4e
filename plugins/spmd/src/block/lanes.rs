//! Functions that run the elements of a block in lanes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use overdub_ad::transform::reverse::ReverseTransform;
use overdub_context::engine::{Batch, BatchForm, BatchOutcome, Engine};
use overdub_context::ir::{Func, Ty};
use overdub_context::limits::{Budget, ExtraBytes};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind, Symbol};
use overdub_lanes::{Argument, Lanes, MOST_LANES, inlined};

use super::autotune::{Autotuner, Choice};
use super::build::Collect;
use super::mapped_tys;

/// The most bytes of tapes: elements with longer ones run one after the other, each with its tape alone.
const MOST_TAPE: usize = 256 << 20;

/// A function that runs in lanes.
#[derive(Clone)]
pub(crate) struct InLanes {
    code: Code,
    plain: Option<Arc<Plain>>,
    pub(super) mapped: Vec<bool>,
    /// The types of the arguments that are mapped over.
    pub(super) elems: Vec<Ty>,
}

/// The key of a function that was prepared for lanes.
#[derive(PartialEq, Eq, Hash)]
struct Prepared {
    func: Symbol,
    mapped: Vec<bool>,
    width: usize,
}

#[cold]
fn refused(message: String) -> Failure {
    let help = "one element runs after the other instead".to_owned();
    Failure::new(FailureKind::Load, message).with_help(Some(help))
}

/// How lanes run.
#[derive(Clone)]
struct Code {
    lanes: Arc<Lanes>,
    /// What the executor runs in their place, if it does and has compiled it (BLOCK4).
    batch: Option<Arc<dyn Batch>>,
    tuner: Arc<Autotuner>,
}

/// A derivative by plain products, which runs first (BLOCK5).
struct Plain {
    code: Code,
    /// Whether a derivative was NaN: from then on, that with strong zeros is run at once.
    met_nan: AtomicBool,
}

impl InLanes {
    /// Prepares a function for this number of lanes.
    ///
    /// # Errors
    /// If it does something that lanes do not.
    pub(crate) fn new(
        engine: &Engine,
        func: Symbol,
        mapped: &[bool],
        width: usize,
    ) -> Result<InLanes, Failure> {
        if engine.limits().is_some() {
            return Err(refused(
                "lanes run in an engine without limits, which are those of each element".into(),
            ));
        }
        let key = Prepared { func, mapped: mapped.to_vec(), width };
        engine.attached(key, || InLanes::prepared(engine, func, mapped, width))
    }

    fn prepared(engine: &Engine, func: Symbol, mapped: &[bool], width: usize) -> Result<InLanes, Failure> {
        let module = engine.module();
        let found = module.func(func)?;
        let found = found.ok_or_else(|| refused(format!("there is no function `{func}`")))?;
        let whole = inlined(&module, &found);
        let whole = engine.replaced(&whole).unwrap_or(whole);
        let lanes = Lanes::new(&whole, mapped)
            .map_err(|error| refused(error.reason.to_string()).at(error.span))?
            .with_width(width);
        let elems = mapped_tys(&whole, mapped);
        let form = BatchForm { mapped: mapped.to_vec(), width: width.clamp(1, MOST_LANES) };
        let batch = engine.batch(func, &form).map(Arc::from);
        let code = Code { lanes: Arc::new(lanes), batch, tuner: Arc::default() };
        Ok(InLanes { code, plain: None, mapped: form.mapped, elems })
    }

    /// Prepares a function that was transformed for its derivatives, which runs by plain products first where these are allowed.
    ///
    /// # Errors
    /// If it does something that lanes do not.
    pub(crate) fn of_derivative(
        (engine, func): (&Engine, Symbol),
        cx: &ReverseTransform,
        mapped: &[bool],
        width: usize,
    ) -> Result<InLanes, Failure> {
        let lanes = |func: &Func| InLanes::new(engine, func.name, mapped, width);
        let lanes_of_strong = lanes(&*engine.prepare(cx, func).func()?)?;
        let plain = engine.prepare(&cx.clone().with_plain_products(), func);
        match plain.func() {
            Ok(func) => Ok(lanes_of_strong.trying(lanes(&func)?)),
            // It does not allow plain products, or has none.
            Err(_) => Ok(lanes_of_strong),
        }
    }

    /// A value with derivatives, which is run by plain products first: `plain` computes the same by these.
    fn trying(self, plain: InLanes) -> InLanes {
        let plain = Plain { code: plain.code, met_nan: AtomicBool::new(false) };
        InLanes { plain: Some(Arc::new(plain)), ..self }
    }

    /// What is collected over elements with these arguments; none if one fails.
    pub(super) fn run(
        &self,
        args: Vec<Value<'_>>,
        len: usize,
        collect: &[Collect],
    ) -> Option<Vec<Value<'static>>> {
        let budget = Budget::current();
        // The steps of an element are not counted.
        if budget.as_ref().is_some_and(Budget::counts_steps) {
            return None;
        }
        let lens: Vec<usize> = args.iter().map(|arg| arg.as_array().map_or(0, Array::len)).collect();
        let run = |code: &Code, args| code.run(args, (len, &self.mapped), budget.as_ref());
        let plain = self.plain.as_ref().filter(|plain| !plain.met_nan.load(Ordering::Relaxed));
        let lists = match plain {
            None => run(&self.code, args)?,
            Some(plain) => {
                let lists = run(&plain.code, args.clone())?;
                match lists.iter().skip(1).any(has_nan) {
                    true => {
                        plain.met_nan.store(true, Ordering::Relaxed);
                        run(&self.code, args)?
                    }
                    false => lists,
                }
            }
        };
        if let [Collect::List] = collect {
            return Some(vec![Value::from(self.code.lanes.list(lists, len)?)]);
        }
        if lists.len() != collect.len() {
            return None;
        }
        let all = lists.into_iter().zip(collect).map(|(list, collect)| match collect {
            Collect::List => Some(Value::from(list)),
            Collect::Add => Some(Value::F64(sum(&list)?)),
            Collect::AddLike(param) => Some(Value::floats(sum_of_lists(&list, *lens.get(*param)?)?)),
        });
        all.collect()
    }
}

impl Code {
    /// A list for each scalar of the results; none if an element fails.
    fn run(
        &self,
        args: Vec<Value<'_>>,
        (len, mapped): (usize, &[bool]),
        budget: Option<&Budget>,
    ) -> Option<Vec<Array<'static>>> {
        let Some(batch) = &self.batch else { return self.run_kernels(args, (len, mapped), budget) };
        let run_kernels = |args| self.run_kernels(args, (len, mapped), budget);
        let choice = self.tuner.choose(len);
        if choice == Choice::Kernels {
            return run_kernels(args);
        }
        let start = Instant::now();
        match batch.run(&args) {
            BatchOutcome::Results(lists) => {
                if choice == Choice::Both {
                    let compiled = start.elapsed();
                    let start = Instant::now();
                    if run_kernels(args).is_some() {
                        self.tuner.add(start.elapsed(), compiled);
                    }
                }
                Some(lists)
            }
            BatchOutcome::Failed => None,
            BatchOutcome::Unavailable => {
                let start = Instant::now();
                let lists = run_kernels(args);
                batch.add_time(start.elapsed());
                lists
            }
        }
    }

    fn run_kernels(
        &self,
        args: Vec<Value<'_>>,
        (len, mapped): (usize, &[bool]),
        budget: Option<&Budget>,
    ) -> Option<Vec<Array<'static>>> {
        let args = args.into_iter().zip(mapped).map(|(value, mapped)| match (value, mapped) {
            (Value::Array(list), true) => Argument::Each(Arc::unwrap_or_clone(list)),
            (value, _) => Argument::Shared(value),
        });
        let mut tapes = ExtraBytes::nothing();
        let mut is_interrupted = |bytes: usize| {
            let is_short = bytes <= MOST_TAPE && tapes.set(bytes).is_ok();
            !is_short || budget.is_some_and(|budget| budget.check().is_err())
        };
        self.lanes.run(&args.collect::<Vec<_>>(), len, &mut is_interrupted)
    }
}

fn has_nan(list: &Array<'_>) -> bool {
    match list.as_f64s() {
        Some(floats) => floats.iter().fold(false, |any, x| any | x.is_nan()),
        None => list.iter().any(|elem| elem.as_array().is_some_and(has_nan)),
    }
}

/// The sums of the entries of lists of this length in order, as the loop over a block adds.
fn sum_of_lists(lists: &Array<'_>, len: usize) -> Option<Vec<f64>> {
    let mut sums = vec![-0.0; len];
    for list in lists.iter() {
        let list = list.as_array()?.as_f64s().filter(|list| list.len() == len)?;
        sums.iter_mut().zip(list).for_each(|(sum, x)| *sum += x);
    }
    Some(sums)
}

/// The sum in order, as the loop over a block adds.
fn sum(list: &Array<'_>) -> Option<f64> {
    Some(list.as_f64s()?.iter().fold(-0.0, |sum, x| sum + x))
}
