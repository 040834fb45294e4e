//! Machine code for the loops of a program and for runs of its steps, with values in vector registers.
//!
//! - MACHINE1 code does for the lanes of a block what the interpreter of steps does, to the bit. Steps that have no code are
//!   interpreted; they divide a block into runs of steps.
//! - MACHINE2 an innermost loop all of whose steps have code, or are done by functions of Rust that it calls (CODECALL1), is one piece of code, in which values stay in registers from one iteration
//!   to the next: each block runs for the lanes of its mask, which is if-conversion (Allen, Kennedy and others, POPL 1983). Lanes
//!   leave the loop at different times; the group of lanes leaves when many have, so that others can take their places.
//! - MACHINE3 memory is written or executed, never both.
//!
//! There is code for AVX-512 and for AVX2, without fused multiplication and addition, which would give other bits. Elsewhere, or where
//! the system gives no memory for code, all steps are interpreted.

mod allocate;
mod asm;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod build;
mod calls;
mod frame;
mod inst;
mod leaving;
mod memory;
mod operand;
mod parts;
mod places;
mod steps;
mod target;
mod usage;
mod writer;

use std::ops::Range;
use std::sync::Arc;

use overdub_passes::InstructionSet;

use self::asm::Asm;
use self::calls::is_called;
pub(crate) use self::frame::Frame;
use self::inst::Region;
use self::memory::Memory;
use self::parts::{Part, innermost_loops, runs};
use self::usage::Usage;
use crate::kernels::Lane;
use crate::program::{Program, Step};

/// A function of machine code.
#[cfg(target_arch = "x86_64")]
type Entry = unsafe extern "sysv64" fn(*mut Lane, *mut u64, *mut u64, *mut u64) -> u32;

/// A piece of code.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The steps of the block for which it stands.
    pub(crate) steps: Range<usize>,
    /// Whether it moves the lanes to the next blocks, too.
    pub(crate) has_exit: bool,
    /// The blocks that lanes may wait for afterwards.
    pub(crate) exits: Vec<u32>,
    /// The stacks that it uses.
    pub(crate) stacks: Vec<StackUse>,
    at: u64,
}

/// What a piece of code does with a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StackUse {
    pub(crate) stack: u32,
    /// The words of a value.
    pub(crate) width: usize,
    /// The most values that an iteration pushes.
    pub(crate) pushes: usize,
}

/// The machine code of a program.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    memory: Arc<Memory>,
    /// For each block, the pieces of code in order.
    pub(crate) blocks: Vec<Vec<Piece>>,
    /// For each block, whether a step that is interpreted needs the mask.
    pub(crate) is_masked: Vec<bool>,
    /// The steps for which code calls functions.
    called: Vec<Step>,
    spilled: usize,
}

/// An instruction set for which there is code.
struct Target {
    /// Writes what all regions share.
    begin: fn(&mut Asm),
    /// Writes the code of a region; its entry, and how many words of the frame it needs.
    write: fn(&mut Asm, &Region) -> (u64, usize),
    /// Whether there is code for a step.
    has: fn(&Step) -> bool,
}

impl Target {
    fn of(set: InstructionSet) -> Option<Target> {
        match set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 if is_x86_feature_detected!("bmi2") => {
                Some(Target { begin: avx512::begin, write: avx512::write, has: avx512::has })
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2
                if is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt") =>
            {
                Some(Target { begin: avx2::begin, write: avx2::write, has: avx2::has })
            }
            _ => None,
        }
    }
}

impl Machine {
    /// The code of a program by instructions that the machine has; none if there is none for them, or the system gives no memory
    /// for code.
    pub(crate) fn of(program: &Program, set: InstructionSet) -> Option<Machine> {
        let target = Target::of(set)?;
        let usage = Usage::of(program);
        let mut asm = Asm::new();
        (target.begin)(&mut asm);
        let mut spilled = 0;
        let mut piece = |parts: &[Part], is_loop: bool| {
            let region = build::region(program, &usage, parts, is_loop);
            let (at, more) = (target.write)(&mut asm, &region);
            spilled = spilled.max(more);
            let mut exits = region.exits;
            exits.extend(is_loop.then_some(region.header));
            let stacks = parts::stacks(program, parts);
            Piece { steps: parts[0].steps.clone(), has_exit: parts[0].has_exit, exits, stacks, at }
        };
        let loops = innermost_loops(program);
        let (mut blocks, mut is_masked) = (Vec::new(), Vec::new());
        for (number, block) in program.blocks.iter().enumerate() {
            let steps = |block: usize| program.blocks[block].steps.iter().map(|planned| &planned.step);
            let body = loops[number].as_ref().filter(|body| {
                body.iter().all(|block| {
                    parts::is_compiled_exit(&program.blocks[*block].exit)
                        && steps(*block).all(|step| (target.has)(step) || is_called(step))
                })
            });
            if let Some(body) = body {
                let whole = |block: &usize| Part {
                    block: *block,
                    steps: 0..program.blocks[*block].steps.len(),
                    has_exit: true,
                };
                let parts: Vec<Part> = body.iter().map(whole).collect();
                blocks.push(vec![piece(&parts, true)]);
                is_masked.push(false);
                continue;
            }
            // A row of a stack is copied faster by itself than for one group after the other.
            let is_of_stack = |step: &Step| matches!(step, Step::Push(..) | Step::Pop(..) | Step::Peek(..));
            let has_code: Vec<bool> =
                steps(number).map(|step| (target.has)(step) && !is_of_stack(step)).collect();
            let parts = runs(program, number, &has_code);
            blocks.push(parts.iter().map(|part| piece(std::slice::from_ref(part), false)).collect());
            is_masked.push(block.is_masked && has_code.iter().any(|has| !has));
        }
        let (code, called) = asm.finish()?;
        let memory = Arc::new(Memory::with(&code)?);
        Some(Machine { memory, blocks, is_masked, called, spilled })
    }

    /// A frame for all pieces. `arrays` has the address and the length of each array, and stays where it is.
    pub(crate) fn frame(&self, arrays: &[[u64; 2]]) -> Frame {
        let mut frame = Frame::new(self.spilled);
        frame.set(Frame::ARRAYS, arrays.as_ptr() as u64);
        frame.set(Frame::CALLED, self.called.as_ptr() as u64);
        frame
    }

    /// Runs a piece for some lanes; whether none fails. Loops run for at most `rounds` iterations, and until as many lanes of a
    /// group have left as it had, shifted right by `shift`. `stacks` has the rows and the depths of each stack, with room for all
    /// that so many iterations push.
    pub(crate) fn run(
        &self,
        piece: &Piece,
        frame: &mut Frame,
        (words, masks, waiting): (&mut [Lane], &mut [u64], &mut [u64]),
        stacks: &mut [[*mut Lane; 2]],
        (lanes, rounds, shift): (u64, u64, u64),
    ) -> bool {
        frame.set(Frame::STACKS, stacks.as_mut_ptr() as u64);
        frame.set(Frame::ROUNDS, rounds.max(1));
        frame.set(Frame::SHIFT, shift);
        let frame = frame.set(Frame::LANES, lanes);
        let at = self.memory.begin().wrapping_add(piece.at as usize);
        let registers = (words.as_mut_ptr(), masks.as_mut_ptr(), waiting.as_mut_ptr());
        // SAFETY: the code reads and writes the registers of the program, the masks of its blocks and the frame, which are as many
        // as the program says, rows of stacks, of which there are enough, and elements of arrays within their lengths.
        #[allow(unsafe_code)]
        unsafe {
            call(at, registers, frame)
        }
    }
}

/// Calls code; whether no lane fails.
///
/// # Safety
/// The code lies there, and what it reads and writes is there.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
unsafe fn call(
    at: *const u8,
    (words, masks, waiting): (*mut Lane, *mut u64, *mut u64),
    frame: *mut u64,
) -> bool {
    // SAFETY: the code was written for this convention (WRITER1), and lies there.
    let entry = unsafe { std::mem::transmute::<*const u8, Entry>(at) };
    // SAFETY: as the caller says; the machine has the instructions, for which the code was written.
    unsafe { entry(words, masks, waiting, frame) == 0 }
}

/// There is no code for other processors.
#[cfg(not(target_arch = "x86_64"))]
#[allow(unsafe_code)]
unsafe fn call(_: *const u8, _: (*mut Lane, *mut u64, *mut u64), _: *mut u64) -> bool {
    false
}
