//! Output; input from outside fails.

use crate::fmt::{self, Arguments};

pub type Result<T> = crate::result::Result<T, Error>;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ErrorKind {
    NotFound,
    PermissionDenied,
    InvalidInput,
    InvalidData,
    UnexpectedEof,
    WriteZero,
    Unsupported,
    Other,
}

pub struct Error {
    kind: ErrorKind,
    text: String,
}

impl Error {
    pub fn new<E: ToString>(kind: ErrorKind, error: E) -> Error {
        Error { kind, text: error.to_string() }
    }

    pub fn other<E: ToString>(error: E) -> Error {
        Error::new(ErrorKind::Other, error)
    }

    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    pub fn last_os_error() -> Error {
        outside()
    }

    pub fn raw_os_error(&self) -> Option<i32> {
        None
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Custom").field("kind", &self.kind).field("error", &self.text).finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl crate::error::Error for Error {}

pub trait Write {
    fn write(&mut self, buf: &[u8]) -> Result<usize>;
    fn flush(&mut self) -> Result<()>;

    fn write_all(&mut self, buf: &[u8]) -> Result<()> {
        self.write(buf)?;
        Ok(())
    }

    fn write_fmt(&mut self, args: Arguments<'_>) -> Result<()> {
        self.write_all(args.text.as_bytes())
    }

    fn by_ref(&mut self) -> &mut Self {
        self
    }
}

pub trait Read {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize>;

    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        let mut at = 0;
        while at < buf.len() {
            let count = self.read(&mut buf[at..])?;
            if count == 0 {
                return Err(Error::new(ErrorKind::UnexpectedEof, "failed to fill whole buffer"));
            }
            at += count;
        }
        Ok(())
    }

    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
        let before = buf.len();
        let mut part = [0; 32];
        loop {
            let count = self.read(&mut part)?;
            if count == 0 {
                return Ok(buf.len() - before);
            }
            buf.extend_from_slice(&part[..count]);
        }
    }

    fn read_to_string(&mut self, buf: &mut String) -> Result<usize> {
        let mut bytes = Vec::new();
        let count = self.read_to_end(&mut bytes)?;
        match String::from_utf8(bytes) {
            Ok(text) => {
                buf.push_str(&text);
                Ok(count)
            }
            Err(_) => Err(Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8")),
        }
    }

    fn by_ref(&mut self) -> &mut Self {
        self
    }
}

impl Read for &[u8] {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        let count = self.len().min(buf.len());
        let (read, rest) = self.split_at(count);
        buf[..count].copy_from_slice(read);
        *self = rest;
        Ok(count)
    }
}

impl<R: Read + ?Sized> Read for &mut R {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        (**self).read(buf)
    }
}

pub trait BufRead: Read {
    fn read_line(&mut self, buf: &mut String) -> Result<usize>;
}

#[derive(Clone, Copy, Debug)]
pub struct Stdout;

#[derive(Clone, Copy, Debug)]
pub struct Stderr;

#[derive(Clone, Copy, Debug)]
pub struct Stdin;

pub use Stderr as StderrLock;
pub use Stdin as StdinLock;
pub use Stdout as StdoutLock;

pub fn stdout() -> Stdout {
    Stdout
}

pub fn stderr() -> Stderr {
    Stderr
}

pub fn stdin() -> Stdin {
    Stdin
}

fn outside() -> ! {
    panic!("reading from outside the program has no meaning here: give the function its input as an argument")
}

impl Stdin {
    pub fn lock(&self) -> Stdin {
        *self
    }

    pub fn read_line(&self, _buf: &mut String) -> Result<usize> {
        outside()
    }

    pub fn lines(self) -> crate::vec::IntoIter<Result<String>> {
        outside()
    }
}

impl Read for Stdin {
    fn read(&mut self, _buf: &mut [u8]) -> Result<usize> {
        outside()
    }
}

impl Stdout {
    pub fn lock(&self) -> Stdout {
        *self
    }
}

impl Stderr {
    pub fn lock(&self) -> Stderr {
        *self
    }
}

impl Write for Stdout {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        crate::macros::print_str(crate::str::from_utf8(buf).unwrap());
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Write for Stderr {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        crate::macros::eprint_str(crate::str::from_utf8(buf).unwrap());
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Write for Vec<u8> {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        self.extend_from_slice(buf);
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl<W: Write + ?Sized> Write for &mut W {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        (**self).write(buf)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}

impl<W: Write + ?Sized> Write for Box<W> {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        (**self).write(buf)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}

/// A writer; it does not need to buffer.
pub struct BufWriter<W> {
    inner: W,
}

pub use BufWriter as LineWriter;

impl<W: Write> BufWriter<W> {
    pub fn new(inner: W) -> BufWriter<W> {
        BufWriter { inner }
    }

    pub fn into_inner(self) -> Result<W> {
        Ok(self.inner)
    }
}

impl<W: Write> Write for BufWriter<W> {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        self.inner.write(buf)
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}

pub mod prelude {
    pub use super::{BufRead, Read, Write};
}
