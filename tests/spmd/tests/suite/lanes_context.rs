//! Lanes as a context: each element as by a call for it alone, nested under, around and in derivatives.

use overdub::ad::{Rules, rule};
use overdub::closures::dub as closure;
use overdub::prelude::*;
use overdub::spmd::{ByIndex, Fixed, Lanes, map};
use overdub::{Error, ErrorKind};
use overdub_context::engine::{Empty, Engine};
use overdub_context::limits::Limits;
use overdub_context::testing::cases;
use overdub_count::Count;
use overdub_lower::api::overdub_in;
use overdub_lower::registry;
use overdub_nan::Nan;
use overdub_trace::Trace;
use proptest::prelude::*;

use super::executors::engines;
use super::functions::{polynomial, settled};

#[dub]
fn polar(r: f64, t: f64) -> (f64, f64) {
    (r * t.cos(), r * t.sin())
}

#[dub]
fn wave(x: f64, k: f64) -> f64 {
    (k * x).sin() * x
}

#[dub]
fn tenth(n: u32) -> u32 {
    assert!(n.is_multiple_of(10), "{n} is no multiple of 10");
    n / 10
}

#[dub]
fn told(x: f64) -> f64 {
    println!("{x}");
    x + 1.0
}

#[dub]
fn steps(n: u64) -> u64 {
    if n == 1 {
        0
    } else if n.is_multiple_of(2) {
        1 + steps(n / 2)
    } else {
        1 + steps(3 * n + 1)
    }
}

fn not_annotated(x: f64) -> f64 {
    x
}

/// More than a block of lanes.
const LEN: usize = 300;

fn xs() -> Vec<f64> {
    (0..LEN).map(|at| (at as f64 * 0.77).sin() * 3.0).collect()
}

fn program() -> Vec<(&'static str, Engine)> {
    engines(|| registry::program().engine_builder())
}

#[test]
fn each_element_is_as_by_a_call_for_it_alone_on_every_executor() -> Result<(), Error> {
    let (xs, weights) = (xs(), [0.5, -1.0, 2.0, 0.25]);
    for (name, engine) in program() {
        let alone = |x: &f64| overdub_in(&engine, Empty, settled, (*x, 0.8));
        let expected: Vec<f64> = xs.iter().map(alone).collect::<Result<_, _>>()?;
        assert_eq!(overdub_in(&engine, Lanes, settled, (&xs, Fixed(0.8)))?, expected, "{name}");
        for lanes in [0, 1, 8, 64, 1000] {
            let found = overdub_in(&engine, Lanes::of(lanes), settled, (&xs, Fixed(0.8)))?;
            assert_eq!(found, expected, "{name}, {lanes} lanes");
        }
        let found = overdub_in(&engine, Lanes, polynomial, (&xs, Fixed(&weights[..])))?;
        assert_eq!(found, xs.iter().map(|x| polynomial(*x, &weights)).collect::<Vec<_>>(), "{name}");
        let found = overdub_in(&engine, Lanes, polar, (ByIndex(LEN, |at| at as f64), &xs))?;
        let expected = xs.iter().enumerate().map(|(at, x)| polar(at as f64, *x));
        assert_eq!(found, expected.collect::<Vec<_>>(), "{name}");
    }
    assert_eq!(overdub(Lanes, tenth, (&[20, 30],))?, [2, 3]);
    assert_eq!(overdub(Lanes, tenth, (&[] as &[u32],))?, [0; 0]);
    let k = 0.25;
    let scaled = closure!(|x: f64| x * k);
    assert_eq!(overdub(Lanes, scaled, (&[1.0, 2.0],))?, [0.25, 0.5]);
    Ok(())
}

#[test]
fn the_first_element_that_fails_is_the_error_with_its_number() {
    let numbers: Vec<u32> =
        (0..LEN as u32).map(|n| if n == 70 || n == 200 { n + 1 } else { 10 * n }).collect();
    for (name, engine) in program() {
        let error = overdub_in(&engine, Lanes, tenth, (&numbers,)).expect_err("two fail");
        let alone = overdub_in(&engine, Empty, tenth, (71,)).expect_err("it is no multiple");
        assert_eq!((error.element(), error.message()), (Some(70), "71 is no multiple of 10"), "{name}");
        assert_eq!(error, alone.at_element(70), "{name}");
        let counted = overdub_in(&engine, (Count, Lanes), tenth, (&numbers,)).expect_err("two fail");
        assert_eq!((counted.element(), counted.message()), (error.element(), error.message()), "{name}");
    }
}

#[test]
fn inputs_that_do_not_fit_and_functions_that_are_not_known_are_errors_that_say_what_to_do() {
    let error = overdub(Lanes, polar, (&[1.0, 2.0], &[1.0])).expect_err("lengths differ");
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert_eq!(error.message(), "argument 0 is given for 2 elements, and argument 1 for 1");
    assert!(error.help().is_some_and(|help| help.contains("`Fixed(x)`")), "{error}");
    let error = overdub(Lanes, polar, (Fixed(1.0), Fixed(2.0))).expect_err("there is no list");
    assert!(error.message().starts_with("no argument is mapped over"), "{error}");
    assert!(error.help().is_some_and(|help| help.contains("(&xs, Fixed(k))")), "{error}");
    let unknown = overdub(Lanes, not_annotated, (&[1.0],)).expect_err("its source is not known");
    assert_eq!(unknown, overdub(Empty, not_annotated, (1.0,)).expect_err("its source is not known"));
    let tangents = overdub((Forward, Lanes), polar, ((&[1.0], Fixed(1.0)), (&[1.0, 2.0], Fixed(1.0))));
    let error = tangents.expect_err("there are two tangents");
    assert!(error.message().contains("the tangent of argument 0"), "{error}");
}

#[test]
fn what_does_not_run_in_lanes_runs_one_by_one() -> Result<(), Error> {
    assert_eq!(overdub(Lanes, steps, (&[6, 7],))?, [8, 16]);
    let error = map(steps)
        .lanes(64)
        .over((&[6, 7],))
        .check_lanes()
        .map_err(Error::from)
        .expect_err("it calls itself");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("a call that is not inlined") && error.span().is_known(), "{error}");
    assert_eq!(overdub(Lanes, told, (&[1.0],))?, [2.0]);
    let counted = ctx_with::<u64>().when(|call| call.calls("steps")).before(|calls, _, _| *calls += 1);
    assert_eq!(overdub((counted.clone(), Lanes), steps, (&[6, 7, 1],))?, (vec![8, 16, 0], 24));
    assert_eq!(overdub((Lanes, counted), steps, (&[6, 7, 1],))?, [(8, 8), (16, 16), (0, 0)]);
    let limits = Limits::default().with_steps(1_000_000);
    let limited = registry::program().engine_builder().build().with_limits(limits);
    let ys = overdub_in(&limited, Lanes, settled, (&[1.0], Fixed(0.8)))?;
    assert_eq!(ys, overdub(Lanes, settled, (&[1.0], Fixed(0.8)))?);
    Ok(())
}

#[test]
fn contexts_around_lanes_see_the_calls_of_all_elements_in_order() -> Result<(), Error> {
    let xs = &xs()[..40];
    for (name, engine) in program() {
        let (ys, counts) = overdub_in(&engine, (Count, Lanes), settled, (xs, Fixed(0.8)))?;
        let each = overdub_in(&engine, (Lanes, Count), settled, (xs, Fixed(0.8)))?;
        let alone = |x: &f64| overdub_in(&engine, Count, settled, (*x, 0.8));
        for ((y, counts), x) in each.iter().zip(xs) {
            let (expected, alone) = alone(x)?;
            assert_eq!((*y, counts.to_string()), (expected, alone.to_string()), "{name}");
        }
        assert_eq!(ys, each.iter().map(|(y, _)| *y).collect::<Vec<_>>(), "{name}");
        assert_eq!(counts.of("sin"), each.iter().map(|(_, counts)| counts.of("sin")).sum::<u64>(), "{name}");
        assert_eq!(counts.flops(), each.iter().map(|(_, counts)| counts.flops()).sum::<u64>(), "{name}");
    }
    let log = ctx_with::<Vec<String>>()
        .when(|call| call.calls("sin"))
        .before(|log, _, args| log.push(args[0].to_string()));
    let (_, log) = overdub((log, Lanes), polar, (Fixed(1.0), &[2.0, 3.0, 1.5]))?;
    assert_eq!(log, ["2.0", "3.0", "1.5"]);
    let ((_, tree), counts) = overdub((Count, (Trace::new(), Lanes)), polar, (Fixed(1.0), &[2.0, 3.0]))?;
    assert_eq!((tree.calls().len(), counts.of("cos")), (10, 2));
    let ((ys, _), counts) = overdub((Count, (Nan::new(), Lanes)), polar, (Fixed(1.0), &[] as &[f64]))
        .map(|(ys, counts)| ((ys, ()), counts))?;
    assert!(ys.is_empty() && counts.flops() == 0);
    Ok(())
}

#[test]
fn contexts_inside_lanes_are_around_each_element() -> Result<(), Error> {
    let (ys, counts): (Vec<_>, Vec<_>) =
        overdub((Lanes, (Count, Nan::new())), polar, (Fixed(2.0), &[1.0, 2.0]))?.into_iter().unzip();
    assert_eq!((ys, counts.len()), (vec![polar(2.0, 1.0), polar(2.0, 2.0)], 2));
    let error = overdub((Lanes, Nan::new()), polar, (Fixed(f64::NAN), &[1.0])).map(drop);
    let alone = overdub(Nan::new(), polar, (f64::NAN, 1.0)).map(drop);
    assert_eq!(error, alone.map_err(|error| error.at_element(0)));
    // Lanes in a context in lanes: the outer sees all, the inner each.
    let traced = overdub((Count, (Lanes, Trace::new())), polar, (Fixed(1.0), &[2.0, 3.0]))?;
    assert_eq!((traced.0[1].1.calls().len(), traced.1.of("cos")), (5, 2));
    Ok(())
}

#[test]
fn replacements_around_lanes_run_in_lanes() -> Result<(), Error> {
    let xs = xs();
    let swapped = ctx().replace("sin", "cos");
    let expected = map(under(swapped.clone(), wave)).over((&xs, Fixed(0.8))).values();
    let expected = expected.map_err(Error::from)?;
    assert_eq!(expected[1], (0.8 * xs[1]).cos() * xs[1]);
    assert_eq!(overdub((swapped.clone(), Lanes), wave, (&xs, Fixed(0.8)))?, expected);
    assert_eq!(overdub((Lanes, swapped.clone()), wave, (&xs, Fixed(0.8)))?, expected);
    assert_eq!(overdub(Lanes, under(swapped.clone(), wave), (&xs, Fixed(0.8)))?, expected);
    Ok(())
}

#[test]
fn the_pullback_of_lanes_lists_and_sums_what_each_element_has() -> Result<(), Error> {
    let (xs, weights) = (xs(), [0.5, -1.0, 2.0]);
    for (name, engine) in program() {
        let (ys, pullback) = overdub_in(&engine, (Reverse, Lanes), settled, (&xs, Fixed(0.8)))?;
        assert_eq!(ys, overdub_in(&engine, Lanes, settled, (&xs, Fixed(0.8)))?, "{name}");
        let settle = map(settled).in_engine(&engine);
        let over = settle.over((&xs, Fixed(0.8)));
        let (_, gradient) = over.sum_and_gradient().map_err(Error::from)?;
        assert_eq!(pullback.call(&vec![1.0; LEN])?, gradient, "{name}");
        let cotangents: Vec<f64> = xs.iter().map(|x| x * 0.3).collect();
        let (dxs, _) = pullback.clone().call(&cotangents)?;
        for ((x, dy), dx) in xs.iter().zip(&cotangents).zip(&dxs) {
            let (_, alone) = overdub_in(&engine, Reverse, settled, (*x, 0.8))?;
            assert_eq!(alone.call(*dy)?.0, *dx, "{name}");
        }
    }
    let (_, pullback) = overdub((Reverse, Lanes::of(4)), polynomial, (&[1.0, 2.0], Fixed(&weights[..])))?;
    assert_eq!(pullback.call(&[1.0, 1.0])?, (vec![0.0, 1.0], vec![5.0, 3.0, 2.0]));
    let (_, pullback) = overdub((Reverse, Lanes), polar, (&[1.0, 2.0], Fixed(0.0)))?;
    assert_eq!(pullback.call(&[(1.0, 0.0), (0.0, 1.0)])?, (vec![1.0, 0.0], 2.0));
    assert!(pullback.call(&[(1.0, 0.0)]).is_err_and(|error| error.message().contains("cotangent")));
    let (_, pullback) = overdub((Reverse, Lanes), polar, (&[] as &[f64], Fixed(0.0)))?;
    assert_eq!(pullback.call(&[])?, (vec![], 0.0));
    Ok(())
}

#[test]
fn derivatives_inside_lanes_are_those_of_each_element() -> Result<(), Error> {
    let xs = [0.5, 1.0];
    for ((y, pullback), x) in overdub((Lanes, Reverse), settled, (&xs, Fixed(0.8)))?.into_iter().zip(xs) {
        assert_eq!((y, pullback.call(1.0)?), (settled(x, 0.8), gradient(settled, (x, 0.8))?));
    }
    let (ys, tangents) = overdub((Forward, Lanes), settled, ((&xs, Fixed(0.8)), (Fixed(1.0), Fixed(0.0))))?;
    assert_eq!(ys, xs.map(|x| settled(x, 0.8)));
    assert_eq!(tangents, xs.map(|x| gradient(settled, (x, 0.8)).expect("it has one").0));
    // A context is around the derivative of each element, or inside of it.
    let (pulled, counts) = overdub((Count, (Lanes, Reverse)), settled, (&xs, Fixed(0.8)))?;
    assert_eq!(pulled[1].1.call(1.0)?, gradient(settled, (1.0, 0.8))?);
    assert!(counts.of("sin") > 0);
    let swapped = ctx().replace("sin", "cos");
    let pulled = overdub((Lanes, (Reverse, swapped.clone())), polar, (Fixed(1.0), &[0.5]))?;
    assert_eq!(pulled[0].1.call((0.0, 1.0))?.1, -0.5_f64.sin());
    // Not around that of the list.
    let error = overdub((swapped, (Reverse, Lanes)), polar, (Fixed(1.0), &[0.5])).map(drop);
    let error = error.expect_err("it would not see the calls");
    assert!(error.help().is_some_and(|help| help.contains("(Lanes, (cx, Reverse))")), "{error}");
    Ok(())
}

#[test]
fn a_pullback_keeps_the_rules_that_it_was_made_with() -> Result<(), Box<dyn std::error::Error>> {
    let doubled = rule(passing).reverse(|(_x,): (f64,), _y: f64, dy: f64| (2.0 * dy,));
    let rules = Rules::new([doubled])?;
    let (_, pullback) = rules.during(|| overdub((Reverse, Lanes), passing, (&[1.0, 2.0],)))?;
    assert_eq!(pullback.call(&[1.0, 1.0])?, (vec![2.0, 2.0],));
    Ok(())
}

#[dub]
fn passing(x: f64) -> f64 {
    x
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn any_number_of_lanes_gives_the_same_bits(lanes in 0_usize..200, len in 0_usize..200, k in 0.1..1.0_f64) {
        let xs = &xs()[..len];
        let found = overdub(Lanes::of(lanes), settled, (xs, Fixed(k))).expect("none fails");
        let alone = xs.iter().map(|x| settled(*x, k).to_bits());
        prop_assert_eq!(found.into_iter().map(f64::to_bits).collect::<Vec<_>>(), alone.collect::<Vec<_>>());
    }
}
