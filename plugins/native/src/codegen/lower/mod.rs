//! Lowering of instructions: each operation by its row in the table, or by its evaluator.

pub(super) mod aggregates;
pub(super) mod comparisons;
pub(super) mod conversions;
pub(super) mod floats;
pub(super) mod integers;
pub(super) mod packed_vectors;
pub(super) mod scalar_vectors;
pub(super) mod stacks;
pub(super) mod steps;
mod table;
#[cfg(test)]
mod tests;

use cranelift_codegen::ir::{self, InstBuilder, types};
use overdub_context::ir::{Inst, InstKind, Operand, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::{Span, Symbol};

use crate::abi::layout::{Component, Layout};
use crate::abi::signature::component_ty;
use crate::codegen::analysis::last_use::{self, Uses};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::no_code;
use crate::codegen::operands::Values;
use crate::codegen::symbols::SymbolName;
use crate::runtime::trampolines::Trampoline;
use crate::side_tables::{OpArg, OpSite};
use crate::values::{Packing, Transfer};
use table::Row;

/// An operation with its operands and its uses.
pub(in crate::codegen) struct OpInst<'i> {
    pub(in crate::codegen) op: &'static OpDef,
    pub(in crate::codegen) args: &'i [Operand],
    pub(in crate::codegen) last: &'i [bool],
    pub(in crate::codegen) ret: Ty,
    pub(in crate::codegen) span: Span,
    /// Whether the result is dead.
    pub(in crate::codegen) is_dead: bool,
    /// Whether the result is borrowed from the first operand.
    pub(in crate::codegen) is_borrowed: bool,
    /// The first component of the part of the function's result that the result becomes.
    pub(in crate::codegen) result_component: Option<usize>,
    /// Whether the result is a vector whose elements need no first values (NOFILL1).
    pub(in crate::codegen) is_overwritten: bool,
}

impl FuncCx<'_> {
    /// Lowers an instruction.
    pub(in crate::codegen) fn inst(&mut self, inst: &Inst, uses: &Uses) {
        let what = match &inst.kind {
            InstKind::Op { op, .. } => op.name,
            InstKind::Const(_) => "const",
            InstKind::Call { .. } | InstKind::Overdub { .. } => "call",
        };
        self.begin_op(what, inst.span);
        let words = match &inst.kind {
            InstKind::Const(constant) => self.declared(constant, self.func.ty(inst.result)),
            InstKind::Op { op, args } => self.op(&OpInst {
                op,
                args,
                last: &uses.last,
                ret: self.func.ty(inst.result),
                span: inst.span,
                is_dead: uses.is_dead,
                is_borrowed: self.ownership.is_borrowed(inst.result),
                result_component: self.ownership.result_vectors.get(&inst.result).copied(),
                is_overwritten: self.ownership.overwritten.contains(&inst.result),
            }),
            InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => {
                self.call(callee, args, &uses.last, self.func.ty(inst.result), inst.span)
            }
        };
        let words = self.of_its_layout(inst, words);
        // Releases operands that were only read, at their last use.
        if uses.last.contains(&true) {
            for (operand, last) in last_use::operands(&inst.kind).into_iter().zip(&uses.last) {
                if let (Some(var), true) = (operand.var(), *last) {
                    self.release_var(var);
                }
            }
        }
        if uses.is_dead && !self.ownership.is_borrowed(inst.result) {
            let layout = self.layouts[inst.result.index()].clone();
            self.release(&layout, &words);
        } else {
            self.define(inst.result, &words);
        }
    }

    /// Checks that the components are those of the result's layout (H17); otherwise the function gets no code.
    fn of_its_layout(&mut self, inst: &Inst, words: Values) -> Values {
        let components = self.layouts[inst.result.index()].components.clone();
        let is_one = |(component, word): (&Component, &ir::Value)| {
            self.b.func.dfg.value_type(*word) == component_ty(*component)
        };
        if components.len() == words.len() && components.iter().zip(&words).all(is_one) {
            return words;
        }
        let what = match &inst.kind {
            InstKind::Op { op, .. } => op.name,
            InstKind::Const(_) => "const",
            InstKind::Call { .. } | InstKind::Overdub { .. } => "call",
        };
        let ty = self.func.ty(inst.result);
        self.missing.get_or_insert(no_code(&format!("the code of `{what}` does not give the words of {ty}")));
        components.into_iter().map(|component| self.null(component)).collect()
    }

    /// Lowers an operation by its row in the table; without code for operands of these types, and without a
    /// row, which operations of plugins lack, its evaluator runs it.
    fn op(&mut self, inst: &OpInst<'_>) -> Values {
        match table::row(inst.op) {
            Some(Row::Lowered(lower)) => {
                lower(self, inst).unwrap_or_else(|| self.evaluate(inst, Packing::Keep))
            }
            Some(Row::Evaluated(packing)) => self.evaluate(inst, packing),
            None => self.evaluate(inst, Packing::Keep),
        }
    }

    /// Runs the evaluator, which takes its operands (H4, H21).
    pub(in crate::codegen) fn evaluate(&mut self, inst: &OpInst<'_>, packing: Packing) -> Values {
        let mut words = Vec::new();
        let mut args = Vec::with_capacity(inst.args.len());
        for (operand, last) in inst.args.iter().zip(inst.last) {
            args.push(match operand {
                Operand::Const(constant) => OpArg::Const(constant.value().clone()),
                Operand::Var(var) if *last => {
                    words.extend(self.take(operand, true));
                    OpArg::Words(self.layouts[var.index()].clone(), Transfer::Move)
                }
                Operand::Var(var) => {
                    words.extend(self.read(operand));
                    self.mark_shared(*var);
                    OpArg::Words(self.layouts[var.index()].clone(), Transfer::Share)
                }
            });
        }
        let ret = Layout::of(inst.ret);
        let at = self.evaluate_site(inst, args, &words, packing);
        self.reload(at, &ret)
    }

    /// Runs the evaluator of an operation that is known to fail, and returns its failure; the operands keep
    /// their counts.
    pub(in crate::codegen) fn fail_op(&mut self, inst: &OpInst<'_>) {
        let (args, words) = self.lent(inst);
        let (at, site) = self.site(inst, args, &words, Packing::Keep);
        self.preserving_call(Trampoline::FailOp, &[self.run, site, at]);
        let failed = self.failed(inst.span);
        self.b.ins().jump(failed, &[]);
    }

    /// Runs the evaluator on operands that keep their counts; returns the address of the result's words.
    pub(in crate::codegen) fn evaluate_borrowed(&mut self, inst: &OpInst<'_>) -> ir::Value {
        let (args, words) = self.lent(inst);
        self.evaluate_site(inst, args, &words, Packing::Keep)
    }

    /// Runs the evaluator on these words, which own their counts; returns the address of the result's words.
    pub(in crate::codegen) fn evaluate_owned(&mut self, inst: &OpInst<'_>, words: &[ir::Value]) -> ir::Value {
        let args = inst.args.iter().map(|arg| OpArg::Words(self.layout(arg), Transfer::Move)).collect();
        self.evaluate_site(inst, args, words, Packing::Keep)
    }

    fn evaluate_site(
        &mut self,
        inst: &OpInst<'_>,
        args: Vec<OpArg>,
        words: &[ir::Value],
        packing: Packing,
    ) -> ir::Value {
        let is_array = |arg: &OpArg| matches!(arg, OpArg::Words(layout, _) if layout.has_array());
        self.tables.shows_arrays |= args.iter().any(is_array);
        let (at, site) = self.site(inst, args, words, packing);
        self.store_fuel_for_callee();
        self.preserving_call(Trampoline::Evaluate, &[self.run, site, at]);
        self.return_if_failed(inst.span);
        self.reload_fuel();
        at
    }

    /// The operands and their words, which keep their counts.
    fn lent(&mut self, inst: &OpInst<'_>) -> (Vec<OpArg>, Vec<ir::Value>) {
        let mut words = Vec::new();
        let mut args = Vec::with_capacity(inst.args.len());
        for operand in inst.args {
            args.push(match operand {
                Operand::Const(constant) => OpArg::Const(constant.value().clone()),
                Operand::Var(var) => {
                    words.extend(self.read(operand));
                    OpArg::Words(self.layouts[var.index()].clone(), Transfer::Share)
                }
            });
        }
        (args, words)
    }

    /// Stores operands to the stack; returns their address and that of the site.
    fn site(
        &mut self,
        inst: &OpInst<'_>,
        args: Vec<OpArg>,
        words: &[ir::Value],
        packing: Packing,
    ) -> (ir::Value, ir::Value) {
        let ret = Layout::of(inst.ret);
        let word_count = words.len().max(ret.components.len());
        let is_foreign = ops::by_name(inst.op.name) != Some(inst.op);
        self.tables.op_sites.push(Box::new(OpSite {
            op: inst.op,
            is_foreign,
            args,
            ret,
            words: word_count,
            packing,
        }));
        let site = &raw const **self.tables.op_sites.last().expect("it was pushed just now");
        let depth = self.deeper();
        self.store_depth(depth);
        let at = self.spill(words, word_count);
        (at, self.address(site.cast(), SymbolName::OpSite(inst.op)))
    }

    /// Continues if `ok` holds, else fails as the evaluator does.
    pub(in crate::codegen) fn check(&mut self, ok: ir::Value, inst: &OpInst<'_>) {
        let (good, bad) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(bad);
        self.b.ins().brif(ok, good, &[], bad, &[]);
        self.b.switch_to_block(bad);
        self.fail_op(inst);
        self.b.switch_to_block(good);
    }

    /// Continues if `wrong` does not hold, else fails as the evaluator does.
    pub(in crate::codegen) fn check_not(&mut self, wrong: ir::Value, inst: &OpInst<'_>) {
        let (good, bad) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(bad);
        self.b.ins().brif(wrong, bad, &[], good, &[]);
        self.b.switch_to_block(bad);
        self.fail_op(inst);
        self.b.switch_to_block(good);
    }

    /// The tag of an enum behind a pointer.
    pub(in crate::codegen) fn tag_by_evaluator(&mut self, on: &Operand, span: Span) -> ir::Value {
        let inst = OpInst {
            op: &ops::TAG,
            args: std::slice::from_ref(on),
            last: &[false],
            ret: Ty::i64(),
            span,
            is_dead: false,
            is_borrowed: false,
            result_component: None,
            is_overwritten: false,
        };
        self.evaluate(&inst, Packing::Keep)[0]
    }

    /// The index of the case that a 128-bit integer matches; the number of cases if none does.
    pub(in crate::codegen) fn wide_case<T>(
        &mut self,
        on: &Operand,
        cases: &[(i128, T)],
        span: Span,
    ) -> ir::Value {
        let ty = self.layout(on).ty;
        let mut number = self.b.ins().iconst(types::I32, cases.len() as i64);
        for (k, (case, _)) in cases.iter().enumerate().rev() {
            let case = overdub_context::ir::Const::new(overdub_context::value::Value::int(wide(ty), *case));
            let args = [on.clone(), Operand::Const(case.expect("an integer is data"))];
            let inst = OpInst {
                op: &ops::EQ,
                args: &args,
                last: &[false, false],
                ret: Ty::bool(),
                span,
                is_dead: false,
                is_borrowed: false,
                result_component: None,
                is_overwritten: false,
            };
            let is_it = self.evaluate(&inst, Packing::Keep)[0];
            let case_number = self.b.ins().iconst(types::I32, k as i64);
            number = self.b.ins().select(is_it, case_number, number);
        }
        number
    }

    /// The name of the function.
    pub(in crate::codegen) fn name(&self) -> Symbol {
        self.func.name
    }
}

fn wide(ty: Ty) -> overdub_context::ir::IntTy {
    match ty.kind() {
        overdub_context::ir::TyKind::Int(int) => *int,
        _ => overdub_context::ir::IntTy::I128,
    }
}
