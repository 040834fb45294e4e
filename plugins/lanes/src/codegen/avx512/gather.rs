//! Elements of arrays that all lanes share.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::super::frame::Frame;
use super::super::inst::{Mask, Word};
use super::super::operand::{Operand, Vector};
use super::super::target::{Masks, Steps};
use super::{Writer, at};

const COMPARE: Code = Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8;

/// The low words of a vector register.
fn low(register: Register) -> Register {
    Register::XMM0 + (register as u32 - Register::ZMM0 as u32)
}

impl Writer<'_> {
    /// Elements of a shared array: one load if all lanes of the vector have the same index, as in loops that they run in step.
    pub(super) fn gather(&mut self, d: Word, array: u32, index: Word, to: (Mask, usize)) {
        let (lanes, vector) = to;
        let index = self.read(index, vector, Register::ZMM29);
        let arrays = at(Register::RCX, Frame::ARRAYS);
        self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, arrays));
        let len = MemoryOperand { is_broadcast: true, ..at(Register::RAX, array as usize * 16 + 8) };
        let some = self.mask(lanes, vector, Register::K7);
        let within = Vector { asm: self.asm, lanes: Some(some) };
        within.two_with(COMPARE, Register::K7, index, Operand::Memory(len), 5);
        self.fail_if_any();

        let (varying, done) = (self.asm.label(), self.asm.label());
        let some = self.mask(lanes, vector, Register::K7);
        self.bits(some);
        let first = Operand::Register(low(index));
        self.vector().one(Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64, Register::ZMM31, first);
        let same = Vector { asm: self.asm, lanes: Some(some) };
        same.two_with(COMPARE, Register::K7, index, Operand::Register(Register::ZMM31), 0);
        self.asm.made(Instruction::with2(Code::VEX_Kmovb_r32_kr, Register::R8D, Register::K7));
        self.asm.made(Instruction::with2(Code::Cmp_rm32_r32, Register::EAX, Register::R8D));
        self.begin_of(array);
        self.asm.branch(Code::Jne_rel32_64, varying);
        // Without lanes, the first index may be any number.
        self.asm.made(Instruction::with2(Code::Test_rm32_r32, Register::R8D, Register::R8D));
        self.asm.branch(Code::Je_rel32_64, varying);
        self.asm.made(Instruction::with2(Code::EVEX_Vmovq_rm64_xmm, Register::R8, low(index)));
        let element = MemoryOperand::with_base_index_scale(Register::RAX, Register::R8, 8);
        self.vector().one(Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64, Register::ZMM30, Operand::Memory(element));
        self.asm.branch(Code::Jmp_rel32_64, done);

        self.asm.bind(varying);
        self.scratch_mask(lanes, vector);
        // Other lanes keep what is there, which is a number.
        let zero = Operand::Register(Register::ZMM30);
        self.vector().two(Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64, Register::ZMM30, Register::ZMM30, zero);
        let elements = MemoryOperand::with_base_index_scale(Register::RAX, index, 8);
        let read = Vector { asm: self.asm, lanes: Some(Register::K7) };
        read.one(Code::EVEX_Vgatherqpd_zmm_k1_vm64z, Register::ZMM30, Operand::Memory(elements));
        self.asm.bind(done);
        self.finish(d, to);
    }
}
