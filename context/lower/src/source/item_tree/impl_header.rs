//! The header of an impl, as read from its tokens before any name is resolved.
//!
//! The build script uses it to read the headers of the prelude.
//!
//! - HEADER1 a type whose head does not match the header read from tokens does not match the resolved header
//!   either.

use super::lexer::{Lexer, Tok};

/// An impl's header, as far as its tokens determine it; names are ranges of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ImplHeader<Name = (u32, u32)> {
    /// The last segment of the trait's path, if it is the impl of a trait.
    pub(crate) of: Option<Name>,
    pub(crate) shape: SelfTyShape<Name>,
}

/// The outer shape of the self type in an impl's header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SelfTyShape<Name = (u32, u32)> {
    /// A path with this last segment, unless that is one of the impl's parameters.
    Named(Name),
    /// `[T]`, `[T; N]`
    Brackets,
    Tuple,
    Ref,
    FnPtr,
    Dyn,
    Never,
    /// Unknown until the type is resolved.
    Unclear,
}

impl<Name> ImplHeader<Name> {
    /// Maps its names.
    pub(crate) fn map<To>(self, read: impl Fn(Name) -> To) -> ImplHeader<To> {
        let shape = match self.shape {
            SelfTyShape::Named(name) => SelfTyShape::Named(read(name)),
            SelfTyShape::Brackets => SelfTyShape::Brackets,
            SelfTyShape::Tuple => SelfTyShape::Tuple,
            SelfTyShape::Ref => SelfTyShape::Ref,
            SelfTyShape::FnPtr => SelfTyShape::FnPtr,
            SelfTyShape::Dyn => SelfTyShape::Dyn,
            SelfTyShape::Never => SelfTyShape::Never,
            SelfTyShape::Unclear => SelfTyShape::Unclear,
        };
        ImplHeader { of: self.of.map(read), shape }
    }
}

impl ImplHeader {
    /// Reads the header of an impl from `lo` to `hi`.
    pub(crate) fn read(text: &str, lo: usize, hi: usize) -> ImplHeader {
        let mut lexer = Lexer::new(text, lo, hi);
        while lexer.next().is_some_and(|t| t.text(text) != "impl") {}
        let params = lexer.at;
        if lexer.peek_text() == "<" {
            skip_angles(&mut lexer);
        }
        let params = Lexer::new(text, params, lexer.at);
        let first_ty = SelfTyShape::read(lexer.clone(), &params);
        let mut last = None;
        while let Some(token) = lexer.peek() {
            match token.text(text) {
                "where" => break,
                // Not the `for` of `for<'a> fn(&'a T)`.
                "for" if last.is_some() => {
                    lexer.next();
                    return ImplHeader { of: last, shape: SelfTyShape::read(lexer, &params) };
                }
                "<" | "<<" => skip_angles(&mut lexer),
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
        ImplHeader { of: None, shape: first_ty }
    }
}

impl SelfTyShape {
    /// Reads the type that begins here, in an impl with these parameters.
    fn read(mut lexer: Lexer<'_>, params: &Lexer<'_>) -> SelfTyShape {
        let text = lexer.text;
        let Some(first) = lexer.peek() else { return SelfTyShape::Unclear };
        match first.text(text) {
            "&" | "&&" => SelfTyShape::Ref,
            "[" => SelfTyShape::Brackets,
            "!" => SelfTyShape::Never,
            "dyn" => SelfTyShape::Dyn,
            "fn" | "unsafe" | "extern" | "for" => SelfTyShape::FnPtr,
            "(" => {
                lexer.next();
                if is_list(lexer) { SelfTyShape::Tuple } else { SelfTyShape::Unclear }
            }
            "impl" => SelfTyShape::Unclear,
            word if first.kind == Tok::Ident => {
                let is_param = params.clone().any(|token| token.text(text) == word);
                if is_param { SelfTyShape::Unclear } else { SelfTyShape::of_path(lexer) }
            }
            "::" | "$" => SelfTyShape::of_path(lexer),
            _ => SelfTyShape::Unclear,
        }
    }

    fn of_path(mut lexer: Lexer<'_>) -> SelfTyShape {
        let text = lexer.text;
        let mut last = None;
        while let Some(token) = lexer.peek() {
            match token.text(text) {
                "where" => break,
                "<" | "<<" => skip_angles(&mut lexer),
                "::" | "$" => drop(lexer.next()),
                _ if token.kind == Tok::Ident => {
                    lexer.next();
                    last = Some((token.lo, token.hi));
                }
                _ => return SelfTyShape::Unclear,
            }
        }
        last.map_or(SelfTyShape::Unclear, SelfTyShape::Named)
    }
}

/// Whether the contents of parentheses are anything but a single type: `A, B`, or nothing.
fn is_list(mut lexer: Lexer<'_>) -> bool {
    let text = lexer.text;
    let mut is_empty = true;
    while let Some(token) = lexer.peek() {
        match token.text(text) {
            "," => return true,
            "<" | "<<" => skip_angles(&mut lexer),
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
    use super::{ImplHeader, SelfTyShape};

    fn of(text: &str) -> ImplHeader<&str> {
        let hi = text.find('{').expect("it has a body");
        ImplHeader::read(text, 0, hi).map(|(lo, hi)| &text[lo as usize..hi as usize])
    }

    #[test]
    fn the_outer_shape_is_read_from_the_header() {
        for (text, shape) in [
            ("impl Add for f64 {}", SelfTyShape::Named("f64")),
            (
                "impl<T: Add> Add<T> for crate::wrap::Wrap<Vec<T>> where T: Copy {}",
                SelfTyShape::Named("Wrap"),
            ),
            ("impl<'a, T> Iterator for $crate::Iter<'a, T> {}", SelfTyShape::Named("Iter")),
            ("impl<T> From<T> for T {}", SelfTyShape::Unclear),
            ("impl<I: Iterator> Next for <I as Iterator>::Item {}", SelfTyShape::Unclear),
            ("impl<I: Iterator> Next for I::Item {}", SelfTyShape::Unclear),
            ("impl<T> Debug for [T] {}", SelfTyShape::Brackets),
            ("impl<const N: usize> Debug for [f64; N] {}", SelfTyShape::Brackets),
            ("impl Debug for () {}", SelfTyShape::Tuple),
            ("impl<A, B> Debug for (A, B) {}", SelfTyShape::Tuple),
            ("impl Debug for (Map<A, B>) {}", SelfTyShape::Unclear),
            ("impl<'a, T> Add<T> for &'a mut T {}", SelfTyShape::Ref),
            ("impl<A> Call for fn(A) -> f64 {}", SelfTyShape::FnPtr),
            ("impl<A> Call for for<'a> fn(&'a A) -> f64 {}", SelfTyShape::FnPtr),
            ("impl Debug for dyn Any + Send {}", SelfTyShape::Dyn),
            ("impl Debug for ! {}", SelfTyShape::Never),
            ("impl Debug for made!() {}", SelfTyShape::Unclear),
            ("impl<T> Stack<T> {}", SelfTyShape::Named("Stack")),
            ("impl Peek<<Self as Method>::Output> for Mean {}", SelfTyShape::Named("Mean")),
            ("impl<T> [T] {}", SelfTyShape::Brackets),
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
            ("impl Peek<<Self as Method>::Output> for Mean {}", Some("Peek")),
            ("unsafe impl<T> const Send for Stack<T> {}", Some("Send")),
            ("impl<A> Call for for<'a> fn(&'a A) {}", Some("Call")),
        ] {
            assert_eq!(of(text).of, trait_, "{text}");
        }
    }
}
