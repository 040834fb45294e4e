//! Steps as instructions.

use iced_x86::{Code, MemoryOperand, Register};
use overdub_context::ops;

use super::super::allocate::Loc;
use super::super::inst::{Mask, Word};
use super::super::operand::Operand;
use super::super::steps::rounding;
use super::super::target::{Masks, Steps};
use super::pool::ONE;
use super::{FIRST, OTHER, RESULT, SCRATCH_MASK, Writer};
use crate::program::{Compared, Relation, Step};

impl Steps for Writer<'_> {
    const RESULT: Register = RESULT;

    fn step(&mut self, step: &Step, lanes: Mask, vector: usize) {
        let to = (lanes, vector);
        match step {
            Step::Unary(op, d, a) => self.unary(*op, *d, *a, to),
            Step::Binary(op, d, a, b) => self.binary(*op, [*d, *a, *b], to),
            Step::Checked(op, int, d, a, b) => self.checked((*op, *int), [*d, *a, *b], to),
            Step::Wrapping(op, int, d, a, b) => {
                self.exact((*op, *int), *a, *b, vector);
                self.wrap(*int);
                self.finish(*d, to);
            }
            Step::Wrap(int, d, a) => {
                let a = self.operand(*a, vector);
                self.move_to(RESULT, a);
                self.wrap(*int);
                self.finish(*d, to);
            }
            Step::ToInt(int, _, d, a) => self.as_int(*int, *d, *a, to),
            Step::Compare(relation, of, d, a, b) => {
                let is_opposite = self.relation((*relation, *of), [*a, *b], vector);
                self.holds(is_opposite, (*d, lanes), vector);
            }
            Step::Logic(op, d, a, b) => self.logic(*op, [*d, *a, *b], lanes, vector),
            Step::Select(d, on, a, b) => {
                let (b, a) = (self.read(*b, vector, FIRST), self.operand(*a, vector));
                let on = self.mask(*on, vector, SCRATCH_MASK);
                let target = self.target(*d, lanes, vector);
                self.blend(target, b, a, on);
                self.written(*d, lanes, vector, target);
            }
            Step::SelectMask(d, on, a, b) => self.select_mask([*d, *on, *a, *b], lanes, vector),
            Step::Call(function, d, a) => match rounding(function) {
                Some(how) => {
                    let (target, a) = (self.target(*d, lanes, vector), self.operand(*a, vector));
                    self.one_with(Code::VEX_Vroundpd_ymm_ymmm256_imm8, target, a, how);
                    self.written(*d, lanes, vector, target);
                }
                None => {
                    let one = self.every(ONE);
                    self.move_to(RESULT, one);
                    let a = self.operand(*a, vector);
                    self.simple(Code::VEX_Vdivpd_ymm_ymm_ymmm256, *d, (RESULT, a), to);
                }
            },
            Step::Call2(function, d, a, b) => self.extreme(*function.op == ops::MIN, [*d, *a, *b], to),
            Step::Gather(d, array, index) => self.gather(*d, *array, *index, to),
            Step::Require(a, word) => {
                self.broadcast(RESULT, *word);
                let a = self.operand(*a, vector);
                self.two(Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256, RESULT, RESULT, a);
                self.fail_unless(RESULT, to);
            }
            _ => debug_assert!(false, "`has` knows the steps that have code"),
        }
    }

    fn finish(&mut self, d: Word, (lanes, vector): (Mask, usize)) {
        self.written(d, lanes, vector, RESULT);
    }

    fn store_whole(&mut self, to: MemoryOperand, from: Register) {
        self.store(to, from);
    }

    fn holds_where(
        &mut self,
        to: Mask,
        lanes: Mask,
        relation: (Relation, Compared),
        words: [Word; 2],
        vector: usize,
    ) {
        let is_opposite = self.relation(relation, words, vector);
        self.holds_for(is_opposite, (to, Some(lanes)), vector);
    }

    fn move_to(&mut self, to: Register, from: Operand) {
        if !matches!(from, Operand::Register(from) if from == to) {
            self.one(Code::VEX_Vmovapd_ymm_ymmm256, to, from);
        }
    }

    /// Stores the whole vector, since a load of what was stored in parts would wait for the cache.
    fn store_some(&mut self, to: MemoryOperand, from: Register, lanes: Register) {
        self.move_to(OTHER, Operand::Memory(to));
        self.blend(OTHER, OTHER, Operand::Register(from), lanes);
        self.store(to, OTHER);
    }

    fn copy(&mut self, to: Word, from: Word, lanes: Mask, vector: usize) {
        if to == from {
            return;
        }
        match self.words[to as usize] {
            Loc::Register(unit) => {
                let (register, from) = (self.register(unit, vector), self.operand(from, vector));
                if self.is_partly(to, lanes) {
                    let lanes = self.mask(lanes, vector, SCRATCH_MASK);
                    self.blend(register, register, from, lanes);
                } else {
                    self.move_to(register, from);
                }
            }
            Loc::Memory => {
                let from = self.read(from, vector, RESULT);
                self.written(to, lanes, vector, from);
            }
        }
    }
}

impl Writer<'_> {
    /// One instruction.
    pub(super) fn simple(
        &mut self,
        code: Code,
        d: Word,
        (a, b): (Register, Operand),
        (lanes, vector): (Mask, usize),
    ) {
        let target = self.target(d, lanes, vector);
        self.two(code, target, a, b);
        self.written(d, lanes, vector, target);
    }
}
