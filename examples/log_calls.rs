//! Which functions does a call run through, and with which values?
//!
//! Hooks of a context see every call, directly or indirectly, in functions that are unaware of it. The crate
//! `overdub-trace` does this with operations, times and flame graphs.

use overdub::prelude::*;

#[dub]
fn tin(radius: f64, height: f64) -> f64 {
    2.0 * disc(radius) + height * circumference(radius)
}

#[dub]
fn disc(radius: f64) -> f64 {
    circumference(radius) * radius / 2.0
}

#[dub]
fn circumference(radius: f64) -> f64 {
    radius * 6.25
}

/// A line for each call, and the depth of the next one.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    depth: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let log = ctx_with::<Log>()
        .when(|call| call.can_recurse()) // functions; without this line operations as well
        .before(|log, call, args| {
            let args: Vec<String> = args.iter().map(ToString::to_string).collect();
            let call = format!("{}({})", call.name(), args.join(", "));
            log.lines.push(format!("{:indent$}{call}", "", indent = 2 * log.depth));
            log.depth += 1;
        })
        .after(|log, _, result, _| {
            log.depth -= 1;
            log.lines.push(format!("{:indent$}= {result}", "", indent = 2 * log.depth));
        });
    let (area, log) = overdub(log, tin, (2.0, 3.0))?;
    log.lines.iter().for_each(|line| println!("{line}"));
    println!("the tin has {area}");
    assert_eq!(area, tin(2.0, 3.0)); // as computed by Rust itself
    Ok(())
}
