//! How is a program differentiated whose data lie on the processes of an MPI job?
//!
//! `mpirun -n 4 target/release/examples/on_ranks`; the programs are those of overdub's example `on_ranks`, which runs them on
//! threads.

#[path = "../../../examples/ranks/fit.rs"]
mod fit;
#[path = "../../../examples/ranks/heat.rs"]
mod heat;

use std::time::Duration;

use overdub::spmd::Communicator;
use overdub_mpi::Job;

fn main() -> Result<(), overdub_mpi::JobError> {
    Job::new().timeout(Duration::from_secs(60)).run(|world| {
        let rounds = heat::recover(world)?;
        let (loss, parameters) = fit::fit(world)?;
        if world.index() == 0 {
            let size = world.size();
            let (conductivity, misfit) = rounds.last().copied().unwrap_or_default();
            let is_small = misfit < 1e-20;
            let rounds = rounds.len();
            println!(
                "{size} ranks: conductivity {conductivity:.6} in {rounds} rounds, misfit below 1e-20: {is_small}"
            );
            println!("{size} ranks: loss {loss:.1e}, parameters {parameters:.4?}");
        }
        Ok::<_, overdub::Error>(())
    })
}
