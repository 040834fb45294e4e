//! Sums and products.

pub trait Sum<A = Self>: Sized {
    fn sum<I: Iterator<Item = A>>(iter: I) -> Self;
}

pub trait Product<A = Self>: Sized {
    fn product<I: Iterator<Item = A>>(iter: I) -> Self;
}

macro_rules! sums {
    (($zero:expr, $one:expr) $($T:ident)*) => {$(
        impl Sum for $T {
            fn sum<I: Iterator<Item = $T>>(mut iter: I) -> $T {
                let mut total: $T = $zero;
                iter.__before_fold();
                while let Some(x) = iter.next() {
                    total += x;
                }
                total
            }
        }

        impl<'a> Sum<&'a $T> for $T {
            fn sum<I: Iterator<Item = &'a $T>>(mut iter: I) -> $T {
                let mut total: $T = $zero;
                iter.__before_fold();
                while let Some(x) = iter.next() {
                    total += *x;
                }
                total
            }
        }

        impl Product for $T {
            fn product<I: Iterator<Item = $T>>(mut iter: I) -> $T {
                let mut total: $T = $one;
                iter.__before_fold();
                while let Some(x) = iter.next() {
                    total *= x;
                }
                total
            }
        }

        impl<'a> Product<&'a $T> for $T {
            fn product<I: Iterator<Item = &'a $T>>(mut iter: I) -> $T {
                let mut total: $T = $one;
                iter.__before_fold();
                while let Some(x) = iter.next() {
                    total *= *x;
                }
                total
            }
        }
    )*};
}

#[impls(Sum, Product)]
sums! { (-0.0, 1.0) f64 f32 }
#[impls(Sum, Product)]
sums! { (0, 1) i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl<T, U: Sum<T>> Sum<Option<T>> for Option<U> {
    fn sum<I: Iterator<Item = Option<T>>>(mut iter: I) -> Option<U> {
        let mut items = Vec::new();
        while let Some(item) = iter.next() {
            items.push(item?);
        }
        Some(U::sum(items.into_iter()))
    }
}

impl<T, U: Product<T>> Product<Option<T>> for Option<U> {
    fn product<I: Iterator<Item = Option<T>>>(mut iter: I) -> Option<U> {
        let mut items = Vec::new();
        while let Some(item) = iter.next() {
            items.push(item?);
        }
        Some(U::product(items.into_iter()))
    }
}

impl<T, U: Sum<T>, E> Sum<Result<T, E>> for Result<U, E> {
    fn sum<I: Iterator<Item = Result<T, E>>>(mut iter: I) -> Result<U, E> {
        let mut items = Vec::new();
        while let Some(item) = iter.next() {
            match item {
                Ok(x) => items.push(x),
                Err(e) => return Err(e),
            }
        }
        Ok(U::sum(items.into_iter()))
    }
}

impl<T, U: Product<T>, E> Product<Result<T, E>> for Result<U, E> {
    fn product<I: Iterator<Item = Result<T, E>>>(mut iter: I) -> Result<U, E> {
        let mut items = Vec::new();
        while let Some(item) = iter.next() {
            match item {
                Ok(x) => items.push(x),
                Err(e) => return Err(e),
            }
        }
        Ok(U::product(items.into_iter()))
    }
}
