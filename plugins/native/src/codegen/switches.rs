//! Switches.

use cranelift_codegen::ir::{self, InstBuilder, types};
use cranelift_frontend::Switch;
use overdub_context::Span;
use overdub_context::ir::{Operand, Target, TyKind};

use super::func_cx::FuncCx;
use crate::abi::layout::{Counted, LayoutKind};
use crate::runtime::libcalls::{self, libcall};

impl FuncCx<'_> {
    /// Jumps to the case of a number.
    pub(super) fn switch(
        &mut self,
        on: &Operand,
        cases: Vec<(i128, &Target)>,
        otherwise: Option<&Target>,
        ends: bool,
        span: Span,
    ) {
        let layout = self.layout(on);
        let number = match &layout.shape {
            LayoutKind::Counted(_) if matches!(layout.ty.kind(), TyKind::Enum(_)) => {
                self.tag_by_evaluator(on, span)
            }
            _ => self.scalar(on),
        };
        let (number, cases) = match &layout.shape {
            LayoutKind::Counted(Counted::I128 | Counted::U128) => (self.wide_case(on, &cases, span), {
                let numbered = cases.iter().enumerate();
                numbered.map(|(k, (_, target))| (k as u128, *target)).collect()
            }),
            _ => {
                let bits = self.b.func.dfg.value_type(number).bits();
                let mask = u128::MAX >> (128 - bits);
                (number, cases.iter().map(|(n, target)| (*n as u128 & mask, *target)).collect::<Vec<_>>())
            }
        };
        if ends && let Some(var) = on.var() {
            self.release_var(var);
        }
        let none = self.b.create_block();
        let sides: Vec<(&Target, ir::Block)> =
            cases.iter().map(|(_, target)| (*target, self.b.create_block())).collect();
        let mut switch = Switch::new();
        for ((number, _), (_, block)) in cases.iter().zip(&sides) {
            switch.set_entry(*number, *block);
        }
        switch.emit(&mut self.b, number, none);
        self.emit_split_edges(sides);
        match otherwise {
            Some(target) => self.emit_split_edges([(target, none)]),
            None => {
                self.b.switch_to_block(none);
                self.b.set_cold_block(none);
                let number = self.as_i64(number);
                self.libcall(libcall!(libcalls::no_case), &[self.run, number], Some(types::I32));
                let failed = self.failed(span);
                self.b.ins().jump(failed, &[]);
            }
        }
    }
}
