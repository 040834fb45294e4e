//! Steps as instructions.

use iced_x86::{Code, Instruction, MemoryOperand, Register};
use overdub_context::ops;

use super::super::allocate::Loc;
use super::super::inst::{Kind, Mask, Word};
use super::super::operand::{Operand, Vector};
use super::super::steps::{of_floats, rounding};
use super::super::target::{Masks, Steps};
use super::words::{MOVE, STORE, Target};
use super::{ONE, Writer};
use crate::program::{Compared, Relation, Step};

impl Steps for Writer<'_> {
    const RESULT: Register = Register::ZMM30;

    fn step(&mut self, step: &Step, lanes: Mask, vector: usize) {
        let to = (lanes, vector);
        match step {
            Step::Unary(op, d, a) => self.unary(*op, *d, *a, to),
            Step::Binary(op, d, a, b) => self.binary(*op, [*d, *a, *b], to),
            Step::Checked(op, int, d, a, b) => self.checked((*op, *int), [*d, *a, *b], to),
            Step::Wrapping(op, int, d, a, b) => {
                self.exact(*op, *a, *b, vector);
                self.wrap(*int);
                self.finish(*d, to);
            }
            Step::Wrap(int, d, a) => {
                let a = self.operand(*a, vector);
                self.move_to(Register::ZMM30, a);
                self.wrap(*int);
                self.finish(*d, to);
            }
            Step::ToInt(int, _, d, a) => self.as_int(*int, *d, *a, to),
            Step::Compare(relation, of, d, a, b) => {
                if self.region.masks[*d as usize].kind == Kind::Temporary {
                    self.compare((*relation, *of), [*a, *b], (*d, None), vector);
                } else {
                    let a = self.read(*a, vector, Register::ZMM30);
                    let b = self.operand(*b, vector);
                    let (code, number) = comparison(*relation, *of);
                    self.vector().two_with(code, Register::K7, a, b, number);
                    self.decided(*d, lanes, vector);
                }
            }
            Step::Logic(op, d, a, b) => self.logic(*op, [*d, *a, *b], lanes, vector),
            Step::Select(d, on, a, b) => {
                let (b, a) = (self.read(*b, vector, Register::ZMM30), self.operand(*a, vector));
                let whole = self.whole(*d, lanes, vector);
                let on = self.mask(*on, vector, Register::K7);
                let chosen = Vector { asm: self.asm, lanes: Some(on) };
                chosen.two(
                    Code::EVEX_Vblendmpd_zmm_k1z_zmm_zmmm512b64,
                    whole.unwrap_or(Register::ZMM30),
                    b,
                    a,
                );
                match whole {
                    Some(register) => self.written(*d, lanes, vector, register),
                    None => self.finish(*d, to),
                }
            }
            Step::SelectMask(d, on, a, b) => self.select_mask([*d, *on, *a, *b], lanes, vector),
            Step::Call(function, d, a) => match rounding(function) {
                Some(how) => {
                    let a = self.operand(*a, vector);
                    let target = self.target(*d, lanes, vector);
                    let code = Code::EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
                    Vector { asm: self.asm, lanes: target.lanes }.one_with(code, target.register, a, how);
                    self.written(*d, lanes, vector, target.register);
                }
                None => {
                    let one = self.pool(ONE);
                    self.vector().one(
                        Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64,
                        Register::ZMM30,
                        Operand::Memory(one),
                    );
                    let a = self.operand(*a, vector);
                    self.simple(Code::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er, *d, (Register::ZMM30, a), to);
                }
            },
            Step::Call2(function, d, a, b) => self.extreme(*function.op == ops::MIN, [*d, *a, *b], to),
            Step::Gather(d, array, index) => self.gather(*d, *array, *index, to),
            Step::Require(a, word) => {
                self.broadcast(Register::ZMM29, *word);
                let a = self.read(*a, vector, Register::ZMM30);
                let lanes = self.mask(lanes, vector, Register::K7);
                let word = Operand::Register(Register::ZMM29);
                let some = Vector { asm: self.asm, lanes: Some(lanes) };
                some.two_with(Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8, Register::K7, a, word, 4);
                self.fail_if_any();
            }
            Step::StackNew(stack) => self.clear_stack(*stack, to),
            Step::StackLen(d, stack) => self.stack_len(*d, *stack, to),
            Step::Push(stack, items) => self.push(*stack, items, to),
            Step::Pop(stack, items) => self.top(*stack, items, true, to),
            Step::Peek(stack, items) => self.top(*stack, items, false, to),
            _ => debug_assert!(false, "`has` knows the steps that have code"),
        }
    }

    fn finish(&mut self, d: Word, (lanes, vector): (Mask, usize)) {
        let target = self.target(d, lanes, vector);
        let from = Operand::Register(Register::ZMM30);
        if target.register != Register::ZMM30 {
            let some = Vector { asm: self.asm, lanes: target.lanes };
            some.one(MOVE, target.register, from);
        }
        self.written(d, lanes, vector, target.register);
    }

    fn store_whole(&mut self, to: MemoryOperand, from: Register) {
        self.vector().store(STORE, to, from);
    }

    fn holds_where(
        &mut self,
        to: Mask,
        lanes: Mask,
        relation: (Relation, Compared),
        words: [Word; 2],
        vector: usize,
    ) {
        self.compare(relation, words, (to, Some(lanes)), vector);
    }

    fn move_to(&mut self, to: Register, from: Operand) {
        self.vector().one(MOVE, to, from);
    }

    fn store_some(&mut self, to: MemoryOperand, from: Register, lanes: Register) {
        Vector { asm: self.asm, lanes: Some(lanes) }.store(STORE, to, from);
    }

    fn copy(&mut self, to: Word, from: Word, lanes: Mask, vector: usize) {
        if to == from {
            return;
        }
        match self.words[to as usize] {
            Loc::Register(_) => {
                let from = self.operand(from, vector);
                let target = self.target(to, lanes, vector);
                let some = Vector { asm: self.asm, lanes: target.lanes };
                some.one(MOVE, target.register, from);
            }
            Loc::Memory => {
                let from = self.read(from, vector, Register::ZMM30);
                self.written(to, lanes, vector, from);
            }
        }
    }
}

impl Writer<'_> {
    /// Writes all bits of a mask: those of the lanes, if there are any, for which a comparison holds.
    pub(super) fn compare(
        &mut self,
        (relation, of): (Relation, Compared),
        [a, b]: [Word; 2],
        (to, lanes): (Mask, Option<Mask>),
        vector: usize,
    ) {
        let (a, b) = (self.read(a, vector, Register::ZMM30), self.operand(b, vector));
        let (code, number) = comparison(relation, of);
        let lanes = lanes.map(|lanes| self.mask(lanes, vector, Register::K7));
        let register = self.held(to, vector).unwrap_or(Register::K7);
        Vector { asm: self.asm, lanes }.two_with(code, register, a, b, number);
        self.set_mask(to, vector, register);
    }

    /// The register of a word that is written for all lanes.
    fn whole(&mut self, word: Word, lanes: Mask, vector: usize) -> Option<Register> {
        let Target { register, lanes } = self.target(word, lanes, vector);
        lanes.is_none().then_some(register)
    }

    /// One instruction.
    pub(super) fn simple(
        &mut self,
        code: Code,
        d: Word,
        (a, b): (Register, Operand),
        (lanes, vector): (Mask, usize),
    ) {
        let target = self.target(d, lanes, vector);
        Vector { asm: self.asm, lanes: target.lanes }.two(code, target.register, a, b);
        self.written(d, lanes, vector, target.register);
    }

    pub(super) fn on_test(&mut self, mask: Register) {
        self.asm.made(Instruction::with2(Code::VEX_Kortestb_kr_kr, mask, mask));
    }

    pub(super) fn fail_if_any(&mut self) {
        self.on_test(Register::K7);
        self.asm.branch(Code::Jne_rel32_64, self.fail);
    }
}

/// The instruction that compares, and what it is told.
fn comparison(relation: Relation, of: Compared) -> (Code, u32) {
    let of_integers = match relation {
        Relation::Eq => 0,
        Relation::Ne => 4,
        Relation::Lt => 1,
        Relation::Le => 2,
        Relation::Gt => 6,
        Relation::Ge => 5,
    };
    match of {
        Compared::Floats => (Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae, of_floats(relation)),
        Compared::Signed => (Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8, of_integers),
        Compared::Unsigned => (Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8, of_integers),
    }
}
