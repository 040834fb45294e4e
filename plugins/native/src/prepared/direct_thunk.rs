//! Direct thunks: entry thunks for functions of floats and vectors of floats that read the arguments where the host has
//! them, and write the result to the host's slots.
//!
//! - DIRECTTHUNK1 `Arg`, `Slice` and `OutSlot` begin with the number of their variant, since their representation is `repr(u64)`;
//!   how a reference to a slice follows is read off samples, and without a thunk if it is not as expected.
//! - DIRECTTHUNK2 a thunk checks the variants of all arguments and slots before it calls the function.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::FunctionBuilder;
use hashbrown::HashMap;
use overdub_context::engine::OutSlot;
use overdub_context::ir::FloatTy;
use overdub_context::value::Arg;

use super::out_slots::{PartKind, ResultPart};
use crate::abi::entry_thunks::{Thunk, load_depth};
use crate::abi::layout::{Component, Elem, LayoutKind};
use crate::abi::run_state::RunState;
use crate::abi::signature::{component_ty, is_direct, signature};
use crate::abi::uncounted::lent;
use crate::codegen::host_isa;
use crate::compiled::Compiled;

/// A direct thunk takes the run, the arguments, the slots, the address for the words of the result, and the function.
pub(super) type EnterDirectFn =
    unsafe extern "C" fn(*mut RunState, *const Arg<'_>, *mut OutSlot<'_>, *mut u64, *const u8) -> u32;

/// What a direct thunk returns.
pub(super) mod status {
    /// The result is in the slots.
    pub(in super::super) const DONE: u32 = 0;
    /// The function failed.
    pub(in super::super) const FAILED: u32 = 1;
    /// An argument or a slot has another type than expected; nothing ran.
    pub(in super::super) const OTHER_TYPES: u32 = 2;
    /// A vector of the result was not computed in its slot; the words of the result have to be read.
    pub(in super::super) const ELSEWHERE: u32 = 3;
}

/// The code that enters functions of one signature directly.
pub(super) struct DirectThunk {
    pub(super) enter: EnterDirectFn,
    _thunk: Thunk,
}

/// A float, or a vector of floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    F64,
    F64s,
}

/// The parameters and the parts of the result, with their first words, and the components of the result.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Signature {
    params: Box<[Kind]>,
    parts: Box<[(Kind, usize)]>,
    ret: Box<[Component]>,
}

/// Unused thunks are dropped once the cache holds this many.
const MAX_CACHED: usize = 64;

impl DirectThunk {
    /// The thunk for a function, if it takes and returns floats and vectors of floats only.
    pub(super) fn of(compiled: &Compiled, parts: &[ResultPart]) -> Option<Arc<DirectThunk>> {
        static CACHE: Mutex<Option<HashMap<Signature, Arc<DirectThunk>>>> = Mutex::new(None);
        let signature = Signature::of(compiled, parts)?;
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        let cache = cache.get_or_insert_default();
        if let Some(known) = cache.get(&signature) {
            return Some(known.clone());
        }
        if cache.len() >= MAX_CACHED {
            cache.retain(|_, thunk| Arc::strong_count(thunk) > 1);
        }
        let isa = host_isa().ok()?;
        let thunk = Arc::new(DirectThunk::compile(&isa, compiled, &signature)?);
        cache.insert(signature, thunk.clone());
        Some(thunk)
    }

    fn compile(isa: &OwnedTargetIsa, compiled: &Compiled, signature: &Signature) -> Option<DirectThunk> {
        let variants = Variants::read()?;
        let thunk = Thunk::compile(isa, 5, |b| {
            let emitter = Emitter { b, variants, signature };
            emitter.all(isa, compiled);
        });
        let thunk = thunk.ok()?;
        // SAFETY: the code was defined with this signature.
        let enter = unsafe { std::mem::transmute::<*const u8, EnterDirectFn>(thunk.code()) };
        Some(DirectThunk { enter, _thunk: thunk })
    }
}

impl Signature {
    fn of(compiled: &Compiled, parts: &[ResultPart]) -> Option<Signature> {
        let of_param = |shape: &LayoutKind| match shape {
            LayoutKind::Float(FloatTy::F64) => Some(Kind::F64),
            LayoutKind::Vector(Elem::F64) => Some(Kind::F64s),
            _ => None,
        };
        let of_part = |part: &ResultPart| match part.kind {
            PartKind::F64 => Some((Kind::F64, part.word)),
            PartKind::Vector(Elem::F64) => Some((Kind::F64s, part.word)),
            _ => None,
        };
        Some(Signature {
            params: compiled.params.iter().map(|layout| of_param(&layout.shape)).collect::<Option<_>>()?,
            parts: parts.iter().map(of_part).collect::<Option<_>>()?,
            ret: compiled.ret.components.as_slice().into(),
        })
    }
}

/// The numbers of the variants that a thunk accepts (DIRECTTHUNK1).
#[derive(Clone, Copy)]
struct Variants {
    arg_f64: u64,
    arg_slice: u64,
    slice_f64: u64,
    slot_f64: u64,
    slot_f64s: u64,
}

impl Variants {
    fn read() -> Option<Variants> {
        let (floats, mut out, mut outs) = ([0.5, 1.5, 2.5], 0.0, [0.0; 5]);
        let (at, out_at, outs_at) = (floats.as_ptr() as u64, &raw const out as u64, outs.as_ptr() as u64);
        let [arg_f64, bits] = words_of(&Arg::F64(0.75));
        let [arg_slice, slice_f64, data, len] = words_of(&Arg::slice(&floats));
        let [slot_f64, slot] = words_of(&OutSlot::F64(&mut out));
        let [slot_f64s, slots, slots_len] = words_of(&OutSlot::F64s(&mut outs));
        let expected = [0.75_f64.to_bits(), at, 3, out_at, outs_at, 5];
        let is_expected = [bits, data, len, slot, slots, slots_len] == expected;
        is_expected.then_some(Variants { arg_f64, arg_slice, slice_f64, slot_f64, slot_f64s })
    }
}

/// The first words of a value, which are initialised.
fn words_of<T, const N: usize>(value: &T) -> [u64; N] {
    assert!(size_of::<T>() >= N * 8 && align_of::<T>() >= 8, "the words are in the value");
    // SAFETY: just checked; the variants that this is used for have no padding in these words (DIRECTTHUNK1).
    unsafe { std::ptr::from_ref(value).cast::<[u64; N]>().read() }
}

/// Emits a thunk.
struct Emitter<'b, 'f, 's> {
    b: &'b mut FunctionBuilder<'f>,
    variants: Variants,
    signature: &'s Signature,
}

impl Emitter<'_, '_, '_> {
    fn all(mut self, isa: &OwnedTargetIsa, compiled: &Compiled) {
        let block = self.b.current_block().expect("a thunk begins in its first block");
        let [run, args, outs, results, code] = *self.b.block_params(block) else {
            unreachable!("a direct thunk takes five words")
        };
        let differences = self.differences(args, outs);
        self.return_if(differences, status::OTHER_TYPES);
        let mut values = vec![run, load_depth(self.b, run)];
        self.load_args(args, &mut values);
        let ret = &compiled.ret;
        if !is_direct(ret) {
            values.push(results);
        }
        let of_function = self.b.import_signature(signature(&**isa, &compiled.params, ret));
        let call = self.b.ins().call_indirect(of_function, code, &values);
        let [failed, direct @ ..] = self.b.inst_results(call) else {
            unreachable!("GEN1: a function returns its status")
        };
        let (failed, direct) = (*failed, direct.to_vec());
        self.return_if(failed, status::FAILED);
        let words: Vec<Value> = match is_direct(ret) {
            true => direct,
            false => self.load_result(results),
        };
        if let Some(elsewhere) = self.store_result(&words, outs) {
            self.return_if(elsewhere, status::ELSEWHERE);
        }
        self.return_status(status::DONE);
    }

    /// A number that is 0 if all arguments and slots are of the expected variants (DIRECTTHUNK2).
    fn differences(&mut self, args: Value, outs: Value) -> Value {
        let Variants { arg_f64, arg_slice, slice_f64, slot_f64, slot_f64s } = self.variants;
        let mut words = Vec::new();
        for (at, param) in self.signature.params.iter().enumerate() {
            let at = at * size_of::<Arg<'_>>();
            match param {
                Kind::F64 => words.push((args, at, arg_f64)),
                Kind::F64s => words.extend([(args, at, arg_slice), (args, at + 8, slice_f64)]),
            }
        }
        for (at, (part, _)) in self.signature.parts.iter().enumerate() {
            let expected = if *part == Kind::F64 { slot_f64 } else { slot_f64s };
            words.push((outs, at * size_of::<OutSlot<'_>>(), expected));
        }
        let mut differences = self.b.ins().iconst(types::I64, 0);
        for (base, at, expected) in words {
            let found = self.load(types::I64, base, at);
            let expected = self.b.ins().iconst(types::I64, expected.cast_signed());
            let differs = self.b.ins().bxor(found, expected);
            differences = self.b.ins().bor(differences, differs);
        }
        differences
    }

    /// The components of the arguments; vectors are lent (WORD5).
    fn load_args(&mut self, args: Value, values: &mut Vec<Value>) {
        for (at, param) in self.signature.params.iter().enumerate() {
            let at = at * size_of::<Arg<'_>>();
            match param {
                Kind::F64 => values.push(self.load(types::F64, args, at + 8)),
                Kind::F64s => {
                    values.push(self.b.ins().iconst(types::I64, lent().cast_signed()));
                    values.push(self.load(types::I64, args, at + 16));
                    values.push(self.load(types::I64, args, at + 24));
                    values.push(self.b.ins().iconst(types::I8, 0));
                }
            }
        }
    }

    fn load_result(&mut self, results: Value) -> Vec<Value> {
        let components = self.signature.ret.iter().enumerate();
        components.map(|(at, component)| self.load(component_ty(*component), results, at * 8)).collect()
    }

    /// Stores the floats of a result. Returns a number that is 0 if all its vectors were computed in their slots; none if it
    /// has no vectors.
    fn store_result(&mut self, words: &[Value], outs: Value) -> Option<Value> {
        let mut elsewhere = None;
        for (at, (part, word)) in self.signature.parts.iter().enumerate() {
            let at = at * size_of::<OutSlot<'_>>();
            let slot = self.load(types::I64, outs, at + 8);
            if *part == Kind::F64 {
                self.b.ins().store(MemFlagsData::trusted(), words[*word], slot, 0);
                continue;
            }
            let len = self.load(types::I64, outs, at + 16);
            let lent = self.b.ins().iconst(types::I64, lent().cast_signed());
            for (found, expected) in words[*word..].iter().zip([lent, slot, len]) {
                let differs = self.b.ins().bxor(*found, expected);
                elsewhere = Some(match elsewhere {
                    Some(others) => self.b.ins().bor(others, differs),
                    None => differs,
                });
            }
        }
        elsewhere
    }

    fn load(&mut self, ty: types::Type, base: Value, at: usize) -> Value {
        self.b.ins().load(ty, MemFlagsData::trusted(), base, offset(at))
    }

    /// Returns this status if a number is not 0.
    fn return_if(&mut self, number: Value, status: u32) {
        let (returning, next) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(returning);
        self.b.ins().brif(number, returning, &[], next, &[]);
        self.b.switch_to_block(returning);
        self.return_status(status);
        self.b.switch_to_block(next);
    }

    fn return_status(&mut self, status: u32) {
        let status = self.b.ins().iconst(types::I32, i64::from(status));
        self.b.ins().return_(&[status]);
    }
}

fn offset(bytes: usize) -> i32 {
    i32::try_from(bytes).expect("fewer arguments than 2^26")
}

impl fmt::Debug for DirectThunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DirectThunk").finish_non_exhaustive()
    }
}
