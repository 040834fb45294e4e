//! Compiled libraries, and calls of their functions.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use overdub_context::engine::{BatchOutcome, OutSlot};
use overdub_context::ir::TyKind;
use overdub_context::value::{Arg, Array, Value};
use overdub_export::packed::{Lists, Shared, pack, pack_list, unpack, unpack_array};

use crate::compiler::CompileError;
use crate::out_slots;
use crate::signature::{Returns, Signature};

/// Gets the packed result.
type Send = unsafe extern "C" fn(*mut c_void, *const u8, usize);

/// The stack that a call needs at least: its frames are of functions that do not call themselves, and hold no arrays but those
/// for lanes, of a megabyte together.
const STACK_LEFT: usize = 512 << 10;
const STACK_LEFT_IN_LANES: usize = 4 << 20;
const STACK_PIECE: usize = 8 << 20;

/// A library whose text [`Export::dynamic_library`](overdub_export::Export::dynamic_library) wrote.
pub(crate) struct Loaded {
    call: unsafe extern "C" fn(*const u8, Send, *mut c_void) -> u32,
    /// What `call` is in.
    _library: libloading::Library,
}

impl Loaded {
    /// Loads the library that the compiler made of such a text.
    pub(crate) fn load(path: &Path) -> Result<Loaded, CompileError> {
        let failed = |error: libloading::Error| CompileError::Load(error.to_string());
        // SAFETY: loading runs the initialisers of Rust's standard library. The file is one that a compiler made of exported text,
        // in a folder that nobody else writes into (CACHE1 to CACHE3).
        let library = unsafe { libloading::Library::new(path) }.map_err(failed)?;
        // SAFETY: the text declares these functions with these types. The second is kept with its library.
        let call = unsafe {
            library.get::<extern "C" fn()>(b"overdub_begin\0").map_err(failed)?();
            *library.get(b"overdub_call\0").map_err(failed)?
        };
        Ok(Loaded { call, _library: library })
    }

    /// Calls the function, for which so much stack is left; `read` gets its result. Whether it returned.
    ///
    /// # Safety
    /// `args` are its packed arguments, and the values that they were packed from live during the call.
    unsafe fn call(
        &self,
        args: &[u8],
        stack_left: usize,
        mut read: impl for<'m> FnMut(&'m [u8], &'m HostMemory),
    ) -> bool {
        let mut read = |bytes: &[u8]| read(bytes, &HostMemory(()));
        let host = &raw mut read;
        stacker::maybe_grow(stack_left, STACK_PIECE, || {
            let send = receiver(&read);
            // SAFETY: the function reads the arguments that it has (see above), and calls `send` with `host`, once.
            unsafe { (self.call)(args.as_ptr(), send, host.cast()) == 0 }
        })
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded").finish_non_exhaustive()
    }
}

/// The function by which a library calls a closure of this type, to which it has the address.
fn receiver<F: FnMut(&[u8])>(_: &F) -> Send {
    /// # Safety
    /// `host` points to an `F`, and `bytes` to so many.
    unsafe extern "C" fn receive<F: FnMut(&[u8])>(host: *mut c_void, bytes: *const u8, len: usize) {
        // SAFETY: see above.
        let (read, bytes) = unsafe { (&mut *host.cast::<F>(), std::slice::from_raw_parts(bytes, len)) };
        // Nothing unwinds into the library.
        let _ = catch_unwind(AssertUnwindSafe(|| read(bytes)));
    }
    receive::<F>
}

/// The memory to which a result refers while it is read.
struct HostMemory(());

impl Shared for HostMemory {
    fn bytes(&self, address: usize, len: usize) -> &[u8] {
        match len {
            0 => &[],
            // SAFETY: [`Loaded::call`] alone makes a `HostMemory`, for as long as the result lives, and `unpack` reads the lists
            // of its type.
            _ => unsafe { std::slice::from_raw_parts(address as *const u8, len) },
        }
    }
}

/// A function that was compiled, and its types.
#[derive(Debug)]
pub(crate) struct Library {
    loaded: Arc<Loaded>,
    signature: Signature,
}

impl Library {
    /// The function of this signature, which the library was made of.
    pub(crate) fn new(loaded: Arc<Loaded>, signature: Signature) -> Library {
        Library { loaded, signature }
    }

    /// Calls the function; none if it fails, or takes other arguments.
    pub(crate) fn run(&self, args: &[Value<'_>]) -> Option<Value<'static>> {
        let Returns::One(ret) = self.signature.returns else { return None };
        let (packed, mut result) = (self.packed(args)?, None);
        // SAFETY: these are the arguments, by the types of the function.
        unsafe {
            self.loaded.call(&packed, STACK_LEFT, |mut bytes, memory| {
                result = unpack(ret, &mut bytes, Some(memory));
            });
        }
        result
    }

    /// Calls the function for many elements.
    pub(crate) fn run_batch(&self, args: &[Value<'_>]) -> BatchOutcome {
        let Returns::Lists(elems) = &self.signature.returns else { return BatchOutcome::Unavailable };
        let Some(packed) = self.packed(args) else { return BatchOutcome::Unavailable };
        let mut lists = None;
        // SAFETY: as in `run`.
        unsafe {
            self.loaded.call(&packed, STACK_LEFT_IN_LANES, |mut bytes, memory| {
                lists = elems.iter().map(|elem| unpack_array(*elem, &mut bytes, Some(memory))).collect();
            });
        }
        lists.map_or(BatchOutcome::Failed, BatchOutcome::Results)
    }

    /// The arguments as the function gets them; none if it takes others.
    fn packed(&self, args: &[Value<'_>]) -> Option<Vec<u8>> {
        let params = &self.signature.params;
        if args.len() != params.len() {
            return None;
        }
        let mut packed = Vec::with_capacity(16 * args.len());
        args.iter().zip(params).try_for_each(|(arg, ty)| pack(arg, *ty, Lists::Shared, &mut packed))?;
        Some(packed)
    }

    /// Calls the function, and writes its result into the slots; none if it fails, takes other arguments, or has a result of
    /// another shape. `packed` is memory that is used again.
    pub(crate) fn run_into(
        &self,
        args: &[Arg<'_>],
        outs: &mut [OutSlot<'_>],
        packed: &mut Vec<u8>,
    ) -> Option<()> {
        let Signature { params, returns: Returns::One(ret) } = &self.signature else { return None };
        if args.len() != params.len() {
            return None;
        }
        packed.clear();
        for (arg, ty) in args.iter().zip(params) {
            match (arg, ty.kind()) {
                (Arg::Slice(slice), TyKind::Array(of)) => {
                    pack_list(&Array::from(*slice), of.elem, Lists::Shared, packed)?
                }
                (Arg::Slice(_), _) => return None,
                (scalar, _) => pack(&scalar.to_value(), *ty, Lists::Shared, packed)?,
            }
        }
        let mut written = None;
        // SAFETY: as in `run`.
        unsafe {
            self.loaded.call(packed, STACK_LEFT, |mut bytes, memory| {
                let mut outs = outs.iter_mut();
                let all = out_slots::write(*ret, &mut bytes, memory, &mut outs);
                written = all.filter(|()| outs.next().is_none());
            });
        }
        written
    }
}
