//! Slopes by finite differences, with an error estimate: Ridders' method, central and one-sided.
//!
//! C. J. F. Ridders, Accurate computation of F'(x) and F'(x) F''(x), Adv. Eng. Software 4 (1982).

use std::collections::HashMap;

/// A slope and its estimated error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The slope.
    pub slope: f64,
    /// The estimated error.
    pub error: f64,
}

/// The slope at zero of a function of one number, by differences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Slope {
    /// The function is smooth at zero.
    Smooth(Estimate),
    /// A kink: the one-sided slopes differ.
    Kink {
        /// From below.
        left: Estimate,
        /// From above.
        right: Estimate,
    },
    /// The differences do not converge: a jump, a pole, noise.
    Unsettled(Estimate),
}

/// The factor by which the step is divided in each iteration.
const SHRINK: f64 = 1.6;
/// The number of steps of an extrapolation.
const STEPS: usize = 10;
/// The first steps, relative to the scale.
const STARTS: [f64; 5] = [0.3, 3e-2, 3e-3, 1e-4, 3e-6];
/// The relative error below which the differences have converged.
const CONVERGED: f64 = 1e-3;
/// The relative error below which no smaller step is tried.
const SURE: f64 = 1e-10;

/// The slope at zero of a function that may be undefined at some points; `scale` is the distance at which it
/// varies, and `precision` the relative rounding error of its numbers.
///
/// ```
/// use overdub_ad::check::{Slope, slope};
///
/// let Slope::Smooth(estimate) = slope(&mut |t| Some((1.0 + t).exp()), 1.0, f64::EPSILON) else { panic!("it is smooth") };
/// assert!((estimate.slope - 1.0_f64.exp()).abs() <= 10.0 * estimate.error && estimate.error < 1e-9);
///
/// let Slope::Kink { left, right } = slope(&mut |t| Some(t.abs()), 1.0, f64::EPSILON) else { panic!("it has a kink") };
/// assert_eq!((left.slope, right.slope), (-1.0, 1.0));
/// ```
pub fn slope(f: &mut dyn FnMut(f64) -> Option<f64>, scale: f64, precision: f64) -> Slope {
    // The one-sided and the central slopes use the same points.
    let mut known: HashMap<u64, Option<f64>> = HashMap::new();
    let mut f = |t: f64| *known.entry(t.to_bits()).or_insert_with(|| f(t));
    let center = f(0.0).filter(|y| y.is_finite());
    let flat = center.map_or(0.0, |y| y.abs() * precision / scale);
    // The rounding error of a slope over a step.
    let grain = |slope: f64, h: f64| (flat + slope.abs() * precision) * scale / h;
    let mut from = |side: f64| {
        let center = center?;
        best(scale, 1, &grain, &mut |h| Some((f(side * h)? - center) / (side * h)))
    };
    let (left, right) = (from(-1.0), from(1.0));
    let both = best(scale, 2, &grain, &mut |h| Some((f(h)? - f(-h)?) / (2.0 * h)));
    let has_converged = |estimate: &Estimate| estimate.error <= CONVERGED * estimate.slope.abs() + 1e5 * flat;
    match (left.filter(has_converged), right.filter(has_converged), both.filter(has_converged)) {
        (Some(left), Some(right), _) if differ(left, right) => Slope::Kink { left, right },
        (_, _, Some(both)) if left.is_some() && right.is_some() => Slope::Smooth(both),
        // At the edge of the domain only one side is defined.
        (Some(only), None, None) if right.is_none() => Slope::Smooth(only),
        (None, Some(only), None) if left.is_none() => Slope::Smooth(only),
        _ => Slope::Unsettled(both.or(left).or(right).unwrap_or(UNKNOWN)),
    }
}

const UNKNOWN: Estimate = Estimate { slope: f64::NAN, error: f64::INFINITY };

/// Whether two slopes differ by more than their errors and by more than rounding explains.
fn differ(left: Estimate, right: Estimate) -> bool {
    let gap = (left.slope - right.slope).abs();
    gap > 10.0 * (left.error + right.error) && gap > 1e-4 * (left.slope.abs() + right.slope.abs())
}

/// The rounding error of a slope over a step.
type Grain<'g> = &'g dyn Fn(f64, f64) -> f64;

/// The extrapolation with the least error over all first steps. Each column of the extrapolation removes
/// `order` powers of the step from the error.
///
/// Differences over many periods of a function may agree by chance: if those over smaller steps have converged to another
/// slope, that counts.
fn best(
    scale: f64,
    order: i32,
    grain: Grain<'_>,
    quotient: &mut dyn FnMut(f64) -> Option<f64>,
) -> Option<Estimate> {
    let mut best: Option<Estimate> = None;
    for start in STARTS {
        let Some(found) = extrapolated(start * scale, order, grain, quotient) else { continue };
        let contradicts = |best: Estimate| {
            found.error <= CONVERGED * found.slope.abs()
                && (found.slope - best.slope).abs() > 10.0 * (found.error + best.error)
        };
        if best.is_none_or(|best| found.error < best.error || contradicts(best)) {
            best = Some(found);
        }
        if best.is_some_and(|best| best.error <= SURE * best.slope.abs()) {
            break;
        }
    }
    best
}

fn extrapolated(
    start: f64,
    order: i32,
    grain: Grain<'_>,
    quotient: &mut dyn FnMut(f64) -> Option<f64>,
) -> Option<Estimate> {
    let mut h = start;
    let mut row = vec![quotient(h).filter(|slope| slope.is_finite())?];
    let mut best: Option<Estimate> = None;
    for _ in 1..STEPS {
        h /= SHRINK;
        let mut next = vec![quotient(h).filter(|slope| slope.is_finite())?];
        let mut factor = 1.0;
        for before in &row {
            factor *= SHRINK.powi(order);
            let last = next[next.len() - 1];
            let better = (last * factor - before) / (factor - 1.0);
            let error = (better - last).abs().max((better - before).abs()).max(grain(better, h));
            if best.is_none_or(|best| error < best.error) {
                best = Some(Estimate { slope: better, error });
            }
            next.push(better);
        }
        let drift = (next[next.len() - 1] - row[row.len() - 1]).abs();
        row = next;
        if best.is_some_and(|best| drift >= 2.0 * best.error && drift > 0.0) && row.len() > 4 {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smooth(mut f: impl FnMut(f64) -> f64) -> Estimate {
        match slope(&mut |t| Some(f(t)), 1.0, f64::EPSILON) {
            Slope::Smooth(estimate) => estimate,
            other => panic!("not smooth: {other:?}"),
        }
    }

    #[test]
    fn slopes_are_as_near_as_they_say() {
        type Case = (fn(f64) -> f64, f64);
        let cases: [Case; 6] = [
            (|t| (2.0 + t).powi(5), 80.0),
            (|t| (0.3 + t).sin(), 0.955_336_489_125_606),
            (|t| (1.0 + t).ln() * 1e6, 1e6),
            (|_| 3.5, 0.0),
            (|t| (20.0 + t).exp(), 20.0_f64.exp()),
            (|t| f64::from((1.0 + t) as f32 * 2.0), 2.0),
        ];
        for (number, (f, expected)) in cases.into_iter().enumerate() {
            let found = smooth(f);
            let off = (found.slope - expected).abs();
            assert!(off <= 20.0 * found.error + 1e-12 * expected.abs(), "{number}: {found:?} {expected}");
            assert!(found.error <= 1e-3 * (1.0 + expected.abs()), "{number}: {found:?}");
        }
    }

    #[test]
    fn numbers_of_single_precision_are_not_asked_for_more_than_they_have() {
        let mut single = |t: f64| Some(f64::from(((1.364_953_2 + t) as f32).powi(2)));
        let Slope::Smooth(found) = slope(&mut single, 1.0, f64::from(f32::EPSILON)) else {
            panic!("it is smooth")
        };
        assert!((found.slope - 2.729_906_4).abs() <= 5.0 * found.error && found.error < 1e-3, "{found:?}");
    }

    #[test]
    fn a_function_may_have_many_periods_within_its_scale() {
        // As of a planet's position on the date 2451545.
        for phase in 0..20 {
            let phase = f64::from(phase);
            let mut f = |t: f64| Some(100.0 * (0.0172 * t + phase).sin() + 0.02 * (0.5 * t).sin());
            let Slope::Smooth(found) = slope(&mut f, 2_451_545.0, f64::EPSILON) else {
                panic!("it is smooth")
            };
            let expected = 1.72 * phase.cos() + 0.01;
            assert!((found.slope - expected).abs() <= 20.0 * found.error, "{phase}: {found:?} {expected}");
        }
    }

    #[test]
    fn a_kink_is_told_by_its_sides() {
        let Slope::Kink { left, right } =
            slope(&mut |t| Some(if t < 0.0 { 2.0 * t } else { t * t + t }), 1.0, f64::EPSILON)
        else {
            panic!("a kink")
        };
        assert!((left.slope - 2.0).abs() < 1e-6 && (right.slope - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_jump_and_noise_do_not_settle() {
        let jump = slope(&mut |t| Some(t.floor()), 1.0, f64::EPSILON);
        assert!(matches!(jump, Slope::Unsettled(_)), "{jump:?}");
        let mut state = 1_u32;
        let noise = slope(
            &mut |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                Some(f64::from(state))
            },
            1.0,
            f64::EPSILON,
        );
        assert!(matches!(noise, Slope::Unsettled(_)), "{noise:?}");
    }

    #[test]
    fn the_edge_of_a_domain_has_the_slope_of_its_side() {
        let found = slope(&mut |t| (t >= 0.0).then_some(t * 3.0 + t * t), 1.0, f64::EPSILON);
        let Slope::Smooth(estimate) = found else { panic!("{found:?}") };
        assert!((estimate.slope - 3.0).abs() < 1e-6);
    }
}
