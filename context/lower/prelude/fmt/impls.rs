//! Formatting of all other types.

use super::{Arguments, Debug, Display, Formatter, Result};

impl Display for str {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(self)
    }
}

impl Display for String {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(self)
    }
}

impl Display for bool {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(if *self { "true" } else { "false" })
    }
}

impl Debug for bool {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(self, f)
    }
}

impl Display for char {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(&self.to_string())
    }
}

#[op("fmt.char_debug")]
fn char_debug(c: char) -> String;

#[op("fmt.str_debug")]
fn str_debug(s: &str) -> String;

impl Debug for char {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&char_debug(*self))
    }
}

impl Debug for str {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&str_debug(self))
    }
}

impl Debug for String {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&str_debug(self))
    }
}

impl Display for Arguments<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_fmt(self.clone())
    }
}

impl Debug for Arguments<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_fmt(self.clone())
    }
}

impl Debug for () {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad("()")
    }
}

impl Debug for ! {
    fn fmt(&self, _f: &mut Formatter<'_>) -> Result {
        *self
    }
}

impl Display for ! {
    fn fmt(&self, _f: &mut Formatter<'_>) -> Result {
        *self
    }
}

impl<T: Debug> Debug for [T] {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Debug> Debug for Vec<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Debug, const N: usize> Debug for [T; N] {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

macro_rules! tuples {
    ($($T:ident $i:tt)*) => {
        impl<$($T: Debug),*> Debug for ($($T,)*) {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let mut builder = f.debug_tuple("");
                $(builder.field(&self.$i);)*
                builder.finish()
            }
        }
    };
}

#[impls(Debug)]
tuples! { A 0 }
#[impls(Debug)]
tuples! { A 0 B 1 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 E 4 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 }
#[impls(Debug)]
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 }
