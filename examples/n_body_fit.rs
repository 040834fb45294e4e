//! Which initial velocity brings a body to a given place?
//!
//! A gradient through a thousand steps of an integrator, and Newton's method with its derivatives.

use overdub::ad::jacobian;
use overdub::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Dub)]
struct Body {
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
}

#[dub]
impl Body {
    /// The pull of two suns, of masses 1 and 0.5.
    fn pull(&self) -> (f64, f64) {
        let (mut ax, mut ay) = (0.0, 0.0);
        for (sun, mass) in [(-0.5, 1.0), (1.0, 0.5)] {
            let (dx, dy) = (sun - self.x, -self.y);
            let distance = (dx * dx + dy * dy).sqrt();
            let pull = mass / distance.powi(3);
            ax += pull * dx;
            ay += pull * dy;
        }
        (ax, ay)
    }

    /// One step of the leapfrog method.
    fn step(&mut self, dt: f64) {
        let (ax, ay) = self.pull();
        self.vx += 0.5 * dt * ax;
        self.vy += 0.5 * dt * ay;
        self.x += dt * self.vx;
        self.y += dt * self.vy;
        let (ax, ay) = self.pull();
        self.vx += 0.5 * dt * ax;
        self.vy += 0.5 * dt * ay;
    }
}

/// The position of a body after a thousand steps from (0, 3) with this velocity.
#[dub]
fn arrival(vx: f64, vy: f64) -> (f64, f64) {
    let mut body = Body { x: 0.0, y: 3.0, vx, vy };
    for _ in 0..1_000 {
        body.step(0.003);
    }
    (body.x, body.y)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = (2.0, 1.0);
    let (mut vx, mut vy) = (0.7, 0.0);
    for iteration in 0..6 {
        let (x, y) = run(arrival, (vx, vy))?;
        let (dx, dy) = (target.0 - x, target.1 - y);
        println!("round {iteration}: ({vx:.6}, {vy:.6}) misses by {:.1e}", dx.hypot(dy).max(1e-10));
        if dx.hypot(dy) < 1e-10 {
            break;
        }
        let j = jacobian(arrival, (vx, vy))?;
        let determinant = j[[0, 0]] * j[[1, 1]] - j[[0, 1]] * j[[1, 0]];
        vx += (j[[1, 1]] * dx - j[[0, 1]] * dy) / determinant;
        vy += (j[[0, 0]] * dy - j[[1, 0]] * dx) / determinant;
    }
    Ok(())
}
