//! How is a program differentiated whose data lie on several ranks, which communicate?
//!
//! The ranks are threads of this process. `plugins/mpi/examples` runs the same two programs under MPI.

#[path = "ranks/fit.rs"]
mod fit;
#[path = "ranks/heat.rs"]
mod heat;

use overdub::spmd::ranks;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for size in [1, 2, 4] {
        let found = ranks(size, |rank| heat::recover(&rank))?;
        let (conductivity, misfit) = found[0].last().copied().unwrap_or_default();
        println!(
            "{size} ranks: conductivity {conductivity:.6} in {} rounds, misfit below 1e-20: {}",
            found[0].len(),
            misfit < 1e-20
        );
        // What is replicated is the same on all ranks, to the bit.
        assert!(found.iter().all(|rounds| *rounds == found[0]));
    }
    for size in [1, 3] {
        let found = ranks(size, |rank| fit::fit(&rank))?;
        let (loss, parameters) = &found[0];
        println!("{size} ranks: loss {loss:.1e}, parameters {parameters:.4?}");
        assert!(found.iter().all(|of_rank| of_rank == &found[0]));
    }
    Ok(())
}
