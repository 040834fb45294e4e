//! Can a network written with plain vectors learn to read handwritten digits?
//!
//! The loss in `digits/network.rs` is an ordinary function; training uses its gradient, a struct of the same
//! shape. `mlp_digits.png` shows the course of the loss.

#[path = "digits/data.rs"]
mod data;
#[path = "digits/network.rs"]
mod network;
#[path = "digits/picture.rs"]
mod picture;

use overdub::ad::prepare;

use network::{Network, loss};

/// The number of pictures to train with, in batches of `BATCH`; the others are for testing.
const SEEN: usize = 300;
const BATCH: usize = 50;
const STEPS: usize = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data::Digits { pictures, digits } = data::read(include_str!("data/digits.csv"))?;
    let mut network = Network::new(64, 12);
    let prepared = prepare(loss).with_respect_to(["network"]);
    let mut losses = Vec::new();
    for step in 0..STEPS {
        let from = step * BATCH % SEEN;
        let batch = (&network, &pictures[from..from + BATCH], &digits[from..from + BATCH]);
        let (loss, (slope, ..)) = prepared.value_and_gradient(batch)?;
        network.descend(&slope, 0.5);
        losses.push(loss);
    }
    let unseen = pictures[SEEN..].iter().zip(&digits[SEEN..]);
    let right = unseen.filter(|(picture, digit)| network.read(picture) == **digit).count();
    println!("the loss is {:.2} at first, {:.2} after {STEPS} steps", losses[0], losses[STEPS - 1]);
    println!("of {} pictures that it has not seen it reads {right}", pictures.len() - SEEN);
    picture::draw("mlp_digits.png".as_ref(), &losses)?;
    println!("wrote mlp_digits.png");
    Ok(())
}
