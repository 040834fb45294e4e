//! Tuples: their order, equality, defaults and how they are passed, part by part.

use crate::cmp::Ordering;
use crate::entry::Entry;

macro_rules! tuples {
    ($($T:ident $i:tt)*) => {
        impl<$($T: PartialEq),*> PartialEq for ($($T,)*) {
            fn eq(&self, other: &($($T,)*)) -> bool {
                $(self.$i == other.$i)&&*
            }
        }

        impl<$($T: Eq),*> Eq for ($($T,)*) {}

        impl<$($T: PartialOrd),*> PartialOrd for ($($T,)*) {
            fn partial_cmp(&self, other: &($($T,)*)) -> Option<Ordering> {
                $(
                    match PartialOrd::partial_cmp(&self.$i, &other.$i) {
                        Some(Ordering::Equal) => {}
                        order => return order,
                    }
                )*
                Some(Ordering::Equal)
            }
        }

        impl<$($T: Ord),*> Ord for ($($T,)*) {
            fn cmp(&self, other: &($($T,)*)) -> Ordering {
                $(
                    match Ord::cmp(&self.$i, &other.$i) {
                        Ordering::Equal => {}
                        order => return order,
                    }
                )*
                Ordering::Equal
            }
        }

        impl<$($T: Default),*> Default for ($($T,)*) {
            fn default() -> ($($T,)*) {
                ($($T::default(),)*)
            }
        }

        impl<$($T: crate::hash::Hash),*> crate::hash::Hash for ($($T,)*) {
            fn hash<State: crate::hash::Hasher>(&self, state: &mut State) {
                $(self.$i.hash(state);)*
            }
        }

        impl<$($T: Entry),*> Entry for ($($T,)*) {
            type Passed = ($($T::Passed,)*);

            fn enter(passed: ($($T::Passed,)*)) -> ($($T,)*) {
                ($($T::enter(passed.$i),)*)
            }

            fn leave(self) -> ($($T::Passed,)*) {
                ($(self.$i.leave(),)*)
            }
        }
    };
}

#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 E 4 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 }
#[impls(PartialEq, Eq, PartialOrd, Ord, Default, Hash, Entry)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 }

macro_rules! from_array {
    ($($n:literal ($($T:ident)*) ($($x:ident)*);)*) => {$(
        impl<T> From<[T; $n]> for ($($T,)*) {
            fn from(array: [T; $n]) -> ($($T,)*) {
                let [$($x),*] = array;
                ($($x,)*)
            }
        }

        impl<T> From<($($T,)*)> for [T; $n] {
            fn from(tuple: ($($T,)*)) -> [T; $n] {
                let ($($x,)*) = tuple;
                [$($x),*]
            }
        }
    )*};
}

#[impls(From)]
from_array! {
    1 (T) (a);
    2 (T T) (a b);
    3 (T T T) (a b c);
    4 (T T T T) (a b c d);
    5 (T T T T T) (a b c d e);
    6 (T T T T T T) (a b c d e f);
}
