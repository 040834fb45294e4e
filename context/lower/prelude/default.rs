//! Default values.

#[lang("default")]
pub trait Default: Sized {
    fn default() -> Self;
}

macro_rules! default {
    ($($T:ident $value:expr;)*) => {$(
        impl Default for $T {
            fn default() -> $T {
                $value
            }
        }
    )*};
}

#[impls(Default)]
default! {
    f64 0.0; f32 0.0; bool false; char '\0';
    i8 0; i16 0; i32 0; i64 0; i128 0; isize 0; u8 0; u16 0; u32 0; u64 0; u128 0; usize 0;
}

impl Default for () {
    fn default() {}
}

impl Default for &str {
    fn default() -> Self {
        ""
    }
}

impl<T> Default for &[T] {
    fn default() -> Self {
        &[]
    }
}

impl<T> Default for &mut [T] {
    fn default() -> Self {
        crate::vec::Vec::new().leak()
    }
}

impl Default for &mut str {
    fn default() -> Self {
        crate::string::String::new().leak()
    }
}
