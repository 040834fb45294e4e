//! Readers.

use crate::cmp;

use super::{Error, ErrorKind, Result};

fn not_utf8() -> Error {
    Error::message(ErrorKind::InvalidData, "stream did not contain valid UTF-8")
}

/// Appends bytes to a text, which stays as it is if they are not UTF-8.
fn append(buf: &mut String, bytes: Vec<u8>) -> Result<()> {
    match String::from_utf8(bytes) {
        Ok(text) => {
            buf.push_str(&text);
            Ok(())
        }
        Err(_) => Err(not_utf8()),
    }
}

pub trait Read {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize>;

    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        let mut at = 0;
        while at < buf.len() {
            match self.read(&mut buf[at..]) {
                Ok(0) => break,
                Ok(count) => at += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if at < buf.len() {
            return Err(Error::message(ErrorKind::UnexpectedEof, "failed to fill whole buffer"));
        }
        Ok(())
    }

    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
        let before = buf.len();
        let mut part = [0; 32];
        loop {
            match self.read(&mut part) {
                Ok(0) => return Ok(buf.len() - before),
                Ok(count) => buf.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn read_to_string(&mut self, buf: &mut String) -> Result<usize> {
        let mut bytes = Vec::new();
        let count = self.read_to_end(&mut bytes)?;
        append(buf, bytes)?;
        Ok(count)
    }

    fn by_ref(&mut self) -> &mut Self {
        self
    }

    fn bytes(self) -> Bytes<Self>
    where
        Self: Sized,
    {
        Bytes { inner: self }
    }

    fn chain<R: Read>(self, next: R) -> Chain<Self, R>
    where
        Self: Sized,
    {
        Chain { first: self, second: next, is_first_done: false }
    }

    fn take(self, limit: u64) -> Take<Self>
    where
        Self: Sized,
    {
        Take { inner: self, limit }
    }
}

pub fn read_to_string<R: Read>(mut reader: R) -> Result<String> {
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    Ok(text)
}

impl Read for &[u8] {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        let count = self.len().min(buf.len());
        let (read, rest) = self.split_at(count);
        buf[..count].copy_from_slice(read);
        *self = rest;
        Ok(count)
    }

    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
        if buf.len() > self.len() {
            *self = &self[self.len()..];
            return Err(Error::message(ErrorKind::UnexpectedEof, "failed to fill whole buffer"));
        }
        let (read, rest) = self.split_at(buf.len());
        buf.copy_from_slice(read);
        *self = rest;
        Ok(())
    }

    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
        let count = self.len();
        buf.extend_from_slice(self);
        *self = &self[count..];
        Ok(count)
    }
}

macro_rules! read_through {
    ($($ty:ty;)*) => {$(
        impl<R: Read + ?Sized> Read for $ty {
            fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
                (**self).read(buf)
            }

            fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {
                (**self).read_exact(buf)
            }

            fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {
                (**self).read_to_end(buf)
            }

            fn read_to_string(&mut self, buf: &mut String) -> Result<usize> {
                (**self).read_to_string(buf)
            }
        }
    )*};
}

#[impls(Read)]
read_through! {
    &mut R;
    Box<R>;
}

impl Read for crate::collections::VecDeque<u8> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        let count = self.len().min(buf.len());
        for at in 0..count {
            buf[at] = self.pop_front().unwrap();
        }
        Ok(count)
    }
}

pub trait BufRead: Read {
    fn fill_buf(&mut self) -> Result<&[u8]>;
    fn consume(&mut self, amount: usize);

    fn read_until(&mut self, byte: u8, buf: &mut Vec<u8>) -> Result<usize> {
        let mut read = 0;
        loop {
            let available = match self.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = available.iter().position(|&found| found == byte);
            let used = match end {
                Some(at) => at + 1,
                None => available.len(),
            };
            buf.extend_from_slice(&available[..used]);
            self.consume(used);
            read += used;
            if end.is_some() || used == 0 {
                return Ok(read);
            }
        }
    }

    fn skip_until(&mut self, byte: u8) -> Result<usize> {
        let mut skipped = Vec::new();
        self.read_until(byte, &mut skipped)
    }

    fn read_line(&mut self, buf: &mut String) -> Result<usize> {
        let mut bytes = Vec::new();
        let count = self.read_until(b'\n', &mut bytes)?;
        append(buf, bytes)?;
        Ok(count)
    }

    fn split(self, byte: u8) -> Split<Self>
    where
        Self: Sized,
    {
        Split { inner: self, byte }
    }

    fn lines(self) -> Lines<Self>
    where
        Self: Sized,
    {
        Lines { inner: self }
    }
}

impl BufRead for &[u8] {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(*self)
    }

    fn consume(&mut self, amount: usize) {
        *self = &self[amount..];
    }
}

macro_rules! buffered_through {
    ($($ty:ty;)*) => {$(
        impl<B: BufRead + ?Sized> BufRead for $ty {
            fn fill_buf(&mut self) -> Result<&[u8]> {
                (**self).fill_buf()
            }

            fn consume(&mut self, amount: usize) {
                (**self).consume(amount)
            }
        }
    )*};
}

#[impls(BufRead)]
buffered_through! {
    &mut B;
    Box<B>;
}

#[derive(Debug)]
pub struct Lines<B> {
    inner: B,
}

impl<B: BufRead> Iterator for Lines<B> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Result<String>> {
        let mut line = String::new();
        match self.inner.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => {
                if line.ends_with('\n') {
                    line.pop();
                    if line.ends_with('\r') {
                        line.pop();
                    }
                }
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

#[derive(Debug)]
pub struct Split<B> {
    inner: B,
    byte: u8,
}

impl<B: BufRead> Iterator for Split<B> {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Result<Vec<u8>>> {
        let mut part = Vec::new();
        match self.inner.read_until(self.byte, &mut part) {
            Ok(0) => None,
            Ok(_) => {
                if part.last() == Some(&self.byte) {
                    part.pop();
                }
                Some(Ok(part))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

#[derive(Debug)]
pub struct Bytes<R> {
    inner: R,
}

impl<R: Read> Iterator for Bytes<R> {
    type Item = Result<u8>;

    fn next(&mut self) -> Option<Result<u8>> {
        let mut byte = [0];
        loop {
            return match self.inner.read(&mut byte) {
                Ok(0) => None,
                Ok(_) => Some(Ok(byte[0])),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Some(Err(error)),
            };
        }
    }
}

#[derive(Debug)]
pub struct Chain<T, U> {
    first: T,
    second: U,
    is_first_done: bool,
}

impl<T, U> Chain<T, U> {
    pub fn into_inner(self) -> (T, U) {
        (self.first, self.second)
    }

    pub fn get_ref(&self) -> (&T, &U) {
        (&self.first, &self.second)
    }
}

impl<T: Read, U: Read> Read for Chain<T, U> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        if !self.is_first_done {
            let count = self.first.read(buf)?;
            if count > 0 || buf.is_empty() {
                return Ok(count);
            }
            self.is_first_done = true;
        }
        self.second.read(buf)
    }
}

impl<T: BufRead, U: BufRead> BufRead for Chain<T, U> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if !self.is_first_done {
            let buf = self.first.fill_buf()?;
            if !buf.is_empty() {
                return Ok(buf);
            }
            self.is_first_done = true;
        }
        self.second.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if self.is_first_done { self.second.consume(amount) } else { self.first.consume(amount) }
    }
}

#[derive(Debug)]
pub struct Take<R> {
    inner: R,
    limit: u64,
}

impl<R> Take<R> {
    pub fn limit(&self) -> u64 {
        self.limit
    }

    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    pub fn into_inner(self) -> R {
        self.inner
    }

    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }
}

impl<R: Read> Read for Take<R> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        if self.limit == 0 {
            return Ok(0);
        }
        let most = cmp::min(buf.len() as u64, self.limit) as usize;
        let count = self.inner.read(&mut buf[..most])?;
        self.limit -= count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Take<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.limit == 0 {
            return Ok(&[]);
        }
        let buf = self.inner.fill_buf()?;
        let most = cmp::min(buf.len() as u64, self.limit) as usize;
        Ok(&buf[..most])
    }

    fn consume(&mut self, amount: usize) {
        let amount = cmp::min(amount as u64, self.limit) as usize;
        self.limit -= amount as u64;
        self.inner.consume(amount);
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Empty;

pub fn empty() -> Empty {
    Empty
}

impl Read for Empty {
    fn read(&mut self, _buf: &mut [u8]) -> Result<usize> {
        Ok(0)
    }
}

impl BufRead for Empty {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(&[])
    }

    fn consume(&mut self, _amount: usize) {}
}

#[derive(Clone, Debug)]
pub struct Repeat {
    byte: u8,
}

pub fn repeat(byte: u8) -> Repeat {
    Repeat { byte }
}

impl Read for Repeat {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        buf.fill(self.byte);
        Ok(buf.len())
    }
}
