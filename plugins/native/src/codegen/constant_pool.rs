//! Float constants as memory operands: the instruction loads the constant from the constant pool next to the
//! code.
//!
//! - CONST1 an instruction takes its second operand from memory; `lt` and `le`, whose operands are swapped,
//!   take their first.
//! - CONST2 in the loops of a function with few blocks, constants are kept in registers: iterations are faster, but
//!   each value with a long live range costs compile time.

use cranelift_codegen::ir::{self, InstBuilder};
use cranelift_codegen::isa::OwnedTargetIsa;
use overdub_context::ir::{Func, Operand};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use super::func_cx::FuncCx;

/// In a function with more blocks, no constant that can be a memory operand is kept in a register (CONST2).
const FEW_BLOCKS: usize = 64;

/// Where constants are memory operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemoryOperands {
    Never,
    OutsideOfLoops,
    Always,
}

impl MemoryOperands {
    pub(super) fn of(func: &Func, isa: &OwnedTargetIsa) -> MemoryOperands {
        match () {
            () if !is_x86(isa) => MemoryOperands::Never,
            () if func.blocks.len() <= FEW_BLOCKS => MemoryOperands::OutsideOfLoops,
            () => MemoryOperands::Always,
        }
    }
}

/// Whether instructions of this machine take floats from memory.
pub(super) fn is_x86(isa: &OwnedTargetIsa) -> bool {
    matches!(isa.triple().architecture, target_lexicon::Architecture::X86_64)
}

/// Which operand of an operation on two floats is a constant and may be a memory operand (CONST1): either
/// one, if the operation is commutative. For `min` and `max` it must be a number, which may be swapped to
/// come first, as it is the result if the other operand is NaN.
pub(super) fn memory_operand(op: &'static OpDef, args: &[Operand]) -> Option<usize> {
    let [x, y] = args else { return None };
    let [x, y] = [x, y].map(float);
    let is_number = |x: &f64| !x.is_nan();
    const COMMUTATIVE: &[&OpDef] = &[&ops::ADD, &ops::MUL, &ops::EQ, &ops::NE];
    const SECOND: &[&OpDef] = &[&ops::SUB, &ops::DIV, &ops::GT, &ops::GE];
    const FIRST: &[&OpDef] = &[&ops::LT, &ops::LE];
    const EXTREME: &[&OpDef] = &[&ops::MIN, &ops::MAX];
    match () {
        () if COMMUTATIVE.contains(&op) => y.and(Some(1)).or(x.and(Some(0))),
        () if SECOND.contains(&op) => y.and(Some(1)),
        () if FIRST.contains(&op) => x.and(Some(0)),
        // Of two zeros, the first one is the result.
        () if EXTREME.contains(&op) && y.is_some_and(|y| is_number(&y) && y != 0.0) => Some(1),
        () if EXTREME.contains(&op) => x.filter(is_number).and(Some(0)),
        () => None,
    }
}

/// The value of an operand that is a float constant.
fn float(operand: &Operand) -> Option<f64> {
    match operand.constant()?.value() {
        Value::F32(x) => Some(f64::from(*x)),
        Value::F64(x) => Some(*x),
        _ => None,
    }
}

impl FuncCx<'_> {
    /// Two floats, of which the one at `memory_operand` may be a memory operand.
    pub(super) fn floats(&mut self, args: &[Operand], memory_operand: Option<usize>) -> [ir::Value; 2] {
        let in_memory = self.constants.are_in_memory();
        [0, 1].map(|k| match args[k].constant().map(|constant| constant.value()) {
            Some(Value::F64(x)) if in_memory && memory_operand == Some(k) => self.b.ins().f64const(*x),
            _ => self.scalar(&args[k]),
        })
    }
}

#[cfg(test)]
mod tests {
    use overdub_context::ir::{Const, Var};

    use super::*;

    fn constant(x: f64) -> Operand {
        Operand::Const(Const::new(Value::F64(x)).expect("a float is data"))
    }

    #[test]
    fn a_constant_is_pooled_where_an_instruction_reads_its_operand_from_memory() {
        let var = Operand::Var(Var(0));
        let (first, second) = ([constant(2.0), var.clone()], [var.clone(), constant(2.0)]);
        for (op, of_first, of_second) in [
            (&ops::ADD, Some(0), Some(1)),
            (&ops::SUB, None, Some(1)),
            (&ops::LT, Some(0), None),
            (&ops::GE, None, Some(1)),
            (&ops::COPYSIGN, None, None),
        ] {
            assert_eq!(memory_operand(op, &first), of_first, "{op:?}");
            assert_eq!(memory_operand(op, &second), of_second, "{op:?}");
        }
    }

    #[test]
    fn the_greater_one_of_a_float_and_a_zero_may_be_the_float_that_is_a_zero_too() {
        let var = Operand::Var(Var(0));
        assert_eq!(memory_operand(&ops::MAX, &[var.clone(), constant(0.0)]), None);
        assert_eq!(memory_operand(&ops::MAX, &[var.clone(), constant(f64::NAN)]), None);
        assert_eq!(memory_operand(&ops::MAX, &[constant(-0.0), var.clone()]), Some(0));
        assert_eq!(memory_operand(&ops::MIN, &[var, constant(1.0)]), Some(1));
    }
}
