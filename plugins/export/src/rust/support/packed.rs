/// Where packed values are read.
struct OverdubFrom(*const u8);

impl OverdubFrom {
    /// The next bytes, and those up to a whole word.
    fn take(&mut self, bytes: usize) -> *const u8 {
        let at = self.0;
        self.0 = at.wrapping_add(bytes.next_multiple_of(8));
        at
    }

    fn word(&mut self) -> usize {
        // SAFETY: the host packed the arguments of this function.
        unsafe { self.take(8).cast::<u64>().read_unaligned() as usize }
    }

    /// A list of numbers of the host.
    fn shared<'h, T>(&mut self) -> &'h [T] {
        let (len, address) = (self.word(), self.word());
        match len {
            0 => &[],
            // SAFETY: as above; the host keeps the list during the call.
            _ => unsafe { std::slice::from_raw_parts(address as *const T, len) },
        }
    }

    /// Text of the host.
    fn shared_text<'h>(&mut self) -> &'h str {
        // SAFETY: text of the host is valid.
        unsafe { std::str::from_utf8_unchecked(self.shared()) }
    }
}

/// Where packed values are written: short ones without an allocation.
struct OverdubTo {
    room: [std::mem::MaybeUninit<u64>; 32],
    len: usize,
    /// All bytes, once they do not fit into the room.
    long: Vec<u8>,
}

impl OverdubTo {
    fn new() -> OverdubTo {
        OverdubTo { room: [std::mem::MaybeUninit::uninit(); 32], len: 0, long: Vec::new() }
    }

    fn written(&self) -> &[u8] {
        match self.long.is_empty() {
            // SAFETY: so many bytes were written.
            true => unsafe { std::slice::from_raw_parts(self.room.as_ptr().cast(), self.len) },
            false => &self.long,
        }
    }

    /// Appends bytes, and zeros up to a whole word.
    fn put(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len().next_multiple_of(8);
        if self.long.is_empty() && end <= size_of_val(&self.room) {
            // SAFETY: they fit, and the bytes of the last word are written before those that end in it.
            unsafe {
                let at = self.room.as_mut_ptr().cast::<u8>().add(self.len);
                if end > self.len {
                    self.room.as_mut_ptr().cast::<u64>().add(end / 8 - 1).write(0);
                }
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len());
            }
        } else {
            if self.long.is_empty() {
                self.long = self.written().to_vec();
            }
            self.long.extend_from_slice(bytes);
            self.long.resize(end, 0);
        }
        self.len = end;
    }

    fn word(&mut self, word: usize) {
        self.put(&(word as u64).to_ne_bytes());
    }

    fn list<T>(&mut self, list: &[T], is_shared: bool) {
        self.word(list.len());
        if is_shared {
            return self.word(list.as_ptr() as usize);
        }
        // SAFETY: numbers are bytes without gaps.
        self.put(unsafe { std::slice::from_raw_parts(list.as_ptr().cast(), size_of_val(list)) });
    }
}

/// What is packed. Text and numbers in lists are `SHARED` unless the list is in another one.
trait OverdubPacked: Sized {
    fn read<const SHARED: bool>(from: &mut OverdubFrom) -> Self;

    fn write<const SHARED: bool>(&self, to: &mut OverdubTo);

    fn read_list<const SHARED: bool>(from: &mut OverdubFrom) -> Vec<Self> {
        let len = from.word();
        (0..len).map(|_| Self::read::<false>(from)).collect()
    }

    fn write_list<const SHARED: bool>(list: &[Self], to: &mut OverdubTo) {
        to.word(list.len());
        list.iter().for_each(|elem| elem.write::<false>(to));
    }
}

macro_rules! overdub_numbers {
    ($($ty:ty)*) => {$(
        impl OverdubPacked for $ty {
            fn read<const SHARED: bool>(from: &mut OverdubFrom) -> $ty {
                // SAFETY: the host packed a number of this type.
                unsafe { from.take(size_of::<$ty>()).cast::<$ty>().read_unaligned() }
            }

            fn write<const SHARED: bool>(&self, to: &mut OverdubTo) {
                to.put(&self.to_ne_bytes());
            }

            fn read_list<const SHARED: bool>(from: &mut OverdubFrom) -> Vec<$ty> {
                if SHARED {
                    return from.shared::<$ty>().to_vec();
                }
                let len = from.word();
                let at = from.take(len * size_of::<$ty>()).cast::<$ty>();
                // SAFETY: as above, of so many.
                (0..len).map(|number| unsafe { at.add(number).read_unaligned() }).collect()
            }

            fn write_list<const SHARED: bool>(list: &[$ty], to: &mut OverdubTo) {
                to.list(list, SHARED);
            }
        }
    )*};
}

overdub_numbers!(f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl OverdubPacked for bool {
    fn read<const SHARED: bool>(from: &mut OverdubFrom) -> bool {
        <u8 as OverdubPacked>::read::<false>(from) != 0
    }

    fn write<const SHARED: bool>(&self, to: &mut OverdubTo) {
        to.put(&[u8::from(*self)]);
    }

    fn read_list<const SHARED: bool>(from: &mut OverdubFrom) -> Vec<bool> {
        <u8 as OverdubPacked>::read_list::<false>(from).into_iter().map(|byte| byte != 0).collect()
    }

    fn write_list<const SHARED: bool>(list: &[bool], to: &mut OverdubTo) {
        to.list(list, false);
    }
}

impl OverdubPacked for char {
    fn read<const SHARED: bool>(from: &mut OverdubFrom) -> char {
        char::from_u32(<u32 as OverdubPacked>::read::<false>(from)).unwrap_or_default()
    }

    fn write<const SHARED: bool>(&self, to: &mut OverdubTo) {
        to.put(&u32::from(*self).to_ne_bytes());
    }

    fn read_list<const SHARED: bool>(from: &mut OverdubFrom) -> Vec<char> {
        let codes = <u32 as OverdubPacked>::read_list::<false>(from);
        codes.into_iter().map(|code| char::from_u32(code).unwrap_or_default()).collect()
    }

    fn write_list<const SHARED: bool>(list: &[char], to: &mut OverdubTo) {
        to.list(list, false);
    }
}

impl OverdubPacked for () {
    fn read<const SHARED: bool>(_: &mut OverdubFrom) {}

    fn write<const SHARED: bool>(&self, _: &mut OverdubTo) {}
}

impl OverdubPacked for String {
    fn read<const SHARED: bool>(from: &mut OverdubFrom) -> String {
        let bytes = <u8 as OverdubPacked>::read_list::<SHARED>(from);
        // SAFETY: text of the host is valid.
        unsafe { String::from_utf8_unchecked(bytes) }
    }

    fn write<const SHARED: bool>(&self, to: &mut OverdubTo) {
        to.list(self.as_bytes(), SHARED);
    }
}

impl<T: OverdubPacked> OverdubPacked for Vec<T> {
    fn read<const SHARED: bool>(from: &mut OverdubFrom) -> Vec<T> {
        T::read_list::<SHARED>(from)
    }

    fn write<const SHARED: bool>(&self, to: &mut OverdubTo) {
        T::write_list::<SHARED>(self, to);
    }
}

impl<T: OverdubPacked> OverdubPacked for Box<T> {
    fn read<const SHARED: bool>(from: &mut OverdubFrom) -> Box<T> {
        Box::new(T::read::<SHARED>(from))
    }

    fn write<const SHARED: bool>(&self, to: &mut OverdubTo) {
        T::write::<SHARED>(self, to);
    }
}

/// Before the first call: what a call that fails says is not printed, since the host calls the function again.
#[unsafe(no_mangle)]
pub extern "C" fn overdub_begin() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// A number of elements for which there is memory; otherwise the call fails. Of few it is not asked.
fn overdub_room<T>(len: usize) -> usize {
    let bytes = len.saturating_mul(size_of::<T>());
    if bytes > 1 << 24 {
        assert!(bytes <= OVERDUB_MOST && Vec::<T>::new().try_reserve_exact(len).is_ok());
    }
    len
}

/// The bytes of the largest list.
const OVERDUB_MOST: usize = 8 << 30;

/// Makes room for another element, or fails.
#[inline]
fn overdub_grow<T>(list: &mut Vec<T>) {
    #[cold]
    fn grow<T>(list: &mut Vec<T>) {
        assert!(list.len().saturating_mul(2 * size_of::<T>()) <= OVERDUB_MOST && list.try_reserve(1).is_ok());
    }
    if list.len() == list.capacity() {
        grow(list);
    }
}

/// Makes room for so many records more, or fails.
fn overdub_grow_by<T>(tape: &mut Vec<T>, more: usize) {
    let bytes = tape.len().saturating_add(more).saturating_mul(2 * size_of::<T>());
    assert!(bytes <= OVERDUB_MOST && tape.try_reserve(more).is_ok());
}

/// Makes room for another row of a tape in lanes, or fails: an element with a long tape runs alone.
#[inline]
fn overdub_grow_rows<T>(rows: &mut Vec<T>) {
    if rows.len() == rows.capacity() {
        let bytes = rows.len().saturating_mul(2 * size_of::<T>());
        assert!(bytes <= 256 << 20 && rows.try_reserve(1).is_ok());
    }
}

/// Makes room for so many bytes more, or fails.
#[inline]
fn overdub_grow_text(text: &mut String, more: usize) {
    if text.capacity() - text.len() < more {
        assert!(text.len().saturating_add(more) <= OVERDUB_MOST / 2 && text.try_reserve(more).is_ok());
    }
}

/// How often a text of so many bytes is to be repeated, for which there is memory.
fn overdub_times(len: usize, times: usize) -> usize {
    overdub_room::<u8>(len.saturating_mul(times));
    times
}

/// A range of as many numbers as there is memory for.
fn overdub_range<T: Copy + TryInto<i128>>(range: std::ops::Range<T>) -> std::ops::Range<T> {
    if let (Ok(from), Ok(to)) = (range.start.try_into(), range.end.try_into()) {
        overdub_room::<T>(usize::try_from(to.saturating_sub(from).max(0)).unwrap_or(usize::MAX));
    }
    range
}

