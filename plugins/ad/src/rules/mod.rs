//! The derivative of each operation: rows of formulas, in files that mirror the operations' own.
//!
//! - ROW1 every operation of the engine has one row; a test names those without one. Engines and
//!   transformations consult only the row: none of them knows an operation by its name.
//! - ROW2 at a point without a derivative a row gives 0 at a local optimum, otherwise a finite one-sided derivative.
//! - ROW3 a product of partial derivatives with tangents or cotangents is within range if the derivatives of the
//!   operands are: a partial derivative that may be out of range alone has a factor that is applied on its own.
//! - ROW4 an operation of a plugin has the row that the plugin provides; see [`provide_rule`](crate::provide_rule).
//!
//! ```text
//! (&SIN,     partials(|x, _| [cos(&x[0])])),         a formula in operands and result, for each operand
//! (&DIV,     factored(|x, y| (1.0 / &x[1], [one(), -y]))), a factor of all (ROW3), and the formulas without it
//! (&ADD,     linear([1.0, 1.0])),                    constant factors; arrays are added as such
//! (&FLOOR,   zero()),                                piecewise constant, or no float at all
//! (&GET,     part(get_pushforward, elem)),           the result is a part of the first operand, at this step
//! (&PUSH,    moves(same_op, push_adjoint)),          a pushforward and an adjoint, which emit operations
//! (&SET,     edits(same_op, set_adjoint)),           the same, and an array keeps its shape
//! (&POP,     splits(same_op, pop_adjoint)),          the same, and the result is a tuple of several results
//! (&ND_SUM,  by_array_rule(same_op, sum_adjoint, Some(source))), the same for whole arrays; elements by this Rust
//! (&ND_MEAN, by_loop(source)),                       expanded into a loop of this Rust
//! (&ND_INV,  in_rust("inv")),                        a pushforward and a pullback in Rust
//! (&GLOBAL,  Rule::Refuse(reason)),                  none, for this reason
//! ```

mod adjoint;
mod arith;
mod array;
mod array_edit;
mod array_op;
mod array_sort;
mod cast;
mod cells;
mod checkpoint;
mod composite;
mod discrete;
mod float;
mod float_bits;
mod function;
mod library;
mod library_rows;
mod moves;
mod nd;
mod nd_axes;
mod nd_factor;
mod nd_linear;
mod nd_reduce;
mod nonzeros;
mod plugin;
mod pushforward;
mod stack;
mod take;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::LazyLock;

use hashbrown::HashMap;
use overdub_context::ops::OpDef;

use crate::Expr;
pub(crate) use adjoint::{Cot, Cotangents, PathStep};
pub(crate) use array_op::{Applied, ArrayOpImpl, written};
pub use array_op::{ArrayOpKind, ArrayOpRule};
pub(crate) use library::{CHECKED_AGAINST, Component, Library, library};
pub(crate) use moves::Application;
pub use moves::Moves;
pub use nonzeros::{Nonzeros, nonzeros};
pub(crate) use plugin::plugin_derivative;
pub use plugin::{PluginDerivative, PluginRule};
pub(crate) use pushforward::{Tangents, same_op};

/// The derivative of an operation.
pub enum Rule {
    /// The partial derivative with respect to each operand, for an operation on scalar floats.
    Partials(Partials),
    /// The result is a tuple of floats: the value of each part, and its partial derivatives.
    Parts(fn(&[Expr]) -> Vec<TuplePart>),
    /// The result is piecewise constant in the operands, or holds no float.
    Zero,
    /// The operation moves values with their attachments.
    Moves(Moves),
    /// The operation converts between float types, or between floats and other types.
    Cast,
    /// The operation computes with whole arrays of floats.
    ArrayOp(ArrayOpRule),
    /// The operation has no derivative, for this reason.
    Refuse(&'static str),
}

/// A part of a tuple that is an operation's result.
#[derive(Clone, Debug)]
pub struct TuplePart {
    /// The value of the part.
    pub value: Expr,
    /// Its partial derivative with respect to each operand; [`Expr::result`] is the part.
    pub partials: Vec<Expr>,
}

type Formulas = Box<dyn Fn(&[Expr], &Expr) -> Factored + Send + Sync>;

/// Partial derivatives with a common factor.
#[derive(Clone, Debug)]
pub struct Factored {
    /// The factor; `None` for 1.
    pub common: Option<Expr>,
    /// The partial derivative with respect to each operand, divided by the factor.
    pub rest: Vec<Expr>,
}

/// The partial derivatives of an operation.
pub struct Partials {
    formulas: Formulas,
    is_linear: bool,
}

impl fmt::Debug for Partials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partials").finish_non_exhaustive()
    }
}

impl Partials {
    /// The partial derivatives with respect to this many operands, over [`Expr::operand`] and
    /// [`Expr::result`].
    pub fn of(&self, operands: usize) -> Vec<Expr> {
        let Factored { common, rest } = self.factored(operands);
        let Some(common) = common else { return rest };
        let product = |rest: Expr| if rest.as_float() == Some(1.0) { common.clone() } else { &common * rest };
        rest.into_iter().map(product).collect()
    }

    /// The same, with their common factor, which tangents and cotangents are multiplied by on its own (ROW3).
    pub fn factored(&self, operands: usize) -> Factored {
        let operands: Vec<Expr> = (0..operands).map(Expr::operand).collect();
        (self.formulas)(&operands, &Expr::result())
    }

    /// Whether the operation is linear, so that it applies unchanged to tangents, even to those of whole
    /// arrays.
    pub fn is_linear(&self) -> bool {
        self.is_linear
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Partials(_) => "partials",
            Rule::Parts(_) => "parts",
            Rule::Zero => "zero",
            Rule::Moves(_) => "moves",
            Rule::Cast => "cast",
            Rule::ArrayOp(_) => "whole",
            Rule::Refuse(_) => "refuse",
        })
    }
}

type Row = (&'static OpDef, Rule);

fn partials<const N: usize>(formula: fn(&[Expr], &Expr) -> [Expr; N]) -> Rule {
    let formulas = move |x: &[Expr], y: &Expr| Factored { common: None, rest: formula(x, y).into() };
    Rule::Partials(Partials { formulas: Box::new(formulas), is_linear: false })
}

/// A common factor of the partial derivatives, and these divided by it (ROW3).
fn factored<const N: usize>(formula: fn(&[Expr], &Expr) -> (Expr, [Expr; N])) -> Rule {
    let formulas = move |x: &[Expr], y: &Expr| {
        let (common, rest) = formula(x, y);
        Factored { common: Some(common), rest: rest.into() }
    };
    Rule::Partials(Partials { formulas: Box::new(formulas), is_linear: false })
}

/// The sum of the operands times these factors.
fn linear<const N: usize>(factors: [f64; N]) -> Rule {
    Rule::Partials(Partials {
        formulas: Box::new(move |_, _| Factored { common: None, rest: factors.map(Expr::float).into() }),
        is_linear: true,
    })
}

/// One row for several operations.
fn each(all: impl IntoIterator<Item = &'static OpDef>, rule: fn() -> Rule) -> Vec<Row> {
    all.into_iter().map(|op| (op, rule())).collect()
}

fn zero() -> Rule {
    Rule::Zero
}

fn rows() -> impl Iterator<Item = Row> {
    let files = [
        arith::rows(),
        array::rows(),
        array_edit::rows(),
        array_sort::rows(),
        cast::rows(),
        cells::rows(),
        checkpoint::rows(),
        composite::rows(),
        discrete::rows(),
        float::rows(),
        float_bits::rows(),
        function::rows(),
        nd::rows(),
        nd_axes::rows(),
        nd_factor::rows(),
        nd_linear::rows(),
        nd_reduce::rows(),
        stack::rows(),
        take::rows(),
    ];
    files.into_iter().flatten()
}

static TABLE: LazyLock<HashMap<&'static OpDef, Rule>> =
    LazyLock::new(|| rows().chain(plugin::rows()).collect());

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
