//! Formulas as text: `cos(x)`, `1 / (2 * y)`.
//!
//! Operands are `x`, or `x1`, `x2`, … if there are several; the result is `y`.

use std::fmt;

use overdub_context::ops::{self, OpDef};

use crate::expr::{Expr, Node};

/// The infix symbol of an operation, and how strongly it binds.
fn infix(op: &'static OpDef) -> Option<(&'static str, u8)> {
    let table: [(&'static OpDef, &str, u8); 12] = [
        (&ops::OR, "||", 1),
        (&ops::AND, "&&", 2),
        (&ops::EQ, "==", 3),
        (&ops::LT, "<", 3),
        (&ops::LE, "<=", 3),
        (&ops::GT, ">", 3),
        (&ops::GE, ">=", 3),
        (&ops::ADD, "+", 4),
        (&ops::SUB, "-", 4),
        (&ops::MUL, "*", 5),
        (&ops::MUL_ZERO, "*", 5),
        (&ops::DIV, "/", 5),
    ];
    table.into_iter().find(|(of, ..)| *of == op).map(|(_, sign, binds)| (sign, binds))
}

/// A formula of an operation with this many operands, as text.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'e> {
    expr: &'e Expr,
    operands: usize,
    /// An operation that binds less strongly than this is put in parentheses.
    binds: u8,
}

impl Expr {
    /// The formula as text, for an operation with this many operands.
    ///
    /// ```
    /// use overdub_ad::expr::{Expr, cos};
    ///
    /// let x = Expr::operand(0);
    /// assert_eq!((cos(&x) * (&x - 1.0)).shown(1).to_string(), "cos(x) * (x - 1)");
    /// ```
    pub fn shown(&self, operands: usize) -> Shown<'_> {
        Shown { expr: self, operands, binds: 0 }
    }
}

impl Shown<'_> {
    fn part<'e>(&self, expr: &'e Expr, binds: u8) -> Shown<'e> {
        Shown { expr, binds, operands: self.operands }
    }

    fn op(&self, f: &mut fmt::Formatter<'_>, op: &'static OpDef, args: &[Expr]) -> fmt::Result {
        if *op == ops::NEG {
            return write!(f, "-{}", self.part(&args[0], 6));
        }
        let Some((sign, binds)) = infix(op) else {
            let args: Vec<String> = args.iter().map(|arg| self.part(arg, 0).to_string()).collect();
            return write!(f, "{}({})", op.name, args.join(", "));
        };
        let (left, right) = (self.part(&args[0], binds), self.part(&args[1], binds + 1));
        match binds < self.binds {
            true => write!(f, "({left} {sign} {right})"),
            false => write!(f, "{left} {sign} {right}"),
        }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expr.node() {
            Node::Operand(_) if self.operands == 1 => f.write_str("x"),
            Node::Operand(at) => write!(f, "x{}", at + 1),
            Node::Result => f.write_str("y"),
            Node::Float(x) => write!(f, "{x}"),
            Node::Int(n) => write!(f, "{n}"),
            Node::Op(op, args) => self.op(f, op, args),
            Node::ToFloat(arg) => write!(f, "{}", self.part(arg, self.binds)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{hypot, select, to_float};

    fn shown(expr: Expr, operands: usize) -> String {
        expr.shown(operands).to_string()
    }

    #[test]
    fn parentheses_stand_where_they_change_the_meaning() {
        let (a, b) = (Expr::operand(0), Expr::operand(1));
        assert_eq!(shown(&a * (&b + 1.0), 2), "x1 * (x2 + 1)");
        assert_eq!(shown(&a * &b + 1.0, 2), "x1 * x2 + 1");
        assert_eq!(shown(&a - (&b - 1.0), 2), "x1 - (x2 - 1)");
        assert_eq!(shown(1.0 / (&a / &b), 2), "1 / (x1 / x2)");
        assert_eq!(shown(-(&a + &b), 2), "-(x1 + x2)");
        assert_eq!(shown(-(&a * Expr::result()), 1), "-(x * y)");
    }

    #[test]
    fn functions_and_integers_are_written_as_calls_and_numbers() {
        let a = Expr::operand(0);
        assert_eq!(
            shown(hypot(&a, select(crate::expr::lt(&a, 0.5), 0.0, to_float(Expr::int(2)))), 1),
            "hypot(x, select(x < 0.5, 0, 2))"
        );
    }
}
