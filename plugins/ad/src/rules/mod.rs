//! The derivative of each operation: rows of formulas, in files that mirror the operations' own.
//!
//! - ROW1 every operation of the engine has one row, or is structural; a test names those that lack one.
//! - ROW2 at a point without a derivative a row gives 0 at a local optimum, otherwise a finite one-sided derivative.

mod arith;
mod array;
mod cast;
mod composite;
mod discrete;
mod float;
mod library;
mod nd;
mod nonzeros;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use overdub_context::ops::{self, OpDef};

use crate::Expr;
pub(crate) use library::{ALIKE, Library, library};
pub use nonzeros::{Nonzeros, nonzeros};

/// The derivative of an operation.
pub enum Rule {
    /// The partial derivative in each operand, of an operation on scalar floats.
    Partials(Partials),
    /// Each part of the result, a tuple of floats, and its partial derivatives.
    Parts(fn(&[Expr]) -> Vec<Part>),
    /// The result is piecewise constant in the operands, or holds no float.
    Zero,
    /// It moves values with their attachments: a structural operation without a row of its own.
    Moves,
    /// It converts between float types, or between floats and other types.
    Cast,
    /// It computes with whole arrays of floats.
    Whole(Whole),
    /// It has no derivative, for this reason.
    Refuse(&'static str),
}

/// A part of a tuple that is an operation's result.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its value.
    pub value: Expr,
    /// Its partial derivative in each operand.
    pub partials: Vec<Expr>,
}

/// Array operations that are not elementwise formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// It rearranges elements with their attachments, but is defined on numbers only.
    Rearranges,
    /// It computes with elements.
    Computes,
}

type Formulas = Box<dyn Fn(&[Expr], &Expr) -> Vec<Expr> + Send + Sync>;

/// The partial derivatives of an operation.
pub struct Partials(Formulas);

impl fmt::Debug for Partials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partials").finish_non_exhaustive()
    }
}

impl Partials {
    /// The partial derivative in each of this many operands, over [`Expr::operand`] and [`Expr::result`].
    pub fn of(&self, operands: usize) -> Vec<Expr> {
        let operands: Vec<Expr> = (0..operands).map(Expr::operand).collect();
        (self.0)(&operands, &Expr::result())
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Partials(_) => "partials",
            Rule::Parts(_) => "parts",
            Rule::Zero => "zero",
            Rule::Moves => "moves",
            Rule::Cast => "cast",
            Rule::Whole(_) => "whole",
            Rule::Refuse(_) => "refuse",
        })
    }
}

type Row = (&'static OpDef, Rule);

fn partials<const N: usize>(formula: fn(&[Expr], &Expr) -> [Expr; N]) -> Rule {
    Rule::Partials(Partials(Box::new(move |x, y| formula(x, y).into())))
}

/// One row for several operations.
fn each(all: impl IntoIterator<Item = &'static OpDef>, rule: fn() -> Rule) -> Vec<Row> {
    all.into_iter().map(|op| (op, rule())).collect()
}

fn zero() -> Rule {
    Rule::Zero
}

fn moves() -> Rule {
    Rule::Moves
}

static TABLE: LazyLock<HashMap<&'static OpDef, Rule>> = LazyLock::new(|| {
    let structural = ops::ALL.iter().copied().flatten().copied().filter(|op| op.is_structural());
    let moving: Vec<Row> = each(structural, moves);
    // A row takes precedence over the operation being structural.
    let rows = [
        arith::rows(),
        float::rows(),
        cast::rows(),
        composite::rows(),
        array::rows(),
        nd::rows(),
        discrete::rows(),
    ];
    moving.into_iter().chain(rows.into_iter().flatten()).collect()
});

/// The rule of an operation.
///
/// ```
/// use overdub_ad::rules::{Rule, rule};
/// use overdub_context::ops;
///
/// let Some(Rule::Partials(partials)) = rule(&ops::SIN) else { panic!("sin has a derivative") };
/// assert_eq!(partials.of(1)[0].eval(&[0.5], 0.5_f64.sin())?, 0.5_f64.cos());
/// # Ok::<(), overdub_context::Failure>(())
/// ```
pub fn rule(op: &'static OpDef) -> Option<&'static Rule> {
    TABLE.get(op)
}
