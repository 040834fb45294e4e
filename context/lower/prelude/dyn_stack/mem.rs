//! The buffers that stacks are made of.

use core::fmt;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

use super::StackReq;

#[derive(Copy, Clone, Debug)]
pub struct AllocError;

impl fmt::Display for AllocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("memory allocation failed")
    }
}

impl core::error::Error for AllocError {}

pub struct MemBuffer {
    bytes: Box<[MaybeUninit<u8>]>,
}

impl MemBuffer {
    pub fn new(req: StackReq) -> MemBuffer {
        match MemBuffer::try_new(req) {
            Ok(buffer) => buffer,
            Err(error) => panic!("{error}"),
        }
    }

    pub fn try_new(req: StackReq) -> Result<MemBuffer, AllocError> {
        match req.layout() {
            Ok(layout) => Ok(MemBuffer { bytes: Box::<[u8]>::new_uninit_slice(layout.size()) }),
            Err(_) => Err(AllocError),
        }
    }
}

impl Deref for MemBuffer {
    type Target = [MaybeUninit<u8>];

    fn deref(&self) -> &[MaybeUninit<u8>] {
        &self.bytes
    }
}

impl DerefMut for MemBuffer {
    fn deref_mut(&mut self) -> &mut [MaybeUninit<u8>] {
        &mut self.bytes
    }
}

pub struct PodBuffer {
    bytes: Vec<u8>,
}

impl PodBuffer {
    pub fn new(req: StackReq) -> PodBuffer {
        match PodBuffer::try_new(req) {
            Ok(buffer) => buffer,
            Err(error) => panic!("{error}"),
        }
    }

    pub fn try_new(req: StackReq) -> Result<PodBuffer, AllocError> {
        match req.layout() {
            Ok(layout) => Ok(PodBuffer { bytes: vec![0; layout.size()] }),
            Err(_) => Err(AllocError),
        }
    }
}

impl Deref for PodBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for PodBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}
