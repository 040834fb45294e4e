//! Characters: their classes, and case conversion.

use super::macros::rows;

rows! { OPS: scalars;
    /// The character with this code point, if there is one.
    CHAR_FROM_U32 = "char.from_u32" (n: u32) -> Option<char> => char::from_u32(n);
    /// Whether a character is a letter.
    CHAR_IS_ALPHABETIC = "char.is_alphabetic" (c: char) -> bool => c.is_alphabetic();
    /// Whether a character is a digit or another number.
    CHAR_IS_NUMERIC = "char.is_numeric" (c: char) -> bool => c.is_numeric();
    /// Whether a character is a letter or a number.
    CHAR_IS_ALPHANUMERIC = "char.is_alphanumeric" (c: char) -> bool => c.is_alphanumeric();
    /// Whether a character is white space.
    CHAR_IS_WHITESPACE = "char.is_whitespace" (c: char) -> bool => c.is_whitespace();
    /// Whether a character is an upper-case letter.
    CHAR_IS_UPPERCASE = "char.is_uppercase" (c: char) -> bool => c.is_uppercase();
    /// Whether a character is a lower-case letter.
    CHAR_IS_LOWERCASE = "char.is_lowercase" (c: char) -> bool => c.is_lowercase();
    /// A character in upper case, which may be several.
    CHAR_TO_UPPER = "char.to_upper" (c: char) -> String => c.to_uppercase().collect();
    /// A character in lower case, which may be several.
    CHAR_TO_LOWER = "char.to_lower" (c: char) -> String => c.to_lowercase().collect();
}
