//! Are the transposes of collectives right on the processes of an MPI job?
//!
//! `mpirun -n 4 target/debug/examples/laws`; an argument is the number of a rank that fails, and `early` one that ends early.

#[path = "../../../tests/spmd/tests/ranks/laws.rs"]
mod laws_of_collectives;

use std::time::Duration;

use overdub::spmd::Communicator;
use overdub_mpi::{Job, World};

fn run(world: &World) -> Result<(), Box<dyn std::error::Error>> {
    let failing = std::env::args().nth(1);
    if failing == Some(world.index().to_string()) {
        return Err("it fails on purpose".into());
    }
    if failing.as_deref() == Some("early") && world.index() == 0 {
        return Ok(());
    }
    for sides in laws_of_collectives::laws(world)? {
        let mut both = [sides.by_tangents, sides.by_cotangents];
        world.sum(&mut both)?;
        if (both[0] - both[1]).abs() > 1e-12 {
            return Err(format!("{}: {} {}", sides.law, both[0], both[1]).into());
        }
    }
    if world.index() == 0 {
        println!("{} ranks: all laws hold", world.size());
    }
    Ok(())
}

fn main() -> Result<(), overdub_mpi::JobError> {
    Job::new().timeout(Duration::from_secs(20)).run(run)
}
