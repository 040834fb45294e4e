//! Libcalls: the functions of the run-time support that compiled code calls. They run operations by their evaluators,
//! change reference counts, and report failures.
//!
//! They follow the rules of `docs/native.md`: a libcall returns a status (H18), lets no panic escape (H19),
//! and passes operands to evaluators according to H4 and H21. Evaluators are bound by H22 to H26.
//!
//! Every libcall is `extern "C"`. Its contract is RUN1, WORD1 and WORD2: compiled code passes the run that it
//! was given, sites that its side tables keep, and words of the layouts that those sites name.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use overdub_context::ops::OpCx;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::abi::entry_thunks::EnterFn;
use crate::abi::layout::{Counted, Elem, HOLES, Layout};
use crate::buffer_pool::BufferKind;
use crate::runtime::array_kernels;
use crate::runtime::host_types::{Holes, type_of};
use crate::runtime::parked_panics::park_panic;
use crate::runtime::run::Run;
use crate::side_tables::{CallSite, Entry, FailSite, OpArg, OpSite};
use crate::values::freed::drop_value;
use crate::values::tape::{Tape, TapeSite};
use crate::values::vectors;
use crate::values::{self, Transfer, mistyped};

/// A function of the run-time support, as compiled code refers to it.
#[derive(Clone, Copy)]
pub(crate) struct Libcall {
    pub(crate) name: &'static str,
    pub(crate) address: *const u8,
}

/// The [`Libcall`] of a function.
macro_rules! libcall {
    ($module:ident::$name:ident) => {
        $crate::runtime::libcalls::Libcall { name: stringify!($name), address: $module::$name as *const u8 }
    };
}

pub(crate) use libcall;

/// Runs `f` with the run; a failure or panic is parked in the run (H18).
///
/// # Safety
/// `run` is the run that compiled code was given (RUN1), and is not used otherwise during the call.
unsafe fn guarded(run: *mut Run, f: impl FnOnce(&mut Run) -> Result<(), Failure>) -> u32 {
    // SAFETY: RUN1; the run outlives the compiled code, which waits for this call.
    let run = unsafe { &mut *run };
    match catch_unwind(AssertUnwindSafe(|| f(run))) {
        Ok(Ok(())) => 0,
        Ok(Err(failure)) => run.fail(failure),
        Err(payload) => run.panicked(payload),
    }
}

/// Runs an operation by its evaluator: `at` holds the operands' words before the call, and the result's after
/// it.
pub(crate) unsafe extern "C" fn run_op(run: *mut Run, site: *const OpSite, at: *mut u64) -> u32 {
    // SAFETY: the module's contract: `at` has room for the operands' and the result's words.
    let (site, words) = unsafe {
        let site = &*site;
        (site, std::slice::from_raw_parts_mut(at, site.words))
    };
    // SAFETY: RUN1.
    unsafe {
        guarded(run, |run| {
            let mut next = 0;
            let mut args: smallvec::SmallVec<[Value<'static>; 4]> = site
                .args
                .iter()
                .map(|arg| match arg {
                    OpArg::Const(value) => value.clone(),
                    OpArg::Words(layout, transfer) => {
                        let arg_words = &words[next..next + layout.components.len()];
                        next += layout.components.len();
                        values::value_of(layout, arg_words, *transfer)
                    }
                })
                .collect();
            run.report_before_host();
            let value = match array_kernels::eval(site.op, run, &mut args) {
                Some(value) => value,
                None => (site.op.eval)(&mut OpCx { ret: site.ret.ty, machine: run }, &mut args),
            };
            run.refresh_fuel();
            let value = value?;
            args.drain(..).for_each(drop_value);
            if site.is_foreign {
                // A context may run an operation whose result is an aggregate with a hole (CHECKMODE6).
                type_of(&value, site.ret.ty, Holes::Inside)
                    .map_err(|mismatch| mistyped(site.op.name, &mismatch))?;
            }
            let results = &mut words[..site.ret.components.len()];
            values::write_with(&site.ret, value, results, site.packing)
                .map_err(|mismatch| mistyped(site.op.name, &mismatch))
        })
    }
}

/// [`run_op`] for calls that preserve registers; the status is stored in the run.
pub(crate) unsafe extern "C" fn evaluate(run: *mut Run, site: *const OpSite, at: *mut u64) {
    // SAFETY: passed on, and RUN1.
    unsafe { (*run).state.status = run_op(run, site, at) }
}

/// Calls a function value: its word comes first, then the arguments; the result's words are at `at`
/// afterwards.
pub(crate) unsafe extern "C" fn call_value(run: *mut Run, site: *const CallSite, at: *mut u64) -> u32 {
    // SAFETY: the module's contract.
    let (site, words) = unsafe {
        let site = &*site;
        (site, std::slice::from_raw_parts_mut(at, site.words))
    };
    // SAFETY: RUN1, and the words are moved.
    unsafe {
        guarded(run, |run| {
            let mut next = 0;
            let mut values = site.args.iter().map(|layout| {
                let arg_words = &words[next..next + layout.components.len()];
                next += layout.components.len();
                values::value_of(layout, arg_words, Transfer::Move)
            });
            let callee = values.next().unwrap_or(Value::Unit);
            let args: Vec<Value<'static>> = values.collect();
            run.call_closure(&callee, args, &site.ret, &mut words[..site.ret.components.len()])
        })
    }
}

/// Compiles the function of an entry; returns its address, or null with a failure parked.
pub(crate) unsafe extern "C" fn resolve(run: *mut Run, entry: *const Entry) -> *const u8 {
    // SAFETY: the program keeps its entries (CODE2).
    let entry = unsafe { &*entry };
    // SAFETY: RUN1.
    let status = unsafe {
        guarded(run, |run| {
            let compiled = run.resolve(entry.name)?;
            entry.check(&compiled.params, &compiled.ret)?;
            entry.code.store(compiled.direct.cast_mut(), Ordering::Release);
            Ok(())
        })
    };
    if status == 0 { entry.code.load(Ordering::Acquire) } else { std::ptr::null() }
}

/// Calls the function again on a new stack segment.
pub(crate) unsafe extern "C" fn on_new_stack(
    run: *mut Run,
    thunk: EnterFn,
    args: *const u64,
    results: *mut u64,
    code: *const u8,
) -> u32 {
    // If no segment can be allocated, `stacker` panics; no other panic propagates through compiled code
    // (RUN2).
    // SAFETY: RUN1; the thunk gets the arguments of this call of the function.
    let called = catch_unwind(AssertUnwindSafe(|| unsafe {
        (*run).on_enough_stack(|run| thunk(run.pointer(), args, results, code))
    }));
    match called {
        Ok(status) => status,
        Err(_) => {
            let message = "the system gives no more memory for the stack";
            // SAFETY: RUN1.
            unsafe { (*run).fail(Failure::new(FailureKind::StackLimit, message)) }
        }
    }
}

/// Adds a count. If the `Clone` of a host value panics, the copy is a hole (H20).
pub(crate) unsafe extern "C" fn share(counted: Counted, word: u64) -> u64 {
    // SAFETY: WORD1.
    let shared = catch_unwind(AssertUnwindSafe(|| unsafe { values::share(counted, word) }));
    shared.unwrap_or_else(|payload| {
        park_panic(payload);
        0
    })
}

/// Releases a count.
pub(crate) unsafe extern "C" fn release(counted: Counted, word: u64) {
    // SAFETY: WORD1.
    let dropped = catch_unwind(AssertUnwindSafe(|| unsafe { values::release(counted, word) }));
    dropped.unwrap_or_else(park_panic);
}

/// Makes a vector the only owner of its buffer, by copying if needed; releases it and stores null if that
/// fails.
pub(crate) unsafe extern "C" fn make_unique(run: *mut Run, elem: Elem, at: *mut u64) {
    // SAFETY: the module's contract: four words.
    let words = unsafe { std::slice::from_raw_parts_mut(at, 4) };
    // SAFETY: RUN1, WORD1.
    let status = unsafe {
        guarded(run, |run| {
            vectors::make_unique(elem, words, &mut |bytes| overdub_context::ops::Machine::reserve(run, bytes))
        })
    };
    if status != 0 {
        words[0] = 0;
    }
}

/// Makes a vector the only owner of its packed elements; releases it and stores null if that fails.
pub(crate) unsafe extern "C" fn make_packed_unique(run: *mut Run, at: *mut u64) {
    // SAFETY: the module's contract: four words.
    let words = unsafe { std::slice::from_raw_parts_mut(at, 4) };
    // SAFETY: RUN1, WORD1.
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

/// Appends an element to a vector; releases the vector if that fails. The status is stored in the run.
pub(crate) unsafe extern "C" fn push(run: *mut Run, elem: Elem, at: *mut u64, bits: u64) {
    // SAFETY: the module's contract: four words.
    let words = unsafe { std::slice::from_raw_parts_mut(at, 4) };
    // SAFETY: RUN1, WORD1.
    unsafe {
        (*run).state.status = guarded(run, |run| {
            vectors::push(elem, words, bits, &mut |bytes| overdub_context::ops::Machine::reserve(run, bytes))
        });
    }
}

/// Creates a vector of `len` copies of an element; the status is stored in the run.
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
    // SAFETY: RUN1; POOL1: the buffer has room for `len` such elements, and no other reader.
    unsafe {
        (*run).state.status = guarded(run, |run| {
            if let Some([handle, data]) = run.buffers.take(kind, (len << elem.log2_size()) as u64) {
                vectors::fill(elem, data, bits, len);
                words.copy_from_slice(&[handle, data, len as u64, vectors::UNIQUE]);
                return Ok(());
            }
            vectors::repeat(elem, words, bits, len, &mut |bytes| {
                overdub_context::ops::Machine::reserve(run, bytes)
            })
        });
    }
}

/// Creates an empty tape.
pub(crate) unsafe extern "C" fn new_tape(run: *mut Run, site: *const TapeSite) -> *mut Tape {
    // SAFETY: RUN1, and the code block keeps the site.
    unsafe { (*run).tapes.new_tape(&*site) }
}

/// Releases a count of a tape.
pub(crate) unsafe extern "C" fn release_tape(run: *mut Run, tape: *mut Tape) {
    if tape as usize as u64 >= HOLES {
        // SAFETY: RUN1, WORD1.
        unsafe { (*run).tapes.release(tape) }
    }
}

/// Makes the tape at `at` uniquely owned, with room for one more record; if that fails, stores null there and
/// parks a failure.
pub(crate) unsafe extern "C" fn prepare_tape(run: *mut Run, at: *mut *mut Tape) {
    // SAFETY: RUN1, WORD1; the word is moved in and out.
    unsafe {
        let tape = std::mem::replace(&mut *at, std::ptr::null_mut());
        guarded(run, |run| {
            *at = Tape::with_capacity(tape, &mut |bytes| overdub_context::ops::Machine::reserve(run, bytes))?;
            Ok(())
        });
    }
}

/// Adds a frame to the call stack of a failure.
pub(crate) unsafe extern "C" fn leave(run: *mut Run, site: *const FailSite) {
    // SAFETY: RUN1, and the code block keeps the site.
    unsafe { (*run).add_frame(&*site) }
}

/// Parks the failure of too many open calls.
pub(crate) unsafe extern "C" fn too_deep(run: *mut Run) -> u32 {
    // SAFETY: RUN1.
    unsafe { (*run).too_deep() }
}

/// Refills the fuel, as far as the limits allow.
pub(crate) unsafe extern "C" fn refuel(run: *mut Run) -> u32 {
    // SAFETY: RUN1.
    unsafe { guarded(run, Run::refuel) }
}

/// [`refuel`] for calls that preserve registers; the status is stored in the run.
pub(crate) unsafe extern "C" fn refuel_at_iteration(run: *mut Run) {
    // SAFETY: RUN1.
    unsafe { (*run).state.status = guarded(run, Run::refuel) }
}

/// Parks the failure of a `fail` terminator; the caller keeps the message's count.
pub(crate) unsafe extern "C" fn fail(run: *mut Run, message: u64) -> u32 {
    // SAFETY: RUN1, WORD1: a text.
    unsafe {
        guarded(run, |_| {
            let shared = values::share(Counted::Str, message);
            let text =
                values::value_of(&Layout::of(overdub_context::ir::Ty::str()), &[shared], Transfer::Move);
            Err(Failure::new(FailureKind::Panic, text.as_str().unwrap_or_default()))
        })
    }
}

/// Parks the failure of a `switch` that has no case for a number.
pub(crate) unsafe extern "C" fn no_case(run: *mut Run, number: i64) -> u32 {
    let failure = Failure::new(FailureKind::Type, format!("no case for {number}"));
    // SAFETY: RUN1.
    unsafe { (*run).fail(failure) }
}

/// Runs an operation that compiled code found to fail; its evaluator parks the failure.
pub(crate) unsafe extern "C" fn fail_op(run: *mut Run, site: *const OpSite, at: *mut u64) {
    // SAFETY: the module's contract, and RUN1.
    unsafe {
        if run_op(run, site, at) == 0 {
            // One of the two is wrong, but there is no wrong result.
            let message = format!("compiled code and the evaluator of `{}` disagree", (*site).op.name);
            (*run).fail(Failure::new(FailureKind::Type, message));
        }
    }
}
