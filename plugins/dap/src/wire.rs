//! Messages on the wire: a header with the length of the body, an empty line, the body.
//!
//! - WIRE1 only the headers of the protocol are accepted: a request of HTTP, which any web page may send to a
//!   port, ends the connection before its body is read.
//! - WIRE2 memory is allocated only for what has arrived: a length alone costs nothing.

use std::io::{self, BufRead, Read};

use thiserror::Error;

/// The longest header, in bytes.
const MAX_HEADER: u64 = 4096;

/// The longest body, in bytes: arguments of a launch may be large arrays.
pub(crate) const MAX_BODY: u64 = 64 << 20;

/// Why no further message can be read.
#[derive(Debug, Error)]
pub enum WireError {
    /// A header that is not part of the protocol.
    #[error("`{0}` is no header of the protocol; expected `Content-Length: N`")]
    Header(String),
    /// A header without an end.
    #[error("a header of more than {MAX_HEADER} bytes")]
    LongHeader,
    /// A length that is missing, or not a number.
    #[error("`{0}` is no length of a message")]
    Length(String),
    /// A body that is too long.
    #[error("a message of {0} bytes; the longest has {MAX_BODY}")]
    LongBody(u64),
    /// The connection ended inside a message.
    #[error("the connection ended within a message")]
    Cut,
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// The body of the next message; `None` if the connection has ended.
pub(crate) fn read(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, WireError> {
    let Some(length) = header(from)? else { return Ok(None) };
    if length > MAX_BODY {
        return Err(WireError::LongBody(length));
    }
    let mut body = Vec::new();
    // WIRE2
    from.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length { Err(WireError::Cut) } else { Ok(Some(body)) }
}

fn header(from: &mut impl BufRead) -> Result<Option<u64>, WireError> {
    let mut from = from.take(MAX_HEADER);
    let (mut length, mut has_begun) = (None, false);
    loop {
        let mut line = Vec::new();
        from.read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return match (from.limit(), has_begun || !line.is_empty()) {
                (0, _) => Err(WireError::LongHeader),
                (_, true) => Err(WireError::Cut),
                (_, false) => Ok(None),
            };
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            match length {
                Some(length) => return Ok(Some(length)),
                // Some clients end a body with a newline.
                None if !has_begun => continue,
                None => return Err(WireError::Length(String::new())),
            }
        }
        has_begun = true;
        // WIRE1
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        match name.trim().to_ascii_lowercase().as_str() {
            "content-length" => {
                let wrong = || WireError::Length(value.trim().to_owned());
                let known = value.trim().parse().map_err(|_| wrong())?;
                if length.replace(known).is_some_and(|before| before != known) {
                    return Err(wrong());
                }
            }
            "content-type" => {}
            _ => return Err(WireError::Header(shortened(line))),
        }
    }
}

fn shortened(line: &str) -> String {
    line.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<String>, WireError> {
        let mut from = text.as_bytes();
        let mut found = Vec::new();
        while let Some(body) = read(&mut from)? {
            found.push(String::from_utf8_lossy(&body).into_owned());
        }
        Ok(found)
    }

    #[test]
    fn messages_follow_each_other_and_names_of_headers_have_no_case() {
        let text = "Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x\r\n\r\n[1]\r\nContent-Length: 0\n\n";
        assert_eq!(all(text).ok(), Some(vec!["{}".to_owned(), "[1]".to_owned(), String::new()]));
        assert_eq!(all("").ok(), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        let long = format!("Content-Length: 1\r\n{}", "Content-Type: x\r\n".repeat(300));
        for (text, error) in [
            ("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "no header of the protocol"),
            ("Host: x\r\nContent-Length: 2\r\n\r\n{}", "no header of the protocol"),
            ("Content-Length: -2\r\n\r\n{}", "`-2` is no length"),
            ("Content-Length: two\r\n\r\n{}", "`two` is no length"),
            ("Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", "`2` is no length"),
            ("Content-Type: x\r\n\r\n{}", "`` is no length"),
            ("Content-Length: 99999999999\r\n\r\n{}", "of 99999999999 bytes"),
            ("Content-Length: 9\r\n\r\n{}", "ended within"),
            ("Content-Le", "ended within"),
            (&long, "more than 4096 bytes"),
        ] {
            let found = all(text).expect_err(text).to_string();
            assert!(found.contains(error), "{text}: {found}");
        }
    }
}
