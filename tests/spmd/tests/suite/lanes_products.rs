//! Products with Jacobians in lanes, and pullbacks of lanes: as those of elements one by one.

use overdub::ad::{Rules, rule};
use overdub::prelude::*;
use overdub::spmd::{Fixed, Lanes, MapError, map};
use overdub::{Error, closures::dub as closure};
use overdub_context::engine::Engine;
use overdub_context::testing::cases;
use overdub_lower::api::overdub_in;
use overdub_lower::registry;
use proptest::prelude::*;

use super::executors::engines;
use super::functions::{polynomial, settled};

#[derive(Clone, Copy, Debug, PartialEq, Dub)]
struct Spring {
    length: f64,
    number: i32,
    force: f64,
}

#[dub]
fn polar(r: f64, t: f64, n: usize) -> (f64, f64) {
    let mut r = r;
    for _ in 0..n {
        r *= 0.75 + t;
    }
    (r * t.cos(), r * t.sin())
}

#[dub]
fn pulled_spring(spring: Spring, x: f64) -> Spring {
    let mut force = spring.force;
    for _ in 0..spring.number {
        force = force * 0.5 + x * spring.length;
    }
    Spring { length: spring.length * x, number: spring.number, force }
}

#[dub]
fn powers(x: f64, n: usize) -> Vec<f64> {
    let mut all = vec![1.0; n];
    for at in 1..n {
        all[at] = all[at - 1] * x;
    }
    all
}

#[dub]
fn root(x: f64, k: f64) -> f64 {
    assert!(k > 0.0, "{k} is not positive");
    (x * k).sqrt()
}

/// More than a block of lanes.
const LEN: usize = 300;

fn xs() -> Vec<f64> {
    (0..LEN).map(|at| (at as f64 * 0.77).sin() * 3.0).collect()
}

fn program() -> Vec<(&'static str, Engine)> {
    engines(|| registry::program().engine_builder())
}

/// The text of a value, in which other floats have other digits.
fn text(what: &impl std::fmt::Debug) -> String {
    format!("{what:?}")
}

/// The sum of numbers by the tree of mapped sums: neighbours are joined, level by level.
fn tree_sum(mut all: Vec<f64>) -> f64 {
    let leaf = (all.len() / 256).clamp(1, 256);
    all = all.chunks(leaf).filter_map(|leaf| leaf.iter().copied().reduce(|sum, x| sum + x)).collect();
    while all.len() > 1 {
        all = all.chunks(2).map(|pair| pair.iter().skip(1).fold(pair[0], |sum, x| sum + x)).collect();
    }
    all[0]
}

#[test]
fn the_pullback_of_lanes_has_the_bits_of_the_pullbacks_of_elements() -> Result<(), Error> {
    let (xs, weights) = (xs(), [0.5, -1.0, 2.0, 0.25]);
    let cotangents: Vec<f64> = xs.iter().map(|x| x * 0.3 + 0.1).collect();
    for (name, engine) in program() {
        let alone = |x: &f64, dy: &f64| overdub_in(&engine, Reverse, settled, (*x, 0.8))?.1.call(*dy);
        let alone: Vec<_> =
            xs.iter().zip(&cotangents).map(|(x, dy)| alone(x, dy)).collect::<Result<_, _>>()?;
        let (each, shared): (Vec<f64>, Vec<f64>) = alone.into_iter().unzip();
        let of_list =
            |x: &f64, dy: &f64| overdub_in(&engine, Reverse, polynomial, (*x, &weights[..]))?.1.call(*dy);
        let of_list: Vec<_> =
            xs.iter().zip(&cotangents).map(|(x, dy)| of_list(x, dy)).collect::<Result<_, Error>>()?;
        let (each_of_list, lists): (Vec<f64>, Vec<Vec<f64>>) = of_list.into_iter().unzip();
        let entry = |at: usize| tree_sum(lists.iter().map(|list| list[at]).collect());
        let entries: Vec<f64> = (0..weights.len()).map(entry).collect();
        for lanes in [1, 5, 64] {
            let what = format!("{name}, {lanes} lanes");
            let lanes = Lanes::of(lanes);
            let (_, pullback) = overdub_in(&engine, (Reverse, lanes), settled, (&xs, Fixed(0.8)))?;
            let expected = (&each, tree_sum(shared.clone()));
            assert_eq!(text(&pullback.call(&cotangents)?), text(&expected), "{what}");
            let of_list = overdub_in(&engine, (Reverse, lanes), polynomial, (&xs, Fixed(&weights[..])))?;
            assert_eq!(text(&of_list.1.call(&cotangents)?), text(&(&each_of_list, &entries)), "{what}");
        }
    }
    Ok(())
}

#[test]
fn a_pullback_in_lanes_is_near_the_differences_of_the_function() -> Result<(), Error> {
    let (xs, k, h) = (xs(), 0.4, 1e-6);
    let ns: Vec<usize> = (0..LEN).map(|at| at % 4).collect();
    let cotangents: Vec<(f64, f64)> = xs.iter().map(|x| (x.cos(), 0.5 * x)).collect();
    let (_, pullback) = overdub((Reverse, Lanes), polar, (&xs, Fixed(k), &ns))?;
    let (dxs, dk, _) = pullback.call(&cotangents)?;
    let along = |at: usize, dx: f64, dk: f64| {
        let (x, n, dy) = (xs[at], ns[at], cotangents[at]);
        let (above, below) = (polar(x + dx, k + dk, n), polar(x - dx, k - dk, n));
        ((above.0 - below.0) * dy.0 + (above.1 - below.1) * dy.1) / (2.0 * h)
    };
    for (at, dx) in dxs.iter().enumerate() {
        assert!((along(at, h, 0.0) - dx).abs() < 1e-6, "{at}: {} {dx}", along(at, h, 0.0));
    }
    let expected: f64 = (0..LEN).map(|at| along(at, 0.0, h)).sum();
    assert!((expected - dk).abs() < 1e-4 * expected.abs().max(1.0), "{expected} {dk}");
    Ok(())
}

#[test]
fn products_of_structs_lists_and_constants_are_those_without_lanes() -> Result<(), MapError> {
    let xs = xs();
    let ns: Vec<usize> = (0..LEN).map(|at| at % 5).collect();
    let springs: Vec<Spring> =
        xs.iter().zip(0..).map(|(x, at)| Spring { length: x.cos(), number: at % 4, force: *x }).collect();
    let of_spring: Vec<Spring> = springs
        .iter()
        .map(|spring| Spring { length: spring.force, force: spring.length, ..*spring })
        .collect();
    let pairs: Vec<(f64, f64)> = xs.iter().map(|x| (x.cos(), -x)).collect();
    let lists: Vec<Vec<f64>> = ns.iter().map(|n| (0..*n).map(|at| at as f64 - 1.5).collect()).collect();
    let scale = 0.25;
    let scaled = closure!(|x: f64, k: f64| (x * scale + k).exp());
    for (name, engine) in program() {
        for (threads, lanes) in [(1, 1), (1, 5), (1, 64), (2, 64)] {
            let what = format!("{name}, {threads} threads, {lanes} lanes");
            macro_rules! compared {
                ($func:expr, $inputs:expr, $cotangents:expr, $wrt:expr) => {
                    let alone = map($func).in_engine(&engine).with_respect_to($wrt);
                    let in_lanes = alone.clone().lanes(lanes).threads(threads);
                    assert_eq!(in_lanes.over($inputs).check_lanes_of_vjps(), Ok(()), "{what}");
                    let (expected, found) =
                        (alone.over($inputs).vjps($cotangents)?, in_lanes.over($inputs).vjps($cotangents)?);
                    assert_eq!(text(&found), text(&expected), "{what}");
                };
            }
            compared!(polar, (&xs, Fixed(0.4), &ns), &pairs, ["r", "t"]);
            compared!(polar, (Fixed(1.5), &xs, Fixed(3)), &pairs, ["t"]);
            compared!(polynomial, (&xs, Fixed(&xs[..20])), &xs, ["x", "weights"]);
            compared!(polynomial, (&xs, Fixed(&xs[..20])), &xs, ["x"]);
            compared!(pulled_spring, (&springs, Fixed(0.75)), &of_spring, ["spring", "x"]);
            compared!(pulled_spring, (Fixed(springs[7]), &xs), &of_spring, ["spring"]);
            compared!(powers, (&xs, &ns), &lists, ["x"]);
            compared!(scaled.clone(), (&xs, Fixed(0.5)), &xs, ["0", "1"]);
        }
    }
    Ok(())
}

#[test]
fn tangents_in_lanes_have_the_bits_of_those_of_elements() -> Result<(), Error> {
    let xs = xs();
    let ns: Vec<usize> = (0..LEN).map(|at| at % 5).collect();
    let springs: Vec<Spring> =
        xs.iter().zip(0..).map(|(x, at)| Spring { length: x.cos(), number: at % 4, force: *x }).collect();
    let along = Spring { length: -0.0, number: 0, force: 0.25 };
    for (name, engine) in program() {
        for lanes in [1, 5, 64] {
            let what = format!("{name}, {lanes} lanes");
            macro_rules! compared {
                ($func:expr, $inputs:expr, $tangents:expr, $at:expr) => {
                    let (ys, dys) =
                        overdub_in(&engine, (Forward, Lanes::of(lanes)), $func, ($inputs, $tangents))?;
                    let each = map($func).lanes(lanes).in_engine(&engine).over($inputs);
                    assert_eq!(each.check_lanes_of_jvps(), Ok(()), "{what}");
                    for (at, (y, dy)) in ys.iter().zip(&dys).enumerate() {
                        let alone = overdub_in(&engine, Forward, $func, $at(at))?;
                        assert_eq!(text(&(y, dy)), text(&alone), "{what}, element {at}");
                    }
                };
            }
            compared!(settled, (&xs, Fixed(0.8)), (Fixed(1.0), &xs), |at: usize| (
                (xs[at], 0.8),
                (1.0, xs[at])
            ));
            compared!(polar, (&xs, Fixed(0.4), &ns), (&xs, Fixed(-0.0), Fixed(0)), |at: usize| (
                (xs[at], 0.4, ns[at]),
                (xs[at], -0.0, 0)
            ));
            compared!(pulled_spring, (&springs, Fixed(0.75)), (Fixed(along), Fixed(2.0)), |at: usize| (
                (springs[at], 0.75),
                (along, 2.0)
            ));
        }
    }
    Ok(())
}

#[test]
fn tangents_are_those_without_lanes() -> Result<(), MapError> {
    let (xs, weights) = (xs(), [0.5, -1.0, 2.0]);
    let ks: Vec<f64> = (0..LEN).map(|at| if at % 100 == 70 { -1.0 } else { 0.5 }).collect();
    let scale = 0.25;
    let scaled = closure!(|x: f64, k: f64| (x * scale + k).exp());
    let alone = map(settled).with_respect_to(["k"]);
    let in_lanes = alone.clone().lanes(64);
    for threads in [1, 2] {
        let over = in_lanes.clone().threads(threads);
        let found = over.over((&xs, Fixed(0.8))).jvps((&xs, Fixed(0.5)))?;
        assert_eq!(text(&found), text(&alone.over((&xs, Fixed(0.8))).jvps((&xs, Fixed(0.5)))?));
        let over = map(scaled.clone()).threads(threads).lanes(64);
        let found = over.over((&xs, &ks)).jvps((Fixed(1.0), &xs))?;
        assert_eq!(text(&found), text(&map(scaled.clone()).over((&xs, &ks)).jvps((Fixed(1.0), &xs))?));
    }
    let (alone, in_lanes) = (map(root), map(root).lanes(64));
    let (expected, found) = (alone.over((&xs, &ks)).each(), in_lanes.over((&xs, &ks)).each());
    let tangents = (Fixed(1.0), Fixed(0.5));
    assert_eq!(text(&found.jvps(tangents)), text(&expected.jvps(tangents)));
    // Lists of floats are lists of dual numbers, which lanes do not hold.
    let over = map(polynomial).lanes(64).over((&xs, Fixed(&weights[..])));
    let refused = over.check_lanes_of_jvps().expect_err("they do not").to_string();
    assert!(refused.contains("tangents of `") && refused.contains("do not fit into lanes"), "{refused}");
    let along = over.jvps((Fixed(1.0), Fixed(&weights[..])))?;
    let alone = map(polynomial).over((&xs, Fixed(&weights[..])));
    assert_eq!(text(&along), text(&alone.jvps((Fixed(1.0), Fixed(&weights[..])))?));
    Ok(())
}

#[test]
fn a_cotangent_of_zero_contributes_zero_in_lanes_too() -> Result<(), MapError> {
    // The slope of the root at zero is infinite.
    let xs: Vec<f64> = (0..LEN).map(|at| (at % 3) as f64).collect();
    let cotangents: Vec<f64> = (0..LEN).map(|at| if at % 2 == 0 { 0.0 } else { -1.0 }).collect();
    let over = map(root).over((&xs, Fixed(2.0))).vjps(&cotangents)?;
    assert_eq!(over[0].1, (0.0, 0.0));
    assert_eq!(text(&map(root).lanes(64).over((&xs, Fixed(2.0))).vjps(&cotangents)?), text(&over));
    Ok(())
}

#[dub]
fn passed(x: f64) -> f64 {
    x
}

#[dub]
fn passed_on(x: f64, k: f64) -> f64 {
    passed(x * k).sin()
}

#[test]
fn products_follow_the_rules_in_scope() -> Result<(), Box<dyn std::error::Error>> {
    let (xs, cotangents) = (xs(), vec![2.0; LEN]);
    let doubled = Rules::new([rule(passed).partials(twice)])?;
    let (alone, in_lanes) = (map(passed_on), map(passed_on).lanes(64).threads(2));
    let (found, expected) = doubled.during(|| {
        let over = in_lanes.over((&xs, Fixed(0.5)));
        let pulled = (over.vjps(&cotangents), over.jvps((Fixed(1.0), Fixed(0.0))));
        let over = alone.over((&xs, Fixed(0.5)));
        (pulled, (over.vjps(&cotangents), over.jvps((Fixed(1.0), Fixed(0.0)))))
    });
    assert_eq!(text(&found), text(&expected));
    assert_eq!(found.0?[1].1.1, 4.0 * xs[1] * (0.5 * xs[1]).cos());
    Ok(())
}

#[dub]
fn twice(_x: f64) -> f64 {
    2.0
}

#[test]
fn elements_that_fail_have_their_errors() {
    let ks: Vec<f64> = (0..LEN).map(|at| if at % 100 == 70 { -1.0 } else { 0.5 }).collect();
    let (xs, cotangents) = (xs(), vec![1.0; LEN]);
    for (name, engine) in program() {
        let alone = map(root).in_engine(&engine);
        let in_lanes = alone.clone().lanes(64);
        let (expected, found) = (alone.over((&xs, &ks)), in_lanes.over((&xs, &ks)));
        assert_eq!(text(&found.vjps(&cotangents)), text(&expected.vjps(&cotangents)), "{name}");
        let (expected, found) = (expected.each().vjps(&cotangents), found.each().vjps(&cotangents));
        assert_eq!(text(&found), text(&expected), "{name}");
        let each = found.expect("each has its own");
        assert_eq!(each.iter().filter(|result| result.is_err()).count(), 3, "{name}");
    }
    let lists = vec![vec![1.0; 2]; LEN];
    let ns: Vec<usize> = (0..LEN).map(|at| if at == 90 { 3 } else { 2 }).collect();
    let misfit = map(powers).lanes(64).over((&xs, &ns)).vjps(&lists).expect_err("one has another length");
    assert_eq!(text(&misfit), text(&map(powers).over((&xs, &ns)).vjps(&lists).expect_err("as alone")));
    assert!(misfit.to_string().starts_with("element 90: the cotangent of the result"), "{misfit}");
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn pullbacks_of_any_number_of_elements_add_in_the_same_order(len in 1_usize..3000, k in 0.1..1.0_f64) {
        let xs: Vec<f64> = (0..len).map(|at| (at as f64 * 0.77).sin() * 3.0).collect();
        let cotangents: Vec<f64> = xs.iter().map(|x| x.cos()).collect();
        let alone = map(root).over((&xs, Fixed(k))).vjps(&cotangents).expect("none fails");
        let (each, shared): (Vec<f64>, Vec<f64>) = alone.into_iter().map(|(_, slopes)| slopes).unzip();
        let (_, pullback) = overdub((Reverse, Lanes), root, (&xs, Fixed(k))).expect("none fails");
        let found = pullback.call(&cotangents).expect("none fails");
        prop_assert_eq!(text(&found), text(&(each, tree_sum(shared))));
    }
}
