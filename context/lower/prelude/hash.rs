//! Hashing, for programs that compute hashes themselves; maps order their keys instead.

#[lang("hash")]
pub trait Hash {
    fn hash<H: Hasher>(&self, state: &mut H);
}

pub trait Hasher {
    fn finish(&self) -> u64;
    fn write(&mut self, bytes: &[u8]);

    fn write_u8(&mut self, i: u8) {
        self.write(&[i])
    }

    fn write_u16(&mut self, i: u16) {
        self.write(&i.to_le_bytes())
    }

    fn write_u32(&mut self, i: u32) {
        self.write(&i.to_le_bytes())
    }

    fn write_u64(&mut self, i: u64) {
        self.write(&i.to_le_bytes())
    }

    fn write_u128(&mut self, i: u128) {
        self.write(&i.to_le_bytes())
    }

    fn write_usize(&mut self, i: usize) {
        self.write(&i.to_le_bytes())
    }

    fn write_i8(&mut self, i: i8) {
        self.write_u8(i as u8)
    }

    fn write_i16(&mut self, i: i16) {
        self.write_u16(i as u16)
    }

    fn write_i32(&mut self, i: i32) {
        self.write_u32(i as u32)
    }

    fn write_i64(&mut self, i: i64) {
        self.write_u64(i as u64)
    }

    fn write_i128(&mut self, i: i128) {
        self.write_u128(i as u128)
    }

    fn write_isize(&mut self, i: isize) {
        self.write_usize(i as usize)
    }
}

macro_rules! hash {
    ($($T:ident $write:ident;)*) => {$(
        impl Hash for $T {
            fn hash<H: Hasher>(&self, state: &mut H) {
                state.$write(*self)
            }
        }
    )*};
}

#[impls(Hash)]
hash! {
    u8 write_u8; u16 write_u16; u32 write_u32; u64 write_u64; u128 write_u128; usize write_usize;
    i8 write_i8; i16 write_i16; i32 write_i32; i64 write_i64; i128 write_i128; isize write_isize;
}

impl Hash for bool {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(*self as u8)
    }
}

impl Hash for char {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(*self as u32)
    }
}

impl Hash for str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(self.as_bytes());
        state.write_u8(0xff);
    }
}

impl Hash for String {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state)
    }
}

impl Hash for () {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

impl<T: Hash + ?Sized> Hash for &T {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state)
    }
}

impl<T: Hash + ?Sized> Hash for &mut T {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state)
    }
}

/// Addresses are others in each run, and not known here: every pointer has the same hash, as equal ones must.
macro_rules! hash_pointer {
    ($($T:ty;)*) => {$(
        impl<T: ?Sized> Hash for $T {
            fn hash<H: Hasher>(&self, state: &mut H) {
                state.write_usize(0)
            }
        }
    )*};
}

#[impls(Hash)]
hash_pointer! {
    *const T; *mut T; crate::ptr::NonNull<T>;
}

pub trait BuildHasher {
    type Hasher: Hasher;
    fn build_hasher(&self) -> Self::Hasher;

    fn hash_one<T: Hash>(&self, x: T) -> u64 {
        let mut hasher = self.build_hasher();
        x.hash(&mut hasher);
        hasher.finish()
    }
}

#[derive(Clone, Default)]
pub struct BuildHasherDefault<H> {
    of: crate::marker::PhantomData<H>,
}

impl<H: Hasher + Default> BuildHasher for BuildHasherDefault<H> {
    type Hasher = H;

    fn build_hasher(&self) -> H {
        H::default()
    }
}

#[derive(Clone, Default, Debug)]
pub struct RandomState;

impl RandomState {
    pub fn new() -> RandomState {
        RandomState
    }
}

impl BuildHasher for RandomState {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        DefaultHasher::new()
    }
}

/// SipHash 1-3 with key 0, like `DefaultHasher::new()`.
#[derive(Clone, Debug)]
pub struct DefaultHasher {
    v: [u64; 4],
    tail: u64,
    tail_len: usize,
    length: usize,
}

impl DefaultHasher {
    pub fn new() -> DefaultHasher {
        let v = [0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573];
        DefaultHasher { v, tail: 0, tail_len: 0, length: 0 }
    }

    fn round(&mut self) {
        let [mut v0, mut v1, mut v2, mut v3] = self.v;
        v0 = v0.wrapping_add(v1);
        v2 = v2.wrapping_add(v3);
        v1 = v1.rotate_left(13) ^ v0;
        v3 = v3.rotate_left(16) ^ v2;
        v0 = v0.rotate_left(32);
        v2 = v2.wrapping_add(v1);
        v0 = v0.wrapping_add(v3);
        v1 = v1.rotate_left(17) ^ v2;
        v3 = v3.rotate_left(21) ^ v0;
        v2 = v2.rotate_left(32);
        self.v = [v0, v1, v2, v3];
    }
}

impl Default for DefaultHasher {
    fn default() -> DefaultHasher {
        DefaultHasher::new()
    }
}

impl Hasher for DefaultHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes.iter() {
            self.tail |= (*byte as u64) << (8 * self.tail_len as u32);
            self.tail_len += 1;
            self.length += 1;
            if self.tail_len == 8 {
                self.v[3] ^= self.tail;
                self.round();
                self.v[0] ^= self.tail;
                self.tail = 0;
                self.tail_len = 0;
            }
        }
    }

    fn finish(&self) -> u64 {
        let mut state = self.clone();
        let last = ((self.length as u64 & 0xff) << 56) | self.tail;
        state.v[3] ^= last;
        state.round();
        state.v[0] ^= last;
        state.v[2] ^= 0xff;
        state.round();
        state.round();
        state.round();
        state.v[0] ^ state.v[1] ^ state.v[2] ^ state.v[3]
    }
}
