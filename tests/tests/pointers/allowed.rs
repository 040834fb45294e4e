//! Functions whose unsafe code is sound, close to what is refused: right layouts, lifetimes that do not end yet, values
//! that are not aligned or overlap where that is allowed.

use std::alloc::{Layout, alloc, dealloc, realloc};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr;

pub fn a_box_freed_by_its_layout(x: f64) -> f64 {
    let p = Box::into_raw(Box::new((x, 2.0)));
    unsafe {
        let sum = (*p).0 * 3.0 + (*p).1;
        dealloc(p.cast(), Layout::new::<(f64, f64)>());
        sum
    }
}

pub fn memory_that_grows_twice(x: f64) -> f64 {
    unsafe {
        let mut p = alloc(Layout::array::<f64>(1).unwrap()) as *mut f64;
        p.write(x);
        for n in 1..3 {
            p = realloc(p as *mut u8, Layout::array::<f64>(n).unwrap(), 8 * (n + 1)) as *mut f64;
            p.add(n).write(*p.add(n - 1) * x);
        }
        let last = *p.add(2);
        dealloc(p as *mut u8, Layout::array::<f64>(3).unwrap());
        last
    }
}

struct Parts {
    data: *mut f64,
    len: usize,
    capacity: usize,
}

fn into_parts(elems: Vec<f64>) -> Parts {
    let mut elems = ManuallyDrop::new(elems);
    Parts { data: elems.as_mut_ptr(), len: elems.len(), capacity: elems.capacity() }
}

pub fn memory_that_outlives_its_variable(x: f64) -> f64 {
    let mut elems = Vec::with_capacity(4);
    elems.extend([x, 2.0]);
    let parts = into_parts(elems);
    unsafe {
        *parts.data *= 3.0;
        let elems = Vec::from_raw_parts(parts.data, parts.len, parts.capacity);
        elems[0] * elems[1] + elems.capacity() as f64
    }
}

pub fn a_variable_of_each_round(x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        let mut y = x * i as f64;
        let p = &raw mut y;
        if i == 2 {
            continue;
        }
        unsafe { *p += 1.0 };
        sum += y;
    }
    sum
}

fn first_large(elems: &[f64]) -> f64 {
    let mut found = 0.0;
    let place = &raw mut found;
    for y in elems {
        let copy = *y;
        let from = &raw const copy;
        if copy > 1.0 {
            unsafe { *place = *from };
            return found;
        }
    }
    -1.0
}

pub fn variables_at_an_early_return(x: f64) -> f64 {
    first_large(&[0.5, x * x + 1.0, 7.0]) * 2.0 + first_large(&[0.0])
}

pub fn a_variable_that_a_block_returns(x: f64) -> f64 {
    let y = {
        let mut elems = vec![x, 2.0];
        let p = elems.as_mut_ptr();
        unsafe { *p.add(1) *= x };
        elems
    };
    let z = {
        let mut z = y[1];
        let p = &raw mut z;
        unsafe { *p += y[0] };
        z
    };
    z * 2.0
}

pub fn a_temporary_of_a_statement(x: f64) -> f64 {
    let first = unsafe { *vec![x * 2.0, 1.0].as_ptr() };
    let constant = [3.0, 4.0].as_ptr();
    first * unsafe { *constant.add(1) }
}

pub fn integers_that_are_not_aligned(x: f64) -> f64 {
    let bytes = [0_u8, 1, 2, 0, 0, 5, 0, 0];
    let mut words = [0_u32; 2];
    unsafe {
        let odd = (bytes.as_ptr().add(1) as *const u32).read_unaligned();
        let even = *(bytes.as_ptr().add(4) as *const u16);
        (words.as_mut_ptr() as *mut u8).add(2).cast::<u32>().write_unaligned(0x0102_0304);
        x * (odd + u32::from(even) + words[0] / 0x1_0000 + words[1]) as f64
    }
}

pub fn copies_that_may_overlap(x: f64) -> f64 {
    let mut v = [x, 2.0, 3.0, 4.0];
    let p = v.as_mut_ptr();
    unsafe {
        ptr::copy(p, p.add(1), 3);
        ptr::copy_nonoverlapping(p.add(2), p, 2);
        ptr::swap_nonoverlapping(p, p.add(2), 2);
        p.copy_to_nonoverlapping(p.add(1), 1);
    }
    v.iter().fold(0.0, |sum, y| sum * 2.0 + y)
}

pub fn values_that_are_not_checked(x: f64) -> f64 {
    let (some, ok, err): (Option<f64>, Result<f64, ()>, Result<(), f64>) = (Some(x), Ok(2.0), Err(3.0));
    let mut boxed = Box::<f64>::new_uninit();
    boxed.write(x);
    unsafe {
        let n = (x.abs() * 10.0 + 0.3).to_int_unchecked::<u8>() as f64;
        let m = (-7.9_f32).to_int_unchecked::<i64>() as f64;
        some.unwrap_unchecked() * ok.unwrap_unchecked() * err.unwrap_err_unchecked()
            + n
            + m
            + *boxed.assume_init()
    }
}

pub fn a_struct_with_all_its_fields(x: f64) -> f64 {
    let mut pair = MaybeUninit::<(f64, [f64; 2])>::uninit();
    unsafe {
        (&raw mut (*pair.as_mut_ptr()).0).write(x);
        (&raw mut (*pair.as_mut_ptr()).1).write([2.0, x]);
        let pair = pair.assume_init();
        pair.0 * pair.1[0] + pair.1[1]
    }
}

pub fn sums_by_pointers_and_indices(x: f64) -> f64 {
    let mut v: Vec<f64> = (0..6).map(|i| x + i as f64).collect();
    let p = v.as_mut_ptr();
    let mut sum = 0.0;
    for i in 0..v.len() {
        unsafe { *p.add(i) *= 2.0 };
    }
    for i in 1..v.len() {
        sum += unsafe { *p.add(i) * *p.add(i - 1) } * v[i];
    }
    let half = unsafe { std::slice::from_raw_parts(p, 3) };
    sum + half.iter().sum::<f64>()
}

pub fn an_address_computed_from_null(x: f64) -> f64 {
    let near = std::ptr::null_mut::<u8>().wrapping_add(64);
    let floats = std::ptr::NonNull::new(near as *mut f64).expect("it is not null");
    let none = unsafe { std::slice::from_raw_parts_mut(floats.as_ptr(), 0) };
    none.iter_mut().for_each(|y| *y = x);
    let copied = none.to_vec();
    let back = near.wrapping_sub(64).is_null();
    copied.iter().sum::<f64>() + x * (none.len() + 2 + usize::from(back)) as f64
}
