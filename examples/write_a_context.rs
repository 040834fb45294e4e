//! How do I write a context? Here: the least and the greatest float that any call in a function returns.
//!
//! A type, its metadata while a program runs, the calls that it watches, and what it does at them.

use overdub::context::engine::{CallSite, Hooks, WithMetadata};
use overdub::context::{Failure, value::Value};
use overdub::prelude::*;

/// Watches the results of all calls.
#[derive(Clone)]
struct Extremes;

impl Context for Extremes {
    type Metadata = Option<(f64, f64)>;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Option<(f64, f64)> {
        None
    }

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::RESULT
    }

    fn posthook(
        &self,
        seen: &mut Option<(f64, f64)>,
        _: &CallSite,
        result: &Value<'_>,
        _: &[Value<'_>],
    ) -> Result<(), Failure> {
        if let Some(x) = result.as_f64() {
            *seen = Some(seen.map_or((x, x), |(least, greatest)| (least.min(x), greatest.max(x))));
        }
        Ok(())
    }
}

#[dub]
fn cancels(x: f64) -> f64 {
    let big = x * 1e8;
    (big + x) - big
}

fn main() -> Result<(), overdub::Error> {
    let (y, seen) = overdub(Extremes, cancels, (2.0,))?;
    println!("the result is {y}");
    if let Some((least, greatest)) = seen {
        println!("on the way there is nothing below {least} and nothing above {greatest}");
    }
    Ok(())
}
