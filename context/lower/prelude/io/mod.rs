//! Reading and writing bytes.

mod buffered;
mod cursor;
mod error;
mod read;
mod streams;
mod write;

pub use buffered::{BufReader, BufWriter, BufWriter as LineWriter};
pub use cursor::Cursor;
pub use error::{Error, ErrorKind};
pub use read::{BufRead, Bytes, Chain, Empty, Lines, Read, Repeat, Split, Take, empty, read_to_string, repeat};
pub use streams::{
    Stderr, Stderr as StderrLock, Stdin, Stdin as StdinLock, Stdout, Stdout as StdoutLock, stderr, stdin, stdout,
};
pub use write::{Sink, Write, copy, sink};

pub type Result<T> = crate::result::Result<T, Error>;

/// A position to move to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeekFrom {
    Start(u64),
    End(i64),
    Current(i64),
}

pub trait Seek {
    fn seek(&mut self, pos: SeekFrom) -> Result<u64>;

    fn rewind(&mut self) -> Result<()> {
        self.seek(SeekFrom::Start(0))?;
        Ok(())
    }

    fn stream_position(&mut self) -> Result<u64> {
        self.seek(SeekFrom::Current(0))
    }

    fn seek_relative(&mut self, offset: i64) -> Result<()> {
        self.seek(SeekFrom::Current(offset))?;
        Ok(())
    }
}

impl<S: Seek + ?Sized> Seek for &mut S {
    fn seek(&mut self, pos: SeekFrom) -> Result<u64> {
        (**self).seek(pos)
    }
}

impl<S: Seek + ?Sized> Seek for Box<S> {
    fn seek(&mut self, pos: SeekFrom) -> Result<u64> {
        (**self).seek(pos)
    }
}

pub mod prelude {
    pub use super::{BufRead, Read, Seek, Write};
}
