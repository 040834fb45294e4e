//! The ranks of an MPI job, for programs of overdub that communicate.
//!
//! It needs an MPI installation to be built (Debian: `libopenmpi-dev openmpi-bin libclang-dev`), and is no member of the
//! workspace for that reason. [`Job::run`] makes the processes of `mpirun` ranks that
//! [`overdub_spmd::bind`](overdub_spmd::bind) takes, by rsmpi (<https://github.com/rsmpi/rsmpi>):
//!
//! ```no_run
//! use overdub::prelude::*;
//! use overdub::spmd::{Communicator, OnAxis, bind, psum};
//! use overdub_mpi::Job;
//!
//! /// The sum over all processes.
//! #[dub]
//! fn total(x: f64) -> f64 { psum(x, "job") }
//!
//! let sum = Job::new().run(|world| {
//!     let own = world.index() as f64;
//!     bind("job", world, || overdub(OnAxis::new("job"), total, (own,)))
//! })?;
//! # let _: f64 = sum;
//! # Ok::<(), overdub_mpi::JobError>(())
//! ```
//!
//! - MPI1 all messages are collective operations of one communicator, in the order of the program. They are started without
//!   blocking and tested, so that a rank that waits too long ends the job.
//! - MPI2 sums are reduced to one rank, which sends the result to all: it is the same on all, to the bit.
//! - MPI3 each exchange begins with one number from each rank. A rank whose program has ended sends [`ENDED`]: others that would
//!   wait for it fail.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::request::{Request, Scope, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives, Root};
use overdub_spmd::{CommError, Communicator};

/// How the processes of an MPI job run a program.
#[derive(Clone, Debug, Default)]
pub struct Job {
    timeout: Option<Duration>,
}

/// MPI cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum JobError {
    /// It was initialised before, and can be only once in a process.
    Initialised,
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MPI was initialised before: a process runs one job")
    }
}

impl std::error::Error for JobError {}

impl Job {
    /// A job whose ranks wait for each other as long as it takes.
    pub fn new() -> Job {
        Job::default()
    }

    /// Ends the job if a rank waits longer than this for others.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Job {
        Job { timeout: Some(timeout) }
    }

    /// Runs `program` as one of the processes that `mpirun` started; alone without it.
    ///
    /// If it fails or panics, the process prints the error with the number of its rank to standard error, and ends the job:
    /// no other rank waits for it. The exit status is then 1.
    ///
    /// # Errors
    /// If MPI was initialised before.
    pub fn run<R, E: fmt::Display>(
        &self,
        program: impl FnOnce(&World) -> Result<R, E>,
    ) -> Result<R, JobError> {
        let (universe, _) =
            mpi::initialize_with_threading(Threading::Funneled).ok_or(JobError::Initialised)?;
        let ranks = Rc::new(Ranks { world: universe.world(), timeout: self.timeout });
        let world = World { ranks: ranks.clone() };
        let result = match catch_unwind(AssertUnwindSafe(|| program(&world))) {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => ranks.abort(&error.to_string()),
            Err(panic) if world.size() == 1 => resume_unwind(panic),
            Err(_) => ranks.abort("it panicked"),
        };
        if let Err(error) = ranks.end() {
            ranks.abort(&error.to_string());
        }
        drop::<Universe>(universe);
        Ok(result)
    }
}

/// The processes of a job, as one of them sees them.
#[derive(Clone)]
pub struct World {
    ranks: Rc<Ranks>,
}

/// What a rank sends first when its program has ended (MPI3).
const ENDED: u64 = u64::MAX;

struct Ranks {
    world: SimpleCommunicator,
    timeout: Option<Duration>,
}

impl Ranks {
    fn size(&self) -> usize {
        usize::try_from(self.world.size()).unwrap_or(1)
    }

    /// Ends all processes of the job.
    fn abort(&self, error: &str) -> ! {
        eprintln!("rank {}: {error}", self.world.rank());
        self.world.abort(1)
    }

    /// Waits until a request is completed (MPI1).
    fn wait<'a, D: ?Sized, S: Scope<'a>>(&self, mut request: Request<'a, D, S>) {
        let begin = Instant::now();
        loop {
            request = match request.test() {
                Ok(_) => return,
                Err(pending) => pending,
            };
            if let Some(timeout) = self.timeout.filter(|timeout| begin.elapsed() > *timeout) {
                self.abort(&format!("others did not answer in {} s", timeout.as_secs_f64()));
            }
            // A rank that waits for longer leaves the processor to those that it waits for.
            if begin.elapsed() > Duration::from_micros(50) {
                std::thread::yield_now();
            }
        }
    }

    /// One number of each rank.
    fn numbers(&self, own: u64) -> Vec<u64> {
        let mut all = vec![0; self.size()];
        scope(|scope| self.wait(self.world.immediate_all_gather_into(scope, &own, &mut all[..])));
        all
    }

    /// Begins an exchange (MPI3).
    fn begin(&self, own: u64) -> Result<Vec<u64>, CommError> {
        let all = self.numbers(own);
        match all.iter().position(|number| *number == ENDED) {
            None => Ok(all),
            Some(rank) => {
                Err(CommError::new(format!("rank {rank} has ended, and does not exchange data any more")))
            }
        }
    }

    /// Ends the program of this rank.
    fn end(&self) -> Result<(), CommError> {
        match self.numbers(ENDED).iter().position(|number| *number != ENDED) {
            None => Ok(()),
            Some(rank) => Err(CommError::new(format!("it has ended while rank {rank} waits for it"))),
        }
    }
}

/// The counts of parts, and where each begins, in the numbers of MPI.
fn counts(lengths: impl Iterator<Item = usize>) -> Result<(Vec<i32>, Vec<i32>, usize), CommError> {
    let (mut counts, mut starts, mut total) = (Vec::new(), Vec::new(), 0_usize);
    let number =
        |n: usize| i32::try_from(n).map_err(|_| CommError::new("MPI exchanges at most 2 GiB at once"));
    for length in lengths {
        counts.push(number(length)?);
        starts.push(number(total)?);
        total = total.saturating_add(length);
    }
    number(total)?;
    Ok((counts, starts, total))
}

/// The bytes and one more, so that they are somewhere: Rust's address of no bytes, 1, is `MPI_IN_PLACE` of Open MPI.
fn allocated(bytes: &[u8]) -> Vec<u8> {
    let mut allocated = Vec::with_capacity(bytes.len() + 1);
    allocated.extend_from_slice(bytes);
    allocated.push(0);
    allocated
}

/// The parts that were received one after the other.
fn split(bytes: &[u8], counts: &[i32], starts: &[i32]) -> Vec<Vec<u8>> {
    let parts = counts.iter().zip(starts).map(|(count, start)| {
        let start = *start as usize;
        bytes[start..start + *count as usize].to_vec()
    });
    parts.collect()
}

impl Communicator for World {
    fn index(&self) -> usize {
        usize::try_from(self.ranks.world.rank()).unwrap_or(0)
    }

    fn size(&self) -> usize {
        self.ranks.size()
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, CommError> {
        let Ranks { world, .. } = &*self.ranks;
        if parts.len() != self.size() {
            return Err(CommError::new(format!("{} parts for {} ranks", parts.len(), self.size())));
        }
        self.ranks.begin(0)?;
        let lengths: Vec<u64> = parts.iter().map(|part| part.len() as u64).collect();
        let mut expected = vec![0_u64; lengths.len()];
        scope(|scope| {
            self.ranks.wait(world.immediate_all_to_all_into(scope, &lengths[..], &mut expected[..]));
        });
        let (sent, sent_starts, _) = counts(parts.iter().map(Vec::len))?;
        let (received, starts, total) = counts(expected.iter().map(|length| *length as usize))?;
        let (bytes, mut all) = (allocated(&parts.concat()), allocated(&vec![0; total]));
        {
            let from = Partition::new(&bytes[..], &sent[..], &sent_starts[..]);
            let mut to = PartitionMut::new(&mut all[..], &received[..], &starts[..]);
            scope(|scope| self.ranks.wait(world.immediate_all_to_all_varcount_into(scope, &from, &mut to)));
        }
        Ok(split(&all, &received, &starts))
    }

    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError> {
        let lengths = self.ranks.begin(own.len() as u64)?;
        let (received, starts, total) = counts(lengths.iter().map(|length| *length as usize))?;
        let (bytes, mut all) = (allocated(own), allocated(&vec![0; total]));
        {
            let own = &bytes[..own.len()];
            let mut to = PartitionMut::new(&mut all[..], &received[..], &starts[..]);
            scope(|scope| {
                self.ranks.wait(self.ranks.world.immediate_all_gather_varcount_into(scope, own, &mut to));
            });
        }
        Ok(split(&all, &received, &starts))
    }

    fn sum(&self, numbers: &mut [f64]) -> Result<(), CommError> {
        let lengths = self.ranks.begin(numbers.len() as u64)?;
        if lengths.iter().any(|length| *length != numbers.len() as u64) {
            return Err(CommError::new("ranks add lists of different lengths"));
        }
        if numbers.is_empty() {
            return Ok(());
        }
        // MPI2
        let root = self.ranks.world.process_at_rank(0);
        let own = numbers.to_vec();
        scope(|scope| {
            let sum = SystemOperation::sum();
            match self.index() {
                0 => self.ranks.wait(root.immediate_reduce_into_root(scope, &own[..], &mut numbers[..], sum)),
                _ => self.ranks.wait(root.immediate_reduce_into(scope, &own[..], sum)),
            }
        });
        scope(|scope| self.ranks.wait(root.immediate_broadcast_into(scope, &mut numbers[..])));
        Ok(())
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("index", &self.index()).field("size", &self.size()).finish()
    }
}
