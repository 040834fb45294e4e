//! Runs a function for 64 elements side by side: in lanes, with SIMD instructions and masks.
//!
//! ```
//! use overdub_context::text;
//! use overdub_context::value::Array;
//! use overdub_lanes::{Argument, Lanes};
//!
//! // The number of steps to 1 of the Collatz sequence, which differs from lane to lane.
//! let program = text::parse(
//!     "fn @collatz(%n: u64) -> u64 {
//!        br ^loop(%n, 0_u64)
//!      ^loop(%m: u64, %steps: u64):
//!        %ends: bool = eq %m, 1_u64
//!        br_if %ends, ^end, ^step
//!      ^step:
//!        %more: u64 = add %steps, 1_u64
//!        %bit: u64 = and %m, 1_u64
//!        %even: bool = eq %bit, 0_u64
//!        br_if %even, ^half, ^odd
//!      ^half:
//!        %h: u64 = div %m, 2_u64
//!        br ^loop(%h, %more)
//!      ^odd:
//!        %t: u64 = mul %m, 3_u64
//!        %o: u64 = add %t, 1_u64
//!        br ^loop(%o, %more)
//!      ^end:
//!        ret %steps
//!      }",
//! )?;
//! let module = program.module();
//! let func = module.func("collatz".into())?.expect("it is there");
//! let lanes = Lanes::new(&func, &[true])?;
//! let numbers = Array::from_vec(vec![6_u64, 7, 1, 27]);
//! let all = lanes.run(&[Argument::Each(numbers)], 4, &mut |_| false).expect("none fails");
//! assert_eq!(all[0].as_slice::<u64>(), Some(&[8, 16, 0, 111][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - LANES1 each lane computes what a run for its element alone would, to the bit, except for the sign and payload of a `NaN`.
//! - LANES2 a branch parts the lanes, and each block has a mask of those that wait for it. The first block in reverse postorder
//!   that has any runs next, so lanes meet again where their paths do, and those that leave a loop wait for the others. When
//!   many wait outside of the loop, they go on, and lanes that are free take the next elements, so that one long loop does not
//!   leave the others idle.
//!   Now and then another block runs, so that every lane gets on, whatever others do.
//! - LANES3 a step computes for all lanes, and writes for those of the block's mask if other blocks read what it writes.
//! - LANES4 if an element fails, there is no result: who runs elements one by one finds its error.
//! - LANES5 on processors with AVX-512 or AVX2, loops and runs of steps are machine code (MACHINE1); other steps, and all elsewhere, are interpreted.
//!
//! It is the execution model of the graphics processors before independent scheduling of threads (Diamos and others, *SIMD
//! Re-Convergence at Thread Frontiers*, MICRO 2011), with SIMD instructions as lanes; the refilling is that of persistent threads
//! (Aila and Laine, *Understanding the Efficiency of Ray Traversal on GPUs*, HPG 2009).

mod assign;
// Elsewhere there is no target.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod codegen;
mod eval;
mod if_convert;
mod isa;
mod kernels;
mod layout;
mod lower;
pub mod opencl;
mod program;
mod run;
mod select;
mod text;
mod uniform;
mod unsupported;
mod visit;
mod words;

use std::fmt;

use overdub_context::ir::{Func, Module, Ty};
use overdub_context::value::{Array, Value};
use overdub_passes::{InstructionSet, Limits, Scope, callees, optimise, optimise_to_compile};

use crate::codegen::Machine;
use crate::if_convert::if_convert;
use crate::program::Program;
pub use crate::run::Argument;
pub use crate::unsupported::{Reason, Unsupported};

/// A function that runs in lanes.
#[derive(Clone)]
pub struct Lanes {
    program: Program,
    machine: Option<Machine>,
    set: InstructionSet,
    ret: Ty,
    width: usize,
}

/// The most instructions of a function with everything that it calls.
const MOST_INSTRUCTIONS: usize = 20_000;

/// A function with its calls inlined, as lanes and kernels take it.
pub fn inlined(module: &Module, func: &Func) -> Func {
    let callees = callees(module);
    let limits = Limits { callee: MOST_INSTRUCTIONS, total: MOST_INSTRUCTIONS };
    optimise(func, &Scope::new(&callees).with_limits(limits))
}

/// The greatest number of lanes.
pub const MOST_LANES: usize = kernels::LANES;

impl Lanes {
    /// Prepares a function, which has to be optimised with all its calls inlined. `mapped` says for each parameter whether each
    /// element has its own argument.
    ///
    /// # Errors
    /// If the function does something else than compute with scalars, with arrays of scalars, and with tapes.
    pub fn new(func: &Func, mapped: &[bool]) -> Result<Lanes, Unsupported> {
        Lanes::for_instruction_set(func, mapped, InstructionSet::best())
    }

    /// As [`Lanes::new`], by an instruction set, or by the best one if the machine has it not.
    ///
    /// # Errors
    /// As [`Lanes::new`].
    pub fn for_instruction_set(
        func: &Func,
        mapped: &[bool],
        set: InstructionSet,
    ) -> Result<Lanes, Unsupported> {
        let set = set.min(InstructionSet::best());
        let compiled = match set {
            // More values are alive in rotated loops: with 16 registers, the Mandelbrot set takes twice as long.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => func.clone(),
            _ => optimise_to_compile(func, &Scope::none()),
        };
        let compiled = if_convert(&compiled);
        // The passes before code generation may use what lanes have not, such as pointers.
        let program = lower::lower(&compiled, mapped).or_else(|_| lower::lower(func, mapped))?;
        Ok(Lanes { machine: Machine::of(&program, set), program, set, ret: func.ret, width: MOST_LANES })
    }

    /// Interprets all steps, as on machines for which no code is made.
    #[must_use]
    pub fn interpreted(self) -> Lanes {
        Lanes { machine: None, ..self }
    }

    /// Uses fewer lanes than [`MOST_LANES`], at least one.
    #[must_use]
    pub fn with_width(self, lanes: usize) -> Lanes {
        Lanes { width: lanes.clamp(1, MOST_LANES), ..self }
    }

    /// The results for elements from 0 to `len`: a list for each scalar of which the result consists, those of a tuple in order.
    /// None if an element fails, an argument is of another type or length, or `is_interrupted`, which is told the bytes of
    /// tapes now and then.
    pub fn run(
        &self,
        args: &[Argument<'_>],
        len: usize,
        is_interrupted: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Vec<Array<'static>>> {
        run::run((&self.program, self.machine.as_ref(), self.set), args, (len, self.width), is_interrupted)
    }

    /// The results of a run as one list.
    pub fn list(&self, results: Vec<Array<'static>>, len: usize) -> Option<Array<'static>> {
        list_of_parts(self.ret, &results, len)
    }
}

/// The number of lists that a run gives for values of a type; none if they do not fit into lanes.
pub fn part_count(ty: Ty) -> Option<usize> {
    Some(layout::leaves(ty)?.len())
}

/// The list of values of a type from those of their parts, as a run gives them.
pub fn list_of_parts<'a>(ty: Ty, parts: &[Array<'a>], len: usize) -> Option<Array<'a>> {
    if let ([one], true) = (parts, layout::is_scalar(ty)) {
        return Some(one.clone());
    }
    let part = |element: usize| move |at: usize, _| parts.get(at)?.get(element).map(Value::into_owned);
    let value = |element: usize| words::compose(ty, 0, &part(element));
    Array::from_values(ty, (0..len).map(value).collect::<Option<Vec<_>>>()?)
}

/// The program that lanes run: blocks of steps, each for all lanes.
impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(f, &self.program, self.ret, self.width)
    }
}

impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lanes")
            .field("blocks", &self.program.blocks.len())
            .field("words", &self.program.words)
            .field("has_machine_code", &self.machine.is_some())
            .finish_non_exhaustive()
    }
}
