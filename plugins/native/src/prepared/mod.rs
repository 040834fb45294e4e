//! Prepared functions: calls with borrowed arguments that write into the caller's out slots, without
//! allocation.
//!
//! - PREP1 (H9, H10) only the call refers to what is borrowed for it; after the call, nothing refers to it
//!   (WORD3).

mod arg_words;
mod caller;
mod direct_thunk;
mod out_slots;

use std::fmt;
use std::sync::Arc;

use overdub_context::ir::{Func, Module};
use overdub_context::{Failure, Symbol};

pub use caller::Caller;

use crate::compiled::Compiled;
use crate::program::Program;
use crate::programs::Programs;
use crate::runtime::run::LazyCompiler;

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
///     caller.call(&args, &mut [OutSlot::F64(&mut y), OutSlot::F64s(&mut copy)])?;
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
        Caller::new(self.module.clone(), self.programs.clone(), self.code.clone())
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("func", &self.func().name).finish_non_exhaustive()
    }
}
