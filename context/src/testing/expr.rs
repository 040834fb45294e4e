//! The expressions of a generated function: any tree yields a value of any type.

use super::body::{BodyBuilder, Loops};
use super::tree::Expr;
use super::universe::Focus;
use crate::ir::{BuildError, FnTy, Operand, Ty, TyKind};
use crate::ops::{self, OpDef};
use crate::ssa::Variable;

type Built<T> = Result<T, BuildError>;

/// The operations on one and on two operands whose result has the operands' type.
type Operators = (&'static [&'static OpDef], &'static [&'static OpDef]);

const FLOAT: Operators = (
    &[&ops::NEG, &ops::SIN, &ops::SQRT, &ops::EXP, &ops::LN, &ops::ABS, &ops::FLOOR, &ops::TANH, &ops::RECIP],
    &[&ops::ADD, &ops::SUB, &ops::MUL, &ops::DIV, &ops::REM, &ops::MIN, &ops::MAX, &ops::HYPOT, &ops::POWF],
);
/// Operations on floats that are smooth, or have few kinks, and whose results do not grow fast.
const SMOOTH: Operators = (
    &[&ops::NEG, &ops::SIN, &ops::COS, &ops::TANH, &ops::ABS],
    &[&ops::ADD, &ops::SUB, &ops::MUL, &ops::MUL, &ops::MIN, &ops::MAX],
);
const INT: Operators = (
    &[&ops::NOT, &ops::REVERSE_BITS, &ops::NEG_WRAPPING, &ops::SWAP_BYTES],
    &[
        &ops::ADD_WRAPPING,
        &ops::SUB_SATURATING,
        &ops::MUL_WRAPPING,
        &ops::MIN,
        &ops::XOR,
        &ops::AND,
        &ops::ADD,
        &ops::MUL,
        &ops::DIV,
        &ops::REM_EUCLID,
        &ops::SHL,
    ],
);
const BOOL: Operators = (&[&ops::NOT], &[&ops::AND, &ops::OR, &ops::XOR]);
const COMPARISONS: [&OpDef; 6] = [&ops::LT, &ops::LE, &ops::GT, &ops::GE, &ops::EQ, &ops::NE];

impl BodyBuilder<'_> {
    /// A value of type `expected`, computed from the tree.
    pub(super) fn expr(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        if expr.parts.is_empty() || !self.afford(8) {
            return self.leaf(expr.choice, expected);
        }
        let data = !matches!(expected.kind(), TyKind::Fn(_) | TyKind::Ref(_));
        match expr.choice % 16 {
            8 => self.conditional(expr, expected),
            9 => self.call(expr, expected),
            10 => self.call_closure(expr, expected),
            11 => self.through_tuple(expr, expected),
            12 if data => self.through_option(expr, expected),
            13 if data => self.through_cell(expr, expected),
            14 if data => self.through_array(expr, expected),
            15 => self.part_of_variable(expr, expected),
            _ => self.of_ty(expr, expected),
        }
    }

    /// The part with this number, modulo the number of parts.
    pub(super) fn part(&mut self, expr: &Expr, number: usize, expected: Ty) -> Built<Operand> {
        match expr.parts.len() {
            0 => self.leaf(expr.choice, expected),
            len => self.expr(&expr.parts[number % len], expected),
        }
    }

    /// A variable of this type, or a plain value.
    pub(super) fn leaf(&mut self, choice: u8, expected: Ty) -> Built<Operand> {
        let fits = |variable: &&Variable| self.build.variable_ty(**variable) == expected;
        let fitting: Vec<Variable> = self.scope.iter().filter(fits).copied().collect();
        match (usize::from(choice) % (fitting.len() + 1)).checked_sub(1) {
            Some(n) => self.read(fitting[n]),
            None => self.default_value(expected, choice),
        }
    }

    fn conditional(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        let cond = self.part(expr, 0, Ty::bool())?;
        if expr.choice >= 128 {
            let (a, b) = (self.part(expr, 1, expected)?, self.part(expr, 2, expected)?);
            return self.op(&ops::SELECT, [cond, a, b]);
        }
        self.choose(cond, expected, |this| this.part(expr, 1, expected), |this| this.part(expr, 2, expected))
    }

    fn call(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        let known: Vec<_> =
            self.finished.callable.iter().filter(|known| known.ret == expected).cloned().collect();
        let picked = known.get(usize::from(expr.choice / 16) % known.len().max(1));
        match picked {
            Some(known) if self.loops == Loops::Allowed && self.afford(known.cost + 1) => {
                let args = known.params.iter().enumerate();
                let args: Vec<Operand> =
                    args.map(|(n, &ty)| self.part(expr, n, ty)).collect::<Result<_, _>>()?;
                self.build.call(known.name, args, expected).map(Operand::from)
            }
            _ => self.of_ty(expr, expected),
        }
    }

    /// Calls a closure constructed on the spot, or a function value in scope.
    fn call_closure(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        let func = Ty::func([Ty::f64()], expected);
        let is_in_scope = self.scope.iter().any(|&variable| self.build.variable_ty(variable) == func);
        // Captured functions are not called, because nested closures would grow exponentially.
        let callee = if is_in_scope && self.loops == Loops::Allowed && expr.choice >= 128 {
            self.leaf(expr.choice, func)?
        } else {
            self.closure(expr, &[Ty::f64()], expected)?
        };
        let arg = self.part(expr, 1, Ty::f64())?;
        if self.afford(500) {
            self.build.call_value(callee, [arg], expected).map(Operand::from)
        } else {
            self.leaf(expr.choice, expected)
        }
    }

    /// A closure whose code computes the first part from at most two captured variables.
    fn closure(&mut self, expr: &Expr, params: &[Ty], ret: Ty) -> Built<Operand> {
        let is_data = |variable: &Variable| {
            !matches!(self.build.variable_ty(*variable).kind(), TyKind::Fn(_) | TyKind::Closure(_))
        };
        let captured: Vec<Variable> = self.scope.iter().rev().copied().filter(is_data).take(2).collect();
        let captures: Vec<Ty> = captured.iter().map(|&variable| self.build.variable_ty(variable)).collect();
        let result = expr.parts.first().cloned().unwrap_or(Expr { choice: expr.choice, parts: Vec::new() });
        let code = self.finished.closure(&captures, params, ret, &result)?;
        let values: Vec<Operand> =
            captured.into_iter().map(|variable| self.read(variable)).collect::<Result<_, _>>()?;
        self.op_as(&ops::CLOSURE, values, Ty::closure(code.name, captures))
    }

    /// A closure as a function value of this type.
    pub(super) fn closure_value(&mut self, expr: &Expr, ty: Ty) -> Built<Operand> {
        let TyKind::Fn(FnTy { params, ret }) = ty.kind() else { return self.leaf(expr.choice, ty) };
        let closure = self.closure(expr, params, *ret)?;
        self.op_as(&ops::ERASE, [closure], ty)
    }

    fn through_tuple(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        let (a, b) = (self.part(expr, 0, expected)?, self.part(expr, 1, Ty::i64())?);
        let tuple = self.op(&ops::TUPLE, [b, a.clone()])?;
        let tuple =
            if expr.choice >= 128 { self.op(&ops::WITH_FIELD, [tuple, 1_i64.into(), a])? } else { tuple };
        self.op(&ops::FIELD, [tuple, 1_i64.into()])
    }

    fn through_option(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        let option = Ty::option(expected);
        let some = self.part(expr, 0, expected)?;
        let some = self.op_as(&ops::VARIANT, [1_i64.into(), some], option)?;
        let none = self.op_as(&ops::VARIANT, [0_i64.into()], option)?;
        let cond = self.part(expr, 1, Ty::bool())?;
        let on = self.op(&ops::SELECT, [cond, some, none])?;
        let tag = self.op(&ops::TAG, [on.clone()])?;
        let is_some = self.op(&ops::EQ, [tag, 1_i64.into()])?;
        self.choose(
            is_some,
            expected,
            |this| this.op(&ops::PAYLOAD, [on, 1_i64.into(), 0_i64.into()]),
            |this| this.part(expr, 2, expected),
        )
    }

    fn through_cell(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        let first = self.part(expr, 0, expected)?;
        let cell = self.op(&ops::CELL, [first])?;
        let second = self.part(expr, 1, expected)?;
        self.op(&ops::REF_SET, [cell.clone(), second])?;
        self.op(&ops::REF_GET, [cell])
    }

    fn through_array(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        let elems: Vec<Operand> =
            (0..expr.parts.len()).map(|n| self.part(expr, n, expected)).collect::<Result<_, _>>()?;
        let last = elems.last().cloned();
        let array = self.op_as(&ops::ARRAY, elems, Ty::array(expected, 1))?;
        let at = i64::from(expr.choice / 16) % (expr.parts.len() as i64 + 1);
        let array = match last {
            Some(last) if expr.choice.is_multiple_of(2) => self.op(&ops::PUSH, [array, last])?,
            _ => array,
        };
        self.op(&ops::GET, [array, at.into()])
    }

    /// An expression specific to the type: its operators or constructors.
    pub(super) fn of_ty(&mut self, expr: &Expr, expected: Ty) -> Built<Operand> {
        match expected.kind() {
            TyKind::Float(_) => {
                let operators = if self.focus() == Focus::Floats { SMOOTH } else { FLOAT };
                self.number(expr, expected, operators, Ty::i64())
            }
            TyKind::Int(_) => self.number(expr, expected, INT, Ty::f64()),
            TyKind::Bool => self.truth(expr),
            TyKind::Str => {
                let (a, b) = (self.part(expr, 0, expected)?, self.part(expr, 1, expected)?);
                self.op(&ops::STR_CONCAT, [a, b])
            }
            TyKind::Tuple(parts) => {
                let values = self.parts(expr, parts.iter().copied())?;
                self.op(&ops::TUPLE, values)
            }
            TyKind::Struct(nominal) => {
                let fields = nominal.fields().unwrap_or(&[]).iter().map(|field| field.ty);
                let values = self.parts(expr, fields)?;
                self.op_as(&ops::STRUCT, values, expected)
            }
            TyKind::Enum(nominal) => {
                let variants = nominal.variants().unwrap_or(&[]);
                let tag = usize::from(expr.choice / 16) % variants.len().max(1);
                let fields = variants.get(tag).map(|variant| &*variant.fields).unwrap_or(&[]);
                let mut values = vec![Operand::from(tag as i64)];
                values.extend(self.parts(expr, fields.iter().map(|field| field.ty))?);
                self.op_as(&ops::VARIANT, values, expected)
            }
            TyKind::Array(array) if array.rank == 1 => {
                let elem = array.elem;
                let values = self.parts(expr, expr.parts.iter().map(|_| elem))?;
                let new = self.op_as(&ops::ARRAY, values, expected)?;
                if expr.choice < 128 { Ok(new) } else { self.edited(new, expected, expr) }
            }
            TyKind::Stack(elem) => {
                let (stack, top) = (self.part(expr, 0, expected)?, self.part(expr, 1, *elem)?);
                self.op(&ops::STACK_PUSH, [stack, top])
            }
            TyKind::Fn(_) => self.closure_value(expr, expected),
            TyKind::Ref(target) => {
                let content = self.part(expr, 0, *target)?;
                self.op(&ops::CELL, [content])
            }
            TyKind::Unit
            | TyKind::Never
            | TyKind::Char
            | TyKind::Array(_)
            | TyKind::Closure(_)
            | TyKind::Opaque(_) => self.leaf(expr.choice, expected),
        }
    }

    fn parts(&mut self, expr: &Expr, tys: impl Iterator<Item = Ty>) -> Built<Vec<Operand>> {
        tys.enumerate().map(|(n, ty)| self.part(expr, n, ty)).collect()
    }

    fn number(&mut self, expr: &Expr, expected: Ty, (one, two): Operators, other: Ty) -> Built<Operand> {
        let pick = usize::from(expr.choice / 16);
        match expr.parts.len() {
            0 => self.leaf(expr.choice, expected),
            1 if pick == 15 => {
                let from = self.part(expr, 0, other)?;
                self.op_as(&ops::CAST, [from], expected)
            }
            1 => {
                let x = self.part(expr, 0, expected)?;
                self.op(one[pick % one.len()], [x])
            }
            _ => {
                let (x, y) = (self.part(expr, 0, expected)?, self.part(expr, 1, expected)?);
                self.op(two[pick % two.len()], [x, y])
            }
        }
    }

    fn truth(&mut self, expr: &Expr) -> Built<Operand> {
        let pick = usize::from(expr.choice / 16);
        let compared = [Ty::f64(), Ty::i64(), Ty::u8()];
        match expr.parts.len() {
            1 => {
                let x = self.part(expr, 0, Ty::bool())?;
                self.op(BOOL.0[0], [x])
            }
            2 if pick >= 12 => {
                let (x, y) = (self.part(expr, 0, Ty::bool())?, self.part(expr, 1, Ty::bool())?);
                self.op(BOOL.1[pick % BOOL.1.len()], [x, y])
            }
            _ => {
                let ty = compared[usize::from(expr.choice % 16) % compared.len()];
                let (x, y) = (self.part(expr, 0, ty)?, self.part(expr, 1, ty)?);
                self.op(COMPARISONS[pick % COMPARISONS.len()], [x, y])
            }
        }
    }
}
