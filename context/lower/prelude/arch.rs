//! The few intrinsics of processors that programs use on integers, in plain Rust.

pub mod x86_64 {
    pub unsafe fn _addcarry_u32(c_in: u8, a: u32, b: u32, out: &mut u32) -> u8 {
        let sum = a as u64 + b as u64 + (c_in != 0) as u64;
        *out = sum as u32;
        (sum >> 32) as u8
    }

    pub unsafe fn _addcarry_u64(c_in: u8, a: u64, b: u64, out: &mut u64) -> u8 {
        let sum = a as u128 + b as u128 + (c_in != 0) as u128;
        *out = sum as u64;
        (sum >> 64) as u8
    }

    pub unsafe fn _subborrow_u32(c_in: u8, a: u32, b: u32, out: &mut u32) -> u8 {
        let (less, first) = a.overflowing_sub(b);
        let (less, second) = less.overflowing_sub((c_in != 0) as u32);
        *out = less;
        (first | second) as u8
    }

    pub unsafe fn _subborrow_u64(c_in: u8, a: u64, b: u64, out: &mut u64) -> u8 {
        let (less, first) = a.overflowing_sub(b);
        let (less, second) = less.overflowing_sub((c_in != 0) as u64);
        *out = less;
        (first | second) as u8
    }
}
