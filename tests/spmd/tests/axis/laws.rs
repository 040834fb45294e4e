//! The transposes of collectives on ranks that are threads.

#[path = "../ranks/laws.rs"]
mod laws_of_collectives;

use overdub::ad::jacobian;
use overdub::prelude::*;
use overdub::spmd::{OnAxis, bind, psum, ranks};

use laws_of_collectives::laws;

#[test]
fn transposes_hold_the_identity_of_dot_products() {
    for size in [1, 2, 4] {
        let found = ranks(size, |rank| laws(&rank)).expect("they run");
        for (at, law) in found[0].iter().enumerate() {
            let by_tangents: f64 = found.iter().map(|sides| sides[at].by_tangents).sum();
            let by_cotangents: f64 = found.iter().map(|sides| sides[at].by_cotangents).sum();
            let name = law.law;
            assert!(
                (by_tangents - by_cotangents).abs() < 1e-12,
                "{name}, {size} ranks: {by_tangents} {by_cotangents}"
            );
            assert!(by_tangents != 0.0 || size == 1, "{name}: nothing is compared");
        }
    }
}

#[dub]
fn waves(x: &[f64]) -> Vec<f64> {
    let total = psum(x.to_vec(), "r");
    vec![total[0] * total[1], psum(x[1].sin(), "r"), x[0]]
}

#[test]
fn several_tangents_at_once_go_through_collectives() {
    let found =
        ranks(1, |rank| bind("r", &rank, || jacobian(under(OnAxis::new("r"), waves), (&[2.0, 0.5][..],))));
    let found = &found.expect("it runs")[0];
    assert_eq!(found.iter().copied().collect::<Vec<_>>(), [0.5, 2.0, 0.0, 0.5_f64.cos(), 1.0, 0.0]);
}
