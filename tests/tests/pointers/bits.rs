//! Functions that see floats as the bits of integers through pointers, and that write memory before anything was in it.

use std::mem::MaybeUninit;

fn cast<T: Copy, U: Copy>(value: T) -> U {
    let pointer = &raw const value as *const U;
    unsafe { pointer.read_unaligned() }
}

pub fn the_absolute_value_by_bits(x: f64) -> f64 {
    let bits = cast::<f64, u64>(-x * 3.0) & !(1 << 63);
    cast::<u64, f64>(bits) * x
}

pub fn a_float_read_as_bits_and_back(x: f64) -> f64 {
    let bits = unsafe { *(&x as *const f64 as *const u64) };
    f64::from_bits(bits) * 2.0 + x
}

pub fn bits_written_into_a_float(x: f64) -> f64 {
    let mut y = 0.0_f64;
    unsafe { *(&mut y as *mut f64 as *mut u64) = (x * x).to_bits() };
    y * x
}

pub fn a_constant_written_as_bits(x: f64) -> f64 {
    let mut y = 0.0_f64;
    let place = &mut y as *mut f64 as *mut u64;
    unsafe { *place = 0x3ff8_0000_0000_0000 };
    y * x
}

pub fn an_exponent_in_a_field(x: f64) -> f64 {
    let pair = (x, 2.0_f64);
    let exponent = unsafe { *(&raw const pair.0 as *const u64) } >> 52 & 0x7ff;
    pair.0 * pair.1 + exponent as f64 - 1023.0
}

pub fn a_table_of_bits_in_a_constant(x: f64) -> f64 {
    let table = const {
        let mut table = [const { MaybeUninit::<f64>::uninit() }; 4];
        let mut k = 0;
        while k < 4 {
            unsafe { (&raw mut table[k]).cast::<u64>().write_unaligned(k as u64 + 5) };
            k += 1;
        }
        table
    };
    let third: u64 = unsafe { table[2].assume_init() }.to_bits();
    x * third as f64
}

pub fn a_slice_written_from_the_front(x: f64) -> f64 {
    let mut memory: Box<[MaybeUninit<f64>]> = Box::new_uninit_slice(3);
    let first = memory.as_mut_ptr() as *mut f64;
    let mut rest: &mut [f64] = unsafe { std::slice::from_raw_parts_mut(first, 3) };
    let mut k = 0.0;
    while !rest.is_empty() {
        let (head, tail) = unsafe { core::mem::take(&mut rest).split_first_mut().unwrap_unchecked() };
        *head = x + k;
        k += 1.0;
        rest = tail;
    }
    unsafe { *first.add(1) * *first.add(2) }
}

pub fn a_slice_written_by_an_iterator(x: f64) -> f64 {
    let mut memory: Box<[MaybeUninit<f64>]> = Box::new_uninit_slice(3);
    let first = memory.as_mut_ptr() as *mut f64;
    let elems: &mut [f64] = unsafe { std::slice::from_raw_parts_mut(first, 3) };
    for (k, elem) in elems.iter_mut().enumerate() {
        *elem = x * k as f64;
    }
    let memory = unsafe { memory.assume_init() };
    memory.iter().map(|y| y * y).sum()
}

fn store(place: &mut f64, value: f64) {
    *place = value;
}

pub fn memory_that_a_function_writes_first(x: f64) -> f64 {
    let mut memory: Vec<f64> = Vec::with_capacity(2);
    let first = memory.as_mut_ptr();
    unsafe {
        store(&mut *first, x * x);
        store(&mut *first.add(1), x);
        memory.set_len(2);
    }
    store(unsafe { &mut *memory.as_mut_ptr() }, memory[0] + 1.0);
    memory[0] * memory[1]
}

pub fn elements_up_to_an_alignment(x: f64) -> f64 {
    let words = [1_u64, 2, 3, 4, 5, 6, 7, 8, 9];
    let at = words.as_ptr();
    let offsets =
        (at.align_offset(8), unsafe { at.add(3).align_offset(8) }, unsafe { at.add(2).align_offset(1) });
    let apart = at.wrapping_add(1).align_offset(64) as i64 - at.wrapping_add(2).align_offset(64) as i64;
    x * (offsets.0 + offsets.1 + offsets.2) as f64 + (apart == 1 || apart == -7) as u64 as f64
}

#[derive(Clone, Copy)]
struct Marked<T: ?Sized> {
    marker: std::marker::PhantomData<f64>,
    elems: T,
}

pub fn two_elements_behind_a_marker(x: f64) -> f64 {
    let data = [x, 3.0];
    let marked = unsafe { &*(&data[..] as *const [f64] as *const Marked<[f64]>) };
    marked.elems[0] * marked.elems[1]
}

#[allow(unnecessary_transmutes)]
pub fn a_float_as_a_signed_integer(x: f64) -> f64 {
    let bits: i64 = unsafe { std::mem::transmute(-x) };
    let short: i32 = unsafe { std::mem::transmute(-1.5_f32) };
    let back: f64 = unsafe { std::mem::transmute(bits) };
    back * x + f64::from(short >> 8) + f64::from(u8::from(bits < 0))
}

trait Seven {
    fn seven(&self) -> f64 {
        7.0
    }
}
macro_rules! seven {
    ($ty:ty) => {
        impl Seven for $ty {}
    };
}
#[allow(unused_unsafe)]
const _: () = unsafe {
    seven!(u32);
};

pub fn an_unsafe_block_of_impls(x: f64) -> f64 {
    x * 3_u32.seven()
}

pub fn a_cell_that_was_borrowed_by_a_pointer(x: f64) -> f64 {
    let (a, b) = (std::cell::RefCell::new(x), std::cell::RefCell::new(x));
    let same = a.as_ptr() == b.as_ptr();
    unsafe { *a.as_ptr() *= 2.0 };
    let larger = std::hint::select_unpredictable(same, 5.0, 3.0);
    *a.borrow() * *b.borrow() + larger
}
