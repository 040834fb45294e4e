use overdub::prelude::*;

#[dub]
async fn later(x: f64) -> f64 {
    x
}

#[dub]
static mut COUNT: u64 = 0;

#[dub]
union Bits {
    float: f64,
    bits: u64,
}

#[dub]
fn fast(x: u64) -> u64 {
    let y: u64;
    unsafe { std::arch::asm!("mov {}, {}", out(reg) y, in(reg) x) };
    y
}

#[dub]
unsafe extern "C" {
    fn cos(x: f64) -> f64;
}

struct Point(f64);

impl Point {
    #[dub]
    fn x(&self) -> f64 {
        self.0
    }
}

fn main() {
    let _ = overdub::closures::dub!(|x| x + 1.0);
}
