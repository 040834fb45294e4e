//! Gradients by ad_trait: by a tape, and by several tangents at once.

use ad_trait::AD;
use ad_trait::forward_ad::adfn::adfn;
use ad_trait::reverse_ad::adr::adr;
use simba::scalar::ComplexField;

use super::number::{Number, number};
use super::programs::Program;
use super::{Rows, by_tangents, fill};

/// Its numbers are complex fields to simba.
macro_rules! field {
    (($($of:tt)*) $number:ty) => {
        number! {
            ($($of)*) $number, |x, c| AD::mul_scalar(c, x), AD::add_scalar(c, x);
            sin: ComplexField::sin(x), cos: ComplexField::cos(x), tanh: ComplexField::tanh(x),
            exp: ComplexField::exp(x), ln: ComplexField::ln(x), sqrt: ComplexField::sqrt(x),
            inverse: ComplexField::recip(x)
        }
    };
}

field!(() adr);
field!((<const N: usize>) adfn<N>);

pub(super) fn by_tape<const R: usize>(program: &impl Program<R>, x: &[f64], rows: Rows<'_>) {
    let inputs: Vec<adr> = x.iter().enumerate().map(|(at, &x)| adr::new_variable(x, at == 0)).collect();
    for (y, row) in program.run(&inputs).iter().zip(rows) {
        let gradient = y.get_backwards_mode_grad();
        fill(row, y.to_constant(), inputs.iter().map(|input| gradient.wrt(input)));
    }
}

pub(super) fn by_lanes<const R: usize, const L: usize>(program: &impl Program<R>, x: &[f64], rows: Rows<'_>) {
    let seeded = |x, lane: Option<usize>| {
        adfn::<L>::new(x, std::array::from_fn(|at| f64::from(u8::from(Some(at) == lane))))
    };
    by_tangents(program, x, rows, seeded, |y| (y.value(), y.tangent()));
}
