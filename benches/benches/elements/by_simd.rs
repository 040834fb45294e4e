//! Functions for all elements by SIMD instructions, as one would write them by hand.

use pulp::{Arch, Simd, WithSimd};

struct Escape<'a> {
    re: &'a [f64],
    im: &'a [f64],
    steps: &'a mut [f64],
}

impl WithSimd for Escape<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let [two, four, one, zero] = [2.0, 4.0, 1.0, 0.0].map(|x| simd.splat_f64s(x));
        let (all_re, all_im) = (S::as_simd_f64s(self.re).0, S::as_simd_f64s(self.im).0);
        for ((re, im), steps) in all_re.iter().zip(all_im).zip(S::as_mut_simd_f64s(self.steps).0) {
            let (mut x, mut y, mut count) = (zero, zero, zero);
            for _ in 0..2000 {
                let (xx, yy) = (simd.mul_f64s(x, x), simd.mul_f64s(y, y));
                let is_inside = simd.less_than_or_equal_f64s(simd.add_f64s(xx, yy), four);
                if simd.first_true_m64s(is_inside) == S::F64_LANES {
                    break;
                }
                count = simd.add_f64s(count, simd.select_f64s(is_inside, one, zero));
                // Points that have left stay outside.
                let doubled = simd.mul_f64s(simd.mul_f64s(two, x), y);
                (x, y) = (simd.add_f64s(simd.sub_f64s(xx, yy), *re), simd.add_f64s(doubled, *im));
            }
            *steps = count;
        }
    }
}

/// How many steps each point takes to leave, of as many points as a multiple of the lanes of a vector.
pub(crate) fn escapes(re: &[f64], im: &[f64]) -> Vec<f64> {
    let mut steps = vec![0.0; re.len()];
    Arch::new().dispatch(Escape { re, im, steps: &mut steps });
    steps
}
