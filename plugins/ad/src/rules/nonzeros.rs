//! Which first and second partial derivatives of an operation can be other than zero, read off its row of formulas.
//!
//! - NONZERO1 an entry that is false is zero at every point; one that is true may still be zero at some.

use overdub_context::ops::{self, OpDef};

use super::{Partials, Rule, rule};
use crate::expr::{Expr, Node};

/// The partial derivatives of one scalar result that are not zero everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nonzeros {
    first: Box<[bool]>,
    /// Stored by rows.
    second: Box<[bool]>,
}

impl Nonzeros {
    /// Whether the result has a derivative with respect to this operand.
    pub fn first(&self, operand: usize) -> bool {
        self.first.get(operand).copied().unwrap_or(false)
    }

    /// Whether the result has a second derivative with respect to this pair of operands.
    pub fn second(&self, i: usize, j: usize) -> bool {
        let n = self.first.len();
        i < n && j < n && (self.second[i * n + j] || self.second[j * n + i])
    }

    /// The number of operands.
    pub fn operands(&self) -> usize {
        self.first.len()
    }

    fn of(partials: &[Expr]) -> Nonzeros {
        let first: Box<[bool]> = partials.iter().map(|partial| partial.as_float() != Some(0.0)).collect();
        let operands = 0..partials.len();
        let second = partials.iter().flat_map(|partial| operands.clone().map(|j| varies(partial, j, &first)));
        Nonzeros { second: second.collect(), first }
    }
}

/// Which derivatives of an operation on scalar floats are not zero everywhere: for each part of its result if
/// that is a tuple, otherwise for the result alone. `None` for an operation without partial derivatives.
///
/// It is the classification of operations in *SparseConnectivityTracer.jl* (linear, nonlinear, per argument), but
/// derived from the derivative rule, so that the two cannot differ.
///
/// ```
/// use overdub_ad::rules::nonzeros;
/// use overdub_context::ops;
///
/// let div = &nonzeros(&ops::DIV, 2).expect("a quotient has derivatives")[0];
/// assert!(div.first(0) && div.first(1));
/// assert!(!div.second(0, 0) && div.second(0, 1) && div.second(1, 1));
/// ```
pub fn nonzeros(op: &'static OpDef, operands: usize) -> Option<Vec<Nonzeros>> {
    match rule(op)? {
        Rule::Partials(partials) => Some(vec![of_partials(partials, operands)]),
        Rule::Parts(parts) => {
            let operands: Vec<Expr> = (0..operands).map(Expr::operand).collect();
            Some(parts(&operands).iter().map(|part| Nonzeros::of(&part.partials)).collect())
        }
        Rule::Zero | Rule::Moves(_) | Rule::Cast | Rule::ArrayOp(_) | Rule::Refuse(_) => None,
    }
}

fn of_partials(partials: &Partials, operands: usize) -> Nonzeros {
    Nonzeros::of(&partials.of(operands))
}

/// Whether a formula varies with an operand; `first` tells with which operands the operation's result varies.
fn varies(formula: &Expr, operand: usize, first: &[bool]) -> bool {
    match formula.node() {
        Node::Operand(at) => *at == operand,
        Node::Result => first[operand],
        Node::Float(_) | Node::Int(_) => false,
        Node::ToFloat(arg) => varies(arg, operand, first),
        Node::Op(op, args) => {
            let varying = |at: usize| varies(&args[at], operand, first);
            if **op == ops::SELECT {
                return varying(1) || varying(2);
            }
            match rule(op) {
                Some(Rule::Zero) => false,
                Some(Rule::Partials(partials)) => {
                    let partials = partials.of(args.len());
                    (0..args.len()).any(|at| partials[at].as_float() != Some(0.0) && varying(at))
                }
                _ => (0..args.len()).any(varying),
            }
        }
    }
}
