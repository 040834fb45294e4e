//! Compiled libraries, and calls of their functions.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use overdub_context::engine::OutSlot;
use overdub_context::ir::{Func, Ty, TyKind};
use overdub_context::value::{Arg, Array, Value};
use overdub_export::packed::{Lists, Shared, pack, pack_list, unpack};

use crate::compiler::CompileError;
use crate::out_slots;

/// Gets the packed result.
type Send = unsafe extern "C" fn(*mut c_void, *const u8, usize);

/// The stack that a call needs at least: its frames are of functions that do not call themselves, and hold no arrays.
const STACK_LEFT: usize = 512 << 10;
const STACK_PIECE: usize = 4 << 20;

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
        // SAFETY: loading runs the initialisers of Rust's standard library. The file is one that rustc made of exported text,
        // in a folder that nobody else writes into (CACHE1 to CACHE3).
        let library = unsafe { libloading::Library::new(path) }.map_err(failed)?;
        // SAFETY: the text declares these functions with these types. The second is kept with its library.
        let call = unsafe {
            library.get::<extern "C" fn()>(b"overdub_begin\0").map_err(failed)?();
            *library.get(b"overdub_call\0").map_err(failed)?
        };
        Ok(Loaded { call, _library: library })
    }

    /// Calls the function; `read` gets its result. Whether it returned.
    ///
    /// # Safety
    /// `args` are its packed arguments, and the values that they were packed from live during the call.
    unsafe fn call(&self, args: &[u8], mut read: impl for<'m> FnMut(&'m [u8], &'m HostMemory)) -> bool {
        let mut read = |bytes: &[u8]| read(bytes, &HostMemory(()));
        let host = &raw mut read;
        stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || {
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
    params: Vec<Ty>,
    pub(crate) ret: Ty,
}

impl Library {
    /// The function, which the library was made of.
    pub(crate) fn new(loaded: Arc<Loaded>, func: &Func) -> Library {
        let params = func.params().iter().map(|&param| func.ty(param)).collect();
        Library { loaded, params, ret: func.ret }
    }

    /// Calls the function; none if it fails, or takes other arguments.
    pub(crate) fn run(&self, args: &[Value<'_>]) -> Option<Value<'static>> {
        if args.len() != self.params.len() {
            return None;
        }
        let mut packed = Vec::with_capacity(16 * args.len());
        let mut all = args.iter().zip(&self.params);
        all.try_for_each(|(arg, ty)| pack(arg, *ty, Lists::Shared, &mut packed))?;
        let mut result = None;
        // SAFETY: these are the arguments, by the types of the function.
        unsafe {
            self.loaded
                .call(&packed, |mut bytes, memory| result = unpack(self.ret, &mut bytes, Some(memory)));
        }
        result
    }

    /// Calls the function, and writes its result into the slots; none if it fails, takes other arguments, or has a result of
    /// another shape. `packed` is memory that is used again.
    pub(crate) fn run_into(
        &self,
        args: &[Arg<'_>],
        outs: &mut [OutSlot<'_>],
        packed: &mut Vec<u8>,
    ) -> Option<()> {
        if args.len() != self.params.len() {
            return None;
        }
        packed.clear();
        for (arg, ty) in args.iter().zip(&self.params) {
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
            self.loaded.call(packed, |mut bytes, memory| {
                let mut outs = outs.iter_mut();
                let all = out_slots::write(self.ret, &mut bytes, memory, &mut outs);
                written = all.filter(|()| outs.next().is_none());
            });
        }
        written
    }
}
