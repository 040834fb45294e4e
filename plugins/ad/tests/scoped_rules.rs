//! Rules that hold for some derivatives only.

use std::sync::Barrier;

use overdub::ad::{
    ByRules, Forward, Reverse, RuleBuilder, RuleError, Rules, Strategy, check_gradient, derivative,
    derivatives, gradient, hessian, hvp, jacobian, jvp, linearize, prepare, rule, value_and_gradient, vjp,
};
use overdub::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Its plain derivative is 1.
#[dub]
fn scaled(x: f64) -> f64 {
    x
}

#[dub]
fn three(_x: f64) -> f64 {
    3.0
}

#[dub]
fn twice_x(x: f64) -> f64 {
    2.0 * x
}

#[dub]
fn loss(x: f64, k: f64) -> f64 {
    k * scaled(x * x)
}

/// What it returns is recorded, since the transformation refuses a `Result`.
#[dub]
fn recorded(x: f64) -> Result<f64, String> {
    if x > 100.0 { Err("too large".to_owned()) } else { Ok(scaled(x) * x) }
}

#[dub]
fn checkpointed(x: f64) -> Result<f64, String> {
    Ok(overdub::ad::checkpoint(|x: f64| scaled(x) * x, x) + x)
}

fn tripled() -> RuleBuilder {
    rule(scaled).partials(three)
}

#[test]
fn a_set_of_rules_holds_in_its_scope_alone_in_every_mode() -> Outcome {
    let rules = Rules::new([tripled()])?;
    for _ in 0..2 {
        assert_eq!(gradient(loss, (3.0, 5.0))?, (30.0, 9.0));
        rules.during(|| -> Outcome {
            assert_eq!(gradient(loss, (3.0, 5.0))?, (90.0, 9.0));
            assert_eq!(value_and_gradient(loss, (3.0, 5.0))?, (45.0, (90.0, 9.0)));
            assert_eq!(jvp(loss, (3.0, 5.0), (1.0, 0.0))?, (45.0, 90.0));
            assert_eq!(vjp(loss, (3.0, 5.0), 1.0)?, (45.0, (90.0, 9.0)));
            assert_eq!(overdub(Forward, loss, ((3.0, 5.0), (1.0, 0.0)))?, (45.0, 90.0));
            assert_eq!(overdub(Reverse, loss, (3.0, 5.0))?.1.call(1.0)?, (90.0, 9.0));
            assert_eq!(Reverse::with_memory(1000).gradient(loss, (3.0, 5.0))?, (90.0, 9.0));
            assert_eq!(jacobian(loss, (3.0, 5.0))?, ndarray::arr2(&[[90.0, 9.0]]));
            assert_eq!(hessian(loss, (3.0, 5.0))?, ndarray::arr2(&[[30.0, 18.0], [18.0, 0.0]]));
            assert_eq!(hvp(loss, (3.0, 5.0), (1.0, 0.0))?, (30.0, 18.0));
            assert_eq!(derivative(scaled, 3.0)?, 3.0);
            assert_eq!(derivatives(scaled, 3.0, 2)?, [3.0, 3.0, 0.0]);
            assert_eq!(linearize(loss, (3.0, 5.0))?.1.call((1.0, 0.0))?, 90.0);
            assert_eq!(gradient(recorded, (2.0,))?, (8.0,));
            assert_eq!(gradient(checkpointed, (2.0,))?, (9.0,));
            assert_eq!(run(loss, (3.0, 5.0))?, 45.0);
            Ok(())
        })?;
    }
    assert_eq!(gradient(recorded, (2.0,))?, (4.0,));
    assert_eq!(gradient(checkpointed, (2.0,))?, (5.0,));
    assert_eq!(derivatives(scaled, 3.0, 2)?, [3.0, 1.0, 0.0]);
    assert_eq!(jvp(loss, (3.0, 5.0), (1.0, 0.0))?, (45.0, 30.0));
    assert_eq!(hessian(loss, (3.0, 5.0))?, ndarray::arr2(&[[10.0, 6.0], [6.0, 0.0]]));
    Ok(())
}

#[test]
fn what_is_made_in_a_scope_keeps_its_rules() -> Outcome {
    let rules = Rules::new([tripled()])?;
    let (of_loss, of_recorded, of_checkpointed) =
        rules.during(|| (prepare(loss), prepare(recorded), prepare(checkpointed)));
    let pullback = rules.during(|| overdub(Reverse, checkpointed, (2.0,)))?.1;
    let plain = prepare(loss);
    for (prepared, slope) in [(&of_loss, 90.0), (&plain, 30.0)] {
        let (mut dx, mut dk) = ([0.0], [0.0]);
        assert_eq!(prepared.gradient((3.0, 5.0))?, (slope, 9.0));
        assert_eq!(prepared.gradient_into((3.0, 5.0), (&mut dx[0], &mut dk[0]))?, 45.0);
        assert_eq!((dx, dk), ([slope], [9.0]));
        assert_eq!(prepared.jvp((3.0, 5.0), (1.0, 0.0))?.1, slope);
        assert_eq!(prepared.vjp((3.0, 5.0), 1.0)?.1, (slope, 9.0));
        assert_eq!(prepared.jacobian((3.0, 5.0))?[[0, 0]], slope);
        assert_eq!(prepared.hessian((3.0, 5.0))?[[0, 0]], slope / 3.0);
        assert_eq!(prepared.hvp((3.0, 5.0), (1.0, 0.0))?.0, slope / 3.0);
        // In the scope of others, it is what it was.
        assert_eq!(rules.during(|| prepared.gradient((3.0, 5.0)))?, (slope, 9.0));
    }
    assert!(matches!(of_recorded.strategy::<(f64,)>()?, Strategy::Recording { .. }));
    assert_eq!(of_recorded.gradient((2.0,))?, (8.0,));
    assert_eq!(of_checkpointed.gradient((2.0,))?, (9.0,));
    assert_eq!(pullback.call(Ok(1.0))?, (9.0,));
    Ok(())
}

#[test]
fn the_innermost_set_precedes_others_and_what_is_registered() -> Outcome {
    let outer = Rules::new([tripled()])?;
    let inner = Rules::new([rule(scaled).partials(twice_x)])?;
    let slope = || gradient(loss, (3.0, 1.0)).map(|(dx, _)| dx);
    assert_eq!(outer.during(|| inner.during(slope))?, 2.0 * 9.0 * 6.0);
    assert_eq!(inner.during(|| outer.during(slope))?, 18.0);
    let last = Rules::new([tripled(), rule("scaled").partials(twice_x)])?;
    assert_eq!(last.during(slope)?, 2.0 * 9.0 * 6.0);
    // A panic leaves the scope too.
    let panicked = std::panic::catch_unwind(|| outer.during(|| panic!("inside")));
    assert!(panicked.is_err());
    assert_eq!(slope()?, 6.0);
    Ok(())
}

#[test]
fn threads_have_scopes_of_their_own() -> Outcome {
    let sets = [Rules::new([tripled()])?, Rules::new([rule(scaled).partials(twice_x)])?, Rules::new([])?];
    let (expected, barrier) = ([18.0, 108.0, 6.0], Barrier::new(9));
    std::thread::scope(|scope| {
        let run = |number: usize| {
            barrier.wait();
            (0..50).all(|_| {
                let dx = sets[number].during(|| gradient(loss, (3.0, 1.0)));
                dx.is_ok_and(|(dx, _)| dx == expected[number])
            })
        };
        let threads: Vec<_> = (0..9).map(|at| scope.spawn(move || run(at % 3))).collect();
        assert!(threads.into_iter().all(|thread| thread.join().is_ok_and(|all_agree| all_agree)));
    });
    Ok(())
}

#[test]
fn values_and_checks_go_by_the_rules_of_their_scope() -> Outcome {
    #[dub]
    fn measured(_x: f64) -> f64 {
        unimplemented!("outside of the program")
    }
    #[dub]
    fn doubled(x: f64) -> f64 {
        2.0 * measured(x)
    }
    let by_host = rule(measured).value(|(x,): (f64,)| x * x);
    let rules = Rules::new([by_host.reverse(|(x,): (f64,), _: f64, dy: f64| (2.0 * x * dy,))])?;
    assert_eq!(rules.during(|| overdub(ByRules::new(), doubled, (3.0,)))?, 18.0);
    assert!(overdub(ByRules::new(), doubled, (3.0,)).is_err());
    assert_eq!(rules.during(|| gradient(doubled, (3.0,)))?, (12.0,));
    assert!(gradient(doubled, (3.0,)).is_err());
    // Differences tell that the rule is wrong, where it holds.
    let check = || check_gradient(loss).over((1.0..5.0, 1.0..5.0)).cases(4).try_run().is_ok();
    assert!(check());
    assert!(!Rules::new([tripled()])?.during(check));
    Ok(())
}

#[test]
fn a_set_refuses_what_cannot_be_registered() {
    let misspelt = Rules::new([rule("scalled").partials(three)]);
    assert!(matches!(misspelt, Err(RuleError::Unknown { .. })), "{misspelt:?}");
    assert!(matches!(Rules::new([rule(scaled)]), Err(RuleError::Empty(_))));
}
