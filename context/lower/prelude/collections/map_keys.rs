//! Iterators over the keys or the values of a map.

use crate::fmt;
use crate::marker::PhantomData;

macro_rules! iterate {
    ($($name:ident $One:ident [$($life:tt)*] $Item:ty, $Elem:ident $Other:ident, $Inner:ty;)*) => {$(
        pub struct $One<$($life)* K, V> {
            inner: $Inner,
            other: PhantomData<$Other>,
        }

        pub fn $name<$($life)* K, V>(inner: $Inner) -> $One<$($life)* K, V> {
            $One { inner, other: PhantomData }
        }

        impl<$($life)* K, V> Iterator for $One<$($life)* K, V> {
            type Item = $Item;

            fn next(&mut self) -> Option<$Item> {
                self.inner.next()
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.inner.size_hint()
            }
        }

        impl<$($life)* K, V> DoubleEndedIterator for $One<$($life)* K, V> {
            fn next_back(&mut self) -> Option<$Item> {
                self.inner.next_back()
            }
        }

        impl<$($life)* K, V> ExactSizeIterator for $One<$($life)* K, V> {}
    )*};
}

iterate! {
    keys Keys ['a,] &'a K, K V, crate::slice::Iter<'a, K>;
    values Values ['a,] &'a V, V K, crate::slice::Iter<'a, V>;
    values_mut ValuesMut ['a,] &'a mut V, V K, crate::slice::IterMut<'a, V>;
    into_keys IntoKeys [] K, K V, crate::vec::IntoIter<K>;
    into_values IntoValues [] V, V K, crate::vec::IntoIter<V>;
}

macro_rules! shown {
    ($($One:ident [$($life:tt)*] $Elem:ident;)*) => {$(
        impl<$($life)* K, V> fmt::Debug for $One<$($life)* K, V>
        where
            $Elem: fmt::Debug,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.inner.as_slice()).finish()
            }
        }
    )*};
}

#[impls(Debug)]
shown! {
    Keys ['a,] K;
    Values ['a,] V;
    IntoKeys [] K;
    IntoValues [] V;
}

impl<K, V> Clone for Keys<'_, K, V> {
    fn clone(&self) -> Self {
        keys(self.inner.clone())
    }
}

impl<K, V> Clone for Values<'_, K, V> {
    fn clone(&self) -> Self {
        values(self.inner.clone())
    }
}
