//! Machine code of regions for AVX-512: eight lanes in a register, and their masks in mask registers.
//!
//! - AVX512A a group is one vector, or two in loops, so that instructions of one run while those of the other wait. Its lanes are
//!   whole bytes of masks.
//! - AVX512B `zmm29` to `zmm31`, `k0`, `k7` and `r8` hold nothing from one instruction of a region to the next.

mod calls;
mod floats;
mod gather;
mod integers;
mod masks;
mod stacks;
mod steps;
mod words;

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::allocate::allocate;
use super::asm::Asm;
use super::frame::Frame;
use super::inst::{Mask, Region};
use super::operand::{Operand, Vector};
use super::target::{Groups, Masks};
use super::writer::{self, at};
use crate::program::{Place, Step};

/// The target.
pub(super) struct Avx512;

type Writer<'r> = writer::Writer<'r, Avx512>;

/// Vector registers that values have, and mask registers.
const VECTORS: usize = 29;
const MASKS: usize = 6;

/// Words that code reads: they lie before it.
const POOL: [u64; 19] = [
    // By themselves.
    1 << 63,
    !(1 << 63),
    0x3ff0_0000_0000_0000,
    0,
    // Above 8, 16 and 32 bits.
    !0 << 8,
    !0 << 16,
    !0 << 32,
    // Halves.
    1 << 7,
    1 << 15,
    1 << 31,
    1,
    // A whole vector.
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
];
const SIGN: usize = 0;
const MAGNITUDE: usize = 1;
const ONE: usize = 2;
const ZERO: usize = 3;
/// The bits above those of integers of 8, 16 and 32 bits, and half of the number of such integers.
const ABOVE: usize = 4;
const HALF: usize = 7;
const COUNT: usize = 10;
/// The numbers of the lanes of a vector.
const LANE_NUMBERS: usize = 11;

/// Writes what all regions share.
pub(super) fn begin(asm: &mut Asm) {
    POOL.into_iter().for_each(|word| asm.word(word));
}

/// Whether there is code for a step.
pub(super) fn has(step: &Step) -> bool {
    match step {
        Step::StackNew(_) | Step::StackLen(..) => true,
        Step::Push(_, items) | Step::Pop(_, items) | Step::Peek(_, items) => {
            items.iter().all(|item| matches!(item, Place::Word(_) | Place::Mask(_)))
        }
        step => super::steps::has(step),
    }
}

/// Writes the code of a region; its entry, and how many words of the frame it needs.
pub(super) fn write(asm: &mut Asm, region: &Region) -> (u64, usize) {
    let is_loop = region.next.is_some();
    let places = |vectors: usize| {
        let words = allocate(&region.words, VECTORS / vectors, is_loop);
        let masks = allocate(&region.masks, MASKS / vectors, is_loop);
        (vectors, (words.0, masks.0), words.1 && masks.1)
    };
    let two = if is_loop { Some(places(2)).filter(|two| two.2) } else { None };
    let (vectors, places, _) = two.unwrap_or_else(|| places(1));
    let entry = Writer::new(asm, region, vectors, places, Avx512).write();
    (entry, region.masks.iter().filter(|mask| mask.home.is_none()).count())
}

impl Groups for Writer<'_> {
    const BYTES: usize = 64;
    const SCRATCH_MASK: Register = Register::K7;

    fn vector_register(number: usize) -> Register {
        Register::ZMM0 + number as u32
    }

    fn begin_groups(&mut self) {
        self.asm.made(Instruction::with2(Code::Xor_r32_rm32, Register::R10D, Register::R10D));
    }

    fn group(&mut self) {
        let lanes = MemoryOperand::with_base_index_scale_displ_size(
            Register::RCX,
            Register::R10,
            1,
            Frame::LANES as i64,
            1,
        );
        let load = if self.vectors == 2 { Code::Movzx_r32_rm16 } else { Code::Movzx_r32_rm8 };
        self.asm.made(Instruction::with2(load, Register::EAX, lanes));
        self.asm.made(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX));
    }

    fn advance(&mut self) {
        let bytes = self.vectors as i32;
        self.asm.made(Instruction::with2(Code::Add_rm64_imm32, Register::RDI, 64 * bytes));
        for register in [Register::RSI, Register::RDX, Register::R10] {
            self.asm.made(Instruction::with2(Code::Add_rm64_imm32, register, bytes));
        }
    }

    fn enter_lanes(&mut self) {
        for vector in 0..self.vectors {
            self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_r32, Register::K7, Register::EAX));
            self.set_mask(self.region.live, vector, Register::K7);
            if self.vectors == 2 {
                self.asm.made(Instruction::with2(Code::Shr_rm32_imm8, Register::EAX, 8));
            }
        }
    }
}

impl Writer<'_> {
    /// An instruction that writes the lanes of a mask.
    fn some(&mut self, lanes: Mask, vector: usize) -> Vector<'_> {
        let lanes = self.mask(lanes, vector, Register::K7);
        Vector { asm: self.asm, lanes: Some(lanes) }
    }

    /// A word that code reads, and the same for all lanes.
    fn pool(&self, number: usize) -> MemoryOperand {
        MemoryOperand::with_base_displ(Register::RIP, number as i64 * 8)
    }

    fn every(&self, number: usize) -> Operand {
        let word = self.pool(number);
        Operand::Memory(MemoryOperand { is_broadcast: true, ..word })
    }

    /// The same word for all lanes.
    fn broadcast(&mut self, to: Register, word: u64) {
        self.asm.made(Instruction::with2(Code::Mov_r64_imm64, Register::RAX, word));
        let word = Operand::Register(Register::RAX);
        self.vector().one(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, to, word);
    }
}
