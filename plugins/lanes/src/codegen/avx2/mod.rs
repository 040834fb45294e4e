//! Machine code of regions for AVX2: four lanes in a register, and masks in registers, too.
//!
//! - AVX2A code is called as AVX512A says; `r10` is the number of the byte of a mask, and `r8` that of the bit in it, with which a
//!   group of one vector begins.
//! - AVX2B a group is two vectors, if their values have registers, so that instructions of one run while those of the other wait;
//!   or else one.
//! - AVX2C of a mask, the signs of the words count; other bits are anything.
//! - AVX2D `ymm12` to `ymm15` and `rax` hold nothing from one instruction of a region to the next.

mod conversions;
mod floats;
mod integers;
mod leaving;
mod masks;
mod pool;
mod steps;
mod vectors;
mod words;

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use self::vectors::ymm;
use super::allocate::{Loc, allocate};
use super::asm::{Asm, Label};
use super::frame::Frame;
use super::inst::{Inst, Kind, Leave, Region, Virtual};

pub(super) use self::steps::has;

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
    let fail = asm.label();
    let mut writer = Writer { asm, region, vectors, words, masks, slots, fail, rare: Vec::new() };
    let entry = writer.asm.here();
    writer.groups();
    writer.rare_ways();
    (entry, count * vectors * 4)
}

struct Writer<'r> {
    asm: &'r mut Asm,
    region: &'r Region,
    /// The vectors of a group.
    vectors: usize,
    words: Vec<Loc>,
    masks: Vec<Loc>,
    /// The places in the frame of masks that have neither a register nor a home.
    slots: Vec<Option<usize>>,
    fail: Label,
    /// Ways that are rarely taken: where they begin, and where they lead back.
    rare: Vec<(Label, &'r Leave, Label)>,
}

fn at(base: Register, displacement: usize) -> MemoryOperand {
    MemoryOperand::with_base_displ(base, displacement as i64)
}

impl<'r> Writer<'r> {
    /// All groups, one after the other.
    fn groups(&mut self) {
        let (group, next) = (self.asm.label(), self.asm.label());
        for register in [Register::R10D, Register::R8D] {
            self.asm.made(Instruction::with2(Code::Xor_r32_rm32, register, register));
        }
        self.asm.bind(group);
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
        self.asm.branch(Code::Je_rel32_64, next);
        self.enter();
        match self.region.next {
            Some(_) => self.rounds(),
            None => self.body(),
        }
        self.asm.bind(next);
        self.advance();
        self.asm.made(Instruction::with2(Code::Cmp_rm32_imm32, Register::R10D, 8));
        self.asm.branch(Code::Jb_rel32_64, group);
        self.asm.made(Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX));
        self.end();
        self.asm.bind(self.fail);
        self.asm.made(Instruction::with2(Code::Mov_r32_imm32, Register::EAX, 1));
        self.end();
    }

    /// Goes to the next group: to the next byte of masks if it begins there.
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
            self.spread(RESULT, vector);
            self.set_mask(self.region.live, vector, RESULT);
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
            let lanes = self.mask(next, vector, SCRATCH_MASK);
            self.set_mask(live, vector, lanes);
        }
        self.asm.made(Instruction::with1(Code::Dec_rm64, Register::R11));
        self.asm.branch(Code::Jne_rel32_64, header);
        for vector in 0..self.vectors {
            let lanes = self.mask(live, vector, SCRATCH_MASK);
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
                        let is_opposite = self.relation((*relation, *of), [*a, *b], vector);
                        self.holds_for(is_opposite, (*to, Some(*lanes)), vector);
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
        ymm(unit as usize * self.vectors + vector)
    }
}
