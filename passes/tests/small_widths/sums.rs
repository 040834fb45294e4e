//! `overflow_check_elim` makes no sum wrapping that overflows for an input that reaches it.

use overdub_context::ir::IntTy;

use super::paths::{COMPARISONS, Cmp, Path, Step, Sum, Term, range};
use Term::{Is, Step as Nth, X, Y};

const TYPES: [IntTy; 2] = [IntTy::U8, IntTy::I8];

/// All comparisons of these two operands, in both orders, with both results.
fn comparisons(a: Term, b: Term) -> Vec<Step> {
    let either = [(a, b), (b, a)].into_iter();
    let each = either
        .flat_map(|(a, b)| COMPARISONS.map(|cmp| [true, false].map(|holds| Step::Holds(cmp, a, b, holds))));
    each.flatten().collect()
}

/// One comparison for each fact that comparing these two operands can establish, and for each outcome.
fn few_comparisons(a: Term, b: Term) -> [Step; 4] {
    [(Cmp::Lt, true), (Cmp::Ge, true), (Cmp::Gt, false), (Cmp::Le, false)]
        .map(|(cmp, holds)| Step::Holds(cmp, a, b, holds))
}

/// Numbers near the limits of a type, near zero, and near these numbers.
fn corners(int: IntTy, near: &[i32]) -> Vec<i32> {
    let all = range(int);
    let ends = [*all.start(), *all.end(), 0];
    let around = ends.iter().chain(near).flat_map(|n| n - 3..=n + 3);
    let mut corners: Vec<i32> = around.filter(|n| all.contains(n)).collect();
    corners.sort_unstable();
    corners.dedup();
    corners
}

#[test]
fn sums_with_what_is_compared_with_any_constant() {
    let mut freed = 0;
    for int in TYPES {
        for k in range(int) {
            let near = corners(int, &[k, range(int).end() - k, k - range(int).start(), -k]);
            let sums = near.iter().flat_map(|n| {
                [(Sum::Add, X, Is(*n)), (Sum::Add, Is(*n), X), (Sum::Sub, X, Is(*n)), (Sum::Sub, Is(*n), X)]
            });
            let constants = near.iter().flat_map(|n| [(Sum::Add, Is(k), Is(*n)), (Sum::Sub, Is(k), Is(*n))]);
            let claims: Vec<(Sum, Term, Term)> = sums.chain(constants).collect();
            let is_corner = corners(int, &[]).contains(&k);
            let steps = if is_corner { comparisons(X, Is(k)) } else { few_comparisons(X, Is(k)).into() };
            for step in steps {
                freed += Path { int, steps: vec![step], claims: claims.clone() }.check();
            }
        }
    }
    // A pass that finds nothing would be correct, but useless.
    assert!(freed > 5_000, "{freed}");
}

/// Every sum of these operands with each other and with these constants.
fn all_sums(terms: &[Term], constants: &[i32]) -> Vec<(Sum, Term, Term)> {
    let mut claims = Vec::new();
    for &a in terms {
        claims.extend(terms.iter().flat_map(|&b| [(Sum::Add, a, b), (Sum::Sub, a, b)]));
        claims.extend(constants.iter().flat_map(|&n| {
            [(Sum::Add, a, Is(n)), (Sum::Sub, a, Is(n)), (Sum::Add, Is(n), a), (Sum::Sub, Is(n), a)]
        }));
    }
    claims
}

#[test]
fn sums_with_what_is_compared_as_sums() {
    let mut freed = 0;
    for int in TYPES {
        let all = range(int);
        let offsets = [1, 3, all.end() - 1, *all.start()];
        let claims = all_sums(&[X, Y, Nth(0), Nth(1)], &[1, 2, 3, 4, 5, *all.end(), all.end() / 2]);
        for (c, d) in offsets.into_iter().flat_map(|c| offsets.map(|d| (c, d))) {
            for (first, second) in [(Sum::Add, Sum::Sub), (Sum::Sub, Sum::Add)] {
                let steps = [Step::Sum(first, X, Is(c)), Step::Sum(second, Y, Is(d))];
                for cmp in [Cmp::Lt, Cmp::Ge] {
                    for holds in [true, false] {
                        let steps = [steps[0], steps[1], Step::Holds(cmp, Nth(0), Nth(1), holds)];
                        freed += Path { int, steps: steps.into(), claims: claims.clone() }.check();
                    }
                }
            }
        }
    }
    assert!(freed > 1_000, "{freed}");
}

#[test]
fn sums_with_what_is_compared_as_a_difference() {
    let mut freed = 0;
    for int in TYPES {
        let claims = all_sums(&[X, Y, Nth(0), Nth(1)], &[1, 2, 3, 4, 127]);
        for c in corners(int, &[]) {
            for step in few_comparisons(Nth(0), Is(c)) {
                let differs = Step::Sum(Sum::Sub, X, Y);
                let claims = all_sums(&[X, Y, Nth(0)], &[1, 2, 3, 4, 127, c.max(0)]);
                freed += Path { int, steps: vec![differs, step], claims }.check();
            }
            let ordered = Step::Holds(Cmp::Lt, Y, X, true);
            for step in few_comparisons(Nth(1), Is(c)) {
                let steps = vec![ordered, Step::Sum(Sum::SubWrapping, X, Y), step];
                freed += Path {
                    int,
                    steps,
                    claims: claims.iter().copied().filter(|claim| !is_condition(claim)).collect(),
                }
                .check();
            }
        }
    }
    assert!(freed > 500, "{freed}");
}

/// Whether a sum uses the first step, which is a comparison here.
fn is_condition(&(_, a, b): &(Sum, Term, Term)) -> bool {
    [a, b].iter().any(|term| matches!(term, Nth(0)))
}

#[test]
fn sums_behind_two_comparisons() {
    let mut freed = 0;
    for int in TYPES {
        let all = range(int);
        for c in [*all.start(), all.end() / 2, all.end() - 1, *all.end()] {
            let claims = all_sums(&[X, Y], &[1, 2, c]);
            for first in few_comparisons(X, Y) {
                for second in few_comparisons(Y, Is(c)) {
                    freed += Path { int, steps: vec![first, second], claims: claims.clone() }.check();
                }
            }
        }
    }
    assert!(freed > 200, "{freed}");
}
