use std::collections::HashMap;

macro_rules! shifted {
    ($t:ty, $n:expr) => { 1 as $t << $n };
}
macro_rules! impls {
    ($($name:ident: $bound:ident<$($arg:ty),*>),*) => {
        $(fn $name(x: &$bound<$($arg),*>) -> usize { x.len() })*
    };
}
impls!(nested: Vec<Vec<f64>>, map: HashMap<i32, Vec<u8>>);

macro_rules! first_rule_that_can_begin {
    ($e:expr) => { 1 };
    (@any $e:expr) => { $e + 2 };
}
macro_rules! closure_and_rest {
    ($f:expr, $($rest:expr),*) => { $f($($rest),*) };
}
macro_rules! as_then_less {
    ($a:expr) => { $a < 3 };
}

// names shifts: n@25
fn shifts(n: u32) -> u64 {
    shifted!(u64, n)
}

// names nested: x@11 .len
// names map: x@11 .len

// names picks: x@33
fn picks(x: i32) -> i32 {
    first_rule_that_can_begin!(@any x)
}

// names commas: a@39 b@39 x@38 x@38
fn commas(x: i32) -> i32 {
    closure_and_rest!(|a: i32, b: i32| a + b, x, x)
}

// names compares: x@43
fn compares(x: i64) -> bool {
    as_then_less!(x as i32)
}
