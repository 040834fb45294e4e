//! Gradients as rustc compiled them equal those of other executors, prepared ones too.

use std::sync::OnceLock;

use overdub::ad::prepare;
use overdub::prelude::*;
use overdub_context::Symbol;
use overdub_context::engine::Interpreting;
use overdub_lower::api::Backend;
use overdub_rustc::{Cache, Compiler, Rustc};

/// The functions that could not be compiled, and why.
static REFUSED: OnceLock<std::sync::Mutex<Vec<String>>> = OnceLock::new();

overdub_lower::__private::inventory::submit! {
    Backend(|builder| {
        let rustc = Rustc::new(Interpreting::new())
            .with_compiler(Compiler::installed().without_optimising())
            .with_cache(Cache::none())
            .compiling_first()
            .reporting(|func: Symbol, reason| {
                let refused = REFUSED.get_or_init(Default::default);
                refused.lock().expect("nobody panics with it").push(format!("{func}: {reason}"));
            });
        builder.executor(rustc)
    })
}

#[dub]
fn chain(x: &[f64], stiffness: f64, rounds: usize) -> f64 {
    let mut energy = 0.0;
    for _ in 0..rounds {
        for i in 1..x.len() {
            energy += stiffness * (x[i] - x[i - 1]).powi(2);
        }
    }
    energy
}

#[test]
fn gradients_and_prepared_gradients_are_compiled() -> Result<(), Box<dyn std::error::Error>> {
    let x = [0.5, 1.5, -1.0];
    let by_hand = |k: f64| vec![-2.0 * k * 3.0, 2.0 * k * 3.0 + 2.0 * k * 3.0 * 2.5, -2.0 * k * 3.0 * 2.5];
    let (by_x, by_k, ()) = gradient(chain, (&x[..], 2.0, 3))?;
    assert_eq!((by_x, by_k), (by_hand(2.0), 3.0 * 7.25));

    let prepared = prepare(chain);
    for k in [1.0, 0.5] {
        let (y, (by_x, by_k, ())) = prepared.value_and_gradient((&x[..], k, 3))?;
        assert_eq!((y, by_x, by_k), (k * 3.0 * 7.25, by_hand(k), 3.0 * 7.25));
    }
    let refused = REFUSED.get_or_init(Default::default).lock().expect("nobody panics with it");
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    Ok(())
}
