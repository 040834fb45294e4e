mod a {
    pub fn f() -> i32 { 1 }
    pub fn g() -> i32 { 2 }
    pub struct Vec;
    fn hidden() -> i32 { 3 }
    pub fn sees() -> i32 { hidden() }
}
use a::*;
fn f() -> i32 { 4 }
fn hidden() -> i32 { 5 }

// names calls: f a::g a::Vec x@14 hidden
fn calls() -> i32 {
    let x = f() + g();
    let _ = Vec;
    x + hidden()
}
