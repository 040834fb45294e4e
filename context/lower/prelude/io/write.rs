//! Writers.

use crate::fmt::Arguments;

use super::{Error, ErrorKind, Read, Result};

pub trait Write {
    fn write(&mut self, buf: &[u8]) -> Result<usize>;
    fn flush(&mut self) -> Result<()>;

    fn write_all(&mut self, buf: &[u8]) -> Result<()> {
        let mut rest = buf;
        while !rest.is_empty() {
            match self.write(rest) {
                Ok(0) => return Err(Error::message(ErrorKind::WriteZero, "failed to write whole buffer")),
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn write_fmt(&mut self, args: Arguments<'_>) -> Result<()> {
        self.write_all(args.text.as_bytes())
    }

    fn by_ref(&mut self) -> &mut Self {
        self
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

impl Write for &mut [u8] {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        let count = buf.len().min(self.len());
        let (written, rest) = crate::mem::take(self).split_at_mut(count);
        written.copy_from_slice(&buf[..count]);
        *self = rest;
        Ok(count)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Write for crate::collections::VecDeque<u8> {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        self.extend(buf);
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

macro_rules! write_through {
    ($($ty:ty;)*) => {$(
        impl<W: Write + ?Sized> Write for $ty {
            fn write(&mut self, buf: &[u8]) -> Result<usize> {
                (**self).write(buf)
            }

            fn flush(&mut self) -> Result<()> {
                (**self).flush()
            }

            fn write_all(&mut self, buf: &[u8]) -> Result<()> {
                (**self).write_all(buf)
            }
        }
    )*};
}

#[impls(Write)]
write_through! {
    &mut W;
    Box<W>;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Sink;

pub fn sink() -> Sink {
    Sink
}

impl Write for Sink {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

pub fn copy<R: Read + ?Sized, W: Write + ?Sized>(reader: &mut R, writer: &mut W) -> Result<u64> {
    let mut part = [0; 1024];
    let mut copied = 0;
    loop {
        let count = match reader.read(&mut part) {
            Ok(0) => return Ok(copied),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        writer.write_all(&part[..count])?;
        copied += count as u64;
    }
}
