//! The state of an analysis, and its access to the functions of the program.

use std::sync::Arc;

use hashbrown::HashMap;
use overdub_ad::custom::custom_derivative;
use overdub_context::ir::{LoadError, Module, Ty};
use overdub_context::limits::Budget;
use overdub_context::ops::{Machine, OpCx, OpDef};
use overdub_context::value::{HostFn, Value};
use overdub_context::{Failure, FailureKind, Span, Symbol};
use overdub_passes::{Scope as Inlining, callees, optimise};

use super::abstract_value::Abstract;
use super::code::{Code, Shared};
use super::error::DetectError;
use super::floats::{Float, Floats, Knowledge};
use super::sets::{Dep, Sets};

/// Why the analysis of a path ends early.
pub(crate) enum PathEnd {
    /// The program fails here.
    Fails(Failure),
    /// The analysis as a whole ends.
    Ends(DetectError),
}

impl From<Failure> for PathEnd {
    fn from(failure: Failure) -> PathEnd {
        // A limit is not a failure of the program: it applies to every path.
        match failure.limit() {
            Some(_) => PathEnd::Ends(DetectError::Program(failure)),
            None => PathEnd::Fails(failure),
        }
    }
}

pub(crate) type PathResult<T> = Result<T, PathEnd>;

/// The number of steps between checks of the limits of the run.
const STEPS_AT_ONCE: u64 = 1 << 14;

/// An analysis.
pub(crate) struct Analysis {
    module: Arc<Module>,
    codes: HashMap<Symbol, Shared>,
    pub(crate) sets: Sets,
    pub(crate) floats: Floats,
    pub(crate) scope: Knowledge,
    /// The contents of cells, which each path has for itself.
    pub(crate) cells: Arc<Vec<Value<'static>>>,
    pub(crate) globals: Arc<HashMap<Symbol, usize>>,
    /// The functions on the call stack, each with whether a branch in it is undecided.
    pub(crate) running: Vec<(Symbol, bool)>,
    /// The number of branches that are undecided at present.
    pub(crate) undecided: usize,
    pub(crate) steps: u64,
    /// The number of steps in which a branch was undecided.
    pub(crate) undecided_steps: u64,
    /// The greatest number of nodes and entries, to which the memory is proportional.
    pub(crate) max_nodes: usize,
    /// The number of inputs.
    pub(crate) inputs: usize,
    /// The outcomes of calls, the calls on the stack, and the outermost of these whose result was assumed.
    pub(crate) outcomes: HashMap<super::repeated_calls::Key, super::repeated_calls::Outcome>,
    pub(crate) open: Vec<super::repeated_calls::Open>,
    pub(crate) lowest_assumed: usize,
    /// The number of operations on cells so far.
    pub(crate) cell_uses: u64,
    /// Whether a join determines what is new in it, as for a fixed point.
    pub(crate) compares: bool,
    /// Whether an array that a join changes is widened to one element, so that a fixed point is reached soon.
    pub(crate) widens: bool,
    /// The array that was last read at an unknown index, and the join of its elements.
    pub(crate) gathered: Option<(Arc<overdub_context::value::Array<'static>>, Value<'static>)>,
    /// For each sort in progress, whether all its comparisons have been decided so far.
    pub(crate) comparing: Vec<bool>,
    /// An error that ends the analysis, kept while an evaluator passes on a failure.
    pub(crate) ending: Option<DetectError>,
}

impl Analysis {
    pub(crate) fn new(module: Arc<Module>, inputs: usize, scope: Knowledge, second: bool) -> Analysis {
        Analysis {
            module,
            codes: HashMap::new(),
            sets: Sets::new(inputs, second),
            floats: Floats::default(),
            scope,
            cells: Arc::default(),
            globals: Arc::default(),
            running: Vec::new(),
            undecided: 0,
            steps: 0,
            undecided_steps: 0,
            max_nodes: 400_000_000,
            inputs,
            outcomes: HashMap::new(),
            open: Vec::new(),
            lowest_assumed: usize::MAX,
            cell_uses: 0,
            compares: false,
            widens: false,
            gathered: None,
            comparing: Vec::new(),
            ending: None,
        }
    }

    /// The optimised code of a function.
    pub(crate) fn code(&mut self, name: Symbol) -> PathResult<Shared> {
        if let Some(known) = self.codes.get(&name) {
            return Ok(known.clone());
        }
        let func = match self.module.func(name) {
            Ok(Some(func)) => func,
            Ok(None) => return Err(Failure::from(LoadError::missing(name)).into()),
            Err(error) => return Err(PathEnd::Ends(DetectError::Program(error.into()))),
        };
        // A function with a derivative of its own is not replaced by its body.
        let lookup = callees(&self.module);
        let inlined = |name: Symbol| if custom_derivative(name).is_some() { None } else { lookup(name) };
        let optimised = optimise(&func, &Inlining::new(&inlined));
        let code = Arc::new(Code::new(&optimised));
        self.codes.insert(name, code.clone());
        Ok(code)
    }

    /// Counts a step, and checks the limits from time to time.
    #[inline]
    pub(crate) fn step(&mut self) -> PathResult<()> {
        self.steps += 1;
        self.undecided_steps += u64::from(self.undecided > 0);
        if self.steps.is_multiple_of(STEPS_AT_ONCE) { self.check() } else { Ok(()) }
    }

    #[cold]
    fn check(&mut self) -> PathResult<()> {
        if let Some(budget) = Budget::current() {
            budget.check()?;
            budget.take_steps(STEPS_AT_ONCE);
            if let Some(limit) = budget.passed_steps() {
                let limit = overdub_context::limits::Limit::Steps(limit);
                return Err(PathEnd::Ends(DetectError::Program(Failure::of_limit(limit))));
            }
        }
        if self.sets.len() + self.floats.len() > self.max_nodes {
            return Err(PathEnd::Ends(DetectError::TooLarge { nodes: self.max_nodes }));
        }
        Ok(())
    }

    /// The value of this type of which nothing is known except what its floats depend on.
    pub(crate) fn unknown(&mut self, ty: Ty, dep: Dep) -> PathResult<Value<'static>> {
        use overdub_context::ir::TyKind;
        use overdub_context::value::{Closure, Code as Callee, Composite};
        Ok(match ty.kind() {
            TyKind::Unit => Value::Unit,
            TyKind::Float(_) => return self.float(ty, Float { dep, value: None }),
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.unknown(*part, dep));
                Value::tuple(parts.collect::<PathResult<Vec<_>>>()?)
            }
            TyKind::Struct(nominal) if nominal.fields().is_some() => {
                let fields = nominal.fields().unwrap_or_default();
                let parts =
                    fields.iter().map(|field| self.unknown(field.ty, dep)).collect::<PathResult<_>>()?;
                Value::Composite(Arc::new(Composite { ty: Some(ty), tag: 0, parts }))
            }
            TyKind::Closure(of) => {
                let captures =
                    of.captures.iter().map(|part| self.unknown(*part, dep)).collect::<PathResult<_>>()?;
                Value::Closure(Arc::new(Closure { code: Callee::Func(of.code), captures }))
            }
            _ => Abstract::Unknown { ty, shape: None, dep }.into_value(),
        })
    }

    /// A float of this type as a value.
    pub(crate) fn float(&mut self, ty: Ty, float: Float) -> PathResult<Value<'static>> {
        if ty == Ty::f32() {
            let put = self.floats.put32(float);
            return put.map(Value::F32).ok_or(PathEnd::Ends(DetectError::TooManySingles));
        }
        Ok(Value::F64(self.floats.put64(float, self.scope)))
    }

    /// Evaluates an operation on operands that are known, as far as it reads them.
    pub(crate) fn evaluate(
        &mut self,
        op: &'static OpDef,
        ret: Ty,
        args: &mut [Value<'static>],
    ) -> PathResult<Value<'static>> {
        let evaluated = (op.eval)(&mut OpCx { ret, machine: self }, args);
        if let Some(error) = self.ending.take() {
            return Err(PathEnd::Ends(error));
        }
        Ok(evaluated?)
    }

    /// Calls a host function, which only sees known values.
    pub(crate) fn call_host(
        &mut self,
        host: &dyn HostFn,
        mut args: Vec<Value<'static>>,
        span: Span,
    ) -> PathResult<Value<'static>> {
        let mut dep = Dep::default();
        let mut is_known = true;
        for arg in &args {
            is_known &= self.is_known(arg);
            let of = self.dep_of(arg);
            dep = self.sets.join(dep, of);
        }
        let ret = host.ret();
        if is_known {
            let called = host.call(&mut OpCx { ret, machine: self }, &mut args);
            if let Some(error) = self.ending.take() {
                return Err(PathEnd::Ends(error));
            }
            return Ok(called.map_err(|failure| failure.at(span))?);
        }
        // Host code is opaque: its result may depend on all its arguments, in any way.
        let dep = self.sets.nonlinear(dep);
        self.unknown(ret, dep)
    }
}

/// `Ordering::Equal`
fn equal() -> Value<'static> {
    use overdub_context::value::IntoValue;
    std::cmp::Ordering::Equal.into_value()
}

impl Machine<'static> for Analysis {
    fn call(
        &mut self,
        callee: &Value<'static>,
        args: Vec<Value<'static>>,
    ) -> Result<Value<'static>, Failure> {
        match self.call_value(callee, args, Span::unknown()) {
            Ok(value) => {
                // A sort continues with any ordering; its result is not used.
                if let Some(decided) = self.comparing.last_mut()
                    && Abstract::of(&value).is_some()
                {
                    *decided = false;
                    return Ok(equal());
                }
                Ok(value)
            }
            Err(PathEnd::Fails(failure)) => Err(failure),
            Err(PathEnd::Ends(error)) => {
                self.ending = Some(error);
                Err(Failure::new(FailureKind::Host, "the analysis ends here"))
            }
        }
    }

    fn host(&self, name: Symbol) -> Option<Box<dyn HostFn>> {
        self.module.host(name)
    }

    /// An analysis prints nothing.
    fn print(&mut self, _text: &str) {}

    fn eprint(&mut self, _text: &str) {}

    fn reserve(&mut self, _bytes: usize) -> Result<(), Failure> {
        Ok(())
    }
}
