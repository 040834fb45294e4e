//! Texts of C, which end at a zero byte that is not stored here.

use crate::fmt;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CStr {
    bytes: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CString {
    text: CStr,
}

/// A zero byte within the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NulError(usize, Vec<u8>);

impl NulError {
    pub fn nul_position(&self) -> usize {
        self.0
    }

    pub fn into_vec(self) -> Vec<u8> {
        self.1
    }
}

impl fmt::Display for NulError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nul byte found in provided data at position: {}", self.0)
    }
}

impl crate::error::Error for NulError {}

impl CString {
    pub fn new<T: Into<Vec<u8>>>(text: T) -> Result<CString, NulError> {
        let bytes: Vec<u8> = text.into();
        match bytes.iter().position(|byte| *byte == 0) {
            Some(at) => Err(NulError(at, bytes)),
            None => Ok(CString { text: CStr { bytes } }),
        }
    }

    pub fn as_c_str(&self) -> &CStr {
        &self.text
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.text.bytes
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.text.bytes
    }

    pub fn into_string(self) -> Result<String, crate::string::FromUtf8Error> {
        String::from_utf8(self.text.bytes)
    }
}

impl crate::ops::Deref for CString {
    type Target = CStr;

    fn deref(&self) -> &CStr {
        &self.text
    }
}

impl CStr {
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn to_bytes_with_nul(&self) -> &[u8] {
        let mut bytes = self.bytes.clone();
        bytes.push(0);
        Vec::leak(bytes)
    }

    pub fn count_bytes(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn to_str(&self) -> Result<&str, crate::str::Utf8Error> {
        crate::str::from_utf8(&self.bytes)
    }
}

impl fmt::Debug for CStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for chunk in self.bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\x01'..='\x7f' => write!(f, "{}", (c as u8).escape_ascii())?,
                    _ => write!(f, "{}", c.escape_debug())?,
                }
            }
            write!(f, "{}", chunk.invalid().escape_ascii())?;
        }
        f.write_str("\"")
    }
}

impl fmt::Debug for CString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}
