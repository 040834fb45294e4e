//! The floats of a run's result by their places, and where they come from according to the trace.
//!
//! - ORIGIN1 in the stored result, each float is its own index in a list.

use overdub_ad::flatten::{floats as flatten, with_floats};
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::context::stripped;
use crate::places::each_place;
use crate::trace::{EntryId, Operand, Trace};

/// Values, with the names that places begin with.
pub(crate) type NamedValues = Vec<(String, Value<'static>)>;

/// The floats of a result. In the stored result they are replaced by their indices in this list, from 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Floats(Vec<Operand>);

impl Floats {
    pub(crate) fn of(result: Value<'static>, ty: Ty) -> Result<(Value<'static>, Floats), Failure> {
        let mut floats = Vec::new();
        let plain = stripped(result, ty, &mut floats)?;
        // An `f32` can represent all indices up to this.
        const MOST: usize = 1 << 24;
        if floats.len() >= MOST {
            let message = format!(
                "the result holds {} floats: of {MOST} and more it is not told where they come from",
                floats.len()
            );
            return Err(Failure::new(FailureKind::MemoryLimit, message));
        }
        let mut numbers = (1..=floats.len()).map(|number| number as f64);
        let plain = with_floats(&plain, &mut numbers)?;
        Ok((plain, Floats(floats)))
    }

    /// The float with this index in the stored result.
    fn at(&self, number: f64) -> Operand {
        let nothing = Operand { id: 0, value: 0.0 };
        (number as usize).checked_sub(1).and_then(|at| self.0.get(at)).copied().unwrap_or(nothing)
    }
}

/// The floats of a run's result, and where they come from.
#[derive(Clone, Debug)]
pub struct Origins {
    pub(crate) engine: Engine,
    pub(crate) trace: Trace,
    pub(crate) arguments: NamedValues,
    pub(crate) results: NamedValues,
    pub(crate) floats: Floats,
}

impl Origins {
    /// What the function returned.
    ///
    /// ```
    /// use overdub_blame::Blame;
    /// use overdub_context::value::Value;
    ///
    /// let source = "pub fn f(x: f64) -> (f64, i64) { (x.sqrt(), 3) }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let origins = Blame::new(&loaded.engine()).value(loaded.function("f")?.symbol, vec![Value::F64(4.0)])?;
    /// assert_eq!(origins.value().to_string(), "(2.0, 3)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&self) -> Value<'static> {
        let Some((_, numbers)) = self.results.first() else { return Value::Unit };
        let mut values = flatten(numbers).into_iter().map(|number| self.floats.at(number).value);
        with_floats(numbers, &mut values).expect("ORIGIN1: each float of the result has a number")
    }

    /// The operations that computed the floats.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The float at a place of the result, such as `value`, `value[3]`, or `x[3]` of a gradient.
    pub fn float(&self, place: &str) -> Option<Operand> {
        let requested = place.replace(' ', "");
        self.find(&mut |at, _| at == requested).map(|(_, float)| float)
    }

    /// The first float of the result that is NaN or infinite, and its place.
    pub fn first_not_finite(&self) -> Option<(String, Operand)> {
        self.find(&mut |_, float| !float.value.is_finite())
    }

    /// The place of a float of the arguments, by its number in the trace: `x[3]`, or `the seed` for a
    /// gradient.
    pub fn argument(&self, id: EntryId) -> Option<String> {
        let mut left = self.trace.input(id)?;
        let mut found = self.trace.is_seed(id).then(|| "the seed".to_owned());
        each_place(&self.arguments, &mut |at, _| {
            if left == 0 {
                found = Some(at.to_owned());
            }
            left = left.wrapping_sub(1);
            found.is_none()
        });
        found
    }

    /// The places of all floats of the result.
    pub fn places(&self) -> impl Iterator<Item = String> + use<> {
        let mut places = Vec::new();
        each_place(&self.results, &mut |at, _| {
            places.push(at.to_owned());
            true
        });
        places.into_iter()
    }

    fn find(&self, is_it: &mut dyn FnMut(&str, Operand) -> bool) -> Option<(String, Operand)> {
        let mut found = None;
        each_place(&self.results, &mut |at, number| {
            let float = self.floats.at(number);
            if is_it(at, float) {
                found = Some((at.to_owned(), float));
            }
            found.is_none()
        });
        found
    }
}
