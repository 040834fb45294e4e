//! Characters: which they are, and their other cases.

use super::macros::rows;

rows! { OPS: scalars;
    /// The character of this number, if it is one.
    CHAR_FROM_U32 = "char.from_u32" (n: u32) -> Option<char> => char::from_u32(n);
    /// Whether it is a letter.
    CHAR_IS_ALPHABETIC = "char.is_alphabetic" (c: char) -> bool => c.is_alphabetic();
    /// Whether it is a digit or another number.
    CHAR_IS_NUMERIC = "char.is_numeric" (c: char) -> bool => c.is_numeric();
    /// Whether it is a letter or a number.
    CHAR_IS_ALPHANUMERIC = "char.is_alphanumeric" (c: char) -> bool => c.is_alphanumeric();
    /// Whether it is white space.
    CHAR_IS_WHITESPACE = "char.is_whitespace" (c: char) -> bool => c.is_whitespace();
    /// Whether it is an upper-case letter.
    CHAR_IS_UPPERCASE = "char.is_uppercase" (c: char) -> bool => c.is_uppercase();
    /// Whether it is a lower-case letter.
    CHAR_IS_LOWERCASE = "char.is_lowercase" (c: char) -> bool => c.is_lowercase();
    /// The character in upper case, which may be several.
    CHAR_TO_UPPER = "char.to_upper" (c: char) -> String => c.to_uppercase().collect();
    /// The character in lower case, which may be several.
    CHAR_TO_LOWER = "char.to_lower" (c: char) -> String => c.to_lowercase().collect();
}
