//! Conversions between vectors, arrays, slices and boxes.

use super::Vec;

impl<T> AsRef<[T]> for Vec<T> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> AsMut<[T]> for Vec<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T> AsRef<Vec<T>> for Vec<T> {
    fn as_ref(&self) -> &Vec<T> {
        self
    }
}

impl<T: Clone> From<&[T]> for Vec<T> {
    fn from(s: &[T]) -> Vec<T> {
        s.to_vec()
    }
}

impl<T: Clone> From<&mut [T]> for Vec<T> {
    fn from(s: &mut [T]) -> Vec<T> {
        s.to_vec()
    }
}

impl<T, const N: usize> From<[T; N]> for Vec<T> {
    #[op("id")]
    fn from(s: [T; N]) -> Vec<T>;
}

impl<T: Clone, const N: usize> From<&[T; N]> for Vec<T> {
    fn from(s: &[T; N]) -> Vec<T> {
        s.to_vec()
    }
}

impl<T> From<Box<[T]>> for Vec<T> {
    #[op("id")]
    fn from(s: Box<[T]>) -> Vec<T>;
}

impl<T> From<Vec<T>> for Box<[T]> {
    #[op("id")]
    fn from(s: Vec<T>) -> Box<[T]>;
}

impl<T, const N: usize> From<[T; N]> for Box<[T]> {
    #[op("id")]
    fn from(s: [T; N]) -> Box<[T]>;
}

impl<T: Clone> From<&[T]> for Box<[T]> {
    fn from(s: &[T]) -> Box<[T]> {
        s.to_vec().into_boxed_slice()
    }
}

impl From<String> for Vec<u8> {
    fn from(s: String) -> Vec<u8> {
        s.into_bytes()
    }
}

impl From<&str> for Vec<u8> {
    fn from(s: &str) -> Vec<u8> {
        s.as_bytes().to_vec()
    }
}
