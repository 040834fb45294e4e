//! The words of Rust source, without a parser.

/// The words of a Rust text outside of comments and literals, those that call a macro with their `!`.
pub(super) fn words_of_code(text: &str) -> Vec<&str> {
    words_with_rest(text).into_iter().map(|(word, _)| word).collect()
}

/// The words, each with the text after it.
pub(super) fn words_with_rest(text: &str) -> Vec<(&str, &str)> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let (mut words, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => string_len(rest),
            // Of a lifetime or a label the quote alone is skipped.
            '\'' => char_len(rest).unwrap_or(1),
            c if is_letter(c) => {
                let len = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
                let len = if rest[len..].starts_with('!') && !rest[len..].starts_with("!=") {
                    len + 1
                } else {
                    len
                };
                words.push((&rest[..len], &rest[len..]));
                len
            }
            c => c.len_utf8(),
        };
        rest = &rest[len..];
    }
    words
}

/// The length of the string literal with which a text begins.
fn string_len(text: &str) -> usize {
    let mut is_escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the character literal with which a text begins, if it is one.
fn char_len(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    match chars.next()? {
        // The third character may be a quote that is escaped.
        (_, '\\') => Some(3 + text.get(3..)?.find('\'')? + 1),
        _ => chars.next().filter(|(_, c)| *c == '\'').map(|(at, _)| at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::words_of_code;

    #[test]
    fn comments_and_literals_have_no_words() {
        let text = r##"fn f<'a>(x: &'a str) -> char { // Vec
            'out: loop { if x != "a \" String" || y == '"' || y == '\'' || z == '\u{1f}' { break 'out; } }
            vec![b"Box"; 'é' as usize]; a!= b
        }"##;
        let expected = [
            "fn", "f", "a", "x", "a", "str", "char", "out", "loop", "if", "x", "y", "y", "z", "break", "out",
            "vec!", "b", "as", "usize", "a", "b",
        ];
        assert_eq!(words_of_code(text), expected);
    }
}
