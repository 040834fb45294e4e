//! Fields of unions as the bits of one another: numbers of the field that was written last become those of another field.
//!
//! - UNIONBITS1 integers and floats are converted by operations on numbers (`to_bits`, shifts, `from_bits`), so that what a
//!   context knows of a number, such as its derivative, follows it or is refused.
//! - UNIONBITS2 a field that is smaller than the one written last is written into it; the other bytes stay.
//! - UNIONBITS3 a float that is partly written over is put together when it is read: until then both are kept, in a variant
//!   behind those of the fields. A list of free slots in the place of values costs no derivative.

use overdub_context::ir::{Operand, Ty};
use overdub_context::ops;
use overdub_context::ssa::SsaBuilder;

use super::cx::FnCx;
use super::error::Lowered;
use super::layout::size_of;
use super::place::index;
use super::regroup;
use super::session::Lowering;
use crate::infer;

/// The failure of a read that needs bytes which were not written.
const OTHER_LAYOUT: &str = "a field of a union is read in which another one was written, of another layout";

/// Whether the fields of a union are read as the bits of one another. If not, each has the layout of every other, as
/// `union.get` converts it, or none.
pub(super) fn shares_bits(lowering: &Lowering, union: infer::Ty) -> bool {
    let fields = fields_of(lowering, union);
    let pairs = fields.iter().enumerate().flat_map(|(k, &to)| {
        fields.iter().enumerate().filter(move |(j, _)| *j != k).map(move |(_, &from)| (from, to))
    });
    pairs.into_iter().any(|(from, to)| {
        regroup::is_regrouping(lowering, from, to) && regroup::changes_numbers(lowering, from, to)
    })
}

/// Whether a field of a union has as many bytes as the union needs.
pub(super) fn is_largest(lowering: &Lowering, field: u32, union: infer::Ty) -> bool {
    let fields = fields_of(lowering, union);
    let Some(&own) = fields.get(field as usize) else { return false };
    !fields.iter().any(|&other| regroup::is_larger(lowering, other, own))
}

fn fields_of(lowering: &Lowering, union: infer::Ty) -> Vec<infer::Ty> {
    let variants = lowering.types.variants(union).unwrap_or_default();
    variants.into_iter().flat_map(|(_, fields)| fields).map(|(_, ty)| ty).collect()
}

/// A smaller field that was written into a larger one with floats (UNIONBITS3).
#[derive(Clone, Copy)]
pub(super) struct PartlyWritten {
    pub(super) small: usize,
    pub(super) whole: usize,
}

/// The variants behind those of the fields.
pub(super) fn partly_written(lowering: &Lowering, union: infer::Ty) -> Vec<PartlyWritten> {
    if !shares_bits(lowering, union) {
        return Vec::new();
    }
    let fields = fields_of(lowering, union);
    let pairs = (0..fields.len()).flat_map(|whole| (0..fields.len()).map(move |small| (small, whole)));
    let pairs = pairs.filter(|&(small, whole)| {
        let (small, whole) = (fields[small], fields[whole]);
        regroup::is_numbers(lowering, small)
            && regroup::has_floats(lowering, whole)
            && regroup::is_larger(lowering, whole, small)
    });
    pairs.map(|(small, whole)| PartlyWritten { small, whole }).collect()
}

/// What is emitted where one of the fields was written last.
type Case<'c> = (u32, Box<dyn FnOnce(&Lowering, &mut SsaBuilder, &Operand) -> Lowered<Operand> + 'c>);

impl FnCx<'_> {
    /// The value of a field of a union whose fields share bits.
    pub(super) fn union_field(&mut self, union: &Operand, field: u32, of: infer::Ty) -> Lowered<Operand> {
        let fields = fields_of(self.lowering, of);
        let Some(&to) = fields.get(field as usize) else { return self.fail(OTHER_LAYOUT) };
        let size = |ty| size_of(self.lowering, ty).map_or(0, |(size, _)| size);
        let mut cases: Vec<Case<'_>> = Vec::new();
        for (tag, &from) in (0..).zip(&fields) {
            if tag == field {
                continue;
            }
            if regroup::is_numbers(self.lowering, to) && regroup::is_regrouping(self.lowering, from, to) {
                cases.push((
                    tag,
                    Box::new(move |lowering, build, union| {
                        let args = [union.clone(), index(tag), index(0)];
                        let part = build.op_as(&ops::PAYLOAD, args, lowering.ty(from)?)?.into();
                        regroup::emit(lowering, build, &part, from, to)
                    }),
                ));
            } else if (1..size(to)).contains(&size(from)) && regroup::is_numbers(self.lowering, from) {
                cases.push((
                    tag,
                    Box::new(|_, build, _| {
                        build.fail(OTHER_LAYOUT)?;
                        Err(super::error::Stop::Diverges)
                    }),
                ));
            }
        }
        let partly = (fields.len()..).zip(partly_written(self.lowering, of));
        for (tag, PartlyWritten { small, whole }) in partly {
            let (small_ty, whole_ty) = (fields[small], fields[whole]);
            cases.push((
                u32::try_from(tag).unwrap_or(u32::MAX),
                Box::new(move |lowering, build, union| {
                    let (new, old) = taken_apart(lowering, build, union, tag, (small_ty, whole_ty))?;
                    if small == field as usize {
                        return Ok(new);
                    }
                    if regroup::is_regrouping(lowering, small_ty, to) {
                        return regroup::emit(lowering, build, &new, small_ty, to);
                    }
                    let merged = regroup::overwrite(lowering, build, (&old, whole_ty), (&new, small_ty))?;
                    if whole == field as usize {
                        return Ok(merged);
                    }
                    if regroup::is_regrouping(lowering, whole_ty, to) {
                        return regroup::emit(lowering, build, &merged, whole_ty, to);
                    }
                    build.fail(OTHER_LAYOUT)?;
                    Err(super::error::Stop::Diverges)
                }),
            ));
        }
        let ty = self.lowering.ty(to)?;
        self.by_last_written(union, cases, ty, |cx| {
            cx.op_as(&ops::UNION_GET, vec![union.clone(), index(field)], ty)
        })
    }

    /// A union whose fields share bits, with one of them written.
    pub(super) fn with_union_field(
        &mut self,
        union: &Operand,
        field: u32,
        value: &Operand,
        of: infer::Ty,
    ) -> Lowered<Operand> {
        let fields = fields_of(self.lowering, of);
        let ty = self.operand_ty(union)?;
        let Some(&small) = fields.get(field as usize) else { return self.fail(OTHER_LAYOUT) };
        let partly = partly_written(self.lowering, of);
        // The tag of this field written into a larger one with floats.
        let over = |larger: usize| {
            let at = partly.iter().position(|it| (it.small, it.whole) == (field as usize, larger));
            at.map(|at| Operand::from(fields.len() + at))
        };
        let mut cases: Vec<Case<'_>> = Vec::new();
        for (tag, &whole) in (0..).zip(&fields) {
            if regroup::is_larger(self.lowering, whole, small) {
                let over = over(tag as usize);
                cases.push((
                    tag,
                    Box::new(move |lowering, build, union| {
                        let args = [union.clone(), index(tag), index(0)];
                        let old = build.op_as(&ops::PAYLOAD, args, lowering.ty(whole)?)?.into();
                        let (tag, new) = match over {
                            Some(over) => (over, build.op(&ops::TUPLE, [value.clone(), old])?.into()),
                            None => {
                                let new = regroup::overwrite(lowering, build, (&old, whole), (value, small))?;
                                (index(tag), new)
                            }
                        };
                        Ok(build.op_as(&ops::VARIANT, [tag, new], ty)?.into())
                    }),
                ));
            }
        }
        for (tag, before) in (fields.len()..).zip(&partly) {
            let (before_ty, whole_ty) = (fields[before.small], fields[before.whole]);
            let Some(over) = over(before.whole) else { continue };
            cases.push((
                u32::try_from(tag).unwrap_or(u32::MAX),
                Box::new(move |lowering, build, union| {
                    let (new, mut old) = taken_apart(lowering, build, union, tag, (before_ty, whole_ty))?;
                    if regroup::is_larger(lowering, before_ty, small) {
                        old = regroup::overwrite(lowering, build, (&old, whole_ty), (&new, before_ty))?;
                    }
                    let both = build.op(&ops::TUPLE, [value.clone(), old])?.into();
                    Ok(build.op_as(&ops::VARIANT, [over, both], ty)?.into())
                }),
            ));
        }
        self.by_last_written(union, cases, ty, |cx| {
            cx.op_as(&ops::VARIANT, vec![index(field), value.clone()], ty)
        })
    }

    /// Makes a field the one that was written last, in the union that a reference points to.
    pub(super) fn activate_union_field(
        &mut self,
        reference: &Operand,
        field: u32,
        of: infer::Ty,
    ) -> Lowered<()> {
        let union = self.op(&ops::REF_GET, vec![reference.clone()])?;
        let value = self.union_field(&union, field, of)?;
        let ty = self.operand_ty(&union)?;
        let active = self.op_as(&ops::VARIANT, vec![index(field), value], ty)?;
        self.op(&ops::REF_SET, vec![reference.clone(), active]).map(drop)
    }

    /// The value of the case of the field that was written last, or else of the other one.
    fn by_last_written(
        &mut self,
        union: &Operand,
        cases: Vec<Case<'_>>,
        ty: Ty,
        otherwise: impl FnOnce(&mut Self) -> Lowered<Operand>,
    ) -> Lowered<Operand> {
        if cases.is_empty() {
            return otherwise(self);
        }
        let (default, done) = (self.build.new_block(), self.build.new_block());
        let blocks: Vec<_> =
            cases.iter().map(|(tag, _)| (i128::from(*tag), self.build.new_block())).collect();
        let result = Some(self.build.declare_variable(ty, None));
        self.switch_on(union.clone(), &blocks, Some(default))?;
        for ((_, emit), (_, block)) in cases.into_iter().zip(blocks) {
            self.enter(block)?;
            let value = emit(self.lowering, &mut self.build, union);
            self.join(value, result, done)?;
        }
        self.enter(default)?;
        let value = otherwise(self);
        self.join(value, result, done)?;
        self.joined(result, done)
    }
}

/// The smaller field and the larger one of a variant with both (UNIONBITS3).
fn taken_apart(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    union: &Operand,
    tag: usize,
    (small, whole): (infer::Ty, infer::Ty),
) -> Lowered<(Operand, Operand)> {
    let ty = Ty::tuple([lowering.ty(small)?, lowering.ty(whole)?]);
    let both: Operand = build.op_as(&ops::PAYLOAD, [union.clone(), Operand::from(tag), index(0)], ty)?.into();
    let mut field = |at| build.op(&ops::FIELD, [both.clone(), index(at)]);
    Ok((field(0)?.into(), field(1)?.into()))
}
