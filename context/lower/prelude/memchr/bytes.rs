//! The places of one byte, or of any of several bytes.

use std::iter::{FusedIterator, Rev};

macro_rules! searches {
    ($($first:ident $last:ident $all:ident $all_back:ident $Places:ident: $($needle:ident)*;)*) => {$(
        pub fn $first($($needle: u8,)* haystack: &[u8]) -> Option<usize> {
            haystack.iter().position(|byte| $(*byte == $needle)||*)
        }

        pub fn $last($($needle: u8,)* haystack: &[u8]) -> Option<usize> {
            haystack.iter().rposition(|byte| $(*byte == $needle)||*)
        }

        pub fn $all<'h>($($needle: u8,)* haystack: &'h [u8]) -> $Places<'h> {
            $Places::new($($needle,)* haystack)
        }

        pub fn $all_back($($needle: u8,)* haystack: &[u8]) -> Rev<$Places<'_>> {
            $Places::new($($needle,)* haystack).rev()
        }

        /// The places in what is between those found from the front and from the back.
        #[derive(Clone, Debug)]
        pub struct $Places<'h> {
            $($needle: u8,)*
            haystack: &'h [u8],
            from: usize,
            to: usize,
        }

        impl<'h> $Places<'h> {
            pub fn new($($needle: u8,)* haystack: &'h [u8]) -> $Places<'h> {
                $Places { $($needle,)* haystack, from: 0, to: haystack.len() }
            }
        }

        impl<'h> Iterator for $Places<'h> {
            type Item = usize;

            fn next(&mut self) -> Option<usize> {
                let at = self.from + $first($(self.$needle,)* &self.haystack[self.from..self.to])?;
                self.from = at + 1;
                Some(at)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (0, Some(self.to - self.from))
            }
        }

        impl<'h> DoubleEndedIterator for $Places<'h> {
            fn next_back(&mut self) -> Option<usize> {
                let at = self.from + $last($(self.$needle,)* &self.haystack[self.from..self.to])?;
                self.to = at;
                Some(at)
            }
        }

        impl<'h> FusedIterator for $Places<'h> {}
    )*};
}

searches! {
    memchr memrchr memchr_iter memrchr_iter Memchr: needle1;
    memchr2 memrchr2 memchr2_iter memrchr2_iter Memchr2: needle1 needle2;
    memchr3 memrchr3 memchr3_iter memrchr3_iter Memchr3: needle1 needle2 needle3;
}
