//! Indices as affine functions of the induction variables of a nest of loops.

use overdub_context::Span;
use overdub_context::ops;

use super::saturating;
use crate::ast::{Expr, Local};
use crate::scopes::constant_index;
use crate::slices::number;

/// A number times loop-invariant variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Monomial {
    pub(super) factor: usize,
    /// In order.
    pub(super) locals: Vec<Local>,
}

/// A sum of monomials, each of which may be multiplied by the induction variable of one loop of the nest. In order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Index(Vec<(Option<usize>, Monomial)>);

/// A sum of loop-invariant monomials.
pub(super) struct Sum(Vec<Monomial>);

impl Monomial {
    fn times(&self, other: &Monomial) -> Option<Monomial> {
        let mut locals = [&self.locals[..], &other.locals].concat();
        locals.sort_unstable();
        Some(Monomial { factor: self.factor.checked_mul(other.factor)?, locals })
    }
}

impl Index {
    pub(super) fn constant(factor: usize) -> Index {
        Index(vec![(None, Monomial { factor, locals: Vec::new() })])
    }

    /// The induction variable of a loop.
    pub(super) fn counter(of: usize) -> Index {
        Index(vec![(Some(of), Monomial { factor: 1, locals: Vec::new() })])
    }

    pub(super) fn invariant(local: Local) -> Index {
        Index(vec![(None, Monomial { factor: 1, locals: vec![local] })])
    }

    pub(super) fn plus(mut self, other: Index) -> Index {
        self.0.extend(other.0);
        self.0.sort_unstable();
        self
    }

    /// The product, if it is affine.
    pub(super) fn times(&self, other: &Index) -> Option<Index> {
        let mut parts = Vec::new();
        for (counter, monomial) in &self.0 {
            for (other_counter, other) in &other.0 {
                let both = counter.is_some() && other_counter.is_some();
                if both {
                    return None;
                }
                parts.push((counter.or(*other_counter), monomial.times(other)?));
            }
        }
        parts.sort_unstable();
        Some(Index(parts))
    }

    /// What the index grows by in a loop.
    pub(super) fn stride(&self, of: usize) -> Sum {
        self.of(Some(of))
    }

    /// The index in the first round of all loops.
    pub(super) fn base(&self) -> Sum {
        self.of(None)
    }

    fn of(&self, counter: Option<usize>) -> Sum {
        let parts = self.0.iter().filter(|(of, monomial)| *of == counter && monomial.factor != 0);
        Sum(parts.map(|(_, monomial)| monomial.clone()).collect())
    }
}

impl Sum {
    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_one(&self) -> bool {
        matches!(&self.0[..], [Monomial { factor: 1, locals }] if locals.is_empty())
    }

    /// Whether it is this constant or variable.
    pub(super) fn is(&self, expr: &Expr) -> bool {
        let [Monomial { factor, locals }] = &self.0[..] else { return false };
        match (expr, &locals[..]) {
            (Expr::Local(local), [one]) => *factor == 1 && one == local,
            (expr, []) => constant_index(expr) == Some(*factor),
            _ => false,
        }
    }

    /// The sum in saturating arithmetic.
    pub(super) fn expr(self, span: Span) -> Expr {
        let monomial = |Monomial { factor, locals }: Monomial| {
            let mut factors: Vec<Expr> = locals.into_iter().map(Expr::Local).collect();
            // A method is not called of a literal.
            factors.extend((factor != 1 || factors.is_empty()).then(|| number(factor)));
            let times = |a, b| saturating(&ops::MUL_SATURATING, [a, b], span);
            factors.into_iter().reduce(times).unwrap_or_else(|| number(1))
        };
        // Constants come last.
        let mut parts = self.0;
        parts.sort_by_key(|monomial| monomial.locals.is_empty());
        let plus = |a, b| saturating(&ops::ADD_SATURATING, [a, b], span);
        parts.into_iter().map(monomial).reduce(plus).unwrap_or_else(|| number(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_distribute_over_sums() {
        let (n, m) = (Local(7), Local(8));
        let row = Index::counter(0).times(&Index::invariant(n)).expect("it is affine");
        let both = row.plus(Index::counter(1)).times(&Index::invariant(m)).expect("it is affine");
        let at = both.plus(Index::constant(3));
        assert!(!at.stride(0).is_one() && !at.stride(0).is_zero());
        assert!(at.stride(2).is_zero());
        assert_eq!(at.stride(0).0, [Monomial { factor: 1, locals: vec![n, m] }]);
        assert_eq!(at.stride(1).0, [Monomial { factor: 1, locals: vec![m] }]);
        assert_eq!(at.base().0, [Monomial { factor: 3, locals: Vec::new() }]);
    }

    #[test]
    fn a_product_of_counters_is_not_affine() {
        assert_eq!(Index::counter(0).times(&Index::counter(1)), None);
    }
}
