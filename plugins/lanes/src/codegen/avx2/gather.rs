//! Elements of arrays that all lanes share.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::super::frame::Frame;
use super::super::inst::{Mask, Word};
use super::super::operand::Operand;
use super::super::target::{Masks, Steps};
use super::super::writer::at;
use super::pool::SIGN;
use super::vectors::xmm;
use super::{FIRST, OTHER, RESULT, Writer};

impl Writer<'_> {
    /// Elements of a shared array: one load if all lanes of the vector have the same index, as in loops that they run in step.
    pub(super) fn gather(&mut self, d: Word, array: u32, index: Word, to: (Mask, usize)) {
        let (lanes, vector) = to;
        let index = self.read(index, vector, FIRST);
        let (arrays, sign) = (at(Register::RCX, Frame::ARRAYS), self.every(SIGN));
        self.asm.made(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, arrays));
        let len = at(Register::RAX, array as usize * 16 + 8);
        self.one(Code::VEX_Vpbroadcastq_ymm_xmmm64, OTHER, Operand::Memory(len));
        self.two(Code::VEX_Vpxor_ymm_ymm_ymmm256, OTHER, OTHER, sign);
        self.two(Code::VEX_Vpxor_ymm_ymm_ymmm256, RESULT, index, sign);
        self.two(Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256, OTHER, OTHER, Operand::Register(RESULT));
        self.fail_unless(OTHER, to);

        let (varying, done) = (self.asm.label(), self.asm.label());
        let some = self.mask(lanes, vector, OTHER);
        self.move_to(OTHER, Operand::Register(some));
        let first = Operand::Register(xmm(index));
        self.one(Code::VEX_Vpbroadcastq_ymm_xmmm64, RESULT, first);
        self.two(Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256, RESULT, RESULT, Operand::Register(index));
        self.two(Code::VEX_Vandnpd_ymm_ymm_ymmm256, RESULT, RESULT, Operand::Register(OTHER));
        self.unless_any(RESULT);
        self.begin_of(array);
        self.asm.branch(Code::Jne_rel32_64, varying);
        // Without lanes, the first index may be any number.
        self.unless_any(OTHER);
        self.begin_of(array);
        self.asm.branch(Code::Je_rel32_64, varying);
        self.asm.made(Instruction::with1(Code::Push_r64, Register::R8));
        self.asm.made(Instruction::with2(Code::VEX_Vmovq_rm64_xmm, Register::R8, xmm(index)));
        let element = MemoryOperand::with_base_index_scale(Register::RAX, Register::R8, 8);
        self.one(Code::VEX_Vpbroadcastq_ymm_xmmm64, RESULT, Operand::Memory(element));
        self.asm.made(Instruction::with1(Code::Pop_r64, Register::R8));
        self.asm.branch(Code::Jmp_rel32_64, done);

        self.asm.bind(varying);
        // Other lanes keep what is there, which is a number.
        self.two(Code::VEX_Vpxor_ymm_ymm_ymmm256, RESULT, RESULT, Operand::Register(RESULT));
        let elements = MemoryOperand::with_base_index_scale(Register::RAX, index, 8);
        let read = Instruction::with3(Code::VEX_Vgatherqpd_ymm_vm64y_ymm, RESULT, elements, OTHER);
        self.asm.made(read);
        self.asm.bind(done);
        self.finish(d, to);
    }

    /// Sets the flag for zero if no sign is set.
    fn unless_any(&mut self, signs: Register) {
        self.asm.made(Instruction::with2(Code::VEX_Vmovmskpd_r32_ymm, Register::EAX, signs));
        self.asm.made(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX));
    }
}
