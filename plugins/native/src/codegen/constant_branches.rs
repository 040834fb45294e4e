//! Branch folding: branches on constants become jumps before Cranelift's optimiser runs.
//!
//! Cranelift removes block parameters that always have the same value (phis of one value), and folds branches on constants
//! afterwards. The flag that says whether a vector has other owners is such a parameter in most loops: the branch to
//! the copy is folded late, and the handle and the data, which the copy would have changed, stay parameters of every
//! block of the loops around it.

use cranelift_codegen::CodegenError;
use cranelift_codegen::Context;
use cranelift_codegen::ir::{Function, Inst, InstructionData, Opcode, Value, ValueDef};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::OptLevel;

/// Folds the branches whose condition is a constant once parameters of one value are removed.
pub(super) fn fold(cx: &mut Context, isa: &dyn TargetIsa) -> Result<(), CodegenError> {
    if isa.flags().opt_level() == OptLevel::None {
        return Ok(());
    }
    cx.compute_cfg();
    cx.compute_domtree();
    cx.eliminate_unreachable_code(isa)?;
    cx.remove_constant_phis(isa)?;
    let blocks: Vec<_> = cx.func.layout.blocks().collect();
    let ends: Vec<Inst> = blocks.into_iter().filter_map(|block| cx.func.layout.last_inst(block)).collect();
    let folded = ends.into_iter().filter(|&end| fold_branch(&mut cx.func, end)).count();
    if folded > 0 {
        // The verifier compares them with the branches.
        cx.compute_cfg();
        cx.compute_domtree();
    }
    Ok(())
}

/// Makes a jump of a branch on a constant; returns whether it was one.
fn fold_branch(func: &mut Function, end: Inst) -> bool {
    let InstructionData::Brif { arg, blocks, .. } = func.dfg.insts[end] else { return false };
    let Some(known) = constant(func, arg) else { return false };
    let [then, otherwise] = blocks;
    let destination = if known == 0 { otherwise } else { then };
    func.dfg.insts[end] = InstructionData::Jump { opcode: Opcode::Jump, destination };
    true
}

/// The value of an integer, if it is a constant.
fn constant(func: &Function, value: Value) -> Option<i64> {
    let ValueDef::Result(inst, _) = func.dfg.value_def(func.dfg.resolve_aliases(value)) else { return None };
    match func.dfg.insts[inst] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
        _ => None,
    }
}
