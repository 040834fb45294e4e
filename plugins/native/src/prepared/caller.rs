//! Calls of a prepared function, which use the same memory again.

use std::fmt;
use std::sync::Arc;

use overdub_context::Failure;
use overdub_context::engine::{self, FuncGuard, OutSlot};
use overdub_context::ir::Module;
use overdub_context::limits::{Budget, Limits};
use overdub_context::value::{Arg, Slice};

use super::Code;
use super::arg_words::ArgWords;
use super::direct_thunk::{DirectThunk, status};
use super::out_slots::{self, LentSlot, OwnedPart, ResultPart, lent_to, owned_by, parts_of};
use crate::abi::uncounted::is_lent;
use crate::checks::{self, LedgerScope};
use crate::compiled::Compiled;
use crate::programs::Programs;
use crate::runtime::parked_panics;
use crate::runtime::run::Run;
use crate::values;

/// Calls a prepared function repeatedly, reusing its memory, on one thread at a time.
pub struct Caller {
    compiled: Arc<Compiled>,
    programs: Programs,
    /// Whether the executor has limits of its own.
    has_limits: bool,
    /// Whether the current code checks for interrupts.
    stops: bool,
    /// The code without interrupt checks and the code with them, once compiled.
    codes: [Option<Code>; 2],
    run: Run,
    args: ArgWords,
    results: Vec<u64>,
    parts: Vec<ResultPart>,
    owned: Vec<OwnedPart>,
    lent: Vec<LentSlot>,
    direct: Direct,
    /// What the function was generated for.
    _guard: Option<FuncGuard>,
}

/// Whether calls enter the function by a direct thunk.
enum Direct {
    /// Not yet: a thunk is compiled after this many calls, so that a function that is called a few times does not pay for it.
    After(u32),
    By(DirectEntry),
    /// Its signature does not allow it.
    Never,
}

/// Direct calls, of code without interrupt checks.
struct DirectEntry {
    thunk: Arc<DirectThunk>,
    params: usize,
    parts: usize,
    /// Whether the function asks for no stack, and what it calls back into looks itself.
    fits_reserved_stack: bool,
}

/// The number of calls before a direct thunk is compiled.
const CALLS_BEFORE_DIRECT: u32 = 200;

impl Caller {
    pub(super) fn new(module: Arc<Module>, programs: Programs, code: Code) -> Caller {
        let Code { program, compiled } = code.clone();
        let settings = programs.settings.clone();
        let grant = Budget::suspended(|| Limits::default().grant());
        let parts = parts_of(&compiled.ret);
        let args = ArgWords::new(&compiled);
        let stops = program.stops;
        Caller {
            run: Run::new(module, program, settings, grant),
            has_limits: !programs.settings.limits.is_empty(),
            programs,
            stops,
            codes: if stops { [None, Some(code)] } else { [Some(code), None] },
            results: vec![0; compiled.ret.components.len().max(1)],
            owned: owned_by(&compiled.ret, &parts, &compiled.tables.created_vectors),
            lent: match args.borrows() {
                true => lent_to(&parts, &compiled.tables.created_vectors),
                false => Vec::new(),
            },
            // Vectors that are not lent have to be shared, and released after the call.
            direct: if args.borrows() { Direct::After(CALLS_BEFORE_DIRECT) } else { Direct::Never },
            args,
            parts,
            compiled,
            _guard: None,
        }
    }

    /// Calls the function and writes its result to `outs`.
    ///
    /// Allocates only what the function itself allocates. A vector that the function creates by `repeat` and
    /// returns is computed in the caller's slot, unless the function passes arrays on.
    ///
    /// # Errors
    /// If the function fails, in which case slots may have been written; before it runs, with
    /// [`FailureKind::Type`](overdub_context::FailureKind::Type), if arguments or slots are not of its types;
    /// afterwards, if a vector does not fit into its slot.
    pub fn call(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        if self.has_limits || !Limits::are_default_outside() {
            return self.call_within_limits(args, outs);
        }
        self.choose(false)?;
        let result = match &self.direct {
            Direct::By(direct) if args.len() == direct.params && outs.len() == direct.parts => {
                self.call_directly(args, outs)
            }
            _ => self.call_and_count(args, outs),
        };
        self.run.report_counted();
        result
    }

    /// Calls the function without a direct thunk, and makes one if it is called often.
    fn call_and_count(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        match &mut self.direct {
            Direct::After(0) => {
                let thunk = DirectThunk::of(&self.compiled, &self.parts);
                self.direct = thunk.map_or(Direct::Never, |thunk| {
                    Direct::By(DirectEntry {
                        thunk,
                        params: self.compiled.params.len(),
                        parts: self.parts.len(),
                        fits_reserved_stack: self.compiled.tables.fits_reserved_stack,
                    })
                });
            }
            Direct::After(calls) => *calls -= 1,
            Direct::By(_) | Direct::Never => {}
        }
        self.call_with(args, outs)
    }

    /// Calls the function by its direct thunk; it takes and returns as many values as there are arguments and slots.
    #[inline]
    fn call_directly(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        let Direct::By(direct) = &self.direct else { return self.call_with(args, outs) };
        let (enter, code, results) = (direct.thunk.enter, self.compiled.direct, self.results.as_mut_ptr());
        let fits_reserved_stack = direct.fits_reserved_stack;
        let _checks = LedgerScope::begin(&mut self.run.state.at);
        if checks::ON {
            self.run.buffers.check();
            lease(args);
        }
        for lent in &self.lent {
            lent.lend(&mut self.run.buffers, outs);
        }
        let (first_arg, first_out) = (args.as_ptr(), outs.as_mut_ptr());
        let enter = |run: &mut Run| {
            // SAFETY: RUN1; DIRECTTHUNK2, and there are as many arguments and slots as the thunk reads; `results` has room for
            // the words of a result.
            unsafe { enter(run.pointer(), first_arg, first_out, results, code) }
        };
        let ended = match fits_reserved_stack {
            true => enter(&mut self.run),
            false => self.run.on_enough_stack(enter),
        };
        if !self.lent.is_empty() {
            self.run.buffers.end_loans();
        }
        let result = if ended == status::DONE { Ok(()) } else { self.end_of(ended, args, outs) };
        if (ended != status::DONE || parked_panics::may_be_parked())
            && let Some(panic) = self.run.take_panic()
        {
            std::panic::resume_unwind(panic);
        }
        self.run.forget();
        result
    }

    /// The outcome of a direct call that has not put its result into the slots.
    #[cold]
    fn end_of(&mut self, ended: u32, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        match ended {
            status::OTHER_TYPES => self.call_with(args, outs),
            // SAFETY: compiled code wrote the words of a result, which are released after that, once.
            status::ELSEWHERE => unsafe {
                let read = out_slots::read(&self.parts, &self.results, outs);
                self.release_result();
                read
            },
            _ => Err(self.run.take_failure_with_trace()),
        }
    }

    #[cold]
    fn call_within_limits(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
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

    #[inline]
    fn call_with(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        let _checks = LedgerScope::begin(&mut self.run.state.at);
        if checks::ON {
            self.run.buffers.check();
        }
        let written =
            out_slots::check(&self.parts, outs).and_then(|()| self.args.write(&self.compiled, args));
        let outcome = written.and_then(|()| self.run(outs));
        let result = outcome.and_then(|()| {
            // SAFETY: compiled code wrote the words of a result, which are released after that, once.
            unsafe {
                let read = out_slots::read(&self.parts, &self.results, outs);
                self.release_result();
                read
            }
        });
        self.args.end();
        self.run.forget();
        result
    }

    /// Releases the result; the buffers of its vectors stay in the pool for the next call.
    ///
    /// # Safety
    /// The result's words are those of a value (WORD1), and not used again.
    #[inline]
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

    #[inline]
    fn run(&mut self, outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        let (compiled, args, results) = (&self.compiled, self.args.words(), &mut self.results);
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

/// Declares the slices of a direct call, for the checking mode.
fn lease(args: &[Arg<'_>]) {
    for arg in args {
        if let Arg::Slice(Slice::F64(floats)) = arg {
            checks::lease(floats.as_ptr().expose_provenance(), size_of_val(*floats), false);
        }
    }
}

impl engine::PreparedCall for Caller {
    fn call(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        Caller::call(self, args, outs)
    }

    fn hold(&mut self, guard: FuncGuard) -> Option<FuncGuard> {
        self._guard = Some(guard);
        None
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").field("func", &self.compiled.func.name).finish_non_exhaustive()
    }
}
