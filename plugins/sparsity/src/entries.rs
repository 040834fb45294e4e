//! Entries without compression: the function, or its gradient, writes each entry of its derivative at its position.
//!
//! - DIRECT1 the places of entries hold for arguments of the same shape with the same integers; for others
//!   the products by colors are used.
//! - DIRECT2 what is written is in the pattern, and entries of the pattern that are not written are zero.
//! - DIRECT3 entries are computed by plain products in few operations. If one is not finite, a zero may have
//!   met an infinity: then all are computed again with tangents that keep zero.

use std::sync::Arc;

use overdub_ad::transform::entries::{EntriesTransform, Writing};
use overdub_context::engine::{Engine, OutSlot, Prepared, PreparedCalls};
use overdub_context::value::{Arg, Array, Value};
use overdub_context::{Failure, FailureKind, Symbol};
use smallvec::SmallVec;

use crate::SparsityPattern;
use crate::products::Of;
use crate::slots::{EntrySlots, Matrix, reason, transform};

/// A function that writes the entries of its Jacobian or Hessian.
pub(crate) struct Entries {
    /// The transformed function with few operations (DIRECT3).
    prepared: Prepared<EntriesTransform>,
    careful: Prepared<EntriesTransform>,
    /// The index in the pattern of each entry that is written.
    slots: Vec<u32>,
    count: usize,
    /// What each argument must be like for the places to hold (DIRECT1).
    expected_args: Vec<Fixed>,
    calls: PreparedCalls,
}

/// The part of an argument that must be the same.
enum Fixed {
    Value(Value<'static>),
    /// A float.
    Float,
    /// An array of this number of floats.
    Floats(usize),
}

impl Entries {
    /// The entries of a function's derivative with respect to the arguments in `wrt`; otherwise the reason why it has
    /// none.
    pub(crate) fn new(
        engine: &Engine,
        (func, of): (Symbol, Of),
        wrt: Vec<bool>,
        args: &[Value<'static>],
        pattern: &SparsityPattern,
    ) -> Result<Entries, String> {
        let of = match of {
            Of::Jacobian => Matrix::Jacobian,
            Of::Hessian(_) => Matrix::Hessian,
            Of::Lagrangian => return Err("the weights of a Lagrangian change".to_owned()),
        };
        let expected_args = args.iter().map(Fixed::of).collect::<Option<Vec<_>>>();
        let expected_args = expected_args.ok_or("an argument is neither a number nor an array of numbers")?;
        let slots =
            EntrySlots::new(engine, (func, of), &wrt, args, pattern).map_err(|error| error.to_string())?;
        let writing = if slots.are_sums() { Writing::Add } else { Writing::Set };
        let prepared = engine.prepare(&transform(writing, of, &wrt).in_few_operations(), func);
        prepared.func().map_err(|refusal| reason(&refusal, func))?;
        let careful = engine.prepare(&transform(writing, of, &wrt), func);
        Ok(Entries {
            prepared,
            careful,
            slots: slots.indices().to_vec(),
            count: pattern.len(),
            expected_args,
            calls: PreparedCalls::default(),
        })
    }

    /// The number of partial derivatives that are written.
    pub(crate) fn written(&self) -> usize {
        self.slots.len()
    }

    /// Whether the places hold for these arguments (DIRECT1).
    pub(crate) fn fits(&self, args: &[Value<'static>]) -> bool {
        args.len() == self.expected_args.len()
            && args.iter().zip(&self.expected_args).all(|(arg, expected)| expected.fits(arg))
    }

    /// Computes the values of the entries. In machine code nothing is allocated from the second call on.
    pub(crate) fn evaluate_into(&self, args: &[Value<'static>], values: &mut [f64]) -> Result<(), Failure> {
        let check = match self.call(args, values) {
            Some(result) => result?,
            None => {
                let found = self.prepared.run(self.all(args))?;
                let parts = found.as_composite().map(|tuple| &tuple.parts[..]);
                let [found, check] = parts.unwrap_or_default() else { return Err(wrong()) };
                put(found, values)?;
                check.as_f64().ok_or_else(wrong)?
            }
        };
        // If the check fails, zeros may have met infinities (DIRECT3).
        if check == 0.0 { Ok(()) } else { put(&self.careful.run(self.all(args))?, values) }
    }

    fn all(&self, args: &[Value<'static>]) -> Vec<Value<'static>> {
        let mut all = args.to_vec();
        all.push(Value::from(Array::from_vec(self.slots.clone())));
        all.push(Value::from(self.count));
        all
    }

    /// Runs a prepared call, if there is one that takes such arguments; returns the sum of zeros.
    fn call(&self, args: &[Value<'static>], values: &mut [f64]) -> Option<Result<f64, Failure>> {
        let lent: Option<SmallVec<[Arg<'_>; 8]>> = args.iter().map(Arg::lent).collect();
        let mut all = lent?;
        all.extend([Arg::slice(&self.slots), Arg::scalar(self.count)]);
        let mut check = 0.0;
        let mut outs = [OutSlot::F64s(values), OutSlot::F64(&mut check)];
        let result = self.calls.call(&self.prepared, &all, &mut outs)?;
        Some(result.map(|()| check))
    }
}

fn put(found: &Value<'_>, values: &mut [f64]) -> Result<(), Failure> {
    match found.as_array().and_then(Array::as_f64s) {
        Some(found) if found.len() == values.len() => {
            values.copy_from_slice(found);
            Ok(())
        }
        _ => Err(wrong()),
    }
}

fn wrong() -> Failure {
    Failure::new(FailureKind::Type, "the entries are not as many as those of the pattern")
}

impl Fixed {
    fn of(arg: &Value<'static>) -> Option<Fixed> {
        match arg {
            Value::F64(_) => Some(Fixed::Float),
            Value::Array(array) if array.as_f64s().is_some() && array.shape().len() == 1 => {
                Some(Fixed::Floats(array.len()))
            }
            other => Arg::lent(other).map(|_| Fixed::Value(other.clone())),
        }
    }

    fn fits(&self, arg: &Value<'static>) -> bool {
        match (self, arg) {
            (Fixed::Float, Value::F64(_)) => true,
            (Fixed::Floats(len), Value::Array(array)) => array.as_f64s().is_some() && array.len() == *len,
            (Fixed::Value(Value::Array(known)), Value::Array(array)) if Arc::ptr_eq(known, array) => true,
            (Fixed::Value(known), other) => known.same(other),
            _ => false,
        }
    }
}
