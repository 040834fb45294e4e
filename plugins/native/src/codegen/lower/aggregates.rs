//! Tuples, structs, enums and closures in registers: a field is a subset of the components.

use cranelift_codegen::ir::{self, InstBuilder, condcodes::IntCC, types};
use overdub_context::ir::{Operand, Var};
use overdub_context::ops;
use smallvec::smallvec;

use crate::abi::layout::{Component, Field, Layout, LayoutKind};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::lower::OpInst;
use crate::codegen::operands::{Values, VarComponent};

impl FuncCx<'_> {
    /// `field`, `captured`.
    pub(in crate::codegen) fn field(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = self.layout(inst.args.first()?);
        self.part(inst, field_of(&layout, inst)?, 0)
    }

    /// `payload`.
    pub(in crate::codegen) fn payload(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = self.layout(inst.args.first()?);
        let (tag, part) = payload_of(&layout, inst)?;
        self.check_tag(inst, tag);
        self.part(inst, part, 0)
    }

    /// `with_field`.
    pub(in crate::codegen) fn with_field(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = self.layout(inst.args.first()?);
        self.replace(inst, &layout, field_of(&layout, inst)?, 2)
    }

    /// `with_payload`.
    pub(in crate::codegen) fn with_payload(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = self.layout(inst.args.first()?);
        let (tag, part) = payload_of(&layout, inst)?;
        self.check_tag(inst, tag);
        self.replace(inst, &layout, part, 3)
    }

    /// `take.field`.
    pub(in crate::codegen) fn take_field(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = self.layout(inst.args.first()?);
        self.take_part(inst, field_of(&layout, inst)?)
    }

    /// `take.payload`.
    pub(in crate::codegen) fn take_payload(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = self.layout(inst.args.first()?);
        let (tag, part) = payload_of(&layout, inst)?;
        self.check_tag(inst, tag);
        self.take_part(inst, part)
    }

    /// `tuple`, `struct`, `closure`.
    pub(in crate::codegen) fn aggregate(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = Layout::of(inst.ret);
        match &layout.shape {
            LayoutKind::Aggregate(..) | LayoutKind::Closure(..) | LayoutKind::Empty => {}
            _ => return None,
        }
        let mut words = Values::new();
        for (arg, last) in inst.args.iter().zip(inst.last) {
            words.extend(self.take(arg, *last));
        }
        Some(words)
    }

    /// `variant`.
    pub(in crate::codegen) fn variant(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let layout = Layout::of(inst.ret);
        let LayoutKind::Enum(_, variants) = &layout.shape else { return None };
        let tag = index(inst.args.first()?)?;
        let parts = variants.get(tag)?;
        let mut words: Values = layout.components.iter().map(|component| self.null(*component)).collect();
        words[0] = self.b.ins().iconst(types::I32, tag as i64);
        for ((part, arg), last) in parts.iter().zip(&inst.args[1..]).zip(&inst.last[1..]) {
            for (at, word) in part.components.iter().zip(self.take(arg, *last)) {
                words[*at] = word;
            }
        }
        Some(words)
    }

    /// `tag`.
    pub(in crate::codegen) fn tag(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [composite] = inst.args else { return None };
        if !self.layout(composite).is_enum() {
            return None;
        }
        let tag = self.scalar(composite);
        Some(smallvec![self.b.ins().uextend(types::I64, tag)])
    }

    fn check_tag(&mut self, inst: &OpInst<'_>, tag: usize) {
        let is = self.scalar(&inst.args[0]);
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, is, tag as i64);
        self.check(same, inst);
    }

    /// A field of the operand at `at`: moved if this is the last use of the operand.
    fn part(&mut self, inst: &OpInst<'_>, part: &Field, at: usize) -> Option<Values> {
        let composite = &inst.args[at];
        let words = self.read(composite);
        let part_words: Values = part.components.iter().map(|&component| words[component]).collect();
        if !part.layout.is_counted() {
            return Some(part_words);
        }
        if inst.is_borrowed {
            return Some(self.borrowed_words(&part.layout, &part_words));
        }
        if inst.last[at] && composite.var().is_some_and(|var| !self.ownership.is_borrowed(var)) {
            let layout = self.layout(composite);
            self.take(composite, true);
            self.release_all_but(&layout, &words, part);
            return Some(part_words);
        }
        if let Some(var) = composite.var() {
            if self.ownership.split.contains(&var) && !self.ownership.is_borrowed(var) {
                self.move_out(var, part);
                return Some(part_words);
            }
            self.mark_shared(var);
        }
        Some(self.share(&part.layout, &part_words))
    }

    /// Marks a moved field of a variable as null (ABI2).
    fn move_out(&mut self, var: Var, part: &Field) {
        for (&at, component) in part.components.iter().zip(&part.layout.components) {
            if let Component::Counted(_) = component {
                self.ownership.vals[var.index()][at] = VarComponent::Value(self.null(*component));
            }
        }
    }

    /// The components of a borrowed value: the uniqueness flags are cleared, so that it is not written in place.
    pub(in crate::codegen) fn borrowed_words(&mut self, layout: &Layout, words: &[ir::Value]) -> Values {
        let components = layout.components.iter().zip(words);
        components
            .map(
                |(component, word)| {
                    if *component == Component::Unique { self.null(*component) } else { *word }
                },
            )
            .collect()
    }

    /// Releases the components of a value except those of one field.
    fn release_all_but(&mut self, layout: &Layout, words: &[ir::Value], part: &Field) {
        let rest =
            layout.components.iter().zip(words).enumerate().filter(|(at, _)| !part.components.contains(at));
        let (components, words): (Vec<Component>, Vec<ir::Value>) =
            rest.map(|(_, (component, word))| (*component, *word)).unzip();
        let rest = Layout { ty: layout.ty, shape: LayoutKind::Empty, components, hole: None };
        self.release(&rest, &words);
    }

    fn replace(&mut self, inst: &OpInst<'_>, layout: &Layout, part: &Field, new: usize) -> Option<Values> {
        let mut words = self.take(&inst.args[0], inst.last[0]);
        let new = self.take(&inst.args[new], inst.last[new]);
        debug_assert_eq!(words.len(), layout.components.len(), "a value has its layout's leaves");
        let old: Values = part.components.iter().map(|&at| words[at]).collect();
        self.release(&part.layout, &old);
        for (at, word) in part.components.iter().zip(new) {
            words[*at] = word;
        }
        Some(words)
    }

    /// The field, and the aggregate with a hole in its place if the field leaves one (ABI3).
    fn take_part(&mut self, inst: &OpInst<'_>, part: &Field) -> Option<Values> {
        // Both together may have too many components to be flat (H17).
        let LayoutKind::Aggregate(..) = &Layout::of(inst.ret).shape else { return None };
        let mut words = self.take(&inst.args[0], inst.last[0]);
        let mut result: Values = part.components.iter().map(|&at| words[at]).collect();
        if ops::leaves_hole(part.layout.ty) {
            for (&at, word) in part.components.iter().zip(self.hole(&part.layout)) {
                words[at] = word;
            }
        } else {
            result = self.share(&part.layout, &result);
        }
        result.extend(words);
        Some(result)
    }
}

/// The value of a constant operand, as an index.
fn index(operand: &Operand) -> Option<usize> {
    operand.constant()?.value().as_index()
}

/// The field that the second operand names.
fn field_of<'l>(layout: &'l Layout, inst: &OpInst<'_>) -> Option<&'l Field> {
    let at = index(inst.args.get(1)?)?;
    match &layout.shape {
        LayoutKind::Aggregate(_, parts) | LayoutKind::Closure(_, parts) => parts.get(at),
        _ => None,
    }
}

/// The variant and the field that the second and third operands name.
fn payload_of<'l>(layout: &'l Layout, inst: &OpInst<'_>) -> Option<(usize, &'l Field)> {
    let LayoutKind::Enum(_, variants) = &layout.shape else { return None };
    let tag = index(inst.args.get(1)?)?;
    Some((tag, variants.get(tag)?.get(index(inst.args.get(2)?)?)?))
}
