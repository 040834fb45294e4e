//! Text of the system, which is UTF-8 here.

use crate::borrow::Cow;
use crate::fmt;
use crate::ops::Deref;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OsStr {
    text: String,
}

impl OsStr {
    pub fn new<S: AsRef<OsStr> + ?Sized>(text: &S) -> &OsStr {
        text.as_ref()
    }

    /// The text as a new `String`.
    pub(crate) fn text(&self) -> String {
        self.text.clone()
    }

    pub fn to_str(&self) -> Option<&str> {
        Some(self.text.as_str())
    }

    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.text.as_str())
    }

    pub fn to_os_string(&self) -> OsString {
        OsString { text: self.text.clone() }
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub fn len(&self) -> usize {
        self.text.len()
    }
}

impl fmt::Debug for OsStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text.as_str(), f)
    }
}

impl PartialEq<str> for OsStr {
    fn eq(&self, other: &str) -> bool {
        self.text.as_str() == other
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct OsString {
    text: String,
}

impl OsString {
    pub fn new() -> OsString {
        OsString { text: String::new() }
    }

    pub(crate) fn text(&self) -> String {
        self.text.clone()
    }

    pub fn as_os_str(&self) -> &OsStr {
        &OsStr { text: self.text.clone() }
    }

    pub fn into_string(self) -> crate::result::Result<String, OsString> {
        Ok(self.text)
    }

    pub fn push<S: AsRef<OsStr>>(&mut self, more: S) {
        self.text.push_str(more.as_ref().text.as_str());
    }
}

impl Deref for OsString {
    type Target = OsStr;

    fn deref(&self) -> &OsStr {
        self.as_os_str()
    }
}

impl fmt::Debug for OsString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text.as_str(), f)
    }
}

impl From<String> for OsString {
    fn from(text: String) -> OsString {
        OsString { text }
    }
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for OsString {
    fn from(text: &T) -> OsString {
        text.as_ref().to_os_string()
    }
}

impl AsRef<OsStr> for OsStr {
    fn as_ref(&self) -> &OsStr {
        self
    }
}

impl AsRef<OsStr> for OsString {
    fn as_ref(&self) -> &OsStr {
        self.as_os_str()
    }
}

impl AsRef<OsStr> for str {
    fn as_ref(&self) -> &OsStr {
        &OsStr { text: self.to_string() }
    }
}

impl AsRef<OsStr> for String {
    fn as_ref(&self) -> &OsStr {
        &OsStr { text: self.clone() }
    }
}
