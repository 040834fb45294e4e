//! Bytes in memory with a position.

use crate::cmp;

use super::{BufRead, Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cursor<T> {
    inner: T,
    pos: u64,
}

impl<T> Cursor<T> {
    pub const fn new(inner: T) -> Cursor<T> {
        Cursor { inner, pos: 0 }
    }

    pub fn into_inner(self) -> T {
        self.inner
    }

    pub const fn get_ref(&self) -> &T {
        &self.inner
    }

    pub fn get_mut(&mut self) -> &mut T {
        &mut self.inner
    }

    pub const fn position(&self) -> u64 {
        self.pos
    }

    pub fn set_position(&mut self, pos: u64) {
        self.pos = pos;
    }
}

/// The position within this many bytes.
fn within(pos: u64, len: usize) -> usize {
    cmp::min(pos, len as u64) as usize
}

impl<T: AsRef<[u8]>> Cursor<T> {
    pub fn is_empty(&self) -> bool {
        self.pos >= self.inner.as_ref().len() as u64
    }

    pub fn remaining_slice(&self) -> &[u8] {
        let bytes = self.inner.as_ref();
        &bytes[within(self.pos, bytes.len())..]
    }
}

impl<T: AsRef<[u8]>> Read for Cursor<T> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        let bytes = self.inner.as_ref();
        let start = within(self.pos, bytes.len());
        let count = (bytes.len() - start).min(buf.len());
        buf[..count].copy_from_slice(&bytes[start..start + count]);
        self.pos += count as u64;
        Ok(count)
    }

    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        let bytes = self.inner.as_ref();
        let start = within(self.pos, bytes.len());
        if bytes.len() - start < buf.len() {
            self.pos = bytes.len() as u64;
            return Err(Error::message(ErrorKind::UnexpectedEof, "failed to fill whole buffer"));
        }
        buf.copy_from_slice(&bytes[start..start + buf.len()]);
        self.pos += buf.len() as u64;
        Ok(())
    }
}

impl<T: AsRef<[u8]>> BufRead for Cursor<T> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        let bytes = self.inner.as_ref();
        Ok(&bytes[within(self.pos, bytes.len())..])
    }

    fn consume(&mut self, amount: usize) {
        self.pos += amount as u64;
    }
}

impl<T: AsRef<[u8]>> Seek for Cursor<T> {
    fn seek(&mut self, pos: SeekFrom) -> Result<u64> {
        let moved = match pos {
            SeekFrom::Start(to) => Some(to),
            SeekFrom::End(by) => (self.inner.as_ref().len() as u64).checked_add_signed(by),
            SeekFrom::Current(by) => self.pos.checked_add_signed(by),
        };
        match moved {
            Some(to) => {
                self.pos = to;
                Ok(to)
            }
            None => Err(Error::message(
                ErrorKind::InvalidInput,
                "invalid seek to a negative or overflowing position",
            )),
        }
    }
}

/// Writes into bytes that grow, and fills up to the position with zeros.
fn write_growing(pos: &mut u64, bytes: &mut Vec<u8>, buf: &[u8]) -> Result<usize> {
    let start = *pos as usize;
    if bytes.len() < start {
        bytes.resize(start, 0);
    }
    let over = (bytes.len() - start).min(buf.len());
    bytes[start..start + over].copy_from_slice(&buf[..over]);
    bytes.extend_from_slice(&buf[over..]);
    *pos += buf.len() as u64;
    Ok(buf.len())
}

/// Writes into bytes that do not grow.
fn write_within(pos: &mut u64, bytes: &mut [u8], buf: &[u8]) -> Result<usize> {
    let start = within(*pos, bytes.len());
    let count = (bytes.len() - start).min(buf.len());
    bytes[start..start + count].copy_from_slice(&buf[..count]);
    *pos += count as u64;
    Ok(count)
}

macro_rules! writers {
    ($($ty:ty: [$($param:tt)*] $write:ident($cursor:ident) $bytes:expr;)*) => {$(
        impl<$($param)*> Write for Cursor<$ty> {
            fn write(&mut self, buf: &[u8]) -> Result<usize> {
                let $cursor = self;
                $write(&mut $cursor.pos, $bytes, buf)
            }

            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
    )*};
}

writers! {
    Vec<u8>: [] write_growing(cursor) &mut cursor.inner;
    &mut Vec<u8>: [] write_growing(cursor) &mut *cursor.inner;
    &mut [u8]: [] write_within(cursor) &mut *cursor.inner;
    Box<[u8]>: [] write_within(cursor) &mut *cursor.inner;
    [u8; N]: [const N: usize] write_within(cursor) &mut cursor.inner[..];
}
