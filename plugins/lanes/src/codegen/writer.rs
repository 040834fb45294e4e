//! The code of a region: its groups of lanes, the iterations of a loop, and its instructions in order.
//!
//! - WRITER1 code is called as `fn(words, masks, waiting, frame)` in the convention of System V: `rdi`, `rsi`, `rdx` and `rcx`, of
//!   which the first three point to the group of lanes that runs. `r10` is the number of its byte in a mask, `r9` the number of lanes
//!   that may still leave a loop, `r11` that of the iterations, and `rax` holds nothing from one instruction of a region to the next.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::allocate::Loc;
use super::asm::{Asm, Label};
use super::calls::is_called;
use super::frame::Frame;
use super::inst::{Inst, Kind, Leave, Mask, Region, Word};
use super::operand::Vector;
use super::target::{Groups, Masks, Steps, Target};

/// What is being written, by the instructions of a target.
pub(super) struct Writer<'r, T> {
    pub(super) asm: &'r mut Asm,
    pub(super) region: &'r Region,
    /// The vectors of a group.
    pub(super) vectors: usize,
    pub(super) words: Vec<Loc>,
    pub(super) masks: Vec<Loc>,
    pub(super) fail: Label,
    /// Ways that are rarely taken: where they begin, and where they lead back.
    pub(super) rare: Vec<(Label, &'r Leave, Label)>,
    pub(super) target: T,
}

/// The memory some bytes after an address.
pub(super) fn at(base: Register, displacement: usize) -> MemoryOperand {
    MemoryOperand::with_base_displ(base, displacement as i64)
}

impl<'r, T> Writer<'r, T> {
    pub(super) fn new(
        asm: &'r mut Asm,
        region: &'r Region,
        vectors: usize,
        (words, masks): (Vec<Loc>, Vec<Loc>),
        target: T,
    ) -> Writer<'r, T> {
        let fail = asm.label();
        Writer { asm, region, vectors, words, masks, fail, rare: Vec::new(), target }
    }

    /// An instruction on vectors, which writes all lanes.
    pub(super) fn vector(&mut self) -> Vector<'_> {
        Vector { asm: self.asm, lanes: None }
    }

    /// Brings the address of an array to `rax`, and keeps the flags.
    pub(super) fn begin_of(&mut self, array: u32) {
        let arrays = at(Register::RCX, Frame::ARRAYS);
        self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, arrays));
        let begin = at(Register::RAX, array as usize * 16);
        self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, begin));
    }

    fn end(&mut self) {
        self.asm.put(&Instruction::with(Code::VEX_Vzeroupper));
        self.asm.put(&Instruction::with(Code::Retnq));
    }
}

impl<T> Writer<'_, T>
where
    Self: Target,
{
    /// Writes all of it, and says where it begins.
    pub(super) fn write(mut self) -> u64 {
        let entry = self.asm.here();
        self.groups();
        self.rare_ways();
        entry
    }

    /// All groups, one after the other.
    fn groups(&mut self) {
        let (group, next) = (self.asm.label(), self.asm.label());
        self.begin_groups();
        self.asm.bind(group);
        self.group();
        self.asm.branch(Code::Je_rel32_64, next);
        if self.region.next.is_some() {
            self.limits();
        }
        self.enter_lanes();
        match self.region.next {
            Some(next) => self.rounds(next),
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

    /// How many of the lanes in `eax` may leave a loop, at least one, and its iterations.
    fn limits(&mut self) {
        let (left, shift) = (Register::R9D, Register::R11D);
        self.asm.made(Instruction::with2(Code::Popcnt_r32_rm32, left, Register::EAX));
        let by = at(Register::RCX, Frame::SHIFT);
        self.asm.made(Instruction::with2(Code::Mov_r32_rm32, shift, by));
        self.asm.made(Instruction::with3(Code::VEX_Shrx_r32_rm32_r32, left, left, shift));
        self.asm.made(Instruction::with2(Code::Cmp_rm32_imm8, left, 1));
        self.asm.made(Instruction::with2(Code::Adc_rm32_imm8, left, 0));
        let rounds = at(Register::RCX, Frame::ROUNDS);
        self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::R11, rounds));
    }

    /// The iterations of a loop; `next` are the lanes of the next one.
    fn rounds(&mut self, next: Mask) {
        let region = self.region;
        for (number, value) in region.words.iter().enumerate() {
            if let (Loc::Register(_), Kind::State | Kind::Invariant) = (self.words[number], value.kind) {
                self.load(number as Word);
            }
        }
        for (number, value) in region.masks.iter().enumerate() {
            let is_held = matches!(value.kind, Kind::State | Kind::Invariant) && value.home.is_some();
            if is_held && matches!(self.masks[number], Loc::Register(_)) {
                self.load_mask(number as Mask);
            }
        }
        let header = self.asm.label();
        self.asm.bind(header);
        self.body();
        for vector in 0..self.vectors {
            let lanes = self.mask(next, vector, Self::SCRATCH_MASK);
            self.set_mask(region.live, vector, lanes);
        }
        self.asm.made(Instruction::with1(Code::Dec_rm64, Register::R11));
        self.asm.branch(Code::Jne_rel32_64, header);
        for vector in 0..self.vectors {
            let lanes = self.mask(region.live, vector, Self::SCRATCH_MASK);
            self.wait(region.header, vector, lanes);
        }
        self.save(region.live, true);
        for (number, value) in region.masks.iter().enumerate() {
            let is_state = value.kind == Kind::State && value.home.is_some();
            if let (Loc::Register(_), true) = (self.masks[number], is_state) {
                self.store_mask(number as Mask);
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
            let vectors = 0..self.vectors;
            match inst {
                Inst::Step(step, lanes) if is_called(step) => self.call(number, step, *lanes),
                Inst::Step(step, lanes) => vectors.for_each(|vector| self.step(step, *lanes, vector)),
                Inst::Where { to, lanes, relation, of, a, b } => {
                    vectors.for_each(|vector| {
                        self.holds_where(*to, *lanes, (*relation, *of), [*a, *b], vector);
                    });
                }
                Inst::Move { to, from, lanes } => {
                    vectors.for_each(|vector| self.copy(*to, *from, *lanes, vector));
                }
                Inst::Skip { unless, block } => {
                    let end = self.asm.label();
                    self.test(*unless);
                    self.asm.branch(Code::Je_rel32_64, end);
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
                masks => vectors.for_each(|vector| self.on_masks(masks, vector)),
            }
        }
    }

    /// Loads values that are read more than once where they are read first.
    fn load_at_first_use(&mut self, number: usize) {
        let region = self.region;
        for (word, value) in region.words.iter().enumerate() {
            let is_here = value.first == number && value.kind == Kind::Invariant;
            if is_here && matches!(self.words[word], Loc::Register(_)) {
                self.load(word as Word);
            }
        }
        for (mask, value) in region.masks.iter().enumerate() {
            let is_here = value.first == number && value.kind == Kind::Invariant;
            if is_here && matches!(self.masks[mask], Loc::Register(_)) {
                self.load_mask(mask as Mask);
            }
        }
    }
}
