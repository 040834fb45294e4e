//! The source location that an entry of a pattern comes from.

use overdub_context::value::Value;
use overdub_context::{Span, Symbol};

use super::sets::Dep;
use super::{DetectError, Detector};

/// The greatest number of floats that are tried for a second derivative: each takes as long as a pattern.
const MOST: usize = 4096;

impl Detector<'_> {
    /// The statement that computes the float of a row of a Jacobian; unknown if it is an input, unchanged.
    pub(crate) fn origin_of_row(
        &self,
        func: Symbol,
        args: Vec<Value<'static>>,
        row: usize,
    ) -> Result<Span, DetectError> {
        let detector = Detector { records_origins: true, ..self.clone() };
        let (analysis, result) = detector.analysed(func, args, false)?;
        let mut left = row;
        Ok(float(&result, &mut left).map_or(Span::unknown(), |value| analysis.floats.origin(&value)))
    }

    /// The first statement whose result has a second derivative with respect to a pair of inputs; unknown if
    /// there are too many.
    pub(crate) fn origin_of_pair(
        &self,
        func: Symbol,
        args: Vec<Value<'static>>,
        (row, col): (usize, usize),
    ) -> Result<Span, DetectError> {
        let detector = Detector { records_origins: true, ..self.clone() };
        let (mut analysis, _) = detector.analysed(func, args, true)?;
        let [a, b] = [row, col].map(|input| analysis.sets.input(input).first);
        let pair = Dep { second: analysis.sets.product(a, b), ..Dep::default() };
        let origins = analysis.floats.origins();
        let found = origins.iter().take(MOST).find(|(dep, _)| analysis.sets.is_within(pair, *dep));
        Ok(found.map_or(Span::unknown(), |(_, span)| *span))
    }
}

/// The float of a result that comes after `left` others.
fn float(value: &Value<'static>, left: &mut usize) -> Option<Value<'static>> {
    match value {
        Value::F64(_) | Value::F32(_) => {
            if *left == 0 {
                return Some(value.clone());
            }
            *left -= 1;
            None
        }
        Value::Array(array) => array.iter().find_map(|elem| float(&elem.into_owned(), left)),
        Value::Composite(composite) => composite.parts.iter().find_map(|part| float(part, left)),
        _ => None,
    }
}
