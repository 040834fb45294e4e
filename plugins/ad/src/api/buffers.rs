//! Derivatives into buffers that the caller owns.

use overdub_context::engine::OutSlot;
use overdub_context::value::Value;
use overdub_lower::api::Error;

use crate::transform::plain_first::any_nan;

/// The destinations of derivatives: for each argument a buffer of its shape, `&mut f64` for a number,
/// `&mut [f64]` for an array, `()` to discard the derivative.
pub trait Buffers {
    /// Stores a derivative.
    ///
    /// # Errors
    /// If the derivative does not have the shape of the buffer.
    fn fill(self, derivative: &Value<'_>) -> Result<(), Error>;

    /// This buffer as one output slot, if a prepared call can write derivatives there.
    fn place(&mut self) -> Option<OutSlot<'_>> {
        None
    }

    /// Whether a number in the buffers is NaN; yes if that is not known.
    fn hold_nan(&self) -> bool {
        true
    }

    /// Passes `_first` and the slots of a tuple of buffers to `_act`; none if a buffer is not a single slot.
    fn with_places<R>(
        &mut self,
        _first: OutSlot<'_>,
        _act: impl FnOnce(&mut [OutSlot<'_>]) -> R,
    ) -> Option<R> {
        None
    }
}

#[cold]
fn misfit(derivative: &Value<'_>, buffer: &str) -> Error {
    let message = format!("a derivative of type `{}` does not fit into {buffer}", derivative.ty());
    Error::new(message)
        .with_help("give a buffer of the shape of the argument, or `()` where it is not wanted")
}

impl Buffers for () {
    fn fill(self, _: &Value<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn place(&mut self) -> Option<OutSlot<'_>> {
        Some(OutSlot::Unwanted)
    }

    #[inline]
    fn hold_nan(&self) -> bool {
        false
    }
}

macro_rules! buffers {
    ($($float:ident $variant:ident $one:expr, $several:expr, $is_nan:expr, $any_nan:expr;)*) => {$(
        impl Buffers for &mut $float {
            fn fill(self, derivative: &Value<'_>) -> Result<(), Error> {
                let Value::$variant(dx) = derivative else { return Err(misfit(derivative, "a number")) };
                *self = *dx;
                Ok(())
            }

            #[inline]
            fn place(&mut self) -> Option<OutSlot<'_>> {
                $one(&mut **self)
            }

            #[inline]
            fn hold_nan(&self) -> bool {
                $is_nan(**self)
            }
        }

        impl Buffers for &mut [$float] {
            fn fill(self, derivative: &Value<'_>) -> Result<(), Error> {
                let floats = derivative.as_array().and_then(|array| array.as_slice::<$float>());
                match floats {
                    Some(floats) if floats.len() == self.len() => {
                        self.copy_from_slice(floats);
                        Ok(())
                    }
                    _ => Err(misfit(derivative, &format!("a buffer of {} numbers", self.len()))),
                }
            }

            #[inline]
            fn place(&mut self) -> Option<OutSlot<'_>> {
                $several(&mut **self)
            }

            #[inline]
            fn hold_nan(&self) -> bool {
                $any_nan(&**self)
            }
        }
    )*};
}

buffers! {
    f64 F64 |dx| Some(OutSlot::F64(dx)), |dx| Some(OutSlot::F64s(dx)), f64::is_nan, any_nan;
    f32 F32 |_| None, |_| None, |_| true, |_| true;
}

macro_rules! tuples {
    ($($($part:ident $number:tt)+;)*) => {$(
        impl<$($part: Buffers),+> Buffers for ($($part,)+) {
            fn fill(self, derivative: &Value<'_>) -> Result<(), Error> {
                let parts = derivative.as_composite().map(|tuple| &tuple.parts[..]).unwrap_or_default();
                let count = [$($number),+].len();
                if parts.len() != count {
                    return Err(misfit(derivative, &format!("{count} buffers")));
                }
                $(self.$number.fill(&parts[$number])?;)+
                Ok(())
            }

            #[inline]
            fn hold_nan(&self) -> bool {
                false $(|| self.$number.hold_nan())+
            }

            #[inline]
            fn with_places<R>(
                &mut self,
                first: OutSlot<'_>,
                act: impl FnOnce(&mut [OutSlot<'_>]) -> R,
            ) -> Option<R> {
                Some(act(&mut [first, $(self.$number.place()?),+]))
            }
        }
    )*};
}

overdub_context::for_each_tuple!(tuples);
