//! Parts of variables: values read out of them, and changes through references to parts of cells.

use super::body::BodyBuilder;
use super::tree::Expr;
use crate::ir::{BuildError, Operand, Ty, TyKind};
use crate::ops::{self, OpDef};
use crate::ssa::Variable;

type Built<T> = Result<T, BuildError>;

/// The maximum number of steps from a value to one of its parts.
const DEEPEST: u8 = 3;

/// The number of elements of a vector that are read at constant indices.
const SUMMED: usize = 3;

/// A step from a value to one of its parts, or from a reference to a reference to a part.
#[derive(Clone, Copy)]
enum Step {
    Field(i64),
    Payload(i64, i64),
    Elem,
    /// The value that a reference points to.
    Referent,
}

/// The operations by which parts are reached.
struct Access {
    field: &'static OpDef,
    payload: &'static OpDef,
    elem: &'static OpDef,
    tag: &'static OpDef,
    len: &'static OpDef,
}

/// Parts of values.
const VALUES: Access =
    Access { field: &ops::FIELD, payload: &ops::PAYLOAD, elem: &ops::GET, tag: &ops::TAG, len: &ops::LEN };

/// References to parts of what references point to.
const PLACES: Access = Access {
    field: &ops::REF_FIELD,
    payload: &ops::REF_PAYLOAD,
    elem: &ops::REF_ELEM,
    tag: &ops::REF_TAG,
    len: &ops::REF_LEN,
};

/// The steps from a value of this type, each with the type of the part.
fn steps(ty: Ty) -> Vec<(Step, Ty)> {
    let field = |(k, ty): (i64, Ty)| (Step::Field(k), ty);
    match ty.kind() {
        TyKind::Tuple(parts) => (0..).zip(parts.iter().copied()).map(field).collect(),
        TyKind::Struct(nominal) => {
            let fields = nominal.fields().unwrap_or(&[]).iter().map(|field| field.ty);
            (0..).zip(fields).map(field).collect()
        }
        TyKind::Enum(nominal) => {
            let variants = (0..).zip(nominal.variants().unwrap_or(&[]));
            let payloads = variants.flat_map(|(tag, variant)| {
                (0..).zip(&variant.fields).map(move |(k, field)| (Step::Payload(tag, k), field.ty))
            });
            payloads.collect()
        }
        TyKind::Array(array) if array.rank == 1 => vec![(Step::Elem, array.elem)],
        TyKind::Ref(target) => vec![(Step::Referent, *target)],
        _ => Vec::new(),
    }
}

/// Whether a value of type `from` has a part of type `to` within this many steps.
fn reaches(from: Ty, to: Ty, deepest: u8) -> bool {
    from == to
        || deepest
            .checked_sub(1)
            .is_some_and(|deeper| steps(from).into_iter().any(|(_, part)| reaches(part, to, deeper)))
}

impl BodyBuilder<'_> {
    /// A variable of this type.
    pub(super) fn variable_of(&self, ty: Ty, choice: u8) -> Option<Variable> {
        self.variable_where(choice, |of| of == ty)
    }

    fn variable_where(&self, choice: u8, fits: impl Fn(Ty) -> bool) -> Option<Variable> {
        let fits = |variable: &Variable| fits(self.build.variable_ty(*variable));
        let fitting: Vec<Variable> = self.scope.iter().copied().filter(fits).collect();
        fitting.get(usize::from(choice) % fitting.len().max(1)).copied()
    }

    /// A part of a variable, or a value if it does not have the part, or no variable has one of this type.
    pub(super) fn part_of_variable(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        let has_part = |of| of != expected && reaches(of, expected, DEEPEST);
        match self.variable_where(expr.choice / 16, has_part) {
            Some(variable) => {
                let whole = self.read(variable)?;
                self.part_of(whole, self.build.variable_ty(variable), expr, expected, DEEPEST)
            }
            None => self.of_ty(expr, expected),
        }
    }

    fn part_of(&mut self, whole: Operand, ty: Ty, expr: &Expr, to: Ty, deepest: u8) -> Built<Operand> {
        if ty == to {
            return Ok(whole);
        }
        let Some(deeper) = deepest.checked_sub(1) else { return self.leaf(expr.choice, to) };
        let detail = detail(expr, deepest);
        let leading: Vec<_> = steps(ty).into_iter().filter(|(_, part)| reaches(*part, to, deeper)).collect();
        let Some(&(step, part)) = leading.get(detail % leading.len().max(1)) else {
            return self.leaf(expr.choice, to);
        };
        let number = detail % SUMMED;
        let read = |this: &mut Self| {
            let read = this.enter(&VALUES, whole.clone(), step, number)?;
            this.part_of(read, part, expr, to, deeper)
        };
        match self.has_part(&VALUES, &whole, step, number)? {
            None => read(self),
            Some(inside) => self.choose(inside, to, read, |this| this.leaf(expr.choice, to)),
        }
    }

    /// The sum of all floats in the variables in scope, each with its own weight, as far as vectors are not long.
    pub(super) fn sum_of_variables(&mut self) -> Built<Operand> {
        let mut sum = Operand::from(0.0);
        let mut weight = 1.0;
        for variable in self.scope.clone() {
            let (value, ty) = (self.read(variable)?, self.build.variable_ty(variable));
            sum = self.plus_floats(sum, value, ty, &mut weight, DEEPEST)?;
        }
        Ok(sum)
    }

    fn plus_floats(
        &mut self,
        sum: Operand,
        value: Operand,
        ty: Ty,
        weight: &mut f64,
        deepest: u8,
    ) -> Built<Operand> {
        if ty == Ty::f64() {
            *weight += 0.125;
            let weighted = self.op(&ops::MUL, [value, (*weight).into()])?;
            return self.op(&ops::ADD, [sum, weighted]);
        }
        let Some(deeper) = deepest.checked_sub(1).filter(|_| reaches(ty, Ty::f64(), deepest)) else {
            return Ok(sum);
        };
        let mut sum = sum;
        for (step, part) in steps(ty) {
            let numbers = if matches!(step, Step::Elem) { 0..SUMMED } else { 0..1 };
            for number in numbers {
                let before = sum.clone();
                let mut more = |this: &mut Self| {
                    let read = this.enter(&VALUES, value.clone(), step, number)?;
                    this.plus_floats(before.clone(), read, part, weight, deeper)
                };
                sum = match self.has_part(&VALUES, &value, step, number)? {
                    None => more(self)?,
                    Some(inside) => self.choose(inside, Ty::f64(), more, |_| Ok(before.clone()))?,
                };
            }
        }
        Ok(sum)
    }

    /// The part to which a step leads, the element with this number: a value, or a reference to it.
    fn enter(&mut self, by: &Access, whole: Operand, step: Step, number: usize) -> Built<Operand> {
        match step {
            Step::Field(k) => self.op(by.field, [whole, k.into()]),
            Step::Payload(tag, k) => self.op(by.payload, [whole, tag.into(), k.into()]),
            Step::Elem => self.op(by.elem, [whole, number.into()]),
            Step::Referent => self.op(&ops::REF_GET, [whole]),
        }
    }

    /// Whether the whole has the part, unless it always has.
    fn has_part(
        &mut self,
        by: &Access,
        whole: &Operand,
        step: Step,
        number: usize,
    ) -> Built<Option<Operand>> {
        match step {
            Step::Field(_) | Step::Referent => Ok(None),
            Step::Payload(tag, _) => {
                let is = self.op(by.tag, [whole.clone()])?;
                self.op(&ops::EQ, [is, tag.into()]).map(Some)
            }
            Step::Elem => {
                let len = self.op(by.len, [whole.clone()])?;
                self.op(&ops::LT, [number.into(), len]).map(Some)
            }
        }
    }

    /// Changes what a reference points to: replaces it, changes it in place, or changes one of its parts.
    pub(super) fn update_place(&mut self, reference: Operand, target: Ty, expr: &Expr) -> Built<()> {
        match (expr.choice % 4, expr.parts.first()) {
            (1, Some(inner)) => {
                let old = self.op(&ops::REF_TAKE, [reference.clone()])?;
                let new = self.without_references(|this| this.updated(old, target, inner))?;
                self.op(&ops::REF_SET, [reference, new]).map(drop)
            }
            (2 | 3, Some(inner)) => {
                let steps = steps(target);
                let detail = usize::from(expr.choice / 16);
                let Some(&(step, part)) = steps.get(detail % steps.len().max(1)) else {
                    return self.replace(reference, target, expr);
                };
                let change = |this: &mut Self| {
                    let place = this.enter(&PLACES, reference.clone(), step, detail % SUMMED)?;
                    this.update_place(place, part, inner)?;
                    Ok(Operand::from(true))
                };
                match self.has_part(&PLACES, &reference, step, detail % SUMMED)? {
                    None => change(self).map(drop),
                    Some(inside) => self.choose(inside, Ty::bool(), change, |_| Ok(false.into())).map(drop),
                }
            }
            _ => self.replace(reference, target, expr),
        }
    }

    /// Builds with no reference in scope. Code may rely on it that no place is read out of which its value was
    /// moved, and that nothing is changed while there is a reference to a part of it.
    fn without_references(&mut self, build: impl FnOnce(&mut Self) -> Built<Operand>) -> Built<Operand> {
        let refers = |variable: &Variable| {
            matches!(
                self.build.variable_ty(*variable).kind(),
                TyKind::Ref(_) | TyKind::Fn(_) | TyKind::Closure(_)
            )
        };
        let plain = self.scope.iter().copied().filter(|variable| !refers(variable)).collect();
        let scope = std::mem::replace(&mut self.scope, plain);
        let built = build(self);
        self.scope = scope;
        built
    }

    fn replace(&mut self, reference: Operand, target: Ty, expr: &Expr) -> Built<()> {
        let value = self.expr(expr, target)?;
        self.op(&ops::REF_SET, [reference, value]).map(drop)
    }
}

/// A number for a choice at this depth.
fn detail(expr: &Expr, depth: u8) -> usize {
    let choices = expr.parts.iter().map(|part| part.choice).chain([expr.choice / 16]);
    choices.cycle().nth(usize::from(depth)).map_or(0, usize::from)
}
