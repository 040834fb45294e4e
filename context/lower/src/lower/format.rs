//! `format_args!`: a sequence of calls to the prelude's formatting functions.

use overdub_context::ir::Operand;

use super::cx::FnCx;
use super::error::Lowered;
use super::place::{Place, Root, SlotKey};
use crate::hir::{ExprId, FormatArgs, FormatCount, FormatPiece, FormatSpec};
use crate::infer::{self, Callee, Instance};

impl FnCx<'_> {
    /// A formatted string: `begin`, then for each piece `text` or `spec` and `fmt`, then `end`.
    pub(super) fn format(&mut self, id: ExprId, args: &FormatArgs) -> Lowered<Operand> {
        let span = self.span(id);
        let mut values = Vec::with_capacity(args.args.len());
        for &arg in &args.args {
            let place = self.place(arg)?;
            let place = self.deref_all(place)?;
            values.push((self.read(&place)?, place.ty));
        }
        self.build.set_span(span);
        let begin = self.prelude_fn("fmt_begin")?;
        let formatter = self.call_instance_on(begin, &[])?;
        let formatter_ty = self.lowering.types.signature(begin)?.1;
        let ir_ty = self.lowering.ty(formatter_ty)?;
        let slot = self.new_slot(SlotKey::Temp(id), ir_ty, None, Some(formatter))?;
        let formatter = Place::new(Root::Slot(slot), formatter_ty);
        let by_ref = formatter.clone().addr(infer::Ty::reference(infer::Mutability::Mut, formatter_ty));
        let callees = self.typed.formats.get(&id).cloned().unwrap_or_default();
        let mut callees = callees.iter();
        let mut is_default_spec = true;
        for piece in &args.pieces {
            match piece {
                FormatPiece::Text(text) => {
                    let text = self.text(text);
                    let write = self.prelude_fn("fmt_text")?;
                    self.call_instance_on(write, &[by_ref.clone(), text])?;
                }
                FormatPiece::Arg { index, spec } => {
                    if !has_default_spec(spec) {
                        self.format_spec(spec, &by_ref, &values)?;
                        is_default_spec = false;
                    } else if !is_default_spec {
                        let reset_fn = self.prelude_fn("fmt_plain")?;
                        self.call_instance_on(reset_fn, std::slice::from_ref(&by_ref))?;
                        is_default_spec = true;
                    }
                    let (value, ty) = values[*index].clone();
                    let result = match callees.next() {
                        Some(Callee::Fn(instance)) => {
                            self.call_instance_on(*instance, &[Place::value(value, ty), by_ref.clone()])?
                        }
                        Some(Callee::Dyn(_, at)) => {
                            let ret = self.lowering.types.signature(self.prelude_fn("fmt_piece")?)?.0[1];
                            self.call_method_of(value, *at, &by_ref, ret)?
                        }
                        _ => return Err(self.error(span, "internal: nothing formats this argument")),
                    };
                    let piece = self.prelude_fn("fmt_piece")?;
                    let ty = self.lowering.types.signature(piece)?.0[1];
                    self.call_instance_on(piece, &[by_ref.clone(), Place::value(result, ty)])?;
                }
            }
        }
        let end = self.prelude_fn("fmt_end")?;
        self.call_instance_on(end, &[formatter])
    }

    fn text(&mut self, text: &str) -> Place {
        Place::value(Operand::from(text), infer::Ty::shared(infer::Ty::prim(crate::hir::Prim::Str)))
    }

    fn prelude_fn(&self, lang: &'static str) -> Lowered<Instance> {
        match self.lowering.program.lang(lang) {
            Some(def) => Ok(Instance::new(def, [])),
            None => Err(self.error(self.build.span(), format!("internal: the prelude declares no `{lang}`"))),
        }
    }

    fn format_spec(
        &mut self,
        spec: &FormatSpec,
        by_ref: &Place,
        values: &[(Operand, infer::Ty)],
    ) -> Lowered<()> {
        let function = self.prelude_fn("fmt_spec")?;
        let (params, _) = self.lowering.types.signature(function)?;
        let width = self.format_count(spec.width.as_ref(), values, params[7])?;
        let precision = self.format_count(spec.precision.as_ref(), values, params[8])?;
        let parts = [
            Operand::from(spec.alternate),
            Operand::from(spec.plus),
            Operand::from(spec.minus),
            Operand::from(spec.zero),
            Operand::from(spec.fill),
            Operand::from(spec.align.unwrap_or(' ')),
            width,
            precision,
            Operand::from(spec.hex.unwrap_or(' ')),
        ];
        let mut args = vec![by_ref.clone()];
        args.extend(parts.into_iter().zip(&params[1..]).map(|(value, &ty)| Place::value(value, ty)));
        self.call_instance_on(function, &args).map(drop)
    }

    /// A width or precision as an `Option<usize>`.
    fn format_count(
        &mut self,
        count: Option<&FormatCount>,
        values: &[(Operand, infer::Ty)],
        ty: infer::Ty,
    ) -> Lowered<Operand> {
        let adt = self.adt_of(ty, self.build.span())?;
        match count {
            None => self.construct(ty, adt.variants[0].def, vec![]),
            Some(FormatCount::Value(n)) => self.construct(ty, adt.variants[1].def, vec![Operand::from(*n)]),
            Some(FormatCount::Arg(at)) => {
                let value = values[*at].0.clone();
                self.construct(ty, adt.variants[1].def, vec![value])
            }
        }
    }
}

fn has_default_spec(spec: &FormatSpec) -> bool {
    !spec.alternate
        && !spec.plus
        && !spec.minus
        && !spec.zero
        && spec.fill == ' '
        && spec.align.is_none()
        && spec.hex.is_none()
        && spec.width.is_none()
        && spec.precision.is_none()
}
