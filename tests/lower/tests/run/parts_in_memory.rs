//! Values seen as parts: through pins, parts of texts and of arrays.

use std::marker::PhantomPinned;
use std::pin::Pin;
use std::rc::Rc;

pub fn pinned_values(x: f64) -> f64 {
    let mut y = x;
    let mut pin = Pin::new(&mut y);
    *pin += 1.0;
    let first = *pin.as_ref();
    pin.set(4.0);
    *pin.as_mut().get_mut() += first;
    let boxed: Pin<Box<(f64, PhantomPinned)>> = Box::pin((x, PhantomPinned));
    y + boxed.0 + *Rc::pin(2.0) + *Pin::into_inner(Pin::new(&x))
}

pub fn parts_of_texts_that_change(x: f64) -> f64 {
    let mut text = String::from("aßcd");
    if let Some(part) = text.get_mut(3..) {
        part.make_ascii_uppercase();
    }
    let (first, last) = text.split_at_mut(3);
    first.make_ascii_uppercase();
    last[1..].make_ascii_lowercase();
    let is_absent = text.get_mut(2..4).is_none() as u8 as f64;
    let mut row = [x, 2.0, 3.0];
    if let Some((a, b)) = row.split_at_mut_checked(1) {
        a[0] += b[1];
    }
    row[0] + (text == "AßCd") as u8 as f64 + is_absent + row.split_at_mut_checked(4).is_none() as u8 as f64
}
