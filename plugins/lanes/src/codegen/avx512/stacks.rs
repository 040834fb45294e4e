//! Stacks: what lanes push at one depth lies in one row (LANESTACK1).
//!
//! - AVX512C where the lanes of a vector are as deep as each other, a row is read and written as a register; otherwise its words are
//!   gathered and scattered.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::super::asm::Label;
use super::super::frame::Frame;
use super::super::inst::Mask;
use super::super::operand::{Operand, Vector};
use super::super::target::{Masks, Steps};
use super::words::{MOVE, STORE};
use super::{COUNT, LANE_NUMBERS, Writer, at};
use crate::program::Place;

/// The fields of a stack in the list to which the frame points.
const ROWS: usize = 0;
const DEPTHS: usize = 8;

impl Writer<'_> {
    /// The address of what a stack has for a group, in `r8`.
    fn stack(&mut self, stack: u32, field: usize) {
        let stacks = at(Register::RCX, Frame::STACKS);
        self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::R8, stacks));
        let begin = at(Register::R8, stack as usize * 16 + field);
        self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::R8, begin));
        // Eight bytes for each lane of the groups before.
        self.asm.made(Instruction::with2(Code::Shl_rm64_imm8, Register::R10, 6));
        self.asm.made(Instruction::with2(Code::Add_r64_rm64, Register::R8, Register::R10));
        self.asm.made(Instruction::with2(Code::Shr_rm64_imm8, Register::R10, 6));
    }

    fn depths(&mut self, stack: u32, vector: usize) -> MemoryOperand {
        self.stack(stack, DEPTHS);
        at(Register::R8, vector * 64)
    }

    /// Empties a stack.
    pub(super) fn clear_stack(&mut self, stack: u32, (lanes, vector): (Mask, usize)) {
        let depths = self.depths(stack, vector);
        self.move_to(Register::ZMM29, Operand::Memory(depths));
        let same = Operand::Register(Register::ZMM29);
        let code = Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64;
        self.some(lanes, vector).two(code, Register::ZMM29, Register::ZMM29, same);
        self.vector().store(STORE, depths, Register::ZMM29);
    }

    pub(super) fn stack_len(&mut self, d: u32, stack: u32, to: (Mask, usize)) {
        let depths = Operand::Memory(self.depths(stack, to.1));
        self.move_to(Register::ZMM30, depths);
        self.finish(d, to);
    }

    /// Goes to a label unless these lanes, whose rows are in `zmm29`, are all in one; leaves its address in `r8`.
    fn row(&mut self, stack: u32, width: usize, (lanes, vector): (Mask, usize), unless: Label) {
        // The number of the first of these lanes, or zero.
        let lanes = self.mask(lanes, vector, Register::K7);
        let first =
            Instruction::with2(Code::EVEX_Vpcompressq_zmmm512_k1z_zmm, Register::ZMM30, Register::ZMM29);
        self.asm.made(first.map(|mut first| {
            first.set_op_mask(lanes);
            first.set_zeroing_masking(true);
            first
        }));
        self.asm.made(Instruction::with2(Code::EVEX_Vmovq_rm64_xmm, Register::RAX, Register::XMM30));
        let word = Operand::Register(Register::RAX);
        self.vector().one(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, Register::ZMM31, word);
        let others = Vector { asm: self.asm, lanes: Some(lanes) };
        let all = Operand::Register(Register::ZMM31);
        let compare = Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8;
        others.two_with(compare, Register::K7, Register::ZMM29, all, 4);
        self.on_test(Register::K7);
        self.asm.branch(Code::Jne_rel32_64, unless);
        self.stack(stack, ROWS);
        let bytes = (width * 512) as i32;
        self.asm.made(Instruction::with3(Code::Imul_r64_rm64_imm32, Register::RAX, Register::RAX, bytes));
        self.asm.made(Instruction::with2(Code::Add_r64_rm64, Register::R8, Register::RAX));
    }

    /// The numbers of the words of lanes, whose rows are in `zmm29`, in the given register; the address of the first row in `r8`.
    fn words_of_rows(&mut self, stack: u32, width: usize, to: Register) {
        self.broadcast(Register::ZMM31, width as u64 * 64);
        let words = Operand::Register(Register::ZMM31);
        self.vector().two(Code::EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64, to, Register::ZMM29, words);
        let lanes = Operand::Memory(self.pool(LANE_NUMBERS));
        self.vector().two(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, to, to, lanes);
        self.stack(stack, ROWS);
    }

    /// What is pushed: a word, or a mask as words 0 and 1.
    fn pushed(&mut self, item: Place, vector: usize) -> Register {
        match item {
            Place::Mask(mask) => {
                let lanes = self.mask(mask, vector, Register::K7);
                let one = self.pool(COUNT);
                let code = Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64;
                self.asm.made(Instruction::with2(code, Register::ZMM31, one).map(|mut ones| {
                    ones.set_op_mask(lanes);
                    ones.set_zeroing_masking(true);
                    ones
                }));
                Register::ZMM31
            }
            Place::Word(word) => self.read(word, vector, Register::ZMM31),
            // `has` leaves them to the interpreter.
            Place::Array(_) | Place::Stack(_) => Register::ZMM31,
        }
    }

    pub(super) fn push(&mut self, stack: u32, items: &[Place], to: (Mask, usize)) {
        let (lanes, vector) = to;
        let (apart, done) = (self.asm.label(), self.asm.label());
        let depths = Operand::Memory(self.depths(stack, vector));
        self.move_to(Register::ZMM29, depths);
        self.row(stack, items.len(), to, apart);
        for (number, item) in items.iter().enumerate() {
            let from = self.pushed(*item, vector);
            self.some(lanes, vector).store(STORE, at(Register::R8, number * 512 + vector * 64), from);
        }
        self.asm.branch(Code::Jmp_rel32_64, done);
        self.asm.bind(apart);
        self.words_of_rows(stack, items.len(), Register::ZMM30);
        for (number, item) in items.iter().enumerate() {
            let from = self.pushed(*item, vector);
            self.scratch_mask(lanes, vector);
            let place = number * 512 + vector * 64;
            let place = indexed(Register::ZMM30, place);
            let code = Code::EVEX_Vscatterqpd_vm64z_k1_zmm;
            self.asm.made(Instruction::with2(code, place, from).map(|mut scatter| {
                scatter.set_op_mask(Register::K7);
                scatter
            }));
        }
        self.asm.bind(done);
        let depths = self.depths(stack, vector);
        let one = self.every(COUNT);
        let code = Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64;
        self.some(lanes, vector).two(code, Register::ZMM29, Register::ZMM29, one);
        self.vector().store(STORE, depths, Register::ZMM29);
    }

    /// Reads the value on top, and takes it off if `pops`.
    pub(super) fn top(&mut self, stack: u32, items: &[Place], pops: bool, to: (Mask, usize)) {
        let (lanes, vector) = to;
        let (apart, done) = (self.asm.label(), self.asm.label());
        let depths = self.depths(stack, vector);
        let load = MOVE;
        self.vector().one(load, Register::ZMM30, Operand::Memory(depths));
        let same = Operand::Register(Register::ZMM30);
        let none = Code::EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64;
        self.some(lanes, vector).two(none, Register::K7, Register::ZMM30, same);
        self.fail_if_any();
        let (one, code) = (self.every(COUNT), Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64);
        self.vector().two(code, Register::ZMM29, Register::ZMM30, one);
        if pops {
            self.some(lanes, vector).one(load, Register::ZMM30, Operand::Register(Register::ZMM29));
            self.vector().store(STORE, depths, Register::ZMM30);
        }
        self.row(stack, items.len(), to, apart);
        for (number, item) in items.iter().enumerate() {
            let row = Operand::Memory(at(Register::R8, number * 512 + vector * 64));
            match item {
                Place::Word(word) => {
                    let target = self.target(*word, lanes, vector);
                    Vector { asm: self.asm, lanes: target.lanes }.one(load, target.register, row);
                    self.written(*word, lanes, vector, target.register);
                }
                Place::Mask(mask) => {
                    self.vector().one(load, Register::ZMM30, row);
                    self.popped_mask(*mask, to);
                }
                Place::Array(_) | Place::Stack(_) => {}
            }
        }
        self.asm.branch(Code::Jmp_rel32_64, done);
        self.asm.bind(apart);
        self.words_of_rows(stack, items.len(), Register::ZMM29);
        for (number, item) in items.iter().enumerate() {
            self.scratch_mask(lanes, vector);
            let same = Operand::Register(Register::ZMM30);
            let zero = Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64;
            self.vector().two(zero, Register::ZMM30, Register::ZMM30, same);
            let place = number * 512 + vector * 64;
            let place = Operand::Memory(indexed(Register::ZMM29, place));
            let read = Vector { asm: self.asm, lanes: Some(Register::K7) };
            read.one(Code::EVEX_Vgatherqpd_zmm_k1_vm64z, Register::ZMM30, place);
            match item {
                Place::Word(word) => self.finish(*word, to),
                Place::Mask(mask) => self.popped_mask(*mask, to),
                Place::Array(_) | Place::Stack(_) => {}
            }
        }
        self.asm.bind(done);
    }

    /// Writes a mask whose words 0 and 1 are in `zmm30`.
    fn popped_mask(&mut self, mask: Mask, (lanes, vector): (Mask, usize)) {
        let one = self.every(COUNT);
        let code = Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64;
        self.vector().two(code, Register::K7, Register::ZMM30, one);
        self.decided(mask, lanes, vector);
    }

    /// A copy of a mask in `k7`, which gathers and scatters clear.
    pub(super) fn scratch_mask(&mut self, lanes: Mask, vector: usize) {
        let lanes = self.mask(lanes, vector, Register::K7);
        if lanes != Register::K7 {
            self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_km8, Register::K7, lanes));
        }
    }
}

/// The words whose numbers are in a register, from `r8` on.
fn indexed(numbers: Register, displacement: usize) -> MemoryOperand {
    MemoryOperand::with_base_index_scale_displ_size(Register::R8, numbers, 8, displacement as i64, 1)
}
