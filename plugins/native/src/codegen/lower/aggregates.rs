//! Tuples, structs, enums and closures that are flat: their parts are some of their leaves.

use cranelift_codegen::ir::{self, InstBuilder, condcodes::IntCC, types};
use overdub_context::ir::{Operand, Var};
use overdub_context::ops;
use smallvec::smallvec;

use crate::abi::layout::{Layout, Leaf, Part, Shape};
use crate::codegen::function::Body;
use crate::codegen::lower::OpInst;
use crate::codegen::operands::{Word, Words};

impl Body<'_> {
    /// An operation of these.
    pub(in crate::codegen) fn parts_op(&mut self, inst: &OpInst<'_>) -> Option<Words> {
        match inst.op.name {
            "tuple" | "struct" | "closure" => self.whole(inst),
            "variant" => self.variant(inst),
            "tag" => self.tag(inst),
            "field" | "captured" => {
                let layout = self.layout(inst.args.first()?);
                self.part(inst, part_of(&layout, index(inst.args.get(1)?)?)?, 0)
            }
            "payload" => {
                let layout = self.layout(inst.args.first()?);
                let (tag, part) = payload_of(&layout, inst)?;
                self.check_tag(inst, tag);
                self.part(inst, part, 0)
            }
            "with_field" => {
                let layout = self.layout(inst.args.first()?);
                self.replace(inst, &layout, part_of(&layout, index(inst.args.get(1)?)?)?, 2)
            }
            "with_payload" => {
                let layout = self.layout(inst.args.first()?);
                let (tag, part) = payload_of(&layout, inst)?;
                self.check_tag(inst, tag);
                self.replace(inst, &layout, part, 3)
            }
            "take.field" => {
                let layout = self.layout(inst.args.first()?);
                self.take_part(inst, part_of(&layout, index(inst.args.get(1)?)?)?)
            }
            "take.payload" => {
                let layout = self.layout(inst.args.first()?);
                let (tag, part) = payload_of(&layout, inst)?;
                self.check_tag(inst, tag);
                self.take_part(inst, part)
            }
            _ => None,
        }
    }

    fn whole(&mut self, inst: &OpInst<'_>) -> Option<Words> {
        let layout = Layout::of(inst.ret);
        match &layout.shape {
            Shape::Parts(..) | Shape::Closure(..) | Shape::Nothing => {}
            _ => return None,
        }
        let mut words = Words::new();
        for (arg, last) in inst.args.iter().zip(inst.last) {
            words.extend(self.take(arg, *last));
        }
        Some(words)
    }

    fn variant(&mut self, inst: &OpInst<'_>) -> Option<Words> {
        let layout = Layout::of(inst.ret);
        let Shape::Enum(_, variants) = &layout.shape else { return None };
        let tag = index(inst.args.first()?)?;
        let parts = variants.get(tag)?;
        let mut words: Words = layout.leaves.iter().map(|leaf| self.nothing(*leaf)).collect();
        words[0] = self.b.ins().iconst(types::I32, tag as i64);
        for ((part, arg), last) in parts.iter().zip(&inst.args[1..]).zip(&inst.last[1..]) {
            for (at, word) in part.leaves.iter().zip(self.take(arg, *last)) {
                words[*at] = word;
            }
        }
        Some(words)
    }

    fn tag(&mut self, inst: &OpInst<'_>) -> Option<Words> {
        let [whole] = inst.args else { return None };
        if !self.layout(whole).is_enum() {
            return None;
        }
        let tag = self.scalar(whole);
        Some(smallvec![self.b.ins().uextend(types::I64, tag)])
    }

    fn check_tag(&mut self, inst: &OpInst<'_>, tag: usize) {
        let is = self.scalar(&inst.args[0]);
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, is, tag as i64);
        self.check(same, inst);
    }

    /// A part of the operand at `at`: taken out if the whole dies here.
    fn part(&mut self, inst: &OpInst<'_>, part: &Part, at: usize) -> Option<Words> {
        let whole = &inst.args[at];
        let words = self.look(whole);
        let own: Words = part.leaves.iter().map(|&leaf| words[leaf]).collect();
        if !part.layout.is_counted() {
            return Some(own);
        }
        if inst.is_borrowed {
            return Some(self.borrowed_words(&part.layout, &own));
        }
        if inst.last[at] && whole.var().is_some_and(|var| !self.borrowed.contains(&var)) {
            let layout = self.layout(whole);
            self.take(whole, true);
            self.release_beside(&layout, &words, part);
            return Some(own);
        }
        if let Some(var) = whole.var() {
            if self.split.contains(&var) && !self.borrowed.contains(&var) {
                self.move_out(var, part);
                return Some(own);
            }
            self.now_shared(var);
        }
        Some(self.share(&part.layout, &own))
    }

    /// From here on a variable holds nothing where a part of it was (L3).
    fn move_out(&mut self, var: Var, part: &Part) {
        for (&at, leaf) in part.leaves.iter().zip(&part.layout.leaves) {
            if let Leaf::Counted(_) = leaf {
                self.vals[var.index()][at] = Word::Value(self.nothing(*leaf));
            }
        }
    }

    /// The leaves of a value as who borrows it sees them: not to be written in place.
    pub(in crate::codegen) fn borrowed_words(&mut self, layout: &Layout, words: &[ir::Value]) -> Words {
        let leaves = layout.leaves.iter().zip(words);
        leaves.map(|(leaf, word)| if *leaf == Leaf::Own { self.nothing(*leaf) } else { *word }).collect()
    }

    /// Gives up what a value owns besides one part.
    fn release_beside(&mut self, layout: &Layout, words: &[ir::Value], part: &Part) {
        let rest = layout.leaves.iter().zip(words).enumerate().filter(|(at, _)| !part.leaves.contains(at));
        let (leaves, words): (Vec<Leaf>, Vec<ir::Value>) =
            rest.map(|(_, (leaf, word))| (*leaf, *word)).unzip();
        let rest = Layout { ty: layout.ty, shape: Shape::Nothing, leaves, hole: None };
        self.release(&rest, &words);
    }

    fn replace(&mut self, inst: &OpInst<'_>, layout: &Layout, part: &Part, new: usize) -> Option<Words> {
        let mut words = self.take(&inst.args[0], inst.last[0]);
        let new = self.take(&inst.args[new], inst.last[new]);
        debug_assert_eq!(words.len(), layout.leaves.len(), "a value has its layout's leaves");
        let old: Words = part.leaves.iter().map(|&at| words[at]).collect();
        self.release(&part.layout, &old);
        for (at, word) in part.leaves.iter().zip(new) {
            words[*at] = word;
        }
        Some(words)
    }

    /// The part, and the whole with a hole in its place where it leaves one (L3).
    fn take_part(&mut self, inst: &OpInst<'_>, part: &Part) -> Option<Words> {
        // Part and whole together may have too many leaves to be flat where each of them alone has not.
        let Shape::Parts(..) = &Layout::of(inst.ret).shape else { return None };
        let mut words = self.take(&inst.args[0], inst.last[0]);
        let mut result: Words = part.leaves.iter().map(|&at| words[at]).collect();
        if ops::leaves_hole(part.layout.ty) {
            for (&at, word) in part.leaves.iter().zip(self.hole(&part.layout)) {
                words[at] = word;
            }
        } else {
            result = self.share(&part.layout, &result);
        }
        result.extend(words);
        Some(result)
    }
}

/// The constant number that an operand is.
fn index(operand: &Operand) -> Option<usize> {
    operand.constant()?.value().as_index()
}

fn part_of(layout: &Layout, at: usize) -> Option<&Part> {
    match &layout.shape {
        Shape::Parts(_, parts) | Shape::Closure(_, parts) => parts.get(at),
        _ => None,
    }
}

/// The variant's number and the field that the second and third operands name.
fn payload_of<'l>(layout: &'l Layout, inst: &OpInst<'_>) -> Option<(usize, &'l Part)> {
    let Shape::Enum(_, variants) = &layout.shape else { return None };
    let tag = index(inst.args.get(1)?)?;
    Some((tag, variants.get(tag)?.get(index(inst.args.get(2)?)?)?))
}
