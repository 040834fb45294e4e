//! Which pose of a camera explains where it sees known points, if the model is written with glam?
//!
//! Nothing is annotated: `source!(crate)` lets overdub see into this file and into glam. The derivatives have
//! glam's types; they are compared with differences, and then followed downhill.

use glam::{DQuat, DVec2, DVec3};
use overdub::prelude::*;

overdub::source!(crate);

/// Where a camera with this pose sees a point.
fn project(rotation: DQuat, translation: DVec3, point: DVec3) -> DVec2 {
    let seen = rotation.normalize() * point + translation;
    DVec2::new(seen.x, seen.y) / seen.z
}

/// Half the sum of squared distances in the picture.
fn misfit(rotation: DQuat, translation: DVec3, points: &[DVec3], seen: &[DVec2]) -> f64 {
    let pairs = points.iter().zip(seen);
    pairs.map(|(point, at)| 0.5 * project(rotation, translation, *point).distance_squared(*at)).sum()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corner = |k: u32| DVec3::from_array([0, 1, 2].map(|axis| f64::from(k >> axis & 1) - 0.5));
    let points: Vec<DVec3> = (0..8).map(corner).collect();
    let (true_rotation, true_translation) = (DQuat::from_rotation_y(0.4), DVec3::new(0.2, -0.1, 3.0));
    let seen: Vec<DVec2> =
        points.iter().map(|point| project(true_rotation, true_translation, *point)).collect();

    let (mut rotation, mut translation) = (DQuat::IDENTITY, DVec3::new(0.0, 0.0, 4.0));
    let (y, (drotation, dtranslation, ..)) =
        value_and_gradient(misfit, (rotation, translation, &points[..], &seen[..]))?;
    println!("misfit {y:.6}");
    println!("  by the rotation {drotation:.6}");
    println!("  by the translation {dtranslation:.6}");
    let step = 1e-6;
    let at = |by: DVec3| misfit(rotation, translation + by * step, &points, &seen);
    let differences = DVec3::AXES.map(|axis| (at(axis) - at(-axis)) / (2.0 * step));
    let differences = DVec3::from_array(differences);
    println!("  by differences     {differences:.6}");
    assert!(dtranslation.abs_diff_eq(differences, 1e-8));

    for _ in 0..2000 {
        let (drotation, dtranslation, ..) =
            gradient(misfit, (rotation, translation, &points[..], &seen[..]))?;
        rotation = (rotation - drotation * 0.2).normalize();
        translation -= dtranslation * 2.0;
    }
    println!("after 2000 steps: {translation:.4}, {:.4} off in angle", rotation.angle_between(true_rotation));
    Ok(())
}
