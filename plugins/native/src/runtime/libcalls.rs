//! What compiled code calls: operations through their evaluators, counting, failures, functions of floats.
//!
//! What crosses here is what `docs/native.md` says: helpers answer as H18 says, let no panic out (H19), and give evaluators
//! their operands as H4 says.
//!
//! Every helper is `extern "C"`. Their contract is that of the words (W1, W2) and R1: compiled
//! code passes the run that it was given, sites that its code block keeps, and words of the layouts that those name.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use overdub_context::ops::OpCx;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::abi::entry_thunks::EnterFn;
use crate::abi::layout::{Counted, Elem, HOLES, Layout};
use crate::abi::values::{self, Transfer};
use crate::checks::{self, Holes};
use crate::compiled::{CallSite, Entry, FailSite, OpArg, OpSite};
use crate::runtime::array_kernels;
use crate::runtime::buffer_pool::BufferKind;
use crate::runtime::run::{self, Run, mistyped};
use crate::runtime::tape::{Tape, TapeSite};
use crate::runtime::vectors;

/// Runs `f` with the run; parks what goes wrong.
///
/// # Safety
/// `run` is the run that compiled code was given (R1), and nobody else uses it meanwhile.
unsafe fn guarded(run: *mut Run, f: impl FnOnce(&mut Run) -> Result<(), Failure>) -> u32 {
    // SAFETY: R1; the run outlives the compiled code that it runs, which waits for this helper.
    let run = unsafe { &mut *run };
    match catch_unwind(AssertUnwindSafe(|| f(run))) {
        Ok(Ok(())) => 0,
        Ok(Err(failure)) => run.fail(failure),
        Err(payload) => run.panicked(payload),
    }
}

/// An operation by its evaluator: operands in `at`, the result there afterwards.
pub(crate) unsafe extern "C" fn run_op(run: *mut Run, site: *const OpSite, at: *mut u64) -> u32 {
    // SAFETY: the module's contract: `at` has room for the operands' and the result's words.
    let (site, words) = unsafe {
        let site = &*site;
        (site, std::slice::from_raw_parts_mut(at, site.words))
    };
    // SAFETY: R1.
    unsafe {
        guarded(run, |run| {
            let mut next = 0;
            let mut args: smallvec::SmallVec<[Value<'static>; 4]> = site
                .args
                .iter()
                .map(|arg| match arg {
                    OpArg::Const(value) => value.clone(),
                    OpArg::Words(layout, transfer) => {
                        let own = &words[next..next + layout.components.len()];
                        next += layout.components.len();
                        values::value_of(layout, own, *transfer)
                    }
                })
                .collect();
            run.lend();
            let value = match array_kernels::eval(site.op, run, &mut args) {
                Some(value) => value,
                None => (site.op.eval)(&mut OpCx { ret: site.ret.ty, machine: run }, &mut args),
            };
            run.take_back();
            let value = value?;
            args.drain(..).for_each(checks::drop_value);
            if site.is_foreign {
                // A context may run an operation that gives a whole with a hole.
                checks::type_of(&value, site.ret.ty, Holes::Inside)
                    .map_err(|mismatch| mistyped(site.op.name, &mismatch))?;
            }
            let results = &mut words[..site.ret.components.len()];
            values::write_with(&site.ret, value, results, site.packing)
                .map_err(|mismatch| mistyped(site.op.name, &mismatch))
        })
    }
}

/// The same; the status is the run's.
pub(crate) unsafe extern "C" fn evaluate(run: *mut Run, site: *const OpSite, at: *mut u64) {
    // SAFETY: passed on, and R1.
    unsafe { (*run).status = run_op(run, site, at) }
}

/// A call of a function value, which is the first word; arguments follow, the result's words are there afterwards.
pub(crate) unsafe extern "C" fn call_value(run: *mut Run, site: *const CallSite, at: *mut u64) -> u32 {
    // SAFETY: the module's contract.
    let (site, words) = unsafe {
        let site = &*site;
        (site, std::slice::from_raw_parts_mut(at, site.words))
    };
    // SAFETY: R1, and the words are moved.
    unsafe {
        guarded(run, |run| {
            let mut next = 0;
            let mut values = site.args.iter().map(|layout| {
                let own = &words[next..next + layout.components.len()];
                next += layout.components.len();
                values::value_of(layout, own, Transfer::Move)
            });
            let callee = values.next().unwrap_or(Value::Unit);
            let args: Vec<Value<'static>> = values.collect();
            run.call_closure(&callee, args, &site.ret, &mut words[..site.ret.components.len()])
        })
    }
}

/// The code behind an entry, made now; null with a failure parked where it cannot be had.
pub(crate) unsafe extern "C" fn resolve(run: *mut Run, entry: *const Entry) -> *const u8 {
    // SAFETY: the program keeps its entries.
    let entry = unsafe { &*entry };
    // SAFETY: R1.
    let status = unsafe {
        guarded(run, |run| {
            let compiled = run.resolve(entry.name)?;
            entry.check(&compiled)?;
            entry.code.store(compiled.direct.cast_mut(), Ordering::Release);
            Ok(())
        })
    };
    if status == 0 { entry.code.load(Ordering::Acquire) } else { std::ptr::null() }
}

/// Calls a function again, on a new piece of stack.
pub(crate) unsafe extern "C" fn on_new_stack(
    run: *mut Run,
    thunk: EnterFn,
    args: *const u64,
    results: *mut u64,
    code: *const u8,
) -> u32 {
    // Where no new piece can be had, that is a panic; no other one comes through compiled code (R2).
    // SAFETY: R1; the border gets what it would have got on the old piece.
    let called = catch_unwind(AssertUnwindSafe(|| unsafe {
        (*run).on_enough_stack(|run| thunk(run, args, results, code))
    }));
    match called {
        Ok(status) => status,
        Err(_) => {
            let message = "the system gives no more memory for the stack";
            // SAFETY: R1.
            unsafe { (*run).fail(Failure::new(FailureKind::StackLimit, message)) }
        }
    }
}

/// One more count. Where a host value panics while it is cloned, there is a hole instead (H20).
pub(crate) unsafe extern "C" fn share(counted: Counted, word: u64) -> u64 {
    // SAFETY: W1.
    let shared = catch_unwind(AssertUnwindSafe(|| unsafe { values::share(counted, word) }));
    shared.unwrap_or_else(|payload| {
        run::keep_panic(payload);
        0
    })
}

/// One count less.
pub(crate) unsafe extern "C" fn release(counted: Counted, word: u64) {
    // SAFETY: W1.
    let dropped = catch_unwind(AssertUnwindSafe(|| unsafe { values::release(counted, word) }));
    dropped.unwrap_or_else(run::keep_panic);
}

/// Makes a vector its buffer's only owner; gives the count up, and leaves null, where that fails.
pub(crate) unsafe extern "C" fn make_unique(run: *mut Run, elem: Elem, at: *mut u64) {
    // SAFETY: the module's contract: four words.
    let words = unsafe { std::slice::from_raw_parts_mut(at, 4) };
    // SAFETY: R1, W1.
    let status = unsafe {
        guarded(run, |run| {
            vectors::make_unique(elem, words, &mut |bytes| overdub_context::ops::Machine::reserve(run, bytes))
        })
    };
    if status != 0 {
        words[0] = 0;
    }
}

/// Makes rows their array's only ones; gives the count up, and leaves null, where that fails.
pub(crate) unsafe extern "C" fn make_packed_unique(run: *mut Run, at: *mut u64) {
    // SAFETY: the module's contract: four words.
    let words = unsafe { std::slice::from_raw_parts_mut(at, 4) };
    // SAFETY: R1, W1.
    let status = unsafe {
        guarded(run, |run| {
            vectors::make_packed_unique(words, &mut |bytes| {
                overdub_context::ops::Machine::reserve(run, bytes)
            })
        })
    };
    if status != 0 {
        words[0] = 0;
    }
}

/// A vector with one more element; gives the count up where that fails. The status is the run's.
pub(crate) unsafe extern "C" fn push(run: *mut Run, elem: Elem, at: *mut u64, bits: u64) {
    // SAFETY: the module's contract: four words.
    let words = unsafe { std::slice::from_raw_parts_mut(at, 4) };
    // SAFETY: R1, W1.
    unsafe {
        (*run).status = guarded(run, |run| {
            vectors::push(elem, words, bits, &mut |bytes| overdub_context::ops::Machine::reserve(run, bytes))
        });
    }
}

/// A new vector of so many times the same element; the status is the run's.
pub(crate) unsafe extern "C" fn repeat(
    run: *mut Run,
    kind: BufferKind,
    at: *mut u64,
    bits: u64,
    len: usize,
    elem: Elem,
) {
    // SAFETY: the module's contract: four words.
    let words = unsafe { std::slice::from_raw_parts_mut(at, 4) };
    // SAFETY: R1.
    unsafe { (*run).status = guarded(run, |run| vectors::repeat((elem, kind), words, bits, len, run)) }
}

/// An empty stack of records.
pub(crate) unsafe extern "C" fn new_tape(run: *mut Run, site: *const TapeSite) -> *mut Tape {
    // SAFETY: R1, and the code block keeps the site.
    unsafe { (*run).tapes.make(&*site) }
}

/// One count less of a stack of records.
pub(crate) unsafe extern "C" fn release_tape(run: *mut Run, tape: *mut Tape) {
    if tape as usize as u64 >= HOLES {
        // SAFETY: R1, W1.
        unsafe { (*run).tapes.keep(tape) }
    }
}

/// Makes the stack at `at` its caller's own, with room for one more record; null there and a failure parked where that
/// cannot be.
pub(crate) unsafe extern "C" fn prepare_tape(run: *mut Run, at: *mut *mut Tape) {
    // SAFETY: R1, W1; the word is moved in and out.
    unsafe {
        let tape = std::mem::replace(&mut *at, std::ptr::null_mut());
        guarded(run, |run| {
            *at = Tape::with_room(tape, &mut |bytes| overdub_context::ops::Machine::reserve(run, bytes))?;
            Ok(())
        });
    }
}

/// Notes that a failure leaves a frame.
pub(crate) unsafe extern "C" fn leave(run: *mut Run, site: *const FailSite) {
    // SAFETY: R1, and the site is kept by its code block.
    unsafe { (*run).leave(&*site) }
}

/// The failure of too many open calls.
pub(crate) unsafe extern "C" fn too_deep(run: *mut Run) -> u32 {
    // SAFETY: R1.
    unsafe { (*run).too_deep() }
}

/// More fuel, where the limits leave some.
pub(crate) unsafe extern "C" fn refuel(run: *mut Run) -> u32 {
    // SAFETY: R1.
    unsafe { guarded(run, Run::refuel) }
}

/// The same; the status is the run's.
pub(crate) unsafe extern "C" fn refuel_at_round(run: *mut Run) {
    // SAFETY: R1.
    unsafe { (*run).status = guarded(run, Run::refuel) }
}

/// The failure that a program asks for; its message stays the caller's.
pub(crate) unsafe extern "C" fn fail(run: *mut Run, message: u64) -> u32 {
    // SAFETY: R1, W1: a text.
    unsafe {
        guarded(run, |_| {
            let shared = values::share(Counted::Str, message);
            let text =
                values::value_of(&Layout::of(overdub_context::ir::Ty::str()), &[shared], Transfer::Move);
            Err(Failure::new(FailureKind::Panic, text.as_str().unwrap_or_default()))
        })
    }
}

/// The failure of a `switch` that has no case for a number.
pub(crate) unsafe extern "C" fn no_case(run: *mut Run, number: i64) -> u32 {
    let failure = Failure::new(FailureKind::Type, format!("no case for {number}"));
    // SAFETY: R1.
    unsafe { (*run).fail(failure) }
}

/// An operation that compiled code knows to fail: the failure is its evaluator's.
pub(crate) unsafe extern "C" fn fail_op(run: *mut Run, site: *const OpSite, at: *mut u64) {
    // SAFETY: the module's contract, and R1.
    unsafe {
        if run_op(run, site, at) == 0 {
            // A fault of one of them, but never a wrong result.
            let message = format!("compiled code and the evaluator of `{}` disagree", (*site).op.name);
            (*run).fail(Failure::new(FailureKind::Type, message));
        }
    }
}
