//! A chain of springs, with its derivatives beside it: in a form of its own, and in that of `std::autodiff`.

use overdub_attributes::{autodiff_reverse, derivative};

/// The energy of a chain of springs between positions; each spring has a length of one at rest.
///
/// ```
/// use exported_derivatives::spring::{denergy, energy, energy_gradient};
///
/// let (positions, stiffness) = ([0.0, 1.5, 2.0], 4.0);
/// let (dpositions, dstiffness) = energy_gradient(&positions, stiffness);
/// assert_eq!(dpositions, [-2.0, 4.0, -2.0]);
/// assert_eq!(dstiffness, energy(&positions, 1.0));
///
/// let mut shadow = [0.0; 3];
/// let value = denergy(&positions, &mut shadow, stiffness, 1.0);
/// assert_eq!(value, energy(&positions, stiffness));
/// assert_eq!(shadow[..], dpositions);
/// ```
#[derivative(gradient)]
#[autodiff_reverse(denergy, Duplicated, Const, Active)]
pub fn energy(positions: &[f64], stiffness: f64) -> f64 {
    positions.windows(2).map(|ends| 0.5 * stiffness * (ends[1] - ends[0] - 1.0).powi(2)).sum()
}
