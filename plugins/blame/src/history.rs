//! Queries of a trace: the origin of a non-finite value, the terms of a sum, and the lines that contribute to
//! it.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use overdub_context::ops::{ADD, MUL_ADD, NEG, OpDef, SUB};
use overdub_context::{Span, Symbol};

use crate::trace::{Entry, EntryId, Operand, Trace};

/// One operation of a history.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The operation.
    pub op: &'static OpDef,
    /// Its location in the source.
    pub span: Span,
    /// The function that contains it.
    pub func: Symbol,
    /// Its result.
    pub value: f64,
    /// Its operands.
    pub operands: Vec<Operand>,
}

impl Step {
    fn of(entry: Entry<'_>) -> Step {
        let Entry { op, span, func, value, operands } = entry;
        Step { op, span, func, value, operands: operands.to_vec() }
    }
}

/// A term of a float that is a sum.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Term {
    /// Its contribution to the sum.
    pub value: f64,
    /// The operation that computed it; `None` if it is a float of an argument or a constant.
    pub step: Option<Step>,
    /// The number of the float.
    pub id: EntryId,
}

/// The terms that one line contributes to a sum.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct LineSum {
    /// The location of the first of its terms.
    pub span: Span,
    /// The function that contains it.
    pub func: Symbol,
    /// Their sum.
    pub sum: f64,
    /// The sum of their absolute values: larger than `sum` if terms cancel.
    pub magnitude: f64,
    /// Their number.
    pub terms: usize,
}

impl Trace {
    /// The operation that computed a float.
    pub fn step(&self, id: EntryId) -> Option<Step> {
        self.entry(id).map(Step::of)
    }

    /// The operations through which a NaN or an infinity reached this float, starting with the float's own:
    /// the result of each is an operand of the one before, and the last one computed it from finite numbers,
    /// or from a non-finite argument or constant. Of several non-finite operands, the one computed first is
    /// followed. Empty if the float is finite.
    pub fn origin(&self, id: EntryId) -> Vec<EntryId> {
        let mut chain = Vec::new();
        let mut at = id;
        // TRACE1
        while let Some(entry) = self.entry(at).filter(|entry| !entry.value.is_finite()) {
            chain.push(at);
            let spoilt = entry.operands.iter().filter(|operand| !operand.value.is_finite());
            match spoilt.min_by_key(|operand| operand.id) {
                Some(operand) if operand.id < at => at = operand.id,
                _ => break,
            }
        }
        chain
    }

    /// The terms of a float: sums and differences are followed backwards, anything else is a term. In a
    /// gradient only cotangents are sums (TRACE2), not the numbers of the primal that are their factors.
    /// Terms that are zero are omitted.
    pub fn terms(&self, id: EntryId, value: f64) -> Vec<Term> {
        let mut terms = Vec::new();
        // An operand may be a term of many sums, and following each of its uses would take exponential time:
        // its weights are added up, from the last entry to the first (TRACE1).
        let mut weights = BTreeMap::from([(id, (1.0, value))]);
        while let Some((id, (weight, value))) = weights.pop_last() {
            let entry = self.entry(id);
            let term = |value: f64| Term { value, step: entry.map(Step::of), id };
            let sum = entry.filter(|_| self.is_summed(id)).map(|entry| (entry.op, entry.operands));
            let addends: &[(Operand, f64)] = match sum {
                Some((op, [a, b])) if *op == ADD => &[(*a, 1.0), (*b, 1.0)],
                Some((op, [a, b])) if *op == SUB => &[(*a, 1.0), (*b, -1.0)],
                Some((op, [a])) if *op == NEG => &[(*a, -1.0)],
                // The product is a term that was not computed by an operation of its own.
                Some((op, [a, b, c])) if *op == MUL_ADD => {
                    terms.push(term(weight * (a.value * b.value)));
                    &[(*c, 1.0)]
                }
                _ => {
                    terms.push(term(weight * value));
                    &[]
                }
            };
            for (addend, sign) in addends {
                if addend.id == 0 {
                    terms.push(Term { value: weight * sign * addend.value, step: None, id: 0 });
                } else {
                    weights.entry(addend.id).or_insert((0.0, addend.value)).0 += weight * sign;
                }
            }
        }
        terms.retain(|term| term.value != 0.0);
        terms
    }

    /// The terms of a sum, grouped by source line, the largest first.
    pub fn lines(terms: &[Term]) -> Vec<LineSum> {
        let mut lines: HashMap<(Symbol, u32), LineSum> = HashMap::new();
        for term in terms {
            let Some(step) = &term.step else { continue };
            let none = LineSum { span: step.span, func: step.func, sum: 0.0, magnitude: 0.0, terms: 0 };
            let line = lines.entry((step.span.file, step.span.line)).or_insert(none);
            line.sum += term.value;
            line.magnitude += term.value.abs();
            line.terms += 1;
        }
        let mut lines: Vec<LineSum> = lines.into_values().collect();
        lines.sort_by(|a, b| b.magnitude.total_cmp(&a.magnitude).then(a.span.line.cmp(&b.span.line)));
        lines
    }
}
