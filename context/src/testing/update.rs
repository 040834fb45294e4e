//! Changes of parts of values: fields, payloads and elements, replaced, or moved out and put back.

use super::body::BodyBuilder;
use super::tree::Expr;
use crate::ir::{BuildError, Operand, Ty, TyKind};
use crate::ops::{self, OpDef};

type Built<T> = Result<T, BuildError>;

/// The maximum length of a vector that is not only pushed to, so that no loop doubles it again and again.
const LONGEST: i64 = 6;

impl BodyBuilder<'_> {
    /// `old` with one part changed, or reconstructed with a new value.
    pub(super) fn updated(&mut self, old: Operand, ty: Ty, expr: &Expr) -> Built<Operand> {
        let pick = expr.choice / 16;
        match ty.kind() {
            TyKind::Tuple(parts) => self.with_field(old, parts, expr),
            TyKind::Struct(nominal) => {
                let fields: Vec<Ty> = nominal.fields().unwrap_or(&[]).iter().map(|field| field.ty).collect();
                self.with_field(old, &fields, expr)
            }
            TyKind::Enum(_) if pick.is_multiple_of(2) => self.with_payload(old, ty, expr),
            TyKind::Array(array) if array.rank == 1 => self.edited(old, ty, expr),
            TyKind::Stack(elem) => {
                let value = self.expr(expr, *elem)?;
                let pushed = self.op(&ops::STACK_PUSH, [old, value])?;
                if pick.is_multiple_of(2) {
                    return Ok(pushed);
                }
                let popped = self.op(&ops::STACK_POP, [pushed])?;
                self.field(popped, 1)
            }
            TyKind::Float(_) | TyKind::Int(_) => {
                let value = self.expr(expr, ty)?;
                let op = if matches!(ty.kind(), TyKind::Int(_)) { &ops::ADD_WRAPPING } else { &ops::ADD };
                self.op(op, [old, value])
            }
            _ => self.expr(expr, ty),
        }
    }

    /// Replaces a field, or moves it out, changes it and puts it back.
    fn with_field(&mut self, old: Operand, fields: &[Ty], expr: &Expr) -> Built<Operand> {
        let k = usize::from(expr.choice / 16) % fields.len().max(1);
        let Some(&field) = fields.get(k) else { return Ok(old) };
        let k = Operand::from(k as i64);
        match expr.parts.first() {
            Some(inner) if expr.choice % 4 >= 2 => {
                let taken = self.op(&ops::TAKE_FIELD, [old, k.clone()])?;
                let (part, rest) = (self.field(taken.clone(), 0)?, self.field(taken, 1)?);
                let part = self.exchanged(part, field, expr, inner)?;
                self.op(&ops::WITH_FIELD, [rest, k, part])
            }
            _ => {
                let value = self.expr(expr, field)?;
                self.op(&ops::WITH_FIELD, [old, k, value])
            }
        }
    }

    /// Changes a field of a variant, if the enum is that variant.
    fn with_payload(&mut self, old: Operand, ty: Ty, expr: &Expr) -> Built<Operand> {
        let variants = ty.as_nominal().and_then(|nominal| nominal.variants()).unwrap_or(&[]);
        let fields = (0_i64..).zip(variants).flat_map(|(tag, variant)| {
            (0_i64..).zip(&variant.fields).map(move |(k, field)| (tag, k, field.ty))
        });
        let fields: Vec<(i64, i64, Ty)> = fields.collect();
        let picked = fields.get(usize::from(expr.choice / 16) % fields.len().max(1));
        let Some(&(tag, k, field)) = picked else { return Ok(old) };
        let (tag, k) = (Operand::from(tag), Operand::from(k));
        let is = self.op(&ops::TAG, [old.clone()])?;
        let is_it = self.op(&ops::EQ, [is, tag.clone()])?;
        let change = |this: &mut Self, old: Operand| {
            let (rest, part) = match expr.parts.first() {
                Some(inner) if expr.choice % 4 >= 2 => {
                    let taken = this.op(&ops::TAKE_PAYLOAD, [old, tag.clone(), k.clone()])?;
                    let (part, rest) = (this.field(taken.clone(), 0)?, this.field(taken, 1)?);
                    (rest, this.exchanged(part, field, expr, inner)?)
                }
                _ => (old, this.part(expr, 0, field)?),
            };
            this.op(&ops::WITH_PAYLOAD, [rest, tag, k, part])
        };
        let other = old.clone();
        self.choose(is_it, ty, |this| change(this, old), |_| Ok(other))
    }

    /// The value to put in the place of a part that was moved out: the part changed, or another value, for
    /// which a variable holds the part from now on.
    fn exchanged(&mut self, part: Operand, ty: Ty, expr: &Expr, inner: &Expr) -> Built<Operand> {
        if expr.choice >= 128 {
            return self.updated(part, ty, inner);
        }
        let value = self.expr(inner, ty)?;
        self.keep(part, ty, expr.choice)?;
        Ok(value)
    }

    /// Assigns a value to a variable of its type, if there is one.
    fn keep(&mut self, value: Operand, ty: Ty, choice: u8) -> Built<()> {
        match self.variable_of(ty, choice) {
            Some(variable) => self.build.write_variable(variable, value),
            None => Ok(()),
        }
    }

    /// A vector after one edit.
    pub(super) fn edited(&mut self, old: Operand, ty: Ty, expr: &Expr) -> Built<Operand> {
        let Some(elem) = ty.as_array().map(|array| array.elem) else { return Ok(old) };
        // The choices of the first part, since those of `expr` itself select the value's form.
        let detail = expr.parts.first().map_or(expr.choice, |part| part.choice ^ expr.choice);
        let (at, other) = (Operand::from(usize::from(detail % 3)), usize::from(detail / 16));
        match expr.choice / 16 {
            0 => self.op(&ops::REVERSE, [old]),
            1 => {
                let value = self.expr(expr, elem)?;
                self.op(&ops::FILL, [old, value])
            }
            2 => {
                let value = self.expr(expr, elem)?;
                self.op(&ops::RESIZE, [old, other.min(5).into(), value])
            }
            3 => {
                let more = self.part(expr, 0, ty)?;
                let long = self.op(&ops::CONCAT, [old, more])?;
                self.shortened(long, LONGEST)
            }
            4 => self.shortened(old, i64::from(detail % 3)),
            5 => self.popped(old, ty, elem, detail),
            6 if detail >= 192 => {
                // At an index that may be out of bounds.
                let value = self.expr(expr, elem)?;
                self.op(&ops::SET, [old, at, value])
            }
            pick => {
                let len = self.op(&ops::LEN, [old.clone()])?;
                let inside = self.op(&ops::LT, [at.clone(), len])?;
                let short = old.clone();
                let edit = |this: &mut Self| this.edited_at(pick, old, at, other, elem, expr);
                let push = |this: &mut Self| {
                    let value = this.expr(expr, elem)?;
                    this.op(&ops::PUSH, [short, value])
                };
                self.choose(inside, ty, edit, push)
            }
        }
    }

    /// A vector after an edit at an index in bounds.
    fn edited_at(
        &mut self,
        pick: u8,
        old: Operand,
        at: Operand,
        other: usize,
        elem: Ty,
        expr: &Expr,
    ) -> Built<Operand> {
        let len = self.op(&ops::LEN, [old.clone()])?;
        match pick {
            7 => {
                let last = self.op(&ops::SUB, [len, 1_usize.into()])?;
                let to = self.op(&ops::MIN, [other.into(), last])?;
                self.op(&ops::SWAP, [old, at, to])
            }
            8 => self.removed(&ops::REMOVE, old, at, elem, expr.choice),
            9 => self.removed(&ops::SWAP_REMOVE, old, at, elem, expr.choice),
            10 => {
                let value = self.expr(expr, elem)?;
                let longer = self.op(&ops::INSERT, [old, at, value])?;
                self.shortened(longer, LONGEST)
            }
            11 => {
                let op =
                    if other.is_multiple_of(2) { &ops::ARRAY_ROTATE_LEFT } else { &ops::ARRAY_ROTATE_RIGHT };
                self.op(op, [old, at])
            }
            12 => {
                let part = self.op(&ops::SLICE, [old.clone(), at, len])?;
                if other.is_multiple_of(2) {
                    self.op(&ops::SET_SLICE, [old, 0_usize.into(), part])
                } else {
                    Ok(part)
                }
            }
            13 => self.op(&ops::COPY_WITHIN, [old, at, len, 0_usize.into()]),
            14 => match expr.parts.first() {
                Some(inner) => {
                    let taken = self.op(&ops::TAKE_ELEM, [old, at.clone()])?;
                    let (part, rest) = (self.field(taken.clone(), 0)?, self.field(taken, 1)?);
                    let part = self.exchanged(part, elem, expr, inner)?;
                    self.op(&ops::SET, [rest, at, part])
                }
                None => Ok(old),
            },
            _ => {
                let value = self.expr(expr, elem)?;
                self.op(&ops::SET, [old, at, value])
            }
        }
    }

    fn removed(
        &mut self,
        op: &'static OpDef,
        old: Operand,
        at: Operand,
        elem: Ty,
        choice: u8,
    ) -> Built<Operand> {
        let removed = self.op(op, [old, at])?;
        let part = self.field(removed.clone(), 0)?;
        self.keep(part, elem, choice)?;
        self.field(removed, 1)
    }

    fn popped(&mut self, old: Operand, ty: Ty, elem: Ty, choice: u8) -> Built<Operand> {
        let empty = old.clone();
        let len = self.op(&ops::LEN, [old.clone()])?;
        let has_any = self.op(&ops::GT, [len, 0_usize.into()])?;
        let pop = |this: &mut Self| {
            let popped = this.op(&ops::POP, [old])?;
            let last = this.field(popped.clone(), 0)?;
            let last = this.op(&ops::PAYLOAD, [last, 1_i64.into(), 0_i64.into()])?;
            this.keep(last, elem, choice)?;
            this.field(popped, 1)
        };
        self.choose(has_any, ty, pop, |_| Ok(empty))
    }

    /// The first elements of a vector, at most this many.
    fn shortened(&mut self, vector: Operand, longest: i64) -> Built<Operand> {
        let len = self.op(&ops::LEN, [vector.clone()])?;
        let most = Operand::from(longest as usize);
        let len = self.op(&ops::MIN, [len, most])?;
        self.op(&ops::TRUNCATE, [vector, len])
    }

    pub(super) fn field(&mut self, of: Operand, k: i64) -> Built<Operand> {
        self.op(&ops::FIELD, [of, k.into()])
    }
}
