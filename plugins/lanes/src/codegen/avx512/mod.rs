//! Machine code of regions for AVX-512: eight lanes in a register, and their masks in mask registers.
//!
//! - AVX512A code is called as `fn(words, masks, waiting, frame)` in the convention of System V: `rdi`, `rsi`, `rdx` and `rcx`,
//!   of which the first three point to the group of lanes that runs, and `r10` is its number of bytes in a mask.
//! - AVX512B a group is one vector, or two in loops, so that instructions of one run while those of the other wait.
//! - AVX512C `zmm29` to `zmm31`, `k0`, `k7`, `rax` and `r8` hold nothing from one instruction of a region to the next.

mod floats;
mod integers;
mod leaving;
mod masks;
mod stacks;
mod steps;
mod vectors;
mod words;

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use self::vectors::{Vector, mask, zmm};
use super::allocate::{Loc, allocate};
use super::asm::{Asm, Label};
use super::frame::Frame;
use super::inst::{Inst, Kind, Leave, Region};

pub(super) use self::steps::has;

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

/// Writes the code of a region; its entry, and how many words of the frame it needs.
pub(super) fn write(asm: &mut Asm, region: &Region) -> (u64, usize) {
    let is_loop = region.next.is_some();
    let places = |vectors: usize| {
        let words = allocate(&region.words, VECTORS / vectors, is_loop);
        let masks = allocate(&region.masks, MASKS / vectors, is_loop);
        (vectors, words.0, masks.0, words.1 && masks.1)
    };
    let two = if is_loop { Some(places(2)).filter(|two| two.3) } else { None };
    let (vectors, words, masks, _) = two.unwrap_or_else(|| places(1));
    let fail = asm.label();
    let mut writer = Writer { asm, region, vectors, words, masks, fail, rare: Vec::new() };
    let entry = writer.asm.here();
    writer.groups();
    writer.rare_ways();
    let spilled = writer.region.masks.iter().filter(|mask| mask.home.is_none()).count();
    (entry, spilled)
}

struct Writer<'r> {
    asm: &'r mut Asm,
    region: &'r Region,
    /// The vectors of a group.
    vectors: usize,
    words: Vec<Loc>,
    masks: Vec<Loc>,
    fail: Label,
    /// Ways that are rarely taken: where they begin, and where they lead back.
    rare: Vec<(Label, &'r Leave, Label)>,
}

fn at(base: Register, displacement: usize) -> MemoryOperand {
    MemoryOperand::with_base_displ(base, displacement as i64)
}

impl<'r> Writer<'r> {
    fn vector(&mut self) -> Vector<'_> {
        Vector { asm: self.asm, lanes: None }
    }

    /// All groups, one after the other.
    fn groups(&mut self) {
        let (group, next) = (self.asm.label(), self.asm.label());
        let bytes = self.vectors as i32;
        self.asm.made(Instruction::with2(Code::Xor_r32_rm32, Register::R10D, Register::R10D));
        self.asm.bind(group);
        let lanes = MemoryOperand::with_base_index_scale_displ_size(
            Register::RCX,
            Register::R10,
            1,
            Frame::LANES as i64,
            1,
        );
        let (load, size) = if self.vectors == 2 {
            (Code::Movzx_r32_rm16, Register::EAX)
        } else {
            (Code::Movzx_r32_rm8, Register::EAX)
        };
        self.asm.made(Instruction::with2(load, size, lanes));
        self.asm.made(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX));
        self.asm.branch(Code::Je_rel32_64, next);
        self.enter();
        match self.region.next {
            Some(_) => self.rounds(),
            None => self.body(),
        }
        self.asm.bind(next);
        self.asm.made(Instruction::with2(Code::Add_rm64_imm32, Register::RDI, 64 * bytes));
        for register in [Register::RSI, Register::RDX, Register::R10] {
            self.asm.made(Instruction::with2(Code::Add_rm64_imm32, register, bytes));
        }
        self.asm.made(Instruction::with2(Code::Cmp_rm32_imm32, Register::R10D, 8));
        self.asm.branch(Code::Jb_rel32_64, group);
        self.asm.made(Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX));
        self.end();
        self.asm.bind(self.fail);
        self.asm.made(Instruction::with2(Code::Mov_r32_imm32, Register::EAX, 1));
        self.end();
    }

    fn end(&mut self) {
        self.asm.put(&Instruction::with(Code::VEX_Vzeroupper));
        self.asm.put(&Instruction::with(Code::Retnq));
    }

    /// The mask of the lanes of a group, which is in `eax`, and for loops how many of them may leave, and the rounds.
    fn enter(&mut self) {
        if self.region.next.is_some() {
            self.asm.made(Instruction::with2(Code::Popcnt_r32_rm32, Register::R9D, Register::EAX));
            let shift = at(Register::RCX, Frame::SHIFT);
            self.asm.made(Instruction::with2(Code::Mov_r32_rm32, Register::R11D, shift));
            self.asm.made(Instruction::with3(
                Code::VEX_Shrx_r32_rm32_r32,
                Register::R9D,
                Register::R9D,
                Register::R11D,
            ));
            // At least one.
            self.asm.made(Instruction::with2(Code::Cmp_rm32_imm8, Register::R9D, 1));
            self.asm.made(Instruction::with2(Code::Adc_rm32_imm8, Register::R9D, 0));
            let rounds = at(Register::RCX, Frame::ROUNDS);
            self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::R11, rounds));
        }
        for vector in 0..self.vectors {
            self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_r32, Register::K7, Register::EAX));
            self.set_mask(self.region.live, vector, Register::K7);
            if self.vectors == 2 {
                self.asm.made(Instruction::with2(Code::Shr_rm32_imm8, Register::EAX, 8));
            }
        }
    }

    fn rounds(&mut self) {
        for (number, value) in self.region.words.iter().enumerate() {
            if let (Loc::Register(_), Kind::State | Kind::Invariant) = (self.words[number], value.kind) {
                self.load(number as u32);
            }
        }
        for (number, value) in self.region.masks.iter().enumerate() {
            let is_held = matches!(value.kind, Kind::State | Kind::Invariant) && value.home.is_some();
            if is_held && matches!(self.masks[number], Loc::Register(_)) {
                self.load_mask(number as u32);
            }
        }
        let (header, live, next) = (self.asm.label(), self.region.live, self.region.next.unwrap_or(0));
        self.asm.bind(header);
        self.body();
        for vector in 0..self.vectors {
            let lanes = self.mask(next, vector, Register::K7);
            self.set_mask(live, vector, lanes);
        }
        self.asm.made(Instruction::with1(Code::Dec_rm64, Register::R11));
        self.asm.branch(Code::Jne_rel32_64, header);
        for vector in 0..self.vectors {
            let lanes = self.mask(live, vector, Register::K7);
            self.wait(self.region.header, vector, lanes);
        }
        self.save(live, true);
        for (number, value) in self.region.masks.iter().enumerate() {
            let is_state = value.kind == Kind::State && value.home.is_some();
            if let (Loc::Register(_), true) = (self.masks[number], is_state) {
                self.store_mask(number as u32);
            }
        }
    }

    /// All instructions of a group, once.
    fn body(&mut self) {
        let region = self.region;
        let mut ends: Vec<(usize, Label)> = Vec::new();
        for (number, inst) in region.insts.iter().enumerate() {
            if region.next.is_none() {
                self.load_at_first_use(number);
            }
            match inst {
                Inst::Step(step, lanes) => {
                    (0..self.vectors).for_each(|vector| self.step(step, *lanes, vector));
                }
                Inst::Where { to, lanes, relation, of, a, b } => {
                    (0..self.vectors).for_each(|vector| {
                        self.compare((*relation, *of), [*a, *b], (*to, Some(*lanes)), vector);
                    });
                }
                Inst::Move { to, from, lanes } => {
                    (0..self.vectors).for_each(|vector| self.copy(*to, *from, *lanes, vector));
                }
                Inst::Skip { unless, block } => {
                    let end = self.asm.label();
                    self.skip(*unless, end);
                    ends.push((*block, end));
                }
                Inst::End { block } => {
                    if let Some((_, end)) = ends.iter().find(|(of, _)| of == block) {
                        self.asm.bind(*end);
                    }
                }
                Inst::Leave(leave) if region.next.is_some() => {
                    let (rare, back) = (self.asm.label(), self.asm.label());
                    self.test(leave.lanes);
                    self.asm.branch(Code::Jne_rel32_64, rare);
                    self.asm.bind(back);
                    self.rare.push((rare, leave, back));
                }
                Inst::Leave(leave) => self.leave(leave),
                Inst::Fail(lanes) => {
                    self.test(*lanes);
                    self.asm.branch(Code::Jne_rel32_64, self.fail);
                }
                masks => (0..self.vectors).for_each(|vector| self.on_masks(masks, vector)),
            }
        }
    }

    fn skip(&mut self, unless: u32, end: Label) {
        self.test(unless);
        self.asm.branch(Code::Je_rel32_64, end);
    }

    /// Loads values that are read more than once where they are read first.
    fn load_at_first_use(&mut self, number: usize) {
        let region = self.region;
        for (word, value) in region.words.iter().enumerate() {
            let is_here = value.first == number && value.kind == Kind::Invariant;
            if is_here && matches!(self.words[word], Loc::Register(_)) {
                self.load(word as u32);
            }
        }
        for (mask, value) in region.masks.iter().enumerate() {
            let is_here = value.first == number && value.kind == Kind::Invariant;
            if is_here && matches!(self.masks[mask], Loc::Register(_)) {
                self.load_mask(mask as u32);
            }
        }
    }

    fn register(&self, unit: u8, vector: usize) -> Register {
        zmm(unit as usize * self.vectors + vector)
    }

    fn mask_register(&self, unit: u8, vector: usize) -> Register {
        mask(1 + unit as usize * self.vectors + vector)
    }
}
