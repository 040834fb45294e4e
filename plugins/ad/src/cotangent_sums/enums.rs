//! Sums of the cotangents of enums, and their fields (COT3).

use overdub_context::Symbol;
use overdub_context::ir::{Block, Case, Func, FuncBuilder, NominalBody, Operand, Ty, TyKind, Var, VariantTy};
use overdub_context::ops;

use super::Helpers;
use crate::refusal::Cause;

/// The types of the fields of a variant of an enum, by its tag.
pub(crate) fn fields_of(dty: Ty, tag: i64) -> Vec<Ty> {
    let TyKind::Enum(nominal) = dty.kind() else { return Vec::new() };
    let Some(NominalBody::Enum(variants)) = nominal.body() else { return Vec::new() };
    variants.get(tag as usize).map_or(Vec::new(), |variant| variant.fields.iter().map(|f| f.ty).collect())
}

impl Helpers {
    /// The function that adds two cotangents of an enum.
    pub(super) fn sum_of_enums(&mut self, dty: Ty) -> Result<Symbol, Cause> {
        let name = Symbol::new(&format!("sum{{{dty}}}"));
        if self.has(name) {
            return Ok(name);
        }
        let mut build = FuncBuilder::new(name, dty);
        let (a, b) = (build.param("a", dty), build.param("b", dty));
        // The sum of a recursive enum calls itself, so it is declared before it is defined.
        self.funcs.insert(name, build.func().clone());
        let func = self.sum_by_variant(build, dty, a, b)?;
        self.funcs.insert(name, func);
        Ok(name)
    }

    fn sum_by_variant(&mut self, mut build: FuncBuilder, dty: Ty, a: Var, b: Var) -> Result<Func, Cause> {
        let TyKind::Enum(nominal) = dty.kind() else { return Err(Cause::Type(dty)) };
        let variants = nominal.variants().map_or(0, <[VariantTy]>::len) as i64;
        let (only_a, only_b) = (build.new_block(), build.new_block());
        let blocks: Vec<Block> = (1..variants).map(|_| build.new_block()).collect();
        let case = |value: i64, block: Block| Case { value: value.into(), target: block.into() };
        let all = (1..).zip(&blocks).map(|(tag, block)| case(tag, *block));
        build.switch(a, std::iter::once(case(0, only_b)).chain(all).collect(), None)?;
        let mut strange = None;
        for (tag, block) in (1..).zip(blocks) {
            build.switch_to(block)?;
            let both = build.new_block();
            let other = *strange.get_or_insert_with(|| build.new_block());
            build.switch(b, vec![case(0, only_a), case(tag, both)], Some(other.into()))?;
            build.switch_to(both)?;
            let mut operands: Vec<Operand> = vec![tag.into()];
            for (k, field) in (0_i64..).zip(fields_of(dty, tag)) {
                let x = build.op(&ops::PAYLOAD, [Operand::from(a), tag.into(), k.into()])?;
                let y = build.op(&ops::PAYLOAD, [Operand::from(b), tag.into(), k.into()])?;
                operands.push(self.sum(&mut build, &x.into(), &y.into(), field)?);
            }
            let sum = build.op_as(&ops::VARIANT, operands, dty)?;
            build.ret(sum)?;
        }
        if let Some(strange) = strange {
            build.switch_to(strange)?;
            build.fail("cotangents of two variants of one value")?;
        }
        for (block, value) in [(only_a, a), (only_b, b)] {
            build.switch_to(block)?;
            build.ret(value)?;
        }
        Ok(build.finish()?)
    }

    /// The function that reads a field of a cotangent: zero if the cotangent is the variant for zero.
    pub(crate) fn field_of_enum(&mut self, dty: Ty, tag: i64, k: i64) -> Result<(Symbol, Ty), Cause> {
        let field = fields_of(dty, tag).get(k as usize).copied().unwrap_or(Ty::unit());
        let name = Symbol::new(&format!("field{{{dty}, {tag}, {k}}}"));
        if !self.has(name) {
            let mut build = FuncBuilder::new(name, field);
            let d = build.param("d", dty);
            let (present, zero) = (build.new_block(), build.new_block());
            build.switch(d, vec![Case { value: tag.into(), target: present.into() }], Some(zero.into()))?;
            build.switch_to(present)?;
            let value = build.op(&ops::PAYLOAD, [Operand::from(d), tag.into(), k.into()])?;
            build.ret(value)?;
            build.switch_to(zero)?;
            let zero_value = Helpers::scalar_zero(&mut build, field)?;
            build.ret(zero_value)?;
            self.funcs.insert(name, build.finish()?);
        }
        Ok((name, field))
    }
}
