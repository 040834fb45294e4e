//! How ranks exchange data: the interface that collectives are made of, and what it promises.

use std::fmt;

/// Ranks that run the same program, as one of them sees it.
///
/// All ranks call the same methods in the same order. Implementations: [`ThreadRank`](crate::ThreadRank) for ranks on the
/// threads of one process, `overdub_mpi::World` for processes under MPI.
///
/// - COMM1 what a method returns holds the bits that were sent, in the order of the ranks; [`Communicator::sum`] gives all
///   ranks the same bits.
/// - COMM2 if a rank fails or ends, calls of others that would wait for it fail.
pub trait Communicator {
    /// The number of this rank, from 0.
    fn index(&self) -> usize;

    /// The number of ranks, at least 1.
    fn size(&self) -> usize;

    /// Sends each rank its part, and returns what each rank sent to this one. There are as many parts as ranks.
    ///
    /// # Errors
    /// If another rank failed, ended, or calls another method.
    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, CommError>;

    /// What every rank has.
    ///
    /// # Errors
    /// As [`Communicator::all_to_all`].
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError> {
        self.all_to_all(vec![own.to_vec(); self.size()])
    }

    /// Adds the numbers of all ranks, element by element; all ranks have equally many.
    ///
    /// # Errors
    /// As [`Communicator::all_to_all`].
    fn sum(&self, numbers: &mut [f64]) -> Result<(), CommError> {
        let own: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let all = self.all_gather(&own)?;
        if all.iter().any(|part| part.len() != own.len()) {
            return Err(CommError::new("ranks add lists of different lengths"));
        }
        let number = |part: &Vec<u8>, at: usize| {
            let bytes = part.get(8 * at..8 * at + 8).and_then(|bytes| bytes.try_into().ok());
            f64::from_le_bytes(bytes.unwrap_or_default())
        };
        for (at, x) in numbers.iter_mut().enumerate() {
            *x = pairwise(&mut all.iter().map(|part| number(part, at)).collect::<Vec<_>>());
        }
        Ok(())
    }

    /// Sends bytes to a rank, and returns those that another one sends to this one.
    ///
    /// # Errors
    /// As [`Communicator::all_to_all`].
    fn permute(
        &self,
        to: Option<usize>,
        bytes: Vec<u8>,
        from: Option<usize>,
    ) -> Result<Option<Vec<u8>>, CommError> {
        let mut parts = vec![Vec::new(); self.size()];
        if let Some(part) = to.and_then(|to| parts.get_mut(to)) {
            *part = bytes;
        }
        let mut all = self.all_to_all(parts)?;
        Ok(from.and_then(|from| all.get_mut(from)).map(std::mem::take))
    }
}

/// The only rank: what an axis that is not bound has.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Communicator for Alone {
    fn index(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, CommError> {
        Ok(parts)
    }
}

/// The sum by pairs of neighbours: the same tree for the same number of terms.
fn pairwise(terms: &mut Vec<f64>) -> f64 {
    while terms.len() > 1 {
        let pairs = terms.chunks(2).map(|pair| pair.iter().copied().reduce(|a, b| a + b).unwrap_or(0.0));
        *terms = pairs.collect();
    }
    terms.first().copied().unwrap_or(0.0)
}

/// Ranks could not exchange data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommError(String);

impl CommError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> CommError {
        CommError(message.into())
    }
}

impl fmt::Display for CommError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CommError {}
