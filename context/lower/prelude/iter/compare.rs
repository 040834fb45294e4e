//! Two iterators compared item by item.

use crate::cmp::Ordering;

pub fn cmp<A: Iterator, B: Iterator<Item = A::Item>>(mut a: A, mut b: B) -> Ordering
where
    A::Item: Ord,
{
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) => match Ord::cmp(&x, &y) {
                Ordering::Equal => {}
                order => return order,
            },
        }
    }
}

pub fn partial_cmp<A: Iterator, B: Iterator>(mut a: A, mut b: B) -> Option<Ordering>
where
    A::Item: PartialOrd<B::Item>,
{
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Some(Ordering::Equal),
            (None, Some(_)) => return Some(Ordering::Less),
            (Some(_), None) => return Some(Ordering::Greater),
            (Some(x), Some(y)) => match PartialOrd::partial_cmp(&x, &y) {
                Some(Ordering::Equal) => {}
                order => return order,
            },
        }
    }
}

/// Requests no item if the lengths are trusted and differ.
pub fn eq<A: Iterator, B: Iterator>(mut a: A, mut b: B) -> bool
where
    A::Item: PartialEq<B::Item>,
{
    if A::__trusted_len() && B::__trusted_len() && a.size_hint().1 != b.size_hint().1 {
        return false;
    }
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(x), Some(y)) if x == y => {}
            _ => return false,
        }
    }
}
