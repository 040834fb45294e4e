//! Prepared functions: calls with borrowed arguments that write into the caller's out slots, without
//! allocation.
//!
//! - PREP1 (H9, H10) only the call refers to what is borrowed for it; after the call, nothing refers to it
//!   (WORD3).

mod out_slots;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use overdub_context::engine::{self, OutSlot};
use overdub_context::ir::{FloatTy, Func, Module};
use overdub_context::limits::{Budget, Limits};
use overdub_context::value::{Arg, Array, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use crate::abi::layout::{Elem, LayoutKind};
use crate::abi::uncounted::is_lent;
use crate::checks::{self, LedgerScope};
use crate::compiled::{Compiled, release_args};
use crate::prepared::out_slots::{LentSlot, OwnedPart, ResultPart, lent_to, owned_by, parts_of};
use crate::program::Program;
use crate::programs::Programs;
use crate::runtime::run::{LazyCompiler, Run};
use crate::values;
use crate::values::vectors;

/// A compiled function. A clone shares the code; each [`Caller`] calls it independently.
///
/// ```
/// use std::sync::Arc;
/// use overdub_context::{Symbol, text};
/// use overdub_native::{Arg, Native, OutSlot};
///
/// let program = "fn @f(%xs: [f64], %k: f64) -> (f64, [f64]) {
///   %first: f64 = get %xs, 0
///   %y: f64 = mul %first, %k
///   %all: (f64, [f64]) = tuple %y, %xs
///   ret %all
/// }";
/// let module = Arc::new(text::parse(program)?.module());
/// let prepared = Native::new().prepare(&module, Symbol::new("f"))?;
/// let (mut caller, mut y, mut copy) = (prepared.caller(), 0.0, [0.0; 2]);
/// for k in 1..4 {
///     let args = [Arg::slice(&[2.0, 5.0]), Arg::scalar(f64::from(k))];
///     caller.call(args, &mut [OutSlot::F64(&mut y), OutSlot::F64s(&mut copy)])?;
///     assert_eq!((y, copy), (2.0 * f64::from(k), [2.0, 5.0]));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Prepared {
    module: Arc<Module>,
    programs: Programs,
    code: Code,
}

/// A compiled function and its program.
#[derive(Clone)]
struct Code {
    program: Arc<Program>,
    compiled: Arc<Compiled>,
}

impl Code {
    fn of(programs: &Programs, module: &Arc<Module>, func: Symbol, stops: bool) -> Result<Code, Failure> {
        let program = programs.of(module, stops);
        let compiled = program.compiled(module, func)?;
        Ok(Code { program, compiled })
    }
}

/// Calls a prepared function repeatedly, reusing its memory, on one thread at a time.
pub struct Caller {
    compiled: Arc<Compiled>,
    programs: Programs,
    /// Whether the current code checks for interrupts.
    stops: bool,
    /// The code without interrupt checks and the code with them, once compiled.
    codes: [Option<Code>; 2],
    run: Run,
    args: Vec<u64>,
    results: Vec<u64>,
    parts: Vec<ResultPart>,
    owned: Vec<OwnedPart>,
    lent: Vec<LentSlot>,
    /// Whether slices are lent (WORD5): not if the function passes arrays on, since each receiver would get a copy.
    borrows_out: bool,
    /// Whether this call holds slices that are owned, or that it does not lend.
    holds: bool,
    /// For each parameter, the array that is held during a call.
    held_arrays: Vec<Arc<Array<'static>>>,
}

impl Prepared {
    pub(crate) fn new(programs: &Programs, module: &Arc<Module>, func: Symbol) -> Result<Prepared, Failure> {
        let code = Code::of(programs, module, func, programs.stops())?;
        Ok(Prepared { module: module.clone(), programs: programs.clone(), code })
    }

    /// The function as it is in the module.
    pub fn func(&self) -> &Arc<Func> {
        &self.code.compiled.func
    }

    /// Allocates the memory for calls.
    pub fn caller(&self) -> Caller {
        let Code { program, compiled } = self.code.clone();
        let settings = self.programs.settings.clone();
        let grant = Budget::suspended(|| Limits::default().grant());
        let parts = parts_of(&compiled.ret);
        let borrows_out = !compiled.tables.shows_arrays;
        let words = compiled.params.iter().map(|layout| layout.components.len()).sum::<usize>();
        Caller {
            run: Run::new(self.module.clone(), program, settings, grant),
            programs: self.programs.clone(),
            stops: self.code.program.stops,
            codes: match self.code.program.stops {
                false => [Some(self.code.clone()), None],
                true => [None, Some(self.code.clone())],
            },
            args: vec![0; words.max(1)],
            results: vec![0; compiled.ret.components.len().max(1)],
            owned: owned_by(&compiled.ret, &parts, &compiled.tables.created_vectors),
            lent: if borrows_out { lent_to(&parts, &compiled.tables.created_vectors) } else { Vec::new() },
            borrows_out,
            holds: false,
            parts,
            held_arrays: compiled.params.iter().map(|_| Arc::new(nothing())).collect(),
            compiled,
        }
    }
}

impl Caller {
    /// Calls the function and writes its result to `outs`.
    ///
    /// Allocates only what the function itself allocates. A vector that the function creates by `repeat` and
    /// returns is computed in the caller's slot, unless the function passes arrays on.
    ///
    /// # Errors
    /// If the function fails, in which case slots may have been written; before it runs, with
    /// [`FailureKind::Type`], if arguments or slots are not of its types; afterwards, if a vector does not fit into
    /// its slot.
    pub fn call<'a>(
        &mut self,
        args: impl IntoIterator<Item = Arg<'a>>,
        outs: &mut [OutSlot<'_>],
    ) -> Result<(), Failure> {
        if self.programs.settings.limits.are_default_here() {
            self.choose(false)?;
            let result = self.call_with(args, outs);
            self.run.report_counted();
            return result;
        }
        let limits = self.programs.settings.limits.clone();
        let result = limits.run(|grant| {
            self.choose(grant.budget.as_ref().is_some_and(|budget| budget.interrupts()))?;
            self.run.begin(grant);
            self.run.take_step()?;
            self.call_with(args, outs)
        });
        self.run.end();
        self.run.begin(Budget::suspended(|| Limits::default().grant()));
        result
    }

    /// Selects the code with or without interrupt checks.
    #[inline]
    fn choose(&mut self, stops: bool) -> Result<(), Failure> {
        if self.stops == stops { Ok(()) } else { self.change(stops) }
    }

    #[cold]
    fn change(&mut self, stops: bool) -> Result<(), Failure> {
        let known = &mut self.codes[usize::from(stops)];
        let code = match known {
            Some(code) => code,
            None => known.insert(Code::of(&self.programs, &self.run.module, self.compiled.func.name, stops)?),
        };
        self.stops = stops;
        self.run.program = code.program.clone();
        self.compiled = code.compiled.clone();
        Ok(())
    }

    fn call_with<'a>(
        &mut self,
        args: impl IntoIterator<Item = Arg<'a>>,
        outs: &mut [OutSlot<'_>],
    ) -> Result<(), Failure> {
        let _checks = LedgerScope::begin(&mut self.run.state.at);
        if checks::ON {
            self.run.buffers.check();
        }
        let written = out_slots::check(&self.parts, outs).and_then(|()| self.write(args));
        let outcome = written.and_then(|()| self.run(outs));
        let result = outcome.and_then(|()| {
            // SAFETY: compiled code wrote the words of a result, which are released after that, once.
            unsafe {
                let read = out_slots::read(&self.parts, &self.results, outs);
                self.release_result();
                read
            }
        });
        if std::mem::take(&mut self.holds) {
            self.held_arrays.iter_mut().for_each(|slot| hold(slot, nothing()));
        }
        self.run.forget();
        result
    }

    fn write<'a>(&mut self, args: impl IntoIterator<Item = Arg<'a>>) -> Result<(), Failure> {
        let (mut next, mut arg_count) = (0, 0);
        let mut args = args.into_iter();
        for (layout, slot) in self.compiled.params.iter().zip(&mut self.held_arrays) {
            let Some(arg) = args.next() else { break };
            arg_count += 1;
            let arg_words = &mut self.args[next..next + layout.components.len()];
            next += arg_words.len();
            // An array is matched by reference: moving it takes as long as a short call.
            match arg {
                Arg::Scalar(Value::F64(x)) if matches!(layout.shape, LayoutKind::Float(FloatTy::F64)) => {
                    arg_words[0] = x.to_bits();
                    Ok(())
                }
                Arg::Scalar(value) => {
                    values::write(layout, value, arg_words).map_err(|_| mistyped(arg_count))
                }
                Arg::Slice(ref array) if self.borrows_out && array.bytes() == 0 => match layout.shape {
                    LayoutKind::Vector(elem) => {
                        vectors::lend(elem, array, arg_words).ok_or_else(|| no_slice_of(elem))
                    }
                    _ => Err(mistyped(arg_count)),
                },
                Arg::Slice(array) => match layout.shape {
                    LayoutKind::Vector(elem) => {
                        self.holds = true;
                        hold_vector(array, elem, slot, arg_words)
                    }
                    _ => Err(mistyped(arg_count)),
                },
            }
            .inspect_err(|_| release_args(&self.compiled.params[..arg_count - 1], &self.args))?;
        }
        let (takes, more) = (self.compiled.params.len(), args.count());
        if arg_count == takes && more == 0 {
            return Ok(());
        }
        release_args(&self.compiled.params[..arg_count], &self.args);
        let name = self.compiled.func.name;
        let message = format!("`@{name}` takes {takes} arguments, got {}", arg_count + more);
        Err(Failure::new(FailureKind::Type, message))
    }

    /// Releases the result; the buffers of its vectors stay in the pool for the next call.
    ///
    /// # Safety
    /// The result's words are those of a value (WORD1), and not used again.
    unsafe fn release_result(&mut self) {
        for owned in &self.owned {
            // SAFETY: passed on.
            unsafe {
                match *owned {
                    OwnedPart::Vector(_, _, at) if is_lent(self.results[at]) => {}
                    OwnedPart::Vector(elem, kind, at) => {
                        self.run.buffers.release(elem, kind, &self.results[at..])
                    }
                    OwnedPart::Other(counted, at) => values::release(counted, self.results[at]),
                }
            }
        }
    }

    fn run(&mut self, outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        let (compiled, args, results) = (&self.compiled, &mut self.args, &mut self.results);
        for lent in &self.lent {
            lent.lend(&mut self.run.buffers, outs);
        }
        let status = self.run.on_enough_stack(|run| run.call_compiled(compiled, args, results));
        if !self.lent.is_empty() {
            self.run.buffers.end_loans();
        }
        let outcome = if status == 0 { Ok(()) } else { Err(self.run.take_failure_with_trace()) };
        if let Some(panic) = self.run.take_panic() {
            std::panic::resume_unwind(panic);
        }
        outcome
    }
}

impl engine::PreparedCall for Caller {
    fn call<'a>(
        &mut self,
        args: &mut dyn Iterator<Item = Arg<'a>>,
        outs: &mut [OutSlot<'_>],
    ) -> Result<(), Failure> {
        Caller::call(self, args, outs)
    }
}

/// An array without elements or allocation.
fn nothing() -> Array<'static> {
    Array::from_slice::<f64>(&[])
}

/// The words of a vector for a borrowed array, which `slot` holds for the duration of the call.
fn hold_vector(
    array: Array<'_>,
    elem: Elem,
    slot: &mut Arc<Array<'static>>,
    words: &mut [u64],
) -> Result<(), Failure> {
    // SAFETY: a lifetime does not change the layout of an array; the slot is emptied before the borrow ends (PREP1).
    let array = unsafe { std::mem::transmute::<Array<'_>, Array<'static>>(array) };
    hold(slot, array);
    vectors::share_vector(elem, slot, words).ok_or_else(|| no_slice_of(elem))
}

#[cold]
fn no_slice_of(elem: Elem) -> Failure {
    Failure::new(FailureKind::Type, format!("a slice is not one of {elem:?}"))
}

/// Replaces the array of a slot, in place, since the slot is its only owner (PREP1).
#[inline]
fn hold(slot: &mut Arc<Array<'static>>, array: Array<'static>) {
    if Arc::strong_count(slot) != 1 {
        *slot = Arc::new(array);
        return;
    }
    fence(Ordering::Acquire);
    // SAFETY: the slot is the only owner, and no weak references to arrays are made; `Arc::get_mut` would lock the
    // weak count at every call.
    unsafe { *Arc::as_ptr(slot).cast_mut() = array };
}

#[cold]
fn mistyped(position: usize) -> Failure {
    Failure::new(FailureKind::Type, format!("argument {position} is not of its parameter's type"))
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("func", &self.func().name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").field("func", &self.compiled.func.name).finish_non_exhaustive()
    }
}
