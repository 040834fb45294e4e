//! Paths: text with Unix's separators. What is in files has no meaning here.

use crate::borrow::{Borrow, Cow};
use crate::cmp::Ordering;
use crate::ffi::{OsStr, OsString};
use crate::fmt;
use crate::hash::{Hash, Hasher};
use crate::ops::Deref;

pub const MAIN_SEPARATOR: char = '/';
pub const MAIN_SEPARATOR_STR: &str = "/";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Component<'a> {
    RootDir,
    CurDir,
    ParentDir,
    Normal(&'a OsStr),
}

impl<'a> Component<'a> {
    pub fn as_os_str(self) -> &'a OsStr {
        match self {
            Component::RootDir => OsStr::new("/"),
            Component::CurDir => OsStr::new("."),
            Component::ParentDir => OsStr::new(".."),
            Component::Normal(name) => name,
        }
    }
}

impl AsRef<Path> for Component<'_> {
    fn as_ref(&self) -> &Path {
        Path::new(self.as_os_str())
    }
}

#[derive(Clone, Debug)]
pub struct Components<'a> {
    parts: crate::vec::IntoIter<Component<'a>>,
}

impl<'a> Iterator for Components<'a> {
    type Item = Component<'a>;

    fn next(&mut self) -> Option<Component<'a>> {
        self.parts.next()
    }
}

impl<'a> DoubleEndedIterator for Components<'a> {
    fn next_back(&mut self) -> Option<Component<'a>> {
        self.parts.next_back()
    }
}

#[derive(Clone)]
pub struct Path {
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripPrefixError;

impl fmt::Display for StripPrefixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("prefix not found")
    }
}

impl crate::error::Error for StripPrefixError {}

/// The text without separators and `.` at its end, except for the root and a `.` alone.
fn without_end(text: &str) -> &str {
    let mut cut = text.trim_end_matches('/');
    while let Some(shorter) = cut.strip_suffix("/.") {
        cut = shorter.trim_end_matches('/');
    }
    if cut.is_empty() && !text.is_empty() { "/" } else { cut }
}

fn parts_of(text: &str) -> Vec<Component<'_>> {
    let mut parts = Vec::new();
    if text.starts_with('/') {
        parts.push(Component::RootDir);
    }
    for (at, part) in text.split('/').enumerate() {
        match part {
            "" => {}
            "." if at > 0 => {}
            "." => parts.push(Component::CurDir),
            ".." => parts.push(Component::ParentDir),
            name => parts.push(Component::Normal(OsStr::new(name))),
        }
    }
    parts
}

/// A file name before its last dot, and after it; a dot at its beginning does not count.
fn split_name(name: &str) -> (&str, Option<&str>) {
    match name.rfind('.') {
        None | Some(0) => (name, None),
        Some(at) => (&name[..at], Some(&name[at + 1..])),
    }
}

impl Path {
    pub fn new<S: AsRef<OsStr> + ?Sized>(text: &S) -> &Path {
        &Path { text: text.as_ref().text() }
    }

    pub fn as_os_str(&self) -> &OsStr {
        OsStr::new(self.text.as_str())
    }

    pub fn to_str(&self) -> Option<&str> {
        Some(self.text.as_str())
    }

    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.text.as_str())
    }

    pub fn to_path_buf(&self) -> PathBuf {
        PathBuf { text: self.text.clone() }
    }

    pub fn display(&self) -> Display<'_> {
        Display { text: self.text.as_str() }
    }

    pub fn has_root(&self) -> bool {
        self.text.starts_with('/')
    }

    pub fn is_absolute(&self) -> bool {
        self.has_root()
    }

    pub fn is_relative(&self) -> bool {
        !self.has_root()
    }

    pub fn components(&self) -> Components<'_> {
        Components { parts: parts_of(self.text.as_str()).into_iter() }
    }

    pub fn iter(&self) -> crate::vec::IntoIter<&OsStr> {
        let names: Vec<&OsStr> = self.components().map(|part| part.as_os_str()).collect();
        names.into_iter()
    }

    pub fn parent(&self) -> Option<&Path> {
        let last = self.components().next_back()?;
        if let Component::RootDir = last {
            return None;
        }
        let text = without_end(self.text.as_str());
        let parent = match text.rfind('/') {
            Some(at) => without_end(&text[..at + 1]),
            None => "",
        };
        Some(Path::new(parent))
    }

    pub fn ancestors(&self) -> crate::vec::IntoIter<&Path> {
        let mut all = vec![self];
        let mut at = self;
        while let Some(parent) = at.parent() {
            all.push(parent);
            at = parent;
        }
        all.into_iter()
    }

    pub fn file_name(&self) -> Option<&OsStr> {
        match self.components().next_back()? {
            Component::Normal(name) => Some(name),
            _ => None,
        }
    }

    pub fn file_stem(&self) -> Option<&OsStr> {
        let name = self.file_name()?.text();
        Some(OsStr::new(split_name(name.as_str()).0))
    }

    pub fn extension(&self) -> Option<&OsStr> {
        let name = self.file_name()?.text();
        Some(OsStr::new(split_name(name.as_str()).1?))
    }

    pub fn join<P: AsRef<Path>>(&self, path: P) -> PathBuf {
        let mut joined = self.to_path_buf();
        joined.push(path);
        joined
    }

    pub fn with_file_name<S: AsRef<OsStr>>(&self, name: S) -> PathBuf {
        let mut changed = self.to_path_buf();
        changed.set_file_name(name);
        changed
    }

    pub fn with_extension<S: AsRef<OsStr>>(&self, extension: S) -> PathBuf {
        let mut changed = self.to_path_buf();
        changed.set_extension(extension);
        changed
    }

    pub fn starts_with<P: AsRef<Path>>(&self, base: P) -> bool {
        self.strip_prefix(base).is_ok()
    }

    pub fn ends_with<P: AsRef<Path>>(&self, child: P) -> bool {
        let (own, other) = (parts_of(self.text.as_str()), parts_of(child.as_ref().text.as_str()));
        own.ends_with(other.as_slice())
    }

    pub fn strip_prefix<P: AsRef<Path>>(&self, base: P) -> crate::result::Result<&Path, StripPrefixError> {
        let (own, other) = (parts_of(self.text.as_str()), parts_of(base.as_ref().text.as_str()));
        if !own.starts_with(other.as_slice()) {
            return Err(StripPrefixError);
        }
        let names: Vec<String> = own[other.len()..].iter().map(|part| part.as_os_str().text()).collect();
        Ok(Path::new(&names.join("/")))
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        parts_of(self.text.as_str()) == parts_of(other.text.as_str())
    }
}

impl Eq for Path {}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Path) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Path) -> Ordering {
        parts_of(self.text.as_str()).cmp(&parts_of(other.text.as_str()))
    }
}

impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        parts_of(self.text.as_str()).hash(state)
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text.as_str(), f)
    }
}

pub struct Display<'a> {
    text: &'a str,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.text, f)
    }
}

impl fmt::Debug for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text, f)
    }
}

#[derive(Clone, Default)]
pub struct PathBuf {
    text: String,
}

impl PathBuf {
    pub fn new() -> PathBuf {
        PathBuf { text: String::new() }
    }

    pub fn as_path(&self) -> &Path {
        &Path { text: self.text.clone() }
    }

    pub fn push<P: AsRef<Path>>(&mut self, path: P) {
        let more = path.as_ref();
        if more.is_absolute() {
            self.text = more.text.clone();
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('/') {
            self.text.push('/');
        }
        self.text.push_str(more.text.as_str());
    }

    pub fn pop(&mut self) -> bool {
        match self.as_path().parent() {
            Some(parent) => {
                self.text = parent.text.clone();
                true
            }
            None => false,
        }
    }

    pub fn set_file_name<S: AsRef<OsStr>>(&mut self, name: S) {
        if self.as_path().file_name().is_some() {
            self.pop();
        }
        self.push(Path::new(name.as_ref()));
    }

    pub fn set_extension<S: AsRef<OsStr>>(&mut self, extension: S) -> bool {
        let Some(name) = self.as_path().file_name() else { return false };
        let name = name.text();
        let whole = without_end(self.text.as_str());
        let mut text = whole[..whole.len() - name.len()].to_string();
        text.push_str(split_name(name.as_str()).0);
        let extension = extension.as_ref().text();
        if !extension.is_empty() {
            text.push('.');
            text.push_str(extension.as_str());
        }
        self.text = text;
        true
    }

    pub fn into_os_string(self) -> OsString {
        OsString::from(self.text)
    }
}

impl Deref for PathBuf {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.as_path()
    }
}

impl PartialEq for PathBuf {
    fn eq(&self, other: &PathBuf) -> bool {
        self.as_path() == other.as_path()
    }
}

impl Eq for PathBuf {}

impl PartialOrd for PathBuf {
    fn partial_cmp(&self, other: &PathBuf) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PathBuf {
    fn cmp(&self, other: &PathBuf) -> Ordering {
        self.as_path().cmp(other.as_path())
    }
}

impl Hash for PathBuf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_path().hash(state)
    }
}

impl fmt::Debug for PathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text.as_str(), f)
    }
}

impl Borrow<Path> for PathBuf {
    fn borrow(&self) -> &Path {
        self.as_path()
    }
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for PathBuf {
    fn from(text: &T) -> PathBuf {
        PathBuf { text: text.as_ref().text() }
    }
}

impl From<String> for PathBuf {
    fn from(text: String) -> PathBuf {
        PathBuf { text }
    }
}

impl From<OsString> for PathBuf {
    fn from(text: OsString) -> PathBuf {
        PathBuf { text: text.text() }
    }
}

impl<P: AsRef<Path>> FromIterator<P> for PathBuf {
    fn from_iter<I: IntoIterator<Item = P>>(iter: I) -> PathBuf {
        let mut path = PathBuf::new();
        for part in iter {
            path.push(part);
        }
        path
    }
}

macro_rules! as_path {
    ($($ty:ty: $this:ident => $text:expr;)*) => {$(
        impl AsRef<Path> for $ty {
            fn as_ref(&self) -> &Path {
                let $this = self;
                &Path { text: $text }
            }
        }
    )*};
}

#[impls(AsRef)]
as_path! {
    Path: path => path.text.clone();
    PathBuf: path => path.text.clone();
    str: text => text.to_string();
    String: text => text.clone();
    OsStr: text => text.text();
    OsString: text => text.text();
}

impl AsRef<OsStr> for Path {
    fn as_ref(&self) -> &OsStr {
        self.as_os_str()
    }
}

impl AsRef<OsStr> for PathBuf {
    fn as_ref(&self) -> &OsStr {
        OsStr::new(self.text.as_str())
    }
}
