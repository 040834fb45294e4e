//! Steps that have no instructions, within loops that are compiled: the code calls a function of Rust for a group of lanes.
//!
//! - CODECALL1 the operands of the group, its lanes and the result are in the frame. The code keeps the registers of values that live
//!   across the call there, too, since the convention of System V keeps no vector register.

use iced_x86::{Code, Instruction, MemoryOperand, Register};
use overdub_context::ops;

use super::allocate::Loc;
use super::frame::Frame;
use super::inst::{Mask, Word};
use super::operand::Operand;
use super::steps::{rounding, spare};
use super::target::{Calls, Groups, Masks, Steps, Target};
use super::writer::{Writer, at};
use crate::kernels::{checked_words, divided, for_each};
use crate::program::{Arith, Step};

/// The most lanes of a group.
const GROUP: usize = 16;

/// The operands of a group, its lanes for each vector, and its results.
#[repr(C, align(64))]
pub(super) struct Group {
    a: [u64; GROUP],
    b: [u64; GROUP],
    d: [u64; GROUP],
    lanes: [u64; 2],
}

/// Where they are in the frame.
const A: usize = Frame::GROUP + std::mem::offset_of!(Group, a);
const B: usize = Frame::GROUP + std::mem::offset_of!(Group, b);
const D: usize = Frame::GROUP + std::mem::offset_of!(Group, d);
const LANES: usize = Frame::GROUP + std::mem::offset_of!(Group, lanes);

/// Whether loops call a function for a step.
pub(super) fn is_called(step: &Step) -> bool {
    match step {
        Step::Call(function, ..) => rounding(function).is_none() && *function.op != ops::RECIP,
        Step::Call2(function, ..) => *function.op != ops::MIN && *function.op != ops::MAX,
        Step::Checked(Arith::Mul, int, ..) => spare(*int) == 0,
        Step::Division(..) => true,
        _ => false,
    }
}

/// The result and the operands of such a step.
fn operands(step: &Step) -> Option<(Word, Word, Option<Word>)> {
    match step {
        Step::Call(_, d, a) => Some((*d, *a, None)),
        Step::Call2(_, d, a, b) | Step::Checked(_, _, d, a, b) | Step::Division(_, _, d, a, b) => {
            Some((*d, *a, Some(*b)))
        }
        _ => None,
    }
}

/// Does a step for a group of vectors of this many lanes; whether none fails.
fn done<const VECTOR: usize>(step: &Step, group: &mut Group) -> bool {
    let Group { a, b, d, lanes } = group;
    let lanes = lanes[0] | lanes[1] << VECTOR;
    let mut fits = true;
    match step {
        Step::Call(function, ..) => {
            for_each(lanes, |i| d[i] = (function.run)(f64::from_bits(a[i])).to_bits());
        }
        Step::Call2(function, ..) => for_each(lanes, |i| {
            d[i] = (function.run)(f64::from_bits(a[i]), f64::from_bits(b[i])).to_bits();
        }),
        Step::Checked(op, int, ..) => {
            for_each(lanes, |i| match checked_words(*op, int.is_signed(), a[i], b[i]) {
                Some(word) => d[i] = word,
                None => fits = false,
            })
        }
        Step::Division(op, int, ..) => for_each(lanes, |i| match divided(*op, *int, a[i], b[i]) {
            Some(word) => d[i] = word,
            None => fits = false,
        }),
        _ => fits = false,
    }
    fits
}

/// What code calls, with a step and a group: whether a lane fails.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
unsafe extern "sysv64" fn entry<const VECTOR: usize>(step: *const Step, group: *mut Group) -> u32 {
    // SAFETY: the code gives a step of the machine that it belongs to.
    let step = unsafe { &*step };
    // SAFETY: the code gives the group of the frame, which nothing else mentions meanwhile.
    let group = unsafe { &mut *group };
    u32::from(!done::<VECTOR>(step, group))
}

/// The address of what code calls, for vectors of this many bytes.
#[cfg(target_arch = "x86_64")]
fn address(bytes: usize) -> u64 {
    let entry: unsafe extern "sysv64" fn(*const Step, *mut Group) -> u32 =
        if bytes == 64 { entry::<8> } else { entry::<4> };
    entry as usize as u64
}

/// There is no code for other processors.
#[cfg(not(target_arch = "x86_64"))]
fn address(_: usize) -> u64 {
    0
}

/// The registers that are not of vectors, and that a call does not keep (WRITER1).
const SCALARS: [Register; 8] = [
    Register::RDI,
    Register::RSI,
    Register::RDX,
    Register::RCX,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
];

impl<T> Writer<'_, T>
where
    Self: Target,
{
    /// Calls a function for a step, which is the instruction of this number.
    pub(super) fn call(&mut self, number: usize, step: &Step, lanes: Mask) {
        let Some((d, a, b)) = operands(step) else { return };
        for vector in 0..self.vectors {
            for (operand, slot) in [(Some(a), A), (b, B)] {
                let Some(operand) = operand else { continue };
                let register = self.read(operand, vector, Self::RESULT);
                self.store_whole(at(Register::RCX, slot + vector * Self::BYTES), register);
            }
            let some = self.mask(lanes, vector, Self::SCRATCH_MASK);
            self.bits(some);
            self.store_word(LANES + vector * 8);
        }
        if self.vectors == 1 {
            self.asm.made(Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX));
            self.store_word(LANES + 8);
        }
        let kept = self.kept(number);
        kept.iter().for_each(|register| self.keep(*register));
        self.call_entry(step);
        kept.iter().for_each(|register| self.restore(*register));
        for vector in 0..self.vectors {
            let result = Operand::Memory(at(Register::RCX, D + vector * Self::BYTES));
            self.move_to(Self::RESULT, result);
            self.finish(d, (lanes, vector));
        }
    }

    /// Stores `rax` in the frame.
    fn store_word(&mut self, slot: usize) {
        let slot = at(Register::RCX, slot);
        self.asm.made(Instruction::with2(Code::Mov_rm64_r64, slot, Register::RAX));
    }

    /// The registers of values that live across an instruction, and of masks that it reads or that live across it.
    fn kept(&self, number: usize) -> Vec<Register> {
        let region = self.region;
        let mut kept = Vec::new();
        for (word, value) in region.words.iter().enumerate() {
            if let (Loc::Register(unit), true) =
                (self.words[word], value.first <= number && value.last > number)
            {
                kept.extend((0..self.vectors).map(|vector| self.register(unit, vector)));
            }
        }
        for (mask, value) in region.masks.iter().enumerate() {
            if value.first <= number && value.last >= number {
                kept.extend((0..self.vectors).filter_map(|vector| self.register_of(mask as Mask, vector)));
            }
        }
        kept
    }

    fn call_entry(&mut self, step: &Step) {
        let number = self.asm.called(step);
        SCALARS.iter().for_each(|scalar| self.asm.made(Instruction::with1(Code::Push_r64, *scalar)));
        // The return address and eight words: one more, and the stack is aligned.
        self.asm.made(Instruction::with2(Code::Sub_rm64_imm8, Register::RSP, 8));
        let steps = at(Register::RCX, Frame::CALLED);
        self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::RDI, steps));
        let before = i32::try_from(number * size_of::<Step>()).unwrap_or(i32::MAX);
        self.asm.made(Instruction::with2(Code::Add_rm64_imm32, Register::RDI, before));
        let group: MemoryOperand = at(Register::RCX, Frame::GROUP);
        self.asm.made(Instruction::with2(Code::Lea_r64_m, Register::RSI, group));
        self.asm.made(Instruction::with2(Code::Mov_r64_imm64, Register::RAX, address(Self::BYTES)));
        self.asm.put(&Instruction::with(Code::VEX_Vzeroupper));
        self.asm.made(Instruction::with1(Code::Call_rm64, Register::RAX));
        self.asm.made(Instruction::with2(Code::Add_rm64_imm8, Register::RSP, 8));
        SCALARS.iter().rev().for_each(|scalar| self.asm.made(Instruction::with1(Code::Pop_r64, *scalar)));
        self.asm.made(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX));
        self.asm.branch(Code::Jne_rel32_64, self.fail);
    }
}
