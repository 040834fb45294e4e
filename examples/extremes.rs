//! A context of one's own: the least and the greatest float that any call in a function returns.

use overdub::context::engine::{CallSite, Hooks, WithMetadata};
use overdub::context::{Failure, value::Value};
use overdub::prelude::*;

/// Watches the results of all calls.
#[derive(Clone)]
struct Extremes;

impl Context for Extremes {
    type Metadata = Option<(f64, f64)>;
    type Outcome = WithMetadata;

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
    println!("{y}, through {seen:?}");
    Ok(())
}

#[test]
fn the_extremes_are_those_of_what_is_computed_on_the_way() -> Result<(), overdub::Error> {
    let (y, seen) = overdub(Extremes, cancels, (2.0,))?;
    assert_eq!((y, seen), (2.0, Some((2.0, 2e8 + 2.0))));
    Ok(())
}
