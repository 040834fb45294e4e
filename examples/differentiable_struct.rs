//! What does a derivative in a struct look like?
//!
//! Like the struct: a field for each of its fields, of the same shape. A field that is not a number has none.

use overdub::ad::gradient;
use overdub::prelude::*;

#[derive(Clone, Debug, PartialEq, Dub)]
struct Spring {
    stiffness: f64,
    rest: f64,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Dub)]
struct Chain {
    springs: Vec<Spring>,
    gravity: f64,
}

#[dub]
impl Chain {
    /// The energy of beads of weight 1 that hang at these heights, the first spring held at height 0.
    fn energy(&self, heights: &[f64]) -> f64 {
        let mut above = 0.0;
        let mut energy = 0.0;
        for (spring, &height) in self.springs.iter().zip(heights) {
            let stretched = above - height - spring.rest;
            energy += 0.5 * spring.stiffness * stretched * stretched + self.gravity * height;
            above = height;
        }
        energy
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spring = |stiffness, name: &str| Spring { stiffness, rest: 1.0, name: name.to_owned() };
    let chain = Chain { springs: vec![spring(4.0, "upper"), spring(2.0, "lower")], gravity: 0.5 };
    let heights = [-1.5, -3.0];
    let (dchain, dheights) = gradient(Chain::energy, (&chain, &heights[..]))?;
    for (spring, d) in chain.springs.iter().zip(&dchain.springs) {
        println!("{}: d/d stiffness {}, d/d rest {}", spring.name, d.stiffness, d.rest);
    }
    println!("d/d gravity {}", dchain.gravity);
    println!("forces on the beads: {:?}", dheights.iter().map(|d| -d).collect::<Vec<_>>());
    Ok(())
}
