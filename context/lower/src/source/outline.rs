//! What an impl's header tells before any of it is resolved.
//!
//! The build script reads those of the prelude with it.
//!
//! - O1 a type whose head the outline rules out is none that the resolved header fits.

use super::lexer::{Lexer, Tok};

/// An impl's header, as far as reading its tokens tells; names are where they are in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outline<Name = (u32, u32)> {
    /// The last segment of the trait's path, if it is of one.
    pub(crate) of: Option<Name>,
    pub(crate) shape: Shape<Name>,
}

/// The outer shape of the type in an impl's header, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape<Name = (u32, u32)> {
    /// A path that ends so, and not the name of one of the impl's parameters.
    Named(Name),
    /// `[T]`, `[T; N]`
    Brackets,
    Tuple,
    Ref,
    FnPtr,
    Dyn,
    Never,
    /// It has to be resolved to be known.
    Unclear,
}

impl<Name> Outline<Name> {
    /// With its names read.
    pub(crate) fn map<To>(self, read: impl Fn(Name) -> To) -> Outline<To> {
        let shape = match self.shape {
            Shape::Named(name) => Shape::Named(read(name)),
            Shape::Brackets => Shape::Brackets,
            Shape::Tuple => Shape::Tuple,
            Shape::Ref => Shape::Ref,
            Shape::FnPtr => Shape::FnPtr,
            Shape::Dyn => Shape::Dyn,
            Shape::Never => Shape::Never,
            Shape::Unclear => Shape::Unclear,
        };
        Outline { of: self.of.map(read), shape }
    }
}

impl Outline {
    /// Of an impl whose header is the text from `lo` to `hi`.
    pub(crate) fn read(text: &str, lo: usize, hi: usize) -> Outline {
        let mut lexer = Lexer::new(text, lo, hi);
        while lexer.next().is_some_and(|t| t.text(text) != "impl") {}
        let params = lexer.at;
        if lexer.peek_text() == "<" {
            skip_angles(&mut lexer);
        }
        let params = Lexer::new(text, params, lexer.at);
        let own = Shape::read(lexer.clone(), &params);
        let mut last = None;
        while let Some(token) = lexer.peek() {
            match token.text(text) {
                "where" => break,
                // That of `for<'a> fn(&'a T)` is none.
                "for" if last.is_some() => {
                    lexer.next();
                    return Outline { of: last, shape: Shape::read(lexer, &params) };
                }
                "<" => skip_angles(&mut lexer),
                word => {
                    lexer.next();
                    match token.kind {
                        Tok::Ident if !matches!(word, "dyn" | "mut" | "const") => {
                            last = Some((token.lo, token.hi))
                        }
                        Tok::Open => drop(lexer.skip_group()),
                        _ => {}
                    }
                }
            }
        }
        Outline { of: None, shape: own }
    }
}

impl Shape {
    /// Of the type that begins here, in an impl with these parameters.
    fn read(mut lexer: Lexer<'_>, params: &Lexer<'_>) -> Shape {
        let text = lexer.text;
        let Some(first) = lexer.peek() else { return Shape::Unclear };
        match first.text(text) {
            "&" | "&&" => Shape::Ref,
            "[" => Shape::Brackets,
            "!" => Shape::Never,
            "dyn" => Shape::Dyn,
            "fn" | "unsafe" | "extern" | "for" => Shape::FnPtr,
            "(" => {
                lexer.next();
                if is_list(lexer) { Shape::Tuple } else { Shape::Unclear }
            }
            "impl" => Shape::Unclear,
            word if first.kind == Tok::Ident => {
                let is_param = params.clone().any(|token| token.text(text) == word);
                if is_param { Shape::Unclear } else { Shape::of_path(lexer) }
            }
            "::" | "$" => Shape::of_path(lexer),
            _ => Shape::Unclear,
        }
    }

    fn of_path(mut lexer: Lexer<'_>) -> Shape {
        let text = lexer.text;
        let mut last = None;
        while let Some(token) = lexer.peek() {
            match token.text(text) {
                "where" => break,
                "<" => skip_angles(&mut lexer),
                "::" | "$" => drop(lexer.next()),
                _ if token.kind == Tok::Ident => {
                    lexer.next();
                    last = Some((token.lo, token.hi));
                }
                _ => return Shape::Unclear,
            }
        }
        last.map_or(Shape::Unclear, Shape::Named)
    }
}

/// Whether what stands in parentheses, up to their end, is no single type: `A, B`, nothing.
fn is_list(mut lexer: Lexer<'_>) -> bool {
    let text = lexer.text;
    let mut is_empty = true;
    while let Some(token) = lexer.peek() {
        match token.text(text) {
            "," => return true,
            "<" => skip_angles(&mut lexer),
            _ if token.kind == Tok::Close => break,
            _ => {
                lexer.next();
                if token.kind == Tok::Open {
                    lexer.skip_group();
                }
            }
        }
        is_empty = false;
    }
    is_empty
}

fn skip_angles(lexer: &mut Lexer<'_>) {
    let text = lexer.text;
    let mut depth = 0i32;
    while let Some(token) = lexer.next() {
        match token.text(text) {
            "<" => depth += 1,
            "<<" => depth += 2,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            _ if token.kind == Tok::Open => {
                lexer.skip_group();
            }
            _ => {}
        }
        if depth <= 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Outline, Shape};

    fn of(text: &str) -> Outline<&str> {
        let hi = text.find('{').expect("it has a body");
        Outline::read(text, 0, hi).map(|(lo, hi)| &text[lo as usize..hi as usize])
    }

    #[test]
    fn the_outer_shape_is_read_from_the_header() {
        for (text, shape) in [
            ("impl Add for f64 {}", Shape::Named("f64")),
            ("impl<T: Add> Add<T> for crate::wrap::Wrap<Vec<T>> where T: Copy {}", Shape::Named("Wrap")),
            ("impl<'a, T> Iterator for $crate::Iter<'a, T> {}", Shape::Named("Iter")),
            ("impl<T> From<T> for T {}", Shape::Unclear),
            ("impl<I: Iterator> Next for <I as Iterator>::Item {}", Shape::Unclear),
            ("impl<I: Iterator> Next for I::Item {}", Shape::Unclear),
            ("impl<T> Debug for [T] {}", Shape::Brackets),
            ("impl<const N: usize> Debug for [f64; N] {}", Shape::Brackets),
            ("impl Debug for () {}", Shape::Tuple),
            ("impl<A, B> Debug for (A, B) {}", Shape::Tuple),
            ("impl Debug for (Map<A, B>) {}", Shape::Unclear),
            ("impl<'a, T> Add<T> for &'a mut T {}", Shape::Ref),
            ("impl<A> Call for fn(A) -> f64 {}", Shape::FnPtr),
            ("impl<A> Call for for<'a> fn(&'a A) -> f64 {}", Shape::FnPtr),
            ("impl Debug for dyn Any + Send {}", Shape::Dyn),
            ("impl Debug for ! {}", Shape::Never),
            ("impl Debug for made!() {}", Shape::Unclear),
            ("impl<T> Stack<T> {}", Shape::Named("Stack")),
            ("impl<T> [T] {}", Shape::Brackets),
        ] {
            assert_eq!(of(text).shape, shape, "{text}");
        }
    }

    #[test]
    fn what_is_of_a_trait_is_told_from_what_is_not() {
        for (text, trait_) in [
            ("impl<T> Stack<T> {}", None),
            ("impl<T> Stack<for<'a> fn(&'a T)> {}", None),
            ("impl fmt::Debug for Stack {}", Some("Debug")),
            ("impl<T> ops::Add<Vec<T>> for Stack<T> {}", Some("Add")),
            ("unsafe impl<T> const Send for Stack<T> {}", Some("Send")),
            ("impl<A> Call for for<'a> fn(&'a A) {}", Some("Call")),
        ] {
            assert_eq!(of(text).of, trait_, "{text}");
        }
    }
}
