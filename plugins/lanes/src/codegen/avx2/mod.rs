//! Machine code of regions for AVX2: four lanes in a register, and masks in registers, too.
//!
//! - AVX2A a group is two vectors, if their values have registers, so that instructions of one run while those of the other wait;
//!   or else one. `r8` is the number of the bit with which it begins in its byte of masks.
//! - AVX2B of a mask, the signs of the words count; other bits are anything.
//! - AVX2C `ymm12` to `ymm15` hold nothing from one instruction of a region to the next.

mod calls;
mod conversions;
mod floats;
mod gather;
mod integers;
mod masks;
mod pool;
mod steps;
mod vectors;
mod words;

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::allocate::{Loc, allocate};
use super::asm::Asm;
use super::frame::Frame;
use super::inst::{Kind, Region, Virtual};
use super::target::{Groups, Masks};
use super::writer;

pub(super) use super::steps::has;

/// The target: for each mask, its place in the frame, if it has neither a register nor a home.
pub(super) struct Avx2 {
    slots: Vec<Option<usize>>,
}

type Writer<'r> = writer::Writer<'r, Avx2>;

/// Vector registers that values have.
const VALUES: usize = 12;
/// The first operand, if it has no register.
const FIRST: Register = Register::YMM12;
const RESULT: Register = Register::YMM13;
const OTHER: Register = Register::YMM14;
/// A mask that has no register.
const SCRATCH_MASK: Register = Register::YMM15;

/// Writes what all regions share.
pub(super) fn begin(asm: &mut Asm) {
    pool::ALL.into_iter().flatten().for_each(|word| asm.word(word));
}

/// Writes the code of a region; its entry, and how many words of the frame it needs.
pub(super) fn write(asm: &mut Asm, region: &Region) -> (u64, usize) {
    let all: Vec<Virtual> = region.words.iter().chain(&region.masks).copied().collect();
    let places = |vectors: usize| (vectors, allocate(&all, VALUES / vectors, region.next.is_some()));
    let two = Some(places(2)).filter(|(_, (_, has_all))| *has_all);
    let (vectors, (mut words, _)) = two.unwrap_or_else(|| places(1));
    let masks = words.split_off(region.words.len());
    let mut count = 0;
    let slots = region.masks.iter().zip(&masks).map(|(value, loc)| {
        let is_home = value.home.is_some() && !matches!(value.kind, Kind::Temporary | Kind::Merged);
        let is_slot = *loc == Loc::Memory && !is_home;
        count += usize::from(is_slot);
        is_slot.then_some(count - usize::from(is_slot))
    });
    let slots = slots.collect();
    let entry = Writer::new(asm, region, vectors, (words, masks), Avx2 { slots }).write();
    (entry, count * vectors * 4)
}

impl Groups for Writer<'_> {
    const BYTES: usize = 32;
    const SCRATCH_MASK: Register = SCRATCH_MASK;

    fn vector_register(number: usize) -> Register {
        Register::YMM0 + number as u32
    }

    fn begin_groups(&mut self) {
        for register in [Register::R10D, Register::R8D] {
            self.asm.made(Instruction::with2(Code::Xor_r32_rm32, register, register));
        }
    }

    fn group(&mut self) {
        let lanes = MemoryOperand::with_base_index_scale_displ_size(
            Register::RCX,
            Register::R10,
            1,
            Frame::LANES as i64,
            1,
        );
        self.asm.made(Instruction::with2(Code::Movzx_r32_rm8, Register::EAX, lanes));
        if self.vectors == 1 {
            self.shift(Code::VEX_Shrx_r32_rm32_r32);
            self.asm.made(Instruction::with2(Code::And_rm32_imm8, Register::EAX, 15));
        }
        self.asm.made(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX));
    }

    /// Goes to the next byte of masks if the group begins there.
    fn advance(&mut self) {
        let bytes = 32 * self.vectors as i32;
        self.asm.made(Instruction::with2(Code::Add_rm64_imm32, Register::RDI, bytes));
        if self.vectors == 1 {
            self.asm.made(Instruction::with2(Code::Xor_rm32_imm8, Register::R8D, 4));
        }
        for register in [Register::RSI, Register::RDX, Register::R10] {
            // The carry is set if the bit is the first one.
            self.asm.made(Instruction::with2(Code::Cmp_rm32_imm8, Register::R8D, 1));
            self.asm.made(Instruction::with2(Code::Adc_rm64_imm8, register, 0));
        }
    }

    fn enter_lanes(&mut self) {
        for vector in 0..self.vectors {
            self.spread(RESULT, vector);
            self.set_mask(self.region.live, vector, RESULT);
        }
    }
}
