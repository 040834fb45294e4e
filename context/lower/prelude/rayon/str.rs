//! Texts by their parts.

use crate::iter::Par;

pub trait ParallelString {
    fn as_parallel_string(&self) -> &str;

    fn par_chars(&self) -> Par<std::str::Chars<'_>> {
        Par(self.as_parallel_string().chars())
    }

    fn par_bytes(&self) -> Par<std::str::Bytes<'_>> {
        Par(self.as_parallel_string().bytes())
    }

    fn par_lines(&self) -> Par<std::str::Lines<'_>> {
        Par(self.as_parallel_string().lines())
    }

    fn par_split_whitespace(&self) -> Par<std::str::SplitWhitespace<'_>> {
        Par(self.as_parallel_string().split_whitespace())
    }
}

impl ParallelString for str {
    fn as_parallel_string(&self) -> &str {
        self
    }
}
