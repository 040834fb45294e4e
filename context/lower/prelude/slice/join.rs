//! Joining of slices and texts.

use crate::borrow::Borrow;

pub trait Concat<Item: ?Sized> {
    type Output;
    fn concat(slice: &Self) -> Self::Output;
}

pub trait Join<Separator> {
    type Output;
    fn join(slice: &Self, sep: Separator) -> Self::Output;
}

impl<T: Clone, V: Borrow<[T]>> Concat<T> for [V] {
    type Output = Vec<T>;

    fn concat(slice: &[V]) -> Vec<T> {
        let mut elems = Vec::new();
        for piece in slice.iter() {
            elems.extend_from_slice(piece.borrow());
        }
        elems
    }
}

impl<S: Borrow<str>> Concat<str> for [S] {
    type Output = String;

    fn concat(slice: &[S]) -> String {
        let mut text = String::new();
        for piece in slice.iter() {
            text.push_str(piece.borrow());
        }
        text
    }
}

impl<S: Borrow<str>> Join<&str> for [S] {
    type Output = String;

    fn join(slice: &[S], sep: &str) -> String {
        let mut text = String::new();
        let mut first = true;
        for piece in slice.iter() {
            if !first {
                text.push_str(sep);
            }
            first = false;
            text.push_str(piece.borrow());
        }
        text
    }
}

impl<T: Clone, V: Borrow<[T]>> Join<&T> for [V] {
    type Output = Vec<T>;

    fn join(slice: &[V], sep: &T) -> Vec<T> {
        let mut elems = Vec::new();
        let mut first = true;
        for piece in slice.iter() {
            if !first {
                elems.push(T::clone(sep));
            }
            first = false;
            elems.extend_from_slice(piece.borrow());
        }
        elems
    }
}

impl<T: Clone, V: Borrow<[T]>> Join<&[T]> for [V] {
    type Output = Vec<T>;

    fn join(slice: &[V], sep: &[T]) -> Vec<T> {
        let mut elems = Vec::new();
        let mut first = true;
        for piece in slice.iter() {
            if !first {
                elems.extend_from_slice(sep);
            }
            first = false;
            elems.extend_from_slice(piece.borrow());
        }
        elems
    }
}
