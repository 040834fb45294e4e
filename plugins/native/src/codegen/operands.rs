//! Operands of instructions: read, or taken with their counts.
//!
//! - OWN1 `owned` are the variables whose counts this function holds at the current position. Taking a variable at
//!   its last use removes it; taking it earlier adds counts (H4).
//! - OWN2 (H7) a copy shares its buffers: neither the copy nor the original may be written in place.

use std::sync::Arc;

use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, condcodes::IntCC, types};
use cranelift_frontend::Variable;
use overdub_context::ir::{Const, Operand, Ty, Var};
use overdub_context::value::Value;
use smallvec::SmallVec;

use super::func_cx::FuncCx;
use super::symbols::SymbolName;
use crate::abi::layout::{Component, Counted, HOLES, Layout};
use crate::abi::signature::component_ty;
use crate::abi::uncounted::lent;
use crate::checks::fault_injection::{Fault, is_injected};
use crate::runtime::libcalls::{self, libcall};
use crate::runtime::trampolines::Trampoline;
use crate::side_tables::Constant;
use crate::values;

/// The SSA values of a value, one for each component.
pub(super) type Values = SmallVec<[ir::Value; 4]>;

/// The components of a variable.
pub(super) type VarComponents = SmallVec<[VarComponent; 2]>;

/// A component of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum VarComponent {
    Value(ir::Value),
    /// A uniqueness flag, which changes during the variable's life.
    Flag(Variable),
}

impl FuncCx<'_> {
    /// The layout of an operand.
    pub(super) fn layout(&self, operand: &Operand) -> std::sync::Arc<Layout> {
        match operand {
            Operand::Var(var) => self.layouts[var.index()].clone(),
            Operand::Const(constant) => Layout::of(constant.value().ty()),
        }
    }

    /// The type of an operand.
    pub(super) fn ty(&self, operand: &Operand) -> Ty {
        match operand {
            Operand::Var(var) => self.layouts[var.index()].ty,
            Operand::Const(constant) => constant.value().ty(),
        }
    }

    /// The components of an operand, without counts.
    pub(super) fn read(&mut self, operand: &Operand) -> Values {
        match operand {
            Operand::Var(var) => self.words(*var),
            Operand::Const(constant) => self.constant(constant),
        }
    }

    /// The one component of a scalar operand.
    pub(super) fn scalar(&mut self, operand: &Operand) -> ir::Value {
        if let Operand::Var(var) = operand
            && let [VarComponent::Value(value)] = self.ownership.vals[var.index()][..]
        {
            return value;
        }
        self.read(operand)[0]
    }

    fn words(&mut self, var: Var) -> Values {
        let words = std::mem::take(&mut self.ownership.vals[var.index()]);
        let values = words
            .iter()
            .map(|word| match word {
                VarComponent::Value(value) => *value,
                VarComponent::Flag(variable) => self.b.use_var(*variable),
            })
            .collect();
        self.ownership.vals[var.index()] = words;
        values
    }

    /// The components of an operand, with counts of their own (OWN1).
    pub(super) fn take(&mut self, operand: &Operand, is_last: bool) -> Values {
        let layout = self.layout(operand);
        let words = self.read(operand);
        if !layout.is_counted() {
            return words;
        }
        match operand {
            Operand::Var(var) if is_last && !self.ownership.is_borrowed(*var) => {
                self.ownership.owned.remove(var);
                words
            }
            Operand::Var(var) => {
                let copy = self.share(&layout, &words);
                self.mark_shared(*var);
                copy
            }
            Operand::Const(_) => self.share(&layout, &words),
        }
    }

    /// Clears the uniqueness flags of a variable that is shared from here on (OWN2).
    pub(super) fn mark_shared(&mut self, var: Var) {
        let words = std::mem::take(&mut self.ownership.vals[var.index()]);
        for word in &words {
            if let VarComponent::Flag(variable) = word {
                let no = self.b.ins().iconst(types::I8, 0);
                self.b.def_var(*variable, no);
            }
        }
        self.ownership.vals[var.index()] = words;
    }

    /// Adds counts to a value (OWN2).
    pub(super) fn share(&mut self, layout: &Layout, words: &[ir::Value]) -> Values {
        let components = layout.components.iter().zip(words);
        components
            .map(|(component, word)| match component {
                Component::Counted(counted) if !self.ownership.is_null(*word) => {
                    let kind = self.b.ins().iconst(types::I32, *counted as i64);
                    let args = [kind, *word];
                    self.libcall(libcall!(libcalls::share), &args, Some(types::I64)).expect("it gives a word")
                }
                Component::Unique => self.b.ins().iconst(types::I8, 0),
                _ => *word,
            })
            .collect()
    }

    /// Releases the counts of a value.
    pub(super) fn release(&mut self, layout: &Layout, words: &[ir::Value]) {
        for (component, word) in layout.components.iter().zip(words) {
            if let Component::Counted(counted) = component {
                self.release_word(*counted, *word);
            }
        }
    }

    pub(super) fn release_word(&mut self, counted: Counted, word: ir::Value) {
        if !self.ownership.is_null(word) {
            if counted == Counted::Tape {
                return self.preserving_call(Trampoline::ReleaseTape, &[self.run, word]);
            }
            let kind = self.b.ins().iconst(types::I32, counted as i64);
            self.preserving_call(Trampoline::Release, &[kind, word]);
        }
    }

    /// Releases a vector, unless it is lent (WORD5).
    fn release_unless_lent(&mut self, word: ir::Value) {
        let (counted, after) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(counted);
        let lent = self.address(lent() as usize as *const u8, SymbolName::LentVector);
        let is_lent = self.b.ins().icmp(IntCC::Equal, word, lent);
        self.b.ins().brif(is_lent, after, &[], counted, &[]);
        self.b.switch_to_block(counted);
        self.release_word(Counted::Array, word);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// Releases a variable if this function owns it.
    pub(super) fn release_var(&mut self, var: Var) {
        if is_injected(Fault::ReleaseTwice) && self.ownership.owned.contains(&var) {
            let (layout, words) = (self.layouts[var.index()].clone(), self.read(&Operand::Var(var)));
            self.release(&layout, &words);
        }
        if self.ownership.owned.remove(&var) && !is_injected(Fault::Leak) {
            let layout = self.layouts[var.index()].clone();
            let may_be_borrowed = layout.is_vector() && self.func.params().contains(&var);
            for (component, word) in layout.components.iter().zip(self.ownership.vals[var.index()].clone()) {
                match (component, word) {
                    (Component::Counted(_), VarComponent::Value(word)) if may_be_borrowed => {
                        self.release_unless_lent(word)
                    }
                    (Component::Counted(counted), VarComponent::Value(word)) => {
                        self.release_word(*counted, word)
                    }
                    _ => {}
                }
            }
        }
    }

    /// Defines a variable.
    pub(super) fn define(&mut self, var: Var, words: &[ir::Value]) {
        let layout = self.layouts[var.index()].clone();
        let changes = self.ownership.flag_changes.contains(&var);
        let stored = layout.components.iter().zip(words).map(|(component, word)| match component {
            Component::Unique if changes => {
                let variable = self.b.declare_var(types::I8);
                self.b.def_var(variable, *word);
                VarComponent::Flag(variable)
            }
            _ => VarComponent::Value(*word),
        });
        self.ownership.vals[var.index()] = stored.collect();
        if layout.is_counted() && !self.ownership.is_borrowed(var) {
            self.ownership.owned.insert(var);
        }
    }

    /// The components of a constant, which is kept in the side tables.
    pub(super) fn constant(&mut self, constant: &Const) -> Values {
        self.constant_value(constant.value())
    }

    fn constant_value(&mut self, value: &Value<'static>) -> Values {
        match value {
            Value::Unit => Values::new(),
            Value::Bool(b) => self.int(types::I8, i64::from(*b)),
            Value::Char(c) => self.int(types::I32, i64::from(u32::from(*c))),
            Value::Int(int) => {
                let ty = component_ty(Component::Int(int.ty().bits() as u8));
                let spare = 64 - int.ty().bits();
                self.int(ty, (((int.bits() << spare) as i64) >> spare) & low_bits(int.ty().bits()))
            }
            Value::F32(x) => smallvec::smallvec![self.b.ins().f32const(*x)],
            Value::F64(x) => smallvec::smallvec![self.f64_constant(*x)],
            _ => self.cached_constant(value, Layout::of(value.ty())),
        }
    }

    /// The components of a constant of a declared type, with counts of their own: an empty stack does not know its
    /// type.
    pub(super) fn declared(&mut self, constant: &Const, ty: Ty) -> Values {
        let layout = Layout::of(ty);
        if !layout.is_counted() || !values::fits(&layout, constant.value()) {
            return self.take(&Operand::Const(constant.clone()), false);
        }
        let words = self.cached_constant(constant.value(), layout.clone());
        self.share(&layout, &words)
    }

    fn int(&mut self, ty: ir::Type, n: i64) -> Values {
        smallvec::smallvec![self.b.ins().iconst(ty, n)]
    }

    /// A float constant. In a loop it is loaded from a table next to the code, since Cranelift would
    /// rematerialise it in every block. Outside of loops rematerialising is preferred, as it shortens live
    /// ranges.
    pub(super) fn f64_constant(&mut self, x: f64) -> ir::Value {
        let Some(outermost_loop) = self.constants.outermost_loop().filter(|_| x.to_bits() != 0) else {
            return self.b.ins().f64const(x);
        };
        match self.constants.hoisted(outermost_loop, x) {
            Some(value) => value,
            None => self.float_at(x, MemFlagsData::trusted().with_readonly().with_can_move()),
        }
    }

    /// Loads a float from the table.
    pub(super) fn float_at(&mut self, x: f64, flags: MemFlagsData) -> ir::Value {
        let (table, offset) = self.constants.place(self.tables, x);
        let table = self.address(table, SymbolName::Floats);
        self.b.ins().load(types::F64, flags, table, offset)
    }

    fn cached_constant(&mut self, value: &Value<'static>, layout: Arc<Layout>) -> Values {
        let known = self.tables.constants.len();
        let constant = Constant::new(value.clone(), layout.clone());
        self.tables.constants.push(constant.expect("the layout fits the value"));
        let words = self.tables.constants[known].words.clone();
        layout
            .components
            .iter()
            .zip(words)
            .map(|(component, word)| self.component_constant(*component, word))
            .collect()
    }

    fn component_constant(&mut self, component: Component, word: u64) -> ir::Value {
        match component {
            Component::F32 => self.b.ins().f32const(f32::from_bits(word as u32)),
            Component::F64 => self.f64_constant(f64::from_bits(word)),
            Component::Int(bits) => {
                self.b.ins().iconst(component_ty(component), word as i64 & low_bits(u32::from(bits)))
            }
            Component::Unique => self.b.ins().iconst(types::I8, 0),
            Component::Counted(_) if word < HOLES => {
                let value = self.b.ins().iconst(types::I64, word as i64);
                self.ownership.note_null(value);
                value
            }
            Component::Counted(_) => self.address(word as usize as *const u8, SymbolName::Constant),
        }
    }

    /// The components of a hole (ABI3).
    pub(super) fn hole(&mut self, layout: &Layout) -> Values {
        let hole = layout.hole;
        let words = layout.components.iter().enumerate().map(|(at, component)| {
            let word = hole.filter(|hole| hole.component == at).map_or(0, |hole| hole.word);
            self.component_constant(*component, word)
        });
        words.collect()
    }

    /// Whether a counted word is not a hole.
    pub(super) fn is_not_hole(&mut self, word: ir::Value) -> ir::Value {
        self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, word, HOLES as i64)
    }

    /// A component that owns nothing.
    pub(super) fn null(&mut self, component: Component) -> ir::Value {
        self.component_constant(component, 0)
    }
}

/// A mask of the lowest bits.
fn low_bits(bits: u32) -> i64 {
    if bits >= 64 { -1 } else { (1 << bits) - 1 }
}
