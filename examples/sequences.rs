//! How is a recurrent network trained on sequences of different length, many at a time?
//!
//! It is a case of Hydra, which runs Julia's functions in lanes: the loop over a sequence ends at another step for each, and no
//! sequence is padded. All lie one after the other in one list, which the calls share.

use overdub::prelude::*;
use overdub::spmd::{Fixed, map};

/// The squared error of a recurrent network with one state that is to find the sum of a sequence, after it has read it: the
/// `len` numbers of `all` from `start` on.
#[dub]
fn error(start: usize, len: usize, sum: f64, all: &[f64], input: f64, memory: f64, output: f64) -> f64 {
    let mut state = 0.0;
    for k in 0..len {
        state = (input * all[start + k] + memory * state).tanh();
    }
    let difference = output * state - sum;
    difference * difference
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Small numbers, whose sum a network can find that is nearly linear.
    let lens: Vec<usize> = (0..200).map(|number| 1 + number * 7 % 13).collect();
    let mut seed = 1_u64;
    let all = (0..lens.iter().sum()).map(|_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / f64::from(1 << 24) * 0.2 - 0.1
    });
    let all: Vec<f64> = all.collect();
    let (mut starts, mut sums) = (Vec::new(), Vec::new());
    let mut rest = &all[..];
    for len in &lens {
        let (sequence, others) = rest.split_at(*len);
        starts.push(all.len() - rest.len());
        sums.push(sequence.iter().sum::<f64>());
        rest = others;
    }
    println!("{} sequences of 1 to 13 numbers, {} steps", lens.len(), all.len());

    let (mut input, mut memory, mut output) = (0.8, 0.8, 0.8);
    let errors = map(error).lanes(64).with_respect_to(["input", "memory", "output"]);
    for round in 0..=60 {
        let weights = (Fixed(input), Fixed(memory), Fixed(output));
        let over = errors.over((&starts, &lens, &sums, Fixed(&all[..]), weights.0, weights.1, weights.2));
        let (sum, (.., by_input, by_memory, by_output)) = over.sum_and_gradient()?;
        let mean = sum / lens.len() as f64;
        if round % 20 == 0 {
            println!("round {round:2}: mean squared error {mean:.6}");
        }
        let rate = 1.0 / lens.len() as f64;
        input -= rate * by_input;
        memory -= rate * by_memory;
        output -= rate * by_output;
    }
    println!("it remembers {memory:.2} of its state, and counts an input {:.2} times", input * output);
    Ok(())
}
