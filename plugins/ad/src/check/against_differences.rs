//! Checks of the derivatives at a point against finite differences of the function.

use overdub_context::value::Value;

use super::case::{Gradient, Point, direction, dot};
use super::compiled::Compiled;
use super::{Mismatch, Slope, Tally, slope};
use crate::flatten::{floats, with_floats};

/// The greatest number of floats compared with differences one by one; if a case has more, the first of them
/// are compared, and one direction through all.
const COMPARED: usize = 24;

impl Point<'_> {
    /// Checks each derivative against finite differences of the plain function (GRADCHECK1).
    pub(super) fn differences(
        &self,
        all: &[Value<'static>],
        given: &Gradient,
        (outputs, weights): (&[f64], &[f64]),
        places: &[String],
    ) -> Result<Tally, Mismatch> {
        let Some(compiled) = self.compiled.filter(|compiled| compiled.counts()) else {
            return self.differences_here(all, given, weights, places);
        };
        Compiled::on_large_stack(|| {
            let is_compiled = self.is_as_compiled(compiled, all, outputs)?;
            let compiled = self.compiled.filter(|_| is_compiled);
            let tally = Point { compiled, ..*self }.differences_here(all, given, weights, places)?;
            Ok(Tally { compiled: is_compiled.into(), ..tally })
        })
    }

    /// Whether the compiled function returns the same bits as overdub's run, so that both may be mixed. Rounding may
    /// differ, as in sums over hash maps.
    fn is_as_compiled(
        &self,
        compiled: &Compiled<'_>,
        all: &[Value<'static>],
        expected: &[f64],
    ) -> Result<bool, Mismatch> {
        let Some(value) = compiled.call(all[self.subject.captures..].to_vec()) else { return Ok(false) };
        let found = floats(&value);
        let size = expected.iter().fold(0.0, |size: f64, y| size.max(y.abs()));
        let tolerance = if self.subject.is_single { 1e-4 } else { 1e-9 };
        for (run, compiled) in expected.iter().copied().zip(found.iter().copied()) {
            let off = (run - compiled).abs();
            if off.is_nan() || off > tolerance * size {
                return Err(Mismatch::Compiled { run, compiled });
            }
        }
        Ok(found.iter().map(|y| y.to_bits()).eq(expected.iter().map(|y| y.to_bits())))
    }

    /// The floats of the result at other numbers: of Rust's own call, unless it panics, else of overdub's run.
    fn outputs(&self, all: Vec<Value<'static>>) -> Option<Vec<f64>> {
        let compiled =
            self.compiled.and_then(|compiled| compiled.call(all[self.subject.captures..].to_vec()));
        match compiled {
            Some(value) => Some(floats(&value)),
            None => Some(floats(&self.run(all).ok()?)),
        }
    }

    fn differences_here(
        &self,
        all: &[Value<'static>],
        Gradient { gradient, rounding: noise }: &Gradient,
        weights: &[f64],
        places: &[String],
    ) -> Result<Tally, Mismatch> {
        let start: Vec<f64> = all.iter().flat_map(floats).collect();
        let captured = self.subject.captured;
        let count = gradient.len() - captured;
        let mut tally = Tally { cases: 1, ..Tally::default() };
        let every = count.div_ceil(COMPARED).max(1);
        for number in (captured..gradient.len()).step_by(every) {
            let direction_at = |k: usize| if k == number { 1.0 } else { 0.0 };
            let scale = if start[number] == 0.0 { 1.0 } else { start[number].abs() };
            self.compare(
                &mut tally,
                all,
                (&start, &direction_at, scale),
                weights,
                (gradient[number], noise[number], &places[number]),
            )?;
        }
        if every > 1 {
            let through = direction(gradient.len());
            let direction_at = |k: usize| if k < captured { 0.0 } else { through[k] };
            let size = start[captured..].iter().map(|x| x.abs()).sum::<f64>() / count as f64;
            let ours = dot(&gradient[captured..], &through[captured..]);
            let scale = if size > 0.0 { size } else { 1.0 };
            let place = "a direction through all".to_owned();
            let noise = dot(&noise[captured..], &through[captured..]);
            self.compare(&mut tally, all, (&start, &direction_at, scale), weights, (ours, noise, &place))?;
        }
        Ok(tally)
    }

    fn compare(
        &self,
        tally: &mut Tally,
        all: &[Value<'static>],
        (start, direction, scale): (&[f64], &dyn Fn(usize) -> f64, f64),
        weights: &[f64],
        (ours, noise, place): (f64, f64, &String),
    ) -> Result<(), Mismatch> {
        let mut moved = |t: f64| {
            let mut moved_floats = start.iter().enumerate().map(|(k, x)| x + t * direction(k));
            let moved_args = all.iter().map(|value| with_floats(value, &mut moved_floats));
            let moved_args = moved_args.collect::<Result<Vec<_>, _>>().ok()?;
            let y = self.outputs(moved_args)?;
            (y.len() == weights.len()).then(|| dot(&y, weights))
        };
        let precision = if self.subject.is_single { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let slope = slope(&mut moved, scale, precision);
        let tolerance = if self.subject.is_single { self.tolerance.max(1e-3) } else { self.tolerance };
        let differs = || Mismatch::Differences { place: place.clone(), derivative: ours, slope };
        match slope {
            Slope::Smooth(estimate) => {
                let off = (ours - estimate.slope).abs();
                let allowed =
                    tolerance * estimate.slope.abs().max(ours.abs()) + 20.0 * estimate.error + noise;
                // A NaN is not close to anything.
                if off.is_nan() || off > allowed + 1e-300 {
                    return Err(differs());
                }
                tally.agreed += 1;
                tally.worst = tally.worst.max(off / estimate.slope.abs().max(1.0));
            }
            Slope::Kink { left, right } => {
                let slack =
                    20.0 * (left.error + right.error) + tolerance * (left.slope.abs() + right.slope.abs());
                let (low, high) = (left.slope.min(right.slope), left.slope.max(right.slope));
                if ours.is_nan() || ours < low - slack || ours > high + slack {
                    return Err(differs());
                }
                tally.kinks += 1;
            }
            Slope::Unsettled(_) => tally.unsettled += 1,
        }
        Ok(())
    }
}
