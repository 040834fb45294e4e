//! The stable codes of errors, by which documentation refers to them.
//!
//! - ERRORCODE1 a code keeps its meaning: the code of an error that exists no more is not given to another one.

use std::fmt;
use std::str::FromStr;

/// The code of an error: `OD0103`. The first two digits are those of an area.
///
/// ```
/// use overdub_context::Code;
///
/// let code = Code::new(103);
/// assert_eq!(code.to_string(), "OD0103");
/// assert_eq!("od103".parse(), Ok(code));
/// assert!("103x".parse::<Code>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

impl Code {
    /// The code with a number.
    pub const fn new(number: u16) -> Code {
        Code(number)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OD{:04}", self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no code of an error: one is `OD0103`")]
pub struct NoCode(String);

impl FromStr for Code {
    type Err = NoCode;

    fn from_str(text: &str) -> Result<Code, NoCode> {
        let digits = text.strip_prefix("OD").or_else(|| text.strip_prefix("od")).unwrap_or(text);
        digits.parse().map(Code).map_err(|_| NoCode(text.to_owned()))
    }
}

/// Declares the codes of a crate, the list `ALL` of them, and `PAGES`, the text that explains them: a section that begins
/// with `## OD0103 what happened` for each.
#[macro_export]
macro_rules! codes {
    ($pages:literal; $($(#[doc = $doc:literal])* $name:ident = $number:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: $crate::Code = $crate::Code::new($number);)*

        /// All codes of this crate.
        pub const ALL: &[$crate::Code] = &[$($name),*];

        /// The pages that explain them.
        pub const PAGES: &str = ::core::include_str!($pages);
    };
}
