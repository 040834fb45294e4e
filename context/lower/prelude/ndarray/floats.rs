//! Element-wise functions of floats.

use crate::dim::*;
use crate::{Array, ArrayBase, Data, NdFloat};

macro_rules! functions {
    ($($name:ident)*) => {
        impl<A: NdFloat, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
            $(pub fn $name(&self) -> Array<A, D> {
                self.mapv(|x| x.$name())
            })*

            pub fn powi(&self, rhs: i32) -> Array<A, D> {
                self.mapv(|x| x.powi(rhs))
            }

            pub fn powf(&self, rhs: A) -> Array<A, D> {
                self.mapv(|x| x.powf(rhs))
            }

            pub fn log(&self, rhs: A) -> Array<A, D> {
                self.mapv(|x| x.log(rhs))
            }

            pub fn abs_sub(&self, rhs: A) -> Array<A, D> {
                self.mapv(|x| if x <= rhs { A::zero() } else { x - rhs })
            }

            pub fn hypot(&self, rhs: A) -> Array<A, D> {
                self.mapv(|x| x.hypot(rhs))
            }

            pub fn pow2(&self) -> Array<A, D> {
                self.mapv(|x| x * x)
            }

            pub fn clamp(&self, min: A, max: A) -> Array<A, D> {
                assert!(min <= max, "min must be less than or equal to max");
                self.mapv(|x| x.clamp(min, max))
            }
        }
    };
}

functions! {
    floor ceil round trunc fract abs signum recip sqrt exp exp2 ln log2 log10 cbrt sin cos tan asin acos atan exp_m1
    ln_1p sinh cosh tanh asinh acosh atanh to_degrees to_radians
}
