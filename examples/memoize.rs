//! Can a function remember what it returned, without being rewritten?
//!
//! The recursion below takes 2 692 537 calls. Under the context each argument is computed once.

use overdub::prelude::*;
use overdub_memoize::Memoize;

#[dub]
fn fib(n: u64) -> u64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for n in [10, 30, 90] {
        let (value, table) = overdub(Memoize::function("fib"), fib, (n,))?;
        println!("fib({n}) = {value}, with {} values remembered", table.len());
    }
    Ok(())
}
