//! The nesting depth of a text, which bounds recursion over it.
//!
//! - DEPTH1 recursion over the syntax tree of a text descends at most one level per token between two
//!   separators, at each level of enclosing brackets: that covers prefixes, operators and `else if`, however
//!   they are parsed.

use super::lexer::{Lexer, Tok};

/// Deeper nesting is rejected: hand-written code does not reach it, and program generators keep intermediate
/// results in variables.
pub(crate) const MOST_LEVELS: usize = 1 << 14;

/// The stack space of one level; frames that are not optimised are large.
const LEVEL_BYTES: usize = if cfg!(debug_assertions) { 32 << 10 } else { 8 << 10 };

/// DEPTH1: an upper bound on the number of levels.
pub(crate) fn levels(text: &str, lo: u32, hi: u32) -> usize {
    /// For one bracket: the tokens since the last separator, the deepest bracket among them, and the largest
    /// sum of both before.
    #[derive(Clone, Copy, Default)]
    struct Bracket {
        tokens: usize,
        inner: usize,
        most: usize,
    }
    impl Bracket {
        fn depth(self) -> usize {
            self.most.max(self.tokens + self.inner)
        }
    }
    let mut enclosing: Vec<Bracket> = Vec::new();
    let mut current = Bracket::default();
    for token in Lexer::new(text, lo as usize, hi as usize) {
        current.tokens += 1;
        match token.kind {
            Tok::Open => enclosing.push(std::mem::take(&mut current)),
            Tok::Close => {
                let depth = current.depth();
                current = enclosing.pop().unwrap_or_default();
                current.inner = current.inner.max(depth);
            }
            _ if matches!(token.text(text), "," | ";") => {
                current = Bracket { most: current.depth(), ..Bracket::default() };
            }
            _ => {}
        }
    }
    enclosing
        .iter()
        .rev()
        .fold(current.depth(), |depth, outer| outer.tokens + depth.max(outer.inner))
        .max(current.depth())
}

/// Runs a recursion over a text with this number of levels on a sufficiently large stack.
pub(crate) fn with_stack_for<R>(levels: usize, run: impl FnOnce() -> R) -> R {
    let needed = (128 << 10) + levels.min(MOST_LEVELS) * LEVEL_BYTES;
    stacker::maybe_grow(needed, needed, run)
}

#[cfg(test)]
mod tests {
    use super::levels;

    fn of(text: &str) -> usize {
        levels(text, 0, text.len() as u32)
    }

    #[test]
    fn separators_end_a_level_and_brackets_add_one() {
        assert_eq!(of("a + b; c"), 4, "with what ends it");
        assert_eq!(of("f(a, b, g(c))"), 2 + 3 + 2);
        assert!(of(&"-".repeat(100)) >= 100);
        assert!(of(&"(".repeat(100)) >= 100);
        assert!(of(&format!("{}x{}", "(".repeat(100), ")".repeat(100))) >= 100);
        assert!(of(&"if a { x } else ".repeat(100)) >= 300);
        assert!(of(&"f(x);".repeat(1000)) < 10);
    }
}
