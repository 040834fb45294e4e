//! Values behind pointers to other types. The values expected are those of a program compiled by rustc: tests have no
//! unsafe code.

use std::marker::PhantomData;

#[derive(Clone, Copy)]
#[repr(transparent)]
struct Pair([f64; 2]);

/// As tables of gradients are read.
pub fn elements_behind_the_first_struct(x: f64) -> f64 {
    let mut table = [Pair([1.0, x]), Pair([3.0, 4.0]), Pair([x, 6.0])];
    let numbers = table.as_ptr().cast::<f64>();
    let second = unsafe { &*numbers.add(2).cast::<Pair>() };
    let sum = second.0[0] + second.0[1] * unsafe { *numbers.add(4) };
    let written = table.as_mut_ptr().cast::<f64>();
    unsafe { *written.add(3) = 10.0 * x };
    sum + table[1].0[1] + table[2].0[1]
}

#[repr(C)]
struct Limbs<D>([[u8; 4]; 1], [u8; 0], PhantomData<D>);

/// A part without size has no numbers.
pub fn copied_beside_phantoms(x: f64) -> f64 {
    let bytes = (x.abs() as u32).to_le_bytes();
    let limbs: Limbs<u16> = unsafe { std::mem::transmute_copy(&bytes) };
    let back: [u16; 2] = unsafe { std::mem::transmute_copy(&limbs) };
    limbs.0[0][0] as f64 + back[0] as f64 + 2.0 * back[1] as f64
}
