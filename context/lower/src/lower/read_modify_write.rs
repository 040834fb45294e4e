//! Parts of texts, and of unions whose fields share bits, as places: the text or union is one value, so a part is read out of
//! the whole, and written by making a new whole.

use overdub_context::ir::{Operand, Ty};
use overdub_context::ops::{self, OpDef};

use super::cx::FnCx;
use super::error::{LowerError, Lowered, Stop};
use super::place::{Projection, index};
use super::union_fields::is_largest;

/// Projections, each with the type of its part.
type Steps = [(Projection, Ty)];

/// The projections as far as references go, and those from the first part of a text or union on.
fn before_whole(steps: &Steps) -> (&Steps, &Steps) {
    let is_part = |(step, ty): &(Projection, Ty)| match step {
        Projection::Slice(..) => *ty == Ty::str(),
        Projection::UnionField(_, of) => of.is_some(),
        _ => false,
    };
    steps.split_at(steps.iter().position(is_part).unwrap_or(steps.len()))
}

impl FnCx<'_> {
    /// The value in a place behind a reference, by `from_cell` if it is not a part of a text or union.
    pub(super) fn read_behind(
        &mut self,
        reference: Operand,
        steps: &Steps,
        from_cell: &'static OpDef,
    ) -> Lowered<Operand> {
        let (steps, in_whole) = before_whole(steps);
        let reference = self.ref_steps(reference, steps)?;
        if in_whole.is_empty() {
            return self.op(from_cell, vec![reference]);
        }
        let whole = self.op(&ops::REF_GET, vec![reference])?;
        self.get_steps(whole, in_whole)
    }

    /// Writes to a place behind a reference.
    pub(super) fn write_behind(&mut self, reference: Operand, steps: &Steps, value: Operand) -> Lowered<()> {
        let (steps, in_whole) = before_whole(steps);
        let reference = self.ref_steps(reference, steps)?;
        let value = match in_whole {
            [] => value,
            // Nothing of what the union holds remains, if it holds anything.
            [(Projection::UnionField(field, Some(of)), _)] if is_largest(self.lowering, *field, *of) => {
                let union = self.lowering.ty(*of)?;
                self.op_as(&ops::VARIANT, vec![index(*field), value], union)?
            }
            _ => {
                let whole = self.op(&ops::REF_GET, vec![reference.clone()])?;
                self.rebuild(whole, in_whole, value)?
            }
        };
        self.op(&ops::REF_SET, vec![reference, value]).map(drop)
    }

    /// A text with the bytes from `low` to `high` replaced.
    pub(super) fn with_text_part(
        &mut self,
        text: Operand,
        (low, high): (&Operand, &Operand),
        part: Operand,
    ) -> Lowered<Operand> {
        let before = self.op(&ops::STR_SLICE, vec![text.clone(), index(0), low.clone()])?;
        let len = self.op(&ops::STR_LEN, vec![text.clone()])?;
        let after = self.op(&ops::STR_SLICE, vec![text, high.clone(), len])?;
        let until = self.op(&ops::STR_CONCAT, vec![before, part])?;
        self.op(&ops::STR_CONCAT, vec![until, after])
    }

    /// The error where a part of a text would have to be a reference.
    pub(super) fn text_part_borrowed(&self) -> Stop {
        LowerError::new(self.build.span(), "a part of a text is borrowed by `&mut`")
            .with_help("change a copy of the part, and put it in by `replace_range`")
            .into()
    }
}
